/** One connection: requests with their replies, and notifications. */
import { json } from "./arguments.js";
import type { Channel, Dial, ChannelListener } from "./channel.js";
import type { ProxyCookies } from "./cookies.js";
import { ConnectionLost, type Ending, fromWire, ResourceLimitExceeded } from "./errors.js";
import { Streams } from "./streams.js";
import type { InitializeResult } from "./types.gen.js";

/** Params or a result as plain data. */
export type Plain = Record<string, unknown>;

interface PendingReply {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Message {
  id?: number | string | null;
  method?: string;
  params?: Plain;
  result?: unknown;
  error?: Parameters<typeof fromWire>[0];
}

/** Owner of a connection. */
export interface Owner {
  notified(method: string, params: Plain): void;
  lost(connection: Connection, reason: ConnectionLost): void;
}

export class Connection implements ChannelListener {
  readonly #owner: Owner;
  readonly #pending = new Map<number, PendingReply>();
  readonly #streams: Streams;
  #channel: Channel | undefined;
  #closeReason: ConnectionLost | undefined;
  #lastId = 0;
  /** Largest message that the server accepts, if known. */
  maxBytes: number | undefined;

  private constructor(owner: Owner, streamed: boolean) {
    this.#owner = owner;
    this.#streams = new Streams(streamed, (streamId) => {
      this.#post({ id: ++this.#lastId, method: "stream/cancel", params: { streamId } });
    });
  }

  /** Connect to a server; with `streamed`, results may arrive in chunks. */
  static async open(
    dial: Dial,
    {
      url,
      token,
      ca,
      streamed,
      cookies,
    }: {
      url: string;
      token: string | undefined;
      ca?: string | undefined;
      streamed: boolean;
      cookies?: ProxyCookies;
    },
    owner: Owner,
    signal: AbortSignal,
  ): Promise<Connection> {
    const connection = new Connection(owner, streamed);
    connection.#channel = await dial(url, token, connection, signal, ca, cookies);
    return connection;
  }

  /**
   * Call a method; rejects with the error of the server, with ConnectionLost, or with the reason of the signal, which
   * also cancels the request on the server. `onResult` gets the result before the next message is dispatched.
   */
  async request(
    method: string,
    params: unknown,
    signal?: AbortSignal,
    onResult?: (result: unknown) => void,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    this.check();
    const id = ++this.#lastId;
    const message = json({ jsonrpc: "2.0", id, method }, params);
    this.#checkSize(method, message);
    const answer = new Promise((resolve, reject) => {
      const accept = (result: unknown): void => {
        onResult?.(result);
        resolve(result);
      };
      this.#pending.set(id, { resolve: accept, reject });
    });
    const cancel = (): void => {
      this.#cancel(id, signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.#channel?.send(message);
    try {
      return await this.#streams.complete(await answer, signal);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Throw the error of a closed connection. */
  check(): void {
    if (this.#closeReason) throw this.#closeReason;
  }

  /** End the connection. */
  close(reason: ConnectionLost): void {
    this.#channel?.close();
    this.#end(reason);
  }

  message(text: string): void {
    const message = parsed(text);
    if (!message) {
      this.#channel?.close();
      this.closed({ reason: "the server sent something that is no message" });
      return;
    }
    const { id, method, params = {} } = message;
    if (method === undefined) {
      if (typeof id === "number") this.#settle(id, message);
    } else if (!this.#streams.accept(method, params)) this.#owner.notified(method, params);
  }

  closed(ending: Ending): void {
    const reason = ConnectionLost.of(ending);
    this.#end(reason);
    this.#owner.lost(this, reason);
  }

  #settle(id: number, { result, error }: Message): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) pending?.reject(fromWire(error));
    else pending?.resolve(this.#streams.expect(result));
  }

  #cancel(id: number, reason: unknown): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    this.#post({ method: "$/cancelRequest", params: { id } });
    pending.reject(reason);
  }

  #post(message: object): void {
    this.#channel?.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #checkSize(method: string, message: string): void {
    const limit = this.maxBytes ?? Infinity;
    if (message.length * 3 <= limit) return; // no character takes more
    const current = new TextEncoder().encode(message).length;
    if (current <= limit) return;
    throw new ResourceLimitExceeded(`${method} would take ${current} bytes, and the server takes ${limit} at most.`, {
      details: { resource: "message", limit, current },
    });
  }

  #end(reason: ConnectionLost): void {
    this.#closeReason ??= reason;
    for (const pending of this.#pending.values()) pending.reject(this.#closeReason);
    this.#pending.clear();
    this.#streams.end(this.#closeReason);
  }
}

/** Return the result of a handshake. Throws ConnectionLost if another kind of server has sent it. */
export function handshakeResult(result: unknown): InitializeResult {
  const given = result as Partial<InitializeResult> | null | undefined;
  if (typeof given?.capabilities?.features === "object") return given as InitializeResult;
  throw new ConnectionLost("The server does not answer as agentbrowser does.", {}, { retryable: false });
}

function parsed(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** One connection: requests and the answers to them, and what the server sends unasked. */
import type { Channel, Dial, Hearer } from "./channel.js";
import { ConnectionLost, type Ending, fromWire, ResourceLimitExceeded } from "./errors.js";
import { Streams } from "./streams.js";

/** Params or a result as plain data. */
export type Plain = Record<string, unknown>;

interface Waiting {
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

/** Who hears of a connection. */
export interface Owner {
  notified(method: string, params: Plain): void;
  lost(connection: Connection, why: ConnectionLost): void;
}

export class Connection implements Hearer {
  readonly #owner: Owner;
  readonly #waiting = new Map<number, Waiting>();
  readonly #streams: Streams;
  #channel: Channel | undefined;
  #why: ConnectionLost | undefined;
  #lastId = 0;
  /** How large a message the server takes, if that is known. */
  maxBytes: number | undefined;

  private constructor(owner: Owner, streamed: boolean) {
    this.#owner = owner;
    this.#streams = new Streams(streamed, (streamId) => {
      this.#post({ id: ++this.#lastId, method: "stream/cancel", params: { streamId } });
    });
  }

  /** Connect to a server; `streamed` says whether results may come in pieces. */
  static async open(
    dial: Dial,
    { url, token, streamed }: { url: string; token: string | undefined; streamed: boolean },
    owner: Owner,
    signal: AbortSignal,
  ): Promise<Connection> {
    const connection = new Connection(owner, streamed);
    connection.#channel = await dial(url, token, connection, signal);
    return connection;
  }

  /**
   * Call a method; rejects with what the server answers, with ConnectionLost, or with the reason of the signal, which
   * also tells the server to cancel the request. `heard` gets the result before the next message is taken in.
   */
  async request(
    method: string,
    params: unknown,
    signal?: AbortSignal,
    heard?: (result: unknown) => void,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    this.check();
    const id = ++this.#lastId;
    const message = encoded({ id, method, params });
    this.#checkSize(method, message);
    const answer = new Promise((resolve, reject) => {
      const take = (result: unknown): void => {
        heard?.(result);
        resolve(result);
      };
      this.#waiting.set(id, { resolve: take, reject });
    });
    const cancel = (): void => {
      this.#cancel(id, signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.#channel?.send(message);
    try {
      return await this.#streams.whole(await answer, signal);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Throw why the connection has ended, if it has. */
  check(): void {
    if (this.#why) throw this.#why;
  }

  /** End the connection. */
  close(why: ConnectionLost): void {
    this.#channel?.close();
    this.#end(why);
  }

  message(text: string): void {
    const message = parsed(text);
    if (!message) {
      this.#channel?.close();
      this.closed({ reason: "the server sent something that is no message" });
    } else if (message.method !== undefined) this.#hear(message.method, message.params ?? {});
    else if (typeof message.id === "number") this.#answer(message.id, message);
  }

  closed(ending: Ending): void {
    const why = ConnectionLost.of(ending);
    this.#end(why);
    this.#owner.lost(this, why);
  }

  #hear(method: string, params: Plain): void {
    if (!this.#streams.hear(method, params)) this.#owner.notified(method, params);
  }

  #answer(id: number, { result, error }: Message): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(fromWire(error));
    else waiting?.resolve(this.#streams.expect(result));
  }

  #cancel(id: number, reason: unknown): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#post({ method: "$/cancelRequest", params: { id } });
    waiting.reject(reason);
  }

  #post(message: object): void {
    this.#channel?.send(encoded(message));
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

  #end(why: ConnectionLost): void {
    this.#why ??= why;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#why);
    this.#waiting.clear();
    this.#streams.end(this.#why);
  }
}

function encoded(message: object): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}

function parsed(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

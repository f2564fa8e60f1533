/** A session with the server, over one connection after another. */
import type { Dial } from "./channel.js";
import { Connection, type Owner, type Plain } from "./connection.js";
import { AgentBrowserError, Cancelled, Closed, ConnectionLost, InvalidParams, NotInitialized } from "./errors.js";
import { type LineState, type Reconnect, type Sleep, sleep, waits } from "./reconnect.js";
import { type Method, METHODS } from "./tables.gen.js";
import type { EventKind } from "./events.js";
import type { ClientInfo, EventFilter, InitializeResult, Limits } from "./types.gen.js";

const KEY = "idempotencyKey";
const CONNECT_TIMEOUT_MS = 10_000;
/** How long the server may take to let the client in; it may have pages to open again. */
const HELLO_TIMEOUT_MS = 60_000;
const LOOK_FIRST = "Observe the page to see what has happened, then decide whether to ask again.";
/** Close codes that say that what we sent was at fault, so that it is not sent again. */
const OURS = [1003, 1007, 1009];

export interface SessionOptions {
  /** What the server asks for; sent in a header on Node, in the URL elsewhere. */
  token?: string;
  /** The session to have; one of its own when absent. With its secret, one that was left is taken up again. */
  sessionId?: string;
  sessionSecret?: string;
  clientInfo?: ClientInfo;
  /** Results that make a larger message come in pieces. */
  maxMessageBytes?: number;
  reconnect?: Reconnect;
  /** Told of each change of the connection. */
  onLine?: (change: LineState) => void;
  /** Instead of what connects here, for tests. */
  dial?: Dial;
  /** Instead of the clock, for tests. */
  sleep?: Sleep;
}

/** A request that may be sent on several connections. */
interface Request {
  /** Its place among all requests, which it has again on the next connection. */
  order: number;
  method: string;
  params: Plain;
  observes: boolean;
  /** Why the connection ended that it was sent on: from then on it is a repeat. */
  lost?: ConnectionLost;
}

/** A request that waits for the next connection. */
interface Waiting {
  request: Request;
  resolve(connection: Connection): void;
  reject(error: unknown): void;
}

export class Session implements Owner {
  readonly id: string;
  /** What proves that the session is ours; of no use where the server keeps no sessions. */
  secret: string | undefined;
  /** What the server said of itself. */
  server: InitializeResult | undefined;
  readonly #url: string;
  readonly #options: SessionOptions;
  readonly #notified: (method: string, params: Plain) => void;
  readonly #filters = new Map<EventKind, EventFilter>();
  readonly #stop = new AbortController();
  #connection: Connection | undefined;
  #waiting: Waiting[] = [];
  #lastEvent: number | undefined;
  #lastOrder = 0;

  constructor(url: string, options: SessionOptions, notified: (method: string, params: Plain) => void) {
    this.#url = url;
    this.#options = options;
    this.#notified = notified;
    this.id = options.sessionId ?? random();
    this.secret = options.sessionSecret;
  }

  /** Whether there is a connection now. */
  get isUp(): boolean {
    return this.#connection !== undefined;
  }

  /** Connect for the first time. */
  async open(): Promise<void> {
    checkAddress(this.#url, this.#options.token);
    this.#connection = await this.#connect();
  }

  /** Call a method; what it does happens once, however often the connection is lost. */
  async request(method: string, params: Plain = {}, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const request = this.#request(method, params);
    for (;;) {
      const connection = this.#connection ?? (await this.#another(request, signal));
      if (request.lost && !this.#isKnown(request)) throw unknownEnd(request, request.lost);
      try {
        return await connection.request(method, request.params, signal);
      } catch (error) {
        request.lost = repeatable(request, error);
      }
    }
  }

  /** Be told of kinds of events, also after a reconnect. */
  async subscribe(kinds: EventKind[], filter: EventFilter = {}): Promise<void> {
    const before = new Map(this.#filters);
    for (const kind of kinds) this.#filters.set(kind, filter);
    try {
      await this.request("events/subscribe", { events: kinds, filter });
    } catch (error) {
      // A connection that was made again meanwhile has asked for them.
      if (error instanceof ConnectionLost && !this.#stop.signal.aborted) return;
      for (const kind of kinds) restore(this.#filters, kind, before.get(kind));
      throw error;
    }
  }

  async unsubscribe(kinds: EventKind[]): Promise<void> {
    for (const kind of kinds) this.#filters.delete(kind);
    await this.request("events/unsubscribe", { events: kinds });
  }

  /** End the connection; what is under way fails. */
  close(why: ConnectionLost = new Closed()): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort(why);
    this.#connection?.close(why);
    this.#changed({ state: "closed", error: why });
  }

  notified(method: string, params: Plain): void {
    const { seq } = params;
    if (typeof seq === "number") {
      if (seq <= (this.#lastEvent ?? -1)) return; // heard on the connection before
      this.#lastEvent = seq;
    }
    this.#notified(method, params);
  }

  lost(connection: Connection, why: ConnectionLost): void {
    if (connection !== this.#connection || this.#stop.signal.aborted) return;
    this.#connection = undefined;
    this.#reconnect(why).then(
      (next) => {
        this.#connection = next;
        for (const waiting of this.#released()) waiting.resolve(next);
      },
      (error: unknown) => {
        const final = asLost(error);
        for (const waiting of this.#released()) waiting.reject(ended(waiting.request, final));
        this.close(final);
      },
    );
  }

  #changed(change: LineState): void {
    try {
      this.#options.onLine?.(change);
    } catch (error) {
      // What the program does wrong is told to the program, and does not end the connection.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #released(): Waiting[] {
    const waiting = this.#waiting.sort((one, other) => one.request.order - other.request.order);
    this.#waiting = [];
    return waiting;
  }

  /** Tell whether the session that there is now is the one that the request was for, and knows its key if it acts. */
  #isKnown({ observes }: Request): boolean {
    const restored = this.server?.restored;
    return restored === "warm" || (observes && restored !== undefined);
  }

  #request(method: string, params: Plain): Request {
    const observes = (METHODS as Record<string, Method | undefined>)[method]?.observes ?? false;
    const keyed = !observes && (this.server?.capabilities.features.idempotencyKeys ?? false) && params[KEY] == null;
    const key = keyed ? { [KEY]: random() } : {};
    return { order: ++this.#lastOrder, method, params: { ...params, ...key }, observes };
  }

  /** Return the connection that comes after one that was lost. */
  async #another(request: Request, signal?: AbortSignal): Promise<Connection> {
    if (this.#stop.signal.aborted) throw ended(request, this.#stop.signal.reason as ConnectionLost);
    let stop: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({ request, resolve, reject });
        stop = () => {
          reject(signal?.reason as Error);
        };
        signal?.addEventListener("abort", stop, { once: true });
      });
    } finally {
      this.#waiting = this.#waiting.filter((waiting) => waiting.request !== request);
      if (stop) signal?.removeEventListener("abort", stop);
    }
  }

  async #reconnect(lost: ConnectionLost): Promise<Connection> {
    let error = lost;
    let attempt = 0;
    for (const waitMs of waits(this.#options.reconnect ?? {})) {
      if (!error.retryable) break;
      this.#changed({ state: "reconnecting", attempt: ++attempt, waitMs, error });
      await (this.#options.sleep ?? sleep)(waitMs, this.#stop.signal);
      try {
        return await this.#connect();
      } catch (why) {
        error = asLost(why);
      }
    }
    throw error;
  }

  async #connect(): Promise<Connection> {
    const { token, maxMessageBytes, dial = (await import("#dial")).dial } = this.#options;
    const address = {
      url: this.#url,
      token: token === "" ? undefined : token,
      streamed: maxMessageBytes !== undefined,
    };
    const connection = await this.#within(CONNECT_TIMEOUT_MS, (signal) => Connection.open(dial, address, this, signal));
    await this.#within(HELLO_TIMEOUT_MS, (signal) => this.#introduce(connection, signal));
    return connection;
  }

  async #within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(ms);
    try {
      return await work(AbortSignal.any([this.#stop.signal, limit]));
    } catch (error) {
      throw limit.aborted ? new ConnectionLost(`The server did not answer within ${ms / 1000} s.`) : error;
    }
  }

  async #introduce(connection: Connection, signal: AbortSignal): Promise<void> {
    try {
      this.server = await this.#initialize(connection, signal);
      connection.maxBytes = (this.server.capabilities.limits as Partial<Limits> | undefined)?.maxMessageSize;
      this.secret = this.server.sessionSecret ?? this.secret;
      for (const [kind, filter] of this.#filters) {
        await connection.request("events/subscribe", { events: [kind], filter }, signal);
      }
      connection.check();
    } catch (error) {
      connection.close(asLost(error));
      throw error;
    }
    this.#changed({ state: "connected", restored: this.server.restored, missed: this.server.missed ?? 0 });
  }

  async #initialize(connection: Connection, signal: AbortSignal): Promise<InitializeResult> {
    try {
      return await this.#greet(connection, signal);
    } catch (error) {
      const path = error instanceof InvalidParams && this.server ? error.details["path"] : undefined;
      if (path !== "sessionId" && path !== "lastEvent") throw error;
      // The session, or what it has told, is over: begin anew.
      if (path === "sessionId") this.secret = undefined;
      this.#lastEvent = undefined;
      return await this.#greet(connection, signal);
    }
  }

  async #greet(connection: Connection, signal: AbortSignal): Promise<InitializeResult> {
    // Events may come with the answer: those of another session count from the beginning.
    const heard = (result: unknown): void => {
      if ((result as InitializeResult).restored !== "warm") this.#lastEvent = undefined;
    };
    return (await connection.request("initialize", this.#introduction(), signal, heard)) as InitializeResult;
  }

  #introduction(): Plain {
    const { clientInfo, maxMessageBytes } = this.#options;
    const streaming = maxMessageBytes === undefined ? {} : { streaming: true, maxMessageSize: maxMessageBytes };
    return {
      clientInfo: clientInfo ?? { name: "agentbrowser-typescript" },
      capabilities: streaming,
      sessionId: this.id,
      ...(this.secret === undefined ? {} : { sessionSecret: this.secret }),
      ...(this.#lastEvent === undefined ? {} : { lastEvent: this.#lastEvent }),
    };
  }
}

/** Throw InvalidParams where no server can be, and for a token that can't travel in a header. */
function checkAddress(url: string, token = ""): void {
  let protocol = "";
  try {
    ({ protocol } = new URL(url));
  } catch {
    // is none
  }
  const address = "ws:// or wss://, a host and perhaps a port: ws://127.0.0.1:9222";
  if (!["ws:", "wss:"].includes(protocol)) throw unfit("url", "No server can be there", address);
  const why = "It can't be sent (has a line end been read with it?)";
  if (!/^[!-~]*$/.test(token)) throw unfit("token", why, "printable ASCII without spaces");
}

function unfit(path: string, why: string, expected: string): InvalidParams {
  return new InvalidParams(`${why}: ${path} is to be ${expected}.`, { details: { path, expected } });
}

function restore<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** Return the loss after which the request can be sent once more; throw what the caller is to get if it can't. */
function repeatable(request: Request, error: unknown): ConnectionLost {
  if (request.lost && error instanceof Cancelled) throw unknownEnd(request, new ConnectionLost(error.message));
  if (!(error instanceof ConnectionLost) || error instanceof Closed) throw error;
  const canBe = request.observes || request.params[KEY] != null;
  if (request.lost || !canBe || OURS.includes(error.details["code"] as number)) throw unknownEnd(request, error);
  return error;
}

/** Return the error for a request for which there is no connection any more. */
function ended(request: Request, why: ConnectionLost): ConnectionLost {
  return request.lost && !(why instanceof Closed) ? unknownEnd(request, why) : why;
}

/** Return the error for a request of which nobody knows what came of it. */
function unknownEnd(request: Request, why: ConnectionLost): ConnectionLost {
  const error = new ConnectionLost(
    `${request.method} was under way when the connection was lost. ${why.message}`,
    { ...why.details, method: request.method, mayHaveActed: !request.observes },
    { retryable: why.retryable, ...(request.observes ? {} : { recoveryHint: LOOK_FIRST }) },
  );
  error.cause = why;
  return error;
}

/** Return what has kept us from connecting as ConnectionLost; what the server refused for good is not tried again. */
function asLost(error: unknown): ConnectionLost {
  if (error instanceof ConnectionLost) return error;
  const isFault = error instanceof AgentBrowserError;
  const retryable = !isFault || error.retryable || error instanceof NotInitialized;
  const lost = new ConnectionLost((error as Error).message, isFault ? error.details : {}, { retryable });
  lost.cause = error;
  return lost;
}

function random(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

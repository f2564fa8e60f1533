/** A session with the server, over one connection after another. */
import { checkSignal, invalid } from "./arguments.js";
import type { Dial } from "./channel.js";
import { Connection, handshakeResult, type Owner, type Plain } from "./connection.js";
import { ProxyCookies } from "./cookies.js";
import { AgentBrowserError, Closed, ConnectionLost, InvalidParams, NotInitialized } from "./errors.js";
import {
  ended,
  KEY,
  observes,
  type PendingRequest,
  type Progress,
  repeatableLoss,
  unknownOutcome,
} from "./pending_request.js";
import { type ConnectionChange, type Reconnect, type Sleep, firstWaits, sleep, waits } from "./reconnect.js";
import type { EventKind } from "./events.js";
import type { ClientInfo, EventFilter, InitializeResult, Limits } from "./types.gen.js";

const CONNECT_TIMEOUT_MS = 10_000;
/** Deadline of the handshake; restoring a session's pages takes time. */
const HANDSHAKE_TIMEOUT_MS = 60_000;

export interface SessionOptions {
  /** Access token; sent in a header on Node, in the URL elsewhere. */
  token?: string;
  /** For `wss://` on Node: certificates of authorities in PEM, instead of those that Node trusts. */
  ca?: string;
  /** Session id; a new one when absent. With its secret, a parked session is resumed. */
  sessionId?: string;
  sessionSecret?: string;
  clientInfo?: ClientInfo;
  /** Larger messages are streamed in chunks. */
  maxMessageBytes?: number;
  reconnect?: Reconnect;
  /** How long to try again while no server answers, as one that is starting; a refusal is final. Default: 0. */
  waitMs?: number;
  /** Ends the attempts to connect for the first time. */
  signal?: AbortSignal;
  /** Called at each change of the connection. */
  onLine?: (change: ConnectionChange) => void;
  /** Replaces the transport, for tests. */
  dial?: Dial;
  /** Replaces the clock, for tests. */
  sleep?: Sleep;
}

/** A request that waits for the next connection. */
interface WaitingRequest {
  request: PendingRequest;
  resolve(connection: Connection): void;
  reject(error: unknown): void;
}

export class Session implements Owner {
  readonly id: string;
  /** Secret that resumes the session, if the server keeps sessions. */
  secret: string | undefined;
  /** Result of the latest handshake. */
  server: InitializeResult | undefined;
  readonly #url: string;
  readonly #options: SessionOptions;
  readonly #notified: (method: string, params: Plain) => void;
  readonly #filters = new Map<EventKind, EventFilter>();
  readonly #stop = new AbortController();
  readonly #cookies = new ProxyCookies();
  #connection: Connection | undefined;
  #waiting: WaitingRequest[] = [];
  #lastEvent: number | undefined;
  #lastOrder = 0;

  constructor(url: string, options: SessionOptions, notified: (method: string, params: Plain) => void) {
    this.#url = url;
    this.#options = options;
    this.#notified = notified;
    this.id = options.sessionId ?? random();
    this.secret = options.sessionSecret;
  }

  /** Return true if there is a connection now. */
  get isUp(): boolean {
    return this.#connection !== undefined;
  }

  /** Connect for the first time. */
  async open(): Promise<void> {
    checkAddress(this.#url, this.#options.token);
    const { waitMs = 0, signal } = this.#options;
    if (!(waitMs >= 0 && waitMs < Infinity)) throw invalid("waitMs", "a number of milliseconds, 0 or more");
    checkSignal(signal);
    signal?.throwIfAborted();
    const stop = (): void => {
      this.#stop.abort(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      this.#connection = await this.#connectWithin(waitMs);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Connect; try again while no server answers and time is left. */
  async #connectWithin(waitMs: number): Promise<Connection> {
    const pauses = firstWaits();
    const endMs = performance.now() + waitMs;
    for (;;) {
      try {
        return await this.#connect();
      } catch (error) {
        const leftMs = endMs - performance.now();
        if (!(error instanceof ConnectionLost)) throw error;
        if (!error.retryable || leftMs <= 0) throw withDetail(error, "waitedMs", waitMs);
        await (this.#options.sleep ?? sleep)(Math.min(pauses.next().value, leftMs), this.#stop.signal);
      }
    }
  }

  /** Call a method; its effects happen once, even if the connection is lost. */
  async request(method: string, params: Plain = {}, signal?: AbortSignal, progress?: Progress): Promise<unknown> {
    signal?.throwIfAborted();
    const request = this.#request(method, params);
    for (;;) {
      const connection = this.#connection ?? (await this.#nextConnection(request, signal));
      if (request.lost && !this.#isRepeatable(request)) throw unknownOutcome(request, this.#notRepeated(request.lost));
      try {
        if (progress) progress.isSent = true;
        return await connection.request(method, request.params, signal);
      } catch (error) {
        request.lost = repeatableLoss(request, error);
      }
    }
  }

  /** Subscribe to kinds of events, also after a reconnect. */
  async subscribe(kinds: EventKind[], filter: EventFilter = {}): Promise<void> {
    const before = new Map(this.#filters);
    for (const kind of kinds) this.#filters.set(kind, filter);
    try {
      await this.request("events/subscribe", { events: kinds, filter });
    } catch (error) {
      // A reconnect has already renewed the subscription.
      if (error instanceof ConnectionLost && !this.#stop.signal.aborted) return;
      for (const kind of kinds) restore(this.#filters, kind, before.get(kind));
      throw error;
    }
  }

  async unsubscribe(kinds: EventKind[]): Promise<void> {
    for (const kind of kinds) this.#filters.delete(kind);
    await this.request("events/unsubscribe", { events: kinds });
  }

  /** Close the connection; pending requests fail. */
  close(reason: ConnectionLost = new Closed()): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort(reason);
    this.#connection?.close(reason);
    this.#changed({ state: "closed", error: reason });
  }

  notified(method: string, params: Plain): void {
    const { seq } = params;
    if (typeof seq === "number") {
      if (seq <= (this.#lastEvent ?? -1)) return; // a duplicate from the previous connection
      this.#lastEvent = seq;
    }
    this.#notified(method, params);
  }

  lost(connection: Connection, reason: ConnectionLost): void {
    if (connection !== this.#connection || this.#stop.signal.aborted) return;
    this.#connection = undefined;
    this.#reconnect(reason).then(
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

  #changed(change: ConnectionChange): void {
    try {
      this.#options.onLine?.(change);
    } catch (error) {
      // An error of the callback is reported to the program, and does not end the connection.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #released(): WaitingRequest[] {
    const waiting = this.#waiting.sort((one, other) => one.request.order - other.request.order);
    this.#waiting = [];
    return waiting;
  }

  /** Return true if the request can be repeated in the present session. */
  #isRepeatable({ observes }: PendingRequest): boolean {
    const restored = this.server?.restored;
    return restored === "warm" || (observes && restored !== undefined);
  }

  /** Return the reason for not repeating a request, in the words of the Python client. */
  #notRepeated({ details, retryable }: ConnectionLost): ConnectionLost {
    const isKnown = this.server?.restored !== undefined;
    const gone = "The server does not know the session any more: its pages are gone.";
    return new ConnectionLost(isKnown ? "It was not repeated, since it may have acted." : gone, details, { retryable });
  }

  #request(method: string, params: Plain): PendingRequest {
    const isObserving = observes(method);
    const keyed = !isObserving && (this.server?.capabilities.features.idempotencyKeys ?? false) && params[KEY] == null;
    const key = keyed ? { [KEY]: random() } : {};
    return { order: ++this.#lastOrder, method, params: { ...params, ...key }, observes: isObserving, losses: 0 };
  }

  /** Wait for the next connection. */
  async #nextConnection(request: PendingRequest, signal?: AbortSignal): Promise<Connection> {
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
      } catch (reason) {
        error = asLost(reason);
      }
    }
    throw withDetail(error, "attempts", attempt);
  }

  async #connect(): Promise<Connection> {
    const { token, ca, maxMessageBytes, dial = (await import("#dial")).dial } = this.#options;
    const address = {
      url: this.#url,
      token: token === "" ? undefined : token,
      ca,
      streamed: maxMessageBytes !== undefined,
      cookies: this.#cookies,
    };
    const connection = await this.#within(CONNECT_TIMEOUT_MS, (signal) => Connection.open(dial, address, this, signal));
    await this.#within(HANDSHAKE_TIMEOUT_MS, (signal) => this.#performHandshake(connection, signal));
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

  async #performHandshake(connection: Connection, signal: AbortSignal): Promise<void> {
    const isFirst = this.server === undefined;
    try {
      this.server = await this.#initialize(connection, signal);
      connection.maxBytes = (this.server.capabilities.limits as Partial<Limits> | undefined)?.maxMessageSize;
      this.secret = this.server.sessionSecret ?? this.secret;
      for (const [kind, filter] of this.#filters) {
        await connection.request("events/subscribe", { events: [kind], filter }, signal);
      }
      connection.check();
      const restored = this.server.restored ?? (isFirst ? undefined : "none");
      this.#changed({ state: "connected", restored, missed: this.server.missed ?? 0 });
      this.#stop.signal.throwIfAborted(); // onLine may close the client
    } catch (error) {
      connection.close(asLost(error));
      throw error;
    }
  }

  async #initialize(connection: Connection, signal: AbortSignal): Promise<InitializeResult> {
    try {
      return await this.#sendInitialize(connection, signal);
    } catch (error) {
      const path = error instanceof InvalidParams && this.server ? error.details["path"] : undefined;
      if (path !== "sessionId" && path !== "lastEvent") throw error;
      // The session or its events have expired: start a new one.
      if (path === "sessionId") this.secret = undefined;
      this.#lastEvent = undefined;
      return await this.#sendInitialize(connection, signal);
    }
  }

  async #sendInitialize(connection: Connection, signal: AbortSignal): Promise<InitializeResult> {
    // Events may arrive with the reply: a new session numbers them from the beginning.
    const onResult = (result: unknown): void => {
      if ((result as InitializeResult | null)?.restored !== "warm") this.#lastEvent = undefined;
    };
    return handshakeResult(await connection.request("initialize", this.#handshakeParams(), signal, onResult));
  }

  #handshakeParams(): Plain {
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

/** Throw InvalidParams for a URL that can't name a server, and for a token that does not fit into a header. */
function checkAddress(url: string, token = ""): void {
  let parts: URL | undefined;
  try {
    parts = new URL(url);
  } catch {
    // not a URL
  }
  if (!parts || !["ws:", "wss:"].includes(parts.protocol) || parts.port === "0")
    throw invalid("url", "ws:// or wss://, a host and perhaps a port, such as ws://127.0.0.1:9222");
  if (!/^[!-~]*$/.test(token))
    throw invalid("token", "printable ASCII without spaces (has a line end been read with it?)");
}

function restore<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** Add a detail that is not 0 to an error, as the Python client does, and return the error. */
function withDetail(error: ConnectionLost, name: string, value: number): ConnectionLost {
  if (value) error.details[name] = value;
  return error;
}

/** Return an error of connecting as ConnectionLost; a final refusal is not retryable. */
function asLost(error: unknown): ConnectionLost {
  if (error instanceof ConnectionLost) return error;
  const isServerError = error instanceof AgentBrowserError;
  const retryable = !isServerError || error.retryable || error instanceof NotInitialized;
  const lost = new ConnectionLost((error as Error).message, isServerError ? error.details : {}, { retryable });
  lost.cause = error;
  return lost;
}

function random(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

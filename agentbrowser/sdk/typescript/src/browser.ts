/** A browser at a server: typed calls, pages, events, approvals. */
import { z } from "zod";
import { checkCallback, checkSignal, fields, invalid } from "./arguments.js";
import { AgentBrowserError, Closed, InternalError, InvalidParams } from "./errors.js";
import { type Event, type EventKind, EventReader, Listener } from "./events.js";
import { bytesOf, FileDownload } from "./files.js";
import { Page } from "./page.js";
import { timedOut } from "./pending_request.js";
import { checkReconnect, type ConnectionChange } from "./reconnect.js";
import { findMismatch } from "./schema.js";
import { ApprovalRequired, Dropped, Repeatable } from "./schemas.gen.js";
import { Session, type SessionOptions } from "./session.js";
import { METHODS } from "./tables.gen.js";
import type * as t from "./types.gen.js";

export type MethodName = keyof t.Methods;
export type Params<M extends MethodName> = t.Methods[M]["params"] & t.Repeatable;
export type Result<M extends MethodName> = t.Methods[M]["result"];

export interface CallOptions {
  /** Cancels the request, also on the server. */
  signal?: AbortSignal;
  /** Time in ms after which the client cancels the request, and rejects with Timeout. Default: none. */
  timeout?: number;
}

/** Params and options; the params are optional if none is required. */
export type CallArguments<M extends MethodName> =
  Record<never, never> extends t.Methods[M]["params"]
    ? [params?: Params<M>, options?: CallOptions]
    : [params: Params<M>, options?: CallOptions];

export interface BrowserOptions extends SessionOptions {
  /** True to validate params and results by the schemas. Default: true. */
  check?: boolean;
}

/** A decision; with the reason, which the requester gets if it is a denial. */
export type Approval = t.ApprovalRespondParams["decision"] | Omit<t.ApprovalRespondParams, "requestId">;

/** Decides on a request that waits for approval; undefined leaves the decision to other approvers. */
export type Approver = (request: t.ApprovalRequired) => Approval | undefined | Promise<Approval | undefined>;

/** Kinds that are sent without a subscription. */
const DEFAULT_KINDS: readonly EventKind[] = ["console", "dialog"];
const SHUTDOWN_TIMEOUT_MS = 1000;
/** A longer one would be over at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A browser at a server. Calls may overlap; those on one page run in the order in which they were made. */
export class Browser {
  /** Number of lost events by kind: the reader was too slow, or the client does not know them. */
  readonly dropped = new Map<string, number>();
  readonly #reader = new EventReader((kind, count) => {
    this.#drop(kind, count);
  });
  readonly #session: Session;
  readonly #checks: boolean;
  readonly #listeners = new Set<Listener<EventKind>>();
  readonly #approvers = new Set<Approver>();
  readonly #reconnected = new Set<() => void>();

  constructor(url: string, options: BrowserOptions = {}) {
    const onLine = (change: ConnectionChange): void => {
      if (change.state === "closed") this.#endListeners(change.error);
      if (change.state === "connected") for (const reconnected of this.#reconnected) reconnected();
      options.onLine?.(change);
    };
    const notified = (method: string, params: unknown): void => {
      this.#notified(method, params);
    };
    this.#session = new Session(url, { ...options, onLine }, notified);
    this.#checks = options.check ?? true;
  }

  /** Connect to a server; rejects with ConnectionLost if no server answers, or if it refuses. */
  static async connect(url = "ws://127.0.0.1:9222", options: BrowserOptions = {}): Promise<Browser> {
    const given = fields("options", options);
    checkReconnect(given.reconnect);
    if (given.onLine) checkCallback("onLine", given.onLine);
    const browser = new Browser(url, given);
    await browser.#session.open();
    return browser;
  }

  /** Result of the latest handshake. */
  get server(): t.InitializeResult | undefined {
    return this.#session.server;
  }

  /** Id and secret that resume this session, also in another program, while the server keeps it. */
  get session(): { sessionId: string; sessionSecret: string | undefined } {
    return { sessionId: this.#session.id, sessionSecret: this.#session.secret };
  }

  /**
   * Call a method: `await browser.call("page/navigate", { url })`.
   *
   * Rejects with the error of the server, with ConnectionLost, or with the reason of the signal.
   */
  async call<M extends MethodName>(method: M, ...[params, options]: CallArguments<M>): Promise<Result<M>> {
    const declared = METHODS[method] as (typeof METHODS)[M] | undefined; // in JavaScript, the name may be any
    const given = fields("params", params);
    if (this.#checks && declared) checkParams(given, declared.params);
    const result = await this.#request(method, { ...given }, fields("options", options));
    if (this.#checks && declared) checkResult(method, result, declared.result);
    return result as Result<M>;
  }

  /** Call a method within the client's own timeout. */
  async #request(
    method: MethodName,
    params: Record<string, unknown>,
    { signal, timeout }: CallOptions,
  ): Promise<unknown> {
    checkSignal(signal);
    if (timeout === undefined) return await this.#session.request(method, params, signal);
    if (!(typeof timeout === "number" && timeout >= 0 && timeout <= MAX_TIMEOUT_MS))
      throw invalid("timeout", `a number of milliseconds, 0 to ${MAX_TIMEOUT_MS}`);
    const clock = AbortSignal.timeout(Math.ceil(timeout));
    const progress = { isSent: false };
    try {
      return await this.#session.request(method, params, signal ? AbortSignal.any([signal, clock]) : clock, progress);
    } catch (error) {
      if (!clock.aborted || error !== clock.reason) throw error;
      throw timedOut(method, timeout, progress);
    }
  }

  /** Open a page, at a URL if one is given. */
  async newPage(target: string | Params<"page/create"> = {}, options?: CallOptions): Promise<Page> {
    const { id } = await this.call("page/create", typeof target === "string" ? { url: target } : target, options);
    return new Page(this, id);
  }

  /** Return the open pages. */
  async pages(options?: CallOptions): Promise<Page[]> {
    const { pages } = await this.call("page/list", {}, options);
    return pages.map(({ id }) => new Page(this, id));
  }

  /**
   * Return the recording of this session, or another one of the token, as a zip. Requires the scope `full`.
   * `agentbrowser show FILE` opens it.
   */
  async recording(
    params: { recordingId?: string; includeTrace?: boolean } = {},
    options?: CallOptions,
  ): Promise<Uint8Array> {
    const { data } = await this.call("recording/export", params, options);
    return bytesOf(data);
  }

  /** Return the downloads that are under way or completed. Requires the scope `full`. */
  async downloads(options?: CallOptions): Promise<FileDownload[]> {
    const { downloads } = await this.call("download/list", {}, options);
    return downloads.map((one) => this.download(one));
  }

  /** Return the download of an event: `await browser.download(event).saveAs("report.pdf")`. */
  download(event: t.DownloadEvent): FileDownload {
    if (typeof fields("event", event).downloadId !== "string") throw invalid("event", "a download event");
    return new FileDownload(this, event);
  }

  /** Return a page by its id, without checking that it exists. */
  page(id: string): Page {
    return new Page(this, id);
  }

  /**
   * Listen to kinds of events: `for await (const event of browser.events("console")) …`. Events from now on are
   * queued until they are read. The filter of the last listener, or none, is that of all listeners of its kinds.
   */
  events<K extends EventKind>(...kinds: K[]): Listener<K>;
  events<K extends EventKind>(filter: t.EventFilter, ...kinds: K[]): Listener<K>;
  events<K extends EventKind>(first?: K | t.EventFilter, ...others: K[]): Listener<K> {
    const isFilter = typeof first === "object";
    const kinds = isFilter || first === undefined ? others : [first, ...others];
    const filter = isFilter ? fields("filter", first) : {};
    // Of no kind, the first one is missing: its error names those that there are.
    check({ events: kinds.length ? kinds : [undefined], filter }, METHODS["events/subscribe"].params);
    const ready = this.#session.subscribe(kinds, filter);
    const listener = new Listener<K>(kinds, ready, () => this.#leave(any));
    const any = listener as unknown as Listener<EventKind>;
    this.#listeners.add(any);
    ready.catch(() => this.#listeners.delete(any));
    return listener;
  }

  /** Register an approver; returns a function that removes it. */
  approvals(approver: Approver): () => void {
    checkCallback("approver", approver);
    this.#approvers.add(approver);
    return () => void this.#approvers.delete(approver);
  }

  /** Call a function after each reconnection; returns a function that removes it. */
  onReconnected(listener: () => void): () => void {
    checkCallback("listener", listener);
    this.#reconnected.add(listener);
    return () => void this.#reconnected.delete(listener);
  }

  /** End the session with its pages, and close the connection. */
  async close(): Promise<void> {
    try {
      if (this.#session.isUp) await this.#session.request("shutdown", {}, AbortSignal.timeout(SHUTDOWN_TIMEOUT_MS));
    } catch {
      // The session ends all the same: the server closes abandoned sessions.
    }
    this.#session.close();
  }

  /** Close the connection, and park the session with its pages. */
  leave(): void {
    this.#session.close();
  }

  async #leave(listener: Listener<EventKind>): Promise<void> {
    this.#listeners.delete(listener);
    const wanted = new Set([...DEFAULT_KINDS, ...[...this.#listeners].flatMap(({ kinds }) => kinds)]);
    const kinds = listener.kinds.filter((kind) => !wanted.has(kind));
    if (!kinds.length) return;
    const unsubscribed = this.#session.unsubscribe(kinds).catch(() => undefined);
    if (this.#session.isUp) await unsubscribed; // otherwise once there is a connection
  }

  #endListeners(error: AgentBrowserError): void {
    for (const listener of this.#listeners) listener.end(error instanceof Closed ? {} : { error });
    this.#listeners.clear();
  }

  #notified(method: string, params: unknown): void {
    if (method === "approval/required") void this.#decide(params);
    else if (method === "notifications/dropped") this.#countDropped(params);
    else this.#deliver(this.#reader.event(method, params));
  }

  #deliver(event: Event | undefined): void {
    if (!event) return;
    for (const listener of this.#listeners) {
      if (listener.kinds.includes(event.kind) && !listener.push(event)) this.#drop(event.kind, 1);
    }
  }

  #countDropped(params: unknown): void {
    const { data } = Dropped.safeParse(params);
    if (data) this.#drop(data.kind, data.count);
  }

  #drop(kind: string, count: number): void {
    this.dropped.set(kind, (this.dropped.get(kind) ?? 0) + count);
  }

  async #decide(params: unknown): Promise<void> {
    const data = this.#reader.read("approval/required", params, ApprovalRequired);
    if (!data) return;
    for (const approver of this.#approvers) {
      const approval = await approver(data);
      if (approval === undefined) continue;
      const decided = typeof approval === "string" ? { decision: approval } : approval;
      // If the decision does not arrive, the request ends as if nobody had decided.
      await this.call("approval/respond", { ...decided, requestId: data.requestId }).catch(() => undefined);
      return;
    }
  }
}

/** Validate the params of a method, and the common ones separately. */
function checkParams({ idempotencyKey, ...own }: t.Repeatable, schema: z.ZodType): void {
  check({ idempotencyKey }, Repeatable);
  check(own, schema);
}

/** Throw InvalidParams, as the server would, for an invalid value. The server knows what a misspelt name is to mean. */
function check(value: unknown, schema: z.ZodType): void {
  const invalid = findMismatch(schema, value);
  if (!invalid || invalid.isUnknown) return;
  const path = invalid.path || "params";
  throw new InvalidParams(`${path} does not fit: expected ${invalid.expected}.`, {
    details: { path, expected: invalid.expected },
  });
}

function checkResult(method: string, result: unknown, schema: z.ZodType): void {
  const invalid = findMismatch(schema, result);
  if (!invalid) return;
  const message = `The result of ${method} is not what this client knows: ${invalid.path} is not ${invalid.expected}.`;
  throw new InternalError(message, {
    details: { ...invalid },
    recoveryHint: "Use a client of the server's version, or check: false.",
  });
}

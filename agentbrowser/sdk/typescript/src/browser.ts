/** A connection to a server, with all that it can do. */
import { z } from "zod";
import { AgentBrowserError, Closed, InternalError, InvalidParams } from "./errors.js";
import { event, type Event, type EventKind, Listener } from "./events.js";
import { Page } from "./page.js";
import type { LineState } from "./reconnect.js";
import { misfit } from "./schema.js";
import { ApprovalRequired, Dropped, EventFilter as EventFilterSchema, Repeatable } from "./schemas.gen.js";
import { Session, type SessionOptions } from "./session.js";
import { METHODS } from "./tables.gen.js";
import type * as t from "./types.gen.js";

export type MethodName = keyof t.Methods;
export type Params<M extends MethodName> = t.Methods[M]["params"] & t.Repeatable;
export type Result<M extends MethodName> = t.Methods[M]["result"];

export interface CallOptions {
  /** Cancels the request, at the server too. */
  signal?: AbortSignal;
}

/** Params and options; the params may be left out where nothing is required. */
export type CallArguments<M extends MethodName> =
  Record<never, never> extends t.Methods[M]["params"]
    ? [params?: Params<M>, options?: CallOptions]
    : [params: Params<M>, options?: CallOptions];

export interface BrowserOptions extends SessionOptions {
  /** Whether params and results are checked against the schemas. Default: true. */
  check?: boolean;
}

/** Decides on a request that waits for approval; undefined leaves it to others. */
export type Approver = (
  request: t.ApprovalRequired,
) => t.ApprovalRespondParams["decision"] | undefined | Promise<t.ApprovalRespondParams["decision"] | undefined>;

/** The kinds that are told of without a subscription. */
const DEFAULT_KINDS: readonly EventKind[] = ["console", "dialog"];
const GOODBYE_MS = 1000;

/** A connection to a server. Calls may overlap; those on one page happen in the order in which they were made. */
export class Browser {
  /** How many events of each kind were lost, here or on the way. */
  readonly dropped = new Map<string, number>();
  readonly #session: Session;
  readonly #checks: boolean;
  readonly #listeners = new Set<Listener<EventKind>>();
  readonly #approvers = new Set<Approver>();

  constructor(url: string, options: BrowserOptions = {}) {
    const onLine = (change: LineState): void => {
      if (change.state === "closed") this.#endListeners(change.error);
      options.onLine?.(change);
    };
    const notified = (method: string, params: unknown): void => {
      this.#notified(method, params);
    };
    this.#session = new Session(url, { ...options, onLine }, notified);
    this.#checks = options.check ?? true;
  }

  /** Connect to a server; rejects with ConnectionLost if nobody answers, or if the server refuses. */
  static async connect(url = "ws://127.0.0.1:9222", options: BrowserOptions = {}): Promise<Browser> {
    const browser = new Browser(url, options);
    await browser.#session.open();
    return browser;
  }

  /** What the server said of itself when it was connected to last. */
  get server(): t.InitializeResult | undefined {
    return this.#session.server;
  }

  /** What takes this session up again, from another program too, for as long as the server keeps it. */
  get session(): { sessionId: string; sessionSecret: string | undefined } {
    return { sessionId: this.#session.id, sessionSecret: this.#session.secret };
  }

  /**
   * Call a method: `await browser.call("page/navigate", { url })`.
   *
   * Rejects with the class of what the server answered, with ConnectionLost, or with the reason of the signal.
   */
  async call<M extends MethodName>(method: M, ...[params, options]: CallArguments<M>): Promise<Result<M>> {
    const declared = METHODS[method];
    if (this.#checks) checkParams(params ?? {}, declared.params);
    const result = await this.#session.request(method, { ...params }, options?.signal);
    if (this.#checks) checkResult(method, result, declared.result);
    return result as Result<M>;
  }

  /** Open a page, at a URL if one is given. */
  async newPage(where: string | Params<"page/create"> = {}, options?: CallOptions): Promise<Page> {
    const { id } = await this.call("page/create", typeof where === "string" ? { url: where } : where, options);
    return new Page(this, id);
  }

  /** Return the pages that are open. */
  async pages(options?: CallOptions): Promise<Page[]> {
    const { pages } = await this.call("page/list", {}, options);
    return pages.map(({ id }) => new Page(this, id));
  }

  /** Return a page by its id, whether it is there or not. */
  page(id: string): Page {
    return new Page(this, id);
  }

  /**
   * Listen to kinds of events: `for await (const event of browser.events("console")) …`. What comes from now on is
   * kept until it is taken. A filter holds for all who listen to these kinds.
   */
  events<K extends EventKind>(...kinds: K[]): Listener<K>;
  events<K extends EventKind>(filter: t.EventFilter, ...kinds: K[]): Listener<K>;
  events<K extends EventKind>(first?: K | t.EventFilter, ...others: K[]): Listener<K> {
    const isFilter = typeof first === "object";
    const kinds = isFilter || first === undefined ? others : [first, ...others];
    if (!kinds.length) throw new InvalidParams("No kind of events is named.", { details: { path: "kinds" } });
    if (isFilter) check(first, EventFilterSchema);
    const ready = this.#session.subscribe(kinds, isFilter ? first : {});
    const listener = new Listener<K>(kinds, ready, () => this.#leave(any));
    const any = listener as unknown as Listener<EventKind>;
    this.#listeners.add(any);
    ready.catch(() => this.#listeners.delete(any));
    return listener;
  }

  /** Have a function decide on requests that wait for approval; returns what ends that. */
  approvals(approver: Approver): () => void {
    this.#approvers.add(approver);
    return () => void this.#approvers.delete(approver);
  }

  /** End the session, its pages included, and the connection. */
  async close(): Promise<void> {
    try {
      if (this.#session.isUp) await this.#session.request("shutdown", {}, AbortSignal.timeout(GOODBYE_MS));
    } catch {
      // It is over all the same: the server closes what nobody comes back to.
    }
    this.#session.close();
  }

  /** End the connection, and leave the pages for who takes the session up again. */
  leave(): void {
    this.#session.close();
  }

  async #leave(listener: Listener<EventKind>): Promise<void> {
    this.#listeners.delete(listener);
    const wanted = new Set([...DEFAULT_KINDS, ...[...this.#listeners].flatMap(({ kinds }) => kinds)]);
    const kinds = listener.kinds.filter((kind) => !wanted.has(kind));
    if (!kinds.length) return;
    const told = this.#session.unsubscribe(kinds).catch(() => undefined);
    if (this.#session.isUp) await told; // else once there is a connection
  }

  #endListeners(error: AgentBrowserError): void {
    for (const listener of this.#listeners) listener.end(error instanceof Closed ? {} : { error });
    this.#listeners.clear();
  }

  #notified(method: string, params: unknown): void {
    if (method === "approval/required") void this.#decide(params);
    else if (method === "notifications/dropped") this.#countDropped(params);
    else this.#tell(event(method, params));
  }

  #tell(told: Event | undefined): void {
    if (!told) return;
    for (const listener of this.#listeners) {
      if (listener.kinds.includes(told.kind) && !listener.push(told)) this.#drop(told.kind, 1);
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
    const { data } = ApprovalRequired.safeParse(params);
    if (!data) return;
    for (const approver of this.#approvers) {
      const decision = await approver(data);
      if (decision === undefined) continue;
      // Where the answer does not arrive, the request ends as if nobody had answered.
      await this.call("approval/respond", { requestId: data.requestId, decision }).catch(() => undefined);
      return;
    }
  }
}

/** Check params but for what any request may hold, which is for others to look at. */
function checkParams({ idempotencyKey, ...own }: t.Repeatable, schema: z.ZodType): void {
  check({ idempotencyKey }, Repeatable);
  check(own, schema);
}

/** Throw InvalidParams, as the server would, if a value does not fit. */
function check(value: unknown, schema: z.ZodType): void {
  const wrong = misfit(schema, value);
  if (!wrong) return;
  const where = wrong.path || "params";
  throw new InvalidParams(`${where} does not fit: expected ${wrong.expected}.`, {
    details: { path: where, expected: wrong.expected },
  });
}

function checkResult(method: string, result: unknown, schema: z.ZodType): void {
  const wrong = misfit(schema, result);
  if (!wrong) return;
  const message = `The result of ${method} is not what this client knows: ${wrong.path} is not ${wrong.expected}.`;
  throw new InternalError(message, {
    details: { ...wrong },
    recoveryHint: "Use a client of the server's version, or check: false.",
  });
}

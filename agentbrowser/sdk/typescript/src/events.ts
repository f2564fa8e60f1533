/** What the server tells unasked, for those who listen. */
import { NOTIFICATIONS } from "./tables.gen.js";
import type { Methods, Notifications } from "./types.gen.js";

/** What can be listened to. */
export type EventKind = Methods["events/subscribe"]["params"]["events"][number];

/** An event, with its kind. */
export type Event<K extends EventKind = EventKind> = { [T in K]: { kind: T } & Notifications[`notifications/${T}`] }[K];

/** How many events may wait to be taken. */
export const MAX_WAITING = 10_000;

/** The events of some kinds, as they come; those that come faster than they are taken are lost, and counted. */
export class Listener<K extends EventKind> implements AsyncIterableIterator<Event<K>> {
  /** Settles once the server tells of these kinds. */
  readonly ready: Promise<void>;
  readonly #waiting: Array<Event<K>> = [];
  readonly #takers: Array<{ resolve(result: IteratorResult<Event<K>>): void; reject(error: unknown): void }> = [];
  readonly #leave: () => Promise<void>;
  #end: { error?: unknown } | undefined;

  constructor(
    readonly kinds: readonly K[],
    ready: Promise<void>,
    leave: () => Promise<void>,
  ) {
    this.ready = ready;
    this.#leave = leave;
    ready.catch((error: unknown) => {
      this.end({ error });
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Event<K>>> {
    const event = this.#waiting.shift();
    if (event) return { done: false, value: event };
    return await new Promise((resolve, reject) => {
      this.#takers.push({ resolve, reject });
      if (this.#end) this.end(this.#end);
    });
  }

  /** Listen no more; `break` in a `for await` does this. */
  async return(): Promise<IteratorResult<Event<K>>> {
    this.end({});
    this.#waiting.length = 0;
    await this.#leave();
    return { done: true, value: undefined };
  }

  /** Take an event in; tells whether there was room. */
  push(event: Event<K>): boolean {
    const taker = this.#takers.shift();
    if (taker) taker.resolve({ done: false, value: event });
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(event);
    else return false;
    return true;
  }

  /** There will be no more; with an error, those who ask get it. */
  end(end: { error?: unknown }): void {
    this.#end ??= end;
    for (const taker of this.#takers.splice(0)) {
      if (this.#end.error === undefined) taker.resolve({ done: true, value: undefined });
      else taker.reject(this.#end.error);
    }
  }
}

/** Return the event that a notification stands for; undefined for one of a newer server, or none. */
export function event(method: string, params: unknown): Event | undefined {
  const kind = method.replace("notifications/", "") as EventKind;
  const schema = NOTIFICATIONS[method as keyof Notifications] as
    (typeof NOTIFICATIONS)[keyof Notifications] | undefined;
  return schema?.safeParse(params).success ? ({ ...(params as object), kind } as Event) : undefined;
}

/** Events of the server, and their listeners. */
import type { z } from "zod";
import { findMismatch } from "./schema.js";
import { NOTIFICATIONS } from "./tables.gen.js";
import type { Methods, Notifications } from "./types.gen.js";

/** Kinds of events. */
export type EventKind = Methods["events/subscribe"]["params"]["events"][number];

/** An event, with its kind. */
export type Event<K extends EventKind = EventKind> = { [T in K]: { kind: T } & Notifications[`notifications/${T}`] }[K];

/** Largest number of unread events. */
export const MAX_UNREAD = 10_000;

/** An async iterator over events of some kinds; events that arrive faster than they are read are dropped and counted. */
export class Listener<K extends EventKind> implements AsyncIterableIterator<Event<K>> {
  readonly #unread: Array<Event<K>> = [];
  readonly #readers: Array<{ resolve(result: IteratorResult<Event<K>>): void; reject(error: unknown): void }> = [];
  readonly #leave: () => Promise<void>;
  #end: { error?: unknown } | undefined;

  constructor(
    readonly kinds: readonly K[],
    /** Settles once the server sends these kinds. */
    readonly ready: Promise<void>,
    leave: () => Promise<void>,
  ) {
    this.#leave = leave;
    ready.catch((error: unknown) => {
      this.end({ error });
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Event<K>>> {
    const event = this.#unread.shift();
    if (event) return { done: false, value: event };
    return await new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      if (this.#end) this.end(this.#end);
    });
  }

  /** Stop listening; `break` in a `for await` does this. */
  async return(): Promise<IteratorResult<Event<K>>> {
    this.end({});
    this.#unread.length = 0;
    await this.#leave();
    return { done: true, value: undefined };
  }

  /** Add an event; return false if the queue is full. */
  push(event: Event<K>): boolean {
    const reader = this.#readers.shift();
    if (reader) reader.resolve({ done: false, value: event });
    else if (this.#unread.length < MAX_UNREAD) this.#unread.push(event);
    else return false;
    return true;
  }

  /** End the iteration; with an error, waiting readers get it. */
  end(end: { error?: unknown }): void {
    this.#end ??= end;
    for (const reader of this.#readers.splice(0)) {
      if (this.#end.error === undefined) reader.resolve({ done: true, value: undefined });
      else reader.reject(this.#end.error);
    }
  }
}

/** Reader of notifications. One that can't be read is dropped, and reported if it is the first of its method. */
export class EventReader {
  readonly #reported = new Set<string>();
  readonly #drop: (kind: string, count: number) => void;

  constructor(drop: (kind: string, count: number) => void) {
    this.#drop = drop;
  }

  /** Return the event of a notification; undefined for other notifications, and for those of newer servers. */
  event(method: string, params: unknown): Event | undefined {
    const kind = method.replace("notifications/", "") as EventKind;
    const schema = NOTIFICATIONS[method as keyof Notifications] as z.ZodType | undefined;
    return schema && this.read(method, params, schema) ? ({ ...(params as object), kind } as Event) : undefined;
  }

  /** Return the params by their schema; undefined if they do not fit. */
  read<T>(method: string, params: unknown, schema: z.ZodType<T>): T | undefined {
    const parsed = schema.safeParse(params);
    if (parsed.success) return parsed.data;
    this.#drop(method.replace(/^.*\//, ""), 1);
    if (!this.#reported.has(method)) {
      this.#reported.add(method);
      const { path, expected } = findMismatch(schema, params) ?? { path: "", expected: "" }; // its values may be secret
      // eslint-disable-next-line no-console -- no call fails, and its listener would wait in vain
      console.warn(
        `agentbrowser: ${method} is dropped, since it is not what this client knows: ${path} is not ${expected}`,
      );
    }
    return undefined;
  }
}

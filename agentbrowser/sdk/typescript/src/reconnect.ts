/** Reconnection: its schedule, and the changes of a connection. */
import { fields, invalid } from "./arguments.js";
import type { ConnectionLost } from "./errors.js";

/** A timer with more than this ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Reconnect {
  /** Largest number of attempts; 0 for no reconnection. Default: 5. */
  maxAttempts?: number;
  /** First wait; each further one is twice as long. Default: 1000. */
  baseMs?: number;
  /** Largest random extension of each wait, as a share of it. Default: 0. */
  jitter?: number;
}

/** A change in the state of a connection. */
export type ConnectionChange =
  /**
   * `restored`: `warm` or `cold` for a restored session. `none` after a reconnection into a new session, which has none
   * of the pages, refs and events from before; undefined for the first session. `missed`: number of events of a
   * restored session that are lost for good.
   */
  | { state: "connected"; restored: string | undefined; missed: number }
  | { state: "reconnecting"; attempt: number; waitMs: number; error: ConnectionLost }
  | { state: "closed"; error: ConnectionLost };

/** Wait; rejects with the reason of the signal. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Throw InvalidParams for a schedule that can't be kept. */
export function checkReconnect(reconnect: Reconnect | undefined): void {
  for (const [name, value] of Object.entries(fields("reconnect", reconnect))) {
    if (value === undefined || (value >= 0 && (value < Infinity || name === "maxAttempts"))) continue;
    throw invalid(`reconnect.${name}`, "a number, 0 or more");
  }
}

/** Yield the wait before each attempt. */
export function* waits({ maxAttempts = 5, baseMs = 1000, jitter = 0 }: Reconnect): Generator<number> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    yield baseMs * 2 ** (attempt - 1) * (1 + Math.random() * jitter);
  }
}

/** Yield the waits between attempts to reach a server that is starting: short at first, then 1 s each. */
export function* firstWaits(): Generator<number, never> {
  yield* [50, 100, 200, 400];
  for (;;) yield 1000;
}

export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { once: true });
  });

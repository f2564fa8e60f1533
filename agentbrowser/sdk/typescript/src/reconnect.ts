/** When to connect again. */
import type { ConnectionLost } from "./errors.js";

export interface Reconnect {
  /** How often to try before giving up; 0: never. Default: 5. */
  maxAttempts?: number;
  /** The first wait; each further one is twice as long. Default: 1000. */
  baseMs?: number;
  /** The share of each wait by which it may be longer at random. Default: 0. */
  jitter?: number;
}

/** What has become of the connection. */
export type LineState =
  /** `restored`: what is left of the session, nothing where it is new. `missed`: how many events are lost for good. */
  | { state: "connected"; restored: string | undefined; missed: number }
  | { state: "reconnecting"; attempt: number; waitMs: number; error: ConnectionLost }
  | { state: "closed"; error: ConnectionLost };

/** Wait; rejects with the reason of the signal. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Yield the wait before each attempt. */
export function* waits({ maxAttempts = 5, baseMs = 1000, jitter = 0 }: Reconnect): Generator<number> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    yield baseMs * 2 ** (attempt - 1) * (1 + Math.random() * jitter);
  }
}

export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { once: true });
  });

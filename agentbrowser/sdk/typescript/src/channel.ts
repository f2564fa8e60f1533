/** How messages travel: whole texts in both directions, in order. */
import type { Ending } from "./errors.js";

/** An open connection. */
export interface Channel {
  /** Send a message; one that is sent after the end is lost. */
  send(message: string): void;
  /** End the connection; `closed` is not told. */
  close(): void;
}

/** Who is told what comes in. */
export interface Hearer {
  message(text: string): void;
  /** There will be no more; told once, for whatever reason. */
  closed(ending: Ending): void;
}

/** Open a connection; rejects with ConnectionLost where that can't be done. */
export type Dial = (url: string, token: string | undefined, hearer: Hearer, signal: AbortSignal) => Promise<Channel>;

/** How much is taken as one message. */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

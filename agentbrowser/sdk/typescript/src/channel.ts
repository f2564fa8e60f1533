/** Transports: whole text messages in both directions, in order. */
import type { ProxyCookies } from "./cookies.js";
import type { Ending } from "./errors.js";

/** An open connection. */
export interface Channel {
  /** Send a message; it is dropped after the end. */
  send(message: string): void;
  /** Close the connection, without calling `closed`. */
  close(): void;
}

/** Listener of an open connection. */
export interface ChannelListener {
  message(text: string): void;
  /** The connection ended; called once, for any reason. */
  closed(ending: Ending): void;
}

/**
 * Open a connection; rejects with ConnectionLost on failure. `ca`: trusted certificates of `wss://`; `cookies`: those of
 * earlier connections to the URL, which are sent, and updated. A browser keeps cookies by itself.
 */
export type Dial = (
  url: string,
  token: string | undefined,
  listener: ChannelListener,
  signal: AbortSignal,
  ca?: string,
  cookies?: ProxyCookies,
) => Promise<Channel>;

/** Largest accepted message. */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

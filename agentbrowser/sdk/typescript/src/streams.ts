/** Results that come in pieces: texts of a result that follow it, put together and checked. */
import { type AgentBrowserError, type ConnectionLost, StreamBroken } from "./errors.js";
import type { StreamChunk, StreamEnd, StreamReference } from "./types.gen.js";

type Plain = Record<string, unknown>;

/** A text that is on its way. */
interface Arrival {
  pieces: string[];
  text: Promise<string>;
  resolve(text: string): void;
  reject(error: unknown): void;
}

/** A result in which texts are missing yet. */
class Parcel {
  constructor(
    readonly result: unknown,
    readonly parts: Array<{ holder: Plain; key: string; streamId: string; text: Promise<string> }>,
  ) {}
}

/** How long the next piece may take; what only looks like a reference has none. */
export const STALL_MS = 60_000;

export class Streams {
  readonly #open = new Map<string, Arrival>();
  #stall: ReturnType<typeof setTimeout> | undefined;

  constructor(
    /** Whether the server was told that it may stream; else nothing that looks like a stream is one. */
    readonly isAgreed: boolean,
    readonly cancel: (streamId: string) => void,
  ) {}

  /** Make ready for what follows a result, at once, before the next message is taken in. */
  expect(result: unknown): unknown {
    if (!this.isAgreed) return result;
    const found = [...references(result)];
    const parts = found.map(({ holder, key, streamId }) => ({ holder, key, streamId, text: this.#begin(streamId) }));
    return parts.length ? new Parcel(result, parts) : result;
  }

  /** Return the result once all of it is there. */
  async whole(result: unknown, signal?: AbortSignal): Promise<unknown> {
    if (!(result instanceof Parcel)) return result;
    const stop = (): void => {
      this.#stop(result, signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      for (const { holder, key, text } of result.parts) holder[key] = await text;
      return result.result;
    } catch (error) {
      this.#stop(result, error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Take in a notification if it is about a stream, and tell whether it is. */
  hear(method: string, params: Plain): boolean {
    if (method === "stream/chunk") {
      const { streamId, index, data } = params as unknown as StreamChunk;
      const arrival = this.#open.get(streamId);
      if (arrival) arrival.pieces[index] = data;
      this.#watch();
    } else if (method === "stream/end") void this.#finish(params as unknown as StreamEnd);
    else return false;
    return true;
  }

  /** Nothing follows any more. */
  end(why: ConnectionLost): void {
    this.#endAll(why);
  }

  #endAll(why: AgentBrowserError): void {
    for (const arrival of this.#open.values()) arrival.reject(why);
    this.#open.clear();
    this.#watch();
  }

  /** Begin anew to wait for the next piece, if there is one to come. */
  #watch(): void {
    clearTimeout(this.#stall);
    if (!this.#open.size) return;
    this.#stall = setTimeout(() => {
      this.#endAll(new StreamBroken("The rest of a result does not come.", { retryable: true }));
    }, STALL_MS);
  }

  #begin(streamId: string): Promise<string> {
    const arrival: Partial<Arrival> = { pieces: [] };
    const text = new Promise<string>((resolve, reject) => Object.assign(arrival, { resolve, reject }));
    text.catch(() => undefined); // of several that fail only the first is awaited
    this.#open.set(streamId, arrival as Arrival);
    this.#watch();
    return text;
  }

  async #finish({ streamId, totalChunks, checksum }: StreamEnd): Promise<void> {
    const arrival = this.#open.get(streamId);
    if (!arrival) return;
    this.#open.delete(streamId);
    this.#watch();
    const text = arrival.pieces.join("");
    const isWhole = arrival.pieces.length === totalChunks && (await isRight(text, checksum));
    if (isWhole) arrival.resolve(text);
    else
      arrival.reject(
        new StreamBroken("A result that came in pieces is damaged.", { retryable: true, details: { streamId } }),
      );
  }

  #stop(parcel: Parcel, reason: unknown): void {
    for (const { streamId } of parcel.parts) {
      const arrival = this.#open.get(streamId);
      if (this.#open.delete(streamId)) this.cancel(streamId);
      arrival?.reject(reason);
    }
    this.#watch();
  }
}

function* references(value: unknown): Generator<{ holder: Plain; key: string; streamId: string }> {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Plain;
  for (const [key, inner] of Object.entries(holder)) {
    if (isReference(inner)) yield { holder, key, streamId: inner.streamId };
    else yield* references(inner);
  }
}

function isReference(value: unknown): value is StreamReference {
  if (typeof value !== "object" || value === null) return false;
  const { streamId, totalSize, contentType, ...others } = value as Plain;
  const types = [typeof streamId, typeof totalSize, typeof contentType].join();
  return types === "string,number,string" && Object.keys(others).length === 0;
}

/** Tell whether the text has that checksum, where that can be told: pages that are not secure have no WebCrypto. */
async function isRight(text: string, checksum: string): Promise<boolean> {
  const crypto = globalThis.crypto as Crypto | undefined;
  const subtle: SubtleCrypto | undefined = crypto?.subtle;
  if (!subtle) return true;
  const digest = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === checksum;
}

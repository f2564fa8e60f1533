/** Streamed results: reassembly and verification of large texts. */
import { type AgentBrowserError, type ConnectionLost, StreamBroken } from "./errors.js";
import type { StreamChunk, StreamEnd, StreamReference } from "./types.gen.js";

type Plain = Record<string, unknown>;

/** A text that arrives in chunks. */
interface IncomingText {
  chunks: string[];
  text: Promise<string>;
  resolve(text: string): void;
  reject(error: unknown): void;
}

/** A result with incomplete texts. */
class PartialResult {
  constructor(
    readonly result: unknown,
    readonly parts: Array<{ holder: Plain; key: string; streamId: string; text: Promise<string> }>,
  ) {}
}

/** Deadline of the next chunk; data that only looks like a stream reference gets none. */
export const STALL_MS = 60_000;

export class Streams {
  readonly #open = new Map<string, IncomingText>();
  #stall: ReturnType<typeof setTimeout> | undefined;

  constructor(
    /** True if streaming was negotiated; otherwise data that looks like a reference is none. */
    readonly isAgreed: boolean,
    readonly cancel: (streamId: string) => void,
  ) {}

  /** Register the streams of a result, before the next message is dispatched. */
  expect(result: unknown): unknown {
    if (!this.isAgreed) return result;
    const found = [...references(result)];
    const parts = found.map(({ holder, key, streamId }) => ({ holder, key, streamId, text: this.#begin(streamId) }));
    return parts.length ? new PartialResult(result, parts) : result;
  }

  /** Return the result once its texts are complete. */
  async complete(result: unknown, signal?: AbortSignal): Promise<unknown> {
    if (!(result instanceof PartialResult)) return result;
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

  /** Accept a notification if it belongs to a stream; return true if it does. */
  accept(method: string, params: Plain): boolean {
    if (method === "stream/chunk") {
      const { streamId, index, data } = params as unknown as StreamChunk;
      const incoming = this.#open.get(streamId);
      if (incoming) incoming.chunks[index] = data;
      this.#watch();
    } else if (method === "stream/end") void this.#finish(params as unknown as StreamEnd);
    else return false;
    return true;
  }

  /** Fail all open streams. */
  end(reason: ConnectionLost): void {
    this.#endAll(reason);
  }

  #endAll(reason: AgentBrowserError): void {
    for (const incoming of this.#open.values()) incoming.reject(reason);
    this.#open.clear();
    this.#watch();
  }

  /** Restart the deadline of the next chunk, if streams are open. */
  #watch(): void {
    clearTimeout(this.#stall);
    if (!this.#open.size) return;
    this.#stall = setTimeout(() => {
      this.#endAll(new StreamBroken("The rest of a result does not come.", { retryable: true }));
    }, STALL_MS);
  }

  #begin(streamId: string): Promise<string> {
    const incoming: Partial<IncomingText> = { chunks: [] };
    const text = new Promise<string>((resolve, reject) => Object.assign(incoming, { resolve, reject }));
    text.catch(() => undefined); // only the first of several failures is awaited
    this.#open.set(streamId, incoming as IncomingText);
    this.#watch();
    return text;
  }

  async #finish({ streamId, totalChunks, checksum }: StreamEnd): Promise<void> {
    const incoming = this.#open.get(streamId);
    if (!incoming) return;
    this.#open.delete(streamId);
    this.#watch();
    const text = incoming.chunks.join("");
    const isComplete = incoming.chunks.length === totalChunks && (await hasChecksum(text, checksum));
    if (isComplete) incoming.resolve(text);
    else
      incoming.reject(
        new StreamBroken("A result that came in pieces is damaged.", { retryable: true, details: { streamId } }),
      );
  }

  #stop(partial: PartialResult, reason: unknown): void {
    for (const { streamId } of partial.parts) {
      const incoming = this.#open.get(streamId);
      if (this.#open.delete(streamId)) this.cancel(streamId);
      incoming?.reject(reason);
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

/** Return true if the checksum matches, or if there is no WebCrypto, as in insecure pages. */
async function hasChecksum(text: string, checksum: string): Promise<boolean> {
  const crypto = globalThis.crypto as Crypto | undefined;
  const subtle: SubtleCrypto | undefined = crypto?.subtle;
  if (!subtle) return true;
  const digest = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === checksum;
}

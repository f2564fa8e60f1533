/** Files to upload, and downloaded ones. */
import { checkSignal } from "./arguments.js";
import type { Browser, CallOptions } from "./browser.js";
import { ActionFailed, InvalidParams } from "./errors.js";
import type * as t from "./types.gen.js";

/** Access to the files of this machine. */
export interface FileAccess {
  read(path: string): Promise<{ name: string; contents: Uint8Array }>;
  write(path: string, contents: Uint8Array): Promise<void>;
}

/** A file to upload: a path on this machine (Node), a name and bytes, a File of the web, or the form of the wire. */
export type Upload = string | { name: string; data: Uint8Array } | File | t.FileUpload;

const PART_BYTES = 6 * 1024 * 1024;
const AGAIN = "Start the download again.";

/** Return a file in the form of the wire. */
export async function uploadOf(file: Upload): Promise<t.FileUpload> {
  if (typeof file === "string") {
    const { name, contents } = await (await import("#files")).files.read(file);
    return { name, buffer: base64Of(contents) };
  }
  if (typeof File !== "undefined" && file instanceof File) {
    const buffer = base64Of(new Uint8Array(await file.arrayBuffer()));
    return { name: file.name, buffer, ...(file.type ? { mimeType: file.type } : {}) };
  }
  const given = file as Partial<typeof file> | null | undefined; // in JavaScript, it may be any
  if (typeof given !== "object" || given === null) throw invalid("be", "a path, { name, data } or a File");
  if (!("data" in file)) return file;
  if (file.data instanceof Uint8Array) return { name: file.name, buffer: base64Of(file.data) };
  throw invalid("have data in", "bytes, as a Uint8Array");
}

function invalid(must: string, expected: string): InvalidParams {
  return new InvalidParams(`files must ${must} ${expected}.`, { details: { path: "files", expected } });
}

/** A download, whose file the server keeps until the client disconnects. Reading it requires the scope `full`. */
export class FileDownload {
  readonly #browser: Browser;
  /** Id of the download, if the server reports it. */
  readonly id: string | undefined;
  /** File name without folders, as the page suggests it. */
  readonly suggestedName: string;
  readonly url: string | undefined;
  /** State when the result was made. */
  readonly state: string | undefined;

  constructor(browser: Browser, wire: object) {
    const { downloadId, suggestedName, suggestedFilename, url, state } = wire as Partial<Record<string, string>>;
    this.#browser = browser;
    this.id = downloadId;
    this.suggestedName = suggestedName ?? suggestedFilename ?? "";
    [this.url, this.state] = [url, state];
  }

  /** The same as `suggestedName`, for existing programs. */
  get suggestedFilename(): string {
    return this.suggestedName;
  }

  /** Wait for the end of the download, and return its id; rejects with ActionFailed if it failed. */
  async wait(signal?: AbortSignal): Promise<string> {
    checkSignal(signal);
    const events = this.#browser.events("download");
    const options = signal && { signal };
    const stop = (): void => void events.return();
    // A new session does not have the download, and reports nothing of it; an event of its end may be lost.
    const ignore = this.#browser.onReconnected(() => {
      this.#present(options).then(
        (latest) => events.push({ kind: "download", ...latest }),
        (error: unknown) => {
          events.end({ error });
        },
      );
    });
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await events.ready;
      const present = await this.#present(options);
      if (present.state === "completed") return present.downloadId;
      for await (const event of events) {
        if (event.downloadId !== present.downloadId || event.state === "started") continue;
        if (event.state === "completed") return event.downloadId;
        throw this.#failed(`failed: ${event.error ?? event.state}`);
      }
      signal?.throwIfAborted();
      throw this.#failed("was not over when the client was closed");
    } finally {
      ignore();
      signal?.removeEventListener("abort", stop);
      await events.return();
    }
  }

  async #present(options?: CallOptions): Promise<t.DownloadEvent> {
    const { downloads } = await this.#browser.call("download/list", {}, options);
    const present = downloads.findLast((one) => this.#is(one));
    // The server forgets a failed download, so nothing more is reported of it.
    if (!present) throw this.#failed("is not known any more");
    return present;
  }

  /** Wait for the end of the download, and return the bytes of its file. */
  async read(signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const downloadId = await this.wait(signal);
    const parts: Array<Uint8Array<ArrayBuffer>> = [];
    for (let offset = 0; ;) {
      const range = { downloadId, offset, length: PART_BYTES };
      const part = await this.#browser.call("download/read", range, signal && { signal });
      const bytes = bytesOf(part.data);
      parts.push(bytes);
      offset += bytes.length;
      if (part.eof) return new Uint8Array(await new Blob(parts).arrayBuffer());
    }
  }

  /** Wait for the end of the download, and write its file to a path of this machine (Node). */
  async saveAs(path: string, signal?: AbortSignal): Promise<void> {
    const contents = await this.read(signal);
    await (await import("#files")).files.write(path, contents);
  }

  #is({ downloadId, suggestedFilename, url }: t.DownloadEvent): boolean {
    if (this.id !== undefined) return downloadId === this.id;
    return suggestedFilename === this.suggestedName && (this.url === undefined || url === this.url);
  }

  #failed(reason: string): ActionFailed {
    return new ActionFailed(`The download of ${this.suggestedName} ${reason}.`, { recoveryHint: AGAIN });
  }
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)));
  return btoa(parts.join(""));
}

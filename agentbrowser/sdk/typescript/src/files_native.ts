/** Files in a browser: there are none. */
import { InvalidParams } from "./errors.js";
import type { FileAccess } from "./files.js";

function refuse(path: string, instead: string): Promise<never> {
  const message = `A browser can't use files by their paths (${path}): use ${instead}.`;
  return Promise.reject(new InvalidParams(message, { details: { path: "path", expected: instead } }));
}

export const files: FileAccess = {
  read: (path) => refuse(path, "a File, or a name and bytes"),
  write: (path) => refuse(path, "read(), which returns the bytes"),
};

/** Files of this machine, on Node. */
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { FileAccess } from "./files.js";

export const files: FileAccess = {
  read: async (path) => ({ name: basename(path), contents: await readFile(path) }),
  write: async (path, contents) => {
    await writeFile(path, contents);
  },
};

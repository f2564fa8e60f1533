/** Checks of arguments, for programs in JavaScript: there, a value may be any. */
import { InvalidParams } from "./errors.js";

/** Return the error for an argument that must be something else. */
export function invalid(path: string, expected: string): InvalidParams {
  return new InvalidParams(`${path} must be ${expected}.`, { details: { path, expected } });
}

/** Return an argument with named fields; null stands for none. Throws InvalidParams for anything else. */
export function fields<T extends object>(path: string, value: T | null | undefined): T {
  const given: unknown = value ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw invalid(path, "an object");
  return given as T;
}

/** Throw InvalidParams for a callback that is no function. */
export function checkCallback(path: string, callback: unknown): void {
  if (typeof callback !== "function") throw invalid(path, "a function");
}

/** Throw InvalidParams for a signal that is none; it may be missing. */
export function checkSignal(signal: AbortSignal | null | undefined): void {
  const given = signal as Partial<AbortSignal> | null | undefined;
  if (given != null && typeof given.throwIfAborted !== "function") throw invalid("signal", "an AbortSignal");
}

/** Return params as JSON. Throws InvalidParams for those that are no plain data. */
export function json(message: object, params: unknown): string {
  try {
    return JSON.stringify({ ...message, params });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid(`params${unplain(params, [])}`, `plain data, as JSON has it: ${error.message.split("\n")[0]}`);
  }
}

/** Return the path of the first value that is no plain data. */
function unplain(value: unknown, above: readonly unknown[]): string {
  if (typeof value !== "object" || value === null) return "";
  for (const [key, item] of Object.entries(value)) {
    if (!above.includes(item) && !isPlain(item)) return `.${key}${unplain(item, [...above, item])}`;
  }
  return "";
}

function isPlain(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Run a client's script and return its value as JSON, or what went wrong. Nothing larger than the limit leaves the page.
 * The code is compiled before the first await: as long as the evaluation runs that this is part of, no CSP forbids that.
 * @param {string} source an expression, a function that takes the argument, or statements
 * @param {string} argument JSON
 * @param {boolean} isAwaited true if a promise is waited for
 * @param {number} maxBytes the limit of the value's JSON in UTF-8
 * @param {string} lentName of the global under which the program `serialiser` lends JSON as it was before the page's
 *   scripts; it is removed before the script runs. Without it, JSON is this world's.
 * @returns {Promise<{json: string} | {exceeded: number} | {thrown: string}>}
 */
export default async function evaluate(source, argument, isAwaited, maxBytes, lentName) {
  const lent = /** @type {any} */ (globalThis)[lentName];
  delete globalThis[lentName];
  const parse = lent ? lent.parse : JSON.parse;
  const MAX_TEXT = 1000;
  // The PDF viewer of full Chromium may open files of the machine and the browser's settings.
  const BROWSERS_OWN = /^(?:chrome|chrome-extension|chrome-untrusted|devtools|file|view-source):/;

  /** @param {string} body */
  function parses(body) {
    try {
      return Boolean(Function(body));
    } catch {
      return false;
    }
  }

  /** Run the script and return the value of the expression, of an expression with await, or of the last statement. */
  function run() {
    const inBrackets = `(${source}\n)`;
    if (parses(`return ${inBrackets}`)) return (0, eval)(inBrackets);
    const isAsync = parses(`return async () => ${inBrackets}`);
    return isAsync ? (0, eval)(`(async () => ${inBrackets})()`) : (0, eval)(source);
  }

  /** @param {any} value */
  function checkKind(value) {
    const kind = typeof value;
    if (kind === "function" || kind === "symbol") throw new TypeError(`the result is a ${kind}, which JSON can't hold`);
  }

  /**
   * Return the value as JSON, with its size. An object of a class without visible properties, such as a DOM node or a map, is
   * rejected.
   * @param {any} value
   */
  function jsonOf(value) {
    checkKind(value);
    const { json, bytes } = lent ? lent.serialise(value, maxBytes) : serialise(value);
    const type = json === "{}" ? Object.getPrototypeOf(value) : null;
    if (type !== null && Object.getPrototypeOf(type) !== null) {
      throw new TypeError(`the result is a ${type.constructor?.name || "host object"}, which JSON can't hold`);
    }
    return { json, bytes };
  }

  /** @param {any} value */
  function serialise(value) {
    const text = JSON.stringify(value) ?? "null";
    // JSON escapes lone surrogates, and no other characters of their range.
    const json = text.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\ufffd");
    return { json, bytes: bytesOf(json) };
  }

  /** @param {string} json */
  function bytesOf(json) {
    return json.length > maxBytes ? json.length : new TextEncoder().encode(json).length;
  }

  /**
   * Return an answer without a prototype: a promise of it would call a `then` that the page has put there.
   * @template T
   * @param {T} answer
   * @returns {T}
   */
  const bare = (answer) => /** @type {any} */ ({ __proto__: null, ...answer });

  /** @param {unknown} error */
  function textOf(error) {
    try {
      return String(error).slice(0, MAX_TEXT).toWellFormed();
    } catch {
      return "something without a text was thrown";
    }
  }

  if (BROWSERS_OWN.test(location.href) || BROWSERS_OWN.test(self.origin)) {
    return bare({ thrown: "documents of the browser's own, such as its PDF viewer, run no scripts of clients" });
  }
  try {
    let value = run();
    if (typeof value === "function") value = value(parse(argument));
    if (isAwaited) value = await value;
    const { json, bytes } = jsonOf(value);
    return bytes > maxBytes ? bare({ exceeded: bytes }) : bare({ json });
  } catch (error) {
    return bare({ thrown: textOf(error) });
  }
}

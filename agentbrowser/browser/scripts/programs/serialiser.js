/**
 * Keep JSON as it was before the page's scripts, for the results of scripts in the page's own world. At an event of a
 * secret name, it is lent to the next script under that name. The program takes every function that it needs before a
 * script of the page can replace it.
 * @param {string} name of the event, and of the global
 */
export default function keepSerialiser(name) {
  const { stringify, parse } = JSON;
  const { apply } = Reflect;
  /** @type {(object: any, key: PropertyKey, descriptor: any) => boolean} */
  const define = Reflect.defineProperty;
  const { keys, create, getPrototypeOf } = Object;
  const { isArray } = Array;
  const { toWellFormed, charCodeAt } = String.prototype;
  const { toString } = Function.prototype;
  const { addEventListener } = EventTarget.prototype;
  const plain = Object.prototype;
  const Failure = TypeError;
  const page = globalThis;
  // A bound function, or one of the page's, has another text.
  const NATIVE = "function toJSON() { [native code] }";

  /** @param {any} value */
  function nativeJsonOf(value) {
    const { toJSON } = value;
    return typeof toJSON === "function" && apply(toString, toJSON, []) === NATIVE ? { value: apply(toJSON, value, []) } : null;
  }

  /**
   * Return a copy that has no `toJSON`, not even by its prototype, and no other code of the page's.
   * @param {any} value
   * @param {any} around the objects around it, the innermost first
   */
  function copyOf(value, around) {
    if (typeof value === "string") return apply(toWellFormed, value, []);
    if (typeof value === "bigint") throw new Failure("the result holds a BigInt, which JSON can't hold");
    if (typeof value === "function") return undefined; // as JSON has it
    if (typeof value !== "object" || value === null) return value;
    for (let outer = around; outer; outer = outer.next) {
      if (outer.value === value) throw new Failure("the result is a circular structure, which JSON can't hold");
    }
    const inside = { __proto__: null, value, next: around };
    if (isArray(value)) return copyOfList(value, inside);
    const native = getPrototypeOf(value) === plain ? null : nativeJsonOf(value);
    if (native) return copyOf(native.value, inside);
    const copy = create(null);
    const names = keys(value);
    for (let i = 0; i < names.length; i++) copy[apply(toWellFormed, names[i], [])] = copyOf(value[names[i]], inside);
    return copy;
  }

  /**
   * @param {any[]} list
   * @param {any} inside
   */
  function copyOfList(list, inside) {
    const copy = [];
    define(copy, "toJSON", { __proto__: null, value: undefined });
    for (let i = 0; i < list.length; i++) {
      define(copy, i, { __proto__: null, value: copyOf(list[i], inside), enumerable: true });
    }
    return copy;
  }

  /** @param {string} json */
  function bytesOf(json) {
    let bytes = json.length;
    for (let i = 0; i < json.length; i++) {
      const code = apply(charCodeAt, json, [i]);
      if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
    }
    return bytes;
  }

  /**
   * Return the value as JSON and its size in UTF-8, which is exact up to the limit.
   * @param {any} value
   * @param {number} maxBytes
   */
  function serialise(value, maxBytes) {
    const json = stringify(copyOf(value, null)) ?? "null";
    const isClear = json.length > maxBytes || json.length * 3 <= maxBytes;
    return { __proto__: null, json, bytes: isClear ? json.length : bytesOf(json) };
  }

  const lent = { __proto__: null, serialise, parse };
  const lend = () => void define(page, name, { __proto__: null, value: lent, configurable: true });
  apply(addEventListener, performance, [name, lend]);
}

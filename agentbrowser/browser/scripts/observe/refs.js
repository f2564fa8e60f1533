/** Refs: short names that stay with an element for its life, and the element's fingerprint at its last observation. */

import { increment, memo, getOrCompute } from "../dom/memo.js";
import {
  attributeOf, bodyOf, closest, parentOrHostOf, isConnected, MAX_TEXT, nextElementOf, previousElementOf, shorten, SPACES,
  tagOf,
} from "../dom/nodes.js";
import { shownTexts } from "../dom/secret_fields.js";
import { CHECKABLE } from "../dom/states.js";
import { MAX_NAME, shownRole } from "./element_fields.js";

/** @import { Found } from "./scan.js" */
/** @import { Keys } from "./selectors.js" */

/**
 * The fingerprint of an element; a ref is valid only while its element still has it.
 * @typedef {object} Fingerprint
 * @property {string} role
 * @property {string} name
 * @property {string} tagName
 * @property {string} [type]
 * @property {string} [href]
 * @property {string} [field] the name attribute
 * @property {string} [row] first text of the row, where role and name are not unique
 */

/**
 * @typedef {object} Entry
 * @property {string} ref
 * @property {string} stem beginning of the ref
 * @property {WeakRef<Element>} element
 * @property {Fingerprint} print
 * @property {Fingerprint} [before] fingerprint of the observation before
 * @property {string[]} identities keys by which a replacing node is recognized
 * @property {boolean} isAct true if it is for clicking or typing, not only for scrolling or dragging
 * @property {{container: WeakRef<Element>, key: string}} [fold] the fold whose cursor has this ref
 */

const MAX_REF = 24;
const MAX_ENTRIES = 10_000;
const MAX_CONTEXT = 60;
const GENERATED = /\d{3}|:|[0-9a-f]{8}|^(react|ember|radix|mui|headlessui)/i;
const ROWS = "tr, li, article, [role=row], [role=listitem], [role=option], [role=article]";
const ROW_MARKS = ["id", "data-id", "data-key", "data-testid"];
const FINGERPRINT_FIELDS = ["role", "name", "tagName", "type", "href", "field", "row"];

/**
 * An element that was not found by a scan.
 * @typedef {Pick<Found, "element"|"control"|"tag"|"role"|"isControl"|"isClickable">} KnownElement
 */

/** The refs of one document. */
export class Registry {
  constructor() {
    /** The prefix that distinguishes the refs of this frame. */
    this.prefix = "";
    this.id = `${Math.round(performance.timeOrigin)}-${Math.random().toString(36).slice(2, 10)}`;
    this.document = document;
    /** @type {WeakMap<Element, Entry>} */
    this.byElement = new WeakMap();
    /** @type {Map<string, Entry>} */
    this.byRef = new Map();
    /** Every ref ever given, since none may name another element later. @type {Set<string>} */
    this.taken = new Set();
    /** The number of uses of each stem. @type {Map<string, number>} */
    this.wanted = new Map();
    /** The refs that the last observation described. @type {string[]} */
    this.described = [];
  }

  /** Drop all refs; the names stay taken. */
  clear() {
    this.byElement = new WeakMap();
    this.byRef.clear();
  }

  /**
   * @param {KnownElement} found
   * @param {Fingerprint} print
   * @param {string} [stem] beginning of the ref
   */
  add(found, print, stem = slugOf(found, print)) {
    const entry = { ref: this.unused(stem), stem, element: null, print, identities: [], isAct: true };
    this.byRef.set(entry.ref, entry);
    this.attach(entry, found.element);
    return entry;
  }

  /**
   * @param {Entry} entry
   * @param {Element} element
   */
  attach(entry, element) {
    entry.element = new WeakRef(element);
    this.byElement.set(element, entry);
  }

  /**
   * Drop an entry that no client has observed, so that its ref can be given again.
   * @param {Entry} entry
   */
  drop(entry) {
    this.byRef.delete(entry.ref);
    this.byElement.delete(entry.element.deref());
    this.taken.delete(entry.ref);
    this.wanted.set(entry.stem, this.wanted.get(entry.stem) - 1);
  }

  /** @param {string} stem */
  unused(stem) {
    const joint = /\d$/.test(stem) ? "x" : "";
    let ref;
    do {
      increment(this.wanted, stem);
      const n = this.wanted.get(stem);
      ref = `@${this.prefix}${stem}${n === 1 ? "" : `${joint}${n}`}`;
    } while (this.taken.has(ref));
    this.taken.add(ref);
    return ref;
  }

  /** Drop the entries of missing elements, if there are many. */
  prune() {
    if (this.byRef.size <= MAX_ENTRIES) return;
    for (const [ref, entry] of this.byRef) if (!isAlive(entry)) this.byRef.delete(ref);
  }

  /**
   * Return the entries of missing nodes by their identities; null for an identity that two share.
   * @returns {Map<string, Entry|null>}
   */
  orphans() {
    const orphans = new Map();
    for (const entry of this.byRef.values()) {
      if (isAlive(entry)) continue;
      for (const identity of entry.identities) orphans.set(identity, orphans.has(identity) ? null : entry);
    }
    return orphans;
  }
}

/** @param {Entry} entry */
export function isAlive(entry) {
  const element = entry.element.deref();
  return element !== undefined && isConnected(element);
}

let registry = new Registry();

/**
 * Return the registry of the current document; an initial empty document may have left its world to the next.
 * @param {string} [prefix]
 */
export function registryHere(prefix) {
  if (registry.document !== document) registry = new Registry();
  registry.prefix = prefix ?? registry.prefix;
  return registry;
}

/**
 * @param {KnownElement} found
 * @param {string} name
 * @param {boolean} isUnique true if role and name are unique
 * @returns {Fingerprint}
 */
export function fingerprintOf(found, name, isUnique) {
  const { element, role, tag } = found;
  return {
    role: shownRole(role, tag),
    name,
    tagName: tag,
    type: attributeOf(element, "type") ?? undefined,
    href: attributeOf(element, "href") ?? undefined,
    field: attributeOf(element, "name") ?? undefined,
    row: isUnique ? undefined : rowOf(element)?.print,
  };
}

/**
 * Return the first text of the row of an element, and the attributes by which pages identify rows.
 * @param {Element} element
 */
function rowOf(element) {
  const row = closest(element, ROWS);
  if (row) return getOrCompute(memo.rows, row, describeRow);
  for (let node = parentOrHostOf(element); node && node !== bodyOf(document); node = parentOrHostOf(node)) {
    const known = isOneOfMany(node) && getOrCompute(memo.rows, node, describeRow);
    if (known && known.print) return known;
  }
  return undefined;
}

/**
 * Return true if an element stands beside one like it, as rows of generic elements do.
 * @param {Element} element
 */
function isOneOfMany(element) {
  const kind = (/** @type {Element} */ it) => `${tagOf(it)} ${attributeOf(it, "class")?.trim().split(SPACES)[0]}`;
  return [nextElementOf(element), previousElementOf(element)].some((other) => other && kind(other) === kind(element));
}

/** @param {Element} row */
function describeRow(row) {
  const [first] = shownTexts(row, "button, [role=button]"); // whose texts are mostly the same in all rows
  const marks = ROW_MARKS.map((mark) => attributeOf(row, mark));
  return { text: first, print: [first?.slice(0, MAX_TEXT), ...marks].filter(Boolean).join(" ") };
}

/**
 * Return the first text of the row of an element, to distinguish it from elements of the same name in other rows.
 * @param {Element} element
 * @param {string} name
 */
export function rowContext(element, name) {
  const text = rowOf(element)?.text;
  return text && text !== name ? shorten(text, MAX_CONTEXT) : undefined;
}

/**
 * Return true if two fingerprints differ.
 * @param {Fingerprint} before
 * @param {Fingerprint} after
 */
export function differs(before, after) {
  return FINGERPRINT_FIELDS.some((part) => before[part] !== after[part]);
}

/**
 * Return the fields of a fingerprint, shortened.
 * @param {Fingerprint} print
 */
export function shortFingerprint(print) {
  const short = FINGERPRINT_FIELDS.filter((part) => print[part] !== undefined).map((part) => [part, shorten(print[part], MAX_NAME)]);
  return Object.fromEntries(short);
}

/**
 * @param {Keys} keys
 * @param {Fingerprint} print
 */
export function identitiesOf(keys, print) {
  const same = JSON.stringify(FINGERPRINT_FIELDS.filter((part) => part !== "row").map((part) => print[part] ?? null));
  return ["testId", "id", "name"].filter((kind) => keys[kind]).map((kind) => `${kind} ${keys[kind]} ${same}`);
}

/**
 * Return a short readable name: the author's, else from the accessible name, else from the role.
 * @param {KnownElement} found
 * @param {Fingerprint} print
 */
export function slugOf(found, print) {
  const { element, role, tag } = found;
  const authored = ["id", "data-testid"].map((name) => attributeOf(element, name));
  if (!CHECKABLE.has(role)) authored.unshift(attributeOf(element, "name"));
  const [given] = authored.filter((name) => name && !GENERATED.test(name)).map(slug).filter(Boolean);
  const kind = found.isControl || found.isClickable ? tag : "scroll";
  return given || slugOfWords(print.name) || slug(print.role === "generic" ? kind : print.role);
}

/** @param {string} text */
function slug(text) {
  return text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]/g, "").slice(0, MAX_REF);
}

/** @param {string} text */
function slugOfWords(text) {
  let made = "";
  for (const word of text.split(" ").slice(0, 4).map(slug)) {
    if (made && made.length + word.length > MAX_REF) break;
    made += word;
  }
  return made;
}

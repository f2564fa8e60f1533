/** Refs: short names that stay with an element for its life, and the element's fingerprint at its last observation. */

import { addToList, increment, testIdCounts } from "../dom/memo.js";
import { attributeOf, closest, isConnected, shorten, SPACES } from "../dom/nodes.js";
import { CHECKABLE } from "../dom/states.js";
import { MAX_NAME, shownRole } from "./element_fields.js";
import { contextOf, isSameSection, routeHere, wordsBeside } from "./identity/context.js";
import { depthIn, isInRow, marksOf, rowsOf, textOfRow } from "./identity/rows.js";
import { PassedElements } from "./look/passed.js";

/** @import { RowKey } from "./identity/rows.js" */
/** @import { Found } from "./scan.js" */

/**
 * The fingerprint of an element; a ref is valid only while its element still has it.
 * @typedef {object} Fingerprint
 * @property {string} role
 * @property {string} name
 * @property {string} tagName
 * @property {string} [type]
 * @property {string} [href]
 * @property {string} [field] the name attribute
 * @property {string} [key] attributes by which the page identifies the element
 * @property {string} [form] address to which its form is sent
 * @property {string} [row] texts and marks that distinguish the row
 * @property {string} [section] headings above it, the nearest first
 * @property {string} [landmark] role and label of the landmark
 * @property {string} [route] of the page; none in a landmark that outlives routes
 * @property {string} [beside] first words beside an element without a row
 * @property {string} [rowText] first text of the row, unless it is that of a sibling
 * @property {{key: RowKey, depth: number}[]} rows keys of its rows, and the steps from the element up to each
 * @property {boolean} [isUnique] true if role and name were unique
 */

/**
 * @typedef {object} Entry
 * @property {string} ref
 * @property {string} stem beginning of the ref
 * @property {WeakRef<Element>} element
 * @property {Fingerprint} print
 * @property {Fingerprint} [before] fingerprint of the observation before
 * @property {boolean} isAmbiguous true if another element had the same fingerprint, or that was not checked
 * @property {boolean} isAct true if it is for clicking or typing, not only for scrolling or dragging
 * @property {{container: WeakRef<Element>, key: string}} [fold] the fold whose cursor has this ref
 */

const MAX_REF = 24;
let hasWordsInRefs = true;

/**
 * Make refs from words of the page, or from roles alone: a slug of a secret is a spelling that no mask knows.
 * @param {boolean} hasWords
 */
export function spellRefs(hasWords) {
  hasWordsInRefs = hasWords;
}

const MAX_ENTRIES = 10_000;
const MAX_CONTEXT = 60;
/** Ids and names of attributes that no author wrote: counters and random signs, such as "mantine-sg61h2ofe", "box-r1" or "input-v-7". */
const GENERATED =
  /\d{3}|:|[0-9a-f]{8}|^(react|ember|radix|mui|headlessui)|(^|[-_])(?=[a-z]*\d+[a-z])[a-z0-9]{7,}($|[-_])|[-_]r(_?[0-9a-z]|\d[0-9a-z]|[0-9a-z]\d)($|[-_])|(^|[-_])v-\d+($|[-_])/i;
const OWN_FIELDS = ["role", "name", "tagName", "type", "href", "field", "key", "form"];
const FINGERPRINT_FIELDS = [...OWN_FIELDS, "row", "section", "landmark", "route"];

/**
 * An element that was not found by a scan.
 * @typedef {Pick<Found, "element"|"control"|"tag"|"role"|"isControl"|"isClickable"|"isDraggable">} KnownElement
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
    /** Elements that the client knows only as the rest of its look. */
    this.passed = new PassedElements();
    /** Those of the observation before. */
    this.passedBefore = this.passed;
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
    const entry = { ref: this.unused(stem), stem, element: null, print, isAct: true, isAmbiguous: true };
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

  /**
   * Return the elements of some refs, without those that are missing.
   * @param {string[]} refs
   * @returns {Set<Element>}
   */
  elementsOf(refs) {
    return new Set(refs.flatMap((ref) => this.byRef.get(ref)?.element.deref() ?? []));
  }

  /** Drop the entries of missing elements, if there are many. */
  prune() {
    if (this.byRef.size <= MAX_ENTRIES) return;
    for (const [ref, entry] of this.byRef) if (!isAlive(entry)) this.byRef.delete(ref);
  }

  /**
   * Return the entries of missing nodes by role and name.
   * @returns {Map<string, Entry[]>}
   */
  orphans() {
    const orphans = new Map();
    for (const entry of this.byRef.values()) if (!isAlive(entry)) addToList(orphans, kindOfPrint(entry.print), entry);
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
 * @param {Fingerprint} [observed] the fingerprint to compare it with; where an observation found no row, there is none
 * @returns {Fingerprint}
 */
export function fingerprintOf(found, name, isUnique, observed) {
  const { element, role, tag } = found;
  const isKept = observed?.rows.every(({ key, depth }) => isInRow(element, key, depth)) ?? false;
  const rows = isKept ? [] : rowsOf(element, name, isUnique);
  const { landmark, section, isPersistent } = contextOf(element);
  return {
    role: shownRole(role, tag),
    name,
    tagName: tag,
    type: attributeOf(element, "type") ?? undefined,
    href: attributeOf(element, "href") ?? undefined,
    field: attributeOf(element, "name") ?? undefined,
    key: keyOf(element, tag) || undefined,
    form: formOf(element) || undefined,
    row: isKept ? observed?.row : rows.map(({ print }) => print).join(" < ") || undefined,
    section: section || undefined,
    landmark: landmark || undefined,
    route: isPersistent ? undefined : routeHere(),
    beside: rows.length || observed?.rows.length || isPersistent ? undefined : wordsBeside(element),
    rowText: rows.length ? textOfRow(element, role, rows[0]) : undefined,
    rows: rows.map((row) => ({ key: row.key, depth: depthIn(element, row) })),
    isUnique,
  };
}

const BUTTONS = new Set(["submit", "button", "radio", "checkbox", "image"]);

/**
 * Return the attributes by which the page identifies an element, and the value that its button sends.
 * @param {any} element
 * @param {string} tag
 */
function keyOf(element, tag) {
  const isSent = tag === "button" || (tag === "input" && BUTTONS.has(element.type));
  const value = isSent ? attributeOf(element, "value") : null;
  return value ? `${marksOf(element)} =${value}` : marksOf(element);
}

/** @param {Element} element */
function formOf(element) {
  const form = closest(element, "form");
  return attributeOf(element, "formaction") ?? (form && attributeOf(form, "action"));
}

/** @param {Fingerprint} print */
export function kindOfPrint({ role, name }) {
  return `${role} ${name}`;
}

/**
 * Return the first text of the row of an element, to distinguish it from elements of the same name in other rows. The
 * name of a row mostly has it.
 * @param {Fingerprint} print
 */
export function rowContext({ rowText, name, rows }) {
  const isSaid = rows[0]?.depth === 0 && name.replace(SPACES, "").includes((rowText ?? "").replace(SPACES, ""));
  return rowText && rowText !== name && !isSaid ? shorten(rowText, MAX_CONTEXT) : undefined;
}

/**
 * Return true if an element that stayed is another one now: its own fields, row or sections have changed; or words
 * beside it, together with the route.
 * @param {Fingerprint} before
 * @param {Fingerprint} after
 */
export function differs(before, after) {
  if (OWN_FIELDS.some((part) => before[part] !== after[part]) || before.row !== after.row) return true;
  if (!isSameSection(before.section ?? "", after.section ?? "")) return true;
  return before.route !== after.route && before.beside !== after.beside;
}

/**
 * Return true if a new element has the fingerprint of one that is gone.
 * @param {Fingerprint} before
 * @param {Fingerprint} after
 */
export function isReplacement(before, after) {
  return FINGERPRINT_FIELDS.every((part) => before[part] === after[part]);
}

/**
 * Return a text that only equal fingerprints share.
 * @param {Fingerprint} print
 */
export function identityOf(print) {
  return JSON.stringify(FINGERPRINT_FIELDS.map((part) => print[part] ?? null));
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
 * Return a short readable name: the author's, else from the accessible name, else from the role.
 * @param {KnownElement} found
 * @param {Fingerprint} print
 */
export function slugOf(found, print) {
  const { element, role, tag } = found;
  const kind = found.isControl || found.isClickable ? tag : "scroll";
  const plain = slug(print.role === "generic" ? kind : print.role);
  if (!hasWordsInRefs) return plain;
  const testId = attributeOf(element, "data-testid");
  const isShared = testId !== null && (testIdCounts?.get(testId) ?? 1) > 1; // all components of one kind may have it
  const authored = [attributeOf(element, "id"), isShared ? null : testId];
  if (!CHECKABLE.has(role)) authored.unshift(attributeOf(element, "name"));
  const [given] = authored.filter((name) => name && !GENERATED.test(name)).map(slug).filter(Boolean);
  return given || slugOfWords(print.name) || plain;
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

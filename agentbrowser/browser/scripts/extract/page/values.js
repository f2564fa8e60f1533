/** Values of an element: its text, its attributes with a value for readers. */

import { attributeOf, baseOf, collapseSpaces, textContentOf } from "../../dom/nodes.js";
import { emit, isChoice, isChosen, isRadio, readControl } from "./controls.js";
import { CONTROLS, HEADING, MAX_LABEL, MEDIA, NAMING_TAGS, PHRASING_TAGS, VALUE_ATTRIBUTE } from "./patterns.js";
import { textOfSpot } from "./walk.js";

/** @import { Markup } from "./structure.js" */
/** @import { Spot } from "./walk.js" */

const MAX_HINT = 80;
const MAX_STRUCK = 40;
const MAX_DATA = 200;

/**
 * A value with its source.
 * @typedef {object} Value
 * @property {Spot} spot
 * @property {string} kind text, or the attribute or state of its source
 * @property {string} text
 */

const VALUE_TAGS = new Set("a h1 h2 h3 h4 h5 h6 p li dd dt td th time address figcaption blockquote button caption legend cite".split(" "));
/** Tags of the help for a field, whose text is no value. */
const HELP_TAGS = new Set(["mat-hint", "mat-error"]);
const LAZY_ATTRIBUTES = ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-image"];
export const PREFIX = /^([^:：]{1,40}?)\s*[:：]\s*(\S[^]*)$/;
const ABSOLUTE = /^https?:\/\/\S+$/i;
/** Matches a path that needs a URL parser to resolve; faster than a match of all plain paths. */
const ODD_PATH = /^[^\w~/]|[^\w~!$&()*+,;=@./-]|\/[/.]/;
/** A plain path, possibly with a query. */
const PATH = /^(?!.*\/[/.])[\w~/][\w~!$&()*+,;=@./-]*(\?[\w~!$&()*+,;=@./:?-]*)?$/;

/**
 * @param {Spot} spot
 * @returns {Value[]}
 */
export function valuesOf(spot) {
  const values = [];
  readValues(spot, (kind, text) => values.push({ spot, kind, text }));
  return values;
}

/**
 * Read the values of an element.
 * @param {Spot} spot
 * @param {(kind: string, text: string) => void} take receives each value that is not empty
 */
export function readValues(spot, take) {
  if (!spot.make.isOpen && CONTROLS.has(spot.tag)) readControl(spot, take);
  else if ((spot.form.isTelling ??= hasValueText(spot)) && (!isChoice(spot) || isChosen(spot))) emit(take, "text", textOfSpot(spot));
  const readers = readersOf(spot.make);
  for (let at = 0; at < readers.length; at++) {
    const { name, kind, read } = readers[at];
    emit(take, kind, read(attributeOf(spot.element, name), spot.element));
  }
  if (spot.style.isIcon && !spot.isMeta && !CONTROLS.has(spot.tag)) emit(take, "class", iconClasses(spot));
}

/**
 * Return true if the text of an element is one value, and not several that happen to be inside it.
 * @param {Spot} spot
 */
function hasValueText(spot) {
  if (spot.style.isHelp || HELP_TAGS.has(spot.tag)) return false;
  if (spot.hasText) return true;
  if (spot.kids.length > 1 && spot.kids.some((kid) => isChoice(kid) || kid.style.isHelp)) return false;
  if (spot.tag === "li" || spot.tag === "td" || spot.tag === "dd") return isPhrase(spot, 3);
  if (VALUE_TAGS.has(spot.tag)) return spot.kids.length > 0 && isPhrase(spot, 4);
  return spot.kids.length > 1 && isPhrase(spot, 2);
}

/**
 * Return true if an element contains phrasing elements only.
 * @param {Spot} spot
 * @param {number} depth
 * @returns {boolean}
 */
function isPhrase(spot, depth) {
  return depth >= 0 && spot.kids.every((kid) => PHRASING_TAGS.has(kid.tag) && isPhrase(kid, depth - 1));
}

/**
 * A reader of an attribute that is a value.
 * @typedef {object} AttributeReader
 * @property {string} name
 * @property {string} kind of the value
 * @property {(text: string|null, element: Element) => string} read
 */

/** @param {Markup} make */
function readersOf(make) {
  return (make.readers ??= newReaders(make));
}

/**
 * @param {Markup} make
 * @returns {AttributeReader[]}
 */
function newReaders({ tag, names }) {
  const readers = tag === "img" ? [{ name: "src", kind: "src", read: imageOf }] : [];
  const isMachine = names.includes("itemprop") || names.includes("property");
  const isNamed = tag === "button" || CONTROLS.has(tag);
  for (const name of names) {
    const add = (kind, read) => readers.push({ name, kind, read });
    if (name === "href" && (tag === "a" || tag === "link")) add("href", addressOf);
    else if (name === "src" && MEDIA.has(tag)) add("href", addressOf);
    else if (name === "datetime" || (name === "content" && isMachine) || (name === "value" && tag === "data")) add(name, (text) => text.trim());
    else if (name === "alt" || name === "title") add(name, isNamed ? withDigits : collapseSpaces);
    else if (name === "aria-label") add("aria", isNamed ? withDigits : collapseSpaces);
    else if (name === "aria-checked" || name === "aria-pressed") add("checked", (text) => text.toLowerCase());
    else if (tag === "button" && name === "disabled") add("disabled", (_, element) => collapseSpaces(textContentOf(element)));
    else if (name === "aria-disabled" && (tag === "button" || tag === "a")) add("disabled", (text, element) => (text === "true" ? collapseSpaces(textContentOf(element)) : ""));
    else if (name === "aria-valuenow") add("value", (text) => text);
    else if (VALUE_ATTRIBUTE.test(name)) add(name, (text) => (text.length < MAX_DATA ? collapseSpaces(text) : ""));
  }
  return readers;
}

/**
 * Return the name of a button or a field if it has a number, as "4.9 stars" has: other names say what it is for.
 * @param {string} text
 */
function withDigits(text) {
  return /\d/.test(text) ? collapseSpaces(text) : "";
}

/**
 * Return the address of an image, not of its placeholder while it is not loaded.
 * @param {string|null} written
 * @param {Element} element
 */
function imageOf(written, element) {
  const src = written?.trim();
  if (src && !src.startsWith("data:")) return addressOf(src);
  const named = (name) => attributeOf(element, name)?.trim() ?? "";
  const late = LAZY_ATTRIBUTES.map(named).find(Boolean) || (named("srcset") || named("data-srcset")).split(/[\s,]+(?=\S)/)[0];
  return late ? addressOf(late) : "";
}

/**
 * Return the class names of an element without text and of the icons in it.
 * @param {Spot} spot
 */
function iconClasses(spot) {
  if (textOfSpot(spot) || spot.kids.some((kid) => kid.hasText || kid.kids.length > 0)) return "";
  return [spot.style.text, ...spot.kids.map((kid) => kid.style.text)].join("|").slice(0, 300);
}

/**
 * Return an address as written, resolved where it is relative; "" for one that leads nowhere.
 * @param {string} value
 */
export function addressOf(value) {
  if (value && !ODD_PATH.test(value)) return resolved(value);
  const written = value.trim();
  if (PATH.test(written)) return resolved(written);
  if (!written || ABSOLUTE.test(written)) return written;
  if (/^javascript:/i.test(written)) return "";
  return URL.parse(written, addresses.base)?.href ?? written;
}

/** @param {string} path */
function resolved(path) {
  return (path[0] === "/" ? addresses.origin : addresses.folder) + path;
}

/** The base of relative addresses, with its origin and folder. */
const addresses = { base: "", origin: "", folder: "" };

/** Update the base of relative addresses. */
export function locateAddresses() {
  const base = baseOf(document);
  if (base === addresses.base) return;
  const [origin, folder] = ["/", "."].map((path) => URL.parse(path, base)?.href ?? "");
  Object.assign(addresses, { base, origin: origin.slice(0, -1), folder });
}

/**
 * Return the names that the markup gives a value, the most reliable first.
 * @param {Spot} spot
 * @param {string} kind
 * @returns {string[]} each with a letter for its source, as `Markup` in `extraction/columns/page_names.py` explains
 */
export function hintsFor(spot, kind) {
  const hints = [];
  const add = (letter, text) => {
    if (text && hints.length < 12) hints.push(letter + text.slice(0, MAX_HINT));
  };
  const read = (name, from = spot) => (from.make.names.includes(name) ? attributeOf(from.element, name) : null);
  // The names of a radio button are mostly those of its group, whose value is the chosen one.
  if (kind === "checked" && isRadio(spot)) return hints;
  if (kind.startsWith("data-")) add("d", kind.slice(5));
  add("p", read("itemprop"));
  add("p", read("property"));
  add("r", read("rel"));
  add("n", read("name"));
  add("i", read("id"));
  for (const name of spot.classes.slice(0, 4)) add("c", name);
  add("c", read("data-testid"));
  if (kind !== "aria") add("a", shortText(read("aria-label")));
  if (kind === "text" || kind === "part") add("a", shortText(read("title")));
  if (MEDIA.has(spot.tag)) add("c", spot.tag);
  for (let above = spot.parent, steps = 0; above && steps < 2 && above.kids.length === 1; above = above.parent, steps++) {
    add("p", read("itemprop", above));
    add("e", shortText(read("title", above) ?? read("aria-label", above)));
    for (const name of above.classes.slice(0, 3)) add("u", name);
  }
  return hints;
}

/**
 * Return the tags of the element, of ancestors that hold nothing else, and of the link or button that is all it holds.
 * @param {Spot} spot
 */
export function tagHints(spot) {
  const hints = isStruck(spot) ? ["ts", `t${spot.tag}`] : [`t${spot.tag}`];
  const [kid] = spot.kids;
  if (spot.kids.length === 1 && !spot.hasText && (kid.tag === "a" || kid.tag === "button")) hints.push(`t${kid.tag}`);
  for (let above = spot.parent, steps = 0, only = true; above && steps < 3; above = above.parent, steps++) {
    only &&= above.kids.length === 1;
    if (only) hints.push(...(isStruck(above) ? ["ts"] : []), `t${above.tag}`);
    else if (HEADING.test(above.tag) || NAMING_TAGS.has(above.tag)) return [...hints, `t${above.tag}`];
  }
  return hints;
}

/** @param {string|null} text */
function shortText(text) {
  return text && text.length <= MAX_LABEL ? text : null;
}

/**
 * Return true if a line is drawn through a text with digits, as through former prices.
 * @param {Spot} spot
 */
export function isStruck(spot) {
  const text = textOfSpot(spot);
  return text.length < MAX_STRUCK && /\d/.test(text) && getComputedStyle(spot.element).textDecorationLine.includes("line-through");
}

/**
 * Names for elements that have no accessible one: from visible text, a label-like neighbour, or the name of an icon. A
 * model needs a name for everything that it can use.
 */

import {
  attributeOf, closest, collapseSpaces, dataOf, ELEMENT, firstElementOf, hasAttribute, isEdited, kindOf, matches, MAX_TEXT,
  nextElementOf, parentOrHostOf, previousElementOf, queryAll, shadowOf, shorten, tagOf, TEXT, textContentOf,
} from "../../dom/nodes.js";
import { shownTexts } from "../../dom/secret_fields.js";
import { CHECKABLE } from "../../dom/states.js";

const INTERACTIVE = "a[href], button, input, select, textarea, [role=button], [role=link], [contenteditable], [onclick]";
const LEVELS = 3;
const NEIGHBOURS = 4;
const LONGEST_LABEL = 80;
const FIELDS = new Set("checkbox combobox listbox radio searchbox slider spinbutton switch textbox".split(" "));
/** Elements that bound the search for a label. */
const BOUNDS = new Set("article aside body dialog fieldset footer form header main nav section table tbody ul ol".split(" "));
const ICON_CLASS = /^(?:fa|fas|far|fab|bi|ti|ri|la|mdi|icon|icons|glyphicon|ion|lucide|feather|codicon|octicon|ui-icon)[-_](.+)$/;
const ICON_SUFFIX = /^(.+?)[-_]icon$/;
const STYLE_PARTS = /^(?:fw|lg|sm|xs|\d+x|spin|solid|regular|light|brands|inverse|stack|pull-\w+)$/;
const LIGATURES = /(^|[\s_-])(material-icons|material-symbols)/;

/**
 * Return the name to derive for an element; "" for none.
 * @param {any} element
 * @param {string|null} role
 */
export function derivedName(element, role) {
  const isField = isEdited(element) || hasFieldRole(role) || tagOf(element) === "canvas" || matches(element, "input[type=file]");
  const readers = isField
    ? [placeholderOf, neighbourLabel, legendOf, titleOf, iconOf]
    : [ownText, titleOf, iconOf, imageText, neighbourLabel, legendOf];
  for (const read of readers) {
    const name = collapseSpaces(read(element, role) ?? "");
    if (name) return shorten(name, MAX_TEXT);
  }
  return "";
}

/** @param {string|null} role */
function hasFieldRole(role) {
  return role !== null && FIELDS.has(role);
}

/** @param {any} element */
function ownText(element) {
  return isIconFont(element) ? "" : beginning(element);
}

/**
 * Return the first visible words of an element, which may be large.
 * @param {any} element
 */
export function beginning(element) {
  let words = "";
  for (const root of [element, shadowOf(element)]) {
    if (!root) continue;
    for (const text of shownTexts(root)) {
      words = words ? `${words} ${text}` : text;
      if (words.length > MAX_TEXT) break;
    }
  }
  return shorten(words, MAX_TEXT);
}

/**
 * Return the placeholder of an editor, which has no standard attribute for it.
 * @param {any} element
 */
function placeholderOf(element) {
  const names = ["placeholder", "aria-placeholder", "data-placeholder", "data-text"];
  const own = names.map((name) => attributeOf(element, name)).find(Boolean);
  if (own || !isEdited(element)) return own;
  const inner = queryAll(element, "[data-placeholder]")[0];
  return inner && attributeOf(inner, "data-placeholder");
}

/** @param {any} element */
function titleOf(element) {
  return attributeOf(element, "title") || attributeOf(element, "aria-description") || attributeOf(element, "alt") || attributeOf(element, "data-tooltip");
}

/**
 * Return the text of the images in an element, or their file names.
 * @param {any} element
 */
function imageText(element) {
  const image = matches(element, "img, input[type=image]") ? element : queryAll(element, "img")[0];
  if (!image) return "";
  const file = /([^/]+?)(?:\.\w+)?(?:[?#].*)?$/.exec(attributeOf(image, "src") ?? "")?.[1] ?? "";
  const isReadable = !(attributeOf(image, "src") ?? "").startsWith("data:") && /[a-z]{3}/i.test(file) && !/[0-9a-f]{12}/i.test(file);
  return attributeOf(image, "alt") || attributeOf(image, "title") || (isReadable ? worded(file) : "");
}

/**
 * Return the name of the icon that an element shows.
 * @param {any} element
 */
function iconOf(element) {
  const parts = [element, ...queryAll(element, "svg, use, title, i, span, [data-icon]")].slice(0, 12);
  for (const part of parts) {
    const name = iconName(part);
    if (name) return worded(name);
  }
  return "";
}

/** @param {any} part */
function iconName(part) {
  const tag = tagOf(part);
  if (tag === "title") return closest(part, "svg") ? textContentOf(part) : "";
  if (tag === "use") return (attributeOf(part, "href") ?? attributeOf(part, "xlink:href") ?? "").split("#").pop()?.replace(/^icon[-_]/, "");
  const declared = attributeOf(part, "data-icon") ?? attributeOf(part, "data-lucide") ?? attributeOf(part, "data-feather");
  if (declared && /^[\w-]+$/.test(declared)) return declared;
  if (isIconFont(part)) return textContentOf(part);
  const classes = (attributeOf(part, "class") ?? "").split(/\s+/);
  const named = classes.map((name) => ICON_CLASS.exec(name)?.[1] ?? ICON_SUFFIX.exec(name)?.[1]);
  return named.find((name) => name && !STYLE_PARTS.test(name)) ?? "";
}

/** @param {any} element */
function isIconFont(element) {
  return LIGATURES.test(attributeOf(element, "class") ?? "");
}

/** @param {string} name */
function worded(name) {
  return name.replace(/[-_]+/g, " ").trim();
}

/**
 * Return the text that stands for a label beside an element.
 * @param {any} element
 * @param {string|null} role
 */
function neighbourLabel(element, role) {
  const isTicked = role !== null && CHECKABLE.has(role);
  const header = isTicked ? "" : columnHeader(element);
  if (header) return header;
  const directions = isTicked ? [after, before] : [before, after];
  for (const [index, steps] of directions.entries()) {
    const text = labelAlong(element, steps, index === 0 ? LEVELS : 1);
    if (text) return text;
  }
  return isTicked ? columnHeader(element) : "";
}

/** @param {any} node */
function before(node) {
  return node.previousSibling;
}

/** @param {any} node */
function after(node) {
  return node.nextSibling;
}

/**
 * Return the first text beside an element or its ancestors in one direction, up to the next control.
 * @param {any} element
 * @param {(node: any) => any} step
 * @param {number} levels
 */
function labelAlong(element, step, levels) {
  let node = element;
  for (let level = 0; level < levels; level++) {
    let count = 0;
    for (let next = step(node); next && count < NEIGHBOURS; next = step(next)) {
      if (kindOf(next) === ELEMENT) {
        count++;
        if (matches(next, INTERACTIVE) || queryAll(next, INTERACTIVE).length) return "";
      }
      const text = labelIn(next);
      if (text) return text.length <= LONGEST_LABEL ? text.replace(/\s*[:*]+$/, "") : "";
    }
    const holder = parentOrHostOf(node);
    if (!holder || BOUNDS.has(tagOf(holder)) || matches(holder, INTERACTIVE)) return "";
    node = holder;
  }
  return "";
}

/** @param {any} node */
function labelIn(node) {
  if (kindOf(node) === TEXT) return collapseSpaces(dataOf(node));
  return kindOf(node) === ELEMENT ? beginning(node) : "";
}

/**
 * Return the header of the column of an element.
 * @param {any} element
 */
function columnHeader(element) {
  const cell = closest(element, "td, [role=gridcell], [role=cell]");
  const row = cell && closest(cell, "tr, [role=row]");
  const table = row && closest(row, "table, [role=grid], [role=table], [role=treegrid]");
  if (!table) return "";
  const own = [...queryAll(cell, INTERACTIVE)].filter((other) => other !== element && !element.contains(other));
  if (own.length) return ""; // the text beside it distinguishes it better
  let index = 0;
  for (let other = previousElementOf(cell); other; other = previousElementOf(other)) index += other.colSpan ?? 1;
  const [top] = queryAll(table, "thead tr, tr, [role=row]");
  if (!top || top === row) return "";
  for (let header = firstElementOf(top); header; header = nextElementOf(header)) {
    if (index <= 0) return matches(header, "th, [role=columnheader]") ? beginning(header) : "";
    index -= header.colSpan ?? 1;
  }
  return "";
}

/** @param {any} element */
function legendOf(element) {
  const set = closest(element, "fieldset, [role=group], [role=radiogroup]");
  if (!set) return "";
  const legend = tagOf(set) === "fieldset" ? queryAll(set, "legend")[0] : null;
  return legend ? beginning(legend) : hasAttribute(set, "aria-label") ? attributeOf(set, "aria-label") : "";
}

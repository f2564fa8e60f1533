/** Tooltips: words that show beside an element when the pointer is on it, and placeholders that show in an editor. */

import { pseudoElementText } from "../../dom/generated_text.js";
import {
  attributeOf, collapseSpaces, firstElementOf, hasAttribute, isEdited, namesIn, parentOrHostOf, queryAll, queryRoot,
  referenced, rootOf, textContentOf,
} from "../../dom/nodes.js";
import { isSecret } from "../../dom/secret_fields.js";

/** Attributes of tooltip libraries, and of style sheets that show them by `attr()`. */
const TOOLTIP = /^data-(?:[\w-]+-)?(?:tip|tooltip|title|label|hint|balloon|caption|description)(?:-(?:content|text|title))?$/;
const PLACEHOLDER = /^(?:data-|aria-)?(?:[\w-]+-)?placeholder$/;
const TOOLTIP_PARTS = "[role=tooltip], [class~=tooltip], [class~=tooltiptext], [class~=tooltip-text]";
const PLACEHOLDER_PARTS = "[data-slate-placeholder], [class*=placeholder i]";
const LONGEST = 100;
const LEVELS = 3;

/**
 * Return the tooltip of an element; "" for none.
 * @param {any} element
 */
export function tooltipOf(element) {
  const declared = attributeOf(element, "title") || attributeOf(element, "aria-description") || attributeNamed(element, TOOLTIP);
  return declared || describedBy(element) || shownBeside(element);
}

/**
 * Return the first readable attribute whose name matches.
 * @param {any} element
 * @param {RegExp} pattern
 */
function attributeNamed(element, pattern) {
  for (const name of namesIn(element)) {
    if (!pattern.test(name)) continue;
    const text = collapseSpaces(attributeOf(element, name) ?? "");
    if (isReadable(text) && !isKey(text)) return text;
  }
  return "";
}

/**
 * Return true for a random key, by which a script finds the tooltip of the element.
 * @param {string} text
 */
function isKey(text) {
  return /^[\w-]{16,}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** @param {string} text */
function isReadable(text) {
  return text.length > 1 && text.length <= LONGEST && /^[^<{[#]*\p{L}/u.test(text) && text !== "true" && text !== "false";
}

/**
 * Return the description of an element; "" for one that others have, too: how to drag each of them.
 * @param {any} element
 */
function describedBy(element) {
  const ids = attributeOf(element, "aria-describedby");
  if (!ids || queryRoot(rootOf(element), `[aria-describedby="${CSS.escape(ids)}"]`).length > 1) return "";
  const text = collapseSpaces(referenced(element, "aria-describedby").map(textContentOf).join(" "));
  return isReadable(text) ? text : "";
}

/**
 * Return the text of the tooltip that is in an element, or that its style sheet draws.
 * @param {any} element
 */
function shownBeside(element) {
  const part = queryAll(element, TOOLTIP_PARTS)[0];
  const text = collapseSpaces(part ? textContentOf(part) : "");
  if (isReadable(text)) return text;
  const drawn = [pseudoElementText(element, "::after", true), pseudoElementText(element, "::before", true)].map(collapseSpaces);
  return drawn.find(isReadable) ?? "";
}

/** Placeholders that were seen: most disappear when something is typed. @type {WeakMap<Element, string>} */
const seen = new WeakMap();

/**
 * Return the placeholder of a field that has no standard attribute for it: of its attributes, its style sheet, or of an
 * element that the page draws in it.
 * @param {any} element
 */
export function placeholderOf(element) {
  const own = attributeOf(element, "placeholder") || attributeNamed(element, PLACEHOLDER) || attributeOf(element, "data-text");
  if (own || !isEdited(element)) return own;
  if (isSecret(element)) return "";
  const shown = collapseSpaces(innerPlaceholder(element) || drawnPlaceholder(element) || placeholderBeside(element));
  if (shown) seen.set(element, shown);
  return seen.get(element) ?? "";
}

/** @param {any} editor */
function innerPlaceholder(editor) {
  const holder = queryAll(editor, "[data-placeholder]")[0];
  if (holder) return attributeOf(holder, "data-placeholder");
  const part = queryAll(editor, PLACEHOLDER_PARTS)[0];
  return part && attributeOf(part, "contenteditable") === "false" ? textContentOf(part) : "";
}

/**
 * Return the text that a style sheet draws in an empty editor, or in its first paragraph.
 * @param {any} editor
 */
function drawnPlaceholder(editor) {
  if (textContentOf(editor).trim()) return "";
  for (let node = editor; node; node = firstElementOf(node)) {
    const text = pseudoElementText(node, "::before") || pseudoElementText(node, "::after");
    if (/\p{L}/u.test(text)) return text;
  }
  return "";
}

/**
 * Return the text of the placeholder that lies over an empty editor.
 * @param {any} editor
 */
function placeholderBeside(editor) {
  if (textContentOf(editor).trim()) return "";
  let holder = parentOrHostOf(editor);
  for (let level = 0; holder && level < LEVELS; level++, holder = parentOrHostOf(holder)) {
    const parts = [...queryAll(holder, PLACEHOLDER_PARTS)].filter((part) => !hasAttribute(part, "placeholder"));
    if (parts.length) return parts.length === 1 ? textContentOf(parts[0]) : "";
  }
  return "";
}

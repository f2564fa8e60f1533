/** Fields of an element as the wire shows them: role, name, bounds. */

import { labelText, NAMELESS, nameOf } from "../dom/names.js";
import { isEdited, MAX_TEXT, shorten } from "../dom/nodes.js";
import { shownTexts } from "../dom/secret_fields.js";

/** @import { Found } from "./scan.js" */

export const MAX_NAME = 200;

/**
 * Return the name to show: the accessible one, or the text of a clickable element that can have none.
 * @param {Pick<Found, "element"|"control"|"role"|"isControl"|"isClickable">} found
 */
export function nameFor(found) {
  const { element, control, role } = found;
  if (element !== control) return labelText(element);
  const name = nameOf(element);
  const isNameless = role === null || NAMELESS.has(role);
  if (name || !isNameless || !(found.isControl || found.isClickable) || isEdited(element)) return name;
  return beginning(element);
}

/**
 * Return the first visible words of an element, which may be large.
 * @param {Element} element
 */
export function beginning(element) {
  let words = "";
  for (const text of shownTexts(element)) {
    words = words ? `${words} ${text}` : text;
    if (words.length > MAX_TEXT) break;
  }
  return shorten(words, MAX_TEXT);
}

/** @param {DOMRect} box */
export function boundsOf(box) {
  const tenth = (length) => Math.round(length * 10) / 10;
  return { x: tenth(box.x), y: tenth(box.y), width: tenth(box.width), height: tenth(box.height) };
}

/**
 * Return the role as the wire shows it.
 * @param {string|null} role
 * @param {string} tag
 */
export function shownRole(role, tag) {
  return role ?? (tag === "summary" ? "button" : "generic");
}

/** Generated content beside texts: the star of a required field, the currency of a price. */

import { dataOf, ELEMENT, kindOf, nextOf, previousOf, TEXT } from "../../dom/nodes.js";
import { pseudoElementText } from "../../dom/generated_text.js";
import { blend, colorOf, hasContrast } from "./colors.js";
import { groundOf } from "./grounds.js";

/** @import { FlatElement, FlatText } from "./flat_tree.js" */

const MAX_CHARS = 40;
const MIN_OPACITY = 0.05;
const MIN_FONT = 1;
/** A greater shift in pixels may move words out of sight. */
const MAX_SHIFT = 100;
/** Characters of icon fonts. */
const ICONS = /[\ue000-\uf8ff]/g;

/**
 * Return a text with the words that style sheets put before and behind it in its element.
 * @param {FlatText} text
 */
export function withGenerated({ text, data, parent }) {
  const before = isAtEdge(text, previousOf) ? generated(parent, "::before") : "";
  const after = isAtEdge(text, nextOf) ? generated(parent, "::after") : "";
  return before || after ? `${before}${data}${after}`.replace(/ {2,}/g, " ") : data;
}

/**
 * Return true if only white space is between a text and the edge of its element.
 * @param {Node} text
 * @param {(node: Node) => Node|null} step
 */
function isAtEdge(text, step) {
  for (let node = step(text); node; node = step(node)) {
    if (kindOf(node) === ELEMENT || (kindOf(node) === TEXT && dataOf(node).trim())) return false;
  }
  return true;
}

/**
 * Return the words of a pseudo-element, if a person can surely read them: its box can't be measured.
 * @param {FlatElement} parent
 * @param {"::before"|"::after"} pseudo
 */
function generated(parent, pseudo) {
  const words = pseudoElementText(parent.element, pseudo).replace(ICONS, "");
  if (!words.trim() || words.length > MAX_CHARS) return "";
  /** @type {any} */
  const style = getComputedStyle(parent.element, pseudo);
  const { opacity, color } = groundOf(parent);
  if (!isInPlace(style) || style.opacity * opacity < MIN_OPACITY || parseFloat(style.fontSize) < MIN_FONT) return "";
  return hasContrast(colorOf(style.webkitTextFillColor), blend(colorOf(style.backgroundColor), color)) ? words : "";
}

/** @param {any} style that of a pseudo-element */
function isInPlace({ position, float, transform, clipPath, filter, overflowX, textIndent, marginLeft, marginTop }) {
  const isNear = [textIndent, marginLeft, marginTop].every((length) => Math.abs(parseFloat(length)) < MAX_SHIFT);
  const isWhole = transform === "none" && clipPath === "none" && filter === "none" && overflowX === "visible";
  return position === "static" && float === "none" && isNear && isWhole;
}

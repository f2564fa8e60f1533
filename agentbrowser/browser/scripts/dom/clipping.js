/** Elements of which nothing shows: clipped by their own style, or by an ancestor without any size. */

import { flatTreeParentOf, hitAt, isWithinElement, middleOf } from "./hit_test.js";
import { boxOf } from "./visibility.js";

/** The size of elements that are hidden from view, but not from screen readers. */
const MAX_SIDE = 1;
const MOVED = new Set(["absolute", "fixed"]);

/**
 * Return true if an element's own style clips it to nothing.
 * @param {CSSStyleDeclaration} style
 * @param {DOMRect} box
 */
export function isClippedToNothing({ clip, clipPath, position }, { width, height }) {
  if (clip !== "auto" && MOVED.has(position)) {
    const [top, right, bottom, left] = clip.slice("rect(".length).split(/,? /).map(parseFloat);
    if (right - left <= 0 || bottom - top <= 0) return true;
  }
  if (clipPath === "none") return false;
  if (/^circle\(0(?:px|%)?[ )]/.test(clipPath)) return true;
  const inset = /^inset\(([^)]*?)(?: round.*)?\)/.exec(clipPath);
  if (!inset) return false;
  const [top, right = top, bottom = top, left = right] = inset[1].split(" ");
  return lengthOf(top, height) + lengthOf(bottom, height) >= height || lengthOf(left, width) + lengthOf(right, width) >= width;
}

/**
 * @param {string} length in pixels or percent
 * @param {number} side
 */
function lengthOf(length, side) {
  return length.endsWith("%") ? (parseFloat(length) * side) / 100 : parseFloat(length);
}

/**
 * Return true if an element clips all of its content: it hides what overflows, and has no size.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 */
export function clipsContent(element, style) {
  if (style.overflowX === "visible") return false; // then the other one is, too, or clips just down
  const { width, height } = boxOf(element);
  return width <= MAX_SIDE || (height <= MAX_SIDE && style.overflowY !== "visible");
}

/**
 * Return true if an ancestor that clips its content to nothing clips this element, too. One that is positioned may escape
 * it, and then the pointer can hit it.
 * @param {Element} element
 * @param {number} levels number of ancestors to check
 */
export function isClippedByAncestor(element, levels = Infinity) {
  let node = element;
  for (let level = 0; node && level <= levels; level++, node = flatTreeParentOf(node)) {
    const style = getComputedStyle(node);
    if (node !== element && clipsContent(node, style)) return true;
    if (MOVED.has(style.position)) return !isWithinElement(hitAt(...middleOf(boxOf(element))), element);
  }
  return false;
}

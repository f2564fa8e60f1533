/** Elements of which nothing shows: clipped by their own style, or by an ancestor without any size. */

import { flatTreeParentOf, hitAt, isWithinElement, middleOf } from "./hit_test.js";
import { bodyOf, topOf } from "./nodes.js";
import { boxOf, isShown, isTransparent } from "./visibility.js";

/** The size of elements that are hidden from view, but not from screen readers. */
const MAX_SIDE = 1;
const MOVED = new Set(["absolute", "fixed"]);

/**
 * Return true if an element's own style clips it to nothing.
 * @param {CSSStyleDeclaration} style
 * @param {() => DOMRect} measureBox
 * @param {number} [least] the side in pixels of the smallest part that counts
 */
export function isClippedToNothing(style, measureBox, least = 0) {
  const { clipPath, position } = style;
  if (MOVED.has(position) && style.clip !== "auto") {
    const [top, right, bottom, left] = style.clip.slice("rect(".length).split(/,? /).map(parseFloat);
    if (right - left <= least || bottom - top <= least) return true;
  }
  return clipPath !== "none" && isEmptyShape(clipPath, measureBox(), least);
}

/**
 * @param {string} shape
 * @param {DOMRect} box
 * @param {number} least
 */
function isEmptyShape(shape, { width, height }, least) {
  if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(shape)) return true;
  const [, name, sides] = /^(inset|polygon)\((?:(?:nonzero|evenodd), )?(.*?)(?: round.*)?\)/.exec(shape) ?? [];
  if (name === "polygon") {
    const corners = sides.split(", ").map((/** @type {string} */ corner) => corner.split(" "));
    const [across, down] = [corners.map(([x]) => lengthOf(x, width)), corners.map(([, y]) => lengthOf(y, height))];
    return Math.max(...across) - Math.min(...across) <= least || Math.max(...down) - Math.min(...down) <= least;
  }
  if (name !== "inset") return false;
  const [top, right = top, bottom = top, left = right] = sides.split(" ");
  return height - lengthOf(top, height) - lengthOf(bottom, height) <= least || width - lengthOf(left, width) - lengthOf(right, width) <= least;
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
  if (style.overflowX === "visible" || isOfViewport(element)) return false; // then the other one is, too, or clips just down
  const { width, height } = boxOf(element);
  return width <= MAX_SIDE || (height <= MAX_SIDE && style.overflowY !== "visible");
}

/**
 * Return true if what an element clips is the viewport's: all content of an application may be positioned out of a body
 * that has no height.
 * @param {Element} element
 */
function isOfViewport(element) {
  const top = topOf(document);
  return element === top || (element === bodyOf(document) && top !== null && getComputedStyle(top).overflowX === "visible");
}

/**
 * Return true if an ancestor that clips its content to nothing clips this element, too. One that is positioned may escape
 * it, and then the pointer can hit it. Without such an ancestor no hit counts: an element below a popup is not clipped.
 * @param {Element} element
 * @param {number} levels number of ancestors to check
 */
export function isClippedByAncestor(element, levels = Infinity) {
  let mayEscape = false;
  let node = element;
  for (let level = 0; node && level <= levels; level++, node = flatTreeParentOf(node)) {
    const style = getComputedStyle(node);
    if (node !== element && clipsContent(node, style)) {
      return !mayEscape || !isWithinElement(hitAt(...middleOf(boxOf(element))), element);
    }
    mayEscape ||= MOVED.has(style.position);
  }
  return false;
}

/** The largest height of a field that only takes the keys of an editor: that of a line. */
export const MAX_FIELD_HEIGHT = 40;
const MAX_FIELD_WIDTH = 4;

/**
 * Return true if a field takes the keys of an editor, which draws their text elsewhere: it shows nothing of them, and its
 * value is at most a part of that text.
 * @param {any} field a textarea
 */
export function isForEditor(field) {
  if (field.spellcheck || field.readOnly || field.tabIndex < 0 || !isShown(field)) return false;
  const { width, height } = boxOf(field);
  const { color, opacity } = getComputedStyle(field);
  const isDrawn = opacity !== "0" && !isTransparent(color) && Math.min(width, height) > MAX_FIELD_WIDTH;
  return height <= MAX_FIELD_HEIGHT && (!isDrawn || isClippedByAncestor(field));
}

/** Hit testing: the element at a point of the viewport, through slots and shadow roots. */

import {
  firstOf, hitInDocument, hitInShadow, isElement, kindOf, measure, nextOf, parentOrHostOf, rectanglesOf, rootOf, shadowOf,
  slotOf, TEXT,
} from "./nodes.js";

/**
 * Return the parent in the flat tree: through slots and shadow roots.
 * @param {Element} element
 * @returns {Element|null}
 */
export function flatTreeParentOf(element) {
  return slotOf(element) ?? parentOrHostOf(element);
}

/**
 * Return true if an element is another one, or inside it in the flat tree.
 * @param {Element|null} inner
 * @param {Element} outer
 */
export function isWithinElement(inner, outer) {
  for (let node = inner; node; node = flatTreeParentOf(node)) if (node === outer) return true;
  return false;
}

/**
 * Return the innermost element that a point of the viewport hits.
 * @param {number} x
 * @param {number} y
 * @returns {Element|null}
 */
export function hitAt(x, y) {
  let hit = hitInDocument(document, x, y);
  for (let shadow = hit && shadowOf(hit); shadow; ) {
    const deeper = hitInShadow(shadow, x, y);
    if (!deeper || deeper === hit || rootOf(deeper) !== shadow) break;
    hit = deeper;
    shadow = shadowOf(hit);
  }
  return hit;
}

/** The share of a host that the control in it takes, if their presses are the same. */
const MIN_TAKEN = 0.9;

/**
 * Return the host that gets the presses on an element of its shadow tree, which lets them through and fills it; null for none.
 * @param {Element} element
 * @returns {Element|null}
 */
export function pressedHostOf(element) {
  const { host } = rootOf(element);
  if (!host || getComputedStyle(element).pointerEvents !== "none") return null;
  const [outer, inner] = [measure(host), measure(element)];
  return inner.width * inner.height >= outer.width * outer.height * MIN_TAKEN ? host : null;
}

/** @param {{left: number, top: number, right: number, bottom: number}} part */
export function middleOf({ left, top, right, bottom }) {
  return /** @type {[number, number]} */ ([(left + right) / 2, (top + bottom) / 2]);
}

const INSET = 0.15;
const SHARES = [0.5, INSET, 1 - INSET];

/**
 * Return points all over a part of the viewport, the middle first.
 * @param {{left: number, top: number, right: number, bottom: number}} part
 */
export function pointsOf({ left, top, right, bottom }) {
  const across = SHARES.map((share) => left + (right - left) * share);
  const down = SHARES.map((share) => top + (bottom - top) * share);
  return across.flatMap((x) => down.map((y) => /** @type {[number, number]} */ ([x, y])));
}

/**
 * Return the topmost of several modal dialogs: all others are inert, so that only this one can be hit.
 * @param {Element[]} modals
 * @returns {Element|null}
 */
export function topmost(modals) {
  if (modals.length < 2) return modals[0] ?? null;
  for (let node = hitAt(innerWidth / 2, innerHeight / 2); node; node = flatTreeParentOf(node)) if (modals.includes(node)) return node;
  return modals.at(-1) ?? null;
}

/** @param {Element} element */
export function isInline(element) {
  return getComputedStyle(element).display === "inline";
}

/**
 * Yield the boxes of what an inline element holds, in document order: its own box may be that of several controls.
 * @param {Node} node
 * @returns {Generator<DOMRect>}
 */
export function* innerBoxesOf(node) {
  if (kindOf(node) === TEXT) {
    const range = new Range();
    range.selectNodeContents(node);
    yield* range.getClientRects();
  } else if (isElement(node)) {
    const first = isInline(node) ? firstOf(node) : null;
    if (!first) yield* rectanglesOf(node);
    for (let child = first; child; child = nextOf(child)) yield* innerBoxesOf(child);
  }
}

/**
 * Return true if the whole element is in the viewport.
 * @param {Element} element
 */
export function isInView(element) {
  const box = measure(element);
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}

/**
 * Return true if a part of the element is in the viewport.
 * @param {Element} element
 */
export function isPartlyInView(element) {
  const box = measure(element);
  return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
}

/**
 * Return true if an element is hit at a point, given from its middle.
 * @param {Element} element
 * @param {{x: number, y: number}} offset
 */
export function isAt(element, { x, y }) {
  const [middleX, middleY] = middleOf(measure(element));
  return isWithinElement(hitAt(middleX + x, middleY + y), element);
}

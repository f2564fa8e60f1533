/** Cover of an element: another element at the click point, or a modal over the whole page. */

import { flatTreeParentOf, hitAt, isWithinElement, middleOf, pointsOf } from "../dom/hit_test.js";
import { attributeOf, closest, hitInDocument, matches, measure, rectanglesOf, tagOf } from "../dom/nodes.js";
import { isAriaHidden } from "../dom/visibility.js";
import { newFound } from "./interactive.js";

/** @import { Found } from "./scan.js" */

/**
 * Return true if a hit element is inside a found one, or in its label.
 * @param {Element|null} hit
 * @param {Found} found
 */
function belongsTo(hit, { element, control }) {
  if (isWithinElement(hit, element) || isWithinElement(hit, control)) return true;
  const label = hit && closest(hit, "label");
  return label !== null && label.control === control;
}

/** Elements that a line break can't split. */
const IN_ONE_PIECE = new Set(["button", "input", "select", "textarea", "area"]);

/**
 * Return the visible part of a found element; of its first box where it has several.
 * @param {Found} found
 * @returns {{left: number, top: number, right: number, bottom: number}|null}
 */
function visiblePart(found) {
  const { element, box, tag, isPlain } = found;
  if (isOffscreen(found)) return null;
  const pieces = isPlain && !IN_ONE_PIECE.has(tag) ? [...rectanglesOf(element)] : [box];
  for (const piece of pieces) {
    const part = {
      left: Math.max(piece.left, 0), right: Math.min(piece.right, innerWidth),
      top: Math.max(piece.top, 0), bottom: Math.min(piece.bottom, innerHeight),
    };
    if (part.right > part.left && part.bottom > part.top) return part;
  }
  return null;
}

/**
 * Return true if a found element is wholly outside the viewport.
 * @param {Found} found
 */
function isOffscreen({ box }) {
  return box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight;
}

/**
 * Return true if a click on a found element would hit another one; false outside the viewport, where that is unknown.
 * @param {Found} found
 */
export function isCovered(found) {
  const { left, top, right, bottom } = found.box;
  const [x, y] = [Math.max(left, 0) + Math.min(right, innerWidth), Math.max(top, 0) + Math.min(bottom, innerHeight)];
  if (hitInDocument(document, x / 2, y / 2) === found.element) return false; // the usual case
  const part = visiblePart(found);
  if (part === null) return false;
  return found.tag === "area" ? pointIn(found) === null : !belongsTo(hitAt(...middleOf(part)), found);
}

/**
 * Return a point of the viewport that hits a found element; null where there is none. The area of an image can have any
 * shape.
 * @param {Found} found
 * @returns {[number, number]|null}
 */
function pointIn(found) {
  const part = visiblePart(found);
  return part && (pointsOf(part).find(([x, y]) => belongsTo(hitAt(x, y), found)) ?? null);
}

/**
 * Return the layer of an element: an ancestor that is fixed, or covers the viewport.
 * @param {Element|null} element
 * @returns {Element|null}
 */
function layerOf(element) {
  for (let node = element; node; node = flatTreeParentOf(node)) {
    if (attributeOf(node, "aria-modal") === "true") return node;
    const { position } = getComputedStyle(node);
    if (position === "fixed" || (position === "absolute" && fillsViewport(node))) return node;
  }
  return null;
}

/** @param {Element} element */
function fillsViewport(element) {
  const { left, top, right, bottom } = measure(element);
  return left <= 1 && top <= 1 && right >= innerWidth - 1 && bottom >= innerHeight - 1;
}

/**
 * Return the layers that cover all of the viewport, as modals do without the browser's knowledge; null where a part is
 * free. A page without such layers costs one hit test.
 * @returns {Set<Element>|null}
 */
export function layersOverAll() {
  const layers = new Set();
  const rest = [];
  for (const [x, y] of pointsOf({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })) {
    const hit = hitAt(x, y);
    const layer = layerOf(hit);
    if (layer) layers.add(layer);
    else rest.push(hit);
  }
  if (rest.length === 0 || layers.size === 0) return layers.size > 0 ? layers : null;
  const shade = [...layers].find(fillsViewport);
  for (const hit of rest) {
    const box = shade && boxOver(shade, hit);
    if (!box) return null;
    layers.add(box);
  }
  return layers;
}

/**
 * Return the outermost absolutely positioned box around an element that doesn't hold the shade below it, as a dialog
 * that is placed in the page, or the list of a field in a dialog; null for none.
 * @param {Element} shade
 * @param {Element|null} element
 * @returns {Element|null}
 */
function boxOver(shade, element) {
  let box = null;
  for (let node = element; node && !isWithinElement(shade, node); node = flatTreeParentOf(node)) {
    if (getComputedStyle(node).position === "absolute") box = node;
  }
  return box;
}

/**
 * Return the elements that no modal covers.
 * @param {Found[]} found
 * @param {Set<Element>} layers
 * @returns {Found[]}
 */
export function uncovered(found, layers) {
  return found.filter((one) => !isBehind(one, layers));
}

/**
 * Return true if an element is in one of the layers at the front, or in a layer or box of its own that is above them,
 * as a message or the list of a field is. A fixed sidebar is behind a dialog: the page has hidden it from assistive
 * technology, or a shade lies on it.
 * @param {Element} element
 * @param {Element[]} front
 */
export function isInFront(element, front) {
  if (front.some((layer) => isWithinElement(element, layer))) return true;
  if (matches(front[0], ":modal")) return false;
  const layer = layerOf(element);
  // A layer of the whole viewport would be one of those.
  if (layer !== null) return !fillsViewport(layer) && !isAriaHidden(layer) && !isUnder(layer, front);
  const box = boxOver(front[0], element);
  return box !== null && isWithinElement(hitAt(...middleOf(measure(box))), box);
}

/**
 * Return true if a click in the middle of a layer would hit one of the layers at the front; false for one that lets clicks
 * pass, since that says nothing.
 * @param {Element} layer
 * @param {Element[]} front
 */
function isUnder(layer, front) {
  const hit = hitAt(...middleOf(measure(layer)));
  return front.some((one) => isWithinElement(hit, one)) && getComputedStyle(layer).pointerEvents !== "none";
}

/**
 * Return true if a modal covers an element, which need not be interactive.
 * @param {Element} element
 */
export function isBehindModal(element) {
  const layers = layersOverAll();
  return layers !== null && isBehind(newFound(element, tagOf(element), null, {}), layers);
}

/**
 * Return true if a layer covers a found element at all its points. Outside the viewport, elements of the scrolled page
 * are behind the layer.
 * @param {Found} found
 * @param {Set<Element>} layers
 */
function isBehind(found, layers) {
  const part = visiblePart(found);
  const around = (/** @type {Element|null} */ element) =>
    layerOf(element) ?? [...layers].find((layer) => isWithinElement(element, layer)) ?? null;
  if (!part) return isOffscreen(found) && around(found.element) === null && [...layers].some(fillsViewport);
  return pointsOf(part).every(([x, y]) => {
    const hit = hitAt(x, y);
    if (belongsTo(hit, found)) return false;
    const layer = around(hit);
    return layer !== null && !isWithinElement(found.element, layer);
  });
}

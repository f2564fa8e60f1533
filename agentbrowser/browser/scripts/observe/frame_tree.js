/** Child frames: visibility, and geometry of their content. */

import { flatTreeParentOf, isWithinElement, topmost } from "../dom/hit_test.js";
import { clearMemo } from "../dom/memo.js";
import { hasAttribute, parentOrHostOf, isConnected, queryAll, tagOf, topOf } from "../dom/nodes.js";
import { boxOf, isShown } from "../dom/visibility.js";
import { isBehindModal } from "./cover.js";
import { isOutOfReach } from "./reach.js";

/**
 * The elements of child frames, by the frame's id on the browser side.
 * @type {Map<string, WeakRef<Element>>}
 */
const owners = new Map();

/**
 * The geometry of a frame's content: a point of it times the scale, plus the offset, is a point of this frame.
 * @typedef {object} FrameGeometry
 * @property {number} x
 * @property {number} y
 * @property {number} scaleX
 * @property {number} scaleY
 * @property {boolean} isUpright true if the frame is neither rotated nor skewed
 * @property {number} width of the content, in its own pixels
 * @property {number} height
 */

/**
 * Register the element of a child frame, and return its geometry.
 * @param {string} name
 * @param {Element} element
 */
export function registerFrame(name, element) {
  owners.set(name, new WeakRef(element));
  return frameGeometries([name]);
}

/**
 * @param {string[]} names
 */
export function frameGeometries(names) {
  clearMemo();
  return geometriesOf(names);
}

/**
 * Return the geometry of each frame; null for one that can't be seen, nothing for one that is not registered.
 * @param {string[]} names
 * @returns {Object<string, FrameGeometry|null>}
 */
export function geometriesOf(names) {
  const known = names.flatMap((name) => {
    const owner = owners.get(name)?.deref();
    return owner ? [{ name, owner }] : [];
  });
  const top = topOf(document); // missing between `document.open()` and the first write
  const modal = known.length && top ? topmost([...queryAll(top, "dialog:modal")]) : null;
  return Object.fromEntries(known.map(({ name, owner }) => [name, isOpen(owner, modal) ? geometryOf(owner) : null]));
}

/**
 * Return true if the frame can be seen and used.
 * @param {Element} owner
 * @param {Element|null} modal
 */
function isOpen(owner, modal) {
  const box = boxOf(owner);
  if (!isConnected(owner) || !isShown(owner) || box.width <= 0 || box.height <= 0) return false;
  if (isOutOfReach({ element: owner, box, tag: tagOf(owner) })) return false;
  if (modal && !isWithinElement(owner, modal)) return false;
  for (let node = owner; node; node = flatTreeParentOf(node)) if (hasAttribute(node, "inert")) return false;
  return !isBehindModal(owner);
}

/**
 * @param {any} owner
 * @returns {FrameGeometry}
 */
export function geometryOf(owner) {
  const box = boxOf(owner);
  const style = getComputedStyle(owner);
  const pixels = (length) => Number.parseFloat(length) || 0;
  const [scaleX, scaleY] = [box.width / owner.offsetWidth || 1, box.height / owner.offsetHeight || 1];
  const [left, top] = [owner.clientLeft + pixels(style.paddingLeft), owner.clientTop + pixels(style.paddingTop)];
  return {
    x: box.x + left * scaleX,
    y: box.y + top * scaleY,
    scaleX,
    scaleY,
    isUpright: isUpright(owner),
    width: owner.clientWidth - pixels(style.paddingLeft) - pixels(style.paddingRight),
    height: owner.clientHeight - pixels(style.paddingTop) - pixels(style.paddingBottom),
  };
}

/** @param {Element} element */
function isUpright(element) {
  for (let node = element; node; node = parentOrHostOf(node)) {
    const { transform, rotate } = getComputedStyle(node);
    if (rotate !== "none") return false;
    if (transform === "none") continue;
    const matrix = new DOMMatrixReadOnly(transform);
    if (!matrix.is2D || matrix.b !== 0 || matrix.c !== 0 || matrix.a <= 0 || matrix.d <= 0) return false;
  }
  return true;
}

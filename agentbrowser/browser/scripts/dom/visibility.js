/** Visibility of elements: painted, hidden from assistive technology, inert; and areas, which show where their image does. */

import { memo, getOrCompute } from "./memo.js";
import {
  attributeOf, checkVisibility, closest, dataOf, ELEMENT, firstOf, hasAttribute, parentOf, parentOrHostOf, kindOf, measure, nextOf,
  queryAll, shadowOf, tagOf, TEXT, textSlotOf, topOf,
} from "./nodes.js";

/**
 * Return true if the content of a `details` element is closed.
 * @param {Element} element
 */
export function isFolded(element) {
  return tagOf(element) === "details" && !hasAttribute(element, "open");
}

/**
 * Without a prototype: the engine asks for more properties at each call, and a search up the prototype chain is slow.
 */
const PAINTED = { __proto__: null, visibilityProperty: true };

/**
 * Return true if the element is painted: it has a box and is not `visibility: hidden`.
 * @param {Element} element
 * @returns {boolean}
 */
export function isShown(element) {
  return getOrCompute(memo.shown, element, (it) => checkVisibility(it, PAINTED));
}

/**
 * @param {Element} element
 * @returns {DOMRect}
 */
export function boxOf(element) {
  return getOrCompute(memo.boxes, element, measure);
}

/**
 * Return true if the element or an ancestor has `aria-hidden`.
 * @param {Element} element
 * @returns {boolean}
 */
export function isAriaHidden(element) {
  return getOrCompute(memo.muted, element, computeAriaHidden);
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function computeAriaHidden(element) {
  // No recursion: documents may be deeper than the stack.
  const path = [];
  let isMuted = false;
  for (let node = element; node; node = parentOrHostOf(node)) {
    isMuted = memo.muted.get(node) ?? hasAriaHidden(node);
    if (isMuted || memo.muted.has(node)) break;
    path.push(node);
  }
  for (const node of path) memo.muted.set(node, isMuted);
  return isMuted;
}

/** @param {Element} element */
export function hasAriaHidden(element) {
  return attributeOf(element, "aria-hidden")?.toLowerCase() === "true";
}

export const UNRENDERED_TAGS = new Set(["style", "script", "noscript", "template"]);

/**
 * Return true if the element is hidden from assistive technology.
 * @param {Element} element
 * @returns {boolean}
 */
export function isHidden(element) {
  return isUnrendered(element) || isAriaHidden(element);
}

/**
 * Return true if nothing of the element is painted.
 * @param {Element} element
 */
export function isUnrendered(element) {
  const tag = tagOf(element);
  return UNRENDERED_TAGS.has(tag) || !isRendered(element, tag);
}

/**
 * @param {Element} element
 * @param {string} tag
 */
export function isRendered(element, tag) {
  return isShown(element) || (tag === "option" && isOffered(element)) || isContentsShown(element);
}

/**
 * Return true if a list that opens would show an option, which has no box until then. A style of its own is not asked for:
 * that took 4 % of a look.
 * @param {Element} option
 */
function isOffered(option) {
  const list = closest(option, "select");
  return list !== null && isShown(list) && closest(option, "[hidden]") === closest(list, "[hidden]");
}

/**
 * Return true if nothing of a text is painted although its parent is: it is in a folded part, or no slot takes it.
 * @param {any} text
 */
export function isTextUnrendered(text) {
  const parent = parentOf(text);
  return kindOf(parent) === ELEMENT && (isFolded(parent) || (shadowOf(parent) !== null && !textSlotOf(text)));
}

/**
 * Return true if an element without a box of its own shows its content.
 * @param {Element} element
 */
export function isContentsShown(element) {
  if (getComputedStyle(element).display !== "contents") return false;
  if (tagOf(element) === "slot") return true;
  if (!isAroundShown(element)) return false;
  for (let child = firstOf(element); child; child = nextOf(child)) {
    // An `aria-hidden` around the element leaves its content painted.
    if (kindOf(child) === ELEMENT && !isUnrendered(child) && !hasAriaHidden(child)) return true;
    if (kindOf(child) === TEXT && dataOf(child).trim() && !isTextUnrendered(child)) return true;
  }
  return false;
}

/**
 * Return true if the element is painted and larger than nothing; an area of an image is, where its image is.
 * @param {any} element
 * @returns {boolean}
 */
export function isVisible(element) {
  if (tagOf(element) === "area") {
    const image = imageOf(element);
    return image !== null && isVisible(image);
  }
  const { width, height } = measure(element);
  return width > 0 && height > 0 && checkVisibility(element, PAINTED);
}

/**
 * Return true if an element shows anything: itself or, without a box of its own, its content.
 * @param {any} element
 */
export function showsAnything(element) {
  const open = [element];
  for (const node of open) {
    if (isVisible(node)) return true;
    if (getComputedStyle(node).display !== "contents") continue;
    for (let child = firstOf(node); child; child = nextOf(child)) {
      if (kindOf(child) === ELEMENT) open.push(child);
      if (kindOf(child) === TEXT && isTextShown(child)) return true;
    }
  }
  return false;
}

/**
 * Return true if what is around an element without a box of its own shows its content.
 * @param {Element} element
 */
function isAroundShown(element) {
  let around = parentOrHostOf(element);
  while (around && getComputedStyle(around).display === "contents") around = parentOrHostOf(around);
  return !around || (checkVisibility(around) && !isFolded(around) && getComputedStyle(element).visibility === "visible");
}

/** @param {any} text */
function isTextShown(text) {
  const range = new Range(); // `document.createRange` may be an element of that name
  range.selectNode(text);
  const { width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(text.parentNode).visibility === "visible";
}

/** @param {string} color a computed value */
export function isTransparent(color) {
  return /^rgba\(.*, 0\)$/.test(color);
}

/** @param {any} element */
export function isInert(element) {
  for (let node = element; node; node = parentOrHostOf(node)) if (hasAttribute(node, "inert")) return true;
  return false;
}

/**
 * Return the image that shows an area; null without one.
 * @param {any} area
 * @returns {any}
 */
export function imageOf(area) {
  const name = closest(area, "map")?.name;
  const images = name ? [...queryAll(topOf(document), "img[usemap]")] : [];
  return images.find(({ useMap }) => useMap === `#${name}`) ?? null;
}

/**
 * Return the box around an area of an image, in the viewport. In Chromium, coordinates begin at the image's border, and
 * are scaled by zooms and transformations only.
 * @param {any} area
 * @param {any} image
 * @returns {DOMRect}
 */
export function areaBox({ shape, coords }, image) {
  const box = measure(image);
  /** @type {number[]} */
  const numbers = coords.split(/[\s,;]+/).map(Number);
  if (/^def/i.test(shape)) return box;
  const [scaleX, scaleY] = [box.width / image.offsetWidth, box.height / image.offsetHeight];
  const [west, north, east, south] = /^circ/i.test(shape) ? aroundCircle(numbers) : aroundPoints(numbers);
  const [x, y] = [box.left + west * scaleX, box.top + north * scaleY];
  return new DOMRect(x, y, (east - west) * scaleX, (south - north) * scaleY);
}

/** @param {number[]} coordinates */
function aroundCircle([x, y, radius]) {
  return [x - radius, y - radius, x + radius, y + radius];
}

/** @param {number[]} coordinates */
function aroundPoints(coordinates) {
  const across = coordinates.filter((_, i) => i % 2 === 0);
  const down = coordinates.filter((_, i) => i % 2 === 1);
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

/**
 * Return true for a field that a page leaves to the keyboard, as it draws what is chosen, typed or set itself: only the field
 * has the role and the label.
 * @param {any} element
 * @param {string} tag
 * @param {string|null} role
 */
export function isForKeys(element, tag, role) {
  if (element.tabIndex < 0) return false;
  if (role === "combobox" && hasAttribute(element, "aria-expanded")) return true;
  if (tag !== "input") return false;
  return element.type === "range" || hasAttribute(element, "aria-haspopup") || attributeOf(element, "autocomplete") === "one-time-code";
}

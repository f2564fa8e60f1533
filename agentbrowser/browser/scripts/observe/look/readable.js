/**
 * Readable texts: those that a person can see, now or by scrolling. What a person can't see, a page can't say to a
 * model: words of no size, no opacity, no contrast, outside of the page or clipped away.
 */

import { flatTreeParentOf } from "../../dom/hit_test.js";
import { getOrCompute, memo } from "../../dom/memo.js";
import {
  bodyOf, checkVisibility, clientWidthOf, isEdited, scrollerOf, scrollHeightOf, scrollWidthOf, tagOf, topOf,
} from "../../dom/nodes.js";
import { isSecret, textSecurityIn } from "../../dom/secret_fields.js";
import { boxOf, isFolded } from "../../dom/visibility.js";
import { isColorless } from "./colors.js";
import { styleOf } from "./styles.js";

const PAINTED = { __proto__: null, visibilityProperty: true, opacityProperty: true };
const MIN_OPACITY = 0.05;
const MIN_FONT = 1;
/** The least width and height in pixels of a box that shows a letter. */
const MIN_SIZE = 1.5;
/** Elements whose content is not shown as text: a control shows its value, an image none. */
const OPAQUE_TAGS = new Set(
  "audio canvas datalist desc embed iframe input meter metadata object option optgroup progress select textarea title video".split(" "),
);
const EMPTY_INSET = /^inset\(([\d.]+)%(?: ([\d.]+)%)?/;
const EMPTY_SHAPE = /^(circle|ellipse)\(0(px|%)?[ )]/;

/**
 * The part of the viewport's plane, in pixels of the viewport, where content is shown, or can be scrolled to.
 * @typedef {{left: number, top: number, right: number, bottom: number}} Clip
 */

/** @type {Clip} */
const NOWHERE = { left: 0, top: 0, right: 0, bottom: 0 };
const EVERYWHERE = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/**
 * Return true if a person can read the texts that are directly in an element.
 * @param {Element} element
 * @param {Node} [node] one of these texts, for a slot, which has no box
 * @returns {boolean}
 */
export function isReadable(element, node) {
  const isKnown = getOrCompute(memo.readableTexts, element, computeReadable);
  return isKnown && (!node || styleOf(element).display !== "contents" || isWithin(boxOfText(node), getOrCompute(memo.clips, element, computeClip)));
}

/** @param {any} element */
function computeReadable(element) {
  if (OPAQUE_TAGS.has(tagOf(element)) || isFolded(element)) return false;
  const style = styleOf(element);
  const isBoxless = style.display === "contents";
  if (!isBoxless && !checkVisibility(element, PAINTED)) return false;
  if (isBoxless && style.visibility !== "visible") return false;
  if (parseFloat(style.fontSize) < MIN_FONT || textSecurityIn(style) !== "none") return false;
  if (getOrCompute(memo.opacities, element, computeOpacity) < MIN_OPACITY) return false;
  if (isEdited(element) && isInSecretEditor(element)) return false;
  return (isBoxless || isPlaced(element, style)) && !isColorless(element);
}

/** @param {Element} element */
function isInSecretEditor(element) {
  for (let node = element; node && isEdited(node); node = flatTreeParentOf(node)) if (isSecret(node)) return true;
  return false;
}

/**
 * Return the product of the opacities of an element and its ancestors.
 * @param {Element} element
 */
function computeOpacity(element) {
  const style = styleOf(element);
  const own = style.filter.includes("opacity(0)") ? 0 : Number(style.opacity);
  const holder = flatTreeParentOf(element);
  return holder && own > 0 ? own * getOrCompute(memo.opacities, holder, computeOpacity) : own;
}

/**
 * Return true if the texts of an element are where they can be seen.
 * @param {Element} element
 * @param {any} style
 */
function isPlaced(element, style) {
  const clip = getOrCompute(memo.clips, element, computeClip);
  if (clip === NOWHERE) return false;
  const box = boxOf(element);
  if (isWithin(box, clip) && Math.abs(parseFloat(style.textIndent)) < 100) return true;
  return isWithin(boxOfText(element), clip);
}

/**
 * Return true if part of a box shows.
 * @param {Clip} box
 * @param {Clip} clip
 */
function isWithin(box, clip) {
  const width = Math.min(box.right, clip.right) - Math.max(box.left, clip.left);
  const height = Math.min(box.bottom, clip.bottom) - Math.max(box.top, clip.top);
  return width >= MIN_SIZE && height >= MIN_SIZE;
}

/** @param {Node} node */
function boxOfText(node) {
  const range = new Range();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

/**
 * Return the area that shows the content of an element.
 * @param {Element} element
 * @returns {Clip}
 */
function computeClip(element) {
  const style = styleOf(element);
  const outer = outerClip(element, style);
  if (outer === NOWHERE || isClippedAway(style)) return NOWHERE;
  const top = topOf(document);
  // The overflow of the body is that of the viewport, unless the root element has one.
  const isRoot = element === top || (element === bodyOf(document) && styleOf(top).overflowY === "visible");
  if (isRoot || (style.overflowX === "visible" && style.overflowY === "visible")) return outer;
  const box = boxOf(element);
  if (style.display === "inline" || style.display === "contents") return outer;
  if (!isWithin(box, outer)) return NOWHERE;
  const isScroller = [style.overflowX, style.overflowY].some((overflow) => overflow === "auto" || overflow === "scroll");
  return isScroller ? scrollArea(element, box, style) : intersection(box, outer);
}

/**
 * Return the area that shows an element: that of its containing block.
 * @param {Element} element
 * @param {any} style
 */
function outerClip(element, style) {
  if (style.position === "fixed") return fixedClip();
  let holder = flatTreeParentOf(element);
  if (style.position === "absolute") {
    while (holder && styleOf(holder).position === "static" && styleOf(holder).transform === "none") holder = flatTreeParentOf(holder);
  }
  return holder ? getOrCompute(memo.clips, holder, computeClip) : pageArea();
}

/** Fixed elements never scroll. */
function fixedClip() {
  return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
}

/** Return the area of the whole document. */
function pageArea() {
  const top = scrollerOf(document) ?? topOf(document);
  if (!top) return EVERYWHERE;
  const width = scrollWidthOf(top);
  const left = styleOf(top).direction === "rtl" ? clientWidthOf(top) - width - scrollX : -scrollX;
  return { left, top: -scrollY, right: left + width, bottom: scrollHeightOf(top) - scrollY };
}

/**
 * Return the whole content of a scroller, to which a person can scroll.
 * @param {any} element
 * @param {DOMRect} box
 * @param {any} style
 */
function scrollArea(element, box, style) {
  const width = scrollWidthOf(element);
  const left = box.left - element.scrollLeft - (style.direction === "rtl" ? width - clientWidthOf(element) : 0);
  const top = box.top - element.scrollTop;
  return { left, top, right: left + Math.max(width, box.width), bottom: top + Math.max(scrollHeightOf(element), box.height) };
}

/**
 * @param {Clip} one
 * @param {Clip} other
 */
function intersection(one, other) {
  return {
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  };
}

/**
 * Return true if a shape clips all of an element away.
 * @param {any} style
 */
function isClippedAway({ clip, clipPath, position }) {
  if (clip !== "auto" && (position === "absolute" || position === "fixed")) {
    const [top, right, bottom, left] = clip.match(/-?[\d.]+/g)?.map(Number) ?? [];
    if (right - left < MIN_SIZE || bottom - top < MIN_SIZE) return true;
  }
  if (clipPath === "none") return false;
  const inset = EMPTY_INSET.exec(clipPath);
  if (inset) return Number(inset[1]) >= 50 || Number(inset[2] ?? inset[1]) >= 50;
  return EMPTY_SHAPE.test(clipPath);
}

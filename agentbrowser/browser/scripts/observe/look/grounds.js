/** Grounds of elements: the area that shows their content, its opacity and the color behind it, from the ancestors down. */

import { isClippedToNothing } from "../../dom/clipping.js";
import { bodyOf, clientWidthOf, scrollerOf, scrollHeightOf, scrollWidthOf, topOf } from "../../dom/nodes.js";
import { boxOf } from "../../dom/visibility.js";
import { blend, colorOf } from "./colors.js";
import { displayOf } from "./flat_tree.js";

/** @import { Color } from "./colors.js" */
/** @import { FlatElement } from "./flat_tree.js" */

/** The least width and height in pixels of a box that shows a letter. */
const MIN_SIZE = 1.5;
/** The most blur that leaves letters legible, as a part of the font's size. */
const MAX_BLUR = 0.5;
const TRANSPARENT = "rgba(0, 0, 0, 0)";
/** @type {Color} */
const WHITE = [255, 255, 255, 1];

/**
 * The part of the viewport's plane, in pixels of the viewport, where content is shown, or can be scrolled to.
 * @typedef {{left: number, top: number, right: number, bottom: number}} Clip
 */

/** @type {Clip} */
const NOWHERE = { left: 0, top: 0, right: 0, bottom: 0 };
export const EVERYWHERE = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/**
 * @typedef {object} Ground
 * @property {Clip} clip
 * @property {number} opacity the product of those of an element and its ancestors
 * @property {Color} color behind the content, as far as no image covers it
 */

/**
 * @param {FlatElement} node
 * @param {any} [style] its computed style, if that is at hand
 * @returns {Ground}
 */
export function groundOf(node, style) {
  return (node.ground ??= computeGround(node, style));
}

/**
 * @param {FlatElement} node
 * @param {any} [style]
 * @returns {Ground}
 */
function computeGround(node, style = getComputedStyle(node.element)) {
  const outer = node.parent ? groundOf(node.parent) : { clip: pageArea(), opacity: 1, color: WHITE };
  if (displayOf(node) === "contents") return outer;
  const { backgroundColor } = style;
  const clip = clipOf(node, style, outer);
  const opacity = isPaintedAway(style) ? 0 : outer.opacity * style.opacity;
  const color = backgroundColor === TRANSPARENT ? outer.color : over(colorOf(backgroundColor), outer.color);
  return clip === outer.clip && opacity === outer.opacity && color === outer.color ? outer : { clip, opacity, color };
}

/**
 * Return true if a filter, a mask or a turn away from the viewer leaves nothing to read of an element.
 * @param {any} style of which each property that is read costs time
 */
function isPaintedAway(style) {
  const { filter, maskImage } = style;
  if (filter !== "none") {
    if (filter.includes("opacity(0)")) return true;
    const blur = /blur\(([\d.]+)px\)/.exec(filter);
    if (blur && Number(blur[1]) > parseFloat(style.fontSize) * MAX_BLUR) return true;
  }
  if (maskImage && maskImage !== "none" && isTransparentGradient(maskImage)) return true;
  if (style.backfaceVisibility !== "hidden" || style.transform === "none") return false;
  return new DOMMatrix(style.transform).m33 < 0;
}

/** @param {string} image a computed value, in which all colors are `rgb` or `rgba` */
function isTransparentGradient(image) {
  if (image.includes("url(") || !image.includes("gradient(")) return false;
  const colors = image.match(/rgba?\([^)]*\)/g);
  return colors !== null && colors.every((color) => color.startsWith("rgba") && color.endsWith(", 0)"));
}

/**
 * Return a color over another one; the same object for the same color, so that contrasts are computed once.
 * @param {Color} color
 * @param {Color} under
 */
function over(color, under) {
  return color[3] === 1 ? color : blend(color, under);
}

/**
 * Return the area that shows the content of an element.
 * @param {FlatElement} node
 * @param {any} style
 * @param {Ground} ground that of its parent
 * @returns {Clip}
 */
function clipOf(node, style, ground) {
  const { element } = node;
  const { position } = style;
  const outer = position === "static" || position === "relative" ? ground.clip : outerClip(node, position);
  if (outer === NOWHERE || isClippedToNothing(style, () => boxOf(element), MIN_SIZE)) return NOWHERE;
  const { overflowX } = style;
  if (overflowX === "visible" && style.overflowY === "visible") return outer;
  const top = topOf(document);
  // The overflow of the body is that of the viewport, unless the root element has one.
  if (element === top || (element === bodyOf(document) && getComputedStyle(top).overflowY === "visible")) return outer;
  if (node.display === "inline") return outer;
  const box = boxOf(element);
  if (!isWithin(box, outer)) return NOWHERE;
  const isScroller = [overflowX, style.overflowY].some((overflow) => overflow === "auto" || overflow === "scroll");
  return isScroller ? scrollArea(element, box, style) : intersection(box, outer);
}

/**
 * Return the area that shows an element out of the flow: that of its containing block.
 * @param {FlatElement} node
 * @param {string} position
 */
function outerClip(node, position) {
  if (position === "fixed") return { left: 0, top: 0, right: innerWidth, bottom: innerHeight }; // it never scrolls
  let holder = node.parent;
  if (position === "absolute") while (holder && !isPositioned(holder)) holder = holder.parent;
  return holder ? groundOf(holder).clip : pageArea();
}

/** @param {FlatElement} node */
function isPositioned({ element }) {
  const style = getComputedStyle(element);
  return style.position !== "static" || style.transform !== "none";
}

/** Return the area of the whole document. */
export function pageArea() {
  const top = scrollerOf(document) ?? topOf(document);
  if (!top) return EVERYWHERE;
  const width = scrollWidthOf(top);
  const left = getComputedStyle(top).direction === "rtl" ? clientWidthOf(top) - width - scrollX : -scrollX;
  return { left, top: -scrollY, right: left + width, bottom: scrollHeightOf(top) - scrollY };
}

/**
 * Return the whole content of a scroller, to which a person can scroll.
 * @param {any} element
 * @param {DOMRect} box
 * @param {any} style
 */
export function scrollArea(element, box, style) {
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
 * Return true if part of a box shows.
 * @param {Clip} box
 * @param {Clip} clip
 */
export function isWithin(box, clip) {
  const width = Math.min(box.right, clip.right) - Math.max(box.left, clip.left);
  const height = Math.min(box.bottom, clip.bottom) - Math.max(box.top, clip.top);
  return width >= MIN_SIZE && height >= MIN_SIZE;
}

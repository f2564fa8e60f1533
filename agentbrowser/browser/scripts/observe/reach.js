/** Reach of elements: no scrolling shows the content of a drawer that waits beside the viewport. */

import { flatTreeParentOf } from "../dom/hit_test.js";
import { getOrCompute, memo } from "../dom/memo.js";
import { bodyOf, isEdited, topOf } from "../dom/nodes.js";
import { FIELD_TAGS } from "../dom/states.js";
import { boxOf } from "../dom/visibility.js";
import { EVERYWHERE, pageArea, scrollArea } from "./look/grounds.js";

/** @import { Clip } from "./look/grounds.js" */

const SCROLLED = new Set(["auto", "scroll", "hidden"]); // scripts and the focus scroll hidden overflow, too
/** @type {Clip} */
const NOWHERE = { left: 0, top: 0, right: -1, bottom: -1 };

/**
 * Return true if no scrolling brings an element or a frame into the viewport. Files are uploaded without a click; and a
 * field or a link to a place in the page that is itself moved away is for the keyboard: a terminal's input, a skip link.
 * @param {{element: any, box: DOMRect, tag: string}} found
 */
export function isOutOfReach({ element, box, tag }) {
  if (box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight) return false;
  if (tag === "area" || overlaps(box, areaAround(element))) return false;
  if (tag === "input" && element.type === "file") return false;
  const isForKeyboard = FIELD_TAGS.has(tag) || isEdited(element) || (tag === "a" && Boolean(element.hash));
  const holder = isForKeyboard ? flatTreeParentOf(element) : null;
  return holder === null || !overlaps(boxOf(holder), areaAround(holder));
}

/**
 * Return the area in which an element's box can show.
 * @param {Element} element
 * @returns {Clip}
 */
function areaAround(element) {
  return getOrCompute(memo.reach, element, computeAreaAround);
}

/** @param {Element} element */
function computeAreaAround(element) {
  let holder = flatTreeParentOf(element);
  const { position } = getComputedStyle(element);
  if (position === "fixed" || position === "absolute") while (holder && !isContaining(holder, position)) holder = flatTreeParentOf(holder);
  if (holder) return getOrCompute(memo.content, holder, contentArea);
  return position === "fixed" ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : pageArea();
}

/**
 * Return true if elements of a position out of the flow are placed within an element.
 * @param {Element} element
 * @param {string} position
 */
function isContaining(element, position) {
  const style = getComputedStyle(element);
  return (position === "absolute" && style.position !== "static") || style.transform !== "none" || style.filter !== "none";
}

/**
 * Return the area in which the content of an element can show.
 * @param {Element} element
 * @returns {Clip}
 */
function contentArea(element) {
  const body = bodyOf(document);
  // Pages fix the body to lock its scroll position while a dialog is open.
  if (element === body && getComputedStyle(body).position === "fixed") return EVERYWHERE;
  if (element === body || element === topOf(document)) return pageArea();
  const area = areaAround(element);
  const style = getComputedStyle(element);
  if (style.overflowX === "visible" || ![style.overflowX, style.overflowY].some((overflow) => SCROLLED.has(overflow))) return area;
  const box = boxOf(element);
  return overlaps(box, area) ? scrollArea(element, box, style) : NOWHERE;
}

/**
 * Return true if part of a box, which may have no size, is in an area.
 * @param {Clip} box
 * @param {Clip} area
 */
function overlaps(box, area) {
  const isAcross = box.left < area.right && (box.right > area.left || box.left >= area.left);
  return isAcross && box.top < area.bottom && (box.bottom > area.top || box.top >= area.top);
}

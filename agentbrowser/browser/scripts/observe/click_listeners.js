/**
 * Which elements listen to the pointer without any other sign of it. Only `ear.js` can tell, which the browser side puts
 * among the page's scripts where the engine has a way; elsewhere nothing is heard.
 */

import { attributeOf, childCountOf, nextElementOf, previousElementOf, tagOf } from "../dom/nodes.js";

/** @import { Found } from "./scan.js" */

/** The name of the events that the page's listeners are asked by, which only the browser side knows. */
let channel = "";

/** @type {Set<Element>} */
export const listeners = new Set();

/** @param {string} name of the events */
export function openChannel(name) {
  channel = name;
  performance.addEventListener(`${name}!`, (event) => listeners.add(/** @type {any} */ (event).relatedTarget));
}

/**
 * Ask which elements of a document or shadow root listen.
 * @param {Node|null} root null only asks whether there is one to answer
 * @returns {boolean} true if there was an answer
 */
export function listenIn(root) {
  return channel !== "" && !performance.dispatchEvent(new FocusEvent(channel, { cancelable: true, relatedTarget: root }));
}

const MIN_SHARE = 0.7;

/**
 * Return true if a listener is for what is inside an element, so that the element itself is nothing to click: it holds several
 * interactive elements, or one that fills it, or it is the ground on which a large part of the page stands.
 * @param {Found} outer an element that only a listener tells of
 * @param {Found[]} inner what is interactive in it
 */
export function isDelegate(outer, inner) {
  if (inner.length === 0) return false;
  if (isFilling(inner[0].box, outer)) return true;
  if (isRow(outer)) return false;
  return inner.length > 1 || areaOf(outer.box) > (innerWidth * innerHeight) / 2;
}

/**
 * Return true if it is one of several alike that each listen themselves, as the rows of a table do.
 * @param {Found} found
 */
function isRow({ element, box }) {
  if (areaOf(box) > (innerWidth * innerHeight) / 4) return false;
  const kind = kindOfRow(element);
  /** @type {(sibling: Element|null) => boolean} */
  const isAlike = (sibling) => sibling !== null && listeners.has(sibling) && kindOfRow(sibling) === kind;
  return isAlike(nextElementOf(element)) || isAlike(previousElementOf(element));
}

/** @param {Element} element */
function kindOfRow(element) {
  return [tagOf(element), attributeOf(element, "class"), childCountOf(element)].join(" ");
}

/** @param {DOMRect} box */
function areaOf(box) {
  return box.width * box.height;
}

/**
 * Return true if an element is about all that there is of what it is in.
 * @param {DOMRect} box
 * @param {Found|null} outer
 */
export function isFilling(box, outer) {
  return outer !== null && areaOf(box) > areaOf(outer.box) * MIN_SHARE;
}

/**
 * Note that the listener of an element is for what is in it.
 * @param {Found} found
 */
export function dropListener(found) {
  found.isClickable = false;
  found.isDropped = !found.isDraggable && !found.isScrollable;
}

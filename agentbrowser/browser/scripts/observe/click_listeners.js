"use strict";
/**
 * Which elements listen to the pointer without any other sign of it. Only `ear.js` can tell, which the browser side puts
 * among the page's scripts where the engine has a way; elsewhere nothing is heard.
 */

// The browser side sets the name in front of all files.
// @ts-ignore
const EAR = /** @type {string} */ (typeof EAR_NAME === "string" ? EAR_NAME : "");

/** @type {Set<Element>} */
const listeners = new Set();

if (EAR) performance.addEventListener(`${EAR}!`, (event) => listeners.add(/** @type {any} */ (event).relatedTarget));

/**
 * Ask which elements of a document or shadow root listen.
 * @param {Node|null} root null only asks whether there is one to answer
 * @returns {boolean} whether there was an answer
 */
function listenIn(root) {
  return EAR !== "" && !performance.dispatchEvent(new FocusEvent(EAR, { cancelable: true, relatedTarget: root }));
}

const MIN_SHARE = 0.7;

/**
 * Whether a listener is for what is inside an element, so that the element itself is nothing to click: it holds several
 * interactive elements, or one that fills it, or it is the ground on which a large part of the page stands.
 * @param {Found} outer an element that only a listener tells of
 * @param {Found[]} inner what is interactive in it
 */
function isDelegate(outer, inner) {
  if (inner.length === 0) return false;
  if (isFilling(inner[0].box, outer)) return true;
  if (isRow(outer)) return false;
  return inner.length > 1 || areaOf(outer.box) > (innerWidth * innerHeight) / 2;
}

/**
 * Whether it is one of several alike that each listen themselves, as the rows of a table do.
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
 * Whether an element is about all that there is of what it is in.
 * @param {DOMRect} box
 * @param {Found|null} outer
 */
function isFilling(box, outer) {
  return outer !== null && areaOf(box) > areaOf(outer.box) * MIN_SHARE;
}

/**
 * Note that the listener of an element is for what is in it.
 * @param {Found} found
 */
function disown(found) {
  found.isClickable = false;
  found.isDropped = !found.isDraggable && !found.isScrollable;
}

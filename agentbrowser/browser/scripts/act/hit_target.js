/** Hit target of the pointer: readiness of an element, and the point to hit it at. */

import { flatTreeParentOf, hitAt, innerBoxesOf, isInline, isWithinElement, middleOf, pointsOf, pressedHostOf } from "../dom/hit_test.js";
import { clearMemo, memo } from "../dom/memo.js";
import {
  animationsInDocument, caller, childElementsOf, closest, collapseSpaces, FRAGMENT, isConnected, isEdited, kindOf,
  labelElementsOf, matches, measure, queryAll, parentOrHostOf, pointerLock, rectanglesOf, rootOf, scrollIntoView, tagOf,
  textContentOf, walkerOf,
} from "../dom/nodes.js";
import { isFilledByList, ownTextNodes } from "../dom/nested_lists.js";
import { labelledControl } from "../observe/identity/drawn_controls.js";
import { isDisabled } from "../dom/states.js";
import { areaBox, imageOf, isInert, isShown, isVisible } from "../dom/visibility.js";
import { geometryOf } from "../observe/frame_tree.js";
import { hasGestureListener } from "../observe/listeners/click_listeners.js";

/** The longest wait for a frame: a page that is not drawn has none. */
export const FRAME_MS = 100;

/** Events farther than this from the point are the user's own. */
const MAX_DISTANCE = 2;

/** Delay of a task that is to come behind timers of the same time. */
const BEHIND_TIMERS_MS = 20;

/** Distance from the edges of the viewport within which pages scroll during a drag, as a share of its size. */
const EDGE = 0.2;

const STEADY_PROPERTIES =
  /^(offset|computedOffset|easing|composite|opacity|color|fill|stroke|filter|backdropFilter|boxShadow|textShadow|accentColor|caretColor|background\w*|outline\w*|border\w*Color|textDecoration\w*|cursor|visibility)$/;
const ON_TOP = /^(transform|translate|scale|rotate|clipPath)$/;
/** The most elements around a field that may belong to it alone. */
const BOX_LEVELS = 6;
/** The height in pixels of a field's own box, such as one with several rows of chosen values. */
const HIGHEST_BOX = 120;
const ENTRY = "input:not([type=checkbox], [type=radio], [type=file], [type=range], [type=hidden]), textarea, [role=combobox]";
const FIELDS = "input:not([type=hidden]), select, textarea, [contenteditable], [role=combobox], [role=textbox], [role=slider], [role=switch]";
/** The field in which a drawn one keeps its value for the form. */
const SPARE = "[aria-hidden=true][tabindex='-1']";
const OWN_PRESS = "a, button, label, summary, [contenteditable], [onclick], [onmousedown], [onpointerdown], [tabindex], [role=button], [role=option]";
/** Controls in a dragged element that take the press for themselves. */
const OWN_DRAG = "button, a, input, textarea, select, summary, [contenteditable], [role=button], [role=link], [role=checkbox]";
/** Parts of tables and lists, which may hold controls of their own beside their words. */
const PART = "th, td, tr, li, [role=columnheader], [role=rowheader], [role=gridcell], [role=cell], [role=row], [role=listitem], [role=treeitem]";
const BUTTON_OR_LINK = "button, [role=button], a, [role=link]";
/** Elements that show a document of their own, which gets the press. */
const FRAMES = "iframe, frame, object, embed";
const FEWEST_ITEMS = 3;

const animationsInShadow = caller(ShadowRoot, "getAnimations");

/**
 * An element with those that the pointer may hit in its place.
 * @typedef {object} Target
 * @property {any} element
 * @property {any} control the control that a label is for; else the element
 * @property {Set<any>} accepted
 */

/**
 * @param {any} element
 * @returns {Target}
 */
export function targetOf(element) {
  const isField = matches(element, "input, textarea, select") || isEdited(element);
  const button = isField ? element : closest(element, BUTTON_OR_LINK) ?? element;
  const control = labelledControl(element);
  const accepted = new Set([element, button, control, ...labelElementsOf(control)]);
  const host = pressedHostOf(element);
  return { element, control, accepted: host ? accepted.add(host) : accepted };
}

/**
 * Return true if the hit element is the target, inside it, or accepted in its place.
 * @param {Target} target
 * @param {any} hit
 */
export function isHit(target, hit) {
  for (let node = hit; node; node = flatTreeParentOf(node)) if (target.accepted.has(node)) return true;
  return false;
}

/**
 * Return true if the hit element is a frame in the target, whose document would get the press unseen.
 * @param {Target} target
 * @param {any} hit
 */
function isFrameWithin({ element }, hit) {
  return hit !== element && matches(hit, FRAMES) && isWithinElement(hit, element);
}

/**
 * Return true if a frame in the element would get the press on its middle.
 * @param {Target} target
 */
export function isFramed(target) {
  if (!queryAll(target.element, FRAMES).length) return false;
  const point = pointOf(target.element, null);
  const hit = point && hitAt(...point);
  return Boolean(hit && isFrameWithin(target, hit));
}

/**
 * Return true if the page has locked the pointer to another element, which gets every press.
 * @param {Target} target
 */
export function isLockedAway(target) {
  const owner = pointerLock();
  return owner !== null && !isHit(target, owner);
}

/**
 * Return true if a field's own box shows the hit element over it, such as a placeholder, or is hit itself: the listener for
 * presses on the box opens the field. The element is then accepted.
 * @param {Target} target
 * @param {any} hit
 */
function isOwnDrawing({ element, accepted }, hit) {
  if (!hit || !matches(element, ENTRY)) return false;
  const isAlone = (/** @type {any} */ node) =>
    [...queryAll(node, FIELDS)].every((field) => field === element || isWithinElement(element, field) || matches(field, SPARE) || !isShown(field));
  let holder = flatTreeParentOf(element);
  let levels = BOX_LEVELS;
  while (holder && levels-- > 0 && isAlone(holder) && !isWithinElement(hit, holder)) holder = flatTreeParentOf(holder);
  if (!holder || levels < 0 || !isAlone(holder) || !isWithinElement(hit, holder)) return false;
  for (let node = hit; node !== holder; node = flatTreeParentOf(node)) if (matches(node, OWN_PRESS) || hasGestureListener(node)) return false;
  for (; holder && levels-- >= 0 && isAlone(holder); holder = flatTreeParentOf(holder)) {
    if (measure(holder).height > Math.max(HIGHEST_BOX, 3 * measure(element).height)) return false;
    if (hasGestureListener(holder)) return Boolean(accepted.add(hit));
  }
  return false;
}

/**
 * Return true if an element is connected, visible, enabled and not inert.
 * @param {Target} target
 */
export function isUsable({ element, control }) {
  return isConnected(element) && isVisible(element) && !isDisabled(element) && !isDisabled(control) && !isInert(control);
}

/**
 * Return true if no animation moves the element. Movement by scripts is left to the guard.
 * @param {any} element
 */
export function isSteady(element) {
  const around = new Set();
  for (let node = element; node; node = flatTreeParentOf(node)) around.add(node);
  const roots = new Set([...around].map((node) => rootOf(node)));
  return [...roots].every((root) => !animationsIn(root).some((animation) => isMoving(animation, around)));
}

/**
 * @param {any} root
 * @returns {Animation[]}
 */
function animationsIn(root) {
  if (root === document) return animationsInDocument(root);
  return kindOf(root) === FRAGMENT ? animationsInShadow(root) : [];
}

/**
 * @param {any} animation
 * @param {Set<any>} around
 */
function isMoving({ playState, effect, timeline }, around) {
  if (playState !== "running" || !around.has(effect?.target) || !(timeline instanceof DocumentTimeline)) return false;
  const isHarmless = (name) => STEADY_PROPERTIES.test(name) || (effect.pseudoElement && ON_TOP.test(name));
  return effect.getKeyframes().some((frame) => !Object.keys(frame).every(isHarmless));
}

/**
 * Return the point of an element to hit: the requested position, or the middle of the visible part of its first box.
 * @param {any} element
 * @param {{x: number, y: number}|null} position counted from inside its border
 * @returns {[number, number]|null}
 */
export function pointOf(element, position) {
  if (position) {
    const box = measure(element);
    return [box.left + element.clientLeft + position.x, box.top + element.clientTop + position.y];
  }
  return middleOfFirst(element, piecesOf(element));
}

/**
 * Return the middle of the visible part of the first box that shows; null where none does.
 * @param {any} element
 * @param {Iterable<DOMRect>} pieces
 * @returns {[number, number]|null}
 */
function middleOfFirst(element, pieces) {
  for (const piece of pieces) {
    const [left, right] = [Math.max(piece.left, 0), Math.min(piece.right, innerWidth)];
    const [top, bottom] = [Math.max(piece.top, 0), Math.min(piece.bottom, innerHeight)];
    if (right <= left || bottom <= top || (right - left) * (bottom - top) <= 0.99) continue;
    const part = { left, top, right, bottom };
    const isArea = tagOf(element) === "area"; // of any shape
    return (isArea && pointsOf(part).find((point) => hitAt(...point) === element)) || middleOf(part);
  }
  return null;
}

/**
 * Return the boxes of an element; those of its own words, if a list that is nested in it lies in its middle.
 * @param {any} element
 * @returns {Iterable<DOMRect>}
 */
function piecesOf(element) {
  if (tagOf(element) === "area") {
    const image = imageOf(element);
    return image ? [areaBox(element, image)] : [];
  }
  const [text] = tagOf(element) === "li" && isFilledByList(element) ? ownTextNodes(element) : [];
  if (!text) return rectanglesOf(element);
  const range = new Range();
  range.selectNodeContents(text);
  return range.getClientRects();
}

/**
 * Return a point at which the pointer hits the target, after scrolling if necessary; null where there is none.
 * @param {Target} target
 * @param {{x: number, y: number}|null} position
 * @param {boolean} isStill true if nothing may be scrolled
 * @returns {[number, number]|null}
 */
export function hitPointOf(target, position, isStill) {
  const point = uncoveredPoint(target, position);
  if (point || isStill) return point;
  const shown = tagOf(target.element) === "area" ? imageOf(target.element) : target.element;
  scrollIntoView(shown, { block: "center", inline: "center", behavior: "instant" });
  return uncoveredPoint(target, position);
}

/**
 * @param {Target} target
 * @param {{x: number, y: number}|null} position
 */
function uncoveredPoint(target, position) {
  const point = (!position && pointBesideControls(target)) || pointOf(target.element, position);
  const hit = point && hitAt(...point);
  return hit && !isFrameWithin(target, hit) && (isHit(target, hit) || isOwnDrawing(target, hit)) ? point : null;
}

/**
 * Return a point of an element beside the control of other words in its middle, which takes the press for itself: the filter
 * below the title of a column, a button in a row, or the terms in the label of a checkbox; else null.
 * @param {Target} target
 * @returns {[number, number]|null}
 */
function pointBesideControls({ element, control }) {
  const middle = isEdited(element) ? null : pointOf(element, null);
  const taker = middle && controlAt(element, middle);
  if (!taker || taker === control) return null;
  if (matches(element, PART)) return hasOtherWords(taker, element) ? pointOnWords(element) : null;
  if (!matches(taker, BUTTON_OR_LINK)) return null;
  if (tagOf(element) !== "label") return isInline(element) ? middleOfFirst(element, innerBoxesOf(element)) : null;
  const own = isWithinElement(control, element) ? pointOf(control, null) : null;
  return own && isWithinElement(hitAt(...own), control) ? own : pointOnWords(element);
}

/**
 * @param {any} control
 * @param {any} element
 */
function hasOtherWords(control, element) {
  return collapseSpaces(textContentOf(control)) !== collapseSpaces(textContentOf(element));
}

/**
 * Return a point on words of an element that are of no control in it; null for none.
 * @param {any} element
 * @returns {[number, number]|null}
 */
function pointOnWords(element) {
  const walker = walkerOf(document, element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = new Range();
    range.selectNodeContents(walker.currentNode);
    const [box] = range.getClientRects();
    const point = box && box.width > 1 ? middleOf(box) : null;
    if (point && isWithinElement(hitAt(...point), element) && !controlAt(element, point)) return point;
  }
  return null;
}

/**
 * Return the control in an element that a point hits, if any.
 * @param {any} element
 * @param {[number, number]} point
 * @returns {any}
 */
function controlAt(element, point) {
  const pressed = pressedAt(element, point);
  return pressed === element ? null : pressed;
}

/**
 * Return what takes a press at a point of an element: a control in it, or the element; null where another one is hit.
 * @param {any} element
 * @param {[number, number]} point
 * @returns {any}
 */
function pressedAt(element, point) {
  let hit = hitAt(...point);
  while (hit && hit !== element && !matches(hit, OWN_DRAG)) hit = flatTreeParentOf(hit);
  return hit;
}

/**
 * Return a frame's point in the coordinates of this document, scrolled into view; null if it is covered.
 * @param {{x: number, y: number}} point
 * @param {any} owner the element that shows the frame
 * @returns {{x: number, y: number}|null}
 */
export function throughFrame(point, owner) {
  clearMemo();
  if (!isShown(owner) || !isSteady(owner) || isDisabled(owner)) return null;
  const locatePoint = () => {
    memo.boxes.clear();
    const geometry = geometryOf(owner);
    const [x, y] = [geometry.x + point.x, geometry.y + point.y];
    return geometry.isUpright && geometry.scaleX === 1 && geometry.scaleY === 1 && hitAt(x, y) === owner ? { x, y } : null;
  };
  const found = locatePoint();
  if (found) return found;
  scrollIntoView(owner, { block: "center", inline: "center", behavior: "instant" });
  return locatePoint();
}

/**
 * Call back after some time, maybe twice. In a document without scripts, as in a sandboxed frame, no timer ends, also
 * not one of an isolated world; tasks of the scheduler run there. Elsewhere they come behind the timers.
 * @param {(value?: undefined) => void} done
 * @param {number} [ms]
 */
export function later(done, ms = 0) {
  /** @type {any} */
  const { scheduler } = self;
  setTimeout(done, ms);
  scheduler?.postTask(done, { delay: ms + BEHIND_TIMERS_MS });
}

/** @param {(value?: undefined) => void} done */
export function nextTask(done) {
  later(done);
}

/** @param {(value?: undefined) => void} done */
export function nextFrame(done) {
  requestAnimationFrame(() => later(done));
  setTimeout(done, FRAME_MS);
}

/**
 * Return true if an event of the pointer is so near to a point that it is not the user's own.
 * @param {any} event
 * @param {number} x
 * @param {number} y
 */
export function isNear({ clientX, clientY }, x, y) {
  return Math.abs(clientX - x) <= MAX_DISTANCE && Math.abs(clientY - y) <= MAX_DISTANCE;
}

/**
 * Scroll an element to the middle if its own middle is near the upper or lower edge of the viewport: a page scrolls while
 * something is dragged there, and drops it elsewhere.
 * @param {Element} element
 */
export function leaveEdges(element) {
  const box = measure(element);
  const place = (box.top + box.height / 2) / innerHeight;
  if (place < EDGE || place > 1 - EDGE) scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
  return true;
}

/**
 * Return the place in an element to drag it by, if a control lies in its middle, which takes the press for itself; else null.
 * @param {Element} element
 * @returns {{x: number, y: number}|null} counted from inside its border
 */
export function gripOf(element) {
  const middle = pointOf(element, null);
  if (!middle || pressedAt(element, middle) === element) return null;
  const box = measure(element);
  const free = pointsOf(box).find((point) => pressedAt(element, point) === element);
  return free ? { x: free[0] - box.left - element.clientLeft, y: free[1] - box.top - element.clientTop } : null;
}

/**
 * Return true if an element is one of several alike in the flow, as the items of a list are, and is not placed by itself.
 * @param {Element} element
 */
export function isItem(element) {
  const { position } = getComputedStyle(element);
  if (position === "absolute" || position === "fixed") return false;
  const siblings = childElementsOf(parentOrHostOf(element) ?? element).filter((one) => tagOf(one) === tagOf(element));
  return siblings.length >= FEWEST_ITEMS;
}

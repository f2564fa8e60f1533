/**
 * Elements with only a click listener. The program `page_listeners` reports them, which the browser side installs among
 * the page's scripts where the engine can; elsewhere none are known.
 */

import { middleOf } from "../../dom/hit_test.js";
import {
  attributeOf, childCountOf, matches, nextElementOf, previousElementOf, queryAll, queryRoot, rootOf, SPACES, tagOf,
} from "../../dom/nodes.js";
import { hasRoleIn, SELECTOR_ROLES } from "../../dom/roles.js";
import { DOUBLE, PRESS } from "./handler_targets.js";

/** @import { Found } from "../scan.js" */

/** The name of the events that request the page's listeners; only the browser side knows it. */
let channel = "";

/** Elements with a listener of their own, or for which a delegated one is. @type {Set<Element>} */
export const listeners = new Set();

/** Kinds of gestures of own listeners. @type {Map<Element, number>} */
const ownKinds = new Map();

/** Kinds of gestures of delegated listeners, by the elements that they are for. @type {Map<Element, number>} */
const targetKinds = new Map();

/** True if the document or its body has a click listener. */
export let isDocumentListening = false;

export function forgetListeners() {
  isDocumentListening = false;
  listeners.clear();
  ownKinds.clear();
  targetKinds.clear();
}

/** @param {string} name of the events */
export function openChannel(name) {
  channel = name;
  performance.addEventListener(`${name}!`, (event) => note(ownKinds, /** @type {any} */ (event)));
  performance.addEventListener(`${name}>`, (event) => note(targetKinds, /** @type {any} */ (event)));
  performance.addEventListener(`${name}#`, () => { isDocumentListening = true; });
}

/**
 * @param {Map<Element, number>} kinds
 * @param {MouseEvent} answer
 */
function note(kinds, { relatedTarget, screenX }) {
  const element = /** @type {any} */ (relatedTarget);
  listeners.add(element);
  kinds.set(element, (kinds.get(element) ?? 0) | screenX);
}

/**
 * Return true if a delegated listener names an element, which is not a large part of the page.
 * @param {Found} found
 */
export function isTarget({ element, box }) {
  return targetKinds.has(element) && !ownKinds.has(element) && areaOf(box) <= (innerWidth * innerHeight) / 4;
}

/**
 * Return true if an element has a listener for presses or double clicks, by which things are dragged or edited.
 * @param {Element} element
 */
export function isPressable(element) {
  return ((ownKinds.get(element) ?? 0) & (PRESS | DOUBLE)) !== 0;
}

/**
 * Return true if the listeners of an element, and those that are for it, are for double clicks only.
 * @param {Element} element
 */
export function isForDoubleClicks(element) {
  return ((ownKinds.get(element) ?? 0) | (targetKinds.get(element) ?? 0)) === DOUBLE;
}

/**
 * Request the elements of a document or shadow root that have listeners.
 * @param {Node|null} root null to check for the program only
 * @returns {boolean} true if there was an answer
 */
export function listenIn(root) {
  return channel !== "" && !performance.dispatchEvent(new FocusEvent(channel, { cancelable: true, relatedTarget: root }));
}

/**
 * Return true if an element has listeners for the press of a pointer.
 * @param {Element} element
 */
export function hasPressListener(element) {
  return isAffirmed("?", element);
}

/**
 * Return true if an element has listeners for clicks or presses, or a framework that listens on its root has them for it.
 * @param {Element} element
 */
export function hasGestureListener(element) {
  return isAffirmed("&", element);
}

/**
 * @param {string} suffix of the question
 * @param {Element} relatedTarget
 */
function isAffirmed(suffix, relatedTarget) {
  const question = new FocusEvent(channel + suffix, { cancelable: true, relatedTarget });
  return channel !== "" && !performance.dispatchEvent(question);
}

const MIN_SHARE = 0.7;

/**
 * Return true if a listener is for descendants of an element, which is then not clickable itself. It holds several
 * interactive elements, or one that fills it, or it covers a large part of the page.
 * @param {Found} outer an element with only a listener
 * @param {Found[]} inner the interactive elements in it
 */
export function isDelegate(outer, inner) {
  if (inner.length === 0) return false;
  if (isFilling(inner[0].box, outer)) return !(hasRoleIn(SELECTOR_ROLES, outer.role) && isSame(outer, inner[0]));
  if (isRow(outer)) return false;
  return inner.length > 1 || areaOf(outer.box) > (innerWidth * innerHeight) / 2;
}

/**
 * Return true if an inner element is only a part of an outer one, with all of its words: a header has the better role.
 * @param {Found} outer
 * @param {Found} inner
 */
function isSame(outer, { content, isControl, role }) {
  return !isControl && !hasRoleIn(SELECTOR_ROLES, role) && content === outer.content;
}

/**
 * Return true if its siblings are of the same kind and have listeners too, such as rows of a table.
 * @param {Found} found
 */
export function isRow({ element, box }) {
  if (areaOf(box) > (innerWidth * innerHeight) / 4) return false;
  const kind = kindOfRow(element);
  /** @type {(sibling: Element|null) => boolean} */
  const isAlike = (sibling) => sibling !== null && listeners.has(sibling) && kindOfRow(sibling) === kind;
  return isAlike(nextElementOf(element)) || isAlike(previousElementOf(element));
}

/**
 * Return the kind of a row: its tag with its first class, or with its size. Cells of a calendar hold different numbers of
 * entries, and those of today have one more class.
 * @param {Element} element
 */
function kindOfRow(element) {
  return `${tagOf(element)} ${attributeOf(element, "class")?.trim().split(SPACES)[0] || childCountOf(element)}`;
}

/** @param {DOMRect} box */
function areaOf(box) {
  return box.width * box.height;
}

/**
 * Return true if a box fills most of an outer element. A menu that hangs out of it does not.
 * @param {DOMRect} box
 * @param {Found|null} outer
 */
export function isFilling(box, outer) {
  if (outer === null) return false;
  const width = Math.min(box.right, outer.box.right) - Math.max(box.left, outer.box.left);
  const height = Math.min(box.bottom, outer.box.bottom) - Math.max(box.top, outer.box.top);
  return Math.max(width, 0) * Math.max(height, 0) > areaOf(outer.box) * MIN_SHARE;
}

/**
 * Return true if the middle of an outer element is that of an inner one.
 * @param {Found} inner
 * @param {Found} outer
 */
export function isInMiddle({ box }, outer) {
  const [x, y] = middleOf(outer.box);
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/**
 * Note that the listener of an element is for its descendants.
 * @param {Found} found
 */
export function dropListener(found) {
  found.isClickable = false;
  found.isDropped = !found.isDraggable && !found.isScrollable;
}

const FIELDS = "input, select, textarea";

/**
 * Return true if a label before a field means an id that no element has: a click on it does nothing, whatever cursor the
 * style sheet gives to all labels.
 * @param {any} label
 */
export function isLostLabel(label) {
  const id = attributeOf(label, "for");
  const next = id && !label.control && !listeners.has(label) ? nextElementOf(label) : null;
  if (!next || !(matches(next, FIELDS) || queryAll(next, FIELDS).length)) return false;
  return queryRoot(rootOf(label), `[id="${CSS.escape(id)}"]`).length === 0;
}

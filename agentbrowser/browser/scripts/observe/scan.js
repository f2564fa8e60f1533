/** One walk over the document and its open shadow roots: what is interactive, and what is unique. */

import { isWithinElement, topmost } from "../dom/hit_test.js";
import { increment, index, labelIndex, startLabelIndex } from "../dom/memo.js";
import { nameOf, PUSH_TYPES } from "../dom/names.js";
import {
  attributeOf, dataOf, ELEMENT, firstOf, hasAttribute, hasAttributes, isEdited, kindOf, loosen, matches, MAX_DEPTH,
  MAX_TEXT, nextOf, shadowOf, slotOf, tagOf, TEXT, topOf,
} from "../dom/nodes.js";
import { NAMED, roleOf } from "../dom/roles.js";
import { saysSecret, secrets } from "../dom/secret_fields.js";
import { isRendered, saysHidden, UNSEEN } from "../dom/visibility.js";
import { disown, isDelegate, isFilling, listeners, listenIn } from "./click_listeners.js";
import { uncovered } from "./cover.js";
import { candidate, CLAIMED, HIDDEN, INERT, isReplaced, MUTED, SETTLED } from "./interactive.js";

/**
 * An interactive element.
 * @typedef {object} Found
 * @property {any} element what an action goes to
 * @property {any} control what holds the state: the element, or the hidden control that this label stands for
 * @property {string} tag
 * @property {string|null} role that of the control
 * @property {DOMRect} box
 * @property {boolean} isMuted whether assistive technology doesn't see it
 * @property {Element|null} modal the modal dialog that it is in
 * @property {boolean} isPlain whether its box is the browser's own, which may be of several pieces
 * @property {boolean} isHeard whether only a listener tells that it can be clicked
 * @property {boolean} isDropped whether that turned out to be for what is in it
 * @property {boolean} isLeaf whether its content is part of it
 * @property {boolean} isPointer
 * @property {boolean} isControl
 * @property {boolean} isClickable
 * @property {boolean} isDraggable
 * @property {boolean} isScrollable
 * @property {string|null} text its text, if that is short and no child has the same
 */

/**
 * What one walk learns.
 * @typedef {object} Look
 * @property {Found[]} found in document order
 * @property {Map<string, number>} ids how many elements have the id, hidden ones too
 * @property {Map<string, number>} testIds
 * @property {Map<string, number>} texts how many elements are the smallest with that text
 * @property {Map<string, Element[]>} byRole what assistive technology sees
 * @property {Map<string, Map<string, number>>} names by role, how often a name occurs; filled when asked for
 * @property {number} bodies
 * @property {Element[]} modals
 * @property {Map<Element, Place>} slots what holds in the slots of shadow roots, where the page draws what is assigned to them
 * @property {number} depth how many elements are being visited
 */

/**
 * What holds for an element because of those that it is in.
 * @typedef {object} Place
 * @property {number} flags
 * @property {Element|null} modal
 * @property {Found|null} claim the thing to click that it is in
 */

/** Elements that, where they have no attributes, have no role that matters here. */
const DULL = new Set(
  ("article aside b br circle code dd defs div dl dt em figure footer g header i li line main nav ol p path polygon " +
    "polyline rect section small span strong tbody thead tr ul use").split(" "),
);

/** @returns {Look} */
export function scan() {
  /** @type {Look} */
  const look = {
    found: [],
    ids: new Map(),
    testIds: new Map(),
    texts: new Map(),
    byRole: new Map(),
    names: new Map(),
    bodies: 0,
    modals: [],
    slots: new Map(),
    depth: 0,
  };
  startLabelIndex();
  listenIn(document);
  const top = topOf(document);
  if (top) visit(look, top, { flags: 0, modal: null, claim: null });
  listeners.clear();
  const modal = topmost(look.modals);
  const isBlocked = (/** @type {Found} */ found) => modal !== null && found.modal !== modal && !isWithinElement(found.modal, modal);
  const left = look.found.filter((found) => !found.isDropped && !isBlocked(found) && !isReplaced(found.element, found.tag));
  look.found = modal ? left : uncovered(left);
  return look;
}

/**
 * @param {Look} look
 * @param {any} element
 * @param {Place} place
 * @returns {string|null} the element's text, runs of white space collapsed; null when it is long
 */
function visit(look, element, place) {
  const tag = tagOf(element);
  const isBare = !hasAttributes(element);
  if (!isBare || tag === "body" || tag === "label") tally(look, element, tag);
  if (tag === "head") for (const child of element.children) tally(look, child, tagOf(child));
  if (tag === "head" || UNSEEN.has(tag) || look.depth > MAX_DEPTH) return "";
  const position = look.found.length;
  const inner = place.flags & HIDDEN ? place : assess(look, element, tag, isBare, place);
  if (tag === "slot") look.slots.set(element, inner);
  look.depth++;
  const { text, share } = read(look, element, tag, inner);
  look.depth--;
  const own = share === OWN && text ? text.trim() : null;
  if (own) increment(look.texts, own);
  const found = look.found[position];
  if (found?.element !== element) return text;
  if (secrets.has(element)) return null; // an editor that shows dots: no text may have what is in it
  found.text = own;
  if (found.isHeard && isDelegate(found, insideOf(look, position))) disown(found);
  return text;
}

// How a text comes about: from nothing, from one child that has the same text, or from the element itself.
const EMPTY = 0;
const BORROWED = 1;
const OWN = 2;

/**
 * @param {Look} look
 * @param {any} element
 * @param {string} tag
 * @param {Place} place
 * @returns {{text: string|null, share: number}}
 */
function read(look, element, tag, place) {
  if (tag === "input" && PUSH_TYPES.has(element.type)) {
    return { text: secrets.has(element) ? "" : loosen(element.value), share: OWN };
  }
  const shadow = shadowOf(element);
  if (!shadow) return readNodes(look, element, place);
  listenIn(shadow);
  const shaded = readNodes(look, shadow, place).text;
  const { text, share } = readNodes(look, element, place, look.slots);
  const isShaded = shaded === null || shaded.trim() !== "";
  return { text: joined(text, shaded), share: !isShaded ? share : share === EMPTY ? BORROWED : OWN };
}

/**
 * @param {Look} look
 * @param {Node} parent
 * @param {Place} place
 * @param {Map<Element, Place>} [slots] of the shadow root that draws these nodes
 * @returns {{text: string|null, share: number}}
 */
function readNodes(look, parent, place, slots) {
  /** @type {string|null} */
  let text = "";
  let share = EMPTY;
  for (let child = firstOf(parent); child; child = nextOf(child)) {
    const kind = kindOf(child);
    if (kind !== TEXT && kind !== ELEMENT) continue;
    const piece = kind === TEXT ? loosen(dataOf(child)) : visit(look, child, slots?.get(slotOf(child)) ?? place);
    if (piece === null || piece.trim()) share = kind === TEXT || share !== EMPTY ? OWN : BORROWED;
    text = joined(text, piece);
  }
  return { text, share };
}

/**
 * @param {string|null} text
 * @param {string|null} more
 */
function joined(text, more) {
  if (text === null || more === null) return null;
  const both = text.endsWith(" ") && more.startsWith(" ") ? text + more.slice(1) : text + more;
  return both.length > MAX_TEXT + 2 ? null : both;
}

/**
 * @param {Look} look
 * @param {any} element
 * @param {string} tag
 */
function tally(look, element, tag) {
  const id = attributeOf(element, "id");
  const testId = attributeOf(element, "data-testid");
  if (id) increment(look.ids, id);
  if (testId) increment(look.testIds, testId);
  if (tag === "body") look.bodies++;
  if (tag === "input" && saysSecret(element)) secrets.add(element);
  if (tag === "label" && element.control && labelIndex) index(labelIndex, element.control, element);
}

/**
 * Index an element that may be seen, note it if it is interactive, and tell what holds for its content.
 * @param {Look} look
 * @param {any} element
 * @param {string} tag
 * @param {boolean} isBare whether it has no attributes
 * @param {Place} place
 * @returns {Place}
 */
function assess(look, element, tag, isBare, place) {
  const style = place.flags & CLAIMED ? null : getComputedStyle(element);
  // A child of a shadow host that is in no slot has no display at all; the areas of a map show all the same.
  const isGone = style && (style.display === "none" || !style.display) && tag !== "area";
  if (isGone) return { ...place, flags: place.flags | HIDDEN };
  const inner = isBare ? place : placeIn(look, element, tag, place);
  const isDull = isBare && DULL.has(tag);
  const role = isDull ? null : roleOf(element);
  if (role !== null && NAMED.has(role) && !(inner.flags & MUTED) && isRendered(element, tag)) index(look.byRole, role, element);
  if (inner.flags & INERT || tag === "html" || (tag === "body" && !isEdited(element))) return inner;
  const found = candidate(element, tag, role, style, inner);
  if (found && isDull) found.role = roleOf(element);
  return found && keep(look, found, inner) ? claimed(inner, found) : inner;
}

/**
 * What an element says by itself of its content: mostly nothing.
 * @param {Look} look
 * @param {Element} element
 * @param {string} tag
 * @param {Place} place
 * @returns {Place}
 */
function placeIn(look, element, tag, place) {
  const isModal = tag === "dialog" && matches(element, ":modal");
  const flags = (saysHidden(element) ? MUTED : 0) | (hasAttribute(element, "inert") ? INERT : 0);
  if (isModal) look.modals.push(element);
  return flags || isModal ? { ...place, flags: place.flags | flags, modal: isModal ? element : place.modal } : place;
}

/**
 * What holds for the content of an interactive element.
 * @param {Place} place
 * @param {Found} found
 * @returns {Place}
 */
function claimed(place, found) {
  if (found.isLeaf) return { ...place, flags: place.flags | CLAIMED | SETTLED, claim: found };
  return found.isPointer ? { ...place, flags: place.flags | CLAIMED, claim: found } : place;
}

/**
 * Note an element, unless it takes no room.
 * @param {Look} look
 * @param {Found} found
 * @param {Place} place
 */
function keep(look, found, place) {
  const { box } = found;
  if (box.width <= 0 || box.height <= 0) return false;
  if (found.isHeard && isFilling(box, place.claim)) return false;
  look.found.push(Object.assign(found, { isMuted: Boolean(place.flags & MUTED), modal: place.modal }));
  return true;
}

/**
 * What is interactive in an element that was noted, as far as it matters to the element: up to two.
 * @param {Look} look
 * @param {number} position
 */
function insideOf(look, position) {
  const inside = [];
  for (let i = position + 1; i < look.found.length && inside.length < 2; i++) {
    if (!look.found[i].isDropped) inside.push(look.found[i]);
  }
  return inside;
}

/**
 * How many elements that assistive technology sees have that role and that name.
 * @param {Look} look
 * @param {string} role
 * @param {string} name
 */
export function countNamed(look, role, name) {
  let names = look.names.get(role);
  if (!names) {
    look.names.set(role, (names = new Map()));
    for (const element of look.byRole.get(role) ?? []) increment(names, nameOf(element));
  }
  return names.get(name) ?? 0;
}

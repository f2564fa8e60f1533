/** Scan of the document and its open shadow roots: interactive elements, and counts that prove selectors unique. */

import { isWithinElement, topmost } from "../dom/hit_test.js";
import { increment, addToList, labelIndex, startIndexes } from "../dom/memo.js";
import { nameOf, PUSH_TYPES } from "../dom/names.js";
import {
  attributeOf, contains, dataOf, ELEMENT, firstOf, hasAttribute, hasAttributes, isEdited, kindOf, collapseInnerSpaces, matches, MAX_DEPTH,
  MAX_TEXT, nextOf, shadowOf, slotOf, tagOf, TEXT, textSlotOf, topOf,
} from "../dom/nodes.js";
import { SELECTOR_ROLES, roleOf } from "../dom/roles.js";
import { isMarkedSecret, secrets } from "../dom/secret_fields.js";
import { rememberShadow } from "../dom/shadow_roots.js";
import { isRendered, hasAriaHidden, UNRENDERED_TAGS } from "../dom/visibility.js";
import { forgetListeners, isFilling, listeners, listenIn } from "./listeners/click_listeners.js";
import { addNested, delegate, delegateDocument } from "./listeners/delegation.js";
import { clipsContent } from "../dom/clipping.js";
import { layersOverAll, uncovered } from "./cover.js";
import { newFlatElement, SPACE } from "./look/flat_tree.js";
import { candidate, CLAIMED, CLIPPED, HIDDEN, INERT, isPartOfSelect, isReplaced, ARIA_HIDDEN, SETTLED } from "./interactive.js";
import { dropNested } from "./listeners/nesting.js";
import { isOutOfReach } from "./reach.js";

/** @import { FlatElement, Stream } from "./look/flat_tree.js" */

/**
 * An interactive element.
 * @typedef {object} Found
 * @property {any} element target of an action
 * @property {any} control the element, or the hidden control of this label, which has the state
 * @property {string} tag
 * @property {string|null} role that of the control
 * @property {DOMRect} box
 * @property {boolean} isMuted true if hidden from assistive technology
 * @property {Element|null} modal the modal dialog that it is in
 * @property {boolean} isPlain true if its box is the browser's own, which may be of several pieces
 * @property {boolean} isHeard true if only a listener makes it clickable
 * @property {boolean} isDouble true if its listeners are for double clicks only
 * @property {boolean} isDropped true if that listener turned out to be for its content
 * @property {boolean} isLeaf true if its content is part of it
 * @property {boolean} isPointer
 * @property {boolean} isControl
 * @property {boolean} isClickable
 * @property {boolean} isDraggable
 * @property {boolean} isScrollable
 * @property {string|null} text its text, if that is short and no child has the same
 * @property {string|null} content its text with that of its content; null if it is long
 */

/**
 * The result of one scan.
 * @typedef {object} Scan
 * @property {Found[]} found in document order
 * @property {Map<string, number>} ids number of elements with the id, hidden ones included
 * @property {Map<string, number>} testIds
 * @property {Map<string, number>} texts number of smallest elements with that text
 * @property {Map<string, Element[]>} byRole accessible elements
 * @property {Map<string, Map<string, number>>} names by role, number of elements per name, counted on demand
 * @property {number} bodies
 * @property {Element[]} modals
 * @property {Map<Element, Place>} slots context of the slots of shadow roots, where assigned nodes are drawn
 * @property {number} depth current depth of the walk
 * @property {boolean} hasTooDeep true if elements are deeper than the walk goes
 * @property {Stream|null} stream texts and elements as they are drawn, of the part that is being walked; null without
 * @property {FlatElement|null} drawer the element that draws the nodes of the part that is being walked
 * @property {Map<Element, {stream: Stream, drawer: FlatElement|null}>} slotStreams those of the nodes that each slot shows
 * @property {Set<Element>|null} behind the elements found, with those behind a modal dialog; null if there are none of these
 * @property {boolean} hasInert true if a part of the page is inert, such as all behind an open popup
 * @property {Element[]|null} front modal dialogs, or layers over all of the viewport, behind which nothing can be used
 */

/**
 * The context of an element, from its ancestors.
 * @typedef {object} Place
 * @property {number} flags
 * @property {Element|null} modal
 * @property {Found|null} claim the clickable ancestor
 * @property {Element|null} labelled the control of the label around
 */

/** Tags that have no relevant role without attributes. */
const PLAIN_TAGS = new Set(
  ("article aside b br circle code dd defs div dl dt em figure footer g header i li line main nav ol p path polygon " +
    "polyline rect section small span strong tbody thead tr ul use").split(" "),
);

/**
 * @param {boolean} [isReading] true to collect the texts too
 * @param {boolean} [isWhole] true to return the elements that a modal covers, too
 * @returns {Scan}
 */
export function scan(isReading = false, isWhole = false) {
  /** @type {Scan} */
  const result = {
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
    hasTooDeep: false,
    stream: isReading ? [] : null,
    drawer: null,
    slotStreams: new Map(),
    hasInert: false,
    front: null,
    behind: null,
  };
  startIndexes(result.texts, result.testIds);
  listenIn(document);
  const top = topOf(document);
  if (top) visit(result, top, { flags: 0, modal: null, claim: null, labelled: null });
  delegateDocument(result);
  dropNested(result.found);
  forgetListeners();
  const modal = topmost(result.modals);
  const layers = modal ? null : layersOverAll();
  result.front = modal ? [modal] : layers && [...layers];
  const isBlocked = (/** @type {Found} */ found) => modal !== null && found.modal !== modal && !isWithinElement(found.modal, modal);
  const isThere = (/** @type {Found} */ found) => !found.isDropped && !isReplaced(found.element) && !isOutOfReach(found);
  const all = result.found.filter(isThere);
  const left = isWhole ? all : all.filter((found) => !isBlocked(found));
  result.found = layers && !isWhole ? uncovered(left, layers) : left;
  result.behind = result.found.length < all.length ? new Set(all.map(({ element }) => element)) : null;
  return result;
}

/** @param {Scan} result */
function isTooDeep(result) {
  if (result.depth <= MAX_DEPTH) return false;
  result.hasTooDeep = true;
  return true;
}

/**
 * @param {Scan} result
 * @param {any} element
 * @param {Place} place
 * @returns {string|null} the element's text, runs of white space collapsed; null when it is long
 */
function visit(result, element, place) {
  const tag = tagOf(element);
  const isBare = !hasAttributes(element);
  if (!isBare || tag === "body" || tag === "label") countIdentifiers(result, element, tag);
  if (tag === "head") for (const child of element.children) countIdentifiers(result, child, tagOf(child));
  if (tag === "head" || UNRENDERED_TAGS.has(tag) || isTooDeep(result)) return "";
  const position = result.found.length;
  const { drawer, stream } = result;
  const inner = place.flags & HIDDEN ? place : classify(result, element, tag, isBare, place);
  if (tag === "slot") result.slots.set(element, inner);
  result.depth++;
  if (tag === "option" || isPartOfSelect(element, tag)) result.stream = null; // its elements draw a value, no text of the page
  const { text, share } = read(result, element, tag, inner);
  result.depth--;
  result.stream = stream;
  result.drawer = drawer;
  const own = share === OWN && text ? text.trim() : null;
  if (own) increment(result.texts, own);
  const found = result.found[position];
  if (found?.element !== element) return text;
  if (secrets.has(element)) return null; // a masked editor: no text may include its content
  found.text = own;
  found.content = text === null ? null : text.trim();
  if (tag === "li" && found.isClickable && !found.isControl && addNested(result, position)) return text;
  if (listeners.has(element)) delegate(result, position);
  return text;
}

// Origin of a text: none, one child with the same text, or the element itself.
const EMPTY = 0;
const BORROWED = 1;
const OWN = 2;

/**
 * @param {Scan} result
 * @param {any} element
 * @param {string} tag
 * @param {Place} place
 * @returns {{text: string|null, share: number}}
 */
function read(result, element, tag, place) {
  if (tag === "input" && PUSH_TYPES.has(element.type)) {
    return { text: secrets.has(element) ? "" : collapseInnerSpaces(element.value), share: OWN };
  }
  const shadow = shadowOf(element);
  if (!shadow) return readNodes(result, element, place);
  listenIn(shadow);
  rememberShadow(shadow);
  const shaded = readNodes(result, shadow, place).text;
  const { text, share } = readNodes(result, element, place, result.slots);
  const isShaded = shaded === null || shaded.trim() !== "";
  return { text: joined(text, shaded), share: !isShaded ? share : share === EMPTY ? BORROWED : OWN };
}

/**
 * @param {Scan} result
 * @param {Node} parent
 * @param {Place} place
 * @param {Map<Element, Place>} [slots] of the shadow root that draws these nodes
 * @returns {{text: string|null, share: number}}
 */
function readNodes(result, parent, place, slots) {
  /** @type {string|null} */
  let text = "";
  let share = EMPTY;
  const { stream, drawer } = result;
  for (let child = firstOf(parent); child; child = nextOf(child)) {
    const kind = kindOf(child);
    if (kind !== TEXT && kind !== ELEMENT) continue;
    if (slots && stream) enter(result, kind === TEXT ? textSlotOf(child) : slotOf(child));
    const piece = kind === TEXT ? collapseInnerSpaces(dataOf(child)) : visit(result, child, slots?.get(slotOf(child)) ?? place);
    if (kind === TEXT && stream && !(place.flags & HIDDEN)) addText(result, child, piece);
    if (piece === null || piece.trim()) share = kind === TEXT || share !== EMPTY ? OWN : BORROWED;
    text = joined(text, piece);
  }
  result.stream = stream;
  result.drawer = drawer;
  return { text, share };
}

/**
 * Turn to the stream of the nodes that a slot shows. Those of no slot are not drawn.
 * @param {Scan} result
 * @param {Element|null} slot
 */
function enter(result, slot) {
  const { stream, drawer } = (slot && result.slotStreams.get(slot)) ?? { stream: [], drawer: null };
  result.stream = stream;
  result.drawer = drawer;
}

/**
 * Add a text to the stream.
 * @param {Scan} result
 * @param {Text} text
 * @param {string} data
 */
function addText({ stream, drawer }, text, data) {
  if (!stream || !data) return;
  if (data === " " || !data.trim()) stream.push(SPACE);
  else if (drawer) stream.push({ text, data, parent: drawer, isApart: false });
}

/**
 * Add an element to the stream; a slot shows the nodes there that are assigned to it.
 * @param {Scan} result
 * @param {FlatElement} node
 */
function collect(result, node) {
  result.stream?.push(node);
  result.drawer = node;
  if (node.tag !== "slot") return;
  /** @type {Stream} */
  const stream = [];
  result.stream?.push(stream);
  result.slotStreams.set(node.element, { stream, drawer: node });
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
 * @param {Scan} result
 * @param {any} element
 * @param {string} tag
 */
function countIdentifiers(result, element, tag) {
  const id = attributeOf(element, "id");
  const testId = attributeOf(element, "data-testid");
  if (id) increment(result.ids, id);
  if (testId) increment(result.testIds, testId);
  if (tag === "body") result.bodies++;
  if (tag === "input" && isMarkedSecret(element)) secrets.add(element);
  if (tag === "label" && element.control && labelIndex) addToList(labelIndex, element.control, element);
}

/**
 * Index an element that may be visible, add it if it is interactive, and return the context of its content.
 * @param {Scan} result
 * @param {any} element
 * @param {string} tag
 * @param {boolean} isBare true if it has no attributes
 * @param {Place} place
 * @returns {Place}
 */
function classify(result, element, tag, isBare, place) {
  const style = place.flags & CLAIMED ? null : getComputedStyle(element);
  // A child of a shadow host without a slot has no display; areas of an image map are usable without one.
  const display = style ? style.display : null;
  if ((display === "none" || display === "") && tag !== "area") return { ...place, flags: place.flags | HIDDEN };
  if (result.stream) collect(result, newFlatElement(element, tag, isBare, display ?? "", result.drawer));
  const around = isBare ? place : placeIn(result, element, tag, place);
  const inner = !isBare && style && clipsContent(element, style) ? { ...around, flags: around.flags | CLIPPED } : around;
  const isDull = isBare && PLAIN_TAGS.has(tag);
  const role = isDull ? null : roleOf(element);
  if (role !== null && SELECTOR_ROLES.has(role) && !(inner.flags & ARIA_HIDDEN) && isRendered(element, tag)) addToList(result.byRole, role, element);
  if (inner.flags & INERT || tag === "html" || (tag === "body" && !isEdited(element))) return inner;
  const found = candidate(element, tag, role, style, inner);
  if (found && isAroundField(found, place)) return found.isPointer ? { ...inner, flags: inner.flags | CLAIMED } : inner;
  if (found && isDull) found.role = roleOf(element);
  if (found && addFound(result, found, inner)) return claimed(inner, found);
  // Content of a label inherits its cursor, and is no more clickable than the control.
  if (tag !== "label" || !element.control) return inner;
  return { ...inner, flags: inner.flags | (style?.cursor === "pointer" ? CLAIMED : 0), labelled: element.control };
}

/**
 * Return true for a part of a label that holds its control: a click on it is one on the label.
 * @param {Found} found
 * @param {Place} place
 */
function isAroundField({ element, isControl, isDraggable, isScrollable }, { labelled }) {
  return labelled !== null && !isControl && !isDraggable && !isScrollable && contains(element, labelled);
}

/**
 * Return the context of the content by the element's own attributes: mostly unchanged.
 * @param {Scan} result
 * @param {Element} element
 * @param {string} tag
 * @param {Place} place
 * @returns {Place}
 */
function placeIn(result, element, tag, place) {
  const isModal = tag === "dialog" && matches(element, ":modal");
  const flags = (hasAriaHidden(element) ? ARIA_HIDDEN : 0) | (hasAttribute(element, "inert") ? INERT : 0);
  if (isModal) result.modals.push(element);
  if (flags & INERT) result.hasInert = true;
  return flags || isModal ? { ...place, flags: place.flags | flags, modal: isModal ? element : place.modal } : place;
}

/**
 * Return the context of the content of an interactive element.
 * @param {Place} place
 * @param {Found} found
 * @returns {Place}
 */
function claimed(place, found) {
  if (found.isLeaf) return { ...place, flags: place.flags | CLAIMED | SETTLED, claim: found };
  return found.isPointer ? { ...place, flags: place.flags | CLAIMED, claim: found } : place;
}

/**
 * Add an element, unless its box is empty, or smaller than a pixel: the parts of a menu that is about to unfold.
 * @param {Scan} result
 * @param {Found} found
 * @param {Place} place
 */
function addFound(result, found, place) {
  const { box } = found;
  if (box.width <= 0 || box.height <= 0 || (!found.isControl && box.width < 1 && box.height < 1)) return false;
  if (found.isHeard && isFilling(box, place.claim)) return false;
  result.found.push(Object.assign(found, { isMuted: Boolean(place.flags & ARIA_HIDDEN), modal: place.modal }));
  return true;
}

/**
 * Return the number of accessible elements with that role and name.
 * @param {Scan} result
 * @param {string} role
 * @param {string} name
 */
export function countNamed(result, role, name) {
  let names = result.names.get(role);
  if (!names) {
    result.names.set(role, (names = new Map()));
    for (const element of result.byRole.get(role) ?? []) increment(names, nameOf(element));
  }
  return names.get(name) ?? 0;
}

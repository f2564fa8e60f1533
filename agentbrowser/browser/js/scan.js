"use strict";
/** One walk over the document and its open shadow roots: what is interactive, and what is unique. */

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
 */

/**
 * What holds for an element because of those that it is in.
 * @typedef {object} Place
 * @property {number} flags
 * @property {Element|null} modal
 * @property {number} depth
 */

const HIDDEN = 1; // not rendered
const MUTED = 2; // aria-hidden
const INERT = 4;
const CLAIMED = 8; // in a control, whose pointer its content inherits

const MAX_TEXT = 100;
const MAX_DEPTH = 1500;
const MIN_REACH = 2;

const HANDLERS =
  "[onclick],[ondblclick],[onmousedown],[onmouseup],[onpointerdown],[onpointerup],[ontouchstart],[ontouchend]";
const SIGNALS = `${HANDLERS},[tabindex],[draggable],[contenteditable]`;
const STAND_INS = new Set(["checkbox", "radio", "file"]);

/** Roles of things that are interactive when they can take the focus. */
const COMPOSITES = new Set(
  ("generic listbox grid tree treegrid gridcell cell row columnheader rowheader separator menu menubar tablist " +
    "radiogroup img application").split(" "),
);

/** @returns {Look} */
function scan() {
  const look = {
    found: [],
    ids: new Map(),
    testIds: new Map(),
    texts: new Map(),
    byRole: new Map(),
    names: new Map(),
    bodies: 0,
    modals: [],
  };
  labelIndex = new Map();
  const top = topOf(document);
  if (top) visit(look, top, { flags: 0, modal: null, depth: 0 });
  const isBlocked = (found) => look.modals.length > 0 && !found.modal;
  look.found = look.found.filter((found) => !isBlocked(found) && !isReplaced(found.element, found.tag));
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
  tally(look, element, tag);
  if (tag === "head") for (const child of element.children) tally(look, child, tagOf(child));
  if (tag === "head" || UNSEEN.has(tag) || place.depth > MAX_DEPTH) return "";
  const position = look.found.length;
  const inner = place.flags & HIDDEN ? { ...place, depth: place.depth + 1 } : assess(look, element, tag, place);
  const { text, share } = read(look, element, tag, inner);
  const own = share === OWN && text ? text.trim() : null;
  if (own) increment(look.texts, own);
  if (look.found[position]?.element === element) look.found[position].text = own;
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
  if (tag === "input" && PUSH_TYPES.has(element.type)) return { text: loosen(element.value), share: OWN };
  const shadow = shadowOf(element);
  const shaded = shadow ? readNodes(look, shadow, place).text : "";
  const { text, share } = readNodes(look, element, place);
  const isShaded = shaded === null || shaded.trim() !== "";
  return { text: joined(text, shaded), share: !isShaded ? share : share === EMPTY ? BORROWED : OWN };
}

/**
 * @param {Look} look
 * @param {Node} parent
 * @param {Place} place
 * @returns {{text: string|null, share: number}}
 */
function readNodes(look, parent, place) {
  let text = "";
  let share = EMPTY;
  for (let child = firstOf(parent); child; child = nextOf(child)) {
    const kind = kindOf(child);
    if (kind !== TEXT && kind !== ELEMENT) continue;
    const piece = kind === TEXT ? loosen(dataOf(child)) : visit(look, child, place);
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

/** @param {string} text */
function loosen(text) {
  return text.replace(INVISIBLE, "").replace(SPACES, " ");
}

/**
 * @param {Map<string, number>} counts
 * @param {string} key
 */
function increment(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * @param {Look} look
 * @param {Element} element
 * @param {string} tag
 */
function tally(look, element, tag) {
  const id = attributeOf(element, "id");
  const testId = attributeOf(element, "data-testid");
  if (id) increment(look.ids, id);
  if (testId) increment(look.testIds, testId);
  if (tag === "body") look.bodies++;
  if (tag === "label" && element.control) index(labelIndex, element.control, element);
}

/**
 * Index an element that may be seen, note it if it is interactive, and tell what holds for its content.
 * @param {Look} look
 * @param {any} element
 * @param {string} tag
 * @param {Place} place
 * @returns {Place}
 */
function assess(look, element, tag, place) {
  const style = place.flags & CLAIMED ? null : getComputedStyle(element);
  // A child of a shadow host that is in no slot has no display at all.
  if (style && (style.display === "none" || !style.display)) return { ...place, flags: place.flags | HIDDEN };
  const inner = { flags: place.flags, modal: place.modal, depth: place.depth + 1 };
  if (saysHidden(element)) inner.flags |= MUTED;
  if (hasAttribute(element, "inert")) inner.flags |= INERT;
  if (tag === "dialog" && matches(element, ":modal")) look.modals.push((inner.modal = element));
  const role = roleOf(element);
  if (NAMED.has(role) && !(inner.flags & MUTED) && isRendered(element, tag)) index(look.byRole, role, element);
  if (inner.flags & INERT || tag === "html" || tag === "body") return inner;
  const found = candidate(element, tag, role, style);
  if (found && keep(look, found, inner) && (found.isLeaf || found.isPointer)) inner.flags |= CLAIMED;
  return inner;
}

/**
 * @param {Map<string, Element[]>} lists
 * @param {string} key
 * @param {Element} element
 */
function index(lists, key, element) {
  const list = lists.get(key);
  if (list) list.push(element);
  else lists.set(key, [element]);
}

/**
 * Note an element, unless it takes no room.
 * @param {Look} look
 * @param {any} found
 * @param {Place} place
 */
function keep(look, found, place) {
  const { element } = found;
  if (!isShown(element)) return false;
  const box = boxOf(element);
  if (box.width <= 0 || box.height <= 0) return false;
  look.found.push(Object.assign(found, { box, isMuted: Boolean(place.flags & MUTED), modal: place.modal, text: null }));
  return true;
}

/**
 * What makes an element interactive; null if nothing does.
 * @param {any} element
 * @param {string} tag
 * @param {string|null} role
 * @param {CSSStyleDeclaration|null} style null in a control, where the pointer is inherited
 */
function candidate(element, tag, role, style) {
  if (tag === "label" && element.control) return standIn(element);
  if (tag === "option") return null;
  const signals = matches(element, SIGNALS);
  const isEditor = signals && isEditingHost(element);
  const isControl = isEditor || WIDGETS.has(role) || isNative(element, tag);
  const isPointer = style !== null && style.cursor === "pointer";
  const isClickable = isPointer || (signals && isActive(element, role));
  const isDraggable = signals && attributeOf(element, "draggable")?.toLowerCase() === "true";
  const isScrollable = style !== null && style.overflowY !== "visible" && isScroller(element, tag, style);
  if (!isControl && !isClickable && !isDraggable && !isScrollable) return null;
  const isLeaf = isControl && !isEditor;
  return { element, control: element, tag, role, isControl, isClickable, isDraggable, isScrollable, isLeaf, isPointer };
}

/**
 * @param {any} element
 * @param {string} tag
 */
function isNative(element, tag) {
  switch (tag) {
    case "button":
    case "select":
    case "textarea":
      return true;
    case "input":
      return element.type !== "hidden";
    case "a":
      return matches(element, ":any-link");
    case "summary":
      return element.matches("details > summary:first-of-type");
    case "audio":
    case "video":
      return hasAttribute(element, "controls");
    default:
      return false;
  }
}

/** @param {any} element */
function isEditingHost(element) {
  const said = attributeOf(element, "contenteditable");
  return said !== null && said.toLowerCase() !== "false" && isEdited(element);
}

/**
 * Whether the element listens to the pointer, or can take the focus and is no mere landmark.
 * @param {Element} element
 * @param {string|null} role
 */
function isActive(element, role) {
  if (matches(element, HANDLERS)) return true;
  return Number(attributeOf(element, "tabindex") ?? "-1") >= 0 && (role === null || COMPOSITES.has(role));
}

/**
 * @param {Element} element
 * @param {string} tag
 * @param {CSSStyleDeclaration} style
 */
function isScroller(element, tag, style) {
  if (tag === "textarea" || tag === "select") return false;
  const rolls = (overflow) => overflow === "auto" || overflow === "scroll";
  if (rolls(style.overflowY) && scrollHeightOf(element) > clientHeightOf(element) + 1) return true;
  return rolls(style.overflowX) && scrollWidthOf(element) > clientWidthOf(element) + 1;
}

/**
 * A label whose checkbox, radio button or file field is hidden, since the page draws its own.
 * @param {any} label
 */
function standIn(label) {
  const control = label.control;
  if (!STAND_INS.has(control.type) || isReachable(control)) return null;
  const traits = { isControl: true, isLeaf: true, isClickable: true, isDraggable: false, isScrollable: false };
  return { element: label, control, tag: "label", role: roleOf(control), isPointer: false, ...traits };
}

/**
 * Whether a label stands for this element.
 * @param {any} element
 * @param {string} tag
 */
function isReplaced(element, tag) {
  if (tag !== "input" || !STAND_INS.has(element.type) || isReachable(element)) return false;
  return (labelIndex.get(element) ?? []).some((label) => isShown(label) && boxOf(label).width > 0);
}

/**
 * Whether a control has a box that can be hit: not one clipped to a pixel or moved off the page.
 * @param {Element} control
 */
function isReachable(control) {
  if (!isShown(control)) return false;
  const box = boxOf(control);
  if (box.width <= MIN_REACH || box.height <= MIN_REACH) return false;
  return box.right + scrollX > 0 && box.bottom + scrollY > 0;
}

/**
 * How many elements that assistive technology sees have that role and that name.
 * @param {Look} look
 * @param {string} role
 * @param {string} name
 */
function countNamed(look, role, name) {
  let names = look.names.get(role);
  if (!names) {
    look.names.set(role, (names = new Map()));
    for (const element of look.byRole.get(role) ?? []) increment(names, nameOf(element));
  }
  return names.get(name) ?? 0;
}

/** Detection of interactive elements. */

import { labelIndex } from "../dom/memo.js";
import {
  attributeOf, checkVisibility, childCountOf, clientHeightOf, clientWidthOf, closest, contentBoxOf, editContextOf, hasAttribute,
  isEdited, matches, OPAQUE, parentOrHostOf, queryRoot, rootOf, scrollHeightOf, scrollWidthOf, tagOf, textContentOf,
} from "../dom/nodes.js";
import { hasRoleIn, roleOf, WIDGETS } from "../dom/roles.js";
import { secrets, textSecurityIn } from "../dom/secret_fields.js";
import { FIELD_TAGS } from "../dom/states.js";
import { areaBox, boxOf, imageOf, isContentsShown, isForKeys, isShown, isTransparent } from "../dom/visibility.js";
import { isClippedByAncestor, isClippedToNothing, isForEditor } from "../dom/clipping.js";
import { hasDrawing, isDrawnByLabel, markDrawnBy } from "./identity/drawn_controls.js";
import { isEdge } from "./listeners/edges.js";
import { isForDoubleClicks, isLostLabel, listeners } from "./listeners/click_listeners.js";

/** @import { Found, Place } from "./scan.js" */

export const HIDDEN = 1; // not rendered
export const ARIA_HIDDEN = 2; // aria-hidden
export const INERT = 4;
export const CLAIMED = 8; // inside a clickable element, whose cursor its content inherits
export const SETTLED = 16; // inside a control, whose content has listeners for it
export const CLIPPED = 32; // inside an element that clips its content to nothing

const MIN_REACH = 2;
/** Elements around a native control that may hide it, within its label. */
const MAX_WRAPPERS = 3;

const HANDLERS =
  "[onclick],[ondblclick],[onmousedown],[onmouseup],[onpointerdown],[onpointerup],[ontouchstart],[ontouchend]";
const SIGNALS = `${HANDLERS},[tabindex],[draggable],[contenteditable]`;
const MARK_TYPES = new Set(["checkbox", "radio"]);

/** Roles of elements that are interactive if they can take the focus. */
const COMPOSITES = new Set(`generic listbox grid tree treegrid gridcell cell row columnheader rowheader separator menu
menubar tablist radiogroup img application`.split(/\s/));

/** Marks of what opens something, which is no mere text whatever its role: the item of a menu without a role. */
const OPENER = "[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded]";

/** Roles of lists that move the focus to an item, and take the focus no longer themselves then. */
const ROVING = new Set(["grid", "listbox", "tree", "treegrid"]);
/** Those that have taken the focus: a list does not leave the page when its item gets it. @type {WeakSet<Element>} */
const hasMovedFocus = new WeakSet();

/**
 * Return an element as found, if it is interactive and visible; else null.
 * @param {any} element
 * @param {string} tag
 * @param {string|null} role
 * @param {CSSStyleDeclaration|null} style null inside a control, where the cursor is inherited
 * @param {Place} place
 * @returns {Found|null}
 */
export function candidate(element, tag, role, style, place) {
  if (tag === "label" && element.control) return visibleLabel(element);
  if (tag === "area") return imageArea(element, role);
  if (role === "textbox" && place.flags & SETTLED && isShownValue(element, tag)) return null;
  if (isPartOfSelect(element, tag)) return null;
  if (tag === "option") return isListed(element) ? newFound(element, tag, role, { isControl: true, isLeaf: true }) : null;
  const isUnseen = editContextOf(element) ? isTiny(boxOf(element)) : tag === "textarea" && place.flags & CLIPPED && isForEditor(element);
  if (role === "textbox" && isUnseen) return drawnEditor(element, tag);
  const traits = traitsOf(element, tag, role, style, place);
  const mark = traits.isPointer && !traits.isControl && isShown(element) ? markDrawnBy(element) : null;
  if (mark) return newFound(element, tag, roleOf(mark), { control: mark, isControl: true, isLeaf: true, isClickable: true });
  if (!isAnything(traits) || isDrawing(element, traits) || !(isShown(element) || (traits.isControl && isContentsShown(element)))) return null;
  if (isClippedAway(element, tag, style, place, traits.isControl) || isStandIn(element, tag, place)) return null;
  const isLeftOut = isUntouchable(element, style, traits.isControl) && (place.flags & ARIA_HIDDEN || !isForKeys(element, tag, role));
  return isLeftOut ? null : newFound(element, tag, role, traits);
}

/**
 * Return true for an element that only shows the value of the control that it is in, such as of a combobox.
 * @param {Element} element
 * @param {string} tag
 */
function isShownValue(element, tag) {
  return !FIELD_TAGS.has(tag) && attributeOf(element, "aria-readonly") === "true" && !matches(element, SIGNALS);
}

/**
 * Return true for the drawing of the checkbox or radio button before it: an element without words that has the cursor of
 * things to click, and no listener. A click on it does nothing that a click on the control does not do.
 * @param {Element} element
 * @param {{isControl: boolean, isPointer: boolean, isDraggable: boolean, isScrollable: boolean}} traits
 */
function isDrawing(element, { isControl, isPointer, isDraggable, isScrollable }) {
  if (!isPointer || isControl || isDraggable || isScrollable) return false;
  /** @type {any} */
  const input = element.previousElementSibling;
  if (!input || tagOf(input) !== "input" || !MARK_TYPES.has(input.type) || textContentOf(element)) return false;
  if (childCountOf(element) > 0 || matches(element, SIGNALS) || listeners.has(element) || !isReachable(input)) return false;
  const { left, right, top, bottom } = boxOf(input);
  const box = boxOf(element);
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  return x > left && x < right && y > top && y < bottom;
}

/**
 * Return true if a listener only serves something else that is used by itself: the edge of a column, or the label of a
 * control that the page draws.
 * @param {Element} element
 * @param {string} tag
 */
function isPart(element, tag) {
  return tag === "label" || hasAttribute(element, "for") ? labelledBy(element) : isEdge(element);
}

/**
 * Return true if another element of the same root has a label as its name, or is a field that the page draws for it; of
 * a label in a shadow root, if the host is one, as custom elements label one another.
 * @param {Element} label
 */
function labelledBy(label) {
  const id = attributeOf(label, "id");
  const drawn = attributeOf(label, "for");
  if (drawn && queryRoot(rootOf(label), `[id="${CSS.escape(drawn)}"]${tagOf(label) === "label" ? "[role]" : ""}`).length > 0) return true;
  const { host } = rootOf(label);
  if (host && labelledBy(host)) return true;
  return id !== null && queryRoot(rootOf(label), `[aria-labelledby~="${CSS.escape(id)}"]`).length > 0;
}

/** @param {{isControl: boolean, isClickable: boolean, isDraggable: boolean, isScrollable: boolean}} traits */
function isAnything({ isControl, isClickable, isDraggable, isScrollable }) {
  return isControl || isClickable || isDraggable || isScrollable;
}

/**
 * @param {any} element
 * @param {string} tag
 * @param {string|null} role
 * @param {CSSStyleDeclaration|null} style
 * @param {Place} place
 */
function traitsOf(element, tag, role, style, place) {
  const signals = matches(element, SIGNALS);
  const isEditor = (signals && isEditingHost(element)) || tag === "body";
  if (isEditor || tag === "input" || tag === "textarea") rememberMasked(element, style);
  const isControl = isEditor || hasRoleIn(WIDGETS, role) || isNative(element, tag);
  const cursor = style?.cursor ?? "";
  const isPointer = cursor === "pointer" && (tag !== "label" || !isLostLabel(element));
  const isPlainlyClickable = isPointer || (signals && isActive(element, role));
  const isHeard = !isControl && !isPlainlyClickable && !(place.flags & SETTLED) && !place.labelled && listeners.has(element) && !isPart(element, tag);
  const isDraggable = (signals && attributeOf(element, "draggable")?.toLowerCase() === "true") || isGrabbed(element, cursor);
  const isScrollable = style !== null && style.overflowY !== "visible" && isScroller(element, tag, style);
  const isClickable = isPlainlyClickable || isHeard;
  const isDouble = isClickable && !isControl && !isPointer && isForDoubleClicks(element);
  return { isControl, isClickable, isDraggable, isScrollable, isLeaf: isControl && !isEditor, isPointer, isHeard, isDouble };
}

/**
 * Return true if the cursor over an element, and not over all around it, is that of things to be moved.
 * @param {Element} element
 * @param {string} cursor
 */
function isGrabbed(element, cursor) {
  if (!cursor.endsWith("grab") && cursor !== "move") return false;
  const holder = parentOrHostOf(element);
  return holder !== null && getComputedStyle(holder).cursor !== cursor;
}

/**
 * Remember a field with masked text, before the page reveals it.
 * @param {Element} field
 * @param {CSSStyleDeclaration|null} style
 */
function rememberMasked(field, style) {
  if (textSecurityIn(style ?? getComputedStyle(field)) !== "none") secrets.add(field);
}

/**
 * @param {any} element
 * @param {string} tag
 * @param {string|null} role
 * @param {Partial<Found>} traits
 * @returns {Found}
 */
export function newFound(element, tag, role, traits) {
  const isPlain = traits.box === undefined && isShown(element);
  return {
    element, control: element, tag, role, box: isPlain ? boxOf(element) : traits.box ?? contentBoxOf(element), isPlain,
    isMuted: false, modal: null, isControl: false, isClickable: false, isDraggable: false, isScrollable: false,
    isLeaf: false, isPointer: false, isHeard: false, isDouble: false, isDropped: false, text: null, content: null, ...traits,
  };
}

/**
 * Return true if nothing of an element shows, as it or an ancestor clips it. File fields need not show: files are
 * uploaded without a click. Nor need sliders, if the page draws its own over them: they are set without a click. A link
 * may show once it has the focus; an element without words that only keeps the focus in a dialog never does, and it may
 * have a box of one pixel instead.
 * @param {any} element
 * @param {string} tag
 * @param {CSSStyleDeclaration|null} style
 * @param {Place} place
 * @param {boolean} isControl
 */
function isClippedAway(element, tag, style, place, isControl) {
  if (tag === "input" && (element.type === "file" || isDrawnSlider(element, style, place))) return false;
  if (place.flags & CLIPPED && isClippedByAncestor(element)) return true;
  const isNothing = !isControl && childCountOf(element) === 0 && !textContentOf(element);
  if (isNothing && place.flags & ARIA_HIDDEN && isTiny(boxOf(element))) return true;
  return (isNothing || FIELD_TAGS.has(tag)) && isClippedToNothing(style ?? getComputedStyle(element), () => boxOf(element));
}

/**
 * Return true if a slider that the keyboard reaches is clipped to nothing by its own style, or by that of an element made
 * for this: the page draws its thumb instead.
 * @param {any} element
 * @param {CSSStyleDeclaration|null} style
 * @param {Place} place
 */
function isDrawnSlider(element, style, place) {
  if (element.type !== "range" || element.tabIndex < 0 || place.flags & ARIA_HIDDEN) return false;
  if (!(place.flags & CLIPPED)) return isClippedToNothing(style ?? getComputedStyle(element), () => boxOf(element));
  const wrapper = parentOrHostOf(element);
  if (!wrapper || !isClippedToNothing(getComputedStyle(wrapper), () => boxOf(wrapper))) return false;
  return !isClippedByAncestor(wrapper);
}

/**
 * Return true if the pointer passes through an element that only the pointer could use, or that is transparent.
 * Transparency alone is no reason: the element may appear on hover, or lie over a drawing of it.
 * @param {Element} element
 * @param {CSSStyleDeclaration|null} style
 * @param {boolean} isControl
 */
function isUntouchable(element, style, isControl) {
  if ((style ?? getComputedStyle(element)).pointerEvents !== "none") return false;
  return !isControl || !checkVisibility(element, OPAQUE);
}

/**
 * Return true if a field only holds the value of a widget for the form, or a part of an editor's text: it or its text is
 * transparent, and it is hidden from assistive technology and from the keyboard. Checkboxes, radio buttons and file fields
 * so hidden take the clicks on a drawing.
 * @param {any} element
 * @param {string} tag
 * @param {Place} place
 */
function isStandIn(element, tag, { flags }) {
  if (!(flags & ARIA_HIDDEN) || !FIELD_TAGS.has(tag) || isDrawnByLabel(element)) return false;
  if (attributeOf(element, "tabindex") !== "-1") return false;
  return !checkVisibility(element, OPAQUE) || (element.readOnly && isTransparent(getComputedStyle(element).color));
}

/**
 * Return true for the button that draws a `<select>`, which takes its clicks and has its name.
 * @param {any} element
 * @param {string} tag
 */
export function isPartOfSelect(element, tag) {
  if (tag !== "button") return false;
  const parent = parentOrHostOf(element);
  return parent !== null && tagOf(parent) === "select";
}

/**
 * Return true if an option shows in a list box, and not in the browser's own menu or below the edge of the list. A menu
 * that the page styles (`appearance: base-select`) is part of the page.
 * @param {any} option
 */
function isListed(option) {
  const select = closest(option, "select");
  if (!select || !isShown(option) || isUntouchable(option, null, true)) return false;
  const { top, bottom, height } = boxOf(option);
  if (!(select.multiple || select.size > 1)) return height > 0;
  const list = boxOf(select);
  if (isTiny(list)) return false; // clipped to a pixel: the page draws the list itself
  return (top + bottom) / 2 > list.top && (top + bottom) / 2 < list.bottom;
}

/**
 * Return an element without any size as found, to which the keys of an editor go that the page draws around it.
 * @param {Element} element
 * @param {string} tag
 */
function drawnEditor(element, tag) {
  let editor = parentOrHostOf(element);
  while (editor && isTiny(boxOf(editor))) editor = parentOrHostOf(editor);
  return editor && isShown(editor) ? newFound(element, tag, "textbox", { box: boxOf(editor), isControl: true, isLeaf: true }) : null;
}

/**
 * Return an area of an image as found, if the image shows.
 * @param {any} area
 * @param {string|null} role
 */
function imageArea(area, role) {
  const image = imageOf(area);
  if (!image || !isShown(image) || !(hasAttribute(area, "href") || matches(area, HANDLERS) || listeners.has(area))) return null;
  const box = areaBox(area, image);
  return newFound(area, "area", role, { box, isControl: role === "link", isClickable: true, isLeaf: true });
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
      return matches(element, "details > summary:first-of-type");
    case "audio":
    case "video":
      return hasAttribute(element, "controls");
    default:
      return false;
  }
}

/** @param {any} element */
function isEditingHost(element) {
  const declared = attributeOf(element, "contenteditable");
  return declared !== null && declared.toLowerCase() !== "false" && isEdited(element);
}

/**
 * Return true if the element has inline pointer handlers, or can take the focus and is no landmark or opens something.
 * @param {Element} element
 * @param {string|null} role
 */
function isActive(element, role) {
  if (matches(element, HANDLERS)) return true;
  if (role !== null && !COMPOSITES.has(role) && !matches(element, OPENER)) return false;
  if (Number(attributeOf(element, "tabindex") ?? "-1") < 0) return hasMovedFocus.has(element) && matches(element, ":focus-within");
  if (hasRoleIn(ROVING, role)) hasMovedFocus.add(element);
  return true;
}

/**
 * @param {Element} element
 * @param {string} tag
 * @param {CSSStyleDeclaration} style
 */
function isScroller(element, tag, style) {
  if (tag === "textarea" || tag === "select") return false;
  const rolls = (/** @type {string} */ overflow) => overflow === "auto" || overflow === "scroll";
  if (rolls(style.overflowY) && scrollHeightOf(element) > clientHeightOf(element) + 1) return true;
  return rolls(style.overflowX) && scrollWidthOf(element) > clientWidthOf(element) + 1;
}

/**
 * Return a label as found, whose checkbox, radio button, switch or file field is hidden, as the page draws its own.
 * @param {any} label
 */
function visibleLabel(label) {
  const control = label.control;
  if (!isDrawnByLabel(control) || !isShown(label) || isReachable(control) || hasDrawing(control)) return null;
  return newFound(label, "label", roleOf(control), { control, isControl: true, isLeaf: true, isClickable: true });
}

/**
 * Return true if a visible label stands for this element.
 * @param {any} element
 */
export function isReplaced(element) {
  if (!isDrawnByLabel(element) || isReachable(element)) return false;
  return (labelIndex?.get(element) ?? []).some((label) => isShown(label) && boxOf(label).width > 0);
}

/** @param {DOMRect} box */
function isTiny({ width, height }) {
  return width <= MIN_REACH || height <= MIN_REACH;
}

/**
 * Return true if a control has a box that can be hit: not one clipped to a pixel or moved off the page.
 * @param {Element} control
 */
function isReachable(control) {
  if (!isShown(control)) return false;
  const box = boxOf(control);
  if (isTiny(box) || isUntouchable(control, null, true)) return false;
  if (isClippedToNothing(getComputedStyle(control), () => box) || isClippedByAncestor(control, MAX_WRAPPERS)) return false;
  return box.right + scrollX > 0 && box.bottom + scrollY > 0;
}

/**
 * Nested elements of which one click does for both: the wrapper of a control, such as the host of a button in a shadow
 * tree, or the parts of a clickable cell. Only one of them is listed, since both would have the same name.
 */

import { flatTreeParentOf } from "../../dom/hit_test.js";
import { attributeOf, contains, declaredOf, namesIn, parentOrHostOf, queryAll, rootOf, shadowOf } from "../../dom/nodes.js";
import { labelIndex } from "../../dom/memo.js";
import { hasRoleIn } from "../../dom/roles.js";
import { CHECKABLE, valueOf } from "../../dom/states.js";
import { isShown } from "../../dom/visibility.js";
import { nameFor } from "../element_fields.js";
import { dropListener, hasGestureListener, isDelegate, isFilling, isInMiddle, listenIn } from "./click_listeners.js";

/** @import { Found } from "../scan.js" */

const MARKS = "input[type=checkbox], input[type=radio]";
/** Roles of groups that only pass the focus on to their items, which are listed. */
const GROUPS = new Set(["menu", "menubar", "radiogroup", "tablist"]);
const LABELS = ["aria-label", "aria-labelledby", "title"];
const ROLES = new Set([null, "generic", "listitem", "none", "presentation"]);

/**
 * Return the place of the nearest listed element around each one; -1 for none.
 * @param {Found[]} all in document order
 */
export function holdersOf(all) {
  const places = new Map(all.map(({ element }, place) => [element, place]));
  return all.map(({ element }) => {
    let node = flatTreeParentOf(element);
    while (node && !places.has(node)) node = flatTreeParentOf(node);
    return places.get(node) ?? -1;
  });
}

/**
 * Drop the elements whose click is that of one around or in them.
 * @param {Found[]} all in document order
 */
export function dropNested(all) {
  dropWrappersOfSlots(all);
  dropDrawings(all);
  dropInnerControls(all);
  const there = all.filter(({ isDropped }) => !isDropped);
  const holders = holdersOf(there);
  /** @type {number[]} number of elements right in each */
  const counts = there.map(() => 0);
  for (const holder of holders) if (holder >= 0) counts[holder]++;
  for (let i = there.length - 1; i >= 0; i--) {
    const inner = there[i];
    let holder = inner.isDropped ? -1 : holders[i];
    while (holder >= 0 && counts[holder] === 1 && isWrapper(there[holder], inner)) {
      dropListener(there[holder]);
      holder = holders[holder];
    }
    if (holder < 0) continue;
    const outer = there[holder];
    const isBox = inner.role === "combobox" && isWrapper(outer, inner); // there are buttons beside its field
    if ((counts[holder] > 1 && isStop(outer)) || isGroup(outer) || isBox) dropListener(outer);
    if (isHandle(outer, inner)) moveHandle(outer, inner);
    else if (isPart(inner, outer) || isTwin(inner, outer) || isLinkOf(inner, outer)) dropListener(inner);
    else if (isInLabel(inner, outer)) inner.isDropped = true;
  }
}

/**
 * Drop the elements of shadow trees whose listener is for what their slots show: it was not known yet when the walk judged
 * them.
 * @param {Found[]} all in document order
 */
function dropWrappersOfSlots(all) {
  const outers = new Map();
  for (const found of all) if (found.isHeard && !found.isDropped && rootOf(found.element) !== document) outers.set(found.element, []);
  if (outers.size === 0) return;
  for (const found of all) {
    if (found.isDropped) continue;
    let node = flatTreeParentOf(found.element);
    while (node && !outers.has(node)) node = flatTreeParentOf(node);
    if (node) outers.get(node).push(found);
  }
  for (const found of all) if (isDelegate(found, outers.get(found.element) ?? [])) dropListener(found);
}

/** Elements before or behind a drawing among which its control is. */
const NEAR = 3;

/**
 * Drop the drawings of a control that lies over them: they have no words, and assistive technology does not get them.
 * @param {Found[]} all in document order
 */
function dropDrawings(all) {
  for (let i = 0; i < all.length; i++) {
    const found = all[i];
    if (i > 0 && found.content && isLabelOf(found, all[i - 1])) dropListener(found);
    if (found.content !== "" || !isPlainTarget(found)) continue;
    const near = all.slice(Math.max(0, i - NEAR), i + NEAR + 1);
    if (near.some((other) => isDrawnBy(other, found))) dropListener(found);
  }
}

/**
 * Return true if a clickable label is that of the checkbox or radio button before it, which has its name.
 * @param {Found} label
 * @param {Found} control
 */
function isLabelOf(label, control) {
  if (label.tag !== "label" || !hasRoleIn(CHECKABLE, control.role) || label.element.previousElementSibling !== control.element) return false;
  return isPlainTarget(label) && label.content === nameFor(control);
}

/**
 * Return true if an element without words draws a control: that lies over it, or it is the track of a switch or a slider.
 * @param {Found} control
 * @param {Found} drawing
 */
function isDrawnBy({ element, role, box, isControl, isMuted }, drawing) {
  if (!isControl || isMuted) return false;
  if (drawing.isMuted && isFilling(box, drawing)) return true;
  if (role !== "slider" && !hasRoleIn(CHECKABLE, role)) return false;
  const holder = parentOrHostOf(drawing.element);
  return holder !== null && contains(holder, element) && isOver(box, drawing.box) && nameFor(drawing) === "";
}

/**
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
function isOver(one, other) {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

/**
 * Drop the checkboxes and switches that only draw the host of their shadow tree, which has the same role and the state,
 * and the comboboxes that do not take the focus, around a field that is one and does.
 * @param {Found[]} all in document order
 */
function dropInnerControls(all) {
  const boxes = all.filter(({ role }) => role === "combobox");
  for (const outer of boxes) {
    if (!takesKeys(outer) && boxes.some((inner) => takesKeys(inner) && contains(outer.element, inner.element))) outer.isDropped = true;
  }
  dropDoubleLabels(all);
  const roles = new Map(all.map(({ element, role }) => [element, role]));
  for (const found of all) {
    if (!hasRoleIn(CHECKABLE, found.role)) continue;
    if (isAroundCheckable(found)) found.isDropped = true;
    const { host } = rootOf(found.element);
    if (host && roles.get(host) === found.role && declaredOf(host, "aria-checked") !== null) found.isDropped = true;
  }
}

/**
 * Return true for a checkbox that does not take the focus, around its field that does and has the state.
 * @param {Found} found
 */
function isAroundCheckable(found) {
  if (found.tag === "input" || found.element !== found.control || takesKeys(found)) return false;
  const [field, ...others] = queryAll(found.element, MARKS);
  return Boolean(field) && others.length === 0 && field.tabIndex >= 0 && isShown(field);
}

/**
 * Drop the second of two labels that stand for one hidden control, but for that around it, which draws it.
 * @param {Found[]} all in document order
 */
function dropDoubleLabels(all) {
  const labels = new Map();
  for (const found of all) {
    if (found.element === found.control) continue;
    const other = labels.get(found.control);
    const isAround = contains(found.element, found.control);
    if (other) (isAround ? other : found).isDropped = true;
    if (!other || isAround) labels.set(found.control, found);
  }
}

/**
 * Return true if an element is clickable as a whole, and has no more than that: no role, and no label of its own.
 * @param {Found} found
 * @param {string} [name] what its labels may be: that of a control in it, or its own words
 */
function isPlainTarget({ element, role, isClickable, isControl, isDraggable, isScrollable }, name) {
  if (!isClickable || isControl || isDraggable || isScrollable || !ROLES.has(role)) return false;
  return ["aria-label", "title"].every((label) => [null, name].includes(attributeOf(element, label)));
}

/** @param {Found} found */
function takesFocus({ element }) {
  return attributeOf(element, "tabindex") !== null;
}

/** @param {Found} found */
function takesKeys({ element }) {
  return /** @type {HTMLElement} */ (element).tabIndex >= 0;
}

/**
 * Return true if an element is only a stop of the keyboard, which moves the focus to the elements in it.
 * @param {Found} found
 */
function isStop(found) {
  return isPlainTarget(found) && takesFocus(found) && !found.isPointer && !found.isHeard && listenIn(null) && !hasGestureListener(found.element);
}

/**
 * Return true if an element only groups the items in it, and has no label: its words would be theirs once more.
 * @param {Found} found
 */
function isGroup({ element, role, isControl, isPointer }) {
  return !isControl && !isPointer && GROUPS.has(role ?? "") && LABELS.every((label) => attributeOf(element, label) === null);
}

/**
 * Return true if an inner element is a part of a clickable one: it has all of its words, and its middle.
 * @param {Found} inner
 * @param {Found} outer
 */
function isPart(inner, outer) {
  if (!isPlainTarget(inner, inner.content ?? undefined) || takesFocus(inner) || !(outer.isClickable || outer.isControl) || inner.isDouble !== outer.isDouble) return false;
  return Boolean(inner.content) && inner.content === outer.content && isInMiddle(inner, outer);
}

/** Roles of items that may hold the link which they were made of. */
const LINKED = new Set(["menuitem", "option", "tab", "treeitem"]);

/**
 * Return true if a link is only what an item of a menu or a row of tabs was made of: it has the item's words and middle, and
 * no state of its own, unless the keyboard does not reach it, or it leads nowhere.
 * @param {Found} inner
 * @param {Found} outer
 */
function isLinkOf(inner, outer) {
  if (inner.tag !== "a" || !outer.isControl || !LINKED.has(outer.role ?? "")) return false;
  const isReached = attributeOf(inner.element, "tabindex") !== "-1" && (inner.isControl || attributeOf(inner.element, "href") !== null);
  if (isReached && namesIn(inner.element).some((name) => name.startsWith("aria-"))) return false;
  return Boolean(inner.content) && inner.content === outer.content && isInMiddle(inner, outer);
}

/**
 * Return true if a button only draws the checkbox or radio button of its label, whose words it has: keys do not reach it.
 * @param {Found} inner
 * @param {Found} outer
 */
function isInLabel(inner, outer) {
  if (outer.element === outer.control || inner.tag !== "button" || attributeOf(inner.element, "tabindex") !== "-1") return false;
  const name = nameFor(inner);
  return name !== "" && nameFor(outer).includes(name);
}

/**
 * Return true if a control in another one is the same to a user: it has its role, its words and its states, and not the
 * focus, as the inner tab of two.
 * @param {Found} inner
 * @param {Found} outer
 */
function isTwin(inner, outer) {
  if (!inner.isControl || !outer.isControl || inner.role !== outer.role || attributeOf(inner.element, "role") === null) return false;
  if (takesFocus(inner) || !inner.content || inner.content !== outer.content || !isInMiddle(inner, outer)) return false;
  const states = namesIn(inner.element).filter((name) => name.startsWith("aria-"));
  return states.every((name) => attributeOf(inner.element, name) === attributeOf(outer.element, name));
}

/**
 * Return true if an element can only be dragged, and holds a clickable one with all of its words: to drag that drags it. A
 * link is dragged itself; if it lies in the element's middle, a drag of the element would drag the link, too.
 * @param {Found} outer
 * @param {Found} inner
 */
function isHandle(outer, inner) {
  const { content, role, isClickable, isControl, isDraggable, isScrollable } = outer;
  if (!isDraggable || isClickable || isControl || isScrollable || !ROLES.has(role)) return false;
  return (isPlainTarget(inner) || (inner.isControl && isInMiddle(inner, outer))) && Boolean(content) && inner.content === content;
}

/**
 * @param {Found} outer
 * @param {Found} inner
 */
function moveHandle(outer, inner) {
  outer.isDraggable = false;
  outer.isDropped = true;
  inner.isDraggable = true;
}

/**
 * Return true if an element only wraps a control or an icon, which fills it or is in its middle, and has no words that the control
 * lacks.
 * @param {Found} outer
 * @param {Found} inner
 */
function isWrapper(outer, inner) {
  const isIcon = !inner.content && (inner.role === "img" || isAlone(inner, outer));
  if (!(inner.isControl || isIcon) || outer.isDouble || !isPlainTarget(outer, nameFor(inner))) return false;
  if (inner.role === "combobox" && outer.content && ["", outer.content].includes(valueOf(inner.control, inner.role) ?? "")) return true; // its choice is drawn beside it, or what stands for none
  // A host gives the focus on to the control in its shadow tree.
  if (takesKeys(outer) && rootOf(inner.element) !== shadowOf(outer.element)) return false;
  if (!isFilling(inner.box, outer) && !isInMiddle(inner, outer)) return isAroundLabelled(outer, inner);
  return outer.content === "" || outer.content === inner.content || outer.content === nameFor(inner);
}

const MAX_CELL = 64;

/**
 * Return true if neither a small element nor the one in it has words, such as a cell and the box in it that ticks the row.
 * @param {Found} inner
 * @param {Found} outer
 */
function isAlone(inner, { box, content }) {
  return content === "" && inner.content === "" && Math.max(box.width, box.height) <= MAX_CELL && isPlainTarget(inner);
}

/**
 * Return true if an element has a checkbox or radio button beside its label, and no other words: a click on those checks it.
 * @param {Found} outer
 * @param {Found} inner
 */
function isAroundLabelled(outer, inner) {
  const name = nameFor(inner);
  if (!hasRoleIn(CHECKABLE, inner.role) || ![name, `${inner.content} ${name}`].includes(nameFor(outer))) return false;
  return (labelIndex?.get(inner.control) ?? []).some((label) => contains(outer.element, label));
}

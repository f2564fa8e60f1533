/**
 * Items of a list whose click listener is on the list: options of a drop-down, rows of a table, nodes of a tree. A
 * listener on a page's root or on a large part of it makes no items, as frameworks and analytics have them there.
 */

import {
  attributeOf, childCountOf, childElementsOf, collapseSpaces, firstElementOf, hasAttribute, matches, parentOrHostOf,
  queryAll, SPACES, tagOf, textContentOf,
} from "../../dom/nodes.js";
import { flatTreeParentOf } from "../../dom/hit_test.js";
import { addToList } from "../../dom/memo.js";
import { hasRoleIn, roleOf } from "../../dom/roles.js";
import { boxOf, isShown } from "../../dom/visibility.js";
import { isEdge } from "./edges.js";
import { newFound } from "../interactive.js";
import { isFilling, isForDoubleClicks, isInMiddle, isPressable, isRow } from "./click_listeners.js";
import { isFilledByList, labelOf, nestedLists, ownTextNodes } from "../../dom/nested_lists.js";
import { isLineNumber, isPageRoot, namedActions, repeatedItems } from "./repeated_items.js";

/** @import { Found } from "../scan.js" */

const LISTS =
  "ul, ol, menu, table, tbody, [role=list], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=group], " +
  "[role=rowgroup], [role=grid], [role=radiogroup], [role=tablist]";
const ITEM_TAGS = new Set("div span li a td img svg g rect circle path label dd".split(" "));
const SEPARATORS = "[role=separator], [role=presentation], [role=none], hr, script, style, template";
/** Parts of a page, whose listeners are for the whole of it; and rows with a listener of their own. */
const PARTS = "main, form, article, section, header, footer, aside, dialog, fieldset, tr, li";
const DIALOGS = "dialog, [role=dialog], [role=alertdialog]";
/** Roles of cells whose listener sorts by them, whatever arrows are drawn in them. */
const HEADERS = new Set(["columnheader", "rowheader"]);
const FIELDS = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider", "switch", "listbox"]);
const MAX_WRAPPERS = 4;
const MAX_ITEMS = 200;
const MIN_ALIKE = 3;
const MIN_EMPTY = 0.3;
const MIN_SIDE = 4;
const LONGEST_ITEM = 160;
const LONGEST_CELL = 3;

/**
 * Targets in progress.
 * @typedef {object} Choice
 * @property {Set<Element>} known elements that are interactive already
 * @property {Set<Element>} busy elements that are or hold interactive elements, and are therefore no targets
 * @property {Element[]} targets
 */

/**
 * Return the items of an element with a listener, in document order; none if the listener is for the element itself, or for
 * interactive elements inside it.
 * @param {Found} outer
 * @param {Found[]} inner the interactive elements in it
 * @returns {Found[]}
 */
export function delegatedItems(outer, inner) {
  if (isRow(outer) || HEADERS.has(outer.role)) return [];
  const isPressed = isPressable(outer.element);
  const list = listIn(outer);
  const known = new Set(inner.map(({ element }) => element));
  if (list && matches(list, LISTS)) return asFound({ known, ...listTargets(itemsOf(list, isPressed), outer, inner, isPressed) }, outer);
  const isOfParts = isPressed && !isPageRoot(outer.element) && !isWindow(outer.element);
  const isDeliberate = isSmallPart(outer) || isOfParts;
  const controls = new Set(inner.filter(({ isControl }) => isControl).map(({ element }) => element));
  const isOfControl = (/** @type {Element} */ item) => {
    // The icon in a button is none, nor is one that the slot of a button's shadow tree shows, nor the words of a label.
    for (let node = /** @type {any} */ (item); node && node !== outer.element; node = flatTreeParentOf(node)) {
      if (controls.has(node) || (tagOf(node) === "label" && controls.has(node.control))) return true;
    }
    return false;
  };
  const repeated = repeatedItems(outer.element, isDeliberate).filter((item) => !isOfControl(item));
  const children = isOfParts && isSparse(outer) ? alikeIn(outer.element).filter((child) => textContentOf(child).trim()) : [];
  const items = repeated.length ? repeated : list ? alikeIn(list) : children;
  const busy = busyIn(items, outer, inner, isPressed);
  const targets = items.filter((item) => !busy.has(item));
  if (!targets.length || (!repeated.length && targets.length * 2 < items.length)) return [];
  return asFound({ known, targets: isSmallPart(outer) ? [...targets, ...leftOver(outer.element, targets, inner)] : targets }, outer);
}

/**
 * Return the targets of a list: its items, or those of the lists in them if the items hold interactive elements.
 * @param {Element[]} items
 * @param {Found} outer
 * @param {Found[]} inner
 * @param {boolean} isPressed
 */
function listTargets(items, outer, inner, isPressed) {
  /** @type {Choice} */
  const choice = { known: new Set(inner.map(({ element }) => element)), busy: busyIn(items, outer, inner, isPressed), targets: [] };
  const isElsewhere = items.filter((item) => choice.busy.has(item)).length * 2 > items.length;
  if (items.length > 1) for (const item of items) (isElsewhere ? addNested : addTargets)(item, choice);
  return { targets: choice.targets };
}

/**
 * Return the elements that are no targets, as they are or hold interactive elements. An item for presses may hold some.
 * @param {Element[]} items
 * @param {Found} outer
 * @param {Found[]} inner
 * @param {boolean} isPressed
 * @returns {Set<Element>}
 */
function busyIn(items, outer, inner, isPressed) {
  const all = new Set(items);
  const others = inner.filter((found) => found.isControl || !all.has(found.element));
  if (!isPressed) return holdersOf(others, outer.element);
  /** @type {Map<Element, Found[]>} */
  const held = new Map();
  for (const found of others) for (const item of around(found, all)) addToList(held, item, found);
  const isBusy = (/** @type {[Element, Found[]]} */ [item, inside]) =>
    inside.some((found) => isField(found) || isFilling(found.box, /** @type {any} */ ({ box: boxOf(item) }))) || isBar(item, inside) || isWrapper(item, inside);
  return new Set([...held].filter(isBusy).map(([item]) => item));
}

/**
 * Return true for a field to write in or to choose with: what holds it is a part of a form.
 * @param {Found} found
 */
function isField({ isControl, role }) {
  return isControl && hasRoleIn(FIELDS, role);
}

/**
 * Return true if an element is only a row of buttons or tabs: all of its words are theirs.
 * @param {Element} item
 * @param {Found[]} inside
 */
function isBar(item, inside) {
  const words = inside.filter(({ isControl, content }) => isControl && content).map(({ content }) => content).join("");
  return inside.length >= MIN_ALIKE && words.replaceAll(" ", "") === textContentOf(item).replace(SPACES, "");
}

/**
 * Return true if an element without words only holds a control in its middle, such as the button of an icon.
 * @param {Element} item
 * @param {Found[]} inside
 */
function isWrapper(item, inside) {
  const whole = /** @type {any} */ ({ box: boxOf(item) });
  return !textContentOf(item).trim() && inside.some((found) => found.isControl && isInMiddle(found, whole));
}

/**
 * Return true if the children of an element leave most of it free, as the cards of a column do.
 * @param {Found} outer
 */
function isSparse({ element, box }) {
  const sum = childElementsOf(element).map(boxOf).reduce((area, { width, height }) => area + width * height, 0);
  return sum > 0 && sum * 2 < box.width * box.height;
}

/**
 * Return the items of the lists that are nested in a clickable item, such as the entries of a submenu; null if the item has
 * none, or no words of its own.
 * @param {Found} outer
 * @param {Found[]} inner
 * @returns {Found[]|null}
 */
export function nestedItems(outer, inner) {
  const nested = nestedLists(outer.element).filter(isShown);
  if (!nested.length || !(ownTextNodes(outer.element).length || labelOf(outer.element, nested))) return null;
  /** @type {Choice} */
  const choice = { known: new Set(inner.map(({ element }) => element)), busy: holdersOf(inner.filter(isOther), outer.element), targets: [] };
  for (const item of nested.flatMap(childElementsOf).filter(isItem)) addTargets(item, choice);
  return asFound(choice, outer);
}

/**
 * Return the elements that a listener of the document is for, by the actions that they name.
 * @param {Found[]} found all interactive elements
 * @returns {Found[]}
 */
export function documentItems(found) {
  const targets = namedActions();
  if (!targets.length) return [];
  const known = new Set(found.map(({ element }) => element));
  const isInside = (/** @type {Element} */ element) => {
    for (let node = parentOrHostOf(element); node; node = parentOrHostOf(node)) if (known.has(node)) return true;
    return false;
  };
  const added = targets.filter((element) => !known.has(element) && !isInside(element) && isItem(element));
  return added.map((element) => newFound(element, tagOf(element), roleOf(element), { isClickable: true, isHeard: true }));
}

/** @param {Found} found */
function isOther({ isControl, tag }) {
  return isControl || tag !== "li";
}

/**
 * @param {{targets: Element[], known: Set<Element>}} choice
 * @param {Found} outer
 */
function asFound({ targets, known }, outer) {
  const added = targets.slice(0, MAX_ITEMS).filter((element) => !known.has(element));
  return added.map((element) => itemFound(element, outer)).filter(isLargeEnough);
}

/**
 * Return the elements from some interactive elements up to their holder, without it.
 * @param {Found[]} inner
 * @param {Element} holder
 */
function holdersOf(inner, holder) {
  const busy = new Set();
  for (const { element } of inner) {
    for (let node = element; node && node !== holder && !busy.has(node); node = parentOrHostOf(node)) busy.add(node);
  }
  return busy;
}

/**
 * Return the items that are or hold an element.
 * @param {Found} found
 * @param {Set<Element>} items
 */
function around({ element }, items) {
  const holders = [];
  for (let node = element; node; node = parentOrHostOf(node)) if (items.has(node)) holders.push(node);
  return holders;
}

/**
 * Return the children of a small element that hold none of its items, but words: the button of a drop-down.
 * @param {Element} holder
 * @param {Element[]} items
 * @param {Found[]} inner
 */
function leftOver(holder, items, inner) {
  const taken = [...items, ...inner.map(({ element }) => element)];
  return childElementsOf(holder).filter((child) => isItem(child) && textContentOf(child).trim() && !taken.some((one) => child.contains(one)));
}

/**
 * Return true for a dialog, or a wrapper of one: presses move it, raise it, or close it from beside it.
 * @param {Element} element
 */
function isWindow(element) {
  let node = element;
  for (let step = 0; step < MAX_WRAPPERS; step++) {
    if (matches(node, DIALOGS)) return true;
    const inner = childCountOf(node) === 1 ? firstElementOf(node) : null;
    if (!inner) return false;
    node = inner;
  }
  return false;
}

/** @param {Found} outer */
function isSmallPart({ element, box }) {
  return box.width * box.height <= (innerWidth * innerHeight) / 8 && !matches(element, PARTS);
}

/**
 * Return the list that an element is, or wraps; null for none.
 * @param {Found} outer
 * @returns {any}
 */
function listIn({ element, box }) {
  const isSmall = box.width * box.height <= (innerWidth * innerHeight) / 2;
  let node = element;
  for (let step = 0; node && step < MAX_WRAPPERS; step++) {
    if (matches(node, LISTS)) return node;
    if (!isSmall || matches(node, PARTS)) return null;
    if (alikeIn(node).length >= MIN_ALIKE) return node;
    node = childCountOf(node) === 1 ? firstElementOf(node) : null;
  }
  return null;
}

/**
 * Return the children that are items.
 * @param {Element} list
 * @param {boolean} isPressed
 * @returns {Element[]}
 */
function itemsOf(list, isPressed) {
  const tag = tagOf(list);
  if (tag === "table" || tag === "tbody" || roleOf(list) === "grid") return cellsOrRows(list, isPressed);
  return matches(list, LISTS) ? childElementsOf(list).filter(isItem) : alikeIn(list);
}

/**
 * Return the rows of a table; its cells if it is a calendar or a spreadsheet.
 * @param {Element} table
 * @param {boolean} isPressed
 */
function cellsOrRows(table, isPressed) {
  const rows = [...queryAll(table, "tr, [role=row]")].filter((row) => childElementsOf(row).some((cell) => tagOf(cell) !== "th") && isItem(row));
  const cells = rows.flatMap(childElementsOf).filter((cell) => tagOf(cell) !== "th");
  if (cells.length < 2 * rows.length) return rows;
  const areCells = isCalendar(cells, rows) || (isPressed && isSheet(cells)) || repeatedItems(table, false).filter(isCell).length * 2 > cells.length;
  return areCells ? cells.filter(isItem) : rows;
}

/**
 * Return true if cells are as short as those of a calendar.
 * @param {Element[]} cells
 * @param {Element[]} rows
 */
function isCalendar(cells, rows) {
  return cells.length >= MIN_ALIKE * rows.length && cells.every((cell) => textContentOf(cell).trim().length <= LONGEST_CELL);
}

/**
 * Return true if cells are to be edited: many are empty, or they have the cursor of a spreadsheet.
 * @param {Element[]} cells
 */
function isSheet(cells) {
  const empty = cells.filter((cell) => !textContentOf(cell).trim()).length;
  return empty >= cells.length * MIN_EMPTY || /^(cell|text)$/.test(getComputedStyle(cells[0]).cursor);
}

/** @param {Element} element */
function isCell(element) {
  return tagOf(element) === "td" || roleOf(element) === "gridcell";
}

/**
 * Return the children of one kind, if there are several and nothing else.
 * @param {Element} holder
 * @returns {Element[]}
 */
function alikeIn(holder) {
  const children = childElementsOf(holder).filter(isItem);
  const kinds = new Set(children.map(kindOfItem));
  const isShort = (/** @type {Element} */ child) => collapseSpaces(textContentOf(child)).length <= LONGEST_ITEM;
  return kinds.size === 1 && !kinds.has("") && children.every(isShort) ? children : [];
}

/** @param {Element} element */
function kindOfItem(element) {
  const mark = attributeOf(element, "class")?.trim().split(SPACES)[0] || attributeOf(element, "role");
  return ITEM_TAGS.has(tagOf(element)) && (mark || tagOf(element) === "li") ? `${tagOf(element)} ${mark}` : "";
}

/** @param {Element} element */
function isItem(element) {
  return isShown(element) && !matches(element, SEPARATORS) && !hasAttribute(element, "inert") && !isLineNumber(element);
}

/**
 * Add the target of an item: itself, or its label if more items are nested in it, as in a tree.
 * @param {Element} item
 * @param {Choice} choice
 */
function addTargets(item, choice) {
  const { busy, known, targets } = choice;
  const nested = nestedLists(item);
  const label = nested.length ? labelOf(item, nested) : null;
  const target = label && !known.has(item) ? label : item;
  const isUsable = target === label || !nested.length || !isFilledByList(item, nested) || ownTextNodes(item).length > 0;
  if (isUsable && !busy.has(target)) targets.push(target);
  addNested(item, choice);
}

/**
 * Add the targets of the lists that are nested in an item.
 * @param {Element} item
 * @param {Choice} choice
 */
function addNested(item, choice) {
  for (const list of nestedLists(item).filter(isShown)) {
    for (const child of childElementsOf(list).filter(isItem)) addTargets(child, choice);
  }
}

/**
 * @param {any} element
 * @param {Found} outer
 */
function itemFound(element, { element: holder, isMuted, modal }) {
  const isDouble = isForDoubleClicks(holder);
  return newFound(element, tagOf(element), roleOf(element), { isClickable: true, isHeard: true, isDouble, isMuted, modal });
}

/** @param {Found} item */
function isLargeEnough({ element }) {
  const { width, height } = boxOf(element);
  return width >= MIN_SIDE && height >= MIN_SIDE && !isEdge(element);
}

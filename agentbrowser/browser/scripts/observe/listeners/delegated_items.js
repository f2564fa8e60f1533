/**
 * Items of a list whose click listener is on the list: options of a drop-down, rows of a table, nodes of a tree. A
 * listener on a page's root or on a large part of it makes no items, as frameworks and analytics have them there.
 */

import {
  attributeOf, childCountOf, collapseSpaces, firstElementOf, hasAttribute, matches, nextElementOf, parentOrHostOf, queryAll,
  SPACES, tagOf, textContentOf,
} from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { boxOf, isShown } from "../../dom/visibility.js";
import { newFound } from "../interactive.js";
import { isRow } from "./click_listeners.js";

/** @import { Found } from "../scan.js" */

const LISTS =
  "ul, ol, menu, table, tbody, [role=list], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=group], " +
  "[role=rowgroup], [role=grid], [role=radiogroup], [role=tablist]";
const NESTED = "ul, ol, [role=group], [role=tree]";
const ITEM_TAGS = new Set("div span li a td img svg g rect circle path label dd".split(" "));
const SEPARATORS = "[role=separator], [role=presentation], [role=none], hr, script, style, template";
/** Parts of a page, whose listeners are for the whole of it; and rows with a listener of their own. */
const PARTS = "main, form, article, section, header, footer, aside, dialog, fieldset, tr, li";
const MAX_WRAPPERS = 4;
const MAX_ITEMS = 200;
const MIN_ALIKE = 3;
const MIN_SIDE = 4;
const LONGEST_ITEM = 160;
const LONGEST_CELL = 3;

/**
 * Return the items of an element with a click listener, in document order; none if the listener is for the element
 * itself, or for interactive elements inside it.
 * @param {Found} outer
 * @param {Found[]} inner the interactive elements in it
 * @returns {Found[]}
 */
export function delegatedItems(outer, inner) {
  const list = isRow(outer) ? null : listIn(outer);
  if (!list) return [];
  const busy = new Set();
  for (const { element } of inner) {
    for (let node = element; node && node !== list && !busy.has(node); node = parentOrHostOf(node)) busy.add(node);
  }
  const items = itemsOf(list);
  if (items.length < 2 || items.filter((item) => busy.has(item)).length * 2 > items.length) return [];
  const targets = [];
  for (const item of items) addTargets(item, busy, targets);
  return targets.slice(0, MAX_ITEMS).map((element) => itemFound(element, outer)).filter(isLargeEnough);
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
 * @returns {Element[]}
 */
function itemsOf(list) {
  const tag = tagOf(list);
  if (tag === "table" || tag === "tbody" || roleOf(list) === "grid") return cellsOrRows(list);
  return matches(list, LISTS) ? childrenOf(list).filter(isItem) : alikeIn(list);
}

/**
 * Return the rows of a table; its cells if they are as short as those of a calendar.
 * @param {Element} table
 * @returns {Element[]}
 */
function cellsOrRows(table) {
  const rows = [...queryAll(table, "tr, [role=row]")].filter((row) => childrenOf(row).some((cell) => tagOf(cell) !== "th") && isItem(row));
  const cells = rows.flatMap(childrenOf);
  const isCalendar = cells.length >= MIN_ALIKE * rows.length && cells.every((cell) => textContentOf(cell).trim().length <= LONGEST_CELL);
  return isCalendar ? cells.filter(isItem) : rows;
}

/**
 * Return the children of one kind, if there are several and nothing else.
 * @param {Element} holder
 * @returns {Element[]}
 */
function alikeIn(holder) {
  const children = childrenOf(holder).filter(isItem);
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
function childrenOf(element) {
  const children = [];
  for (let child = firstElementOf(element); child; child = nextElementOf(child)) children.push(child);
  return children;
}

/** @param {Element} element */
function isItem(element) {
  return isShown(element) && !matches(element, SEPARATORS) && !hasAttribute(element, "inert");
}

/**
 * Add the target of an item: itself, or its label if more items are nested in it, as in a tree.
 * @param {Element} item
 * @param {Set<Element>} busy elements that are or have interactive elements
 * @param {Element[]} targets
 */
function addTargets(item, busy, targets) {
  const nested = childrenOf(item).filter((child) => matches(child, NESTED));
  if (!nested.length) {
    if (!busy.has(item)) targets.push(item);
    return;
  }
  const label = childrenOf(item).find((child) => !nested.includes(child) && isShown(child) && textContentOf(child).trim());
  if (label && !busy.has(label)) targets.push(label);
  for (const list of nested.filter(isShown)) {
    for (const child of childrenOf(list).filter(isItem)) addTargets(child, busy, targets);
  }
}

/**
 * @param {any} element
 * @param {Found} outer
 */
function itemFound(element, { isMuted, modal }) {
  return newFound(element, tagOf(element), roleOf(element), { isClickable: true, isHeard: true, isMuted, modal });
}

/** @param {Found} item */
function isLargeEnough({ element }) {
  const { width, height } = boxOf(element);
  return width >= MIN_SIDE && height >= MIN_SIDE;
}

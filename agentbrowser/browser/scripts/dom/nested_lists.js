/** Lists in items of lists: submenus, and branches of trees. */

import {
  childElementsOf, closest, contains, dataOf, firstElementOf, firstOf, kindOf, measure, nextOf, parentOf, queryAll,
  TEXT, textContentOf,
} from "./nodes.js";
import { isShown } from "./visibility.js";

const NESTED = "ul, ol, menu, [role=group], [role=tree], [role=menu]";

/**
 * Return the lists that are nested in an item, but in no list of it.
 * @param {Element} item
 * @returns {Element[]}
 */
export function nestedLists(item) {
  if (!firstElementOf(item)) return [];
  const around = closest(item, NESTED);
  return [...queryAll(item, NESTED)].filter((list) => closest(parentOf(list), NESTED) === around);
}

/**
 * Return the child of an item that labels it: the first with words, without a nested list.
 * @param {Element} item
 * @param {Element[]} nested
 */
export function labelOf(item, nested) {
  return childElementsOf(item).find((child) => !holdsAny(child, nested) && isShown(child) && textContentOf(child).trim());
}

/**
 * Return the text nodes of an item itself that have words.
 * @param {Element} item
 */
export function ownTextNodes(item) {
  const nodes = [];
  for (let node = firstOf(item); node; node = nextOf(node)) if (kindOf(node) === TEXT && dataOf(node).trim()) nodes.push(node);
  return nodes;
}

/**
 * Return true if the middle of an item shows a list that is nested in it.
 * @param {Element} item
 * @param {Element[]} nested
 */
export function isFilledByList(item, nested = nestedLists(item)) {
  const { left, right, top, bottom } = measure(item); // fresh, as actions scroll
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return nested.some((list) => {
    const box = measure(list);
    return isShown(list) && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  });
}

/**
 * @param {Element} element
 * @param {Element[]} lists
 */
function holdsAny(element, lists) {
  return lists.some((list) => element === list || contains(element, list));
}

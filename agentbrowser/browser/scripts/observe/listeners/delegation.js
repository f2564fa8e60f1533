/** Decision for whom a listener is: for its element, for items in it, or for interactive elements in it. */

import { rootOf } from "../../dom/nodes.js";
import { dropListener, isDelegate, isDocumentListening, isTarget } from "./click_listeners.js";
import { delegatedItems, documentItems, nestedItems } from "./delegated_items.js";

/** @import { Found, Scan } from "../scan.js" */

/**
 * Decide for whom the listener of an element is: for itself, for items in it, or for interactive elements in it.
 * @param {Scan} result
 * @param {number} position
 */
export function delegate(result, position) {
  const outer = result.found[position];
  if (outer.isControl || isTarget(outer)) return;
  const items = delegatedItems(outer, innerOf(result, position));
  if (items.length) {
    insertAfter(result, position, items);
    dropListener(outer);
  } else if (outer.isHeard && isDelegate(outer, insideOf(result, position))) dropListener(outer);
}

/**
 * Add the elements for which a listener of the document is.
 * @param {Scan} result
 */
export function delegateDocument(result) {
  if (isDocumentListening) insertAfter(result, -1, documentItems(result.found));
}

/**
 * Add the items of the lists that are nested in a clickable item; return true if there are such lists.
 * @param {Scan} result
 * @param {number} position
 */
export function addNested(result, position) {
  const items = nestedItems(result.found[position], innerOf(result, position));
  insertAfter(result, position, items ?? []);
  return items !== null;
}

/**
 * @param {Scan} result
 * @param {number} position
 */
function innerOf(result, position) {
  return result.found.slice(position + 1).filter((found) => !found.isDropped);
}

/**
 * Insert elements among those inside one that was added, in document order.
 * @param {Scan} result
 * @param {number} position of that one; -1 to insert them among all
 * @param {Found[]} items
 */
function insertAfter(result, position, items) {
  if (!items.length) return;
  const root = rootOf(result.found[position]?.element ?? document);
  const all = [...result.found.splice(position + 1), ...items];
  result.found.push(...all.sort((one, other) => order(within(root, one.element), within(root, other.element))));
}

/**
 * Return an element, or the host of its shadow tree that is in another tree.
 * @param {Node} root of that tree
 * @param {any} element
 */
function within(root, element) {
  let node = element;
  while (node && rootOf(node) !== root) node = rootOf(node).host;
  return node ?? element;
}

/**
 * @param {Element} one
 * @param {Element} other
 */
function order(one, other) {
  if (one === other) return 0;
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/**
 * Return the interactive elements inside one that was added: the first two.
 * @param {Scan} result
 * @param {number} position
 */
function insideOf(result, position) {
  const inside = [];
  for (let i = position + 1; i < result.found.length && inside.length < 2; i++) {
    if (!result.found[i].isDropped) inside.push(result.found[i]);
  }
  return inside;
}

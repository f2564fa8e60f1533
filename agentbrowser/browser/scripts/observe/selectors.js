/** Unique selectors, counted over the whole page by the indexes of `scan`. */

import { memo, getOrCompute } from "../dom/memo.js";
import {
  attributeOf, bodyOf, ELEMENT, firstOf, FRAGMENT, parentOrHostOf, isEdited, kindOf, nextOf, parentOf, queryRoot,
  rootOf, shadowOf, tagOf,
} from "../dom/nodes.js";
import { SELECTOR_ROLES } from "../dom/roles.js";
import { isFileField } from "./element_fields.js";
import { countNamed } from "./scan.js";

/** @import { Found, Scan } from "./scan.js" */

const MAX_KEY = 200;

/**
 * The unique keys of an element; absent where a key is not unique.
 * @typedef {object} Keys
 * @property {string} [testId]
 * @property {string} [name] with the element's role
 * @property {string} [id]
 * @property {string} [text]
 */

/**
 * @param {Scan} look
 * @param {Found} found
 * @param {string} name
 * @returns {Keys}
 */
export function keysOf(look, found, name) {
  const { element, control, role, tag, isMuted } = found;
  const text = tag === "select" || tag === "textarea" || isEdited(element) ? null : found.text;
  const testId = attributeOf(element, "data-testid");
  const id = attributeOf(element, "id");
  const isGiven = !memo.namings.get(element)?.isDerived; // a derived name may be the accessible one of another element
  const isNamed = element === control && isGiven && !isFileField(element) && !isMuted && isKey(name) && !memo.disputed.has(element);
  return {
    testId: isKey(testId) && look.testIds.get(testId) === 1 ? testId : undefined,
    name: isNamed && role !== null && SELECTOR_ROLES.has(role) && countNamed(look, role, name) === 1 ? name : undefined,
    id: isSoleId(id, look) ? id : undefined,
    text: isKey(text) && look.texts.get(text) === 1 ? text : undefined,
  };
}

/**
 * @param {string|null} value
 * @returns {value is string}
 */
function isKey(value) {
  return value !== null && value !== "" && value.length <= MAX_KEY && value.isWellFormed();
}

/**
 * @param {string|null} id
 * @param {Scan} look
 */
function isSoleId(id, look) {
  // A selector is trimmed, even of an escaped space at its end.
  return isKey(id) && id.trim() === id && look.ids.get(id) === 1;
}

/**
 * Return the parts from which the browser side builds selectors (selector_builder.py), best first, at a third of their
 * size: test id, true for role and name, CSS of the id, text (true where it is the name), CSS path; 0 for an absent
 * one.
 * @param {Scan} look
 * @param {Found} found
 * @param {Keys} keys
 * @param {boolean} isAll true if all are wanted, or just the best
 */
export function selectorsFor(look, found, keys, isAll) {
  const text = keys.text && (keys.text === keys.name ? true : keys.text);
  const selectors = [keys.testId || 0, keys.name ? true : 0, keys.id ? idSelector(keys.id) : 0, text || 0];
  const best = selectors.findIndex(Boolean);
  if (best >= 0 && !isAll) return selectors.slice(0, best + 1);
  return [...selectors, pathTo(found.element, look)];
}

/** @param {string} id */
export function idSelector(id) {
  return `#${CSS.escape(id)}`;
}

/**
 * Return a path of child steps to an element from the nearest unique ancestor.
 * @param {Element} element
 * @param {Scan|null} look null for a path from the root, which is unique without an index
 * @returns {string}
 */
export function pathTo(element, look) {
  const holder = parentOrHostOf(element);
  if (holder === null) return ":root";
  const path = getOrCompute(memo.paths, holder, (it) => anchorOf(it, look) ?? pathTo(it, look));
  return `${path} > ${stepTo(element)}`;
}

/**
 * Return the selector of an element by its id if no other one of the document has it, else by its path.
 * @param {any} element
 */
export function idOrPath(element) {
  const id = attributeOf(element, "id");
  if (id && rootOf(element) === document && queryRoot(document, idSelector(id)).length === 1) return idSelector(id);
  return pathTo(element, null);
}

/**
 * @param {Element} element
 * @param {Scan|null} look
 */
export function anchorOf(element, look) {
  if (look === null) return null;
  if (element === bodyOf(document) && look.bodies === 1) return "body";
  const id = attributeOf(element, "id");
  return isSoleId(id, look) ? idSelector(id) : null;
}

/**
 * Return the step that selects an element among its siblings.
 * @param {Element} element
 */
function stepTo(element) {
  const parent = parentOf(element);
  const tag = CSS.escape(tagOf(element));
  const { position, isOnly } = /** @type {Sibling} */ (siblingsIn(parent).get(element));
  // A selector treats the children of a host and those of its shadow root as children of one element.
  if (kindOf(parent) === FRAGMENT) return `${tag}:nth-child(${position} of :host > *)`;
  if (kindOf(parent) === ELEMENT && shadowOf(parent)) return `${tag}:nth-child(${position} of :not(:host > *))`;
  return isOnly ? tag : `${tag}:nth-child(${position})`;
}

/** @typedef {{position: number, isOnly: boolean}} Sibling */

/**
 * Return the position of each child among its siblings, and if its tag is the only one.
 * @param {Node} parent
 * @returns {Map<Element, Sibling>}
 */
function siblingsIn(parent) {
  return getOrCompute(memo.siblings, parent, countSiblings);
}

/** @param {Node} parent */
function countSiblings(parent) {
  const places = new Map();
  const firsts = new Map();
  for (let child = firstOf(parent); child; child = nextOf(child)) {
    if (kindOf(child) !== ELEMENT) continue;
    const first = firsts.get(tagOf(child));
    const place = { position: places.size + 1, isOnly: !first };
    if (first) first.isOnly = false;
    else firsts.set(tagOf(child), place);
    places.set(child, place);
  }
  return places;
}

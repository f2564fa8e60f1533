/** Rows of lists and tables, options and cards around recorded elements, found again by words of their own. */

import {
  attributeOf, bodyOf, collapseSpaces, dataOf, isEdited, isElement, matches, nextElementOf, parentOf, previousElementOf,
  queryRoot, tagOf, textContentOf, walkerOf,
} from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { isHidden, UNRENDERED_TAGS } from "../dom/visibility.js";
import { elementsOfRole, isOnlyOfName } from "./selector_evaluator.js";

const ROLES = new Set(["listitem", "row", "option", "article", "treeitem"]);
/** An element with more rows around it is located without one. */
const MAX_ROWS = 4;
const MAX_DEPTH = 12;
const MAX_TEXTS = 40;
const MAX_WORDS = 3;
const [SHORTEST, LONGEST] = [3, 80];
const LETTER = /\p{L}/u;
/** Classes that a person has named, and not a tool with a hash; a state such as `is-open` is no kind of card. */
const CLASS = /^(?!is-|has-)[a-z]{2,}(?:[-_]{1,2}[a-z]+)*$/i;
/** Fields and lists hold what is typed or chosen in them. */
const VALUES = "select,textarea";

/**
 * @typedef {object} Row
 * @property {string} [role] its role; without one, it is found by `css`
 * @property {string} [css] class that it shares with its siblings
 * @property {string[]} words of which each one is in no other such row
 * @property {string} path from the row to the element, empty for the row itself
 * @property {boolean} isOnly true if no other visible element in the row has the role and name of the element
 */

/**
 * Return the nearest row around an element, or the element itself, that has words of its own.
 * @param {any} element
 * @param {string} path of child steps to the element
 * @param {{role: string, name: string, most: number}} known `most`: elements that are compared
 * @returns {Row|undefined}
 */
export function rowOf(element, path, { role, name, most }) {
  const steps = path.split(" > ");
  for (let node = element, depth = 0, rows = 0; depth < MAX_DEPTH && rows < MAX_ROWS; node = parentOf(node), depth += 1) {
    if (!node || !isElement(node) || node === bodyOf(document) || depth >= steps.length) return undefined;
    const kind = kindOfRow(node, node === element, most);
    if (kind === null) continue;
    rows += 1;
    const words = wordsOf(node, kind.rows);
    if (words.length === 0) continue;
    const isOnly = node !== element && name !== "" && isOnlyOfName(element, role, name, most, node);
    return { ...kind.selector, words, path: steps.slice(steps.length - depth).join(" > "), isOnly };
  }
  return undefined;
}

/**
 * Return the selector of all rows like an element, and these rows; null if it is none, or if there are too many.
 * @param {any} element
 * @param {boolean} isTarget
 * @param {number} most
 */
function kindOfRow(element, isTarget, most) {
  const role = roleOf(element) ?? "";
  if (ROLES.has(role)) {
    const rows = elementsOfRole(role, most);
    return rows.length > 1 ? { selector: { role }, rows } : null;
  }
  if (isTarget && role !== "" && role !== "generic") return null; // it has a role by which it is found in its row
  const name = sharedClass(element);
  if (name === null) return null;
  const css = `${tagOf(element)}.${name}`;
  const rows = [...queryRoot(document, css)];
  return rows.length > 1 && rows.length <= most ? { selector: { css }, rows } : null;
}

/**
 * Return a class that an element shares with the sibling before or after it.
 * @param {Element} element
 */
function sharedClass(element) {
  const classes = (attributeOf(element, "class") ?? "").split(" ").filter((one) => CLASS.test(one));
  const beside = [previousElementOf(element), nextElementOf(element)].filter((one) => one && tagOf(one) === tagOf(element));
  return classes.find((one) => beside.some((other) => matches(other, `.${one}`))) ?? null;
}

/**
 * Return the texts in a row that no other row contains, in their order.
 * @param {Element} row
 * @param {Element[]} rows
 */
function wordsOf(row, rows) {
  const contents = rows.filter((one) => one !== row).map((one) => folded(textContentOf(one) ?? ""));
  const own = [];
  for (const text of textsIn(row)) {
    if (own.length >= MAX_WORDS) break;
    if (!own.includes(text) && !contents.some((content) => content.includes(folded(text)))) own.push(text);
  }
  return own;
}

/** @param {Element} row */
function* textsIn(row) {
  const walker = walkerOf(document, row, NodeFilter.SHOW_TEXT);
  for (let count = 0; count < MAX_TEXTS && walker.nextNode(); count += 1) {
    const text = collapseSpaces(dataOf(walker.currentNode));
    if (text.length < SHORTEST || text.length > LONGEST || !LETTER.test(text)) continue;
    const parent = parentOf(walker.currentNode);
    if (isElement(parent) && !UNRENDERED_TAGS.has(tagOf(parent)) && !isHidden(parent) && !isValue(parent)) yield text;
  }
}

/** @param {any} element */
function isValue(element) {
  return isEdited(element) || (matches(element, `${VALUES},:is(${VALUES}) *`) && roleOf(element) !== "option");
}

/** @param {string} text */
function folded(text) {
  return collapseSpaces(text).toLowerCase();
}

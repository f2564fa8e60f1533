/**
 * Folds: where rows repeat (cards of a shop, rows of a table), the first ones stand for all. Rows are found by
 * structure: branches of one container with the same kinds of elements in the same order. Never hidden: form controls
 * with state, elements of their forms, the focused element, and rows unlike the others.
 */

import { focusedElement, parentOrHostOf, isEdited, matches, tagOf } from "../dom/nodes.js";
import { CHECKABLE, selectedState, statesOf, TYPED_IN } from "../dom/states.js";
import { nameFor, shownRole } from "./element_fields.js";
import { isFixed, pattern } from "./name_patterns.js";

/** @import { Found, Scan } from "./scan.js" */

const SHOWN_ROWS = 3;
const MIN_ROWS = 5;
/** The least number of hidden elements that is worth a line: five rows of four, or eleven rows of one. */
const MIN_HIDDEN = 8;
const MAX_ROW = 20;
const MAX_COLUMNS = 8;

const CHOOSERS = new Set([...CHECKABLE, ...TYPED_IN, "combobox", "listbox", "option", "slider", "scrollbar"]);
const FIELDS = "select, textarea, input:not([type=button], [type=submit], [type=reset], [type=image])";

/**
 * A chosen element, or an ancestor of some.
 * @typedef {object} Branch
 * @property {Element} element
 * @property {Branch|null} parent
 * @property {Branch[]} parts
 * @property {Found|null} found
 * @property {number} size number of chosen elements in it, itself included
 * @property {string|null} key their kinds in order; null when they are too many for one row
 * @property {boolean} isGuarded true if an element in it may not be hidden
 * @property {boolean} hasFocus
 */

/**
 * Rows that are alike, most of them hidden.
 * @typedef {object} Fold
 * @property {Element} container
 * @property {string} key
 * @property {number} rows their number, hidden or not
 * @property {number} hiddenRows
 * @property {Found[]} hidden
 * @property {Found} anchor the last element of the last of the first rows
 * @property {{found: Found, name: string|undefined}[]} template a shown row, with the pattern of the names in each column
 */

/**
 * Separate the elements to list from those in folds.
 * @param {Scan} look
 * @param {Found[]} chosen in document order
 * @returns {{listed: Found[], folds: Fold[]}}
 */
export function fold(look, chosen) {
  const forms = guardedForms(look.found);
  const top = treeOf(chosen);
  measureBranch(top, { forms, focused: focusedElement() });
  const folds = [];
  foldBelow(top, forms, folds, new Set());
  const hidden = new Set(folds.flatMap((one) => one.hidden));
  return { listed: hidden.size ? chosen.filter((found) => !hidden.has(found)) : chosen, folds };
}

/**
 * Return true if an element is for text input, checking or choosing.
 * @param {Found} found
 */
function isField({ element, control, role }) {
  return element !== control || CHOOSERS.has(role) || matches(control, FIELDS) || isEdited(control);
}

/**
 * Return the forms that have fields.
 * @param {Found[]} all
 * @returns {Set<Element>}
 */
function guardedForms(all) {
  const forms = new Set();
  for (const found of all) {
    if (!isField(found)) continue;
    if (found.control.form) forms.add(found.control.form);
    for (let node = found.element; node; node = parentOrHostOf(node)) if (tagOf(node) === "form") forms.add(node);
  }
  return forms;
}

/**
 * Return the tree of the chosen elements and their ancestors.
 * @param {Found[]} chosen
 * @returns {Branch}
 */
function treeOf(chosen) {
  const known = new Map();
  const top = addBranch(null);
  for (const found of chosen) {
    const path = [];
    let node = found.element;
    for (; node && !known.has(node); node = parentOrHostOf(node)) path.push(node);
    let parent = known.get(node) ?? top;
    while (path.length) known.set(path.at(-1), (parent = addBranch(path.pop(), parent)));
    parent.found = found;
  }
  return top;
}

/**
 * @param {Element} element
 * @param {Branch|null} parent
 * @returns {Branch}
 */
function addBranch(element, parent = null) {
  const part = { element, parent, parts: [], found: null, size: 0, key: null, isGuarded: false, hasFocus: false };
  parent?.parts.push(part);
  return part;
}

/**
 * Compute size, key and flags of each branch, from the leaves up.
 * @param {Branch} part
 * @param {{forms: Set<Element>, focused: Element|null}} known
 */
function measureBranch(part, known) {
  const { found, parts } = part;
  for (const inner of parts) measureBranch(inner, known);
  part.size = parts.reduce((size, inner) => size + inner.size, found ? 1 : 0);
  const keys = parts.map((inner) => inner.key);
  part.key = part.size > MAX_ROW ? null : (found ? [kindSignature(found), ...keys] : keys).join();
  part.isGuarded = (found && isUnfoldable(found, known)) || parts.some((inner) => inner.isGuarded);
  part.hasFocus = found?.control === known.focused || parts.some((inner) => inner.hasFocus);
}

/**
 * @param {Found} found
 * @param {{forms: Set<Element>}} known
 */
function isUnfoldable(found, { forms }) {
  const { control, role } = found;
  return isField(found) || found.isScrollable || selectedState(control, role) !== undefined || forms.has(control.form);
}

/**
 * Return the properties that two elements of one kind share.
 * @param {Found} found
 */
function kindSignature({ control, role, tag, isDraggable }) {
  const { checked, expanded, disabled } = statesOf(control, role);
  return [tag, shownRole(role, tag), checked, expanded, disabled, isDraggable ? "draggable" : ""].join("/");
}

/**
 * Fold the rows of a branch, then the content of branches that are no rows.
 * @param {Branch} part
 * @param {Set<Element>} forms
 * @param {Fold[]} folds
 * @param {Set<Branch>} taken
 */
function foldBelow(part, forms, folds, taken) {
  if (taken.has(part) || forms.has(part.element)) return;
  if (part.parts.length > 1) {
    const rows = part.parts.flatMap(unitsOf).filter((row) => row.key !== null && !row.isGuarded && !taken.has(row));
    const alike = Map.groupBy(rows, (row) => `${tagOf(row.element)} ${row.key}`);
    for (const [key, group] of alike) folds.push(...foldsOf(part, key, group, taken));
  }
  for (const inner of part.parts) foldBelow(inner, forms, folds, taken);
}

/**
 * Return the rows of a branch: its cells if it is a line of a grid, else itself.
 * @param {Branch} part
 * @returns {Branch[]}
 */
function unitsOf(part) {
  let line = part;
  while (!line.found && line.parts.length === 1) [line] = line.parts;
  const { found, parts } = line;
  const isLine = !found && parts.length <= MAX_COLUMNS && parts[0].size > 1 && parts[0].key !== null;
  return isLine && parts.every((column) => column.key === parts[0].key) ? parts : [part];
}

/**
 * Fold rows of one structure, grouped by the fixed parts of their names.
 * @param {Branch} part
 * @param {string} key
 * @param {Branch[]} group
 * @param {Set<Branch>} taken
 * @returns {Fold[]}
 */
function foldsOf(part, key, group, taken) {
  if (!isWorthIt(group)) return [];
  const rows = group.map(rowFrom);
  const fixed = rows[0].names.map((_, column) => isFixed(rows.map((row) => row.names[column])));
  const alike = Map.groupBy(rows, ({ names }) => JSON.stringify(names.filter((_, column) => fixed[column])));
  const folds = [];
  for (const [names, same] of alike) {
    if (!isWorthIt(same.map((row) => row.part))) continue;
    for (const row of same) taken.add(row.part);
    folds.push(foldOf(part, key + names, same));
  }
  return folds;
}

/**
 * @typedef {object} Row
 * @property {Branch} part
 * @property {Found[]} found
 * @property {string[]} names
 */

/**
 * @param {Branch} part
 * @returns {Row}
 */
function rowFrom(part) {
  const found = foundIn(part);
  return { part, found, names: found.map(nameFor) };
}

/** @param {Branch[]} rows */
function isWorthIt(rows) {
  return rows.length >= MIN_ROWS && (rows.length - SHOWN_ROWS) * rows[0].size >= MIN_HIDDEN;
}

/**
 * @param {Branch} part
 * @returns {Found[]}
 */
function foundIn(part) {
  const inner = part.parts.flatMap(foundIn);
  return part.found ? [part.found, ...inner] : inner;
}

/**
 * @param {Branch} part
 * @param {string} key
 * @param {Row[]} rows
 * @returns {Fold}
 */
function foldOf(part, key, rows) {
  const hidden = rows.filter((row, position) => position >= SHOWN_ROWS && !row.part.hasFocus);
  const last = rows[SHOWN_ROWS - 1].found;
  const { parent } = rows[0].part;
  return {
    container: (rows.every((row) => row.part.parent === parent) ? parent : part).element,
    key,
    rows: rows.length,
    hiddenRows: hidden.length,
    hidden: hidden.flatMap((row) => row.found),
    anchor: last.at(-1),
    template: last.map((found, column) => ({ found, name: pattern(rows.map((row) => row.names[column])) })),
  };
}

/** Labels beside an element: of its host, of the field that it replaces, a neighbour, its column, its group. */

import {
  attributeOf, checkVisibility, closest, collapseSpaces, contains, dataOf, ELEMENT, firstElementOf, hasAttribute,
  kindOf, matches, MAX_TEXT, nextElementOf, parentOrHostOf, previousElementOf, queryAll, queryRoot, rootOf, shadowOf,
  shorten, tagOf, TEXT,
} from "../../dom/nodes.js";
import { hasAriaHidden, isTextUnrendered } from "../../dom/visibility.js";
import { CHECKABLE } from "../../dom/states.js";
import { hasGestureListener, listeners } from "../listeners/click_listeners.js";
import { isIconFont } from "./icons.js";
import { beginning, HEADS, INTERACTIVE, LONGEST_LABEL } from "./own_words.js";

export const CONTROLS = `${INTERACTIVE}, [role=slider], [role=spinbutton], [role=combobox], [role=switch], [role=checkbox], [role=radio]`;
export const FILE = "input[type=file]";
const FIELD = "input, select, textarea, [contenteditable]";
const CELLS = "td, th, [role=gridcell], [role=cell]";
/** Parts of what says more than a label does. */
const LINES = "tr, li, dt, [role=row], [role=listitem]";
const HEADERS = "th, [role=columnheader]";
const TITLES = `${HEADS}, label, figcaption`;
/** Elements that bound the search for a label. */
const BOUNDS = new Set("article aside body dialog fieldset footer form header main nav section table tbody ul ol".split(" "));
/** The element and its ancestors beside which a label may stand. */
const MAX_LEVELS = 3;
/** Elements on one side of it that are looked at. */
const MAX_NEIGHBOURS = 4;
/** Elements of a text beside a field whose listeners are asked for. */
const MAX_PARTS = 6;

/**
 * Return the label that stands beside a field, or points to it; "" for none.
 * @param {any} element
 * @param {string|null} role
 */
export function labelBeside(element, role) {
  for (const read of [hostLabel, drawnFieldLabel, labelOfReplaced, neighbourLabel]) {
    const name = collapseSpaces(read(element, role) ?? "");
    if (name) return shorten(name, MAX_TEXT);
  }
  return "";
}

/**
 * Return the first label for the id of an element, unless another one with that id is a field; null for none.
 * @param {any} element
 */
function labelFor(element) {
  const id = CSS.escape(attributeOf(element, "id") ?? "");
  const isOther = id && !matches(element, FIELD) && queryRoot(rootOf(element), `:is(${FIELD})#${id}`).length;
  return id && !isOther ? queryRoot(rootOf(element), `label[for="${id}"]`)[0] ?? null : null;
}

/**
 * Return the label of the host, if the element is the field in its shadow tree: `<label>Late <my-switch></label>`.
 * @param {any} element
 */
export function hostLabel(element) {
  const host = rootOf(element).host;
  const label = host && (closest(host, "label") ?? labelFor(host));
  return label && label.control === host ? beginning(label) : "";
}

/**
 * Return the label that points to an element: `<label for="size">` names no `<span role="combobox">` by itself, but is
 * meant to, and no button whose `aria-labelledby` is its value, of which there is none yet.
 * @param {any} element
 */
export function drawnFieldLabel(element) {
  const label = labelFor(element);
  return label ? beginning(label) : "";
}

/**
 * Return the label of the field before an element, if the page has hidden that and shows this one in its place.
 * @param {any} element
 */
export function labelOfReplaced(element) {
  let field = previousElementOf(element);
  for (let node = element, level = 1; node && !field && level < MAX_LEVELS; level++) {
    node = parentOrHostOf(node);
    field = node && previousElementOf(node);
  }
  if (!field || !matches(field, "input, select, textarea") || (checkVisibility(field) && !hasAriaHidden(field))) return "";
  const label = closest(field, "label") ?? labelFor(field);
  return label ? beginning(label) : "";
}

/**
 * Return the words directly behind a box that only a style sheet draws: a switch, or the arrow of a tree. Other words
 * beside an element that is no field are not its name: a button beside "Paid" may delete the row.
 * @param {any} element
 * @param {string|null} role
 */
export function drawnBoxLabel(element, role) {
  const isPlain = (role === null || role === "generic") && !element.ownerSVGElement;
  const isDrawn = isPlain && firstElementOf(element) === null && beginning(element) === "";
  const next = nextElementOf(element);
  if (!isDrawn || matches(element, CELLS) || (next && matches(next, CELLS))) return ""; // a cell's words are its own
  return labelAlong(element, after, 1);
}

/**
 * Return the text that stands for a label beside a field.
 * @param {any} element
 * @param {string|null} role
 */
export function neighbourLabel(element, role) {
  const isTicked = role !== null && CHECKABLE.has(role);
  const cell = closest(element, CELLS);
  // A box in the first cell of a row mostly ticks the row, which the next cell names; among headers it ticks all rows.
  const isOfRow = isTicked && cell !== null && previousElementOf(cell) === null && !areHeaders(nextElementOf(cell));
  const header = isOfRow ? "" : columnHeader(element);
  if (header) return header;
  if (matches(element, FILE)) {
    const label = labelAlong(element, before, 1) || labelAlong(element, after, 1); // its own button is beside it
    if (label) return label;
  }
  const directions = isTicked ? [after, before] : tagOf(element) === "canvas" ? [before] : [before, after];
  // Other cells hold values and no labels where the columns have headers.
  const isInCell = cell !== null && !isOfRow && (isTicked || areHeaders(topCell(cell)));
  for (const [index, steps] of directions.entries()) {
    const text = labelAlong(element, steps, index === 0 ? MAX_LEVELS : 1, isInCell ? cell : null);
    if (text) return text;
  }
  return isOfRow ? columnHeader(element) : rowHeader(element);
}

/** @param {any} node */
function before(node) {
  return node.previousSibling;
}

/** @param {any} node */
function after(node) {
  return node.nextSibling;
}

/**
 * Return the first text beside an element or its ancestors in one direction, up to the next control.
 * @param {any} element
 * @param {(node: any) => any} step
 * @param {number} levels
 * @param {any} [bound] the element to stay in
 */
function labelAlong(element, step, levels, bound = null) {
  const isSlider = attributeOf(element, "role") === "slider" || element.type === "range";
  let node = element;
  for (let level = 0; level < levels && node !== bound; level++) {
    let count = 0;
    for (let next = step(node); next && count < MAX_NEIGHBOURS; next = step(next)) {
      if (kindOf(next) === ELEMENT) {
        count++;
        if (isOfAnother(next, element)) return "";
        if (isComplaint(next, element)) continue;
      }
      const text = labelIn(next);
      if (isSlider && NUMBERS.test(text)) continue; // the end of its scale
      if (text) return text.length <= LONGEST_LABEL && !isClickedText(next) ? text.replace(/\s*[:*]+$/, "") : "";
    }
    const holder = parentOrHostOf(node);
    if (!holder || BOUNDS.has(tagOf(holder)) || matches(holder, INTERACTIVE)) return "";
    node = holder;
  }
  return "";
}

/**
 * Return true if words beside a field say what is wrong with its value, and not what it is for.
 * @param {any} next
 * @param {any} field
 */
function isComplaint(next, field) {
  if (matches(next, "[role=alert]")) return true;
  const id = attributeOf(next, "id");
  const about = `${attributeOf(field, "aria-errormessage") ?? ""} ${attributeOf(field, "aria-describedby") ?? ""}`;
  return Boolean(id) && attributeOf(field, "aria-invalid") === "true" && about.split(" ").includes(id);
}

/**
 * Return true if a label beside an element would be that of another control. The button that opens a file field is the
 * field's own, and fields are in columns of one class, but other elements of one class are a list.
 * @param {any} next
 * @param {any} element
 */
function isOfAnother(next, element) {
  if (matches(element, FILE)) return matches(next, FIELD) || queryAll(next, FIELD).length > 0;
  if (tagOf(element) === "canvas" && !matches(next, TITLES)) return true; // a menu or a toolbar is beside most
  if (matches(next, CONTROLS) || queryAll(next, CONTROLS).length) return true;
  const shadow = shadowOf(next);
  if (shadow && queryRoot(shadow, CONTROLS).length) return true;
  const kind = attributeOf(element, "class");
  return kind !== null && kind === attributeOf(next, "class") && tagOf(next) === tagOf(element) && !matches(element, FIELD);
}

/**
 * Return true if a text beside a field is clicked for itself, as the cell of a row that is edited in place: it is a value, and no label.
 * @param {any} next
 */
function isClickedText(next) {
  if (kindOf(next) !== ELEMENT || tagOf(next) === "label" || queryAll(next, "label").length > 0) return false;
  return [next, ...[...queryAll(next, "*")].slice(0, MAX_PARTS)].some(hasGestureListener);
}

/** Numbers of the lines of an editor, which are no label. */
const NUMBERS = /^[\d\s]+$/;

/** @param {any} node */
function labelIn(node) {
  if (kindOf(node) === TEXT) return isTextUnrendered(node) ? "" : collapseSpaces(dataOf(node));
  if (kindOf(node) === ELEMENT && isIconFont(node)) return "";
  if (kindOf(node) === ELEMENT && hasAriaHidden(node) && NUMBERS.test(beginning(node))) return "";
  return kindOf(node) === ELEMENT && queryAll(node, LINES).length < 2 ? beginning(node) : "";
}

/**
 * Return the header of the column of an element that is alone in its cell.
 * @param {any} element
 */
export function emptyCellHeader(element) {
  const cell = closest(element, CELLS);
  const isOther = (/** @type {any} */ one) => listeners.has(one) && !contains(one, element) && !contains(element, one);
  return cell && !beginning(cell) && ![...queryAll(cell, "*")].some(isOther) ? columnHeader(element) : "";
}

/**
 * Return the header of the column of an element.
 * @param {any} element
 */
function columnHeader(element) {
  const cell = closest(element, CELLS);
  const first = cell && topCell(cell);
  if (!first) return "";
  const own = [...queryAll(cell, INTERACTIVE)].filter((other) => other !== element && !contains(element, other));
  if (own.length) return ""; // the text beside it distinguishes it better
  let index = 0;
  for (let other = previousElementOf(cell); other; other = previousElementOf(other)) index += other.colSpan ?? 1;
  for (let header = first; header; header = nextElementOf(header)) {
    const span = header.colSpan ?? 1;
    if (index < span) return matches(header, HEADERS) ? beginning(header) : "";
    index -= span;
  }
  return "";
}

/**
 * Return the header of the row of an element that no column has one for: beside a list of functions, a field of the row
 * "day" is its value, too.
 * @param {any} element
 */
function rowHeader(element) {
  const row = closest(element, "tr");
  const first = row && firstElementOf(row);
  return first && matches(first, "th") && !contains(first, element) && !areHeaders(first) ? beginning(first) : "";
}

/**
 * Return the first cell in the first row of the table of a cell; null if the cell is in that row.
 * @param {any} cell
 */
function topCell(cell) {
  const row = closest(cell, "tr, [role=row]");
  const table = row && closest(row, "table, [role=grid], [role=table], [role=treegrid]");
  const top = table && queryAll(table, "thead tr, tr, [role=row]")[0];
  return top && top !== row ? firstElementOf(top) : null;
}

/**
 * Return true if a cell and those behind it are several headers of columns.
 * @param {any} first
 */
function areHeaders(first) {
  let count = 0;
  for (let cell = first; cell; cell = nextElementOf(cell)) {
    if (!matches(cell, HEADERS)) return false;
    count += 1;
  }
  return count > 1;
}

/** @param {any} element */
export function legendOf(element) {
  const set = closest(element, "fieldset, [role=group], [role=radiogroup]");
  if (!set) return "";
  const legend = tagOf(set) === "fieldset" ? queryAll(set, "legend")[0] : null;
  return legend ? beginning(legend) : hasAttribute(set, "aria-label") ? attributeOf(set, "aria-label") : "";
}

/**
 * Names for elements that have no accessible one: from visible text, a label-like neighbour, or the name of an icon. A
 * model needs a name for everything that it can use.
 */

import {
  attributeOf, checkVisibility, childElementsOf, closest, collapseSpaces, contains, dataOf, ELEMENT, firstElementOf, hasAttribute,
  isEdited, kindOf, matches, MAX_TEXT, nextElementOf, parentOrHostOf, previousElementOf, queryAll, queryRoot, rootOf, shadowOf,
  shorten, tagOf, TEXT,
} from "../../dom/nodes.js";
import { hasAriaHidden, isTextUnrendered } from "../../dom/visibility.js";
import { shownTextNodes, shownTexts } from "../../dom/secret_fields.js";
import { labelOf, nestedLists, ownTextNodes } from "../../dom/nested_lists.js";
import { CHECKABLE } from "../../dom/states.js";
import { listeners } from "../listeners/click_listeners.js";
import { addressOf, backgroundText, iconOf, imageText, isIconFont, purposeOf, shapeOf, valueNameOf } from "./icons.js";
import { placeholderOf, tooltipOf } from "./tooltips.js";

const INTERACTIVE =
  "a[href], button, input, select, textarea, [role=button], [role=link], [contenteditable], [onclick], [draggable=true]";
const CONTROLS = `${INTERACTIVE}, [role=slider], [role=spinbutton], [role=combobox], [role=switch], [role=checkbox], [role=radio]`;
const FILE = "input[type=file]";
const FIELD = "input, select, textarea, [contenteditable]";
const CELLS = "td, th, [role=gridcell], [role=cell]";
/** Parts of what says more than a label does. */
const LINES = "tr, li, dt, [role=row], [role=listitem]";
const HEADERS = "th, [role=columnheader]";
const [LEVELS, NEIGHBOURS] = [3, 4];
const LONGEST_LABEL = 80;
export const HEADS = "h1, h2, h3, h4, h5, h6, [role=heading], legend, caption";
const TITLES = `${HEADS}, label, figcaption`;
const FIELDS = new Set("checkbox combobox listbox radio searchbox slider spinbutton switch textbox".split(" "));
const ROWS = "tr, [role=row]";
const BLOCKS = "p, li, dt, pre, blockquote, figure, h1, h2, h3, h4, h5, h6";
/** Elements that bound the search for a label. */
const BOUNDS = new Set("article aside body dialog fieldset footer form header main nav section table tbody ul ol".split(" "));

/**
 * Return the name to derive for an element; "" for none.
 * @param {any} element
 * @param {string|null} role
 */
export function derivedName(element, role) {
  if (isContainer(element)) return shorten(headingIn(element) || collapseSpaces(tooltipOf(element)), MAX_TEXT);
  const isField = isEdited(element) || hasFieldRole(role) || tagOf(element) === "canvas" || matches(element, FILE);
  const hasControls = isField && queryAll(element, CONTROLS).length > 0; // whose icons are theirs
  const readers = isField
    ? [hostLabel, drawnFieldLabel, placeholderOf, labelOfReplaced, neighbourLabel, legendOf, tooltipOf, hasControls ? altOf : iconOf]
    : [
        role === "row" ? beginning : ownText, drawnFieldLabel, altOf, tooltipOf, iconOf, imageText, purposeOf, backgroundText, addressOf, valueNameOf, emptyCellHeader, shapeOf, drawnBoxLabel, legendOf,
      ];
  for (const read of readers) {
    const name = collapseSpaces(read(element, role) ?? "");
    if (name) return shorten(name, MAX_TEXT);
  }
  return "";
}

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
function hostLabel(element) {
  const host = rootOf(element).host;
  const label = host && (closest(host, "label") ?? labelFor(host));
  return label && label.control === host ? beginning(label) : "";
}

/**
 * Return the label that points to an element: `<label for="size">` names no `<span role="combobox">` by itself, but is
 * meant to, and no button whose `aria-labelledby` is its value, of which there is none yet.
 * @param {any} element
 */
function drawnFieldLabel(element) {
  const label = labelFor(element);
  return label ? beginning(label) : "";
}

/**
 * Return the label of the field before an element, if the page has hidden that and shows this one in its place.
 * @param {any} element
 */
function labelOfReplaced(element) {
  let field = previousElementOf(element);
  for (let node = element, level = 1; node && !field && level < LEVELS; level++) {
    node = parentOrHostOf(node);
    field = node && previousElementOf(node);
  }
  if (!field || !matches(field, "input, select, textarea") || (checkVisibility(field) && !hasAriaHidden(field))) return "";
  const label = closest(field, "label") ?? labelFor(field);
  return label ? beginning(label) : "";
}

/** @param {any} element */
function altOf(element) {
  return attributeOf(element, "alt");
}

/** @param {string|null} role */
function hasFieldRole(role) {
  return role !== null && FIELDS.has(role);
}

/**
 * Return true if an element holds rows of a table, or takes the focus and no more, and holds blocks of text or controls: as its name,
 * their words would be one line, and the look says no words twice. Tables that scroll are mostly in such an element.
 * @param {any} element
 */
function isContainer(element) {
  if (firstElementOf(element) === null || isEdited(element) || matches(element, INTERACTIVE)) return false;
  if (queryAll(element, ROWS).length > 1) return true;
  if (attributeOf(element, "tabindex") === null || isClicked(element)) return false;
  return [BLOCKS, INTERACTIVE].some((parts) => queryAll(element, parts).length > 1);
}

/** @param {any} element */
function isClicked(element) {
  return attributeOf(element, "role") !== null || hasAttribute(element, "onclick") || listeners.has(element) || getComputedStyle(element).cursor === "pointer";
}

/**
 * Return the heading or the caption in an element; "" for none.
 * @param {any} element
 */
function headingIn(element) {
  const [head] = queryAll(element, HEADS);
  return head ? beginning(head) : "";
}

/** @param {any} element */
function ownText(element) {
  if (isIconFont(element)) return "";
  return wordsBesideLists(element) || headOf(element) || wordsBeforeControls(element) || beginning(element);
}

/**
 * Return the words before the first control in an element: a day of a calendar is no "14 07:30 Yoga 16:00 Dentist", and
 * what is behind has names of its own. "" if it begins with a control that has words, or has none.
 * @param {any} element
 */
function wordsBeforeControls(element) {
  if (!queryAll(element, INTERACTIVE).length) return "";
  let words = "";
  for (const { text, holder } of shownTextNodes(element)) {
    const control = closest(holder, INTERACTIVE);
    if (control && control !== element && contains(element, control)) return words;
    words = words ? `${words} ${text}` : text;
    if (words.length > MAX_TEXT) break;
  }
  return "";
}

/**
 * Return the heading, else the first short words, of an element that holds more than a name can and several interactive
 * elements: a column of cards is no "To do 4 Draft the letter ⋯ Call the printer…".
 * @param {any} element
 */
function headOf(element) {
  if (beginning(element).length < MAX_TEXT || queryAll(element, INTERACTIVE).length < 2) return "";
  const [head] = queryAll(element, HEADS);
  let node = head ?? element;
  for (let step = 0; !head && step < LEVELS; step++) {
    const first = childElementsOf(node).find((child) => beginning(child) !== "");
    if (!first || matches(first, INTERACTIVE)) return "";
    node = first;
    if (beginning(node).length <= LONGEST_LABEL) break;
  }
  const words = beginning(node);
  return words.length <= LONGEST_LABEL ? words : "";
}

/**
 * Return the words of an item without those of the lists in it; "" if it has no list.
 * @param {any} item
 */
function wordsBesideLists(item) {
  const nested = tagOf(item) === "li" && !isEdited(item) ? nestedLists(item) : [];
  if (!nested.length) return "";
  const own = ownTextNodes(item).map(dataOf).join(" ").trim();
  const label = own ? null : labelOf(item, nested);
  return own || (label ? beginning(label) : "");
}

/**
 * Return the first visible words of an element, which may be large.
 * @param {any} element
 */
export function beginning(element) {
  let words = "";
  for (const root of [element, shadowOf(element)]) {
    if (!root) continue;
    for (const text of shownTexts(root)) {
      words = words ? `${words} ${text}` : text;
      if (words.length > MAX_TEXT) break;
    }
  }
  return shorten(words, MAX_TEXT);
}

/**
 * Return the header of the column of an element that is alone in its cell.
 * @param {any} element
 */
function emptyCellHeader(element) {
  const cell = closest(element, CELLS);
  const isOther = (/** @type {any} */ one) => listeners.has(one) && !contains(one, element) && !contains(element, one);
  return cell && !beginning(cell) && ![...queryAll(cell, "*")].some(isOther) ? columnHeader(element) : "";
}

/**
 * Return the words directly behind a box that only a style sheet draws: a switch, or the arrow of a tree. Other words
 * beside an element that is no field are not its name: a button beside "Paid" may delete the row.
 * @param {any} element
 * @param {string|null} role
 */
function drawnBoxLabel(element, role) {
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
function neighbourLabel(element, role) {
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
    const text = labelAlong(element, steps, index === 0 ? LEVELS : 1, isInCell ? cell : null);
    if (text) return text;
  }
  return isOfRow ? columnHeader(element) : "";
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
    for (let next = step(node); next && count < NEIGHBOURS; next = step(next)) {
      if (kindOf(next) === ELEMENT) {
        count++;
        if (isOfAnother(next, element)) return "";
        if (isComplaint(next, element)) continue;
      }
      const text = labelIn(next);
      if (isSlider && NUMBERS.test(text)) continue; // the end of its scale
      if (text) return text.length <= LONGEST_LABEL ? text.replace(/\s*[:*]+$/, "") : "";
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

/** Numbers of the lines of an editor, which are no label. */
const NUMBERS = /^[\d\s]+$/;

/** @param {any} node */
function labelIn(node) {
  if (kindOf(node) === TEXT) return isTextUnrendered(node) ? "" : collapseSpaces(dataOf(node));
  if (kindOf(node) === ELEMENT && hasAriaHidden(node) && NUMBERS.test(beginning(node))) return "";
  return kindOf(node) === ELEMENT && queryAll(node, LINES).length < 2 ? beginning(node) : "";
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
function legendOf(element) {
  const set = closest(element, "fieldset, [role=group], [role=radiogroup]");
  if (!set) return "";
  const legend = tagOf(set) === "fieldset" ? queryAll(set, "legend")[0] : null;
  return legend ? beginning(legend) : hasAttribute(set, "aria-label") ? attributeOf(set, "aria-label") : "";
}

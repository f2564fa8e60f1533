/**
 * Names for elements that have no accessible one: from visible text, a label-like neighbour, or the name of an icon. A
 * model needs a name for everything that it can use.
 */

import {
  attributeOf, collapseSpaces, firstElementOf, hasAttribute, isEdited, matches, MAX_TEXT, queryAll, shorten, tagOf,
} from "../../dom/nodes.js";
import { listeners } from "../listeners/click_listeners.js";
import { addressOf, backgroundText, iconOf, imageText, purposeOf, shapeOf, testIdOf, valueNameOf } from "./icons.js";
import {
  CONTROLS, drawnBoxLabel, drawnFieldLabel, emptyCellHeader, FILE, hostLabel, labelOfReplaced, legendOf, neighbourLabel,
} from "./labels_beside.js";
import { beginning, headingIn, INTERACTIVE, ownText } from "./own_words.js";
import { placeholderOf, tooltipOf } from "./tooltips.js";

const FIELDS = new Set("checkbox combobox listbox radio searchbox slider spinbutton switch textbox".split(" "));
const ROWS = "tr, [role=row]";
const BLOCKS = "p, li, dt, pre, blockquote, figure, h1, h2, h3, h4, h5, h6";

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
    ? [hostLabel, drawnFieldLabel, placeholderOf, labelOfReplaced, neighbourLabel, legendOf, tooltipOf, hasControls ? altOf : iconOf, testIdOf]
    : [
        role === "row" ? beginning : ownText, drawnFieldLabel, altOf, tooltipOf, iconOf, imageText, purposeOf, backgroundText, addressOf, valueNameOf, emptyCellHeader, shapeOf, drawnBoxLabel, legendOf, testIdOf,
      ];
  for (const read of readers) {
    const name = collapseSpaces(read(element, role) ?? "");
    if (name) return shorten(name, MAX_TEXT);
  }
  return "";
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

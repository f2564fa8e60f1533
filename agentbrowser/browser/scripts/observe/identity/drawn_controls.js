/** Controls that something else of the page shows: a label, or an element beside them. */

import { checkVisibility, closest, isEdited, matches, measure, OPAQUE, tagOf, textContentOf } from "../../dom/nodes.js";
import { hasRoleIn, roleOf } from "../../dom/roles.js";
import { CHECKABLE } from "../../dom/states.js";
import { isShown } from "../../dom/visibility.js";

const NO_LABELS = "a, input, textarea, button, select, option, optgroup, [role=link], [role=button], [role=checkbox], [role=radio]";
const LABEL_TYPES = new Set(["checkbox", "radio", "file"]);

/**
 * Return true for a control that its label may draw, as a click on that is one on the control.
 * @param {any} control
 */
export function isDrawnByLabel(control) {
  const tag = tagOf(control);
  return (tag === "input" && LABEL_TYPES.has(control.type)) || (tag === "button" && hasRoleIn(CHECKABLE, roleOf(control)));
}

/**
 * Return the control of the label that an element is, or is in, or that it draws; else the element.
 * @param {any} element
 * @returns {any}
 */
export function labelledControl(element) {
  const label = matches(element, NO_LABELS) || isEdited(element) ? null : closest(element, "label");
  return label?.control ?? markDrawnBy(element) ?? element;
}

/**
 * Return the control that an element shows, as its label or its drawing; else the element.
 * @param {any} element
 * @returns {any}
 */
export function controlShownBy(element) {
  return matches(element, "label") ? element.control ?? element : markDrawnBy(element) ?? element;
}

/**
 * Return true if an element beside a control draws it, so that its label is no more than its name.
 * @param {any} control
 */
export function hasDrawing(control) {
  for (let element = control.nextElementSibling; element; element = element.nextElementSibling) {
    if (markDrawnBy(element) === control && getComputedStyle(element).cursor === "pointer" && isShown(element)) return true;
  }
  return false;
}

/**
 * Return the checkbox or radio button without a size that stands first in a wrapper, and that a later element draws there;
 * null for none.
 * @param {any} element
 * @returns {any}
 */
export function markDrawnBy(element) {
  /** @type {any} */
  const input = element.previousElementSibling ? element.parentElement?.firstElementChild : null;
  if (!input || tagOf(input) !== "input" || (input.type !== "checkbox" && input.type !== "radio")) return null;
  if (closest(element, "label") || textContentOf(element).trim()) return null;
  const { width, height } = measure(input);
  return width === 0 && height === 0 && !checkVisibility(input, OPAQUE) ? input : null;
}

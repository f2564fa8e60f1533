/** Fields of an element as the wire shows them: role, name, bounds. */

import { getOrCompute, memo } from "../dom/memo.js";
import { labelText, nameOf } from "../dom/names.js";
import { hasAttribute, isEdited, matches, parentOrHostOf, tagOf } from "../dom/nodes.js";
import { beginning, derivedName } from "./identity/derived_names.js";

/** @import { Found } from "./scan.js" */

export const MAX_NAME = 200;

/** @typedef {Pick<Found, "element"|"control"|"role"|"isControl"|"isClickable"|"isDraggable">} NamedElement */

/**
 * The name to show.
 * @typedef {object} Naming
 * @property {string} name
 * @property {boolean} isDerived true if the standards give the element no name
 */

/**
 * Return the name to show: the accessible one, or one that is derived from what is shown.
 * @param {NamedElement} found
 */
export function nameFor(found) {
  return namingOf(found).name;
}

/**
 * @param {NamedElement} found
 * @returns {Naming}
 */
export function namingOf(found) {
  return getOrCompute(memo.namings, found.element, () => computeNaming(found));
}

/**
 * @param {NamedElement} found
 * @returns {Naming}
 */
function computeNaming(found) {
  const { element, control, role } = found;
  const isLabel = element !== control;
  const given = isLabel ? labelText(element) : nameOf(element);
  const isVague = given !== "" && isVagueFile(control, isLabel);
  if (given && !isVague) return { name: given, isDerived: false };
  const isUsed = found.isControl || found.isClickable || found.isDraggable;
  const derived = isUsed && !isInsideEditor(element) ? derivedName(element, role) : "";
  return { name: derived || given, isDerived: derived !== "" };
}

/**
 * Return true if a file field has only the text of its button, which all have.
 * @param {any} control
 * @param {boolean} isLabel
 */
function isVagueFile(control, isLabel) {
  if (isLabel || tagOf(control) !== "input" || control.type !== "file") return false;
  return !hasAttribute(control, "aria-label") && !hasAttribute(control, "aria-labelledby") && !control.labels?.length;
}

/** @param {any} element */
function isInsideEditor(element) {
  if (!isEdited(element) || matches(element, "input, textarea, select, button")) return false;
  const holder = parentOrHostOf(element);
  return holder !== null && isEdited(holder);
}

export { beginning };

/** @param {DOMRect} box */
export function boundsOf(box) {
  const tenth = (length) => Math.round(length * 10) / 10;
  return { x: tenth(box.x), y: tenth(box.y), width: tenth(box.width), height: tenth(box.height) };
}

/**
 * Return the role as the wire shows it.
 * @param {string|null} role
 * @param {string} tag
 */
export function shownRole(role, tag) {
  return role ?? (tag === "summary" ? "button" : "generic");
}

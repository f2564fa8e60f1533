/** Fields of an element as the wire shows them: role, name, bounds. */

import { pseudoElementText } from "../dom/generated_text.js";
import { flatTreeParentOf, isWithinElement } from "../dom/hit_test.js";
import { clearMemo, getOrCompute, memo } from "../dom/memo.js";
import { labelText, nameOf } from "../dom/names.js";
import {
  attributeOf, childCountOf, closest, collapseSpaces, firstElementOf, hasAttribute, isEdited, matches, nextElementOf, parentOrHostOf, previousElementOf, queryAll,
  shorten, tagOf,
} from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { FIELD_TAGS, valueOf } from "../dom/states.js";
import { controlShownBy } from "./identity/drawn_controls.js";
import { derivedName } from "./identity/derived_names.js";
import { labelBeside } from "./identity/labels_beside.js";
import { beginning } from "./identity/own_words.js";
import { valueNameOf } from "./identity/icons.js";
import { tooltipOf } from "./identity/tooltips.js";
import { hasGestureListener } from "./listeners/click_listeners.js";

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
  const given = isLabel ? labelText(element, control) || nameOf(control) : isOption(element, role) ? optionName(element) : nameOf(element);
  const readable = given.length > LONGEST_SYMBOL ? given : given.replace(GLYPHS, "").trim();
  const isVague = readable !== "" && (isVagueFile(control, isLabel) || isRowLabel(element, role));
  const label = role === "combobox" && !isLabel && isEcho(control, given) ? labelBeside(element, role) : "";
  if (label) return { name: label, isDerived: true };
  if (readable && !isVague) return isSymbol(readable) ? withTooltip(readable, given, element) : { name: given, isDerived: false };
  const isUsed = found.isControl || found.isClickable || found.isDraggable;
  const derived = isUsed && !isInsideEditor(element) ? derivedName(element, role) : "";
  if (derived && !isFileField(control) && isSymbol(derived)) {
    const { name } = withTooltip(derived, derived, element);
    const value = valueNameOf(element);
    return { name: name === derived && value !== derived ? `${derived} ${value}`.trim() : name, isDerived: true };
  }
  return { name: derived || given, isDerived: derived !== "" };
}

const WORDS = /[\p{L}\p{N}]{2,}/gu;

/**
 * Return true if a row has the label of the row beside it, or one without any of its words: how to use the rows, such as
 * AG Grid's "Press SPACE to select this row.", and not what is in this one.
 * @param {any} element
 * @param {string|null} role
 */
function isRowLabel(element, role) {
  const label = role === "row" ? attributeOf(element, "aria-label") : null;
  if (label === null) return hasLabelledBox(element, role) && beginning(element) !== "";
  if ([previousElementOf(element), nextElementOf(element)].some((row) => row && attributeOf(row, "aria-label") === label)) return true;
  const words = beginning(element).match(WORDS) ?? [];
  return words.length > 0 && !words.some((word) => label.includes(word));
}

const ROW_ROLES = new Set(["cell", "gridcell", "row"]);

/**
 * Return true if a row or a cell without a label has a checkbox with one that is not drawn, such as "Press Space to toggle
 * row selection (unchecked)": each row would begin with it.
 * @param {any} element
 * @param {string|null} role
 */
function hasLabelledBox(element, role) {
  if (role === null || !ROW_ROLES.has(role) || hasAttribute(element, "aria-labelledby")) return false;
  return queryAll(element, "input[type=checkbox][aria-label]").length > 0;
}

/**
 * Return true if the accessible name of a drawn combobox is only what is chosen in it: what it is for is beside it.
 * @param {any} control
 * @param {string} name
 */
function isEcho(control, name) {
  return name !== "" && !FIELD_TAGS.has(tagOf(control)) && collapseSpaces(name) === valueOf(control, "combobox");
}

/**
 * @param {any} element
 * @param {string|null} role
 */
function isOption(element, role) {
  return role === "option" && tagOf(element) !== "option";
}

/**
 * Return the name of an option without the words that a style sheet adds behind it while it is reached, such as "Press to
 * select": its neighbours do not have them.
 * @param {any} option
 */
function optionName(option) {
  const name = nameOf(option);
  const hint = hintBehind(option);
  if (!hint || !name.endsWith(hint)) return name;
  const beside = [previousElementOf(option), nextElementOf(option)].filter((other) => other && roleOf(other) === "option");
  const isOwn = beside.every((other) => hintBehind(other) !== hint);
  return (isOwn && name.slice(0, -hint.length).trim()) || name;
}

/**
 * Return the words that a style sheet adds behind an option, or behind its only element. A single word behind that is left
 * out, since it may be a state: "Selected".
 * @param {any} option
 */
function hintBehind(option) {
  const hint = pseudoElementText(option, "::after").trim();
  const only = hint || childCountOf(option) !== 1 ? null : firstElementOf(option);
  const inner = only ? pseudoElementText(only, "::after").trim() : "";
  return hint || (inner.includes(" ") ? inner : "");
}

const LONGEST_SYMBOL = 4;
/** Characters that only an icon font gives a shape. */
const GLYPHS = /\p{Co}/gu;
/** Names that say little: symbols, one letter, or a key. */
const SYMBOL = /^(?:[^\p{L}\p{N}]+|\p{L}|F\d{1,2})$/u;

/** @param {string} name */
function isSymbol(name) {
  return name.length <= LONGEST_SYMBOL && SYMBOL.test(name);
}

/**
 * Return a symbol with the tooltip that explains it.
 * @param {string} symbol
 * @param {string} given
 * @param {any} element
 * @returns {Naming}
 */
function withTooltip(symbol, given, element) {
  const tooltip = collapseSpaces(tooltipOf(element));
  const isNew = tooltip !== "" && tooltip !== given;
  return { name: isNew ? shorten(`${symbol} ${tooltip}`, MAX_NAME) : given, isDerived: isNew };
}

/**
 * Return true if a file field has only the text of its button, which all have.
 * @param {any} control
 * @param {boolean} isLabel
 */
function isVagueFile(control, isLabel) {
  if (isLabel || !isFileField(control)) return false;
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
 * Return the name that an observation shows.
 * @param {any} element
 */
export function shownNameOf(element) {
  const control = controlShownBy(element);
  return nameFor({ element, control, role: roleOf(control), isControl: true, isClickable: true, isDraggable: true });
}

/**
 * Return true if a control is a file field, which the standards give no role.
 * @param {any} control
 */
export function isFileField(control) {
  return tagOf(control) === "input" && control.type === "file";
}

/**
 * Return the role that a look shows: that of a text field for an editor, too, which the standards call generic.
 * @param {Found} found
 */
export function listedRole({ element, control, role, tag }) {
  if (isFileField(control)) return "file";
  const isEditor = (role === null || role === "generic") && tag !== "body" && isEdited(element) && hasAttribute(element, "contenteditable");
  return isEditor ? "textbox" : shownRole(role, tag);
}

const NO_ROLES = new Set([null, "none", "presentation"]);

/**
 * Return the role of an element, as fingerprints and filters have it.
 * @param {string|null} role
 * @param {string} tag
 * @returns {string}
 */
export function shownRole(role, tag) {
  if (role !== null && !NO_ROLES.has(role)) return role;
  return tag === "summary" ? "button" : "generic";
}

/** Longest name of an element for an approver and for the audit log. */
const MAX_APPROVED_NAME = 1000;

/** @param {any} element */
export const shownNameFor = (element) => (shownNameOf(element) ?? "").slice(0, MAX_APPROVED_NAME);

/**
 * Identity of an element as an approver was shown it.
 * @typedef {{role: string, name: string}} Identity
 */

/** Controls that act on a press on anything in them. */
const PRESSED =
  "button, summary, a[href], select, option, label, input:is([type=checkbox], [type=radio], [type=submit], [type=button]," +
  " [type=image], [type=reset], [type=file]), [role=button], [role=link], [role=checkbox], [role=radio], [role=switch]," +
  " [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=option], [role=tab]";

/**
 * Return the element that an approver is shown: the control of a label, or the one around an icon; else the element itself.
 * @param {any} element
 * @returns {any}
 */
export function approvedSubject(element) {
  const around = isEdited(element) ? element : closest(element, PRESSED) ?? element;
  return tagOf(around) === "label" ? around.control ?? element : around;
}

/**
 * Return true if an element has the role and the name that an approver was shown, or if none was shown.
 * @param {any} element
 * @param {Identity|null} approved
 */
export function isAsApproved(element, approved) {
  if (!approved) return true;
  clearMemo();
  const subject = approvedSubject(element);
  return (roleOf(subject) || "generic") === approved.role && shownNameFor(subject) === approved.name;
}

/**
 * Return true if a press that hits an element is for another one in it, with words that an approver was not shown: a control,
 * or what listens in an element that does not.
 * @param {any} element
 * @param {any} hit
 * @param {Identity|null} approved
 */
export function isForAnother(element, hit, approved) {
  const own = approvedSubject(element);
  let isPart = Boolean(approved) && isWithinElement(hit, own) && !matches(own, PRESSED) && !hasGestureListener(own);
  for (let node = approved && hit; node && node !== element && node !== own; node = flatTreeParentOf(node)) {
    const control = matches(node, PRESSED) ? approvedSubject(node) : own;
    if (control !== own) return (shownNameFor(control) || null) !== approved?.name;
    if (!isPart || !hasGestureListener(node)) continue;
    if (!approved?.name.includes(shownNameFor(node))) return true;
    isPart = false; // those around it are for all that it does not take
  }
  return false;
}

/** Value, states and action hints of an element. Secrets are never read. */

import { isForEditor } from "./clipping.js";
import {
  checkVisibility, closest, contains, declaredOf, hasAttribute, OPAQUE, parentOrHostOf, innerTextOf, isEdited, matches, parentOf,
  queryAll, referenced, shadowOf, shorten, tagOf,
} from "./nodes.js";
import { hasRoleIn, RANGES, roleOf, WIDGETS } from "./roles.js";
import { isSecret, shownTextNodes, shownTexts } from "./secret_fields.js";
import { isTransparent } from "./visibility.js";

/** @import { Found } from "../observe/scan.js" */

export const FIELD_TAGS = new Set(["input", "select", "textarea"]);
export const VALUELESS = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "hidden"]);
export const TYPED_IN = new Set(["textbox", "searchbox", "spinbutton"]);
export const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
/** Roles of what may be ticked or chosen. */
export const CHECKED_ROLES = new Set([...CHECKABLE, "option", "treeitem"]);
const SELECTABLE = new Set(["option", "tab", "treeitem", "row", "gridcell", "columnheader", "rowheader"]);
export const MAX_VALUE = 1000;
const MAX_MESSAGE = 200;

/**
 * Return the visible value of a control; undefined where there is none, or it is secret.
 * @param {any} control
 * @param {string|null} role
 * @returns {string|undefined}
 */
export function valueOf(control, role) {
  const value = rawValue(control, role);
  return value === undefined ? undefined : shorten(value, MAX_VALUE);
}

/** Formats of the values of fields for dates and times, which each browser shows in its own way. @type {Record<string, string>} */
export const DATE_FORMATS = {
  date: "YYYY-MM-DD",
  "datetime-local": "YYYY-MM-DDThh:mm",
  month: "YYYY-MM",
  time: "hh:mm or hh:mm:ss",
  week: "YYYY-Www",
};

/**
 * Return the format that a field for dates or times takes.
 * @param {any} control
 * @returns {string|undefined}
 */
export function dateFormatOf(control) {
  return tagOf(control) === "input" ? DATE_FORMATS[control.type] : undefined;
}

/**
 * Return what is in an input; of chosen files their names, as its `value` is a made-up path.
 * @param {any} input
 * @returns {string}
 */
export function enteredText(input) {
  return input.type === "file" ? [...input.files].map((file) => file.name).join(", ") : input.value;
}

/** A sign of no width that editors put where the next letters get another style. */
const UNSEEN = /\ufeff/g;
/** Signs with which editors keep an empty line open. */
const FILLERS = /[\n\u200b]/g;

/**
 * Return the text in an editor; "" if it holds nothing but empty lines and a placeholder, through which the pointer passes.
 * @param {any} editor
 * @returns {string}
 */
export function editedText(editor) {
  const text = innerTextOf(editor).replace(UNSEEN, "");
  let left = text.replace(FILLERS, "");
  if (left.length > MAX_VALUE) return text;
  for (const fixed of left ? queryAll(editor, '[contenteditable="false"]') : []) {
    if (getComputedStyle(fixed).pointerEvents === "none") left = left.replace((innerTextOf(fixed) ?? "").replace(FILLERS, ""), "");
  }
  return left ? text : "";
}

/**
 * @param {any} control
 * @param {string|null} role
 * @returns {string|undefined}
 */
function rawValue(control, role) {
  switch (tagOf(control)) {
    case "input":
      if (isSecret(control) || VALUELESS.has(control.type)) return undefined;
      return enteredText(control) || (role === "combobox" ? choiceAround(control) : "");
    case "textarea":
      return isSecret(control) || isForEditor(control) ? undefined : control.value;
    case "select":
      return isSecret(control) ? undefined : [...control.selectedOptions].map((option) => option.label).join(", ");
    case "progress":
    case "meter":
      return hasAttribute(control, "value") ? String(control.value) : undefined;
    default:
      if (isEdited(control)) return isSecret(control) ? undefined : editedText(control);
      if (role === "combobox") return choiceIn(control);
      if (role === "columnheader" || role === "rowheader") return sortOf(control);
      if (!hasRoleIn(RANGES, role) && role !== "separator") return undefined;
      return declaredOf(control, "aria-valuetext") ?? declaredOf(control, "aria-valuenow") ?? undefined;
  }
}

/**
 * Return the order by which the rows are sorted by a header; undefined if they are not.
 * @param {any} header
 */
function sortOf(header) {
  const order = declaredOf(header, "aria-sort")?.toLowerCase();
  return order === "ascending" || order === "descending" ? order : undefined;
}

/**
 * Return the text that a drawn combobox shows, perhaps in its shadow tree; a label in it is its name.
 * @param {any} control
 */
function choiceIn(control) {
  const around = closest(control, "label");
  const isOther = (/** @type {any} */ holder) =>
    closest(holder, "label") !== around || tagOf(holder) === "option" || isOfPart(holder, control, UNCHOSEN) || isInPopup(holder, control);
  for (const root of [control, shadowOf(control)]) {
    const texts = root ? [...shownTextNodes(root)].filter(({ holder }) => !isOther(holder)) : [];
    if (texts.length) return texts.map(({ text }) => text).join(" ");
  }
  return "";
}

/** Elements around an input, up to the one that draws the field. */
const FRAME_LEVELS = 3;

/**
 * Return the text that a page draws beside the empty input of a combobox, in the border that it has in place of the
 * input: what is chosen. The input only takes what is typed to search.
 * @param {any} input
 */
function choiceAround(input) {
  if (isFramed(input)) return "";
  let frame = parentOrHostOf(input);
  for (let level = 1; frame && level < FRAME_LEVELS && !isFramed(frame); level++) frame = parentOrHostOf(frame);
  if (!frame || !isFramed(frame) || queryAll(frame, "input:not([type=hidden]), select, textarea").length > 1) return "";
  const hints = [...referenced(input, "aria-describedby"), ...referenced(input, "aria-labelledby")];
  const isOther = (/** @type {any} */ holder) => hints.some((hint) => contains(hint, holder)) || isOfPart(holder, frame, NO_CHOICE);
  const texts = [...shownTextNodes(frame)].filter(({ holder }) => !isOther(holder));
  return texts.map(({ text }) => text).join(", ");
}

/** @param {any} element */
function isFramed(element) {
  const { borderBottomColor, borderBottomWidth } = getComputedStyle(element);
  return borderBottomWidth !== "0px" && !isTransparent(borderBottomColor);
}

const BUTTONS = "button, [role=button]";
const UNCHOSEN = `${BUTTONS}, [role=option][aria-selected=false]`;
const NO_CHOICE = `${BUTTONS}, a, label, legend, [role=listbox], [class*=placeholder i]`;

/**
 * Return true if a text is in a part of a control, such as a button beside what is chosen.
 * @param {any} holder
 * @param {any} control
 * @param {string} parts
 */
function isOfPart(holder, control, parts) {
  const part = closest(holder, parts);
  return part !== null && part !== control && contains(control, part);
}

/**
 * Return true if a text is in a list of options that lies over the page, in the combobox that has opened it.
 * @param {any} holder
 * @param {any} control
 */
function isInPopup(holder, control) {
  const list = closest(holder, "[role=listbox]");
  if (!list || !contains(control, list)) return false;
  for (let node = list; node && node !== control; node = parentOrHostOf(node)) {
    if (OVER_PAGE.has(getComputedStyle(node).position)) return true;
  }
  return false;
}

const OVER_PAGE = new Set(["absolute", "fixed"]);

/**
 * Return the states of the wire protocol; undefined where a state does not apply.
 * @param {any} control
 * @param {string|null} role
 */
export function statesOf(control, role) {
  return {
    checked: checkedState(control, role),
    expanded: expandedState(control),
    selected: selectedState(control, role) ?? isCurrent(control),
    disabled: isDisabled(control) || undefined,
  };
}

/**
 * @param {any} control
 * @param {string|null} role
 * @returns {boolean|"mixed"|undefined}
 */
export function checkedState(control, role) {
  if (tagOf(control) === "input" && (control.type === "checkbox" || control.type === "radio")) {
    return control.indeterminate ? "mixed" : isTicked(control);
  }
  const declared = role === "button" ? declaredOf(control, "aria-pressed")?.toLowerCase() : declaredTick(control, role);
  if (declared === "mixed") return "mixed";
  return declared === "true" || declared === "false" || hasRoleIn(CHECKABLE, role) ? declared === "true" : undefined;
}

/**
 * Return what a control declares of its tick. One that is drawn as a button may keep the state of a button.
 * @param {any} control
 * @param {string|null} role
 */
function declaredTick(control, role) {
  const declared = declaredOf(control, "aria-checked") ?? (hasRoleIn(CHECKABLE, role) ? declaredOf(control, "aria-pressed") : null);
  return declared?.toLowerCase();
}

/**
 * Return true if a control is ticked. A page that draws its own box over a checkbox, and cancels the clicks on it, keeps what
 * it shows in `aria-checked`. Options and the items of trees without that have their choice in `aria-selected`.
 * @param {any} control
 */
export function isTicked(control) {
  if (control.checked === undefined) {
    const role = roleOf(control);
    const declared = declaredTick(control, role);
    return declared ? declared === "true" : selectedState(control, role) === true;
  }
  const isDrawn = hasAttribute(control, "aria-checked") && !checkVisibility(control, OPAQUE);
  return isDrawn ? declaredOf(control, "aria-checked")?.toLowerCase() === "true" : control.checked;
}

/**
 * Return true if a field for secrets holds anything: its value is never read further.
 * @param {any} control
 */
export function isFilledSecret(control) {
  const isField = tagOf(control) === "textarea" || (tagOf(control) === "input" && !VALUELESS.has(control.type));
  return isField && isSecret(control) && control.value !== "";
}

/** @param {any} control */
export function expandedState(control) {
  if (tagOf(control) === "summary") return parentOf(control)?.open;
  const declared = declaredOf(control, "aria-expanded")?.toLowerCase();
  return declared === "true" || declared === "false" ? declared === "true" : undefined;
}

/**
 * @param {any} control
 * @param {string|null} role
 */
export function selectedState(control, role) {
  if (tagOf(control) === "option") return control.selected;
  const [box, other] = role === "option" ? queryAll(control, "input[type=checkbox]") : [];
  if (box && !other) return box.checked; // `aria-selected` may be of the option that the keyboard has reached
  const declared = hasRoleIn(SELECTABLE, role) ? declaredOf(control, "aria-selected")?.toLowerCase() : undefined;
  return declared === "true" || declared === "false" ? declared === "true" : undefined;
}

/** Values of `aria-current` without a choice: today is mostly not the day that is chosen. */
const NOT_CHOSEN = new Set(["false", "date", "time"]);

/**
 * Return true for the current one of several pages or steps; else undefined.
 * @param {any} control
 */
function isCurrent(control) {
  return !NOT_CHOSEN.has(declaredOf(control, "aria-current")?.toLowerCase() ?? "false") || undefined;
}

/** Roles with the state `aria-disabled`. */
export const DISABLED_ROLES = new Set([
  ...WIDGETS, "application", "columnheader", "grid", "gridcell", "group", "listbox", "menu", "menubar", "radiogroup", "row",
  "rowheader", "separator", "tablist", "toolbar", "tree", "treegrid",
]);
const FIELDS = "button, input, select, textarea";
const PRESSED = "button, input, select, textarea, option, optgroup, a, label, [role=button], [role=link], [role=checkbox], [role=radio]";

/**
 * Return the control that a click on an element is for: the element, the button around it, or the control of its label.
 * @param {any} element
 * @returns {any}
 */
function pressedControl(element) {
  const around = isEdited(element) ? element : closest(element, PRESSED) ?? element;
  return tagOf(around) === "label" ? around.control ?? element : around;
}

/**
 * Return true if a click on an element would be for a disabled control. `aria-disabled` is inherited.
 * @param {Element} element
 */
export function isDisabled(element) {
  const control = pressedControl(element);
  if (matches(control, ":disabled")) return true;
  if (!hasRoleIn(DISABLED_ROLES, roleOf(control)) && !matches(control, FIELDS)) return false;
  for (let node = /** @type {Element|null} */ (control); node; node = parentOrHostOf(node)) {
    const declared = declaredOf(node, "aria-disabled")?.toLowerCase();
    if (declared === "true" || declared === "false") return declared === "true";
  }
  return false;
}

/**
 * Return whether a field is marked as invalid, and the message that the page shows for it.
 * @param {any} control
 * @returns {{invalid?: true, invalidMessage?: string}}
 */
export function invalidState(control) {
  const declared = declaredOf(control, "aria-invalid")?.toLowerCase();
  if (declared ? declared === "false" : !matches(control, ":user-invalid")) return {};
  const stated = ["aria-errormessage", "aria-describedby"].flatMap((name) => referenced(control, name));
  const message = [...new Set(stated)].flatMap((element) => [...shownTexts(element)]).join(" ");
  return { invalid: true, invalidMessage: message ? shorten(message, MAX_MESSAGE) : undefined };
}

/**
 * Return true if a control takes no text. What a page declares of a field of the browser's own does not count: it takes
 * what is typed.
 * @param {any} control
 */
export function isReadOnly(control) {
  if (["input", "textarea"].includes(tagOf(control))) return control.readOnly === true;
  return declaredOf(control, "aria-readonly")?.toLowerCase() === "true";
}

/**
 * Return the action hints of the wire protocol.
 * @param {Found} found
 * @returns {string[]}
 */
export function hintsOf(found) {
  const { control, role, tag } = found;
  const editable = isEditable(control, role);
  const choosing = tag === "select" || role === "listbox";
  /** @type {[boolean, string][]} */
  const hints = [
    [!editable && !choosing && (found.isControl || found.isClickable), "clickable"],
    [editable, "editable"],
    [choosing || role === "option", "selectable"],
    [hasRoleIn(CHECKABLE, role), "checkable"],
    [expandedState(control) !== undefined, "expandable"],
    [found.isDraggable, "draggable"],
    [found.isScrollable, "scrollable"],
    [isSubmitter(control), "submittable"],
  ];
  return hints.filter(([holds]) => holds).map(([, hint]) => hint);
}

/**
 * @param {any} control
 * @param {string|null} role
 */
function isEditable(control, role) {
  const tag = tagOf(control);
  if (isReadOnly(control)) return false;
  if (tag === "input") return !VALUELESS.has(control.type) && control.type !== "file";
  return tag === "textarea" || isEdited(control) || (tag !== "select" && hasRoleIn(TYPED_IN, role));
}

/** @param {any} control */
function isSubmitter(control) {
  const tag = tagOf(control);
  if (tag !== "button" && tag !== "input") return false;
  return (control.type === "submit" || control.type === "image") && control.form !== null;
}

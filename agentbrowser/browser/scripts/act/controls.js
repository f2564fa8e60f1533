/** Form controls: their kind, content, options, caret and scroll position, as actions read and change them. */

import { flatTreeParentOf, hitAt, isAt, isInView, isPartlyInView } from "../dom/hit_test.js";
import { clearMemo } from "../dom/memo.js";
import { nameOf } from "../dom/names.js";
import {
  activeOf, attributeOf, closest, declaredOf, FRAGMENT, hasAttribute, parentOrHostOf, isEdited, kindOf, labelElementsOf, matches,
  MAX_TEXT, measure, rootOf, scrollerOf, shorten, collapseSpaces, tagOf, topOf, urlOf,
} from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { isSecret } from "../dom/secret_fields.js";
import { DATE_FORMATS, editedText, isDisabled, isReadOnly, isTicked } from "../dom/states.js";
import { boxOf, isInert, isVisible } from "../dom/visibility.js";
import { beginning, boundsOf, MAX_NAME, nameFor, shownNameOf } from "../observe/element_fields.js";
import { fingerprintOf, registryHere } from "../observe/refs.js";
import { idOrPath } from "../observe/selectors.js";
import { hasLostCaret, moveCaretToEnd } from "./caret.js";
import { noteScroll } from "../settle/changes.js";
import { FRAME_MS, gripOf, isFramed, isHit, isItem, isLockedAway, leaveEdges, pointOf, targetOf } from "./hit_target.js";
import { locatorOf } from "./recorded_locator.js";
import { find } from "./selector_evaluator.js";

/** @import { Target } from "./hit_target.js" */
/** @import { Selector } from "./selector_evaluator.js" */

const LONGEST_TEXT = 10_000;
const OFFERED = 10;
export const SET_BY_VALUE = /^(color|date|time|datetime-local|month|range|week)$/;
const SHOWN_OTHERWISE = /^(date|time|month|week|datetime-local|color|range)$/;
const TICKED_ROLES = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/;
const PRESSED = "a, button, label, summary, [role], [onclick], [tabindex]";
const DIGITS = /^\d+$/;
const LINE_END = /[\n\r]/;
const DIALLING_CODE = /^\+\d{1,3}(?=[^\d])/;
/** Additions of a field to a number with decimals: the signs between thousands, of a currency, and of percent. */
const GROUPED = /(?<=\d)[,'’](?=\d{3}(?!\d))|[\p{Sc}%]/gu;
const PUSHED = /^(button|submit|reset|image|hidden)$/;

/** @typedef {"text"|"select"|"check"|"file"|"other"} ControlKind */

/**
 * Return the kind of a control, by the actions that it accepts.
 * @param {any} control
 * @returns {ControlKind}
 */
export function controlKind(control) {
  const tag = tagOf(control);
  if (tag === "select") return "select";
  if (tag === "input" && control.type === "file") return "file";
  if (tag === "input" && (control.type === "checkbox" || control.type === "radio")) return "check";
  if (TICKED_ROLES.test(declaredOf(control, "role") ?? "")) return "check";
  if (tag === "input") return PUSHED.test(control.type) ? "other" : "text";
  return tag === "textarea" || isEdited(control) ? "text" : "other";
}

/**
 * Return true for a button that opens a list, or a popup that may have one: kits draw a field to search in above the options.
 * @param {any} control
 */
function opensList(control) {
  const popup = attributeOf(control, "aria-haspopup");
  return popup === "listbox" || (popup === "dialog" && hasAttribute(control, "aria-expanded"));
}

/**
 * Return the state of a control. `label` is the index of the label that shows in its place, -1 without one.
 * @param {Target} target
 */
export function controlState(target) {
  const { element, control } = target;
  const visible = isVisible(element);
  return {
    visible,
    label: visible ? -1 : labelElementsOf(element).findIndex(isVisible),
    enabled: !isDisabled(element) && !isDisabled(control) && !isInert(control),
    editable: !isReadOnly(control),
    kind: controlKind(control),
    tag: tagOf(control) + (tagOf(control) === "input" ? `[type=${control.type}]` : ""),
    combobox: roleOf(control) === "combobox" || opensList(control),
    listbox: roleOf(control) === "listbox",
    suggests: tagOf(control) === "input" && Boolean(control.list),
    locked: isLockedAway(target),
    framed: isFramed(target),
  };
}

/**
 * Return the content of a control that was written to. In an editor, the caret goes behind lines that have replaced the
 * content: Chromium leaves it before the last letters of a paragraph.
 * @param {any} control
 * @param {{written: string, whole: boolean}|null} wanted
 */
export function writtenContentOf(control, wanted) {
  const content = contentOf(control, wanted);
  const isLines = wanted?.whole && content.landed && LINE_END.test(wanted.written);
  const outer = parentOrHostOf(control);
  // In an editor within an editor, the boundary would be that of the outer one.
  if (isLines && isEdited(control) && !(outer && isEdited(outer)) && matches(control, ":focus-within")) moveCaretToEnd();
  return content;
}

/**
 * Return the content of a control. Text is compared here, so that a secret does not leave the page.
 * @param {any} control
 * @param {{written: string, whole: boolean}|null} wanted
 */
export function contentOf(control, wanted) {
  const kind = controlKind(control);
  if (kind === "check") return { value: isTicked(control) };
  if (kind !== "text") return {};
  const text = String((isEdited(control) ? editedText(control) : control.value) ?? "");
  const landed = !wanted || matchesWritten(text, wanted) || isSameNumber(control, text, wanted) || (!wanted.whole && isElsewhere(control, text));
  const takes = landed ? undefined : formatOf(control);
  if (isSecret(control)) return { landed, takes, secret: true };
  const normalized = landed && wanted ? isSpeltOtherwise(control, text, wanted) : undefined;
  return { landed, takes, normalized, value: text.slice(0, LONGEST_TEXT) };
}

/**
 * Return true if a control holds the written text in another spelling: case, separators, or its own form of a date.
 * Text that went on to another field is no spelling.
 * @param {any} control
 * @param {string} text
 * @param {{written: string, whole: boolean}} wanted
 */
function isSpeltOtherwise(control, text, { written, whole }) {
  const isRendered = isEdited(control); // its lines and spaces are those of the layout
  const plain = (some) => (isRendered ? collapseSpaces(some) : some.replace(/\r\n?/g, "\n"));
  const [now, before] = [plain(text), plain(written)];
  if (whole ? now === before : now.includes(before)) return false;
  return matchesWritten(text, { written, whole }) || SHOWN_OTHERWISE.test(control.type);
}

/** Formats of the values of inputs, by type. @type {Object<string, string>} */
const FORMATS = { ...DATE_FORMATS, color: "#rrggbb", number: "digits such as -12.5" };

/**
 * Return the format that a field takes; undefined if it takes any text.
 * @param {any} control
 * @returns {{field: string, format: string}|undefined}
 */
function formatOf(control) {
  if (tagOf(control) === "input" && control.type === "range") {
    const { min, max, step } = control;
    return { field: "a range input", format: `a number from ${min || 0} to ${max || 100} in steps of ${step || 1}` };
  }
  if (tagOf(control) === "input" && Object.hasOwn(FORMATS, control.type)) {
    return { field: `a ${control.type} input`, format: FORMATS[control.type] };
  }
  return control.maxLength >= 0 ? { field: "the field", format: `at most ${control.maxLength} characters` } : undefined;
}

/**
 * Return true if a control can hold a value: the browser replaces one of another format.
 * @param {any} control
 * @param {string} value
 */
export function canHold(control, value) {
  if (control.type === "number") return !Number.isNaN(Number(value.trim()));
  if (value === "" || !SET_BY_VALUE.test(control.type)) return true;
  const probe = control.cloneNode();
  probe.value = value.trim();
  return matchesWritten(probe.value, { written: value, whole: true });
}

/**
 * Return true if a text is the written one. A page may add separators, spaces and the country code of a telephone number,
 * and change case, but not drop or replace anything.
 * @param {string} text
 * @param {{written: string, whole: boolean}} wanted
 */
function matchesWritten(text, { written, whole }) {
  const plain = (some) => some.replace(/\s+/g, "").toLowerCase();
  const fits = (now) => (whole ? now === plain(written) : now.includes(plain(written)));
  if (fits(plain(text)) || (whole && /^-?\d+[.]\d+$/.test(written.trim()) && fits(plain(text).replace(GROUPED, "")))) return true;
  if (!/^[\p{L}\p{N}\s]+$/u.test(written)) return false;
  const fitsBare = (some) => fits(plain(some).replace(/[().,:/_+\p{Sc}%-]/gu, ""));
  return fitsBare(text) || (whole && fitsBare(text.trim().replace(DIALLING_CODE, "")));
}

/**
 * Return true if a field for a number, such as one of the parts of a date, shows the written one: "3" for "03".
 * @param {any} control
 * @param {string} text
 * @param {{written: string, whole: boolean}} wanted
 */
function isSameNumber(control, text, { written, whole }) {
  const isNumber = whole && roleOf(control) === "spinbutton" && DIGITS.test(written.trim()) && DIGITS.test(text.trim());
  return isNumber && Number(written) === Number(text);
}

/**
 * Return true if typed text need not be found: the control formats it, or the focus went on to the next field.
 * @param {any} control
 * @param {string} text
 */
function isElsewhere(control, text) {
  return (text !== "" && SHOWN_OTHERWISE.test(control.type)) || !matches(control, ":focus-within");
}

/**
 * Return the state of a `<select>`, or of the suggestions of a field, with the indexes and values of the wanted options, each
 * found by its value or else its label.
 * @param {any} control
 * @param {string[]} wanted
 */
export function optionsOf(control, wanted) {
  const all = [...(control.options ?? control.list.options)];
  const labels = all.map((option) => collapseSpaces(option.label));
  const byValue = (value) => all.findIndex((option) => option.value === value);
  const indexes = wanted.map((value) => (byValue(value) < 0 ? labels.indexOf(collapseSpaces(value)) : byValue(value)));
  const chosen = all.filter((option) => option.selected);
  return {
    indexes,
    missing: wanted.filter((_, place) => indexes[place] < 0),
    disabled: wanted.filter((_, place) => indexes[place] >= 0 && matches(all[indexes[place]], ":disabled")),
    known: labels.slice(0, OFFERED),
    count: all.length,
    multiple: control.multiple,
    found: indexes.map((index) => all[index]?.value ?? ""),
    chosen: chosen.map((option) => all.indexOf(option)),
    values: chosen.map((option) => option.value),
  };
}

/**
 * Focus a control with the caret behind its text, as a click there would; return true if it took the focus.
 * @param {any} control
 */
export function focusAtEnd(control) {
  if (!matches(control, ":focus-within")) {
    control.focus();
    if (controlKind(control) === "text") moveCaretToEnd();
  } else if (hasLostCaret()) moveCaretToEnd();
  return matches(control, ":focus-within");
}

/**
 * Change a control as a script does, where no keyboard can write, and dispatch its `input` and `change` events.
 * @param {any} control
 * @param {() => void} change
 */
export function dispatchChange(control, change) {
  change();
  control.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * Return the only element that a selector matches as a target; null for none or several.
 * @param {Selector} selector
 */
export function singleTarget(selector) {
  clearMemo();
  const found = find(selector);
  if (found?.elements.length !== 1) return null;
  const [element] = found.elements;
  return { target: targetOf(element), healed: found.healed, entry: found.entry, seen: seenOf(selector, element) };
}

/** @param {any} element */
function shownFactsOf(element) {
  const name = shorten(shownNameOf(element), MAX_NAME);
  return { role: roleOf(element), name, bounds: boundsOf(boxOf(element)) };
}

/**
 * Return what recordings and the live view want of an element that is acted on.
 * @param {Selector} selector
 * @param {any} element
 */
function seenOf({ isRecorded, isWatched }, element) {
  return {
    located: isRecorded ? locatorOf(element) : undefined,
    shown: isWatched ? shownFactsOf(element) : undefined,
  };
}

/**
 * Return the state that can change without a mutation of the DOM.
 * @param {Target} target
 */
export function snapshot({ element, control }) {
  const places = [];
  for (let node = element; node; node = flatTreeParentOf(node)) places.push(node.scrollTop, node.scrollLeft);
  const held = [control.value, control.checked, control.indeterminate, control.selectedIndex, control.open];
  return [urlOf(document), scrollX, scrollY, history.length, ...held, ...places];
}

/**
 * Return the focused elements of the document and of the element's shadow root.
 * @param {any} element
 */
export function focusOf(element) {
  const root = rootOf(element);
  return [activeOf(document), kindOf(root) === FRAGMENT ? root.activeElement : null];
}

/**
 * Questions about an element that was handed over, by name.
 * @type {Map<string, (target: Target, argument: any) => unknown>}
 */
export const QUESTIONS = new Map(
  Object.entries({
    state: controlState,
    content: ({ control }, wanted) => writtenContentOf(control, wanted),
    misfit: ({ control }, value) => (canHold(control, value) ? null : formatOf(control)),
    options: ({ control }, wanted) => optionsOf(control, wanted),
    hasRef: ({ element }, ref) => find({ type: "ref", value: ref })?.elements[0] === element,
    obstacle,
    scroll: ({ element }, how) => scrollNear(element, how),
    locator: ({ element }) => locatorOf(element),
    isPressed: ({ element }) => getComputedStyle(element).cursor === "pointer" || closest(element, PRESSED) !== null,
    isInView: ({ element }) => isInView(element),
    isPartlyInView: ({ element }) => isPartlyInView(element),
    leaveEdges: ({ element }) => leaveEdges(element),
    grip: ({ element }) => gripOf(element),
    isAt: ({ element }, offset) => isAt(element, offset),
    isItem: ({ element }) => isItem(element),
  }),
);

/**
 * @param {{selector: Selector|null, question: string, argument: any}} options
 * @returns {{missing: true}|{answer: unknown}|Promise<{answer: unknown}>}
 */
export function question({ selector, question: name, argument }) {
  if (!selector) return { answer: scrollNear(null, argument) };
  const found = singleTarget(selector);
  if (!found) return { missing: true };
  const answer = QUESTIONS.get(name)(found.target, argument);
  return answer instanceof Promise ? answer.then((known) => ({ answer: known })) : { answer };
}

/**
 * Report the obstacle to the pointer: the element is outside the viewport, covered, or moving.
 * @param {Target} target
 * @param {{x: number, y: number}|null} position
 */
async function obstacle(target, position) {
  const place = () => JSON.stringify(measure(target.element));
  const before = place();
  await new Promise((done) => (requestAnimationFrame(() => requestAnimationFrame(done)), setTimeout(done, FRAME_MS)));
  if (place() !== before) return { moving: true };
  const point = pointOf(target.element, position);
  const hit = point && hitAt(...point);
  if (!hit) return { outside: true };
  return isHit(target, hit) ? { point: { x: point[0], y: point[1] } } : { covered: describeCover(hit) };
}

/**
 * Describe a covering element by path, text and ref, so that a client can close it.
 * @param {any} hit
 */
function describeCover(hit) {
  const text = nameOf(hit) || collapseSpaces(attributeOf(hit, "title") ?? "") || beginning(hit);
  return { value: idOrPath(hit), text: shorten(text, MAX_TEXT), ref: refFor(hit) };
}

/**
 * Return the ref of an element, a new one if it has none. A frame that was never observed gives none: its refs lack a
 * prefix.
 * @param {any} element
 */
function refFor(element) {
  const refs = registryHere();
  const known = refs.byElement.get(element);
  if (known || (window !== window.top && !refs.prefix)) return known?.ref;
  const found = { element, control: element, tag: tagOf(element), role: roleOf(element), isControl: true, isClickable: true, isDraggable: false };
  return refs.add(found, fingerprintOf(found, nameFor(found), true)).ref;
}

/**
 * @param {any} at
 * @param {"x"|"y"} axis
 */
function canScroll(at, axis) {
  const isLonger = axis === "x" ? at.scrollWidth > at.clientWidth : at.scrollHeight > at.clientHeight;
  if (!isLonger || at === scrollerOf(document)) return isLonger;
  return /auto|scroll|overlay/.test(getComputedStyle(at)[axis === "x" ? "overflowX" : "overflowY"]);
}

/**
 * Scroll the element, its scroll container or the page; return true if anything moved.
 * @param {any} element
 * @param {{axis: "x"|"y", sign: number, amount: number|"page"}} how
 */
function scrollNear(element, { axis, sign, amount }) {
  const root = scrollerOf(document) ?? topOf(document);
  let at = element ?? (canScroll(root, axis) ? root : hitAt(innerWidth / 2, innerHeight / 2));
  while (at && !canScroll(at, axis)) at = flatTreeParentOf(at);
  at ??= root;
  const [place, size] = axis === "x" ? ["scrollLeft", "clientWidth"] : ["scrollTop", "clientHeight"];
  const before = at[place];
  const by = sign * (amount === "page" ? at[size] : amount);
  at.scrollBy({ left: axis === "x" ? by : 0, top: axis === "x" ? 0 : by, behavior: "instant" });
  if (at[place] === before) return false;
  noteScroll();
  return true;
}

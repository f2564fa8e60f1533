/** Text input and choice of options: one call prepares or does it, another reports its effect. */

import { isForEditor, MAX_FIELD_HEIGHT } from "../dom/clipping.js";
import { attributeOf, editContextOf, isConnected, matches, parentOrHostOf, queryAll, tagOf, textContentOf } from "../dom/nodes.js";
import { hasRoleIn, roleOf } from "../dom/roles.js";
import { isDisabled } from "../dom/states.js";
import { boxOf, isInert, isShown } from "../dom/visibility.js";
import { isAsApproved } from "../observe/element_fields.js";
import { noteCaret, selectAll } from "./caret.js";
import {
  canHold, dispatchChange, contentOf, controlKind, optionsOf, QUESTIONS, SET_BY_VALUE, singleTarget, controlState, focusAtEnd,
  writtenContentOf,
} from "./controls.js";
import { activityOf } from "../settle/activity.js";
import { nextFrame as drawnFrame } from "../settle/settle.js";
import { guard, startGuard } from "./guard.js";
import { nextFrame, nextTask } from "./hit_target.js";
import { isPlain, NO_GUARD, PREPARATIONS, finishGuard } from "./pointer.js";
import { fieldInFocus } from "./secret_input.js";

/** @import { Guard } from "./guard.js" */
/** @import { Target } from "./hit_target.js" */
/** @import { Next } from "./pointer.js" */
/** @import { Identity } from "../observe/element_fields.js" */
/** @import { Selector } from "./selector_evaluator.js" */

/** Timers so short belong to the handling of the input: many pages reformat or refuse the text in one. */
const HANDLING_MS = 100;
const TIMER = /^timer (\d+) ms$/;

/**
 * Plan of a text input.
 * @typedef {object} WritingPlan
 * @property {Selector} selector
 * @property {"fill"|"type"|"press"} action
 * @property {string} [value]
 * @property {Identity} [approved] identity in which an approver has agreed to a key in the element
 * @property {number} until time in ms after which the action is given up
 * @property {boolean} [isAhead] true if the step before is not known to be over
 */

/**
 * Focus a control that is ready for the keyboard; a control without keyboard input gets its value at once.
 * @param {WritingPlan} plan
 */
export function startWriting({ selector, action, value, until, approved, isAhead = false }) {
  guard?.disarm();
  const found = Date.now() > until ? null : singleTarget(selector);
  if (!found) return { state: "unsure" };
  const answer = { state: "unready", healed: found.healed || undefined, ...found.seen };
  const field = isAhead ? null : drawnEditorField(found.target);
  const { control } = found.target;
  if (field && action === "fill") {
    openEditor(found.target, field);
    return { ...answer, state: "editor" };
  }
  if (field && field !== control) return answer;
  if (!isWritable(found.target, action) || (action === "fill" && !canHold(control, value))) return answer;
  const isSetByValue = action === "fill" && SET_BY_VALUE.test(control.type);
  if (isSetByValue && (isAhead || (control.type === "range" && value !== ""))) return answer;
  const isApproved = () => isAsApproved(found.target.element, approved ?? null);
  const watching = startGuard(found.target, [-1, -1], "write", found.entry, isApproved);
  if (isSetByValue) {
    control.focus();
    dispatchChange(control, () => (control.value = value.trim()));
    return { ...answer, state: "done" };
  }
  if (action === "fill") {
    watching.text = value;
    selectAll(control);
  } else if (!focusAtEnd(control)) {
    watching.disarm();
    return answer;
  }
  return { ...answer, state: "ready", notice: watching.notice.id };
}

/**
 * @param {Target} target
 * @param {WritingPlan["action"]} action
 */
function isWritable(target, action) {
  const { visible, enabled, editable, kind } = controlState(target);
  if (!isPlain(target) || !visible || !enabled) return false;
  if (action === "fill") return kind === "text" && editable;
  return action === "press" || editable || kind !== "text";
}

/**
 * Report the content of the control, and the effect of the input.
 * @param {object} options
 * @param {Selector} options.selector
 * @param {{written: string, whole: boolean}|null} options.wanted
 * @param {boolean} options.reads
 * @param {boolean} options.waits for a frame, where the input has no content to read back
 * @param {Next|null} options.next
 * @param {boolean} [options.isBehind] if sent right after the input, which it may overtake
 * @returns {Promise<any>}
 */
export async function finishWriting({ selector, wanted, reads, waits, next, isBehind = false }) {
  const current = guard;
  if (!current) return NO_GUARD;
  if (isBehind) await new Promise((done) => current.waitForInput(done));
  const isThere = current.stopped.size || (current.hasInput && contentOf(current.target.control, wanted).landed);
  if (isBehind && !isThere) return { landing: "early" };
  if (reads) await new Promise(nextTask); // a page may restore or reformat the text
  if (!current.isSettled()) await new Promise(waits ? nextFrame : nextTask);
  if (reads) await handledInput(current.startedAt);
  noteCaret();
  const report = current.report();
  const control = reads ? writtenTo(current, selector) : null;
  const content = control && writtenContentOf(control, wanted);
  return { ...report, content, next: finishGuard(current, next, current.isDone() && (!wanted || content?.landed === true)) };
}

/**
 * Wait until the page has heard of what a combination of keys has selected: the event comes with the next frame, and
 * editors read the selection a moment after it.
 * @param {number} begin of the input, Unix time in ms
 */
export async function selectionHeard(begin) {
  await drawnFrame();
  await handledInput(begin);
  return null;
}

/**
 * Wait for the short timers that the handlers of an input have set.
 * @param {number} begin of the input, Unix time in ms
 */
async function handledInput(begin) {
  const until = Date.now() + HANDLING_MS;
  for (let left = HANDLING_MS; left > 0; left = until - Date.now()) {
    const delays = (activityOf(begin, Date.now()) ?? []).flatMap((item) => TIMER.exec(item)?.slice(1) ?? []).map(Number);
    const short = delays.filter((delay) => delay <= HANDLING_MS);
    if (short.length === 0) return;
    await new Promise((done) => setTimeout(done, Math.min(left, ...short)));
  }
}

/**
 * Return the control that was written to, or its replacement.
 * @param {Guard} current
 * @param {Selector} selector
 */
function writtenTo({ target }, selector) {
  return isConnected(target.control) ? target.control : (singleTarget(selector)?.target.control ?? null);
}

/** Levels from the drawn text of an editor to the element that holds its field, too. */
const MAX_EDITOR_LEVELS = 3;
/** The longest time that an editor may take to draw what it has got. */
const MAX_FRAMES = 30;
const LONGEST_TEXT = 10_000;

/**
 * Return the hidden field that takes the keys for an editor that the page draws: the target, or one beside its drawn
 * text. Such a field holds a part of the editor's text at most.
 * @param {Target} target
 * @returns {any}
 */
function drawnEditorField({ element, control }) {
  if (editContextOf(control)) return control;
  if (tagOf(control) === "textarea") return isHiddenField(control) ? control : null;
  if (controlKind(control) !== "other" || !isShown(element)) return null;
  let holder = element;
  for (let level = 0; holder && level < MAX_EDITOR_LEVELS && areaOf(element) * 2 > areaOf(holder); level++) {
    const fields = queryAll(holder, "textarea, input, select, button, [contenteditable]");
    if (fields.length > 0) return fields.length === 1 && tagOf(fields[0]) === "textarea" && isHiddenField(fields[0]) ? fields[0] : null;
    holder = parentOrHostOf(holder);
  }
  return null;
}

/**
 * Focus a control, with the caret at the end of its text: that of an editor that the page draws takes a key. Its keys go
 * to its hidden field, also where the drawn text takes the focus.
 * @param {Target} target
 * @returns {boolean|"editor"}
 */
function focusTarget(target) {
  const field = drawnEditorField(target);
  if (!field || field === target.control) return focusAtEnd(target.control);
  const had = matches(field, ":focus");
  field.focus();
  if (!matches(field, ":focus")) return false;
  return had || "editor";
}

/** @param {Element} element */
function areaOf(element) {
  const { width, height } = boxOf(element);
  return width * height;
}

/** @param {any} field a textarea */
function isHiddenField(field) {
  return isForEditor(field) && !isDisabled(field) && !isInert(field);
}

/** The editor that is being filled, whose ref may stand for the text that is replaced. @type {{target: Target, field: any}|null} */
let editor = null;

/**
 * @param {Target} target
 * @param {any} field
 */
function openEditor(target, field) {
  editor = { target, field };
  field.focus();
}

/**
 * Paste a text in the editor, which has selected all of its own, and report its content; `isLeft` if the page handles no
 * paste, and the text is to be typed. Typed, the page may indent its lines and complete its brackets once more.
 * @param {{value: string, isWritten: boolean}} wanted
 */
export async function writeInEditor({ value, isWritten }) {
  if (!editor) return null;
  const { target, field } = editor;
  if (!matches(field, ":focus")) return { landed: false, value: contentIn(field) };
  if (!isWritten && !isPasted(field, value)) return { isLeft: true };
  editor = null;
  return drawnContent(target, field, value);
}

/**
 * Return what the field of an editor holds, a part of the editor's text.
 * @param {any} field
 */
function contentIn(field) {
  return String(editContextOf(field)?.text ?? field.value ?? "");
}

/**
 * Return true if the page handles the paste of a text.
 * @param {any} field
 * @param {string} text
 */
function isPasted(field, text) {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  return !field.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData }));
}

/**
 * Return the content of an editor that a text was put in: its last line must be drawn, where the caret is.
 * @param {Target} target
 * @param {any} field
 * @param {string} value
 */
async function drawnContent({ element, control }, field, value) {
  let drawn = element;
  while (drawn && (drawn === control || boxOf(drawn).height <= MAX_FIELD_HEIGHT)) drawn = parentOrHostOf(drawn);
  const last = withoutSpaces(value.trimEnd().split("\n").at(-1) ?? "");
  const isDrawn = () => [textContentOf(drawn ?? element), contentIn(field)].some((text) => withoutSpaces(text).includes(last));
  for (let frame = 0; frame < MAX_FRAMES && (frame < 2 || !isDrawn()); frame++) await drawnFrame();
  const landed = isDrawn();
  return { landed, value: (landed ? value : contentIn(field)).slice(0, LONGEST_TEXT) };
}

/** @param {string} text */
function withoutSpaces(text) {
  return text.replace(/[\s\u200b-\u200d\ufeff]+/gu, "");
}

/**
 * Choose options of a `<select>`, if it has them all.
 * @param {{selector: Selector, values: string[], until: number}} wanted
 */
export function choose({ selector, values, until }) {
  guard?.disarm();
  const found = Date.now() > until ? null : singleTarget(selector);
  if (!found) return { state: "unsure" };
  const answer = { state: "unready", healed: found.healed || undefined, ...found.seen };
  const { control } = found.target;
  const { visible, enabled, kind } = controlState(found.target);
  if (!visible || !enabled || kind !== "select") return answer;
  const { indexes, missing, disabled, multiple, chosen } = optionsOf(control, values);
  if (missing.length || disabled.length || (values.length > 1 && !multiple)) return answer;
  const wanted = [...new Set(indexes)].sort((one, other) => one - other);
  startGuard(found.target, [-1, -1], "write", found.entry);
  if (String(wanted) === String(chosen)) return { ...answer, state: "already" };
  dispatchChange(control, () => pick(control, wanted));
  return { ...answer, state: "done" };
}

/**
 * @param {any} control
 * @param {number[]} indexes
 */
function pick(control, indexes) {
  control.selectedIndex = -1;
  for (const index of indexes) control.options[index].selected = true;
}

/**
 * Report the chosen options, and the effect of the choice.
 * @param {{selector: Selector, values: string[], next: Next|null, isBehind?: boolean}} options
 */
export async function finishChoosing({ selector, values, next, isBehind = false }) {
  const current = guard;
  if (isBehind && (!current || current.isExpired)) return { landing: "early" }; // this guard may be of an earlier action
  if (!current) return { ...NO_GUARD, choice: null };
  await new Promise(nextTask); // a page may restore the old choice
  const report = current.report();
  const control = writtenTo(current, selector);
  const choice = control && controlKind(control) === "select" ? optionsOf(control, values) : null;
  return { ...report, choice, next: finishGuard(current, next, current.isDone() && hasChosen(choice)) };
}

/** @param {ReturnType<typeof optionsOf>|null} choice */
function hasChosen(choice) {
  return choice !== null && String([...new Set(choice.indexes)].sort((one, other) => one - other)) === String(choice.chosen);
}

/** Roles with a value that the arrow keys change: a separator that has one is the splitter between two panes. */
const MOVED = new Set(["slider", "scrollbar", "separator"]);

/**
 * Return the value and the limits of a slider that the page draws; null for another element.
 * @param {any} control
 */
function sliderOf(control) {
  const now = numberIn(control, "aria-valuenow");
  if (now === null || tagOf(control) === "input" || !hasRoleIn(MOVED, roleOf(control))) return null;
  return { now, min: numberIn(control, "aria-valuemin"), max: numberIn(control, "aria-valuemax") };
}

/**
 * @param {any} control
 * @param {string} attribute
 */
function numberIn(control, attribute) {
  const number = Number.parseFloat(attributeOf(control, attribute) ?? "");
  return Number.isFinite(number) ? number : null;
}

/**
 * Set a range input one step beside a value, and return the key that leads on to it, with the value as the input spells
 * it; null for other fields, for one that has the value, and where there is no step.
 * @param {any} control
 * @param {string} value
 */
function approach(control, value) {
  if (tagOf(control) !== "input" || control.type !== "range" || control.step === "any" || value === "") return null;
  const probe = control.cloneNode();
  probe.value = value.trim();
  const wanted = probe.value;
  if (wanted === control.value) return null;
  probe.stepDown();
  const isBelow = probe.value !== wanted;
  if (!isBelow) probe.stepUp();
  if (probe.value === wanted) return null;
  control.focus();
  control.value = probe.value;
  control.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  return { key: isBelow ? "ArrowUp" : "ArrowDown", wanted };
}

PREPARATIONS.set("startWriting", startWriting);
QUESTIONS.set("focus", focusTarget);
QUESTIONS.set("slider", ({ control }) => sliderOf(control));
QUESTIONS.set("approach", ({ control }, value) => approach(control, value));

/**
 * Take the caret out of the text field that has it, as a press on a disabled button does: some fields are checked when
 * they are left. A field with an open list keeps it, as the list may close with the focus.
 */
export function leaveField() {
  const field = fieldInFocus();
  if (field && attributeOf(field, "aria-expanded") !== "true") field.blur();
  return {};
}

/** Pointer actions: the preparation before the input, and the verification after it. */

import { hitAt } from "../dom/hit_test.js";
import { isConnected, labelElementsOf, tagOf } from "../dom/nodes.js";
import { isVisible } from "../dom/visibility.js";
import { isAsApproved, isForAnother } from "../observe/element_fields.js";
import { contentOf, controlKind, singleTarget } from "./controls.js";
import { disarm, guard, startGuard } from "./guard.js";
import { hitPointOf, isHit, isLockedAway, isSteady, isUsable, nextFrame, targetOf } from "./hit_target.js";

/** @import { Guard } from "./guard.js" */
/** @import { Target } from "./hit_target.js" */
/** @import { Selector } from "./selector_evaluator.js" */
/** @import { Identity } from "../observe/element_fields.js" */

/**
 * Plan of a pointer action.
 * @typedef {object} Plan
 * @property {Selector} selector
 * @property {"click"|"hover"} action
 * @property {{x: number, y: number}|null} position
 * @property {boolean|null} checked wanted state of a checkable control
 * @property {boolean} isSent true if an input follows
 * @property {Identity} [approved] identity in which an approver has agreed to the element
 * @property {number} until time in ms after which the action is given up
 * @property {boolean} [isAhead] true if the step before is not over, so that the page must not notice
 * @typedef {Plan & {function: "prepare"|"startWriting"}} Next
 */

/**
 * Find the element and arm the guard, if all is plainly ready for the pointer.
 * @param {Plan} plan
 */
export function prepare({ selector, action, position, checked, isSent, until, approved, isAhead = false }) {
  guard?.disarm();
  const found = Date.now() > until ? null : singleTarget(selector);
  if (!found) return { state: "unsure" };
  const answer = { state: "unready", healed: found.healed || undefined, ...found.seen };
  const target = checked === null ? found.target : pressedFor(found.target);
  if (!isPlain(target) || (checked !== null && !canBecome(target.control, checked))) return answer;
  if (checked !== null && contentOf(target.control, null).value === checked) return { ...answer, state: "already" };
  const { element } = found.target;
  if (isLockedAway(target) || !isUsable(target) || !isSteady(target.element)) return answer;
  const point = selector.type === "coordinates" ? exactPoint(selector, target) : hitPointOf(target, position, isAhead);
  const isApproved = () => isAsApproved(element, approved ?? null) && !isForAnother(element, hitAt(...point), approved ?? null);
  if (!point || !isApproved()) return answer;
  const armed = isSent ? startGuard(target, point, action, found.entry, isApproved) : null;
  if (armed && checked !== null) armed.wanted = { checked, find: () => singleTarget(selector)?.target.control };
  return { ...answer, state: "ready", x: point[0], y: point[1], notice: armed?.notice.id };
}

const SPECIAL = new Set(["iframe", "frame", "option", "optgroup"]);

/**
 * Return true if the box of the element alone gives the point to hit.
 * @param {Target} target
 */
export function isPlain({ element }) {
  return !SPECIAL.has(tagOf(element)) && visualViewport?.scale === 1;
}

/**
 * Return the target that a user would press: the label of a control that is hidden behind it.
 * @param {Target} target
 */
function pressedFor(target) {
  const label = isVisible(target.element) ? null : labelElementsOf(target.element).find(isVisible);
  return label ? targetOf(label) : target;
}

/**
 * @param {any} control
 * @param {boolean} checked
 */
function canBecome(control, checked) {
  return controlKind(control) === "check" && (checked || control.type !== "radio");
}

/**
 * @param {Selector} selector
 * @param {Target} target
 * @returns {[number, number]|null}
 */
function exactPoint({ x, y }, target) {
  return isHit(target, hitAt(x, y)) ? [x, y] : null;
}

/** Report of a document without a guard, because it replaced the one of the action. */
export const NO_GUARD = { landing: "gone", changed: true, under: null, isDeaf: true, isLeft: true, navigations: [] };

/**
 * Report the outcome of the input and its effects: at once if that is possible, else after a frame.
 * @param {{next: Next|null, isBehind?: boolean, mayBeHeld?: boolean}} options `isBehind` if sent right after an input,
 *   which it may overtake; `mayBeHeld` to report `held`, and keep the guard, if the release of a press has not come
 */
export async function verify({ next, isBehind = false, mayBeHeld = false }) {
  const current = guard;
  if (!current) return NO_GUARD;
  if (isBehind) await new Promise((done) => current.waitForInput(done));
  if (isBehind && !current.hasArrived()) return { landing: "early" };
  if (mayBeHeld && current.presses.length && !current.isReleased) return { landing: "held" };
  if (!current.isSettled()) await new Promise(nextFrame);
  const report = { ...current.report(), ...checkReport(current) };
  return { ...report, next: finishGuard(current, next, current.isDone()) };
}

/**
 * Return what the report of a check adds: the state of the control. One that its click has taken off the page was checked;
 * `null` stands for one that has left before the click or is no checkbox any more, and "detached" for another in its place,
 * to be clicked instead.
 * @param {Guard} current
 */
function checkReport({ target, landed, wanted }) {
  const isThere = isConnected(target.control);
  if (!wanted || (!isThere && landed.has("click"))) return {};
  const control = isThere ? target.control : wanted.find();
  const held = control && controlKind(control) === "check" ? contentOf(control, null).value : null;
  return !isThere && held === !wanted.checked ? { landing: "detached" } : { held };
}

/**
 * Functions that can prepare the next step, by the name that the browser side sends.
 * @type {Map<string, (wanted: any) => unknown>}
 */
export const PREPARATIONS = new Map(Object.entries({ prepare }));

/**
 * Disarm the guard. After a success, and unless another action has begun, prepare the next step.
 * @param {Guard} current
 * @param {Next|null} next
 * @param {boolean} isDone
 */
export function finishGuard(current, next, isDone) {
  const isFree = guard === current;
  current.disarm();
  if (!next || !isFree || !isDone) return null;
  try {
    return PREPARATIONS.get(next.function)({ ...next, isAhead: true });
  } catch {
    disarm();
    return null; // the report is of the step before
  }
}

/**
 * Watch of a press that no guard can follow to its target: one that Playwright sends, which finds the element of a ref
 * again by its path; or one that has to pass through this document into a frame.
 */

import { clearMemo } from "../dom/memo.js";
import { isConnected, measure } from "../dom/nodes.js";
import { isAsApproved, isForAnother } from "../observe/element_fields.js";
import { CLICK_EVENTS, guard, stop } from "./guard.js";
import { PRESSES } from "./input_record.js";
import { LandingNotice } from "./landing_notice.js";
import { isHit, isNear, nextTask, targetOf, throughFrame } from "./hit_target.js";
import { find } from "./selector_evaluator.js";

/** @import { Identity } from "../observe/element_fields.js" */
/** @import { Selector } from "./selector_evaluator.js" */

/**
 * Outcome of a press. `half`: the first press of a double click was for the target, and the second was not.
 * `other`: it was for a control in the target that no approver was shown.
 * @typedef {"landed"|"missed"|"other"|"half"|"unseen"} PressOutcome
 */

class PressWatch {
  /**
   * @param {(event: any) => "landed"|"missed"|"other"} outcomeOf
   * @param {{x: number, y: number}|null} point null for any
   * @param {number} until time in ms after which nothing is stopped any more
   */
  constructor(outcomeOf, point, until) {
    this.outcomeOf = outcomeOf;
    this.point = point;
    this.until = until;
    /** The last press, and whether it was for the target. @type {{event: Event|null, isAccepted: boolean}} */
    this.press = { event: null, isAccepted: true };
    /** @type {PressOutcome} */
    this.outcome = "unseen";
    this.hasLanded = false;
    this.notice = new LandingNotice();
  }

  /** @param {any} event */
  judge(event) {
    if (!event.isTrusted || !CLICK_EVENTS.has(event.type) || Date.now() > this.until) return;
    if (this.point && !isNear(event, this.point.x, this.point.y)) return;
    if (PRESSES.has(event.type) && event.timeStamp !== this.press.event?.timeStamp) this.judgePress(event);
    if (this.press.isAccepted) return;
    stop(event);
    if (event.type === "mousedown" && event.detail > 1 && this.hasLanded) this.outcome = "half";
  }

  /** @param {any} event */
  judgePress(event) {
    this.outcome = this.outcomeOf(event);
    const isAccepted = this.outcome === "landed";
    this.press = { event, isAccepted };
    this.hasLanded ||= isAccepted;
    if (isAccepted) this.notice.send();
  }
}

/** @type {PressWatch|null} */
let watch = null;
/** @param {Event} event */
const judgeEvent = (event) => watch?.judge(event);

const RELEASES = ["pointerup", "mouseup"];
/** True while the document has got a press, and not its release. */
let isHeld = false;
/** @param {Event} event */
const noteButton = (event) => void (event.isTrusted && (isHeld = PRESSES.has(event.type)));

/** Watch for the release of the next press. */
export function watchRelease() {
  isHeld = false;
  for (const type of [...PRESSES, ...RELEASES]) addEventListener(type, noteButton, true);
  return {};
}

/** Return true if the document has got a press, and not its release, once the input that has come is handled. */
export async function isPressHeld() {
  await new Promise(nextTask);
  return { isHeld: guard ? guard.presses.length > 0 && !guard.isReleased : isHeld };
}

/** @param {PressWatch} made */
function start(made) {
  watch = made;
  watchRelease();
  for (const type of CLICK_EVENTS) addEventListener(type, judgeEvent, true);
  return { notice: made.notice.id };
}

/**
 * Watch the presses in the document of the target.
 * @param {{selector: Selector|null, isForced: boolean, until: number, approved: Identity|null}} wanted `selector` of the
 *   only element that may be pressed, null for any; `isForced` if another one may cover it; `approved`: as an approver
 *   was shown it
 */
export function watchPress({ selector, isForced, until, approved }) {
  const chosen = selector?.type === "held" ? find(selector)?.elements[0] : null;
  const current = () => {
    clearMemo();
    return chosen ?? find(selector)?.elements[0];
  };
  const outcomeOf = (/** @type {any} */ event) => {
    if (!selector) return "landed";
    const element = current();
    if (!isPressed(element, event, isForced) || !isAsApproved(element, approved)) return "missed";
    return isForAnother(element, event.composedPath()[0], approved) ? "other" : "landed";
  };
  return start(new PressWatch(outcomeOf, null, until));
}

/**
 * @param {any} element the one that may be pressed, if it is still there
 * @param {any} event
 * @param {boolean} isForced
 */
function isPressed(element, event, isForced) {
  if (!element || !isConnected(element)) return false;
  if (!isForced) return isHit(targetOf(element), event.composedPath()[0]);
  const { left, right, top, bottom } = measure(element);
  return event.clientX >= left - 1 && event.clientX <= right + 1 && event.clientY >= top - 1 && event.clientY <= bottom + 1;
}

/**
 * Watch the presses in the document around a frame: none may stay here that is for the frame.
 * @param {{until: number}} wanted
 * @param {any} owner the element that shows the frame
 */
export function watchFramePress({ until }, owner) {
  start(new PressWatch((event) => (event.composedPath()[0] === owner ? "landed" : "missed"), null, until));
  return {};
}

/**
 * Return a frame's point in the coordinates of this document, as `throughFrame`, and watch the presses there.
 * @param {{x: number, y: number, until: number}} point
 * @param {any} owner the element that shows the frame
 */
export function pressThroughFrame({ until, ...point }, owner) {
  const found = throughFrame(point, owner);
  if (found) start(new PressWatch((event) => (event.composedPath()[0] === owner ? "landed" : "missed"), found, until));
  return found;
}

/** Events with which an input begins, and those by which it acts. CDP inserts a text with `textInput` alone. */
const INPUT_STARTS = new Set([...PRESSES, "keydown", "textInput", "paste", "drop"]);
const INPUTS = new Set([...CLICK_EVENTS, ...INPUT_STARTS, "keypress", "keyup", "beforeinput", "input", "dragenter", "dragover"]);

/** The time in ms until which this document takes no input, and whether any has come. */
const refusal = { until: 0, hasRefused: false };
/** @param {Event} event */
const refuseEvent = (event) => {
  if (!event.isTrusted || Date.now() > refusal.until) return;
  refusal.hasRefused ||= INPUT_STARTS.has(event.type);
  stop(event);
};

/**
 * Take no input in this document until then, at once where it is 0; return true if any came since the last call.
 * @param {{until: number}} wanted
 */
export function refuseInput({ until }) {
  const { hasRefused } = refusal;
  Object.assign(refusal, { until, hasRefused: false });
  for (const type of INPUTS) addEventListener(type, refuseEvent, true);
  return { hasRefused };
}

/** Stop watching, and return the outcome of the last press. */
export function endPressWatch() {
  const outcome = watch?.outcome ?? "gone";
  watch = null;
  return { outcome };
}

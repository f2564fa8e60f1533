/** Guard of one action: it stops an event that would reach another element, before the page handles it. */

import { isWithinElement } from "../dom/hit_test.js";
import { isEdited, matches, rootOf, shadowOf } from "../dom/nodes.js";
import { isUnchanged } from "../observe/ref_lookup.js";
import { listenAgain } from "./clipboard.js";
import { isNear } from "./hit_target.js";
import { CLICKS, InputRecord, PRESSES } from "./input_record.js";

/** @import { Entry } from "../observe/refs.js" */
/** @import { Target } from "./hit_target.js" */
/** @import { GuardedAction } from "./input_record.js" */

const RELEASES = new Set(["pointerup", "mouseup"]);
const MOVES = new Set(["pointermove", "mousemove"]);
export const CLICK_EVENTS = new Set([...PRESSES, ...RELEASES, ...CLICKS]);
/** Events that an input begins with. The others of the same input follow it in the same task. */
const STARTS = new Set(["pointerdown", "pointerup", ...MOVES]);
const EFFECT_EVENTS = ["input", "change", "submit", "reset", "toggle", "play", "pause", "fullscreenchange"];

/** A guard expires when nobody has asked for its report by then: it only observes from then on. */
const GUARD_MS = 3000;

/** Event types that may not reach another element, by action. @type {Object<GuardedAction, Set<string>>} */
const GUARDED = { click: CLICK_EVENTS, hover: MOVES, write: new Set() };

/** Guard of one action: the record of its input, and the judge of its events. */
export class Guard extends InputRecord {
  /**
   * @param {Target} target
   * @param {[number, number]} point
   * @param {GuardedAction} action
   */
  constructor(target, point, action) {
    super(target, point, action);
    this.types = GUARDED[action];
    this.startedAt = Date.now();
    /** Returns false once the element is another one than the client observed. @type {() => boolean} */
    this.isObserved = () => true;
    /** Returns false once the element is another one than an approver was shown. @type {() => boolean} */
    this.isApproved = () => true;
  }

  arm() {
    const roots = [document, rootOf(this.target.element), shadowOf(this.target.element)];
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    for (const root of roots.filter(Boolean)) this.observer.observe(root, all);
    for (const type of this.types) addEventListener(type, judgeEvent, true);
    for (const type of EFFECT_EVENTS) addEventListener(type, noteEvent, true);
    addEventListener("beforeinput", judgeInput, true);
    listenAgain();
    if (this.action === "write") addEventListener("keydown", judgeKey, true);
    window.navigation?.addEventListener("navigate", noteNavigation);
    this.timer = setTimeout(() => this.expire(), GUARD_MS);
  }

  /** Stop no event any more, but keep observing: on a stalled machine, input and verification may still come. */
  expire() {
    this.isExpired = true;
    this.observer.disconnect();
  }

  disarm() {
    clearTimeout(this.timer);
    this.observer.disconnect();
    if (guard === this) guard = null;
  }

  /** @param {any} event */
  judge(event) {
    if (!this.types.has(event.type) || !event.isTrusted || !isNear(event, ...this.point)) return;
    const isOurs = event.composedPath().some((node) => this.target.accepted.has(node));
    const isAllowed = this.isOfLastInput(event) ? this.last.isAllowed : this.isAllowed(event, isOurs);
    if (PRESSES.has(event.type)) this.pressedPath = new Set(event.composedPath());
    this.isReleased = !PRESSES.has(event.type) && event.type !== "contextmenu";
    if (this.isExpired && !isAllowed) this.isAstray = true;
    else if (!isAllowed) this.stopped.add(event.type);
    else if (isOurs) this.land(event.type);
    if (!isAllowed && !this.isExpired) stop(event);
    else if (PRESSES.has(event.type)) this.presses.push(event);
    else if (event.type === "click" && event.altKey && event.composedPath().some(isLink)) this.saving = event;
    this.last = { event, isAllowed };
    this.onEvent();
  }

  /**
   * Return true if an event comes from the same input as the one before. Nothing of the page runs in between but its
   * handlers, so that the event belongs to the page even if they have put another element under the pointer.
   * @param {Event} event
   */
  isOfLastInput(event) {
    return !STARTS.has(event.type) && this.last.event?.timeStamp === event.timeStamp;
  }

  /**
   * @param {Event} event
   * @param {boolean} isOurs
   */
  isAllowed(event, isOurs) {
    if (this.isMissed()) return false;
    if (!isOurs) return this.isFollowing(event.type);
    if (!PRESSES.has(event.type)) return true;
    return this.presses.length ? this.isApproved() : !this.isOther();
  }

  /**
   * Stop text that would go to another field, which the page has focused meanwhile.
   * @param {any} event
   */
  judgeInput(event) {
    if (!event.isTrusted || this.action !== "write") return;
    const isGuarded = this.text !== null && event.data === this.text && !this.isExpired;
    const [written, ...around] = event.composedPath();
    const { control } = this.target;
    // The event for a part of an editor targets the whole editor.
    const isOurs = written === control || around.includes(control) || (isEdited(written) && isWithinElement(control, written));
    if (!isGuarded || (isOurs && !this.isOther())) {
      this.notice.send();
      return;
    }
    this.refuse(event);
    this.onEvent();
  }

  /** Stop a key for an element that is another one than an approver was shown. @param {KeyboardEvent} event */
  judgeKey(event) {
    if (!event.isTrusted || this.action !== "write") return;
    if (this.isExpired || this.isApproved()) this.notice.send();
    else this.refuse(event);
  }

  /** @param {Event} event */
  refuse(event) {
    this.stopped.add(event.type);
    stop(event);
  }

  /** Return true if the page has changed since the guard was armed, and made the element another one. */
  isOther() {
    if (this.observer.takeRecords().length) this.isChanged = true;
    return this.isChanged && !(this.isObserved() && this.isApproved());
  }

  /**
   * Return true if an event on another element still belongs to the page: on the press it opened something under the
   * pointer, such as a menu.
   * @param {string} type
   */
  isFollowing(type) {
    return !PRESSES.has(type) && !MOVES.has(type) && this.hasReacted;
  }
}

/** @type {Guard|null} */
export let guard = null;

/**
 * Arm a guard for one action, in place of the last one.
 * @param {Target} target
 * @param {[number, number]} point
 * @param {GuardedAction} action
 * @param {Entry|null} [entry] the ref by which the client chose the element
 * @param {() => boolean} isApproved returns false once the element is another one than an approver was shown
 */
export function startGuard(target, point, action, entry = null, isApproved = () => true) {
  guard = new Guard(target, point, action);
  guard.isObserved = () => !entry || isUnchanged(entry);
  guard.isApproved = isApproved;
  guard.arm();
  return guard;
}

// Listeners stay in place and do nothing without a guard: to add and remove them costs more than the rest of it.
// Each guard adds them again, since `document.open()` removes them.
/** @param {Event} event */
const judgeEvent = (event) => guard?.judge(event);
/** @param {Event} event */
const judgeInput = (event) => guard?.judgeInput(event);
/** @param {KeyboardEvent} event */
const judgeKey = (event) => guard?.judgeKey(event);
/** @param {Event} event */
const noteEvent = (event) => guard?.note(event);
/** @param {Event} event */
const noteNavigation = (event) => void guard?.navigations.push(event);

/** @param {Event} event */
export function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {any} node */
function isLink(node) {
  return node instanceof Element && matches(node, "a[href], area[href]");
}

/** Stop what is still to come of an input, which its client has given up. @param {string} notice the input's */
export function giveUp(notice) {
  if (guard?.notice.id === notice) guard.isGivenUp = true;
  return {};
}

/** Disarm the guard. @param {string|null} [notice] of the only input whose guard it may be; of any, if there is none */
export function disarm(notice = null) {
  if (notice === null || guard?.notice.id === notice) guard?.disarm();
  return {};
}

/**
 * Guard of one action. It stops an event that would reach another element, before the page handles it. It reports the
 * events that reached their target, and their effects.
 */

import { hitAt, isWithinElement } from "../dom/hit_test.js";
import { isConnected, isEdited, isElement, matches, rootOf, shadowOf, tagOf } from "../dom/nodes.js";
import { hasPressListener } from "../observe/listeners/click_listeners.js";
import { isUnchanged } from "../observe/ref_lookup.js";
import { listenAgain } from "./clipboard.js";
import { contentOf, focusOf, snapshot } from "./controls.js";
import { isNear, later, nextTask } from "./hit_target.js";
import { LandingNotice } from "./landing_notice.js";

/** @import { Entry } from "../observe/refs.js" */
/** @import { Target } from "./hit_target.js" */

export const PRESSES = new Set(["pointerdown", "mousedown"]);
const CLICKS = new Set(["click", "auxclick", "dblclick", "contextmenu"]);
const RELEASES = new Set(["pointerup", "mouseup"]);
const MOVES = new Set(["pointermove", "mousemove"]);
export const CLICK_EVENTS = new Set([...PRESSES, ...RELEASES, ...CLICKS]);
/** Events that an input begins with. The others of the same input follow it in the same task. */
const STARTS = new Set(["pointerdown", "pointerup", ...MOVES]);
const EFFECT_EVENTS = ["input", "change", "submit", "reset", "toggle", "play", "pause", "fullscreenchange"];
/** Elements whose changes no script can observe. */
const UNREADABLE = new Set(["canvas", "video", "audio", "iframe", "frame", "object", "embed", "select"]);
const MEDIA = new Set(["audio", "video"]);
const PICKERS = new Set(["file", "color", "date", "time", "month", "week", "datetime-local"]);

/** Elements on which scripts listen to everything, which does not mean that they act on a press. */
const AROUND = new Set(["html", "body"]);

/** A guard expires when nobody has asked for its report by then: it only observes from then on. */
const GUARD_MS = 3000;
/** The longest wait of a verification for input that it has overtaken. */
const ARRIVAL_MS = 20;

/**
 * Outcome of an input. `half`: the first of several clicks reached the target, the next would not have. `detached`: the
 * pressed element was removed before the release. For an expired guard, `elsewhere`: it reached another element
 * unstopped; `lost`: it was never observed.
 * @typedef {"landed"|"half"|"missed"|"detached"|"unseen"|"elsewhere"|"lost"} Landing
 */

/** @typedef {"click"|"hover"|"write"} GuardedAction */

/** Event types that may not reach another element, by action. @type {Object<GuardedAction, Set<string>>} */
const GUARDED = { click: CLICK_EVENTS, hover: MOVES, write: new Set() };

/** Guard of one action. */
export class Guard {
  /**
   * @param {Target} target
   * @param {[number, number]} point
   * @param {GuardedAction} action
   */
  constructor(target, point, action) {
    this.target = target;
    this.point = point;
    this.types = GUARDED[action];
    this.action = action;
    this.notice = new LandingNotice();
    /** The types of events that reached the target, and of those that were stopped. @type {Set<string>} */
    this.landed = new Set();
    this.stopped = new Set();
    /** @type {any[]} */
    this.navigations = [];
    this.isExpired = false;
    /** True once the action was given up: a press that is still to come may reach nothing. */
    this.isGivenUp = false;
    /** True if an event reached another element after the guard had expired. */
    this.isAstray = false;
    this.isChanged = false;
    this.hasInput = false;
    /** True if the page changed while it handled the input. */
    this.hasReacted = false;
    /** The last event that was judged, and the verdict. @type {{event: Event|null, isAllowed: boolean}} */
    this.last = { event: null, isAllowed: false };
    /** True if the release has come, wherever it went. */
    this.isReleased = false;
    /** Called after each event that was judged or noted. */
    this.onEvent = () => {};
    /** @type {Event[]} */
    this.presses = [];
    /** The event path of the press. @type {Set<any>} */
    this.pressedPath = new Set();
    /** True if the pressed element was removed before the release, even if it was inserted again: no click follows. */
    this.isDetached = false;
    this.observer = new MutationObserver((records) => this.changed(records));
    /** @type {Event[]} */
    this.submits = [];
    /** The click that is to save the target of a link: Chromium reports it as no navigation. @type {Event|null} */
    this.saving = null;
    /** The wanted state of a checkable control, and what finds the one in its place. @type {{checked: boolean, find: () => any}|null} */
    this.wanted = null;
    /** The text that the next input inserts. @type {string|null} */
    this.text = null;
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
    this.before = { state: snapshot(this.target), focus: focusOf(this.target.element) };
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

  /** @param {MutationRecord[]} records */
  changed(records = []) {
    this.isChanged = true;
    const { event, isAllowed } = this.last;
    if (isAllowed && event?.eventPhase !== Event.NONE) this.hasReacted = true;
    else if (this.pressedPath.size && !this.isReleased && records.some(({ removedNodes }) => [...removedNodes].some((node) => this.pressedPath.has(node))))
      this.isDetached = true;
  }

  /** @param {any} event */
  note(event) {
    if (event.type === "submit") this.submits.push(event);
    if (event.isTrusted) this.changed();
    if (event.isTrusted && event.type === "input") {
      this.notice.send();
      this.hasInput = true;
      this.text = null; // it has arrived
    }
    this.onEvent();
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

  /** @param {string} type */
  land(type) {
    this.landed.add(type);
    this.notice.send();
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
    if (!isGuarded || (isOurs && !this.isOther())) this.notice.send();
    else this.stopped.add(event.type), stop(event), this.onEvent();
  }

  /** Stop a key for an element that is another one than an approver was shown. @param {KeyboardEvent} event */
  judgeKey(event) {
    if (!event.isTrusted || this.action !== "write") return;
    if (this.isExpired || this.isApproved()) this.notice.send();
    else this.stopped.add(event.type), stop(event);
  }

  /** Return true if the page has changed since the guard was armed, and made the element another one. */
  isOther() {
    if (this.observer.takeRecords().length) this.isChanged = true;
    return this.isChanged && !(this.isObserved() && this.isApproved());
  }

  /** Return true if the press was stopped, so that no later event is for the page either. */
  isMissed() {
    if (this.isGivenUp && !this.presses.length) return true;
    return [...PRESSES].some((type) => this.stopped.has(type));
  }

  /**
   * Return true if an event on another element still belongs to the page: on the press it opened something under the
   * pointer, such as a menu.
   * @param {string} type
   */
  isFollowing(type) {
    return !PRESSES.has(type) && !MOVES.has(type) && this.hasReacted;
  }

  /** @returns {Landing} */
  get landing() {
    if (this.action === "write") return this.stopped.size ? "missed" : "landed";
    const isLost = this.isExpired && !this.landed.size;
    if (this.action === "hover") return this.stopped.size || this.isAstray || isLost ? "missed" : "landed";
    if (this.isAstray) return "elsewhere";
    const hasClicked = [...CLICKS].some((type) => this.landed.has(type));
    // A replaced element can be clicked again.
    if (this.isMissed()) return hasClicked && isConnected(this.target.element) ? "half" : "missed";
    if (hasClicked) return "landed";
    if (this.landed.size) return this.isComplete() ? "landed" : "detached";
    if (isLost) return "lost";
    return this.isForBrowsersControls() ? "landed" : "unseen";
  }

  /** Return true if the browser's own controls of a media element take the input: they dispatch no event. */
  isForBrowsersControls() {
    const { element } = this.target;
    return MEDIA.has(tagOf(element)) && element.hasAttribute("controls") && hitAt(...this.point) === element;
  }

  /**
   * Return true if nothing is missing of an input that made no click: the page reacted to it, or its handlers of the
   * press may have, and a second press would be one too many.
   */
  isComplete() {
    if (this.hasReacted || !(this.stopped.size || this.isDetached)) return true;
    return [...this.pressedPath].some((node) => node !== window && isElement(node) && !AROUND.has(tagOf(node)) && hasPressListener(node));
  }

  /** Return true if anything at all has changed. */
  hasEffect() {
    if (this.action === "hover" || this.isExpired) return true; // a style sheet can have effects that no script can observe
    return this.hasActed() || this.before.focus.some((element, place) => element !== focusOf(this.target.element)[place]);
  }

  /** Return true if the page did more than move the focus. */
  hasActed() {
    if (this.observer.takeRecords().length) this.isChanged = true;
    if (this.isChanged || this.navigations.length) return true;
    return snapshot(this.target).some((value, place) => value !== this.before.state[place]);
  }

  /**
   * Return true if waiting for a frame is useless. A frame is worth its time when no effect was observed yet, a form is
   * about to be sent, or a control is not yet in the wanted state.
   */
  isSettled() {
    if (this.navigations.length) return true;
    if (this.submits.some((event) => !event.defaultPrevented)) return false;
    const { control } = this.target;
    if (this.wanted && contentOf(control, null).value !== this.wanted.checked) return false;
    return this.hasActed();
  }

  /** Return true if the last input has come, and none of its events was stopped. */
  hasArrived() {
    if (this.action === "write") return this.hasInput;
    return (this.action === "hover" ? this.landed.has("mousemove") : this.isReleased) && !this.stopped.size;
  }

  /**
   * Call back when the input has arrived and the page has handled it, or after a short time.
   * @param {(value?: undefined) => void} done
   */
  waitForInput(done) {
    const isThere = () => this.hasArrived() || this.stopped.size > 0;
    if (isThere()) done();
    else later(done, ARRIVAL_MS);
    this.onEvent = () => void (isThere() && nextTask(done));
  }

  /** Return true if the action had its effect, and left nothing that the next step would have to wait for. */
  isDone() {
    const { control } = this.target;
    if (this.landing !== "landed" || this.navigations.length || !window.navigation?.currentEntry) return false;
    if (this.submits.some((event) => !event.defaultPrevented)) return false;
    return !this.wanted || (isConnected(control) && contentOf(control, null).value === this.wanted.checked);
  }

  report() {
    const { element, control } = this.target;
    const { landing } = this;
    const hit = landing === "unseen" ? hitAt(...this.point) : null;
    const isOpaque = UNREADABLE.has(tagOf(element)) || UNREADABLE.has(tagOf(control)) || PICKERS.has(control.type);
    return {
      landing,
      changed: this.hasEffect() || isOpaque,
      under: hit ? tagOf(hit) : null,
      isDeaf: !window.navigation?.currentEntry,
      navigations: this.navigations.map(describeNavigation).concat(describeSaving(this.saving)),
    };
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

/** @param {any} event of the Navigation API */
function describeNavigation({ destination, defaultPrevented, downloadRequest }) {
  return { isSame: destination.sameDocument, isPrevented: defaultPrevented, isDownload: typeof downloadRequest === "string" };
}

/** @param {any} node */
function isLink(node) {
  return node instanceof Element && matches(node, "a[href], area[href]");
}

/** @param {Event|null} click */
function describeSaving(click) {
  return click && !click.defaultPrevented ? [{ isSame: false, isPrevented: false, isDownload: true }] : [];
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

/** Record of one input: the events that reached their target, those that were stopped, and what they changed. */

import { hitAt } from "../dom/hit_test.js";
import { isConnected, isElement, tagOf } from "../dom/nodes.js";
import { hasPressListener } from "../observe/listeners/click_listeners.js";
import { contentOf, focusOf, snapshot } from "./controls.js";
import { later, nextTask } from "./hit_target.js";
import { LandingNotice } from "./landing_notice.js";

/** @import { Target } from "./hit_target.js" */

export const PRESSES = new Set(["pointerdown", "mousedown"]);
export const CLICKS = new Set(["click", "auxclick", "dblclick", "contextmenu"]);
/** Elements whose changes no script can observe. */
const UNREADABLE = new Set(["canvas", "video", "audio", "iframe", "frame", "object", "embed", "select"]);
const MEDIA = new Set(["audio", "video"]);
const PICKERS = new Set(["file", "color", "date", "time", "month", "week", "datetime-local"]);

/** Elements on which scripts listen to everything, which does not mean that they act on a press. */
const AROUND = new Set(["html", "body"]);

/** The longest wait of a verification for input that it has overtaken. */
const ARRIVAL_MS = 20;

/**
 * Outcome of an input. `half`: the first of several clicks reached the target, the next would not have. `detached`: the
 * pressed element was removed before the release. For an expired guard, `elsewhere`: it reached another element
 * unstopped; `lost`: it was never observed.
 * @typedef {"landed"|"half"|"missed"|"detached"|"unseen"|"elsewhere"|"lost"} Landing
 */

/** @typedef {"click"|"hover"|"write"} GuardedAction */

/** Record of one input, which the guard of the action keeps. */
export class InputRecord {
  /**
   * @param {Target} target
   * @param {[number, number]} point
   * @param {GuardedAction} action
   */
  constructor(target, point, action) {
    this.target = target;
    this.point = point;
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
    this.before = { state: snapshot(target), focus: focusOf(target.element) };
  }

  /** @param {MutationRecord[]} records */
  changed(records = []) {
    this.isChanged = true;
    const { event, isAllowed } = this.last;
    if (isAllowed && event?.eventPhase !== Event.NONE) {
      this.hasReacted = true;
      return;
    }
    if (!this.pressedPath.size || this.isReleased) return;
    const removed = records.flatMap((record) => [...record.removedNodes]);
    if (removed.some((node) => this.pressedPath.has(node))) this.isDetached = true;
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

  /** @param {string} type */
  land(type) {
    this.landed.add(type);
    this.notice.send();
  }

  /** Return true if the press was stopped, so that no later event is for the page either. */
  isMissed() {
    if (this.isGivenUp && !this.presses.length) return true;
    return [...PRESSES].some((type) => this.stopped.has(type));
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
    const pressed = [...this.pressedPath].filter((node) => node !== window && isElement(node));
    return pressed.some((element) => !AROUND.has(tagOf(element)) && hasPressListener(element));
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

/** @param {any} event of the Navigation API */
function describeNavigation({ destination, defaultPrevented, downloadRequest }) {
  return { isSame: destination.sameDocument, isPrevented: defaultPrevented, isDownload: typeof downloadRequest === "string" };
}

/** @param {Event|null} click */
function describeSaving(click) {
  return click && !click.defaultPrevented ? [{ isSame: false, isPrevented: false, isDownload: true }] : [];
}

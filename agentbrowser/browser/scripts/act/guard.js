/**
 * The guard of one pointer action. What is meant for an element and would land elsewhere is stopped before the page sees
 * it, and what did land, and what came of it, is told afterwards.
 */

import { hitAt, isWithinElement } from "../dom/hit_test.js";
import { isConnected, isEdited, rootOf, shadowOf, tagOf } from "../dom/nodes.js";
import { contentOf, controlKind, focusOf, snapshot } from "./controls.js";
import { nextTask } from "./hit_target.js";

/** @import { Target } from "./hit_target.js" */

const PRESSES = new Set(["pointerdown", "mousedown"]);
const CLICKS = new Set(["click", "auxclick", "dblclick", "contextmenu"]);
const RELEASES = new Set(["pointerup", "mouseup"]);
const MOVES = new Set(["pointermove", "mousemove"]);
const EFFECT_EVENTS = ["input", "change", "submit", "reset", "toggle", "play", "pause", "fullscreenchange"];
/** What shows its effects where no script can see them. */
const UNREADABLE = new Set(["canvas", "video", "audio", "iframe", "frame", "object", "embed", "select"]);
const PICKERS = new Set(["file", "color", "date", "time", "month", "week", "datetime-local"]);

/** An event this far from the point is the user's own. */
const MAX_DISTANCE = 2;
/** A guard that nobody has asked for its findings by then stands down: it stops nothing any more, and just looks on. */
const GUARD_MS = 3000;
/** How long a question that has overtaken its input waits for that. */
const ARRIVAL_MS = 20;

/**
 * What became of an input; `half` if the first click of several landed, and the next would have gone elsewhere. Of a guard
 * that had stood down: `elsewhere` if it went elsewhere, which nothing has kept from the page, and `lost` if it was not seen to
 * come at all.
 * @typedef {"landed"|"half"|"missed"|"detached"|"unseen"|"elsewhere"|"lost"} Landing
 */

/** @typedef {"click"|"hover"|"write"} GuardedAction */

/** What is guarded against landing elsewhere. @type {Object<GuardedAction, Set<string>>} */
const GUARDED = { click: new Set([...PRESSES, ...RELEASES, ...CLICKS]), hover: MOVES, write: new Set() };

/** One action under watch. */
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
    /** The types of events that landed, and of those that were stopped. @type {Set<string>} */
    this.landed = new Set();
    this.stopped = new Set();
    /** @type {any[]} */
    this.navigations = [];
    this.isExpired = false;
    /** True if what would have been stopped came when that was over. */
    this.isAstray = false;
    this.isChanged = false;
    this.hasInput = false;
    /** True if the page itself has changed while it dealt with the press. */
    this.hasReacted = false;
    /** Called when an event was judged or noted. */
    this.onEvent = () => {};
    /** @type {Event[]} */
    this.presses = [];
    /** What is pressed, and all around it. @type {Set<any>} */
    this.pressedPath = new Set();
    /** True if what was pressed was taken out, maybe to be put back, before the button was let go: then no click follows. */
    this.isDetached = false;
    this.observer = new MutationObserver((records) => this.changed(records));
    /** @type {Event[]} */
    this.submits = [];
    /** What a control is to be afterwards. @type {boolean|null} */
    this.checked = null;
    /** What is to be written at once. @type {string|null} */
    this.text = null;
  }

  arm() {
    const roots = [document, rootOf(this.target.element), shadowOf(this.target.element)];
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    for (const root of roots.filter(Boolean)) this.observer.observe(root, all);
    for (const type of this.types) addEventListener(type, judgeEvent, true);
    for (const type of EFFECT_EVENTS) addEventListener(type, noteEvent, true);
    addEventListener("beforeinput", judgeInput, true);
    window.navigation?.addEventListener("navigate", noteNavigation);
    this.before = { state: snapshot(this.target), focus: focusOf(this.target.element) };
    this.timer = setTimeout(() => this.expire(), GUARD_MS);
  }

  /** Let everything through from now on, but see it: on a machine that has stalled, input and question may be yet to come. */
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
    if (this.presses.some(({ eventPhase }) => eventPhase !== Event.NONE)) this.hasReacted = true;
    else if (this.pressedPath.size && records.some(({ removedNodes }) => [...removedNodes].some((node) => this.pressedPath.has(node))))
      this.isDetached = true;
  }

  /** @param {any} event */
  note(event) {
    if (event.type === "submit") this.submits.push(event);
    if (event.isTrusted) this.changed();
    if (event.isTrusted && event.type === "input") {
      this.hasInput = true;
      this.text = null; // it has come
    }
    this.onEvent();
  }

  /** @param {any} event */
  judge(event) {
    const [x, y] = this.point;
    if (!this.types.has(event.type) || !event.isTrusted) return;
    if (Math.abs(event.clientX - x) > MAX_DISTANCE || Math.abs(event.clientY - y) > MAX_DISTANCE) return;
    const isOurs = event.composedPath().some((node) => this.target.accepted.has(node));
    const isAllowed = isOurs ? !this.isMissed() : this.isFollowing(event.type);
    this.pressedPath = new Set(PRESSES.has(event.type) ? event.composedPath() : []);
    if (this.isExpired && !isAllowed) this.isAstray = true;
    else (isOurs && isAllowed ? this.landed : this.stopped).add(event.type);
    if (!isAllowed && !this.isExpired) stop(event);
    else if (PRESSES.has(event.type)) this.presses.push(event);
    this.onEvent();
  }

  /**
   * Keep a text from another field, to which the page has given the focus meanwhile.
   * @param {any} event
   */
  judgeInput(event) {
    if (!event.isTrusted || this.text === null || event.data !== this.text || this.isExpired) return;
    const [written, ...around] = event.composedPath();
    const { control } = this.target;
    // A part of an editor is written to by an event of the whole.
    if (written === control || around.includes(control) || (isEdited(written) && isWithinElement(control, written))) return;
    this.stopped.add(event.type);
    stop(event);
    this.onEvent();
  }

  /** Return true if the press went elsewhere, so that nothing that follows it is for the page either. */
  isMissed() {
    for (const type of PRESSES) if (this.stopped.has(type)) return true;
    return false;
  }

  /**
   * Return true if an event that lands elsewhere still belongs to the page: it has put something else under the pointer by itself
   * when it was pressed, as a menu does.
   * @param {string} type
   */
  isFollowing(type) {
    return !PRESSES.has(type) && !MOVES.has(type) && !this.isMissed() && this.hasReacted;
  }

  /** @returns {Landing} */
  get landing() {
    if (this.action === "write") return this.stopped.size ? "missed" : "landed";
    const isLost = this.isExpired && !this.landed.size;
    if (this.action === "hover") return this.stopped.size || this.isAstray || isLost ? "missed" : "landed";
    if (this.isAstray) return "elsewhere";
    const hasClicked = [...CLICKS].some((type) => this.landed.has(type));
    // What the page has put in its place can be clicked anew.
    if (this.isMissed()) return hasClicked && isConnected(this.target.element) ? "half" : "missed";
    if (hasClicked) return "landed";
    if (this.landed.size) return this.hasReacted || !(this.stopped.size || this.isDetached) ? "landed" : "detached";
    return isLost ? "lost" : "unseen";
  }

  /** Return true if anything at all has changed. */
  hasEffect() {
    if (this.action === "hover" || this.isExpired) return true; // a style sheet can show what no script is told of
    return this.hasActed() || this.before.focus.some((element, place) => element !== focusOf(this.target.element)[place]);
  }

  /** Return true if the page has done more than to take the focus. */
  hasActed() {
    if (this.observer.takeRecords().length) this.isChanged = true;
    if (this.isChanged || this.navigations.length) return true;
    return snapshot(this.target).some((value, place) => value !== this.before.state[place]);
  }

  /**
   * Return true if there is nothing more to wait for. A frame, and the timers that the browser holds back until then, are worth
   * it where nothing was seen yet, a form is about to be sent, or a control is not yet as wanted.
   */
  isSettled() {
    if (this.navigations.length) return true;
    if (this.submits.some((event) => !event.defaultPrevented)) return false;
    const { control } = this.target;
    if (this.checked !== null && contentOf(control, null).value !== this.checked) return false;
    return this.hasActed();
  }

  /** Return true if the last event of an input has landed, and none was stopped. */
  hasArrived() {
    if (this.action === "write") return this.hasInput;
    return this.landed.has(this.action === "hover" ? "mousemove" : "click") && !this.stopped.size;
  }

  /**
   * Wait until the input is there and the page has dealt with it, if that is soon.
   * @param {(value?: undefined) => void} done
   */
  waitForInput(done) {
    const isThere = () => this.hasArrived() || this.stopped.size > 0;
    if (isThere()) done();
    else setTimeout(done, ARRIVAL_MS);
    this.onEvent = () => void (isThere() && nextTask(done));
  }

  /** Return true if all that was wanted has happened, and nothing that the next step would have to wait for. */
  isDone() {
    const { control } = this.target;
    if (this.landing !== "landed" || this.navigations.length || !window.navigation?.currentEntry) return false;
    if (this.submits.some((event) => !event.defaultPrevented)) return false;
    return this.checked === null || (isConnected(control) && contentOf(control, null).value === this.checked);
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
      navigations: this.navigations.map(describeNavigation),
      held: isConnected(control) && controlKind(control) === "check" ? contentOf(control, null).value : undefined,
    };
  }
}

/** @type {Guard|null} */
export let guard = null;

/**
 * Watch over one action from now on.
 * @param {Target} target
 * @param {[number, number]} point
 * @param {GuardedAction} action
 */
export function startGuard(target, point, action) {
  guard = new Guard(target, point, action);
  guard.arm();
  return guard;
}

// Listeners stay where they are, with nothing to say while there is no guard: to come and go cost more than all else of it.
// Each guard adds them again, for a page that writes its document anew takes them away.
/** @param {Event} event */
const judgeEvent = (event) => guard?.judge(event);
/** @param {Event} event */
const judgeInput = (event) => guard?.judgeInput(event);
/** @param {Event} event */
const noteEvent = (event) => guard?.note(event);
/** @param {Event} event */
const noteNavigation = (event) => void guard?.navigations.push(event);

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {any} event of the Navigation API */
function describeNavigation({ destination, defaultPrevented, downloadRequest }) {
  return { isSame: destination.sameDocument, isPrevented: defaultPrevented, isDownload: typeof downloadRequest === "string" };
}

/** Let everything through from now on. */
export function disarm() {
  guard?.disarm();
  return {};
}

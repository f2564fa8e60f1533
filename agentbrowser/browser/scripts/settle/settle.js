/** Wait until the effects of an action on this document are over. */

import { reader } from "../dom/nodes.js";
import { activityOf, documentBegin, finishedActivity } from "./activity.js";
import { frameMs, noteFrame, observeChanges, takeChanges, takeScroll } from "./changes.js";
import { revealingMs } from "./reveals.js";

const readyStateOf = reader(Document, "readyState");
const isHiddenPage = reader(Document, "hidden");
/** Changes without a known cause are not waited for longer than this, or than so many frames on a busy machine. */
const MAX_UNREST_MS = 500;
const MAX_UNREST_FRAMES = 15;
/** Images and frames of a new document are not waited for longer than this. */
const MAX_LOAD_MS = 1000;
/** The page may hide its activity's end; so it is asked again. */
const RECHECK_MS = 100;
/** Mark of a worker that has not answered for long: its own requests count, which only the browser side knows. */
const AT_WORK = "\t";
/** Mark of a request that has just finished: its effects may go on, so two frames are waited for, once. */
const JUST_FINISHED = "\r";
/** Mark of a page that may still change without input, by a later timer or by what it requests again and again. */
const RESTLESS = "\v";
const MARKS = new Set([AT_WORK, JUST_FINISHED, RESTLESS]);
/** Pages that are not drawn get no frames. */
const FRAME_MS = 50;
/** On a busy machine a frame takes long. A page that has missed two such waits is not drawn. */
const SLOW_FRAME_MS = 300;
const MAX_MISSED = 2;
let missed = 0;
/** View transitions that have changed the document. */
const updated = new WeakSet();

/**
 * Actions on the page as a time span, in Unix time in ms.
 * @typedef {object} Actions
 * @property {number} begin
 * @property {number} end
 */

/**
 * Wait until nothing is pending that the actions have caused, and then for two frames without a change. If nothing was
 * pending, and nothing changes, return at once.
 * @param {Actions & {timeout: number, isRestWanted: boolean}} options `isRestWanted` to wait for the two frames in any case
 */
export async function settle({ begin, end, timeout, isRestWanted }) {
  const start = performance.now();
  const deadline = start + timeout;
  observeChanges();
  takeChanges();
  await nextTask();
  await lastTask();
  let restlessSince = 0;
  let isRestNeeded = takeScroll() || isRestWanted;
  let hasWaited = false;
  for (;;) {
    const awaited = pendingItems(begin, end, start);
    const now = performance.now();
    if (awaited.items.length > 0 && now < deadline) {
      [isRestNeeded, restlessSince, hasWaited] = [true, 0, true];
      await finishedActivity(Math.min(RECHECK_MS, deadline - now));
      continue;
    }
    isRestNeeded = takeChanges() || isRestNeeded || (restlessSince === 0 && awaited.hasJustFinished);
    restlessSince ||= now;
    const unrestMs = Math.max(MAX_UNREST_MS, MAX_UNREST_FRAMES * frameMs());
    if (!isRestNeeded || now >= deadline || now - restlessSince > unrestMs) return { ...awaited, hasWaited };
    isRestNeeded = false;
    for (let frame = 0; frame < 2 && !isRestNeeded; frame++) {
      await nextFrame();
      isRestNeeded = takeChanges();
    }
    if (!isRestNeeded && pendingItems(begin, end, start).items.length === 0) return { ...awaited, hasWaited };
    isRestNeeded = true;
  }
}

/**
 * Report if the document is at rest: as far as is known, nothing is under way that could still change it, and nothing has
 * changed since the last call.
 */
export function isAtRest() {
  observeChanges();
  const hasChanged = takeChanges();
  const time = Date.now();
  const { isKnown, isWorking, items } = pendingItems(1, time, performance.now());
  const isRestless = !isKnown || isWorking || activityOf(1, time)?.includes(RESTLESS);
  return { isAtRest: !hasChanged && !isRestless && items.length === 0 };
}

/**
 * @param {number} begin
 * @param {number} end
 * @param {number} start of the wait
 */
function pendingItems(begin, end, start) {
  const activity = activityOf(begin, end);
  const items = (activity ?? []).filter((item) => !MARKS.has(item));
  const isWorking = activity?.some((item) => item === AT_WORK || item === "worker");
  const hasJustFinished = activity?.includes(JUST_FINISHED) || undefined;
  if (isLoading(begin, start)) items.push("document");
  if (items.length === 0 && (revealingMs(begin) > 0 || isUpdating())) items.push("transition");
  return { isKnown: activity !== null, isWorking: isWorking || undefined, hasJustFinished, items };
}

/** Return true while a view transition has still to change the document: it does so once the old view is captured. */
function isUpdating() {
  const transition = /** @type {any} */ (document).activeViewTransition;
  if (!transition || updated.has(transition)) return false;
  const note = () => updated.add(transition);
  transition.updateCallbackDone.then(note, note);
  return true;
}

/**
 * Return true while the document is loading, if that began after a time.
 * @param {number} begin
 * @param {number} start
 */
function isLoading(begin, start) {
  if (readyStateOf(document) === "complete" || documentBegin() < begin) return false;
  return !isParsed() || performance.now() - start < MAX_LOAD_MS;
}

/** Return true if the document is read to its end, and its modules and deferred scripts have run: some write all of it. */
function isParsed() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return readyStateOf(document) !== "loading" && navigation?.domContentLoadedEventEnd !== 0;
}

function nextTask() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done(undefined);
    };
    port2.postMessage(null);
  });
}

/** Wait for a task behind those that the page has queued. */
function lastTask() {
  /** @type {any} */
  const { scheduler } = self;
  return new Promise((done) => {
    setTimeout(done, FRAME_MS);
    if (scheduler) scheduler.postTask(done, { priority: "background" });
    else setTimeout(done);
  });
}

/** Wait for a frame, or for a short time if the page is not drawn. */
export async function nextFrame() {
  const start = performance.now();
  const isDrawn = await new Promise((done) => {
    requestAnimationFrame(() => {
      missed = 0;
      done(true);
    });
    setTimeout(() => done(false), missed < MAX_MISSED && !isHiddenPage(document) ? SLOW_FRAME_MS : FRAME_MS);
  });
  if (isDrawn) noteFrame(performance.now() - start);
  else missed += 1;
}

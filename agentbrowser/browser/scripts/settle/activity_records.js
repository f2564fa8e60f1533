/**
 * Records of what the page's scripts have set off and not finished, each with the time of its root cause. They belong to
 * the program `activity` in the page's world, so this module takes the functions that it needs before a script of the
 * page can replace them.
 */

export const MAX_TIMER_MS = 1000;
/** A look does not wait for longer timers, but a page that has one is not at rest. */
export const MAX_LATE_MS = 5000;
const MAX_WORK_MS = 30_000;
// A worker that has not answered for longer than this is not waited for.
const MAX_ANSWER_MS = 2000;
/** A server that answers later than this is not waited for, nor one whose next event comes later. */
export const MAX_SOCKET_MS = 500;
// Records of these kinds count for so long. A socket opens with a `connection`; `join` is the first message of a new
// document over it, or the wait for a stream's first event.
const MAX_MS = { __proto__: null, frame: 250, worker: MAX_WORK_MS, connection: 300, join: 1000, socket: MAX_SOCKET_MS };
const MAX_RECORDS = 500;
const MAX_LABELS = 200;
const MAX_LINES = 20;
export const MAX_DEPTH = 5;
// A label that starts again after it has finished, for the third time since the action, is polling.
const MAX_ROUNDS = 2;
// A request that follows two of its own label, of which the first took so long, is a long poll. One is not enough:
// where all requests have one address, as in GraphQL, a page saves and then reads with the same label.
const MIN_POLL_MS = 500;
const MIN_REPEATS = 2;
const MICROTASKS = 16;
const SOON_MS = 100;
const EFFECT_MS = 500; // Effects that are not tracked, as of layout observers, follow a request within this time.
const MAX_LOOP_MS = 700; // A loop of frames that an action has started is an animation for so long.
const INPUTS = ["pointerdown", "mousedown", "mouseup", "click", "keydown", "input", "change"];

const { apply } = Reflect;
const { now } = Date;
const { endsWith } = String.prototype;
const { toString } = Function.prototype;
const enqueue = queueMicrotask;
const listen = EventTarget.prototype.addEventListener;
const stateOf = /** @type {any} */ (Object.getOwnPropertyDescriptor(Document.prototype, "readyState")).get;

/** @type {any} */
const pending = { __proto__: null };
/** @type {any} */
let rounds = { __proto__: null };
let [labels, count, last] = [0, 0, 0];
// The cause of the code that runs, null if unknown: then the code itself is a root.
/** @type {any} */
let cause = null;
/** @type {any} */
let finished = null;
let [finishedAt, loadedAt, polledAt] = [0, 0, 0];
let [isTouched, hasStream] = [false, false];
const startedAt = now();
let [begin, end] = [0, 0]; // the time span of the action that is asked about
let isWatched = false;
/** @type {() => unknown} */
let onFinish = () => undefined;

/**
 * Begin to watch the boot of the document: input ends it, since a click may come before the load event, or right
 * behind it.
 * @param {() => unknown} report called when activity finishes that the last answer had
 */
export function watchBoot(report) {
  onFinish = report;
  self.addEventListener("load", () => { loadedAt = now(); }, { capture: true, once: true });
  listenToInput();
}

const touch = (event) => { isTouched ||= event.isTrusted; };

/** Listen to input; again behind a `document.open()`, which removes the listeners of the window. */
export const listenToInput = () => {
  for (let i = 0; i < INPUTS.length; i++) apply(listen, self, [INPUTS[i], touch, { capture: true, passive: true }]);
};

/** Return true until the first input. */
export const isStarting = () => !isTouched;

const isBooting = (time) => !isTouched &&
  (apply(stateOf, document, []) !== "complete" || (loadedAt !== 0 && time - loadedAt < SOON_MS));

const isWithin = (time) => time >= begin && time <= end;
const isNamedPoll = (label) => apply(endsWith, label, ["poll"]) || apply(endsWith, label, ["polling"]);

const isPolling = (record) => {
  const times = rounds[record.label];
  if (times === undefined) return false;
  let since = 0;
  for (let i = 0; i < 3; i++) if (times[i] >= begin) since += 1;
  return since > MAX_ROUNDS && record.at >= times[2];
};

const isLate = (record) => record.kind === "late" || (record.kind === "request" && !record.isRepeat &&
  !isNamedPoll(record.label) && now() - record.at < MAX_WORK_MS);

const isCaused = (record) => {
  const isAnimation = record.kind === "frame" && isWithin(record.origin) && now() - record.origin < MAX_LOOP_MS;
  if (record.kind === "late" || (!isAnimation && (record.depth > MAX_DEPTH || record.isRepeat))) return false;
  if (now() - record.at > MAX_MS[record.kind]) return false;
  const isRoot = isWithin(record.origin) || isWithin(record.other) || (record.isBoot && startedAt >= begin);
  if (record.kind !== "request") return isRoot;
  if (isNamedPoll(record.label) && now() - record.at > MAX_TIMER_MS) return false;
  return (isRoot || (record.depth === 0 && record.at >= begin)) && !isPolling(record);
};

/**
 * Return the context of something that the page sets off now.
 * @param {number} at
 * @param {Function|null} fn that is set off
 */
export const contextOf = (at, fn) => {
  const other = at - finishedAt < SOON_MS && finished !== null ? finished.origin : 0;
  return {
    __proto__: null,
    origin: cause === null ? at : cause.origin,
    depth: cause === null ? 0 : cause.depth + 1,
    isBoot: cause === null ? isBooting(at) : cause.isBoot,
    other: cause === null ? other : cause.other,
    slow: cause === null ? "" : cause.slow,
    repeats: cause === null ? 0 : cause.repeats,
    isRepeat: false,
    fn,
  };
};

/** Return a new record of unfinished activity; null if there are too many. */
export const start = (kind, label, context, at) => {
  if (count >= MAX_RECORDS) return null;
  count += 1;
  last += 1;
  const { origin, depth, isBoot, other, isRepeat } = context;
  const record = { __proto__: null, id: last, kind, label, at, origin, depth, isBoot, other, isRepeat, context };
  pending[last] = record;
  return record;
};

/** Note that a request took so long that its repeat may be a poll. */
export const noteSlow = (record) => { if (now() - record.at > MIN_POLL_MS) record.context.slow = record.label; };

/** Take a record out: its activity has finished. */
export const finish = (record) => {
  if (record === null || pending[record.id] === undefined) return;
  delete pending[record.id];
  count -= 1;
  if (record.kind === "request" || record.label === "socket") {
    finishedAt = now();
    finished = record;
    noteSlow(record);
    const times = rounds[record.label];
    if (times !== undefined) times[3] = 1;
  }
  if (isWatched && isCaused(record)) onFinish();
};

/** Keep a cause for the continuations of a callback: they run as microtasks behind it. */
export const linger = (context) => {
  cause = context;
  let left = MICROTASKS;
  const step = () => {
    if (cause !== context) return;
    left -= 1;
    if (left > 0) enqueue(step);
    else cause = null;
  };
  enqueue(step);
};

/** Run a function of the page with a cause, and return its value. */
export const run = (context, fn, self, given) => {
  const before = cause;
  cause = context;
  try {
    return apply(fn, self, given);
  } finally {
    if (before === null) linger(context);
    else cause = before;
  }
};

/** Set the cause of the code that runs next. */
export const enter = (context) => { cause = context; };

/** End a cause, unless another one has taken its place. */
export const leave = (context) => { if (cause === context) cause = null; };

/** Return true for a function that sets itself off again. */
export const isRepeated = (fn) => cause !== null && cause.fn !== null &&
  (fn === cause.fn || apply(toString, fn, []) === apply(toString, cause.fn, []));

/** Note a message that a server has sent unasked. */
export const notePush = () => { polledAt = now(); };

/** Note a stream that never ends. */
export const noteStream = () => { hasStream = true; };

/** Return the record of a request that begins. */
export const startRequest = (label) => {
  const at = now();
  if (rounds[label] === undefined) {
    if (labels >= MAX_LABELS) {
      rounds = { __proto__: null };
      labels = 0;
    }
    labels += 1;
    rounds[label] = [0, 0, at, 0];
  } else if (rounds[label][3] === 1) {
    rounds[label] = [rounds[label][1], rounds[label][2], at, 0];
  }
  if (cause !== null && (cause.isRepeat || cause.depth >= MAX_DEPTH)) polledAt = at;
  const context = contextOf(at, null);
  context.repeats = context.slow === label ? context.repeats + 1 : 0;
  context.isRepeat = context.repeats >= (isNamedPoll(label) ? 1 : MIN_REPEATS);
  return start("request", label, context, at);
};

/**
 * Return the unfinished activity that an action has caused, one label a line, with marks for what is otherwise under way.
 * @param {number} time now
 * @param {number} since begin of the action
 * @param {number} until its end
 */
export function unfinished(time, since, until) {
  begin = since; // one by one: the page could have replaced the iterator of arrays
  end = until;
  let lines = "";
  let lineCount = 0;
  let isRestless = hasStream || time - polledAt < MAX_LATE_MS || count >= MAX_RECORDS;
  for (const id in pending) {
    if (lineCount >= MAX_LINES) break;
    isRestless ||= isLate(pending[id]);
    if (isCaused(pending[id])) {
      lineCount += 1;
      // Its own requests are to be counted as long as they take; the worker itself is not waited for so long.
      const isOld = pending[id].kind === "worker" && time - pending[id].at > MAX_ANSWER_MS;
      lines += isOld ? "\t\n" : `${pending[id].label}\n`;
    }
  }
  if (lineCount === 0 && finished !== null && time - finishedAt < EFFECT_MS && isCaused(finished)) lines = "\r\n";
  isWatched = lineCount > 0;
  return isRestless ? `${lines}\v\n` : lines;
}

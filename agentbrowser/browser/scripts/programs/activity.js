import { fetchedUrl, labelFor, labelOfFetch } from "../settle/fetch_labels.js";
import { MAX_SOCKET_MS, trackAnswers } from "../settle/message_answers.js";
import { trackStreams } from "../settle/streamed_bodies.js";

/**
 * Record what the page's scripts have set off and not finished: requests, short timers and frame callbacks, each with
 * the time of its root cause. A look waits for those that an action caused. The program wraps the functions of the page
 * that start them; questions and answers are events with a secret name, as in `page_listeners`. It takes every function
 * that it needs before a script of the page can replace it, and calls no method that the page could have replaced.
 * @param {string} name of the events
 */
export default function trackActivity(name) {
  const MAX_TIMER_MS = 1000;
  // A look does not wait for longer timers, but a page that has one is not at rest.
  const MAX_LATE_MS = 5000;
  const MAX_WORK_MS = 30_000;
  // A worker that has not answered for longer than this is not waited for.
  const MAX_ANSWER_MS = 2000;
  // Nothing of these kinds is taken into account for longer.
  const MAX_MS = { __proto__: null, frame: 250, worker: MAX_WORK_MS, connection: 300, join: 1000, socket: MAX_SOCKET_MS };
  const MAX_RECORDS = 500;
  const MAX_LABELS = 200;
  const MAX_LINES = 20;
  const MAX_DEPTH = 5;
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

  /** @type {any} */
  const page = self;
  const channel = performance;
  const { apply, defineProperty } = Reflect;
  const { getOwnPropertyDescriptor } = Object;
  const { now } = Date;
  const [Question, Answer] = [MouseEvent, InputEvent];
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const { preventDefault } = Event.prototype;
  const { then } = Promise.prototype;
  const { get: lookUp, set: store } = WeakMap.prototype;
  const { toString } = Function.prototype;
  const { slice, endsWith } = String.prototype;
  const enqueue = queueMicrotask;
  const later = setTimeout;
  const getter = (of, key) => getOwnPropertyDescriptor(of, key).get;
  const sinceBegin = getter(Question.prototype, "screenX");
  const sinceEnd = getter(Question.prototype, "screenY");
  const stateOf = getter(Document.prototype, "readyState");
  const readyStateOf = getter(XMLHttpRequest.prototype, "readyState");
  const [natives, requests] = [new WeakMap(), new WeakMap()];

  /** @type {any} */
  const pending = { __proto__: null };
  /** @type {any} */
  const handles = { __proto__: null };
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

  const dispatch = (suffix, data) =>
    apply(dispatchEvent, channel, [new Answer(name + suffix, /** @type {any} */ ({ __proto__: null, cancelable: true, data }))]);
  if (!dispatch("", null)) return;
  page.addEventListener("load", () => { loadedAt = now(); }, { capture: true, once: true });

  // Input ends the boot: a click may come before the load event, or right behind it.
  const INPUTS = ["pointerdown", "mousedown", "mouseup", "click", "keydown", "input", "change"];
  const touch = (event) => { isTouched ||= event.isTrusted; };
  for (let i = 0; i < INPUTS.length; i++) page.addEventListener(INPUTS[i], touch, { capture: true, passive: true });

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

  const contextOf = (at, fn) => {
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

  const start = (kind, label, context, at) => {
    if (count >= MAX_RECORDS) return null;
    count += 1;
    last += 1;
    const { origin, depth, isBoot, other, isRepeat } = context;
    const record = { __proto__: null, id: last, kind, label, at, origin, depth, isBoot, other, isRepeat, context };
    pending[last] = record;
    return record;
  };

  const noteSlow = (record) => { if (now() - record.at > MIN_POLL_MS) record.context.slow = record.label; };

  const finish = (record) => {
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
    if (isWatched && isCaused(record)) dispatch("~", null);
  };

  // The continuations of a callback run as microtasks behind it, and have the same cause.
  const linger = (context) => {
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

  const run = (context, fn, self, given) => {
    const before = cause;
    cause = context;
    try {
      return apply(fn, self, given);
    } finally {
      if (before === null) linger(context);
      else cause = before;
    }
  };

  const isSame = (fn, other) => fn === other || (other && apply(toString, fn, []) === apply(toString, other, []));

  const replace = (of, key, handler) => {
    const found = getOwnPropertyDescriptor(of, key);
    if (!found || typeof found.value !== "function" || !found.configurable) return undefined;
    const native = found.value;
    const proxy = new Proxy(native, { __proto__: null, ...handler });
    apply(store, natives, [proxy, native]);
    defineProperty(of, key, { ...found, value: proxy });
    return proxy;
  };

  const isDelay = (delay) => (typeof delay === "number" || typeof delay === "string") && +delay > 0;

  /** @type {(kind: "timer"|"frame"|"interval") => any} */
  const scheduling = (kind) => ({
    apply(native, self, args) {
      const fn = args[0];
      if (typeof fn !== "function") return apply(native, self, args);
      const at = now();
      const context = contextOf(at, fn);
      context.isRepeat = cause !== null && cause.fn !== null && isSame(fn, cause.fn);
      if (kind === "interval") context.depth = MAX_DEPTH;
      const delay = kind === "timer" && isDelay(args[1]) ? +args[1] : 0;
      const isKept = kind === "frame" || (kind === "timer" && delay <= MAX_LATE_MS);
      const kept = delay <= MAX_TIMER_MS ? kind : "late";
      const record = isKept ? start(kept, kind === "frame" ? "frame" : `timer ${delay | 0} ms`, context, at) : null;
      /** @type {any} */
      let handle = 0;
      args[0] = function (...given) {
        if (kind !== "interval") delete handles[handle];
        try {
          return run(context, fn, this, given);
        } finally {
          finish(record);
        }
      };
      handle = (kind === "frame" ? "f" : "") + apply(native, self, args);
      if (record !== null) handles[handle] = record;
      return kind === "frame" ? +apply(slice, handle, [1]) : +handle;
    },
  });

  /** @type {(prefix: string) => any} */
  const cancelling = (prefix) => ({
    apply(native, self, args) {
      const key = prefix + (typeof args[0] === "number" || typeof args[0] === "string" ? args[0] : "");
      const record = handles[key];
      if (record !== undefined) {
        delete handles[key];
        finish(record);
      }
      return apply(native, self, args);
    },
  });

  const startRequest = (label) => {
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

  const startFetch = (args) => {
    try {
      const label = labelOfFetch(args);
      if (label === null) return null;
      const record = startRequest(label);
      if (record !== null) noteFetch(record, fetchedUrl(args[0]));
      return record;
    } catch {
      return null;
    }
  };

  /** Return the promise, with the record finished and the cause known before its continuations run. */
  const following = (promise, record, isAnswer) => apply(then, promise, [
    (value) => {
      if (isAnswer) apply(store, requests, [value, record]);
      linger(record.context);
      finish(record);
      return value;
    },
    (error) => {
      linger(record.context);
      finish(record);
      throw error;
    },
  ]);

  const noteFetch = trackStreams({
    wrapGetter: (of, key, onRead) => {
      const found = getOwnPropertyDescriptor(of, key);
      const reading = (native, self, args) => {
        const value = apply(native, self, args);
        onRead(value, self);
        return value;
      };
      const get = new Proxy(found.get, /** @type {any} */ ({ __proto__: null, apply: reading }));
      apply(store, natives, [get, found.get]);
      defineProperty(of, key, { ...found, get });
    },
    isStarting: () => !isTouched,
    recordOf: (answer) => apply(lookUp, requests, [answer]),
    start,
    finish,
  });

  replace(page, "setTimeout", scheduling("timer"));
  replace(page, "setInterval", scheduling("interval"));
  replace(page, "requestAnimationFrame", scheduling("frame"));
  replace(page, "clearTimeout", cancelling(""));
  replace(page, "clearInterval", cancelling(""));
  replace(page, "cancelAnimationFrame", cancelling("f"));
  replace(page, "fetch", {
    apply(native, self, args) {
      const record = startFetch(args);
      const promise = apply(native, self, args);
      return record === null ? promise : following(promise, record, true);
    },
  });
  const bodies = ["json", "text", "arrayBuffer", "blob", "formData", "bytes"];
  for (let i = 0; i < bodies.length; i++) {
    replace(Response.prototype, bodies[i], {
      apply(native, self, args) {
        const before = apply(lookUp, requests, [self]);
        const promise = apply(native, self, args);
        if (before === undefined) return promise;
        const record = start("request", before.label, before.context, before.at);
        return record === null ? promise : following(promise, record, false);
      },
    });
  }
  replace(XMLHttpRequest.prototype, "open", {
    apply(native, self, args) {
      const result = apply(native, self, args);
      if (apply(lookUp, requests, [self]) === undefined) {
        apply(addEventListener, self, ["readystatechange", () => {
          const record = apply(lookUp, requests, [self])?.record;
          if (!record || apply(readyStateOf, self, []) !== 4) return;
          cause = record.context;
          noteSlow(record);
        }]);
        apply(addEventListener, self, ["loadend", () => {
          const known = apply(lookUp, requests, [self]);
          if (!known?.record) return;
          linger(known.record.context);
          finish(known.record);
          known.record = null;
        }]);
      }
      apply(store, requests, [self, { __proto__: null, method: `${args[0]}`, url: `${args[1]}`, record: null }]);
      return result;
    },
  });
  replace(XMLHttpRequest.prototype, "send", {
    apply(native, self, args) {
      const known = apply(lookUp, requests, [self]);
      if (known !== undefined && known.record === null) known.record = startRequest(labelFor(known.method, known.url));
      try {
        return apply(native, self, args);
      } catch (error) {
        if (known?.record) finish(known.record);
        throw error;
      }
    },
  });
  trackAnswers({
    replace,
    contextOf: () => contextOf(now(), null),
    start: (kind, label, context) => start(kind, label, context, now()),
    finish,
    isStarting: () => !isTouched,
    // Of the listeners behind this one; microtasks run between them.
    lead: (context) => {
      cause = context;
      apply(later, page, [() => { if (cause === context) cause = null; }]);
    },
    notePush: () => { polledAt = now(); },
    noteStream: () => { hasStream = true; },
  });
  replace(Function.prototype, "toString", {
    apply(native, self, args) {
      return apply(native, apply(lookUp, natives, [self]) ?? self, args);
    },
  });

  channel.addEventListener(name, (event) => {
    apply(preventDefault, event, []);
    if (!(event instanceof Question)) return;
    const time = now();
    begin = time - apply(sinceBegin, event, []);
    end = time - apply(sinceEnd, event, []);
    let lines = "";
    let found = 0;
    let isRestless = hasStream || time - polledAt < MAX_LATE_MS || count >= MAX_RECORDS;
    for (const id in pending) {
      if (found >= MAX_LINES) break;
      isRestless ||= isLate(pending[id]);
      if (isCaused(pending[id])) {
        found += 1;
        // Its own requests are to be counted as long as they take; the worker itself is not waited for so long.
        const isOld = pending[id].kind === "worker" && time - pending[id].at > MAX_ANSWER_MS;
        lines += isOld ? "\t\n" : `${pending[id].label}\n`;
      }
    }
    if (found === 0 && finished !== null && time - finishedAt < EFFECT_MS && isCaused(finished)) lines = "\r\n";
    isWatched = found > 0;
    dispatch("!", isRestless ? `${lines}\v\n` : lines);
  });
}

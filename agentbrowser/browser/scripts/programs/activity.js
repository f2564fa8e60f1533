import { keepInternals } from "../observe/identity/internals.js";
import {
  MAX_DEPTH, MAX_LATE_MS, MAX_TIMER_MS, contextOf, enter, finish, isRepeated, linger, listenToInput, noteSlow, run, start,
  startRequest, unfinished, watchBoot,
} from "../settle/activity_records.js";
import { fetchedUrl, labelFor, labelOfFetch } from "../settle/fetch_labels.js";
import { trackAnswers } from "../settle/message_answers.js";
import { trackStreams } from "../settle/streamed_bodies.js";

/**
 * Record what the page's scripts have set off and not finished: requests, short timers and frame callbacks, each with
 * the time of its root cause. A look waits for those that an action caused. The program wraps the functions of the page
 * that start them; questions and answers are events with a secret name, as in `page_listeners`. It takes every function
 * that it needs before a script of the page can replace it, and calls no method that the page could have replaced. It also
 * keeps what custom elements say of themselves to nobody else.
 * @param {string} name of the events
 */
export default function trackActivity(name) {
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
  const { slice } = String.prototype;
  const getter = (of, key) => getOwnPropertyDescriptor(of, key).get;
  const sinceBegin = getter(Question.prototype, "screenX");
  const sinceEnd = getter(Question.prototype, "screenY");
  const readyStateOf = getter(XMLHttpRequest.prototype, "readyState");
  const [natives, requests] = [new WeakMap(), new WeakMap()];

  /** @type {any} */
  const handles = { __proto__: null };

  const dispatch = (suffix, data) =>
    apply(dispatchEvent, channel, [new Answer(name + suffix, /** @type {any} */ ({ __proto__: null, cancelable: true, data }))]);
  if (!dispatch("", null)) return;
  watchBoot(() => dispatch("~", null));

  const replace = (of, key, handler) => {
    const descriptor = getOwnPropertyDescriptor(of, key);
    if (!descriptor || typeof descriptor.value !== "function" || !descriptor.configurable) return undefined;
    const native = descriptor.value;
    const proxy = new Proxy(native, { __proto__: null, ...handler });
    apply(store, natives, [proxy, native]);
    defineProperty(of, key, { ...descriptor, value: proxy });
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
      context.isRepeat = isRepeated(fn);
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
      const descriptor = getOwnPropertyDescriptor(of, key);
      const reading = (native, self, args) => {
        const value = apply(native, self, args);
        onRead(value, self);
        return value;
      };
      const get = new Proxy(descriptor.get, /** @type {any} */ ({ __proto__: null, apply: reading }));
      apply(store, natives, [get, descriptor.get]);
      defineProperty(of, key, { ...descriptor, get });
    },
    recordOf: (answer) => apply(lookUp, requests, [answer]),
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
          enter(record.context);
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
  trackAnswers(replace);
  keepInternals(replace, `${name}=`, (held) => dispatch("#", held));
  replace(Function.prototype, "toString", {
    apply(native, self, args) {
      return apply(native, apply(lookUp, natives, [self]) ?? self, args);
    },
  });

  channel.addEventListener(`${name} listen`, listenToInput);
  channel.addEventListener(name, (event) => {
    apply(preventDefault, event, []);
    if (!(event instanceof Question)) return;
    const time = now();
    dispatch("!", unfinished(time, time - apply(sinceBegin, event, []), time - apply(sinceEnd, event, [])));
  });
}

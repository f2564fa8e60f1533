import { MAX_SOCKET_MS, contextOf, enter, finish, isStarting, leave, notePush, noteStream, start } from "./activity_records.js";
import { labelFor } from "./fetch_labels.js";

/**
 * Messages of the page that await an answer: to workers, and over web sockets; and streams of events. It runs in the page's
 * world, so it takes the functions that it needs before a script of the page can replace them.
 */

// A worker or a server that has left so many messages without an answer gives none.
const MAX_UNANSWERED = 3;

const { now } = Date;
const later = setTimeout;
const { apply, construct, defineProperty } = Reflect;
const { addEventListener } = EventTarget.prototype;
const { get: urlOf } = /** @type {any} */ (Object.getOwnPropertyDescriptor(EventSource.prototype, "url"));
const { get: lookUp, set: store } = WeakMap.prototype;

/**
 * Record what the page sends to workers and over web sockets, until the answer, and the streams that an action opens,
 * while events come.
 * @param {(of: any, key: string, handler: any) => any} replace wraps a function of the page
 */
export function trackAnswers(replace) {
  /** @type {any} */
  const page = self;
  const peers = new WeakMap();

  const listen = (peer, event, listener) => apply(addEventListener, peer, [event, listener]);

  const present = () => contextOf(now(), null);

  // Of the listeners behind this one; microtasks run between them.
  const lead = (context) => {
    enter(context);
    apply(later, page, [() => leave(context)]);
  };

  const isSilent = (record) => record.kind === "worker" || now() - record.at > MAX_SOCKET_MS;

  /** @type {(peer: any, kind: "worker"|"socket") => any} */
  const follow = (peer, kind) => {
    /** @type {any} */
    const known = { __proto__: null, record: null, unanswered: 0 };
    apply(store, peers, [peer, known]);
    listen(peer, "message", () => {
      const { record } = known;
      known.record = null;
      if (record !== null || kind === "worker") known.unanswered = 0; // a server sends messages unasked, too
      if (record === null) return;
      lead(record.context);
      finish(record);
    });
    return known;
  };

  /** @type {(kind: "worker"|"socket") => any} */
  const sending = (kind) => ({
    apply(native, self, args) {
      const result = apply(native, self, args);
      const known = apply(lookUp, peers, [self]);
      const context = present();
      // Many pages prepare a worker that never answers to that.
      if (!known || (kind === "worker" && context.isBoot) || known.record?.origin === context.origin) return result;
      if (known.record !== null && isSilent(known.record)) known.unanswered += 1;
      finish(known.record);
      const isMute = known.unanswered >= MAX_UNANSWERED;
      known.record = isMute ? null : start(context.isBoot ? "join" : kind, kind, context, now());
      return result;
    },
  });

  /** @type {(name: string, onMade: (made: any) => void) => void} */
  const making = (name, onMade) => {
    const native = page[name];
    if (typeof native !== "function") return;
    /** @type {any} */
    const proxy = replace(page, name, {
      construct(_, args, target) {
        const made = construct(native, args, target === proxy ? native : target);
        onMade(made);
        return made;
      },
    });
    if (proxy) defineProperty(native.prototype, "constructor", /** @type {any} */ ({ __proto__: null, value: proxy }));
  };

  // The listeners are added as the peer is made, so that they run before those of the page.
  making("Worker", (worker) => follow(worker, "worker"));
  replace(Worker.prototype, "postMessage", sending("worker"));
  replace(WebSocket.prototype, "send", sending("socket"));
  making("WebSocket", (socket) => {
    const known = follow(socket, "socket");
    const context = present();
    known.record = start("connection", "socket", context, now());
    const end = () => {
      lead(context);
      finish(known.record);
      known.record = null;
    };
    listen(socket, "open", end);
    listen(socket, "close", end);
    listen(socket, "message", notePush);
  });
  // Messages of other names than "message" are not seen: any page with such a stream may change at any time.
  making("EventSource", (stream) => {
    noteStream();
    const record = isStarting() ? null : start("join", labelFor("GET", apply(urlOf, stream, [])), present(), now());
    if (record === null) return;
    apply(store, peers, [stream, { __proto__: null, record }]);
    listen(stream, "message", () => {
      record.kind = "socket";
      record.at = now();
    });
  });
  replace(EventSource.prototype, "close", {
    apply(native, self, args) {
      const known = apply(lookUp, peers, [self]);
      if (known) finish(known.record);
      return apply(native, self, args);
    },
  });
}

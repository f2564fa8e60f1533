import { CLICK, handlersOf, PRESS } from "../observe/listeners/handler_targets.js";

/**
 * Report the elements with listeners for gestures of the pointer to the isolated world, and the elements that delegated
 * listeners are for. Only the page's own world can list listeners, by the console's `getEventListeners`. Questions and
 * answers are events with a secret name, on an object outside the document; the numbers of an answer are the kinds of
 * gestures. The program takes every function that it needs before a script of the page can replace it.
 * @param {string} name of the events
 */
export default function answerForListeners(name) {
  // A framework that delegates events listens to nearly all of them on one element.
  const tooMany = 20;
  const maxTargets = 2000;
  const plain = "html, head, head *, body, script, style, template, br, option, a[href], button, input, select, textarea";
  const others = `:not(${plain})`;
  const channel = performance;
  const listenersOf = getEventListeners;
  const Question = FocusEvent;
  const Answer = MouseEvent;
  const { apply } = Reflect;
  const { hasOwn, keys, getOwnPropertyDescriptor } = Object;
  const { dispatchEvent } = EventTarget.prototype;
  const { preventDefault } = Event.prototype;
  const { matches } = Element.prototype;
  const queries = [Document, DocumentFragment, Element].map(({ prototype }) => prototype.querySelectorAll);
  const getter = (of, key) => getOwnPropertyDescriptor(of, key).get;
  const rootOf = getter(Question.prototype, "relatedTarget");
  const topOf = getter(Document.prototype, "documentElement");
  const bodyOf = getter(Document.prototype, "body");
  const lengthOf = getter(NodeList.prototype, "length");
  let targets = 0;

  const ask = () => apply(dispatchEvent, channel, [new Question(name, { cancelable: true })]);
  const report = (suffix, relatedTarget, screenX) =>
    apply(dispatchEvent, channel, [new Answer(name + suffix, { relatedTarget, screenX })]);

  const reportTargets = (holder, query, { kind, selectors }) => {
    for (let i = 0; i < selectors.length; i++) {
      let elements;
      try {
        elements = apply(query, holder, [selectors[i]]);
      } catch {
        continue; // a selector of a library's own
      }
      const count = apply(lengthOf, elements, []);
      for (let j = 0; j < count && targets < maxTargets; j++) {
        if (!apply(matches, elements[j], [others])) continue;
        targets++;
        report(">", elements[j], kind);
      }
    }
  };

  // An element that throws, as only one of the page's making can, has no listeners.
  const reportOf = (target, query, isElement) => {
    try {
      const listeners = listenersOf(target);
      const handlers = handlersOf(target, listeners, isElement);
      let kinds = 0;
      for (let i = 0; i < handlers.length; i++) {
        kinds |= handlers[i].kind;
        reportTargets(isElement || query === queries[1] ? target : document, query, handlers[i]);
      }
      const isOfFramework = keys(listeners).length >= tooMany;
      if (kinds && isElement && !isOfFramework) report("!", target, kinds);
      return isOfFramework ? 0 : kinds;
    } catch {
      return 0;
    }
  };

  const answer = (event) => {
    apply(preventDefault, event, []);
    const root = apply(rootOf, event, []);
    if (root === null) return;
    targets = 0;
    const isDocument = root === document;
    const all = apply(queries[isDocument ? 0 : 1], root, [others]);
    const count = apply(lengthOf, all, []);
    for (let i = 0; i < count; i++) reportOf(all[i], queries[2], true);
    if (!isDocument) reportOf(root, queries[1], false);
    if (isDocument) {
      let kinds = reportOf(document, queries[0], false);
      const body = apply(bodyOf, document, []);
      if (body !== null) kinds |= reportOf(body, queries[0], false);
      reportOf(apply(topOf, document, []), queries[0], false);
      reportOf(self, queries[0], false);
      // A page that delegates from its root, unless a framework does.
      if (kinds & CLICK) report("#", null, 0);
    }
  };

  const answerForPress = (event) => {
    const listeners = listenersOf(apply(rootOf, event, []));
    if (hasOwn(listeners, "pointerdown") || hasOwn(listeners, "mousedown")) apply(preventDefault, event, []);
  };

  const answerForGesture = (event) => {
    const target = apply(rootOf, event, []);
    const handlers = handlersOf(target, listenersOf(target), true);
    for (let i = 0; i < handlers.length; i++) if (handlers[i].kind & (CLICK | PRESS)) apply(preventDefault, event, []);
  };

  // The page may have run first and replaced a function that these need; an error would disclose this program to it.
  const listen = (suffix, handle) =>
    channel.addEventListener(name + suffix, (event) => {
      try {
        handle(event);
      } catch {
        // There is no answer, then.
      }
    });

  if (!ask()) return;
  listen("", answer);
  listen("?", answerForPress);
  listen("&", answerForGesture);
}

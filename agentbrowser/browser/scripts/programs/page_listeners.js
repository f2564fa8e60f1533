/**
 * Report the elements with click listeners to the isolated world. Only the page's own world can list listeners, by the
 * console's `getEventListeners`. Questions and answers are events with a secret name, on an object outside the
 * document. The program takes every function that it needs before a script of the page can replace it.
 * @param {string} name of the events
 */
export default function answerForListeners(name) {
  const clicks = ["click", "auxclick", "mouseup", "pointerup", "touchstart", "touchend"];
  // Dragging and editing begin with these; elements inside have clicks of their own.
  const presses = ["dblclick", "mousedown", "pointerdown"];
  // A framework that delegates events listens to nearly all of them on one element.
  const tooMany = 20;
  const plain = "html, head, head *, body, script, style, template, br, option, a[href], button, input, select, textarea";
  const others = `:not(${plain})`;
  const channel = performance;
  const listenersOf = getEventListeners;
  const Message = FocusEvent;
  const { apply } = Reflect;
  const { hasOwn, keys, getOwnPropertyDescriptor } = Object;
  const { dispatchEvent } = EventTarget.prototype;
  const { preventDefault } = Event.prototype;
  const rootOf = getOwnPropertyDescriptor(Message.prototype, "relatedTarget").get;
  const topOf = getOwnPropertyDescriptor(Document.prototype, "body").get;
  const lengthOf = getOwnPropertyDescriptor(NodeList.prototype, "length").get;
  const queries = [Document.prototype.querySelectorAll, DocumentFragment.prototype.querySelectorAll];

  const dispatch = (suffix, relatedTarget) =>
    apply(dispatchEvent, channel, [new Message(name + suffix, { cancelable: true, relatedTarget })]);

  const hasAny = (listeners, types) => {
    for (let i = 0; i < types.length; i++) if (hasOwn(listeners, types[i])) return true;
    return false;
  };

  const report = (element) => {
    const listeners = listenersOf(element);
    const isPressed = hasAny(listeners, presses);
    if ((isPressed || hasAny(listeners, clicks)) && keys(listeners).length < tooMany) dispatch(isPressed ? "*" : "!", element);
  };

  // A page that delegates from its root, unless a framework does.
  const isClicked = (target) => {
    const listeners = target === null ? {} : listenersOf(target);
    return hasOwn(listeners, "click") && keys(listeners).length < tooMany;
  };

  const answer = (event) => {
    apply(preventDefault, event, []);
    const root = apply(rootOf, event, []);
    if (root === null) return;
    const all = apply(queries[root === document ? 0 : 1], root, [others]);
    const count = apply(lengthOf, all, []);
    for (let i = 0; i < count; i++) report(all[i]);
    if (root === document && (isClicked(document) || isClicked(apply(topOf, document, [])))) dispatch("#", null);
  };

  const answerForPress = (event) => {
    const listeners = listenersOf(apply(rootOf, event, []));
    if (hasOwn(listeners, "pointerdown") || hasOwn(listeners, "mousedown")) apply(preventDefault, event, []);
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

  if (!dispatch("", null)) return;
  listen("", answer);
  listen("?", answerForPress);
}

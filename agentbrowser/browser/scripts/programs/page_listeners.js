// Runs among the page's own scripts, before any of them. Whether an element listens to the pointer is only told to the
// world of the listener, and only by the console's `getEventListeners`: this asks it for our own world, which can't.
// Events carry the question and the answers; they go to an object that isn't in the page, under a name that is a secret.
// All that is used of the page's world is taken before the page can replace it.
export default function answerForListeners(name) {
  const types = [
    "click", "dblclick", "auxclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend",
  ];
  // A framework that handles all events of what it draws listens to nearly all of them in one place.
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
  const lengthOf = getOwnPropertyDescriptor(NodeList.prototype, "length").get;
  const queries = [Document.prototype.querySelectorAll, DocumentFragment.prototype.querySelectorAll];

  const dispatch = (suffix, relatedTarget) =>
    apply(dispatchEvent, channel, [new Message(name + suffix, { cancelable: true, relatedTarget })]);

  const isClickListener = (listeners) => {
    for (let i = 0; i < types.length; i++) if (hasOwn(listeners, types[i])) return keys(listeners).length < tooMany;
    return false;
  };

  const answer = (event) => {
    apply(preventDefault, event, []);
    const root = apply(rootOf, event, []);
    if (root === null) return;
    const all = apply(queries[root === document ? 0 : 1], root, [others]);
    const count = apply(lengthOf, all, []);
    for (let i = 0; i < count; i++) if (isClickListener(listenersOf(all[i]))) dispatch("!", all[i]);
  };

  if (!dispatch("", null)) return;
  channel.addEventListener(name, (event) => {
    try {
      answer(event);
    } catch {
      // The page was there first and has spoilt what this needs; an error would tell it so.
    }
  });
}

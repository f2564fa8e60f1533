/**
 * Report what the page puts on the clipboard to the isolated world: the sessions of one owner share the clipboard of a
 * browser. The reports are events with a secret name, as in `page_listeners`; their data is the text, if the page has
 * set it itself. The program takes every function that it needs before a script of the page can replace it.
 * @param {string} name of the events; one with `quiet` behind the name stops the reports, and the next one goes on with
 *   them; one with `listen` behind it adds the listeners again
 */
export default function reportCopies(name) {
  const channel = performance;
  const Report = InputEvent;
  const { apply } = Reflect;
  const { getOwnPropertyDescriptor } = Object;
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const { then } = Promise.prototype;
  const { getData } = DataTransfer.prototype;
  const getter = (of, key) => getOwnPropertyDescriptor(of, key).get;
  const dataOf = getter(ClipboardEvent.prototype, "clipboardData");
  const typeOf = getter(Event.prototype, "type");
  const isPrevented = getter(Event.prototype, "defaultPrevented");
  const isTrusted = getter(new Event(name), "isTrusted");
  let isQuiet = false;

  /** @param {string|null} data */
  const report = (data) => apply(dispatchEvent, channel, [new Report(name, { data })]);

  const onCopied = (event) => {
    if (isQuiet || !apply(isTrusted, event, []) || !apply(isPrevented, event, [])) return;
    report(apply(getData, apply(dataOf, event, []), ["text/plain"]));
  };
  apply(addEventListener, channel, [`${name} quiet`, () => { isQuiet = !isQuiet; }]);
  const onCopy = (event) => {
    if (isQuiet || !apply(isTrusted, event, [])) return;
    report(null);
    // Now behind all listeners of the page, which may set another text than the selected one.
    apply(addEventListener, self, [apply(typeOf, event, []), onCopied, { once: true }]);
  };
  // `document.open()` removes listeners of the window, and none of other objects.
  const listen = () => {
    apply(addEventListener, self, ["copy", onCopy, true]);
    apply(addEventListener, self, ["cut", onCopy, true]);
  };
  apply(addEventListener, channel, [`${name} listen`, listen]);
  listen();

  const { prototype } = self.Clipboard ?? {};
  const reportWrites = (key, textOf) => {
    prototype[key] = new Proxy(prototype[key], {
      apply(write, clipboard, values) {
        const text = textOf(values[0]);
        const written = apply(write, clipboard, text === null ? values : [text]);
        apply(then, written, [() => report(text), () => {}]);
        return written;
      },
    });
  };
  if (!prototype) return; // only secure documents have it
  reportWrites("writeText", (value) => `${value}`);
  reportWrites("write", () => null);
}

// Log of the events that a page receives, in the order of their capture at the window.
(types => {
  const log = (window.log = []);
  const place = node =>
    node === document ? "document" : node.id ? "#" + node.id : (node.localName ?? "?");
  const modifiers = event =>
    ["ctrl", "shift", "alt", "meta"].filter(key => event[key + "Key"]).map(key => "+" + key).join("");
  const details = event => {
    if (event instanceof KeyboardEvent) {
      return ` ${event.key}/${event.code}${event.repeat ? " repeat" : ""}${modifiers(event)}`;
    }
    if (event instanceof WheelEvent) return ` ${event.deltaX},${event.deltaY}${modifiers(event)}`;
    if (event instanceof MouseEvent) return ` ${event.button}/${event.buttons}x${event.detail}${modifiers(event)}`;
    if (event instanceof InputEvent) return ` ${event.inputType} ${JSON.stringify(event.data)}`;
    return "";
  };
  for (const type of types) {
    addEventListener(
      type,
      event => {
        if (event.target === window) return;
        log.push(`${type} ${place(event.composedPath()[0])}${details(event)}${event.isTrusted ? "" : " (script)"}`);
      },
      true,
    );
  }
})

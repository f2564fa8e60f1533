/** The element that Playwright found and handed over to these scripts. */

/** The element that was pointed out last, and the name of the event that did it. */
let held = { name: "", element: null };

/**
 * Wait for an event of that name, which nobody else can know, and remember what it is sent to. This is how an element that
 * Playwright has found gets from its world into this one.
 * @param {string} name
 */
export function hold(name) {
  const take = (event) => {
    event.stopImmediatePropagation();
    held = { name, element: event.composedPath()[0] };
  };
  addEventListener(name, take, { capture: true, once: true });
  return {};
}

/**
 * Return the element that is held under the name; the document where no name is given; null where nothing is.
 * @param {string|null} [name]
 * @returns {any}
 */
export function subject(name) {
  if (!name) return document;
  return held.name === name ? held.element : null;
}

/** Return the element that is held, which the browser side needs itself to find it in the browser's own trees. */
export function heldElement() {
  return held.element;
}

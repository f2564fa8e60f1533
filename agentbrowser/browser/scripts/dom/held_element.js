/** Element that Playwright found and handed over to these scripts. */

/** The last element that was handed over, and the name of the event that did it. */
let held = { name: "", element: null };

/**
 * Wait for an event of a secret name, and hold its target. An element that Playwright has found gets from its world
 * into this one that way.
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
 * Return the element held under the name; the document without a name; null where nothing is held.
 * @param {string|null} [name]
 * @returns {any}
 */
export function subject(name) {
  if (!name) return document;
  return held.name === name ? held.element : null;
}

/** Return the held element, which the browser side looks up in the browser's own trees. */
export function heldElement() {
  return held.element;
}

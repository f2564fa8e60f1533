/** Elements that Playwright found and handed over to these scripts. */

/** Most elements that are held: those of calls that run at the same time. */
const MOST = 16;

/**
 * The last elements that were handed over, by the name of the event that did it.
 * @type {Map<string, any>}
 */
const held = new Map();

/**
 * Wait for an event of a secret name, and hold its target. An element that Playwright has found gets from its world
 * into this one that way.
 * @param {string} name
 */
export function hold(name) {
  const take = (event) => {
    event.stopImmediatePropagation();
    held.set(name, event.composedPath()[0]);
    if (held.size > MOST) held.delete(held.keys().next().value);
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
  return name ? (held.get(name) ?? null) : document;
}

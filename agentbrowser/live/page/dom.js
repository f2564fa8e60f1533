/** Elements of the page, by id, and new ones. Texts are set as text: they come from pages that nobody trusts. */

/**
 * Return the element of that id.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * Return a new element.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/**
 * Say something to screen readers, when it matters.
 * @param {string} text
 */
export function announce(text) {
  byId("announcer").textContent = text;
}

/**
 * Return a time of day.
 * @param {number} ms since 1970
 */
export function timeOf(ms) {
  return new Date(ms).toLocaleTimeString();
}

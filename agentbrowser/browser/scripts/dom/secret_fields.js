/** Fields that hold secrets, whose values never leave the page. */

import {
  attributeOf, closest, collapseSpaces, dataOf, isEdited, isElement, parentOrHostOf, queryAll, tagOf, textContentOf, walkerOf,
} from "./nodes.js";
import { isAriaHidden, isTextUnrendered, isUnrendered } from "./visibility.js";

/**
 * Yield the visible texts of an element.
 * @param {Element} element
 * @param {string} [but] a selector of what to leave out
 * @returns {Generator<string>}
 */
export function* shownTexts(element, but) {
  for (const { text, holder } of shownTextNodes(element)) if (!but || !closest(holder, but)) yield text;
}

const MUTED = '[aria-hidden="true" i]';

/**
 * Yield the visible texts of an element, each with the element that it is in. If the page has hidden all of the element
 * from assistive technology, as behind a popup, the texts are those that it has without the popup.
 * @param {Element} element
 * @returns {Generator<{text: string, holder: any}>}
 */
export function* shownTextNodes(element) {
  const around = isElement(element) && isAriaHidden(element) ? closest(element, MUTED) : null;
  const isMuted = (/** @type {any} */ holder) => (around ? closest(holder, MUTED) !== around : isAriaHidden(holder));
  const walker = walkerOf(document, element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = collapseSpaces(dataOf(walker.currentNode));
    const holder = parentOrHostOf(walker.currentNode);
    if (text && !isTextUnrendered(walker.currentNode) && !isUnrendered(holder) && !isMuted(holder) && !isInSecret(holder)) yield { text, holder };
  }
}

/**
 * Return the text content of an element, without what was in areas for secrets when the page came.
 * @param {any} element
 */
export function openTextOf(element) {
  const areas = [element, ...queryAll(element, "textarea")].filter((one) => tagOf(one) === "textarea" && isSecret(one));
  return areas.map(textContentOf).filter(Boolean).reduce((text, held) => text.replaceAll(held, ""), textContentOf(element));
}

const CREDENTIALS = /(^|\s)(current-password|new-password|one-time-code|cc-[a-z-]+)(\s|$)/i;

/** Names of password fields: the only sign of one that the page has already switched to plain text. */
const PASSWORD_WORDS = /passw|passphrase|passcode|pwd/i;

/** Fields that held a secret once: "show password" only changes their type. */
export const secrets = new WeakSet();

/** The operator's secrets that were written into this document. @type {Set<string>} */
export const writtenSecrets = new Set();

/**
 * Return the operator's secrets that this document may know.
 * @param {{origin: string, values: string[]}} known secrets that a document of that origin may know
 */
export function secretsHere({ origin, values }) {
  return [...writtenSecrets, ...(globalThis.origin === origin ? values : [])];
}

/**
 * Return true if the value of a field must never leave the page.
 * @param {any} field
 * @returns {boolean}
 */
export function isSecret(field) {
  if (secrets.has(field)) return true;
  const secret = isMarkedSecret(field) || isMasked(field);
  if (secret) secrets.add(field);
  return secret;
}

/**
 * Return true if a field is marked as secret.
 * @param {any} field
 */
export function isMarkedSecret(field) {
  const tag = tagOf(field);
  // The options of a <select> are no secret, and the chosen month or kind of card is hardly one.
  if (tag !== "select" && CREDENTIALS.test(attributeOf(field, "autocomplete") ?? "")) return true;
  if (tag !== "input") return false;
  const called = () => `${attributeOf(field, "name") ?? ""} ${attributeOf(field, "id") ?? ""}`;
  return field.type === "password" || (field.type === "text" && PASSWORD_WORDS.test(called()));
}

/**
 * Return true if typed text shows as dots.
 * @param {Element} field
 */
function isMasked(field) {
  const tag = tagOf(field);
  if (tag !== "input" && tag !== "textarea" && !isEdited(field)) return false;
  return textSecurityIn(getComputedStyle(field)) !== "none";
}

/** @param {any} style */
export function textSecurityIn(style) {
  return style.webkitTextSecurity;
}

/**
 * Return true if an element is an area that holds a secret, or in such an editor.
 * @param {Element|null} element
 */
export function isInSecret(element) {
  if (element && tagOf(element) === "textarea") return isSecret(element);
  for (let node = element; node && isEdited(node); node = parentOrHostOf(node)) if (isSecret(node)) return true;
  return false;
}

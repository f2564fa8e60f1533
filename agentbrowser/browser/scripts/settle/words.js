/** Wait for visible words on the page. */

import { ownTextNodes } from "../dom/nested_lists.js";
import {
  checkVisibility, childElementsOf, dataOf, innerTextOf, matches, queryRoot, shadowOf, tagOf, textContentOf, VISIBLE,
} from "../dom/nodes.js";
import { isSecret, secretsHere } from "../dom/secret_fields.js";
import { spellingsOf } from "../dom/shown_secrets.js";

const SILENT = new Set(["script", "style", "template", "noscript", "head"]);
const BUTTONS = new Set(["button", "submit", "reset"]);
const TEXT_FIELDS = new Set(["text", "search", "email", "url", "tel", "number", "textarea"]);
/** A check takes at most this share of the time. */
const SHARE = 0.1;
const PAUSE_MS = 30;

/**
 * Wait until words are visible in this document, or are not; return whether that is so, and false when the time is over.
 * The operator's secrets are no words: a client could look for them letter by letter.
 * @param {{text: string, isGone: boolean, timeout: number, secrets: {origin: string, values: string[]}}} options
 */
export async function waitForWords({ text, isGone, timeout, secrets }) {
  masked = null;
  const wanted = plain(text);
  const deadline = performance.now() + timeout;
  for (;;) {
    const start = performance.now();
    masked = spellingsOf(secretsHere(secrets));
    if (hasWords(document, wanted) !== isGone) return true;
    const now = performance.now();
    if (now >= deadline) return false;
    await nextChange(Math.min(deadline - now, Math.max(PAUSE_MS, (now - start) / SHARE)));
  }
}

/** Spellings of secrets, which count as other words during a check. @type {RegExp|null} */
let masked = null;

/** @param {string} text */
function plain(text) {
  const words = text.replace(/\s+/g, " ").trim().toLowerCase();
  return masked ? words.replace(masked, "[redacted]") : words;
}

/**
 * Return true if the words are visible in a document or a shadow root, or in the shadow roots in it.
 * @param {Document|ShadowRoot} root
 * @param {string} wanted
 * @returns {boolean}
 */
function hasWords(root, wanted) {
  if (childElementsOf(root).some((element) => isIn(element, wanted))) return true;
  if ([...queryRoot(root, "input, textarea")].some((field) => isShownBy(field, wanted))) return true;
  const all = queryRoot(root, "*");
  return [...all].some((element) => {
    const shadow = shadowOf(element);
    return Boolean(shadow && hasWords(shadow, wanted));
  });
}

/**
 * Return true if the words are visible in an element: in a part of it, or else across its parts.
 * @param {Element} element
 * @param {string} wanted
 * @returns {boolean}
 */
function isIn(element, wanted) {
  if (SILENT.has(tagOf(element)) || !plain(textContentOf(element) ?? "").includes(wanted)) return false;
  const inner = childElementsOf(element).filter((child) => plain(textContentOf(child) ?? "").includes(wanted));
  if (inner.some((child) => isIn(child, wanted))) return true;
  // A hidden part may have the same words as the texts beside it.
  const own = () => ownTextNodes(element).map(dataOf).join(" ");
  const shown = inner.length > 0 ? own() : element instanceof HTMLElement ? innerTextOf(element) : "";
  return plain(shown).includes(wanted) && checkVisibility(element, VISIBLE);
}

/**
 * Return true if a button shows the words, or a text field that only the page can fill: what a client has typed itself
 * confirms nothing.
 * @param {any} field
 * @param {string} wanted
 */
function isShownBy(field, wanted) {
  const isPageOwn = BUTTONS.has(field.type) || (TEXT_FIELDS.has(field.type) && matches(field, ":disabled, :read-only") && !isSecret(field));
  return isPageOwn && plain(field.value).includes(wanted) && checkVisibility(field, VISIBLE);
}

/**
 * Wait some time; timers do not depend on frames, which hidden pages do not get.
 * @param {number} ms
 */
function nextChange(ms) {
  return new Promise((done) => { setTimeout(done, ms); });
}

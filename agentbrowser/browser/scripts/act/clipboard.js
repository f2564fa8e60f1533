/**
 * Clipboard of the session. The sessions of one owner share the clipboard of a browser; what a page copies is reported,
 * so that the browser side can put a session's own text there before it pastes. The program `copies` reports what the
 * page does.
 */

import { execCommand, focusedElement, isElement } from "../dom/nodes.js";
import { isInSecret, isSecret } from "../dom/secret_fields.js";
import { listenToInput } from "../settle/activity.js";

/** A longer text is not kept for the session. */
const MAX_LENGTH = 100_000;

let channel = "";

/** @type {(notice: string) => void} */
let send = () => {};

/** True while a key is down: a copy is that of the key then, not of a button of the page's. */
let isKeyDown = false;
/** @param {Event} event */
const noteKey = (event) => {
  if (event.isTrusted) isKeyDown = event.type === "keydown";
};
/** @param {Event} event */
const keepSecret = (event) => {
  const [target] = /** @type {any[]} */ (event.composedPath());
  if (!event.isTrusted || !isElement(target) || !(isKeyDown || event.type === "dragstart")) return;
  if (!isSecret(target) && !isInSecret(target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

/**
 * Let neither keys nor the pointer take a value out of a field for secrets, as the browser itself lets them out of no
 * password field: whoever pastes it elsewhere reads it there. `document.open()` removes the listeners.
 */
function keepSecrets() {
  for (const type of ["keydown", "keyup"]) addEventListener(type, noteKey, true);
  for (const type of ["copy", "cut", "dragstart"]) addEventListener(type, keepSecret, true);
}

/** The root at the last call of `listenAgain`: `document.open()` makes another one. @type {Element|null} */
let root = null;

/** Listen again, and have the page's copies and its input noted again, if the document may have been written anew. */
export function listenAgain() {
  if (root !== document.documentElement) {
    root = document.documentElement;
    keepSecrets();
    performance.dispatchEvent(new Event(`${channel} listen`));
    listenToInput();
  }
  return {};
}

/**
 * @param {string} name of the events of the program `copies`
 * @param {((notice: string) => void)|undefined} binding of this world only
 */
export function openCopies(name, binding) {
  if (binding) send = binding;
  keepSecrets();
  if (channel !== "") return;
  channel = name;
  performance.addEventListener(name, (event) => noteCopy(/** @type {InputEvent} */ (event).data ?? selectedText()));
}

/** @param {string} text */
function noteCopy(text) {
  send(`copied ${text.length > MAX_LENGTH ? "" : text}`);
}

/** Return the text that the browser copies if the page does not set another one. */
function selectedText() {
  const active = focusedElement();
  if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd } = active;
    if (active.type === "password" || (isKeyDown && isSecret(active))) return "";
    if (selectionStart !== null && selectionStart !== selectionEnd) return active.value.slice(selectionStart, selectionEnd ?? 0);
  }
  return String(getSelection() ?? "");
}

/**
 * Put a text on the clipboard, without a report. Return true if it is there.
 * @param {string} text
 */
export function copyText(text) {
  let isCopied = false;
  /** @param {ClipboardEvent} event */
  const copy = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData("text/plain", text);
    isCopied = true;
  };
  const quiet = () => performance.dispatchEvent(new Event(`${channel} quiet`));
  quiet();
  addEventListener("copy", copy, true);
  try {
    return execCommand(document, "copy") && isCopied;
  } finally {
    removeEventListener("copy", copy, true);
    quiet();
  }
}

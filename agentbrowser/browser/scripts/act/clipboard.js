/**
 * Clipboard of the session. The sessions of one owner share the clipboard of a browser; what a page copies is reported,
 * so that the browser side can put a session's own text there before it pastes. The program `copies` reports what the
 * page does.
 */

import { activeOf, caller } from "../dom/nodes.js";

const execute = caller(Document, "execCommand");
/** A longer text is not kept for the session. */
const MAX_LENGTH = 100_000;

let channel = "";

/** @type {(notice: string) => void} */
let send = () => {};

/**
 * @param {string} name of the events of the program `copies`
 * @param {((notice: string) => void)|undefined} binding of this world only
 */
export function openCopies(name, binding) {
  if (binding) send = binding;
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
  let active = activeOf(document);
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd } = active;
    if (active.type === "password") return "";
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
    return execute(document, "copy") && isCopied;
  } finally {
    removeEventListener("copy", copy, true);
    quiet();
  }
}

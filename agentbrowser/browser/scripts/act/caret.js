/** Caret and selection of the focused field. */

import { isConnected, isEdited, kindOf, parentOrHostOf, reader, TEXT, textContentOf } from "../dom/nodes.js";

const childNodesOf = reader(Node, "childNodes");

/** Node that had the caret after the last input. @type {WeakRef<Node>|null} */
let written = null;

/** Move the caret to the end of the focused field. */
export function moveCaretToEnd() {
  getSelection()?.modify("move", "forward", "documentboundary");
}

/**
 * Select the whole content of a field, so that the next input replaces it.
 * @param {any} control
 */
export function selectAll(control) {
  if (!isEdited(control)) {
    control.select();
    control.focus();
    return;
  }
  let host = control;
  for (let outer = parentOrHostOf(host); outer && isEdited(outer); outer = parentOrHostOf(host)) host = outer;
  host.focus();
  const range = new Range();
  range.selectNodeContents(control);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}

/** Note the node that the input has left the caret in. */
export function noteCaret() {
  const node = getSelection()?.anchorNode;
  written = node ? new WeakRef(node) : null;
}

/** Return true if the page has removed the text that was written to, which leaves the caret before another text. */
export function hasLostCaret() {
  const node = written?.deref();
  if (!node || isConnected(node)) return false;
  const selection = getSelection();
  const anchor = selection?.isCollapsed ? selection.anchorNode : null;
  if (!anchor) return false;
  const isText = kindOf(anchor) === TEXT;
  const after = isText ? selection.anchorOffset === 0 && anchor : childNodesOf(anchor)[selection.anchorOffset];
  return Boolean(after && textContentOf(after));
}

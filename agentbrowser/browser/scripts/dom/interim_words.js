/**
 * Elements whose words have changed and changed back since the last look: "Saved", "Saving…", "Saved". The words are the
 * same, and still they report what has happened.
 */

import { collapseSpaces, ELEMENT, kindOf, parentOf, TEXT, textContentOf } from "./nodes.js";

/** Longer texts are content, not a status. */
const MAX_CHARS = 200;

/** Elements that have had other words than now. @type {WeakSet<Node>} */
let interim = new WeakSet();

/**
 * Record the words that a change has replaced.
 * @param {MutationRecord} record
 */
export function noteInterimWords({ type, target, oldValue, addedNodes, removedNodes }) {
  if (type === "attributes") return;
  const element = kindOf(target) === ELEMENT ? target : parentOf(target);
  if (!element) return;
  const before = type === "characterData" ? oldValue : replacedText(addedNodes, removedNodes);
  if (!before || before.length > MAX_CHARS) return;
  const now = type === "characterData" ? /** @type {any} */ (target).data : textContentOf(element);
  const words = collapseSpaces(before);
  if (words && now.length <= MAX_CHARS && words !== collapseSpaces(now)) interim.add(element);
}

/**
 * Return the text that other text has replaced; "" where elements came or went.
 * @param {NodeList} added
 * @param {NodeList} removed
 */
function replacedText(added, removed) {
  if (!removed.length || [...added, ...removed].some((node) => kindOf(node) !== TEXT)) return "";
  return [...removed].map((node) => node.nodeValue ?? "").join("");
}

/** @param {Node} element */
export function hadOtherWords(element) {
  return interim.has(element);
}

/** Begin anew, after a look. */
export function forgetInterimWords() {
  interim = new WeakSet();
}

/** Words in an element that name it: a heading, the words before its controls, or its first ones. */

import {
  childElementsOf, closest, contains, dataOf, isEdited, matches, MAX_TEXT, queryAll, shadowOf, shorten, tagOf,
} from "../../dom/nodes.js";
import { shownTextNodes, shownTexts } from "../../dom/secret_fields.js";
import { labelOf, nestedLists, ownTextNodes } from "../../dom/nested_lists.js";
import { isIconFont } from "./icons.js";

export const INTERACTIVE =
  "a[href], button, input, select, textarea, [role=button], [role=link], [contenteditable], [onclick], [draggable=true]";
export const HEADS = "h1, h2, h3, h4, h5, h6, [role=heading], legend, caption";
/** Characters of a label: longer words are a text. */
export const LONGEST_LABEL = 80;
/** Levels of first children in which the head of an element is looked for. */
const HEAD_DEPTH = 3;

/** @param {any} element */
export function ownText(element) {
  if (isIconFont(element)) return "";
  return wordsBesideLists(element) || headOf(element) || wordsBeforeControls(element) || beginning(element);
}

/**
 * Return the words before the first control in an element: a day of a calendar is no "14 07:30 Yoga 16:00 Dentist", and
 * what is behind has names of its own. "" if it begins with a control that has words, or has none.
 * @param {any} element
 */
function wordsBeforeControls(element) {
  if (!queryAll(element, INTERACTIVE).length) return "";
  let words = "";
  for (const { text, holder } of shownTextNodes(element)) {
    const control = closest(holder, INTERACTIVE);
    if (control && control !== element && contains(element, control)) return words;
    words = words ? `${words} ${text}` : text;
    if (words.length > MAX_TEXT) break;
  }
  return "";
}

/**
 * Return the heading, else the first short words, of an element that holds more than a name can and several interactive
 * elements: a column of cards is no "To do 4 Draft the letter ⋯ Call the printer…".
 * @param {any} element
 */
function headOf(element) {
  if (beginning(element).length < MAX_TEXT || queryAll(element, INTERACTIVE).length < 2) return "";
  const [head] = queryAll(element, HEADS);
  let node = head ?? element;
  for (let depth = 0; !head && depth < HEAD_DEPTH; depth++) {
    const first = childElementsOf(node).find((child) => beginning(child) !== "");
    if (!first || matches(first, INTERACTIVE)) return "";
    node = first;
    if (beginning(node).length <= LONGEST_LABEL) break;
  }
  const words = beginning(node);
  return words.length <= LONGEST_LABEL ? words : "";
}

/**
 * Return the words of an item without those of the lists in it; "" if it has no list.
 * @param {any} item
 */
function wordsBesideLists(item) {
  const nested = tagOf(item) === "li" && !isEdited(item) ? nestedLists(item) : [];
  if (!nested.length) return "";
  const own = ownTextNodes(item).map(dataOf).join(" ").trim();
  const label = own ? null : labelOf(item, nested);
  return own || (label ? beginning(label) : "");
}

/**
 * Return the heading or the caption in an element; "" for none.
 * @param {any} element
 */
export function headingIn(element) {
  const [head] = queryAll(element, HEADS);
  return head ? beginning(head) : "";
}

/**
 * Return the first visible words of an element, which may be large.
 * @param {any} element
 */
export function beginning(element) {
  let words = "";
  for (const root of [element, shadowOf(element)]) {
    if (!root) continue;
    for (const text of shownTexts(root)) {
      words = words ? `${words} ${text}` : text;
      if (words.length > MAX_TEXT) break;
    }
  }
  return shorten(words, MAX_TEXT);
}

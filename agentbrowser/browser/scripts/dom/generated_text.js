/** Text that a style sheet generates. */

import { attributeOf } from "./nodes.js";

const CONTENT_PARTS = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g;

/** The sign of a code that is none, as in "\0A0" for a space: the text is not what its author meant. */
const NO_CHARACTER = "\ufffd";

/**
 * Return the text that a style sheet puts before or after the content; what follows a slash is its alternative text.
 * @param {Element} element
 * @param {"::before"|"::after"} pseudo
 * @param {boolean} isHiddenToo true to read a text that shows on hover only
 */
export function pseudoElementText(element, pseudo, isHiddenToo = false) {
  const style = getComputedStyle(element, pseudo);
  const declared = style.content;
  if (declared === "none" || declared === "normal" || !declared) return "";
  if (!isHiddenToo && (style.display === "none" || style.visibility === "hidden")) return "";
  const visible = declared.replace(/^.*\s\/\s(?=["a])/, "");
  if (visible.replace(CONTENT_PARTS, "").trim()) return "";
  const text = [...visible.matchAll(CONTENT_PARTS)]
    .map(([, quoted, attribute]) => quoted?.replace(/\\(.)/g, "$1") ?? attributeOf(element, attribute) ?? "")
    .join("");
  if (text.includes(NO_CHARACTER)) return "";
  return style.display === "inline" ? text : ` ${text} `;
}

/** Content of the document, or of an element, as HTML, text or Markdown. */

import { subject } from "../../dom/held_element.js";
import {
  dataOf, ELEMENT, innerTextOf, kindOf, matches, nodesFrom, parentOf, readable, shadowOf, tagOf, TEXT, textContentOf,
} from "../../dom/nodes.js";
import { isSecret } from "../../dom/secret_fields.js";
import { withinBudget } from "../../dom/size_budget.js";
import { htmlOf } from "./html.js";
import { visibleText, UNREAD_TAGS } from "./markdown.js";

/** @import { Budget } from "../../dom/size_budget.js" */
/** @import { HtmlOptions } from "./html.js" */

/**
 * Return the document or an element as HTML and as text.
 * @param {HtmlOptions & {hold?: string, bytes: number}} wanted
 */
export function readDom({ hold, bytes, ...options }) {
  return withinBudget(bytes, (budget) => {
    const root = subject(hold);
    return root ? { html: htmlOf(root, budget, options), text: textOf(root, budget) } : { missing: true };
  });
}

/**
 * Return the document or an element in one format.
 * @param {{hold?: string, format: "html"|"text"|"markdown", bytes: number}} wanted
 */
export function readContent({ hold, format, bytes }) {
  return withinBudget(bytes, (budget) => {
    const root = subject(hold);
    if (!root) return { missing: true };
    if (format === "html") return { content: htmlOf(root, budget) };
    return { content: format === "text" ? textOf(root, budget) : visibleText(root, budget) };
  });
}

/**
 * Return the visible text of a part of the page.
 * @param {Node} root
 * @param {Budget} budget
 */
export function textOf(root, budget) {
  const top = readable(root);
  if (!top) return "";
  if (hasShadow(top, budget.rest())) return visibleText(top, budget, true); // innerText ignores shadow roots
  if (matches(top, "input, textarea") && isSecret(top)) return "";
  return budget.charge(top instanceof HTMLElement ? innerTextOf(top) : textContentOf(top));
}

/**
 * Return true if there is an open shadow root; charge the budget for the text that innerText would read.
 * @param {Element} top
 * @param {Budget} budget
 */
function hasShadow(top, budget) {
  let isFound = false;
  for (const node of nodesFrom(top)) {
    if (kindOf(node) === TEXT) budget.charge(isUnread(parentOf(node)) ? "" : dataOf(node));
    isFound ||= kindOf(node) === ELEMENT && shadowOf(node) !== null;
  }
  return isFound;
}

/** @param {Node|null} parent */
function isUnread(parent) {
  return parent !== null && kindOf(parent) === ELEMENT && UNREAD_TAGS.has(tagOf(parent));
}

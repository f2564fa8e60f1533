/** Parts of the page that are hidden from assistive technology, and so missing in the browser's accessibility tree. */

import { subject } from "../../dom/held_element.js";
import { clearMemo } from "../../dom/memo.js";
import { alternative, NAMELESS } from "../../dom/names.js";
import { dataOf, ELEMENT, flatChildren, kindOf, readable, collapseSpaces, tagOf, TEXT } from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { withinBudget, TooLarge } from "../../dom/size_budget.js";
import { isHidden, UNRENDERED_TAGS } from "../../dom/visibility.js";
import { MAX_NESTING } from "./markdown.js";

/** @import { Budget } from "../../dom/size_budget.js" */

/** Deeper parts become siblings of their ancestor, so that JSON is not nested too deep. */
const MAX_HIDDEN_LEVELS = 25;

/**
 * @typedef {object} HiddenPart
 * @property {string} role
 * @property {string} name
 * @property {HiddenPart[]} children
 */

/**
 * Return the hidden parts in an element or the page, as nodes of an accessibility tree.
 * @param {{hold?: string, bytes: number, nodes: number}} wanted
 */
export function hiddenParts({ hold, bytes, nodes }) {
  clearMemo();
  return withinBudget(bytes, (budget) => {
    const root = subject(hold);
    if (!root) return { missing: true };
    const top = readable(root);
    return { parts: top ? hiddenIn(top, { isInside: false, level: 0, depth: 0 }, { budget, nodes, count: 0 }) : [] };
  });
}

/**
 * @param {any} element
 * @param {{isInside: boolean, level: number, depth: number}} place
 * @param {{budget: Budget, nodes: number, count: number}} walk
 * @returns {HiddenPart[]}
 */
function hiddenIn(element, { isInside, level, depth }, walk) {
  if (UNRENDERED_TAGS.has(tagOf(element)) || depth > MAX_NESTING) return [];
  const isPart = isInside || isHidden(element);
  const part = isPart ? hiddenPart(element, walk) : null;
  const inner = { isInside: isPart, level: part ? level + 1 : level, depth: depth + 1 };
  const children = flatChildren(element).flatMap((child) => {
    if (kindOf(child) === ELEMENT) return hiddenIn(child, inner, walk);
    const text = isPart && kindOf(child) === TEXT ? collapseSpaces(dataOf(child)) : "";
    return text && text !== part?.name ? [counted({ role: "text", name: text, children: [] }, walk)] : [];
  });
  if (!part) return children;
  return level < MAX_HIDDEN_LEVELS ? [{ ...part, children }] : [part, ...children];
}

/**
 * @param {any} element
 * @param {{budget: Budget, nodes: number, count: number}} walk
 * @returns {HiddenPart|null} null for an element without a role and a name
 */
function hiddenPart(element, walk) {
  const role = roleOf(element) ?? "generic";
  const name = NAMELESS.has(role) ? "" : collapseSpaces(alternative(element, { by: "self", hidden: true, seen: new Set() }));
  return role === "generic" && !name ? null : counted({ role, name, children: [] }, walk);
}

/**
 * @param {HiddenPart} part
 * @param {{budget: Budget, nodes: number, count: number}} walk
 */
function counted(part, walk) {
  walk.budget.charge(part.name);
  walk.count += 1;
  if (walk.count > walk.nodes) throw new TooLarge(walk.count, "nodes");
  return part;
}

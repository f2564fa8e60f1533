/**
 * Outline of the page by roles and names, in the YAML of Playwright's `aria_snapshot`. Playwright's own would disclose
 * passwords, and can't be stopped when it grows.
 */

import { subject } from "../../dom/held_element.js";
import { clearMemo } from "../../dom/memo.js";
import { pseudoElementText } from "../../dom/generated_text.js";
import { LONGEST_NAME, nameOf } from "../../dom/names.js";
import { attributeOf, dataOf, ELEMENT, flatChildren, kindOf, readable, collapseSpaces, tagOf, TEXT } from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { isSecret } from "../../dom/secret_fields.js";
import { withinBudget, TooLarge } from "../../dom/size_budget.js";
import {
  CHECKED_ROLES, checkedState, DISABLED_ROLES, expandedState, isDisabled, selectedState, VALUELESS,
} from "../../dom/states.js";
import { isFolded, isHidden } from "../../dom/visibility.js";
import { MAX_NESTING } from "./markdown.js";

/** @import { Budget } from "../../dom/size_budget.js" */

const FRAMES = new Set(["iframe", "frame"]);
const LEVELLED_ROLES = new Set("heading listitem row treeitem".split(" "));
const QUOTED =
  /^$|^\s|\s$|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|^-|[\n:](\s|$)|\s#|[\n\r]|^[&*\],?!>|@"'#%[]|[{}`]|^(null|~|true|false|y|n|yes|no|on|off)$|^[-+.]?\d[\d.,_eE+-]*$/i;
const UNPRINTABLE = { "\\": "\\\\", '"': '\\"', "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * @typedef {object} Part
 * @property {string} role
 * @property {string} name
 * @property {any} element
 * @property {(Part|string)[]} parts
 */

/**
 * Return the outline of an element, or of the page.
 * @param {{hold?: string, bytes: number, nodes: number}} wanted
 */
export function outline({ hold, bytes, nodes }) {
  clearMemo();
  return withinBudget(bytes, (budget) => {
    const root = subject(hold);
    if (!root) return { missing: true };
    const top = { role: "", name: "", element: null, parts: [] };
    const element = readable(root);
    if (element) gather(top, element, { budget: budget.rest(), room: nodes, nodes, depth: 0, seen: new Set() });
    const lines = [];
    for (const part of settled(top)) printPart(lines, part, "", budget);
    return { snapshot: lines.join("\n") };
  });
}

/**
 * Add an element to its parent part, once; of an element without a role, add only the content.
 * @param {Part} parent
 * @param {any} element
 * @param {{budget: Budget, room: number, nodes: number, depth: number, seen: Set<any>}} walk
 */
function gather(parent, element, walk) {
  if (walk.seen.has(element)) return; // its owner by aria-owns came first
  walk.seen.add(element);
  walk.room -= 1;
  if (walk.room < 0) throw new TooLarge(walk.nodes + 1, "nodes");
  if (isHidden(element) || walk.depth > MAX_NESTING) return;
  const part = partOf(element);
  if (part) parent.parts.push(part);
  walk.depth += 1;
  gatherParts(part ?? parent, element, walk);
  walk.depth -= 1;
}

/**
 * @param {any} element
 * @returns {Part|null}
 */
function partOf(element) {
  const role = FRAMES.has(tagOf(element)) ? "iframe" : roleOf(element);
  if (!role || role === "none" || role === "presentation" || role === "generic") return null;
  return { role, name: nameOf(element), element, parts: [] };
}

/**
 * @param {Part} part
 * @param {any} element
 * @param {{budget: Budget, room: number, nodes: number, depth: number, seen: Set<any>}} walk
 */
function gatherParts(part, element, walk) {
  const tag = tagOf(element);
  if (tag === "input" || tag === "textarea") {
    if (!VALUELESS.has(element.type) && element.type !== "file" && !isSecret(element)) part.parts.push(walk.budget.charge(element.value));
    return;
  }
  const gap = tag === "br" || getComputedStyle(element).display !== "inline" ? " " : "";
  part.parts.push(gap, pseudoElementText(element, "::before"));
  for (const child of flatChildren(element)) {
    const kind = kindOf(child);
    if (kind === ELEMENT) gather(part, child, walk);
    else if (kind === TEXT && part.role !== "textbox" && !isFolded(element)) part.parts.push(walk.budget.charge(dataOf(child)));
  }
  part.parts.push(pseudoElementText(element, "::after"), gap);
}

/**
 * Return the parts with adjacent texts joined; nothing where that only repeats the name.
 * @param {Part} part
 * @returns {(Part|string)[]}
 */
function settled(part) {
  /** @type {(Part|string)[]} */
  const settledParts = [];
  let text = "";
  const flush = () => {
    const collapsed = collapseSpaces(text);
    if (collapsed) settledParts.push(collapsed);
    text = "";
  };
  for (const item of part.parts) {
    if (typeof item === "string") text += item;
    else {
      flush();
      settledParts.push(item);
    }
  }
  flush();
  return settledParts.length === 1 && settledParts[0] === part.name ? [] : settledParts;
}

/**
 * @param {string[]} lines
 * @param {Part|string} part
 * @param {string} indent
 * @param {Budget} budget
 */
function printPart(lines, part, indent, budget) {
  const print = (line) => lines.push(budget.charge(`${indent}${line}`));
  if (typeof part === "string") {
    print(`- text: ${yaml(part)}`);
    return;
  }
  const key = keyOf(part);
  const facts = factsOf(part);
  const parts = settled(part);
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string" && !facts.length) {
    print(`- ${key}: ${yaml(only)}`);
    return;
  }
  print(parts.length || facts.length ? `- ${key}:` : `- ${key}`);
  for (const fact of facts) print(`  - ${fact}`);
  for (const each of parts) printPart(lines, each, `${indent}  `, budget);
}

/** @param {Part} part */
function keyOf(part) {
  const { role, name } = part;
  let key = role;
  if (name && name.length <= LONGEST_NAME) key += ` ${JSON.stringify(name)}`;
  for (const [state, value] of Object.entries(marksOf(part))) {
    if (value === true) key += ` [${state}]`;
    else if (value) key += ` [${state}=${value}]`;
  }
  return QUOTED.test(key) ? `'${key.replaceAll("'", "''")}'` : key;
}

/** @param {Part} part */
function marksOf({ role, element }) {
  const checked = checkedState(element, role);
  return {
    checked: CHECKED_ROLES.has(role) && checked,
    disabled: DISABLED_ROLES.has(role) && isDisabled(element),
    expanded: expandedState(element),
    level: LEVELLED_ROLES.has(role) && (Number(/^h([1-6])$/.exec(tagOf(element))?.[1]) || Number(attributeOf(element, "aria-level"))),
    pressed: role === "button" && checked,
    selected: tagOf(element) === "option" ? element.selected : selectedState(element, role),
  };
}

/** @param {Part} part */
function factsOf({ role, name, element }) {
  const facts = [];
  const url = role === "link" && attributeOf(element, "href");
  if (url) facts.push(`/url: ${yaml(url)}`);
  const placeholder = role === "textbox" && attributeOf(element, "placeholder");
  if (placeholder && collapseSpaces(placeholder) !== name) facts.push(`/placeholder: ${yaml(collapseSpaces(placeholder))}`);
  return facts;
}

/** @param {string} text */
function yaml(text) {
  if (!QUOTED.test(text)) return text;
  const code = (mark) => UNPRINTABLE[mark] ?? `\\x${mark.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return `"${text.replace(/[\\"\x00-\x1f\x7f-\x9f]/g, code)}"`;
}

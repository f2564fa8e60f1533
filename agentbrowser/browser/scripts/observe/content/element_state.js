/** State of one element: visibility, role, name, value, attributes, styles. */

import { subject } from "../../dom/held_element.js";
import { clearMemo } from "../../dom/memo.js";
import { LONGEST_NAME, nameOf } from "../../dom/names.js";
import { attributesOf, ELEMENT, kindOf, matches, collapseSpaces, nodesFrom } from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { isSecret, textSecurityIn } from "../../dom/secret_fields.js";
import { withinBudget } from "../../dom/size_budget.js";
import { controlShownBy, labelledControl } from "../identity/drawn_controls.js";
import { CHECKABLE, CHECKED_ROLES, checkedState, isDisabled, isTicked } from "../../dom/states.js";
import { boxOf, isInert, showsAnything } from "../../dom/visibility.js";
import { approvedSubject, boundsOf, shownNameFor, shownNameOf } from "../element_fields.js";
import { textOf } from "./content.js";

/** @import { Budget } from "../../dom/size_budget.js" */

/** Roles of elements that `action/check` checks. */

/**
 * Return the state of an element.
 * @param {{hold: string, properties: string[], bytes: number}} wanted
 */
export function stateOf({ hold: name, properties, bytes }) {
  clearMemo();
  return withinBudget(bytes, (budget) => {
    const element = subject(name);
    if (!element) return { missing: true };
    const known = properties.filter((property) => PROPERTIES.has(property));
    return { state: Object.fromEntries(known.map((property) => [property, PROPERTIES.get(property)(element, budget)])) };
  });
}

/**
 * Return role and name of what an approver is shown of an element, and its box, whatever the page has made so long that it has no place in an answer.
 * @param {{hold: string}} wanted
 */
export function identityOf({ hold: name }) {
  clearMemo();
  const element = subject(name);
  if (!element) return { missing: true };
  const shown = approvedSubject(element);
  return { state: { role: roleOf(shown), shownName: shownNameFor(shown), bounds: boundsOf(boxOf(element)) } };
}

/** @type {Map<string, (element: any, budget: Budget) => unknown>} */
const PROPERTIES = new Map(
  Object.entries({
    visible: (element) => showsAnything(element),
    enabled: (element) => !isDisabled(element) && !isInert(element),
    checked(element) {
      const control = labelledControl(element);
      const role = roleOf(control);
      return CHECKED_ROLES.has(role) ? isChecked(control, role) : undefined;
    },
    role: (element) => roleOf(element),
    name: (element, budget) => budget.charge(nameOf(element)),
    shownName: (element, budget) => budget.charge(shownNameOf(element)),
    bounds: (element) => boundsOf(boxOf(element)),
    text: (element, budget) => textOf(element, budget),
    value(element, budget) {
      const control = labelledControl(element);
      if (!matches(control, "input, textarea, select, option, progress, meter") || isSecret(control)) return undefined;
      return budget.charge(String(control.value));
    },
    held: (element, budget) => heldBy(controlShownBy(element), budget),
    attributes(element, budget) {
      const kept = [...attributesOf(element)].filter(({ name }) => name !== "value" || !isSecret(element));
      return Object.fromEntries(kept.map(({ name, value }) => [budget.charge(name), budget.charge(value)]));
    },
    computedStyle(element, budget) {
      const style = getComputedStyle(element);
      return Object.fromEntries([...style].map((name) => [name, budget.charge(style.getPropertyValue(name))]));
    },
  }),
);

/**
 * Return true or false, as actions read it: an indeterminate checkbox is sent with its form if it is checked beneath.
 * @param {any} control
 * @param {string|null} role
 */
function isChecked(control, role) {
  const state = checkedState(control, role);
  if (state === "mixed" && control.indeterminate) return isTicked(control);
  return state === undefined ? undefined : state === true;
}

/**
 * Return the value of a control: a text, its checked state, or the values of the chosen options; nothing of a secret.
 * @param {any} control
 * @param {Budget} budget
 */
function heldBy(control, budget) {
  if (isSecret(control)) return { secret: true };
  const role = roleOf(control);
  if (matches(control, "select[multiple]")) return { value: [...control.selectedOptions].map(({ value }) => budget.charge(value)) };
  if (CHECKABLE.has(role)) return { value: isChecked(control, role) ?? false };
  if (matches(control, "input, textarea, select, option, progress, meter")) return { value: budget.charge(String(control.value)) };
  return control.isContentEditable ? { value: textOf(control, budget) } : {};
}

/**
 * Return box and secrecy of nodes of the browser's own tree; null for a node that is no element.
 * @param {unknown} _
 * @param {any[]} nodes
 */
export function inspect(_, nodes) {
  return nodes.map((node) => {
    const element = node && kindOf(node) === ELEMENT ? node : null;
    return element && { box: boundsOf(boxOf(element)), secret: isSecret(element) };
  });
}

/** Return true if a password-like field shows its value as plain text. */
export function showsSecretField() {
  for (const node of /** @type {Iterable<any>} */ (nodesFrom(document))) {
    if (kindOf(node) !== ELEMENT || !matches(node, "input:not([type=password]), textarea") || !node.value) continue;
    if (node.type !== "hidden" && isSecret(node) && textSecurityIn(getComputedStyle(node)) === "none") return { isShown: true };
  }
  return { isShown: false };
}

/**
 * Return the texts that would disclose a secret, so that the browser side removes them from the browser's own trees.
 */
export function secretTexts() {
  const texts = new Set();
  for (const node of /** @type {Iterable<any>} */ (nodesFrom(document))) {
    if (kindOf(node) !== ELEMENT || !matches(node, "input, textarea") || !node.value || !isSecret(node)) continue;
    for (const text of [node.value, collapseSpaces(node.value), "•".repeat(node.value.length)]) texts.add(text.slice(0, LONGEST_NAME));
  }
  return [...texts];
}

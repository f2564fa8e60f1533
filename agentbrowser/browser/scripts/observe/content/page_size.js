/** Size of the document: in nodes, bytes and pixels. */

import { subject } from "../../dom/held_element.js";
import {
  attributesOf, bodyOf, dataOf, ELEMENT, hasAttribute, kindOf, nodesFrom, reader, referenced, scrollHeightOf,
  scrollWidthOf, tagOf, TEXT, textContentOf, topOf,
} from "../../dom/nodes.js";
import { hideCaret } from "./hidden_caret.js";
import { Budget, withinBudget, TooLarge } from "../../dom/size_budget.js";

const RELATIONS = ["labelledby", "describedby", "details", "errormessage", "controls", "owns", "flowto"].map((name) => `aria-${name}`);
const NAMED_BY_CONTENT = new Set(
  "a button caption figcaption h1 h2 h3 h4 h5 h6 label legend option summary td th tr".split(" "));

/**
 * Check that a part of the document is small enough for the browser's own description, which has no limits.
 * @param {{hold?: string, nodes: number, bytes: number}} limits
 */
export function checkSize({ hold, nodes, bytes }) {
  return withinBudget(bytes, (budget) => {
    const root = subject(hold);
    if (!root) return { missing: true };
    const names = new Budget(bytes);
    let count = 0;
    for (const node of nodesFrom(root)) {
      const kind = kindOf(node);
      if (kind === TEXT) budget.charge(dataOf(node));
      if (kind === ELEMENT) weigh(node, budget);
      if (kind === ELEMENT) weighNames(node, names);
      if (kind === ELEMENT || (kind === TEXT && dataOf(node).trim())) count += 1;
      if (count > nodes) throw new TooLarge(count, "nodes");
    }
    return {};
  });
}

/**
 * @param {any} element
 * @param {Budget} budget
 */
function weigh(element, budget) {
  for (const { value } of attributesOf(element)) budget.charge(value);
  if (typeof element.value === "string") budget.charge(element.value);
}

/**
 * Weigh the texts that the browser computes for an element. A small page has large ones if many elements refer to one
 * text, are nested in each other, or have the same generated content.
 * @param {any} element
 * @param {Budget} budget
 */
function weighNames(element, budget) {
  for (const relation of RELATIONS) {
    if (hasAttribute(element, relation)) for (const other of referenced(element, relation)) budget.weigh(textContentOf(other).length);
  }
  if (NAMED_BY_CONTENT.has(tagOf(element)) || hasAttribute(element, "role") || hasAttribute(element, "tabindex")) {
    budget.weigh(textContentOf(element).length);
  }
  for (const pseudo of ["::before", "::after"]) budget.weigh(getComputedStyle(element, pseudo).content.length);
}

const fontsOf = reader(Document, "fonts");

/**
 * Return the size of viewport and document, and the device pixel ratio. `isPlain` is true if a screenshot can be taken
 * as it is: all fonts are loaded, and no zoom applies.
 * @param {{hidesCaret: boolean}} options `hidesCaret` for a screenshot that is about to be taken: saves a call
 */
export function extent({ hidesCaret }) {
  const boxes = [bodyOf(document), topOf(document)].filter(Boolean);
  const whole = (least, ...readers) => Math.max(least, ...boxes.flatMap((box) => readers.map((read) => read(box) ?? 0)));
  const width = whole(innerWidth, scrollWidthOf, (box) => box.offsetWidth);
  const height = whole(innerHeight, scrollHeightOf, (box) => box.offsetHeight);
  const shown = { width: innerWidth, height: innerHeight };
  const isPlain = devicePixelRatio === 1 && visualViewport?.scale === 1 && fontsOf(document).status === "loaded";
  return { shown, whole: { width, height }, ratio: devicePixelRatio, isPlain, caret: hidesCaret ? hideCaret() : { isHidden: false, isInFrame: false } };
}

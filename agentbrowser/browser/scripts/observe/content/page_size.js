/** Size of the document: in nodes, bytes and pixels. */

import { subject } from "../../dom/held_element.js";
import { bodyOf, dataOf, ELEMENT, kindOf, reader, scrollHeightOf, scrollWidthOf, TEXT, topOf } from "../../dom/nodes.js";
import { attributesOf, withinBudget, nodesFrom, TooLarge } from "../../dom/size_budget.js";

/** @import { Budget } from "../../dom/size_budget.js" */

/**
 * Check that a part of the document is small enough for the browser's own description, which has no limits.
 * @param {{hold?: string, nodes: number, bytes: number}} limits
 */
export function checkSize({ hold, nodes, bytes }) {
  return withinBudget(bytes, (budget) => {
    const root = subject(hold);
    if (!root) return { missing: true };
    let count = 0;
    for (const node of nodesFrom(root)) {
      const kind = kindOf(node);
      if (kind === TEXT) budget.charge(dataOf(node));
      if (kind === ELEMENT) weigh(node, budget);
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

const fontsOf = reader(Document, "fonts");

/**
 * Return the size of viewport and document, and the device pixel ratio. `isPlain` is true if a screenshot can be taken
 * as it is: all fonts are loaded, and no zoom applies.
 */
export function extent() {
  const boxes = [bodyOf(document), topOf(document)].filter(Boolean);
  const whole = (least, ...readers) => Math.max(least, ...boxes.flatMap((box) => readers.map((read) => read(box) ?? 0)));
  const width = whole(innerWidth, scrollWidthOf, (box) => box.offsetWidth);
  const height = whole(innerHeight, scrollHeightOf, (box) => box.offsetHeight);
  const shown = { width: innerWidth, height: innerHeight };
  const isPlain = devicePixelRatio === 1 && visualViewport?.scale === 1 && fontsOf(document).status === "loaded";
  return { shown, whole: { width, height }, ratio: devicePixelRatio, isPlain };
}

/** Computed styles, once for each element of a look. */

import { getOrCompute, memo } from "../../dom/memo.js";

/**
 * @param {Element} element
 * @returns {any}
 */
export function styleOf(element) {
  return getOrCompute(memo.styles, element, compute);
}

/** @param {Element} element */
function compute(element) {
  return getComputedStyle(element);
}

/** Handles at the edges of columns and windows. */

import { childCountOf, closest, textContentOf } from "../../dom/nodes.js";
import { boxOf } from "../../dom/visibility.js";

const ROWS = "tr, [role=row], [role=columnheader]";
const MAX_EDGE = 10;

/**
 * Return true for a handle at the edge of a column or of a window: only a drag by pixels would use it, and no words are
 * its own.
 * @param {Element} element
 */
export function isEdge(element) {
  if (childCountOf(element) > 0 || textContentOf(element)) return false;
  const { width, height } = boxOf(element);
  if (width <= MAX_EDGE && closest(element, ROWS) !== null) return true;
  if (Math.min(width, height) > MAX_EDGE) return false;
  const { cursor, position } = getComputedStyle(element);
  return cursor.endsWith("-resize") && position === "absolute";
}

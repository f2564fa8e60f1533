/**
 * Readable texts: those that a person can see, now or by scrolling. What a person can't see, a page can't say to a
 * model: words of no size, no opacity, no contrast, outside of the page or clipped away.
 */

import { flatTreeParentOf } from "../../dom/hit_test.js";
import { checkVisibility, closest, contentBoxOf, isEdited } from "../../dom/nodes.js";
import { isSecret, textSecurityIn } from "../../dom/secret_fields.js";
import { boxOf, isFolded, isShown } from "../../dom/visibility.js";
import { isColorless } from "./colors.js";
import { displayOf } from "./flat_tree.js";
import { groundOf, isWithin } from "./grounds.js";

/** @import { FlatElement } from "./flat_tree.js" */
/** @import { Clip } from "./grounds.js" */

const MIN_OPACITY = 0.05;
const MIN_FONT = 1;
/** A greater indent moves a text out of its box. */
const MAX_INDENT = 100;
/** The part of the font's size by which letters may move together: beyond it, they lie on one another. */
const MAX_SQUEEZE = 0.4;
/** The least width and height in pixels of a table that a canvas draws. */
const MIN_TABLE = 32;
const CELLS = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";
/** Elements whose content is not shown as text: a control shows its value, an image none. */
const OPAQUE_TAGS = new Set(
  "audio canvas datalist desc embed iframe input meter metadata object option optgroup progress select textarea title video".split(" "),
);

/**
 * Return true if a person can read the texts that are directly in an element.
 * @param {FlatElement} node
 * @param {Node} [text] one of these texts, for a slot, which has no box
 * @returns {boolean}
 */
export function isReadable(node, text) {
  node.isReadable ??= computeReadable(node);
  return node.isReadable && (!text || displayOf(node) !== "contents" || isWithin(contentBoxOf(text), groundOf(node).clip));
}

/** @param {FlatElement} node */
function computeReadable(node) {
  const { element, tag, canvas } = node;
  if (OPAQUE_TAGS.has(tag) || (tag === "details" && isFolded(element))) return false;
  if (canvas) return isCell(element, canvas.element) && isLargePicture(canvas);
  const style = getComputedStyle(element);
  const isBoxless = displayOf(node) === "contents";
  if (isBoxless ? style.visibility !== "visible" || isSkipped(node) : !isShown(element)) return false;
  const font = parseFloat(style.fontSize);
  if (style.contentVisibility === "hidden" || font < MIN_FONT || textSecurityIn(style) !== "none") return false;
  if (parseFloat(style.letterSpacing) < -font * MAX_SQUEEZE) return false;
  const ground = groundOf(node, style);
  if (ground.opacity < MIN_OPACITY || (isEdited(element) && isInSecretEditor(element))) return false;
  return (isBoxless || isPlaced(element, style, ground.clip)) && !isColorless(element, style, ground.color);
}

/**
 * Return true if an element is in a cell of a table that a canvas draws: such a grid states its cells in the document for
 * assistive technology, and a person sees nothing else of it. The words that a browser without canvas would show are none.
 * @param {Element} element
 * @param {Element} canvas
 */
function isCell(element, canvas) {
  const cell = closest(element, CELLS);
  return cell !== null && canvas.contains(cell) && getComputedStyle(element).visibility === "visible";
}

/**
 * Return true if a person can see a canvas, which is large enough for a table.
 * @param {FlatElement} node
 */
function isLargePicture(node) {
  const { clip, opacity } = groundOf(node);
  const box = boxOf(node.element);
  return isShown(node.element) && opacity >= MIN_OPACITY && Math.min(box.width, box.height) >= MIN_TABLE && isWithin(box, clip);
}

/**
 * Return true if an element without a box is in a part that is not drawn, such as a closed `<details>` of a shadow root.
 * @param {FlatElement} node
 */
function isSkipped({ parent }) {
  let around = parent;
  while (around && displayOf(around) === "contents") around = around.parent;
  return around !== null && !checkVisibility(around.element);
}

/** @param {Element} element */
function isInSecretEditor(element) {
  for (let node = element; node && isEdited(node); node = flatTreeParentOf(node)) if (isSecret(node)) return true;
  return false;
}

/**
 * Return true if the texts of an element are where they can be seen.
 * @param {Element} element
 * @param {any} style
 * @param {Clip} clip
 */
function isPlaced(element, style, clip) {
  if (clip.right === clip.left) return false;
  if (isWithin(boxOf(element), clip) && Math.abs(parseFloat(style.textIndent)) < MAX_INDENT) return true;
  return isWithin(contentBoxOf(element), clip);
}

/**
 * Units of a look: a row of a table, an item of a list, a card or a line of a toolbar stands on one line with its words
 * and elements, if it is small; else each block in it.
 */

import { flatTreeParentOf } from "../../dom/hit_test.js";
import { attributeOf, nextElementOf, previousElementOf, SPACES, tagOf } from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { styleOf } from "./styles.js";

/** @import { Item } from "./items.js" */

const MAX_ITEMS = 14;
const MAX_CHARS = 320;
const MAX_ROW_ITEMS = 60;
const MAX_ROW_CHARS = 1200;
const MAX_LEVELS = 10;

/** Elements that a unit never is or spans. */
const BOUNDS = new Set(
  ("aside body details dialog dl fieldset footer form html main nav ol search section table tbody tfoot thead ul menu").split(" "),
);
const BOUND_ROLES = new Set(
  ("alertdialog complementary contentinfo dialog form grid list listbox main menu menubar navigation radiogroup region " +
    "rowgroup search table tablist tabpanel toolbar tree treegrid").split(" "),
);
const ROW_TAGS = new Set(["tr"]);
const ITEM_TAGS = new Set(["li", "article", "dt", "dd", "figure"]);
const ITEM_ROLES = new Set(["listitem", "option", "treeitem", "article", "menuitem"]);
const HEADING_TAGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const LOOSE = new Set(["p", "br", "hr", "label", "option", "pre", "blockquote", ...HEADING_TAGS]);

/** @typedef {"row"|"item"|""} Shape */

/**
 * The content of an element.
 * @typedef {{items: number, chars: number, headings: number}} Content
 */

/**
 * Return the unit of each item.
 * @param {Item[]} items
 * @returns {Map<Element, {unit: Element, shape: Shape}>} by block
 */
export function unitsOf(items) {
  const contents = contentsOf(items);
  const units = new Map();
  for (const { block } of items) if (!units.has(block)) units.set(block, unitOf(block, contents));
  return units;
}

/**
 * Return the content of the blocks and of their ancestors, as far as these are no bounds.
 * @param {Item[]} items
 * @returns {Map<Element, Content>}
 */
function contentsOf(items) {
  const contents = new Map();
  for (const { block, text, inner, found } of items) {
    let node = block;
    for (let i = 0; node && i < MAX_LEVELS; i++) {
      let content = contents.get(node);
      if (!content) contents.set(node, (content = { items: 0, chars: 0, headings: 0 }));
      content.items += 1;
      content.chars += text.length + inner.length + (found ? 8 : 0);
      content.headings += Number(HEADING_TAGS.has(tagOf(block)));
      node = isBound(node) ? null : flatTreeParentOf(node);
    }
  }
  return contents;
}

/** @param {Element} element */
function isBound(element) {
  return BOUNDS.has(tagOf(element)) || BOUND_ROLES.has(attributeOf(element, "role") ?? "");
}

/**
 * @param {Element} block
 * @param {Map<Element, Content>} contents
 * @returns {{unit: Element, shape: Shape}}
 */
function unitOf(block, contents) {
  /** @type {{unit: Element, shape: Shape}} */
  let best = { unit: block, shape: shapeOf(block) };
  let isFirm = best.shape !== "" && ITEM_TAGS.has(tagOf(block));
  let node = block;
  for (let i = 0; node && i < MAX_LEVELS; i++) {
    const content = contents.get(node);
    if (!content || content.items > MAX_ROW_ITEMS || content.chars > MAX_ROW_CHARS) break;
    const shape = shapeOf(node);
    if (shape === "row") return { unit: node, shape };
    const isSmall = content.items <= MAX_ITEMS && content.chars <= MAX_CHARS;
    if (isSmall && !isFirm && node !== block) {
      if (shape === "item") best = { unit: node, shape };
      else if (content.headings === 0 && isLine(node)) best = { unit: node, shape: best.shape };
      if (shape === "item" && !isRepeatedBox(node)) isFirm = true;
    }
    if (isBound(node)) break;
    node = flatTreeParentOf(node);
  }
  if (tagOf(best.unit) === "dd") return { unit: termOf(best.unit), shape: "item" };
  return best;
}

/**
 * @param {Element} element
 * @returns {Shape}
 */
function shapeOf(element) {
  const tag = tagOf(element);
  const role = attributeOf(element, "role");
  if (ROW_TAGS.has(tag) || role === "row") return "row";
  if (ITEM_TAGS.has(tag) || (role && ITEM_ROLES.has(roleOf(element) ?? ""))) return "item";
  return isRepeatedBox(element) ? "item" : "";
}

/**
 * Return true if an element has a neighbour of its kind: a card, a message, an entry.
 * @param {Element} element
 */
function isRepeatedBox(element) {
  const tag = tagOf(element);
  if (LOOSE.has(tag) || isBound(element) || ITEM_TAGS.has(tag) || tag === "td" || tag === "th") return false;
  const kind = kindOf(element);
  return [previousElementOf(element), nextElementOf(element)].some((other) => other && tagOf(other) === tag && kindOf(other) === kind);
}

/** @param {Element} element */
function kindOf(element) {
  return attributeOf(element, "class")?.trim().split(SPACES)[0] ?? "";
}

/**
 * Return true if the children of an element stand side by side.
 * @param {Element} element
 */
function isLine(element) {
  if (isBound(element)) return false;
  const { display, flexDirection } = styleOf(element);
  return (display === "flex" || display === "inline-flex") && flexDirection.startsWith("row");
}

/**
 * Return the first term that a definition is about.
 * @param {Element} definition
 */
function termOf(definition) {
  let node = definition;
  while (tagOf(node) === "dd" && previousElementOf(node)) node = previousElementOf(node);
  return node;
}

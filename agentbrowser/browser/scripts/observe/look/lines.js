/**
 * Units of a look: a row of a table, an item of a list, a card or a line of a toolbar stands on one line with its words
 * and elements, if it is small; else each block in it.
 */

import { attributeOf, previousElementOf, tagOf } from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { TYPED_IN } from "../../dom/states.js";
import { hasTwinBeside } from "../identity/twins_beside.js";
import { displayOf } from "./flat_tree.js";

/** @import { FlatElement } from "./flat_tree.js" */
/** @import { Found } from "../scan.js" */
/** @import { Item } from "./items.js" */

const MAX_ITEMS = 14;
const MAX_CHARS = 320;
const MAX_ROW_ITEMS = 60;
const MAX_ROW_CHARS = 1200;
const MAX_LEVELS = 10;
const MAX_LABELLED = 3;
const MAX_LABELLED_CHARS = 160;
const FIELD_ROLES = new Set([...TYPED_IN, "combobox", "listbox", "slider"]);

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
 * @typedef {{items: number, chars: number, headings: number, fields: number, others: number}} Content
 */

/** @typedef {{unit: Element, shape: Shape}} Line */

/**
 * Find the unit of the block of each item.
 * @param {Item[]} items
 */
export function findUnits(items) {
  countContents(items);
  for (const { block } of items) block.line ??= unitOf(block);
}

/**
 * Count the content of the blocks and of their ancestors, as far as these are no bounds.
 * @param {Item[]} items
 */
function countContents(items) {
  /** @type {Map<FlatElement, Content>} */
  const blocks = new Map();
  for (const { block, text, inner, found } of items) {
    let content = blocks.get(block);
    if (!content) blocks.set(block, (content = { items: 0, chars: 0, headings: 0, fields: 0, others: 0 }));
    content.items += 1;
    content.chars += text.length + inner.length + (found ? 8 : 0);
    content.headings += Number(HEADING_TAGS.has(block.tag));
    if (found) content[isField(found) ? "fields" : "others"] += 1;
  }
  for (const [block, own] of blocks) {
    /** @type {FlatElement|null} */
    let node = block;
    for (let i = 0; node && i < MAX_LEVELS; i++) {
      const content = (node.content ??= { items: 0, chars: 0, headings: 0, fields: 0, others: 0 });
      content.items += own.items;
      content.chars += own.chars;
      content.headings += own.headings;
      content.fields += own.fields;
      content.others += own.others;
      node = isBound(node) ? null : node.parent;
    }
  }
}

/** @param {Found} found */
function isField({ role, isControl }) {
  return FIELD_ROLES.has(role ?? "") || (!isControl && (role === null || role === "generic"));
}

/**
 * Return true for a label and the field that it is for, also one that the page draws itself.
 * @param {Content} content
 */
function isLabelled({ items, chars, headings, fields, others }) {
  return fields === 1 && others === 0 && items <= MAX_LABELLED && chars <= MAX_LABELLED_CHARS && headings === 0;
}

/** @param {FlatElement} node */
function isBound(node) {
  return (node.isBound ??= BOUNDS.has(node.tag) || (!node.isBare && BOUND_ROLES.has(attributeOf(node.element, "role") ?? "")));
}

/**
 * @param {FlatElement} block
 * @returns {Line}
 */
function unitOf(block) {
  /** @type {{node: FlatElement, shape: Shape}} */
  let best = { node: block, shape: shapeOf(block) };
  let isFirm = best.shape !== "" && ITEM_TAGS.has(block.tag);
  /** @type {FlatElement|null} */
  let node = block;
  for (let i = 0; node && i < MAX_LEVELS; i++) {
    /** @type {Content|null} */
    const content = node.content;
    if (!content || content.items > MAX_ROW_ITEMS || content.chars > MAX_ROW_CHARS) break;
    const shape = shapeOf(node);
    if (shape === "row") return { unit: node.element, shape };
    const isSmall = content.items <= MAX_ITEMS && content.chars <= MAX_CHARS;
    if (isSmall && !isFirm && node !== block) {
      if (shape === "item") best = { node, shape };
      else if (content.headings === 0 && isLine(node) && !(best.shape === "item" && content.fields)) best = { node, shape: best.shape };
      else if (isLabelled(content)) best = { node, shape: best.shape };
      if (shape === "item" && !isRepeatedBox(node)) isFirm = true;
    }
    if (isBound(node)) break;
    node = node.parent;
  }
  const { element, tag } = best.node;
  return tag === "dd" ? { unit: termOf(element), shape: "item" } : { unit: element, shape: best.shape };
}

/**
 * @param {FlatElement} node
 * @returns {Shape}
 */
function shapeOf(node) {
  const { element, tag, isBare } = node;
  const role = isBare ? null : attributeOf(element, "role");
  if (ROW_TAGS.has(tag) || role === "row") return "row";
  if (ITEM_TAGS.has(tag) || (role && ITEM_ROLES.has(roleOf(element) ?? ""))) return "item";
  return isRepeatedBox(node) ? "item" : "";
}

/**
 * Return true if an element has a neighbour of its kind: a card, a message, an entry.
 * @param {FlatElement} node
 */
function isRepeatedBox(node) {
  const { element, tag } = node;
  if (LOOSE.has(tag) || isBound(node) || ITEM_TAGS.has(tag) || tag === "td" || tag === "th") return false;
  return hasTwinBeside(element);
}

/**
 * Return true if the children of an element stand side by side.
 * @param {FlatElement} node
 */
function isLine(node) {
  const display = isBound(node) ? "" : displayOf(node);
  return (display === "flex" || display === "inline-flex") && getComputedStyle(node.element).flexDirection.startsWith("row");
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

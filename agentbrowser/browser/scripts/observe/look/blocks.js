/** Blocks of a look: the items of a unit that follow one another, with kind, region and rank. */

import { attributeOf, closest, focusedElement, parentOrHostOf } from "../../dom/nodes.js";
import { forgetInterimWords, hadOtherWords } from "../../dom/interim_words.js";
import { CHECKABLE, TYPED_IN } from "../../dom/states.js";
import { isInert } from "../../dom/visibility.js";
import { isInFront } from "../cover.js";
import { itemsOf } from "./items.js";
import { findUnits } from "./lines.js";
import { regionOf } from "./regions.js";

/** @import { Scan } from "../scan.js" */
/** @import { FlatElement } from "./flat_tree.js" */
/** @import { Item } from "./items.js" */
/** @import { Line } from "./lines.js" */
/** @import { Region } from "./regions.js" */

const MAX_CHARS = 1200;
const MAX_LIVE = 600;
const MAX_FORM_BLOCKS = 25;
/** Number of rows of one list that are as good as other content; further ones get their place after it. */
const MAX_ROWS = 12;
export const FIELD_ROLES = new Set([...TYPED_IN, ...CHECKABLE, "combobox", "listbox", "slider"]);

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** Ranks of blocks: the smaller, the earlier a block gets its place in a look that is too small for all. */
export const RANKS = {
  newLive: 0, live: 1, focus: 2, form: 3, changed: 4, heading: 5, main: 6, repeated: 7, navigation: 8, footer: 9, behind: 10,
};

/**
 * @typedef {object} Block
 * @property {number} id stable while its unit stays in the document
 * @property {string} kind
 * @property {number} level of a heading
 * @property {Region} region
 * @property {Element} unit
 * @property {Item[]} items
 * @property {number} rank
 * @property {boolean} isNew true if it has words that the look before had not
 * @property {boolean} isBack true if it has had other words in between, and has those of before again
 * @property {number} chars
 * @property {boolean} isMore true if it continues the words of the block before
 */

/** Ids of blocks by unit: the first block of a unit, the second. @type {WeakMap<Element, number[]>} */
const ids = new WeakMap();
let lastId = 0;

/** Texts of the blocks of the look before, in this document. @type {Set<string>|null} */
let known = null;
/** Those of the last look without a modal dialog; what it hides is not new when it closes. @type {Set<string>} */
let knownOpen = new Set();
/** @type {Document|null} */
let knownDocument = null;

/**
 * Return the blocks of a scan in reading order.
 * @param {Scan} look
 * @param {boolean} isContinued true for a further page of a look, which makes nothing old
 * @param {number} maxParts
 * @returns {Block[]}
 */
export function blocksOf(look, isContinued, maxParts) {
  const items = itemsOf(look);
  findUnits(items);
  /** @type {Block[]} */
  const blocks = [];
  const counts = new Map();
  let last = null;
  for (const item of items.flatMap(chunksOf)) {
    const { unit, shape } = /** @type {Line} */ (item.block.line);
    const isFull = last && (last.items.length >= maxParts || last.chars + item.text.length > MAX_CHARS);
    if (!last || last.unit !== unit || isFull) {
      const count = counts.get(unit) ?? 0;
      counts.set(unit, count + 1);
      last = newBlock(unit, shape, item, count);
      blocks.push(last);
    }
    last.items.push(item);
    last.isMore &&= item.isChunk === true;
    last.chars += item.text.length + item.inner.length + (item.found ? 20 : 0);
  }
  for (const block of blocks) findLevel(block);
  sortRows(blocks);
  rankBlocks(blocks, look, isContinued);
  return blocks;
}

/**
 * Put the rows of each grid in the order of their numbers: one that draws the rows in view may add them to the document in
 * any order, and place each where it belongs.
 * @param {Block[]} blocks
 */
function sortRows(blocks) {
  const numberOf = (/** @type {Block} */ { unit }) => Number(attributeOf(unit, "aria-rowindex"));
  for (let start = 0, end = 0; start < blocks.length; start = end) {
    const first = blocks[start];
    const list = parentOrHostOf(first.unit);
    end = start + 1;
    if (first.kind !== "row" || !numberOf(first)) continue;
    const isNext = (/** @type {Block|undefined} */ block) =>
      block?.kind === "row" && numberOf(block) > 0 && parentOrHostOf(block.unit) === list;
    while (isNext(blocks[end])) end++;
    const rows = blocks.slice(start, end);
    if (rows.some((row, i) => i > 0 && numberOf(row) < numberOf(rows[i - 1]))) {
      blocks.splice(start, rows.length, ...rows.sort((one, other) => numberOf(one) - numberOf(other)));
    }
  }
}

/**
 * Split a long text, at spaces if there are any.
 * @param {Item} item
 * @returns {Item[]}
 */
function chunksOf(item) {
  if (item.text.length <= MAX_CHARS) return [item];
  const pieces = item.text.match(/[^]{1,1000}(?:\s|$)|[^]{1,1000}/gu) ?? [];
  return pieces.map((text, i) => ({ ...item, text: text.trim(), isApart: i > 0 || item.isApart, isChunk: i > 0 }));
}

/**
 * @param {Element} unit
 * @param {string} shape
 * @param {Item} item its first item
 * @param {number} count number of blocks of the unit before this one
 * @returns {Block}
 */
function newBlock(unit, shape, item, count) {
  return {
    id: idOf(unit, count), kind: shape || "paragraph", level: 0, region: regionOf(item.block), unit, items: [], rank: RANKS.main,
    isNew: false, isBack: false, chars: 0, isMore: item.isChunk === true,
  };
}

/**
 * @param {Element} unit
 * @param {number} count
 */
function idOf(unit, count) {
  let own = ids.get(unit);
  if (!own) ids.set(unit, (own = []));
  while (own.length <= count) own.push(++lastId);
  return own[count];
}

/**
 * Make a block a heading if all of it is in one.
 * @param {Block} block
 */
function findLevel(block) {
  if (block.kind === "row") return;
  const level = levelOf(block.items[0].block, block.unit);
  if (!level || !block.items.every((item) => levelOf(item.block, block.unit))) return;
  block.level = level;
  block.kind = "heading";
}

/**
 * Return the level of the heading that a block is in, within its unit; 0 for none.
 * @param {FlatElement} block
 * @param {Element} unit
 */
function levelOf(block, unit) {
  /** @type {FlatElement|null} */
  let node = block;
  for (let i = 0; node && i < 3; node = node.parent, i++) {
    const { element, tag, isBare } = node;
    const level = HEADINGS.indexOf(tag) + 1;
    if (level) return level;
    if (!isBare && attributeOf(element, "role") === "heading") return Number(attributeOf(element, "aria-level")) || 2;
    if (element === unit) break;
  }
  return 0;
}

/**
 * @param {Block[]} blocks
 * @param {Scan} look
 * @param {boolean} isContinued
 */
function rankBlocks(blocks, look, isContinued) {
  const before = knownDocument === document ? known : null;
  const texts = blocks.map(textOf);
  const live = liveSizes(blocks);
  const focused = focusedElement();
  let forms = 0;
  const rows = new Map();
  for (const [i, block] of blocks.entries()) {
    block.isNew = before !== null && !before.has(texts[i]);
    block.isBack = before !== null && !block.isNew && block.items.some(isBack);
    const { region } = block;
    const isLive = region.live !== "" && (live.get(region.liveElement) ?? 0) <= MAX_LIVE;
    if (isLive) block.kind = region.live;
    const fields = block.items.some(isField);
    if (fields) forms++;
    const list = block.kind === "row" || block.kind === "item" ? parentOrHostOf(block.unit) : null;
    rows.set(list, (rows.get(list) ?? 0) + 1);
    const isRepeated = list !== null && rows.get(list) > MAX_ROWS;
    block.rank = rankOf(block, { isRepeated, isLive, isForm: fields && forms <= MAX_FORM_BLOCKS, focused });
    if (!isLive && isBehind(block.items[0].node.element, look)) block.rank = RANKS.behind;
  }
  if (isContinued) return;
  forgetInterimWords();
  if (knownDocument !== document) knownOpen = new Set();
  const isCovered = look.front !== null || look.hasInert;
  known = new Set(isCovered ? [...knownOpen, ...texts] : texts);
  if (!isCovered) knownOpen = known;
  knownDocument = document;
}

/**
 * Return true if nothing can be used of the part of the page that an element is in, as a popup or a dialog is before it.
 * @param {Element} element
 * @param {Scan} look
 */
function isBehind(element, { front, hasInert }) {
  return (front !== null && !isInFront(element, front)) || (hasInert && isInert(element));
}

/**
 * @param {Block} block
 * @param {{isRepeated: boolean, isLive: boolean, isForm: boolean, focused: Element|null}} about
 */
function rankOf(block, { isRepeated, isLive, isForm, focused }) {
  if (isLive) return block.isNew ? RANKS.newLive : RANKS.live;
  if (block.items.some(({ found }) => found && found.control === focused)) return RANKS.focus;
  if (isForm && !isRepeated) return RANKS.form;
  if (block.isNew || block.isBack) return RANKS.changed;
  const { role } = block.region;
  if (role === "navigation" || role === "banner") return RANKS.navigation;
  if (role === "contentinfo" || role === "complementary") return RANKS.footer;
  if (isRepeated) return RANKS.repeated;
  return block.kind === "heading" && block.level <= 3 ? RANKS.heading : RANKS.main;
}

/** @param {Item} item */
function isBack({ textNode, within, node }) {
  return textNode !== null && within === null && hadOtherWords(node.element);
}

/** @param {Item} item */
function isField({ found }) {
  return found !== null && (FIELD_ROLES.has(found.role ?? "") || (found.tag === "button" && closest(found.element, "form") !== null));
}

/**
 * Return the number of characters in each live region: one that holds a whole page is no message.
 * @param {Block[]} blocks
 */
function liveSizes(blocks) {
  const sizes = new Map();
  for (const { region, chars } of blocks) {
    if (region.liveElement) sizes.set(region.liveElement, (sizes.get(region.liveElement) ?? 0) + chars);
  }
  return sizes;
}

/** @param {Block} block */
export function textOf({ items }) {
  return items.map(({ text, inner, found, value }) => (found ? `${found.role}${inner}` : `${text}${value ?? ""}`)).join("\n");
}

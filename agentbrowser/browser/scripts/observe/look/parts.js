/** Parts of a block for the wire: words and elements in order, without words that an element says itself. */

import { attributeOf, firstElementOf, nextElementOf, tagOf } from "../../dom/nodes.js";
import { FIELD_ROLES } from "./blocks.js";
import { readableWords } from "./items.js";

/** @import { Found } from "../scan.js" */
/** @import { Unit } from "./choice.js" */
/** @import { FlatElement } from "./flat_tree.js" */
/** @import { Item } from "./items.js" */

/**
 * A part of a block: words, an element by its ref, an image by its role, or a number of characters left out.
 * @typedef {object} Part
 * @property {string} [text]
 * @property {string} [ref]
 * @property {string} [kind]
 * @property {string} [value]
 * @property {number} [omitted]
 * @property {number} [cell]
 * @property {boolean} [isInner] true for words in the element before that its name and value do not have; not on the wire
 */

/**
 * An element as it is listed.
 * @typedef {{ref: string, name?: string, value?: string}} Described
 */

const CUT = "…";
const MAX_INNER = 300;

/**
 * Describe a unit for the wire.
 * @param {Unit} unit
 * @param {Map<Found, Described>} described
 */
export function describeUnit(unit, described) {
  const { block, items, to, upto } = unit;
  const { id, kind, level, region, rank, isNew } = block;
  const parts = partsOf(unit, described);
  return {
    id, kind, level: kind === "heading" ? level : undefined, rank, parts, isNew: isNew || undefined,
    region: region.role || undefined, regionName: region.name || undefined,
    done: [to, upto === Infinity ? -1 : upto],
    rows: unit.rows,
    chars: items.reduce((total, { text, found }) => total + (found ? 0 : text.length), 0),
  };
}

/**
 * @param {Unit} unit
 * @param {Map<Found, Described>} described
 * @returns {Part[]}
 */
function partsOf({ block, items, from, upto }, described) {
  /** @type {Part[]} */
  const parts = [];
  let [seen, omitted] = [0, 0];
  const cells = cellsOf(block.unit, items);
  for (const [i, item] of items.entries()) {
    const cell = cells[i];
    if (item.found) {
      const element = described.get(item.found);
      if (element) parts.push({ ref: element.ref, cell });
      const inner = element && !unsaid(item.inner.trim(), element) ? "" : readableWords(item);
      const words = element ? unsaid(inner, element) : inner;
      if (words && element) parts.push({ text: words.slice(0, MAX_INNER), cell, isInner: true });
      else if (words) addWords(parts, words.slice(0, MAX_INNER), cell, true);
      continue;
    }
    const text = item.text.slice(Math.max(0, from - seen), Math.max(0, upto - seen));
    const isCut = seen + item.text.length > upto;
    if (isCut) omitted += item.text.length - text.length;
    seen += item.text.length;
    if (item.image) parts.push({ kind: item.image, text: item.text || undefined, value: item.value, cell });
    else if (text && !isSaid(i, items, block.kind === "row" ? cells : null, described)) addWords(parts, isCut ? `${text}${CUT}` : text, cell, item.isApart);
  }
  if (omitted) parts.push({ omitted });
  /** @type {Part[]} */
  const kept = [];
  for (const [i, part] of parts.entries()) {
    if (isRepeatedImage(part, i, parts)) continue;
    const isPlain = part.text !== undefined && !part.kind && !part.isInner;
    if (isPlain) addWords(kept, part.text ?? "", part.cell ?? 0, true); // those around an image that is left out
    else kept.push(part);
  }
  return kept.map((part) => ({ ...part, cell: part.cell || undefined, isInner: undefined }));
}

/**
 * Add words to the last part, if that is of words in the same cell, and not of those in an element: a "−" on a button
 * is no sign of the number beside it.
 * @param {Part[]} parts
 * @param {string} text
 * @param {number} cell
 * @param {boolean} isApart
 */
function addWords(parts, text, cell, isApart) {
  const last = parts.at(-1);
  if (last?.text !== undefined && !last.kind && last.cell === cell && !last.isInner) last.text += (isApart ? " " : "") + text;
  else parts.push({ text, cell });
}

/**
 * Return the number of the cell of each item: a cell of a table's row, or a block in another unit.
 * @param {Element} unit
 * @param {Item[]} items
 */
function cellsOf(unit, items) {
  const isRow = tagOf(unit) === "tr" || attributeOf(unit, "role") === "row";
  const numbers = new Map();
  if (isRow) for (let child = firstElementOf(unit), i = 0; child; child = nextElementOf(child), i++) numbers.set(child, i);
  return items.map(({ block, node }) => {
    const owner = isRow ? childOf(unit, node) : block.element;
    if (!numbers.has(owner)) numbers.set(owner, numbers.size);
    return numbers.get(owner);
  });
}

/**
 * @param {Element} unit
 * @param {FlatElement} node
 */
function childOf(unit, node) {
  let child = node;
  while (child.parent && child.parent.element !== unit) child = child.parent;
  return child.element;
}

/**
 * Return true if an element says the words itself: that which they are in, that which they label, or one beside them. In
 * another cell of a row they are the value of its column, unless they label a field.
 * @param {number} i
 * @param {Item[]} items
 * @param {number[]|null} cells those of the items of a row
 * @param {Map<Found, Described>} described
 */
function isSaid(i, items, cells, described) {
  const { within, text } = items[i];
  const outer = within && described.get(within);
  if (outer && !unsaid(text, outer)) return true;
  const names = [i - 1, i + 1].map((other) => {
    const found = items[other]?.found;
    const isNear = found && (!cells || cells[other] === cells[i] || found.tag === "input" || FIELD_ROLES.has(found.role ?? ""));
    return isNear ? solid(described.get(found)?.name ?? "") : undefined;
  });
  const words = solid(text);
  const choice = items[i + 1]?.found;
  if (choice?.role === "combobox" && solid(described.get(choice)?.value ?? "") === words) return true;
  return names.some((name) => name === words) || Boolean(names[1]?.startsWith(words.endsWith(":") ? words : `${words}:`));
}

/**
 * Return the words that neither the name nor the value of an element has.
 * @param {string} text
 * @param {Described} element
 */
function unsaid(text, { name = "", value = "" }) {
  const wanted = solid(text);
  if (solid(name).includes(wanted) || solid(value).includes(wanted)) return "";
  if (!name.endsWith(CUT) || !wanted.startsWith(solid(name.slice(0, -1)))) return text;
  let rest = solid(name.slice(0, -1)).length;
  let at = 0;
  for (; at < text.length && rest > 0; at++) if (!/\s/.test(text[at])) rest--;
  return text.slice(at).trim();
}

/** White space, and the arrows of drop-downs. */
const EMPTY = /[\s▾▼▿⌄˅]+/g;

/** @param {string} text */
function solid(text) {
  return text.replace(EMPTY, "").toLowerCase();
}

/**
 * Return true if an image has the words of a text beside it.
 * @param {Part} part
 * @param {number} i
 * @param {Part[]} parts
 */
function isRepeatedImage(part, i, parts) {
  if (!part.kind || part.value !== undefined || !part.text) return false;
  const text = solid(part.text);
  return parts.some((other, j) => j !== i && other.text !== undefined && (!other.kind || j < i) && solid(other.text).includes(text));
}

/** Choice of the blocks of one answer: by rank where not all fit, in reading order. */

import { boxOf } from "../../dom/visibility.js";
import { RANKS } from "./blocks.js";

/** @import { Found } from "../scan.js" */
/** @import { Area, Wanted } from "../observe.js" */
/** @import { Block } from "./blocks.js" */
/** @import { Item } from "./items.js" */

/** Characters of words that a block shows at first, in a brief look. */
const BRIEF = 300;
const BRIEF_ROW = 600;
const NEAR = 40;
/** Estimated characters of an element besides its texts. */
const ELEMENT_CHARS = 24;

/**
 * Elements that the client wants, and those that a fold stands for.
 * @typedef {{listed: Set<Found>, hidden: Set<Found>}} Wish
 */

/**
 * A block in an answer, or a part of it.
 * @typedef {object} Unit
 * @property {Block} block
 * @property {Item[]} items those that no earlier answer has shown; all with words, if only words are missing
 * @property {number} to number of items shown after this answer; -1 for all, as a page may add some
 * @property {number} from number of characters of words that were shown before
 * @property {number} upto the same after this answer; `Infinity` for all
 * @property {number} [rows] number of rows of its list behind it that further answers will show
 */

/**
 * @typedef {object} Choice
 * @property {Unit[]} units in reading order
 * @property {Found[]} found the elements in them
 * @property {{elements: number, chars: number}} left what further answers will show
 */

/**
 * @param {Block[]} blocks
 * @param {Wish} wish
 * @param {Wanted} wanted
 * @returns {Choice}
 */
export function choose(blocks, wish, wanted) {
  const open = blocks.flatMap((block) => openUnit(block, wish, wanted));
  const isFirst = !wanted.isContinued;
  const isRanked = isFirst && wanted.maxChars !== null;
  const order = isFirst ? sortedByWorth(open, isRanked) : open;
  /** @type {Map<Unit, Unit>} */
  const taken = new Map();
  let [elements, chars, isFull] = [0, 0, false];
  for (const unit of order) {
    if (isFirst && isLeftOut(unit.block, wanted)) continue;
    const fitting = withinElements(unit, isFull ? 0 : wanted.max - elements, wish.listed);
    chars += fitting ? sizeOf(fitting) : 0;
    if (wanted.maxChars !== null && taken.size && chars > wanted.maxChars) break;
    if (fitting) taken.set(unit, fitting);
    elements += fitting ? elementsIn(fitting, wish.listed).length : 0;
    isFull ||= fitting !== unit;
    if (isFull && !isRanked) break; // else words alone may still fit
  }
  const units = open.flatMap((unit) => taken.get(unit) ?? []);
  const left = { elements: 0, chars: 0 };
  let last = null;
  for (const unit of open) {
    const shown = taken.get(unit);
    if (shown) last = shown;
    else if (isFirst && last && unit.block.rank === RANKS.repeated) last.rows = (last.rows ?? 0) + 1;
    left.elements += elementsIn(unit, wish.listed).length - (shown ? elementsIn(shown, wish.listed).length : 0);
    left.chars += wordsIn(unit.items) - unit.from - (shown ? Math.min(wordsIn(shown.items), shown.upto) - shown.from : 0);
  }
  return { units, found: units.flatMap((unit) => elementsIn(unit, wish.listed)), left };
}

/**
 * Return units in the order in which they get their places: by rank, or messages of live regions before all others.
 * @param {Unit[]} units
 * @param {boolean} isRanked
 */
function sortedByWorth(units, isRanked) {
  const worth = (/** @type {Unit} */ { block: { rank } }) => (isRanked ? rank : Number(rank > RANKS.live));
  return [...units].sort((one, other) => worth(one) - worth(other));
}

/**
 * Return true if a brief look leaves a block to its cursor.
 * @param {Block} block
 * @param {Wanted} wanted
 */
export function isLeftOut({ rank, isMore }, { text }) {
  return text === "brief" && (rank === RANKS.behind || isMore);
}

/**
 * Return what the client has not been shown of a block; an empty list for nothing.
 * @param {Block} block
 * @param {Wish} wish
 * @param {Wanted} wanted
 * @returns {Unit[]}
 */
export function openUnit(block, { listed, hidden }, wanted) {
  const found = block.items.flatMap((item) => item.found ?? []);
  const isWanted = found.some((one) => listed.has(one));
  if (!isWanted && (wanted.roles !== null || wanted.isBehindFold || found.some((one) => hidden.has(one)))) return [];
  if (wanted.viewportOnly && !block.items.some((item) => isInView(item, wanted.view))) return [];
  const [shown, chars] = wanted.delivered[block.id] ?? [0, 0];
  const words = wordsIn(block.items);
  const all = block.items.length;
  if (shown >= 0 && shown < all) {
    const limit = block.kind === "row" ? BRIEF_ROW : BRIEF;
    const isCut = wanted.text === "brief" && !wanted.isContinued && words > limit * 1.3;
    return [{ block, items: block.items.slice(shown), to: -1, from: 0, upto: isCut ? cutNear(block.items, limit) : Infinity }];
  }
  if (chars < 0 || chars >= words) return [];
  return [{ block, items: block.items.filter((item) => !item.found), to: -1, from: chars, upto: Infinity }];
}

/**
 * Return where to cut the words of a block: at a space near the limit.
 * @param {Item[]} items
 * @param {number} limit
 */
function cutNear(items, limit) {
  let seen = 0;
  for (const { text, found } of items) {
    if (found) continue;
    if (seen + text.length > limit) {
      const space = text.lastIndexOf(" ", limit - seen);
      return space > 0 && limit - seen - space < NEAR ? seen + space : limit;
    }
    seen += text.length;
  }
  return limit;
}

/**
 * Return a unit with at most so many elements; null where none of it fits.
 * @param {Unit} unit
 * @param {number} max
 * @param {Set<Found>} listed
 * @returns {Unit|null}
 */
function withinElements(unit, max, listed) {
  if (elementsIn(unit, listed).length <= max) return unit;
  let [count, end] = [0, 0];
  for (const { found } of unit.items) {
    if (found && listed.has(found) && ++count > max) break;
    end++;
  }
  const to = unit.block.items.length - unit.items.length + end;
  return max > 0 && end > 0 ? { ...unit, items: unit.items.slice(0, end), to } : null;
}

/**
 * @param {Unit} unit
 * @param {Set<Found>} listed
 * @returns {Found[]}
 */
export function elementsIn({ items }, listed) {
  return items.flatMap(({ found }) => (found && listed.has(found) ? [found] : []));
}

/** @param {Item[]} items */
function wordsIn(items) {
  return items.reduce((total, { text, found }) => total + (found ? 0 : text.length), 0);
}

/** @param {Unit} unit */
export function sizeOf({ items, from, upto }) {
  const words = Math.min(wordsIn(items), upto) - from;
  return items.reduce((total, { found, inner }) => total + (found ? ELEMENT_CHARS + Math.min(inner.length, 200) : 0), words);
}

/**
 * @param {Item} item
 * @param {Area|null} view
 */
function isInView({ node }, view) {
  const { left, top, right, bottom } = view ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const box = boxOf(node.element);
  return box.right > left && box.bottom > top && box.left < right && box.top < bottom;
}

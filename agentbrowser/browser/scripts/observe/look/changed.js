/** Choice of the blocks of an incremental look: those that the client knows, and new ones. */

import { getOrCompute, increment } from "../../dom/memo.js";
import { RANKS, textOf } from "./blocks.js";
import { isLeftOut } from "./choice.js";

/** @import { Found } from "../scan.js" */
/** @import { Registry } from "../refs.js" */
/** @import { Wanted } from "../observe.js" */
/** @import { Block } from "./blocks.js" */
/** @import { Choice, Unit } from "./choice.js" */

/**
 * Blocks that the looks at a document have shown or passed.
 * @typedef {object} Looks
 * @property {Map<number, string>} texts of the blocks by id
 * @property {Set<number>} shown ids of the blocks of the last full look; of these, some may not have reached the client
 * @property {Set<number>} passed ids of the blocks that a cursor leads to
 * @property {Map<number, WeakRef<Node>>} messages first nodes of the messages in live regions, by block
 */

/** By registry, that is by document. @type {WeakMap<Registry, {now: Looks, before: Looks}>} */
const memory = new WeakMap();

/** @param {Registry} refs */
function looksOf(refs) {
  return getOrCompute(/** @type {any} */ (memory), refs, () => {
    const none = { texts: new Map(), shown: new Set(), passed: new Set(), messages: new Map() };
    return { now: none, before: none };
  });
}

/**
 * @param {Registry} refs
 * @param {Looks} now
 */
function remember(refs, now) {
  memory.set(refs, { now, before: looksOf(refs).now });
}

/**
 * Forget the last look, since it does not reach the client.
 * @param {Registry} refs
 */
export function revertBlocks(refs) {
  const { before } = looksOf(refs);
  memory.set(refs, { now: before, before });
}

/**
 * Record the blocks of a full look, and those that it leaves to its cursor.
 * @param {Registry} refs
 * @param {Block[]} blocks
 * @param {Choice} choice
 */
export function rememberBlocks(refs, blocks, { units }) {
  const shown = new Set(units.map(({ block }) => block.id));
  const passed = new Set(blocks.filter(({ id, rank }) => !shown.has(id) && rank !== RANKS.behind).map(({ id }) => id));
  remember(refs, {
    texts: new Map(blocks.map((block) => [block.id, textOf(block)])), shown, passed, messages: messagesIn(blocks),
  });
}

/**
 * Return the first nodes of the messages in live regions.
 * @param {Block[]} blocks
 * @returns {Map<number, WeakRef<Node>>} by block
 */
function messagesIn(blocks) {
  const messages = new Map();
  for (const { id, kind, items } of blocks) {
    const node = kind === "alert" || kind === "status" ? items.find((item) => item.textNode)?.textNode : null;
    if (node) messages.set(id, new WeakRef(node));
  }
  return messages;
}

/**
 * Choose the units of an incremental look. Those behind a modal dialog stay as they were until it closes.
 * @param {Registry} refs
 * @param {Block[]} blocks
 * @param {Unit[]} open what there is to show of each block
 * @param {Wanted} wanted
 * @param {{sizeOf: (unit: Unit) => number, elementsIn: (unit: Unit) => Found[]}} measure
 */
export function chooseChangedUnits(refs, blocks, open, wanted, { sizeOf, elementsIn }) {
  const looks = looksOf(refs).now;
  const known = new Set(wanted.knownBlocks);
  const passed = new Set([...looks.passed, ...[...looks.shown].filter((id) => !known.has(id))]);
  const present = new Set(blocks.map(({ id }) => id));
  const goneBlocks = goneBlocksOf(blocks, wanted);
  const lost = countTexts(goneBlocks, looks.texts);
  const lostPassed = countTexts([...passed].filter((id) => !present.has(id)), looks.texts);
  const isKnown = refs.elementsOf(wanted.known);
  /** @type {Map<Unit, boolean>} */
  const chosen = new Map();
  /** @type {Unit[]} */
  const fresh = [];
  const now = { texts: new Map(), shown: new Set(), passed: new Set(), messages: messagesIn(blocks) };
  for (const unit of open) {
    const { id, rank } = unit.block;
    if (rank === RANKS.behind) {
      if (looks.texts.has(id)) now.texts.set(id, looks.texts.get(id));
      if (passed.has(id)) now.passed.add(id);
      continue;
    }
    const text = textOf(unit.block);
    if (unit.block.isBack && !known.has(id)) {
      fresh.push(unit);
      continue;
    }
    if (known.has(id) || (!passed.has(id) && take(lost, text))) chosen.set(unit, true);
    else if (passed.has(id) || take(lostPassed, text) || isLeftOut(unit.block, wanted)) {
      now.passed.add(id);
      if (elementsIn(unit).some((found) => isKnown.has(found.element))) chosen.set(unit, true);
    } else {
      fresh.push(unit);
      continue;
    }
    now.texts.set(id, text);
  }
  let [chars, elements, taken] = [0, 0, 0];
  for (const unit of fresh.sort((one, other) => one.block.rank - other.block.rank)) {
    const [size, count] = [sizeOf(unit), elementsIn(unit).length];
    if (taken && ((wanted.maxChars !== null && chars + size > wanted.maxChars) || elements + count > wanted.max)) continue;
    [chars, elements, taken] = [chars + size, elements + count, taken + 1];
    chosen.set(unit, false);
    now.texts.set(unit.block.id, textOf(unit.block));
  }
  remember(refs, now);
  const units = open.filter((unit) => chosen.has(unit));
  const isShown = (/** @type {Unit} */ unit, /** @type {Found} */ found) =>
    !chosen.get(unit) || isKnown.has(found.element) || !refs.passed.elements.has(found.element);
  return {
    units,
    found: units.flatMap((unit) => elementsIn(unit).filter((found) => isShown(unit, found))),
    old: new Set(units.filter((unit) => chosen.get(unit)).map(({ block }) => block.id)),
    again: repeatedMessages(looks, now),
    left: { elements: 0, chars: 0 },
    goneBlocks,
    later: fresh.length - taken,
  };
}

/**
 * Return the blocks whose message a live region has shown again, in another node.
 * @param {Looks} before
 * @param {Looks} now
 */
function repeatedMessages(before, now) {
  const again = [...now.messages].filter(([id, node]) => {
    const known = before.messages.get(id);
    return known !== undefined && known.deref() !== node.deref() && before.texts.get(id) === now.texts.get(id);
  });
  return new Set(again.map(([id]) => id));
}

/**
 * Return the blocks of a full look that the client knows and that are no longer there.
 * @param {Block[]} blocks
 * @param {Wanted} wanted
 */
export function goneBlocksOf(blocks, { knownBlocks }) {
  const present = new Set(blocks.map(({ id }) => id));
  return knownBlocks.filter((id) => !present.has(id));
}

/**
 * Return how often each text was there.
 * @param {number[]} ids
 * @param {Map<number, string>} texts
 */
function countTexts(ids, texts) {
  const counts = new Map();
  for (const id of ids) if (texts.has(id)) increment(counts, texts.get(id));
  return counts;
}

/**
 * @param {Map<string, number>} counts
 * @param {string} text
 */
function take(counts, text) {
  const left = counts.get(text) ?? 0;
  if (left > 0) counts.set(text, left - 1);
  return left > 0;
}

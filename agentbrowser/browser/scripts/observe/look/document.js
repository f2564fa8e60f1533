/** The look as a document: blocks with words and elements, in reading order. */

import { blocksOf } from "./blocks.js";
import { chooseChangedUnits, goneBlocksOf, rememberBlocks } from "./changed.js";
import { choose, elementsIn, openUnit, sizeOf } from "./choice.js";
import { describeUnit } from "./parts.js";

/** @import { Found, Scan } from "../scan.js" */
/** @import { Wanted } from "../observe.js" */
/** @import { Registry } from "../refs.js" */
/** @import { Unit } from "./choice.js" */
/** @import { Described } from "./parts.js" */

/**
 * Choose the blocks to show, before their elements are described.
 * @param {Scan} look
 * @param {Found[]} chosen the elements that the client wants
 * @param {Found[]} listed those that no fold stands for
 * @param {Wanted} wanted
 * @param {Registry} refs
 * @param {boolean} isIncremental true for what is new, and what the client knows
 */
export function chooseBlocks(look, chosen, listed, wanted, refs, isIncremental) {
  const shown = new Set(listed);
  const hidden = new Set(listed.length < chosen.length ? chosen.filter((found) => !shown.has(found)) : []);
  const wish = { listed: shown, hidden };
  const blocks = blocksOf(look, wanted.isContinued, wanted.maxParts);
  if (isIncremental) {
    const open = blocks.flatMap((block) => openUnit(block, wish, wanted));
    const measure = { sizeOf, elementsIn: (/** @type {Unit} */ unit) => elementsIn(unit, shown) };
    return chooseChangedUnits(refs, blocks, open, wanted, measure);
  }
  const choice = choose(blocks, wish, wanted);
  if (!wanted.isContinued && !wanted.isBehindFold) rememberBlocks(refs, blocks, choice);
  return { ...choice, old: new Set(), again: new Set(), goneBlocks: goneBlocksOf(blocks, wanted), later: 0 };
}

/**
 * @param {ReturnType<typeof chooseBlocks>} choice
 * @param {Described[]} elements those of the choice, in its order
 */
export function describeBlocks({ units, found, left, old, again, goneBlocks }, elements) {
  const described = new Map(found.map((one, i) => [one, elements[i]]));
  const blocks = units.map((unit) => {
    const { id } = unit.block;
    return { ...describeUnit(unit, described), isOld: old.has(id) || undefined, isAgain: again.has(id) || undefined, isBack: unit.block.isBack || undefined };
  });
  return { blocks, left, goneBlocks };
}

/** The look as a document: blocks with words and elements, in reading order. */

import { blocksOf } from "./blocks.js";
import { choose } from "./choice.js";
import { describeUnit } from "./parts.js";

/** @import { Found, Scan } from "../scan.js" */
/** @import { Wanted } from "../observe.js" */
/** @import { Choice } from "./choice.js" */
/** @import { Described } from "./parts.js" */

/**
 * Choose the blocks to show, before their elements are described.
 * @param {Scan} look
 * @param {Found[]} chosen the elements that the client wants
 * @param {Found[]} listed those that no fold stands for
 * @param {Wanted} wanted
 */
export function chooseBlocks(look, chosen, listed, wanted) {
  const shown = new Set(listed);
  const hidden = new Set(listed.length < chosen.length ? chosen.filter((found) => !shown.has(found)) : []);
  return choose(blocksOf(look, wanted.isContinued, wanted.maxParts), { listed: shown, hidden }, wanted);
}

/**
 * @param {Choice} choice
 * @param {Described[]} elements those of the choice, in its order
 */
export function describeBlocks({ units, found, left }, elements) {
  const described = new Map(found.map((one, i) => [one, elements[i]]));
  return { blocks: units.map((unit) => describeUnit(unit, described)), left };
}

/** Sections: elements over some items of a group and not over others, such as a day over its dates. */

import { increment } from "../../dom/memo.js";
import { attributesOf } from "../../dom/nodes.js";
import { isAdvert } from "../page/adverts.js";
import { CONTROLS, EMPTY_LIST, VALUE_ATTRIBUTE } from "../page/patterns.js";
import { signOf } from "../page/structure.js";
import { isTabular, textOfSpot } from "../page/walk.js";

/** @import { Root } from "../columns/columns.js" */
/** @import { Spot } from "../page/walk.js" */

const MAX_OVER = 300;
const MAX_OVERS = 3;

/**
 * Add to each record the section headings over it.
 * @param {Spot} top the container of the group
 * @param {Root[][]} records
 * @returns {Root[][]}
 */
export function withSections(top, records) {
  if (top.kids.length === records.length && records.every(([{ spot }]) => spot.parent === top)) return records;
  const members = new Set(records.flatMap((roots) => roots.map(({ spot }) => spot)));
  /** @type {Map<Spot, Root[]>} */
  const overs = new Map();
  const trunk = new Set();
  for (const member of members) for (let ancestor = member; ancestor && ancestor !== top && !trunk.has(ancestor); ancestor = ancestor.parent) trunk.add(ancestor);
  /** @type {[Spot, Root[]][]} */
  const stack = [[top, []]];
  while (stack.length) {
    const [spot, above] = stack.pop();
    for (const [kid, here] of sectionsIn(spot, trunk, spot === top)) {
      const all = here.length ? above.concat(here.map((over) => overRoot(over, top))) : above;
      if (!members.has(kid)) stack.push([kid, all.concat(shellRoots(kid, top))]);
      else if (all.length) overs.set(kid, all);
    }
  }
  if (overs.size === 0) return records;
  return records.map((roots) => [...roots, ...(overs.get(roots[0].spot) ?? [])]);
}

/**
 * Return the children that lead to members, each with the sections over it.
 * @param {Spot} spot
 * @param {Set<Spot>} trunk
 * @param {boolean} isTop true if elements before the first item apply to the whole group
 * @returns {[Spot, Spot[]][]}
 */
function sectionsIn(spot, trunk, isTop) {
  const signs = new Map();
  const isBetween = (kid) => !trunk.has(kid) && isOver(kid);
  for (const kid of spot.kids) if (isBetween(kid)) increment(signs, signOf(kid));
  /** @type {[Spot, Spot[]][]} */
  const sections = [];
  let here = [];
  let waiting = [];
  for (const kid of spot.kids) {
    if (!trunk.has(kid)) {
      const isFirst = !isTop && sections.length === 0;
      if (isBetween(kid) && (isFirst || signs.get(signOf(kid)) > 1)) waiting.push(kid);
      continue;
    }
    if (waiting.length) here = waiting.slice(-MAX_OVERS);
    waiting = [];
    sections.push([kid, here]);
  }
  return sections;
}

/**
 * Return true if an element can head the items after it.
 * @param {Spot} spot
 */
function isOver(spot) {
  if (spot.isMeta || isTabular(spot) || CONTROLS.has(spot.tag) || spot.kids.length > 8) return false;
  const text = textOfSpot(spot);
  return text.length > 0 && text.length <= MAX_OVER && !isAdvert(spot);
}

/**
 * @param {Spot} spot
 * @param {Spot} top
 * @returns {Root}
 */
function overRoot(spot, top) {
  return { spot, slot: `section${spot.depth - top.depth}.${signOf(spot)}`, heads: [] };
}

/**
 * Return the root of a part for its attributes, which apply to all inside it.
 * @param {Spot} spot
 * @param {Spot} top
 * @returns {Root[]}
 */
function shellRoots(spot, top) {
  return hasTellingAttributes(spot) ? [{ ...overRoot(spot, top), isShell: true }] : [];
}

/** @param {Spot} spot */
export function hasTellingAttributes({ element }) {
  return [...attributesOf(element)].some(({ name }) => name === "aria-label" || VALUE_ATTRIBUTE.test(name));
}

/**
 * Return the nearest common ancestor of elements.
 * @param {Spot[]} spots
 */
export function commonParent(spots) {
  let holder = spots[0].parent;
  for (const spot of spots) {
    let ancestor = spot.parent;
    while (ancestor !== holder) {
      if (ancestor.depth > holder.depth) ancestor = ancestor.parent;
      else holder = holder.parent;
    }
  }
  return holder;
}

/**
 * @param {Spot} spot
 * @returns {Root[]}
 */
export function singleRecord(spot) {
  return (spot.bare ??= [{ spot, slot: "", heads: EMPTY_LIST }]);
}

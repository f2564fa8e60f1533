/** Groups of one item: the only result of a search. */

import { closest } from "../../dom/nodes.js";
import { ASIDE } from "../page/patterns.js";
import { descendantsOf } from "../page/walk.js";
import { shapeFor } from "./likeness.js";
import { singleRecord } from "./sections.js";

/** @import { Spot } from "../page/walk.js" */
/** @import { Group } from "./tables.js" */

const MAX_LONE = 3;
const LIST_CLASS = /(^|[\s_-])(results?|listings?|items|cards|hits|products|orders|entries|matches)([\s_-]|$)/i;
const ITEM_CLASS = /(^|[\s_-])(result|listing|item|card|hit|product|order|entry|match|tile)([\s_-]|$)/i;
const ITEM_TAGS = new Set(["article", "li"]);

/**
 * Return the groups of one item, by the class names of the list and of the item; else the only article or card.
 * @param {Spot[]} all
 * @param {Group[]} others groups of several items
 * @returns {Group[]}
 */
export function loneGroups(all, others) {
  const groups = [];
  for (const spot of all) {
    if (!spot.classes.length || !spot.kids.length || !LIST_CLASS.test(spot.classes.join(" "))) continue;
    const items = spot.kids.filter((kid) => ITEM_TAGS.has(kid.tag) || ITEM_CLASS.test(kid.classes.join(" ")));
    if (items.length === 1 && shapeFor(items[0]).size > 1) groups.push({ kind: "repeat", spot, records: items.map(singleRecord) });
    if (groups.length >= MAX_LONE) break;
  }
  return groups.length ? groups : onlyItem(all, others);
}

/**
 * Return the group of the only article or card of a page without groups around it. The element with the page's title
 * is the subject of the page, and no item.
 * @param {Spot[]} all
 * @param {Group[]} others
 * @returns {Group[]}
 */
function onlyItem(all, others) {
  const item = all.find(isItem);
  if (!item || shapeFor(item).size < 2) return [];
  const inside = new Set(descendantsOf(item));
  const isOnly = !all.some((spot) => !inside.has(spot) && isItem(spot)) && others.every(({ spot }) => inside.has(spot) || isAside(spot));
  return isOnly && ![...inside].some(({ tag }) => tag === "h1") ? [{ kind: "repeat", spot: item.parent, records: [singleRecord(item)] }] : [];
}

/** @param {Spot} spot */
function isItem(spot) {
  if (!spot.parent || !spot.kids.length) return false;
  return (spot.tag === "article" || (spot.classes.length > 0 && ITEM_CLASS.test(spot.classes.join(" ")))) && !isAside(spot);
}

/** @param {Spot} spot */
function isAside(spot) {
  return closest(spot.element, ASIDE) !== null;
}

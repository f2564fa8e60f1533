/** Groups of one item: the only result of a search. */

import { closest } from "../../dom/nodes.js";
import { ASIDE } from "../page/patterns.js";
import { descendantsOf, textOfSpot } from "../page/walk.js";
import { shapeFor } from "./likeness.js";
import { singleRecord } from "./sections.js";

/** @import { Spot } from "../page/walk.js" */
/** @import { Group } from "./tables.js" */

const MAX_LONE = 3;
const LIST_CLASS = /(^|[\s_-])(results?|listings?|items|cards|hits|products|orders|entries|matches)([\s_-]|$)/i;
const ITEM_CLASS = /(^|[\s_-])(result|listing|item|card|hit|product|order|entry|match|tile)([\s_-]|$)/i;
/** "1 result for owls", "Your search returned 1 result", "1 job found". */
const ONE_FOUND =
  /(^|[^\d.,]\s*)1\s+([^\d\s]+\s+)?(results?|match|found|treffer|ergebnis|gefunden|résultat|trouvée?|resultados?|encontrad[oa]|risultato|trovat[oa]|resultaat|gevonden|resultat|träff|wynik)(?![\p{L}\d])/iu;
const ONE_IN_HEADING = /^1\s+\p{Ll}/u;
const HEADINGS = new Set(["h1", "h2"]);
const MAX_COUNT_LENGTH = 80;
const MAX_COUNT_PARTS = 3;
/** The number of elements around the count that the item may be behind. */
const MAX_CLIMB = 4;
const MIN_SHAPE = 3;
const ITEM_TAGS = new Set(["article", "li"]);

/**
 * Return the groups of one item, by the class names of the list and of the item; else the only article or card.
 * @param {Spot[]} all
 * @param {Group[]} others groups of several items
 * @returns {Group[]}
 */
export function loneGroups(all, others) {
  const counted = countedItem(all);
  if (counted) return [{ kind: "repeat", spot: counted.parent, records: [singleRecord(counted)], isOnly: true }];
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
 * Return the item of a page that counts one result: the first element with several parts behind the count.
 * @param {Spot[]} all
 */
function countedItem(all) {
  const count = all.findLast((spot) => spot.kids.length <= MAX_COUNT_PARTS && isCount(spot) && !isAside(spot));
  let at = count;
  for (let climbed = 0; at?.parent && climbed < MAX_CLIMB; climbed += 1, at = at.parent) {
    const { kids } = at.parent;
    for (const next of kids.slice(kids.indexOf(at) + 1)) {
      const item = onlyPart(next);
      if (item) return item;
    }
  }
  return null;
}

/** @param {Spot} spot */
function isCount(spot) {
  const text = textOfSpot(spot);
  return text.length <= MAX_COUNT_LENGTH && (ONE_FOUND.test(text) || (HEADINGS.has(spot.tag) && ONE_IN_HEADING.test(text)));
}

/**
 * Return the innermost element that holds all of an element, if it has several parts; else null.
 * @param {Spot} spot
 */
function onlyPart(spot) {
  let item = spot;
  while (item.kids.length === 1) item = item.kids[0];
  const hasParts = item.kids.length > 1 && item.tag !== "form" && shapeFor(item).size >= MIN_SHAPE;
  return hasParts && !holdsSeveral(item) ? item : null;
}

/**
 * Return true if several children have the same tag and classes and several parts each: these are items themselves.
 * @param {Spot} spot
 */
function holdsSeveral(spot) {
  const seen = new Set();
  return spot.kids.some((kid) => {
    const name = `${kid.tag} ${kid.classes.join(" ")}`;
    if (shapeFor(kid).size < MIN_SHAPE) return false;
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown;
  });
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

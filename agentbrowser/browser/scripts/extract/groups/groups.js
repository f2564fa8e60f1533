/**
 * Groups of repeated items: siblings of one structure, also over several rows of a grid, and runs of siblings with the
 * same start.
 */

import { addToList, getOrCompute } from "../../dom/memo.js";
import { attributeOf, queryAll } from "../../dom/nodes.js";
import { isAdvert } from "../page/adverts.js";
import { NO_SPOTS, EMPTY_LIST } from "../page/patterns.js";
import { signCounts, signOf } from "../page/structure.js";
import { isTabular, textOfSpot, descendantsOf } from "../page/walk.js";
import { MIN_SIMILARITY, clusterPlaces, clustersIn, leastSimilarity, similarity, MAX_CLUSTERS, shapeFor } from "./likeness.js";
import { loneGroups } from "./lone_items.js";
import { hasLines, joinedRuns, lineGroups, runGroups, startsIn } from "./runs.js";
import { singleRecord, commonParent, withSections } from "./sections.js";
import { rowsIn } from "./table_grid.js";
import { joinedTables } from "./table_rows.js";
import { isEven, tablesIn } from "./tables.js";

/** @import { Spot } from "../page/walk.js" */
/** @import { Group } from "./tables.js" */

/** The least number of similar elements that are items, so that groups inside them are parts of items. */
const MANY = 5;
const MAX_GROUPS = 36;
/** The number of items of a group that are sampled for their content. */
const MAX_WEIGHED = 8;

/**
 * Return all groups of a part of the page, the largest first.
 * @param {Spot[]} all of the part, in document order
 * @returns {Group[]}
 */
export function groupsIn(all) {
  const groups = [];
  const clusters = new Map();
  for (const spot of all) if (mayHold(spot)) addGroups(spot, groups, clusters);
  groups.push(...wrappedGroups(clusters), ...relatedGroups(all, clusters), ...joinedRuns(groups), ...joinedTables(groups));
  const ranked = rankedGroups(groups);
  return [...ranked, ...loneGroups(all, ranked)].map(sectioned);
}

/**
 * Return true if an element can hold a relevant group.
 * @param {Spot} spot
 */
function mayHold(spot) {
  return spot.peers < (spot.form.dullAmong ??= dullAmong(spot)) || spot.make.hasRole;
}

/**
 * Add the groups among the children of an element.
 * @param {Spot} spot
 * @param {Group[]} groups
 * @param {Map<Spot, Spot[][]>} clusters clusters that may be part of others
 */
function addGroups(spot, groups, clusters) {
  addAll(groups, tablesIn(spot));
  if (isTabular(spot) && inTable(spot) && !isLayout(spot)) return;
  for (const spots of spot.kids.length > 1 ? clustersIn(spot) : EMPTY_LIST) {
    const isPart = arePart(spot, spots);
    // Half and more of an item's content may be one group across all items, as the cells of a grid are.
    if (!isPart || spots.length * 2 >= spot.kids.length) addToList(clusters, spot, spots);
    if (isPart) continue;
    if (spots.length >= MANY) for (const member of spots) member.peers = spots.length;
    groups.push({ kind: "repeat", spot, records: spots.map(singleRecord) });
    addAll(groups, nestedGroups(spot, spots));
  }
  if (spot.kids.length < 3) return;
  addAll(groups, runGroups(spot));
  addAll(groups, lineGroups(spot));
}

/**
 * Return the least number of similar items for which groups inside an element of this form are irrelevant: 0 where
 * nothing can repeat, `Infinity` where groups are always relevant.
 * @param {Spot} spot
 */
function dullAmong(spot) {
  const { form, kids } = spot;
  if (kids.length < 2) return spot.tag === "table" ? Infinity : 0;
  const others = kids.length > 2 && ((form.isEven ??= isEven(spot)) || (form.starts ??= startsIn(spot)).length || hasLines(spot));
  if (kids.length > MAX_CLUSTERS || isTabular(spot) || others) return Infinity;
  const clusters = (form.clusters ??= clusterPlaces(kids, NO_SPOTS)).map((places) => places.map((place) => kids[place]));
  const areParts = clusters.every((spots) => spots.length * 2 < kids.length && areBrief(spots));
  return areParts ? clusters.reduce((most, { length }) => Math.max(most, length + 1), 0) : Infinity;
}

/**
 * Return true if elements are values of one of many items, as the tags of an article are: at most one value each, and
 * fewer than the items.
 * @param {Spot} parent
 * @param {Spot[]} spots
 */
function arePart(parent, spots) {
  let item = parent;
  while (item && item.peers === 0) item = item.parent;
  return item !== null && spots.length < item.peers && areBrief(spots);
}

/**
 * Return true if most elements hold at most one value.
 * @param {Spot[]} spots
 */
function areBrief(spots) {
  const sample = spots.slice(0, MAX_WEIGHED);
  return sample.filter(isBrief).length * 2 > sample.length;
}

/**
 * @template T
 * @param {T[]} list
 * @param {T[]} more hardly ever any
 */
function addAll(list, more) {
  if (more.length) list.push(...more);
}

/**
 * Return true if a table has no heads and much content in each cell: it is for layout.
 * @param {Spot} spot
 */
function isLayout(spot) {
  if (spot.tag !== "tr") return false;
  return !tableOf(spot)?.hasHeads && spot.kids.every((kid) => shapeFor(kid).size > 2 || !textOfSpot(kid));
}

/**
 * Return a group of items that hold others of their kind, such as comments with replies.
 * @param {Spot} parent
 * @param {Spot[]} spots
 * @returns {Group[]}
 */
function nestedGroups(parent, spots) {
  const [{ tag, classes }] = spots;
  const sign = classes[0];
  const isSame = (inner) => inner.tag === tag && inner.classes[0] === sign;
  const isNesting = (spot) => spot.kids.length > 0 && getOrCompute((spot.form.nesting ??= new Map()), sign, () => spot.kids.some((kid) => findIn(kid, isSame, 3)));
  if (tag === "tr" || tag === "td" || !spots.some((spot, at) => spot.form !== spots[at - 1]?.form && isNesting(spot))) return EMPTY_LIST;
  const all = [...descendantsOf(parent)].filter((inner) => inner !== parent && isSame(inner));
  const shape = shapeFor(spots[0]);
  const known = new Set(spots);
  const members = all.filter((inner) => known.has(inner) || similarity(shapeFor(inner), shape) >= MIN_SIMILARITY);
  if (members.length <= spots.length || (sign === undefined && tag !== "li" && tag !== "article")) return [];
  return [{ kind: "repeat", spot: parent, records: members.map(singleRecord), isNested: true }];
}

/**
 * @param {Spot} spot
 * @param {(spot: Spot) => boolean} fits
 * @param {number} depth
 * @returns {boolean}
 */
function findIn(spot, fits, depth) {
  return fits(spot) || (depth > 0 && spot.kids.some((kid) => findIn(kid, fits, depth - 1)));
}

/**
 * Return true if a row is already read as part of a table.
 * @param {Spot} spot
 */
function inTable(spot) {
  const table = tableOf(spot);
  return table !== null && table.isData;
}

/**
 * Return the table of a row or of a part of one, classified once.
 * @param {Spot} spot
 */
function tableOf(spot) {
  let table = spot;
  while (table && table.tag !== "table") table = table.parent;
  if (table && table.isData === undefined) {
    table.isData = !/^(presentation|none)$/.test(attributeOf(table.element, "role") ?? "") && hasColumns(table);
    table.hasHeads = queryAll(table.element, "th").length > 0;
  }
  return table;
}

/**
 * Return true if a table has more than one column, and so is no list.
 * @param {Spot} table
 */
function hasColumns(table) {
  for (const row of rowsIn(table)) if (row.kids.length > 1) return true;
  return false;
}

/**
 * Return groups of clusters in several parents at the same depth of similar parts: the rows of a grid, the lists under
 * several headings.
 * @param {Map<Spot, Spot[][]>} clusters
 * @returns {Group[]}
 */
function wrappedGroups(clusters) {
  const seen = new Set();
  const groups = [];
  const known = new Map();
  for (const [parent, own] of clusters) {
    const tags = parent.parent && getOrCompute(known, parent.parent, () => new Set());
    if (tags?.has(parent.tag)) continue; // its ancestors are the same
    tags?.add(parent.tag);
    let path = [parent.tag];
    let most = 1;
    for (let top = parent.parent, up = 0; top && up < 3; top = top.parent, up++) {
      const sign = `${top.id} ${path.join(">")}`;
      if (!seen.has(sign)) {
        seen.add(sign);
        const parents = path.reduce((spots, tag) => kidsThat(spots, (kid) => kid.tag === tag), [top]);
        const group = parents.length > most ? mergedGroup(top, parents, own) : null;
        if (group) groups.push(group);
        most = Math.max(most, parents.length);
      }
      path = [top.tag, ...path];
    }
  }
  return groups;
}

/**
 * @param {Spot} top
 * @param {Spot[]} parents
 * @param {Spot[][]} own the clusters in one of the parents
 * @returns {Group|null}
 */
function mergedGroup(top, parents, own) {
  const model = own.reduce((most, spots) => (spots.length > most.length ? spots : most));
  const shape = shapeFor(model[0]);
  const members = kidsThat(parents, (kid) => isLike(kid, model[0].tag, shape));
  if (members.length <= model.length) return null;
  return { kind: "repeat", spot: top, records: members.map(singleRecord) };
}

/**
 * @param {Spot[]} parents
 * @param {(kid: Spot) => boolean} fits
 */
function kidsThat(parents, fits) {
  return parents.flatMap(({ kids }) => kids.filter(fits));
}

/**
 * Return groups of clusters in several parents of one kind at one depth, wherever these are.
 * @param {Spot[]} all
 * @param {Map<Spot, Spot[][]>} clusters
 * @returns {Group[]}
 */
function relatedGroups(all, clusters) {
  const models = new Map();
  const signs = new Set();
  const counts = signCounts();
  for (const inParent of clusters.values()) {
    for (const spots of inParent) {
      const sign = relationSign(spots[0]);
      if (counts.get(formSign(spots[0])) > spots.length) signs.add(formSign(spots[0]));
      if (!(isTabular(spots[0]) && inTable(spots[0])) && !(models.get(sign)?.length >= spots.length)) models.set(sign, spots);
    }
  }
  const related = new Map();
  for (const spot of signs.size ? all : EMPTY_LIST) {
    if (!spot.parent || !signs.has(formSign(spot))) continue;
    const sign = relationSign(spot);
    if (models.has(sign) && isRelated(spot, models.get(sign)[0])) addToList(related, sign, spot);
  }
  const isSpread = ([sign, members]) => members.length > models.get(sign).length;
  return [...related].filter(isSpread).map(([, members]) => ({ kind: "repeat", spot: commonParent(members), records: members.map(singleRecord) }));
}

/** @param {Spot} spot */
function relationSign(spot) {
  const { parent, depth } = spot;
  const byDepth = getOrCompute((spot.form.kin ??= new Map()), parent.form, () => []);
  return (byDepth[depth] ??= `${depth} ${formSign(spot)} ${formSign(parent)}`);
}

/** @param {Spot} spot */
function formSign(spot) {
  return (spot.form.sign ??= signOf(spot));
}

/**
 * @param {Spot} spot
 * @param {Spot} model
 */
function isRelated(spot, model) {
  return !isAdvert(spot) && similarity(shapeFor(spot), shapeFor(model)) >= leastSimilarity(spot, model);
}

/**
 * Return a group with the sections over its records.
 * @param {Group} group
 * @returns {Group}
 */
function sectioned(group) {
  const isHeaded = group.kind === "repeat" || group.kind === "run" || group.isJoined;
  return isHeaded && !group.isNested ? { ...group, records: withSections(group.spot, group.records) } : group;
}

/**
 * @param {Spot} spot
 * @param {string} tag
 * @param {Set<string>} shape
 */
function isLike(spot, tag, shape) {
  return spot.tag === tag && !isAdvert(spot) && similarity(shapeFor(spot), shape) >= MIN_SIMILARITY;
}

/**
 * Return the relevant groups: those with many records and much content. Of two over the same records keep the first. Of
 * groups inside a record of another keep those that are no part of a larger group.
 * @param {Group[]} groups
 * @returns {Group[]}
 */
function rankedGroups(groups) {
  if (groups.length < 2) return groups;
  const sorted = groups.map((group) => ({ group, weight: rankOf(group) })).sort((one, two) => two.weight - one.weight);
  const kept = [];
  const owners = new Map();
  const signs = new Set();
  for (const { group } of sorted) {
    if (kept.length >= MAX_GROUPS) break;
    const first = group.records[0][0].spot;
    const sign = `${group.kind} ${first.id} ${group.records.length} ${group.records.at(-1)[0].spot.id}`;
    if (signs.has(sign)) continue;
    signs.add(sign);
    const outer = ownerOf(first, owners);
    const isInner = outer && outer !== group && outer.kind !== "run" && group.kind !== "table";
    if (isInner && outer.records.length >= MANY && (isThin(group) || (group.records.length < outer.records.length && owners.has(first)))) continue;
    kept.push(group);
    for (const roots of group.records) for (const { spot } of roots) if (!owners.has(spot)) owners.set(spot, group);
  }
  return kept;
}

/**
 * Return true if most items of a group hold at most one value.
 * @param {Group} group
 */
function isThin({ records }) {
  const sample = records.slice(0, MAX_WEIGHED);
  return sample.filter((roots) => roots.length === 1 && isBrief(roots[0].spot)).length * 2 > sample.length;
}

/** @param {Spot} spot */
function isBrief(spot) {
  return shapeFor(spot).size < 2;
}

/**
 * Return the group with a record around an element.
 * @param {Spot} spot
 * @param {Map<Spot, Group>} owners
 */
function ownerOf(spot, owners) {
  for (let ancestor = spot.parent; ancestor; ancestor = ancestor.parent) if (owners.has(ancestor)) return owners.get(ancestor);
  return null;
}

/** @param {Group} group */
function rankOf({ records, kind }) {
  const sample = Math.min(records.length, MAX_WEIGHED);
  let leaves = 0;
  for (let at = 0; at < sample; at++) for (const { spot } of records[at]) leaves += shapeFor(spot).size;
  return Math.min(records.length, 400) * Math.sqrt(leaves / sample) * (kind === "table" ? 1.5 : 1);
}

/** Runs: items of several siblings each, from one start to the next. */

import { increment, addToList } from "../../dom/memo.js";
import { isAdvert } from "../page/adverts.js";
import { HEADING, EMPTY_LIST, PHRASING_TAGS } from "../page/patterns.js";
import { formOf, markupOf } from "../page/structure.js";
import { newSpot } from "../page/walk.js";
import { singleRecord, commonParent } from "./sections.js";
import { REGULAR } from "./table_rows.js";

/** @import { Root } from "../columns/columns.js" */
/** @import { Spot } from "../page/walk.js" */
/** @import { Group } from "./tables.js" */

const MIN_LINES = 3;

/**
 * Return groups of runs, such as a heading with its content, or a term with its details.
 * @param {Spot} parent
 * @returns {Group[]}
 */
export function runGroups(parent) {
  const starts = (parent.form.starts ??= startsIn(parent));
  if (starts.length === 0) return EMPTY_LIST;
  const kids = runKids(parent);
  const signs = kids.map(runSign);
  return starts.flatMap((start) => {
    const records = runsFrom(kids, signs, start);
    return records.length > 1 ? [{ kind: "run", spot: parent, records, start }] : [];
  });
}

/** @param {Spot} parent */
function runKids(parent) {
  return parent.kids.filter((kid) => !kid.isMeta && kid.tag !== "br");
}

/** @param {Spot} kid */
function runSign(kid) {
  return kid.tag + (kid.style.dotted || ".");
}

/**
 * Return the signs of children that start runs.
 * @param {Spot} parent
 * @returns {string[]}
 */
export function startsIn(parent) {
  const kids = runKids(parent);
  if (kids.every(({ form }) => form === kids[0].form)) return EMPTY_LIST;
  const signs = kids.map(runSign);
  const counts = new Map();
  for (const sign of signs) increment(counts, sign);
  if (counts.size < 2 || counts.size > signs.length * 0.8) return EMPTY_LIST;
  const starts = [...counts].filter(([sign, count]) => count > 1 && isStart(sign, signs, counts)).map(([sign]) => sign);
  return starts.slice(0, 2);
}

/**
 * Return true if a sign starts runs: it is the first of the repeated ones, or a heading.
 * @param {string} sign
 * @param {string[]} signs
 * @param {Map<string, number>} counts
 */
function isStart(sign, signs, counts) {
  const tag = sign.split(".")[0];
  if (tag === "hr") return false;
  if (HEADING.test(tag) || tag === "dt") return signs.some((other) => other !== sign && !HEADING.test(other.split(".")[0]));
  const first = signs.find((other) => counts.get(other) > 1);
  return sign === first && signs.filter((other) => other === sign).length < signs.length;
}

/**
 * @param {Spot[]} kids
 * @param {string[]} signs
 * @param {string} start
 * @returns {Root[][]}
 */
function runsFrom(kids, signs, start) {
  const records = [];
  const level = /^h[1-6]/.test(start) ? Number(start[1]) : 0;
  let isOpen = false;
  kids.forEach((spot, at) => {
    if (signs[at] === start) {
      isOpen = !isAdvert(spot);
      if (isOpen) records.push([]);
    } else if (level && /^h[1-6]$/.test(spot.tag) && Number(spot.tag[1]) <= level) isOpen = false;
    if (!isOpen || (at > 0 && spot.tag === "hr") || isAdvert(spot)) return;
    const record = records.at(-1);
    record.push({ spot, slot: signs[at], heads: [] });
  });
  return records.filter((roots) => roots.length > 1).length > 1 ? records : [];
}

/**
 * Return groups of runs with the same start in several parents of one kind, such as the dishes under the courses of a
 * menu.
 * @param {Group[]} groups
 * @returns {Group[]}
 */
export function joinedRuns(groups) {
  const bySign = new Map();
  for (const group of groups) {
    if (group.start) addToList(bySign, `${group.spot.tag}.${group.spot.classes.join(".")} ${group.spot.depth} ${group.start}`, group);
  }
  return [...bySign.values()].filter((alike) => alike.length > 1).map((alike) => {
    return { kind: "run", spot: commonParent(alike.map(({ spot }) => spot)), records: alike.flatMap(({ records }) => records) };
  });
}

/** @param {Spot} spot */
export function hasLines({ kids, hasText }) {
  return hasText && kids.filter(({ tag }) => tag === "br").length >= MIN_LINES - 1;
}

/**
 * Return a group of lines that each begin with an element as their name: "<b>Monday</b> 9 to 5<br><b>Tuesday</b>
 * closed".
 * @param {Spot} parent
 * @returns {Group[]}
 */
export function lineGroups(parent) {
  if (!hasLines(parent)) return EMPTY_LIST;
  return linesIn(parent).flatMap((lines) => {
    const named = lines.filter(([first, ...others]) => typeof first !== "string" && others.length > 0);
    if (named.length < MIN_LINES || named.length < lines.length * REGULAR) return [];
    return [{ kind: "repeat", spot: parent, records: named.map((line) => singleRecord(lineSpot(parent, line))) }];
  });
}

/**
 * Return the blocks of lines in an element, with only breaks between the lines.
 * @param {Spot} parent
 * @returns {(string|Spot)[][][]}
 */
function linesIn({ pieces }) {
  /** @type {(string|Spot)[][][]} */
  const blocks = [[]];
  /** @type {(string|Spot)[]} */
  let line = [];
  const end = (isBlock) => {
    if (line.length) blocks[blocks.length - 1].push(line);
    line = [];
    if (isBlock) blocks.push([]);
  };
  for (const piece of pieces) {
    if (typeof piece === "string" ? piece.trim() : PHRASING_TAGS.has(piece.tag)) line.push(piece);
    else if (typeof piece !== "string") end(piece.tag !== "br");
  }
  end(true);
  return blocks;
}

/**
 * Return a line as a spot; the source of its values is the parent.
 * @param {Spot} parent
 * @param {(string|Spot)[]} pieces
 * @returns {Spot}
 */
function lineSpot(parent, pieces) {
  const spot = newSpot(parent.element, markupOf("span", parent.make.names), parent, parent.id, false);
  spot.pieces = pieces;
  spot.kids = /** @type {Spot[]} */ (pieces.filter((piece) => typeof piece !== "string"));
  spot.hasText = pieces.some((piece) => typeof piece === "string");
  spot.form = formOf(spot);
  return spot;
}

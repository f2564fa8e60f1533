/** Table rows of several kinds, and tables that continue in others. */

import { increment, addToList } from "../../dom/memo.js";
import { isAdvert } from "../page/adverts.js";
import { commonParent } from "./sections.js";
import { headsAt, isHeading, rowShell, spanOf } from "./table_grid.js";

/** @import { Root } from "../columns/columns.js" */
/** @import { Spot } from "../page/walk.js" */
/** @import { Cell } from "./table_grid.js" */
/** @import { Group } from "./tables.js" */

const MAX_KINDS = 4;
export const REGULAR = 0.7;

/**
 * Return groups of a table with several kinds of rows: each kind, and runs from the first kind on.
 * @param {Spot} spot
 * @param {Spot[]} rows
 * @param {Cell[][]} grid
 * @param {number} top number of head rows
 * @param {number} width
 * @returns {Group[]}
 */
export function kindGroups(spot, rows, grid, top, width) {
  const heads = Array.from({ length: width }, (_, x) => headsAt(grid, top, x));
  const lines = rows.slice(top).map((row, y) => ({ row, cells: grid[top + y], kind: patternOf(grid[top + y]) }));
  const isBody = ({ row, cells }) => row.parent.tag !== "tfoot" && !isAdvert(row) && !isHeading(cells);
  const body = lines.filter(isBody);
  const counts = new Map();
  for (const { kind } of body) increment(counts, kind);
  const kinds = [...counts].filter(([, count]) => count > 1).map(([kind]) => kind);
  if (kinds.length < 2 || kinds.length > MAX_KINDS) return [];
  const groups = kinds.map((kind) => ({ kind: top ? "table" : "rows", spot, records: kindRecords(body, kind, counts, heads) }));
  const records = runRecords(body, kinds, heads);
  return records.length > 1 ? [...groups, { kind: "run", spot, records }] : groups;
}

/**
 * Return the pattern of the cells of a row, with those that reach into it from a row above.
 * @param {Cell[]} cells
 */
function patternOf(cells) {
  return rootsOf(cells, String, []).map(({ spot }) => `${spot.tag}${spanOf(spot, "colspan")}`).join(" ");
}

/**
 * Return the rows of one kind, each with the last row before it of a rarer, earlier kind.
 * @param {any[]} lines
 * @param {string} kind
 * @param {Map<string, number>} counts
 * @param {string[][]} heads
 * @returns {Root[][]}
 */
function kindRecords(lines, kind, counts, heads) {
  const begin = lines.findIndex((line) => line.kind === kind);
  const over = lines.slice(0, begin).findLast((line) => counts.get(line.kind) > 1 && counts.get(line.kind) < counts.get(kind));
  const records = [];
  let above = [];
  for (const line of lines) {
    if (line.kind === over?.kind) above = rootsOf(line.cells, (x) => `section.col${x}`, []);
    else if (line.kind === kind) records.push([...rootsOf(line.cells, (x) => `col${x}`, heads), ...above, ...rowShell(line.row)]);
  }
  return records;
}

/**
 * @param {Cell[]} cells
 * @param {(x: number) => string} slot
 * @param {string[][]} heads
 * @returns {Root[]}
 */
function rootsOf(cells, slot, heads) {
  const roots = [];
  cells.forEach((cell, x) => {
    if (cell && cell.spot !== cells[x - 1]?.spot) roots.push({ spot: cell.spot, slot: slot(x), heads: heads[x] ?? [] });
  });
  return roots;
}

/**
 * Return runs of rows from each row of the first kind to the next, where their order is regular.
 * @param {any[]} lines
 * @param {string[]} kinds
 * @param {string[][]} heads
 * @returns {Root[][]}
 */
function runRecords(lines, kinds, heads) {
  const [start] = kinds;
  const runs = [];
  for (const line of lines) {
    if (line.kind === start) runs.push([line]);
    else if (kinds.includes(line.kind)) runs.at(-1)?.push(line);
  }
  const long = runs.filter((run) => run.length > 1);
  const second = new Map();
  for (const [, { kind }] of long) increment(second, kind);
  const isRegular = long.length > 1 && long.length >= runs.length * REGULAR && Math.max(...second.values()) >= long.length * REGULAR;
  if (!isRegular) return [];
  const rootsIn = ({ row, cells, kind }) => {
    const roots = rootsOf(cells, (x) => `${kinds.indexOf(kind)}col${x}`, kind === start ? heads : []);
    return [...roots, ...rowShell(row)];
  };
  return runs.map((run) => run.flatMap(rootsIn));
}

/**
 * Return groups that join tables with the same heads, or with the same rows where they have none.
 * @param {Group[]} groups
 * @returns {Group[]}
 */
export function joinedTables(groups) {
  const bySign = new Map();
  for (const group of groups) {
    if (group.kind !== "table" && group.kind !== "rows") continue;
    const slots = group.records[0].filter(({ slot }) => !slot.startsWith("section"));
    const heads = slots.map((root) => `${root.slot} ${root.spot.tag} ${root.heads.join(" ")}`).join("|");
    addToList(bySign, `${group.kind} ${group.spot.depth} ${heads}`, group);
  }
  const several = [...bySign.values()].filter((alike) => new Set(alike.map(({ spot }) => spot)).size > 1);
  return several.map((alike) => {
    const records = alike.flatMap((group) => group.records);
    return { kind: alike[0].kind, spot: commonParent(alike.map(({ spot }) => spot)), records, isJoined: true };
  });
}

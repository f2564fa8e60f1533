/** Tables as records with heads: of table elements, of roles, and of grids of sibling cells. */

import { attributeOf } from "../../dom/nodes.js";
import { isAdvert } from "../page/adverts.js";
import { EMPTY_LIST, WORDLIKE } from "../page/patterns.js";
import { isTabular, textOfSpot } from "../page/walk.js";
import { gridOf, headRows, headsAt, isDivider, isHeading, isLayout, partsOf, rowShell, rowsIn } from "./table_grid.js";
import { kindGroups } from "./table_rows.js";

/** @import { Root } from "../columns/columns.js" */
/** @import { Spot } from "../page/walk.js" */
/** @import { Cell } from "./table_grid.js" */

const MIN_CELLS = 6;

/**
 * @typedef {object} Group
 * @property {string} kind
 * @property {Spot} spot the container of the records
 * @property {Root[][]} records
 * @property {string} [start] the sign that starts a run
 * @property {boolean} [isJoined] true if it is of several tables
 * @property {boolean} [isNested] true if records hold others of their kind
 * @property {boolean} [isOnly] true for the item of a page that counts one result
 */

/**
 * @param {Spot} spot
 * @returns {Group[]}
 */
export function tablesIn(spot) {
  const role = spot.make.hasRole ? attributeOf(spot.element, "role") : null;
  if (spot.tag === "table" && !isLayout(spot)) return tableGroups(spot);
  if (role === "table" || role === "grid" || role === "treegrid") return tableGroups(spot);
  if (spot.kids.length < 3 || !(spot.form.isEven ??= isEven(spot))) return EMPTY_LIST;
  const parts = spot.kids.filter((kid) => !kid.isMeta);
  return [...gridGroups(spot, parts), ...rowGroups(spot, parts)].filter(({ records }) => records.length > 0); // an advertisement leaves none
}

/**
 * Return true if the children can be rows, all of one tag, or the cells of a grid, with little content.
 * @param {Spot} spot
 */
export function isEven({ kids }) {
  const parts = kids.filter((kid) => !kid.isMeta);
  if (parts.length > 2 && parts.every(({ tag }) => tag === parts[0].tag)) return true;
  return parts.length >= MIN_CELLS && parts.every((kid) => kid.kids.length <= 3);
}

/**
 * Return a group of rows of plain elements, whose first row names the columns.
 * @param {Spot} spot
 * @param {Spot[]} rows
 * @returns {Group[]}
 */
function rowGroups(spot, rows) {
  const width = rows.length > 2 ? rows[0].kids.length : 0;
  if (width < 2 || isTabular(spot)) return [];
  const [head, ...others] = rows;
  const names = head.kids.map(textOfSpot);
  const isNaming = names.every((name) => name.length < 40 && !/\d/.test(name)) && names.filter(Boolean).length > width / 2;
  if (!isNaming || !others[0].kids.length || others.some(({ tag }) => tag !== head.tag)) return [];
  const areEven = others.filter((row) => row.kids.length === width).length >= others.length * 0.8;
  const isMarked = head.classes.join() !== others[0].classes.join() || head.kids[0].classes.join() !== others[0].kids[0].classes.join() || head.kids[0].tag !== others[0].kids[0].tag;
  if (!areEven || !isMarked || head.hasText || new Set(names).size < names.length) return [];
  const grid = rows.filter((row) => row.kids.length === width).map((row) => row.kids.map((it) => ({ spot: it, isHead: false, isFirst: true })));
  return [{ kind: "table", spot, records: recordsOf(grid, 1, width) }];
}

/** @param {Spot} spot */
function tableGroups(spot) {
  const parts = partsOf([...rowsIn(spot)].filter((row) => row.kids.length > 0));
  const rows = [...parts.keys()];
  if (rows.length < 2) return [];
  const grid = gridOf(rows, parts);
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  if (width < 2) return [];
  const top = headRows(rows, grid);
  const groups = [{ kind: top ? "table" : "rows", spot, records: recordsOf(grid, top, width) }, ...kindGroups(spot, rows, grid, top, width)];
  const body = grid.slice(top).filter((row) => !isDivider(row, width));
  const isSideways = body.length > 1 && body.filter((row) => row[0]?.isHead).length >= body.length * 0.8 && width < 40;
  if (isSideways || (!top && width > 2 && grid.filter(isNamed).length >= grid.length - 1)) groups.push({ kind: "sideways", spot, records: turnedRecords(grid, width) });
  return groups.filter(({ records }) => records.length > 0);
}

/**
 * Return true if a row begins with a possible name.
 * @param {Cell[]} row
 */
function isNamed(row) {
  const text = row[0] ? textOfSpot(row[0].spot) : "";
  return text.length < 40 && WORDLIKE.test(text) && !/\d{2}/.test(text);
}

/**
 * @param {Cell[][]} grid
 * @param {number} top
 * @param {number} width
 * @returns {Root[][]}
 */
function recordsOf(grid, top, width) {
  const heads = Array.from({ length: width }, (_, x) => headsAt(grid, top, x));
  const section = { heads: ["section"], text: "" };
  const records = [];
  for (const row of grid.slice(top)) {
    if (row[0]?.spot.parent?.parent?.tag === "tfoot") continue;
    if (isDivider(row, width)) {
      section.spot = row[0].spot;
      continue;
    }
    const { parent } = (row.find((cell) => cell?.isFirst) ?? row[0]).spot; // the first cell can span from a row before
    if ((top && isHeading(row)) || isAdvert(parent)) continue;
    const roots = row.map((cell, x) => cell && { spot: cell.spot, slot: `col${x}`, heads: heads[x] }).filter(Boolean);
    const once = roots.filter(({ spot }, at) => roots.findIndex((root) => root.spot === spot) === at);
    if (section.spot) once.push({ spot: section.spot, slot: "section", heads: [] });
    if (once.length) records.push([...once, ...rowShell(parent)]);
  }
  return records;
}

/**
 * Return the columns of a table whose rows have heads, as records.
 * @param {Cell[][]} grid
 * @param {number} width
 * @returns {Root[][]}
 */
function turnedRecords(grid, width) {
  const lines = grid.filter((row) => !isDivider(row, width));
  const slots = lines.map((row) => (row[0] ? [textOfSpot(row[0].spot)].filter(Boolean) : []));
  return Array.from({ length: width - 1 }, (_, x) =>
    lines.flatMap((row, y) => (row[x + 1] ? [{ spot: row[x + 1].spot, slot: `row${y}`, heads: slots[y] }] : [])),
  );
}

/**
 * Return a group of grid rows, whose cells are all children of one element with a grid layout.
 * @param {Spot} spot
 * @param {Spot[]} cells
 * @returns {Group[]}
 */
function gridGroups(spot, cells) {
  if (cells.length < MIN_CELLS || cells.some((kid) => kid.kids.length > 3)) return [];
  const style = getComputedStyle(spot.element);
  if (style.display !== "grid" && style.display !== "inline-grid") return [];
  const width = style.gridTemplateColumns.split(" ").length;
  if (width < 2 || cells.length % width || cells.length < 2 * width) return [];
  const grid = [];
  for (let at = 0; at < cells.length; at += width) {
    grid.push(cells.slice(at, at + width).map((cell) => ({ spot: cell, isHead: false, isFirst: true })));
  }
  const naming = grid[0].every(({ spot: cell }) => !/\d/.test(textOfSpot(cell)) && textOfSpot(cell).length < 40);
  const isMarked = grid[0].every(({ spot: cell }) => cell.classes.join() !== grid[1].at(-1).spot.classes.join() || cell.tag !== grid[1].at(-1).spot.tag);
  const top = naming && isMarked ? 1 : 0;
  return top ? [{ kind: "table", spot, records: recordsOf(grid, top, width) }] : [];
}

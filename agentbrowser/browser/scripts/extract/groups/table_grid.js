/** Grid of a table: rows, cells with their spans, and heads. */

import { addToList } from "../../dom/memo.js";
import { attributeOf, matches, collapseSpaces } from "../../dom/nodes.js";
import { MAX_LABEL } from "../page/patterns.js";
import { textOfSpot, descendantsOf } from "../page/walk.js";
import { hasTellingAttributes } from "./sections.js";

/** @import { Root } from "../columns/columns.js" */
/** @import { Spot } from "../page/walk.js" */

/**
 * @typedef {object} Cell
 * @property {Spot} spot
 * @property {boolean} isHead
 * @property {boolean} isFirst true in the first grid position of the cell
 */

/**
 * Return true if a row has only head cells.
 * @param {Cell[]} cells
 */
export function isHeading(cells) {
  return cells.length > 1 && cells.every((cell) => !cell || (cell.isHead && cell.spot.tag === "th"));
}

const ROWLIKE = "tr, [role=row]";
const MAX_SPAN = 200;

/**
 * Yield the rows of a table, without those of inner tables.
 * @param {Spot} spot
 * @returns {Generator<Spot>}
 */
export function* rowsIn(spot) {
  for (const kid of spot.kids) {
    if (matches(kid.element, ROWLIKE)) yield kid;
    else if (kid.tag !== "table" || isLayout(kid)) yield* rowsIn(kid);
  }
}

/**
 * Return true for a table without the meaning of one, such as that which only lays out the headers of a grid.
 * @param {Spot} spot
 */
export function isLayout({ make, element }) {
  const role = make.hasRole ? attributeOf(element, "role") : null;
  return role === "presentation" || role === "none";
}

/**
 * Lay the rows out on a grid, so that a cell that spans columns or rows is in each of them. A cell that states its column
 * is in this one: the page may draw the columns in another order, and leave some out.
 * @param {Spot[]} rows
 * @param {Map<Spot, Spot[]>} parts the rows that are one, by the first of them
 * @returns {Cell[][]}
 */
export function gridOf(rows, parts) {
  const grid = rows.map(() => []);
  const lines = rows.map((row) => (parts.get(row) ?? [row]).flatMap(({ kids }) => kids));
  const columns = lines.map(statedColumns);
  const first = columns.every(Boolean) ? Math.min(...columns.flat()) : 0;
  const isStated = first > 0 && Math.max(...columns.flat()) < first + MAX_SPAN;
  lines.forEach((cells, y) => {
    let x = 0;
    for (const [at, spot] of cells.entries()) {
      if (isStated) x = columns[y][at] - first;
      else while (grid[y][x]) x++;
      const isHead = spot.tag === "th" || /^(column|row)header$/.test(attributeOf(spot.element, "role") ?? "");
      const across = spanOf(spot, "colspan");
      const down = spanOf(spot, "rowspan", rows.length - y);
      for (let dy = 0; dy < down && y + dy < rows.length; dy++) {
        for (let dx = 0; dx < across; dx++) grid[y + dy][x + dx] ??= { spot, isHead, isFirst: !dx && !dy };
      }
      x += across;
    }
  });
  return grid;
}

/**
 * Return the numbers of the columns that the cells of a row state; null if one states none, or that of another one.
 * @param {Spot[]} cells
 */
function statedColumns(cells) {
  const columns = cells.map(({ element }) => Number(attributeOf(element, "aria-colindex")));
  return columns.every((column) => Number.isInteger(column) && column > 0) && new Set(columns).size === columns.length ? columns : null;
}

/**
 * Return the rows that are one, by the first of them: a grid with columns that do not scroll draws these apart.
 * @param {Spot[]} rows
 * @returns {Map<Spot, Spot[]>}
 */
export function partsOf(rows) {
  const byIndex = new Map();
  for (const row of rows) {
    const index = attributeOf(row.element, "aria-rowindex");
    addToList(byIndex, index === null ? row : index, row);
  }
  return new Map([...byIndex.values()].map((parts) => [parts[0], parts]));
}

/**
 * @param {Spot} spot
 * @param {string} name
 * @param {number} [all] value of a span of 0
 */
export function spanOf(spot, name, all = 1) {
  const span = Number(attributeOf(spot.element, name) ?? attributeOf(spot.element, `aria-${name}`) ?? 1);
  if (span === 0) return all;
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_SPAN) : 1;
}

/**
 * Return the number of head rows at the top.
 * @param {Spot[]} rows
 * @param {Cell[][]} grid
 */
export function headRows(rows, grid) {
  let top = 0;
  while (top < rows.length - 1 && (rows[top].parent.tag === "thead" || grid[top].every((cell) => !cell || cell.isHead))) top++;
  if (top > 0) return top;
  const texts = (row) => row.map((cell) => (cell ? textOfSpot(cell.spot) : ""));
  const [first, ...others] = grid.slice(0, 12).map(texts);
  const isNaming = first.every((text) => text.length < 40 && !/\d/.test(text)) && new Set(first).size === first.length;
  const isBold = grid[0].every(({ spot }) => spot.kids.length === 1 && /^(b|strong)$/.test(spot.kids[0].tag));
  const differs = first.some((_, x) => others.length > 1 && others.every((row) => /\d/.test(row[x] ?? "")));
  const isClassed = /head/i.test(rows[0].classes.join(" "));
  return isNaming && first.filter(Boolean).length > 1 && (isBold || isClassed || (differs && first.length > 2)) ? 1 : 0;
}

/**
 * Return the root of a row for its attributes.
 * @param {Spot} row
 * @returns {Root[]}
 */
export function rowShell(row) {
  return hasTellingAttributes(row) ? [{ spot: row, slot: "row", heads: [], isShell: true }] : [];
}

/**
 * Return true if one cell fills a row, as a title between rows does.
 * @param {Cell[]} row
 * @param {number} width
 */
export function isDivider(row, width) {
  return width > 1 && row.length > 0 && row.every((cell) => cell && cell.spot === row[0]?.spot);
}

/**
 * Return the heads over a column, from the top down.
 * @param {Cell[][]} grid
 * @param {number} top
 * @param {number} x
 */
export function headsAt(grid, top, x) {
  const texts = grid.slice(0, top).map((row) => (row[x] ? headOf(row[x].spot) : ""));
  return [...new Set(texts)].filter(Boolean);
}

/**
 * Return the text of a head, in full where it is an abbreviation.
 * @param {Spot} spot
 */
function headOf(spot) {
  for (const part of descendantsOf(spot)) {
    const full = attributeOf(part.element, "title") ?? attributeOf(part.element, "abbr");
    if (full && full.length <= MAX_LABEL) return collapseSpaces(full);
  }
  return textOfSpot(spot) || (attributeOf(spot.element, "aria-label") ?? "");
}

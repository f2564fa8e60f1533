"use strict";
/** Tables, as records with heads: of table elements, of roles, and of grids whose cells stand side by side. */

const ROWLIKE = "tr, [role=row]";
const MAX_SPAN = 200;
const MIN_CELLS = 6;

/**
 * @typedef {object} Cell
 * @property {Spot} spot
 * @property {boolean} isHead
 * @property {boolean} isFirst whether this is where the cell begins, and not where it reaches to
 */

/**
 * @typedef {object} Group
 * @property {string} kind
 * @property {Spot} spot what holds the records
 * @property {Root[][]} records
 * @property {string} [start] what the records of a run begin with
 * @property {boolean} [isJoined] whether it is of several tables
 * @property {boolean} [isNested] whether records hold others of their kind
 */

/**
 * @param {Spot} spot
 * @returns {Group[]}
 */
function tablesIn(spot) {
  const role = spot.make.hasRole ? attributeOf(spot.element, "role") : null;
  if (spot.tag === "table" && role !== "presentation" && role !== "none") return tableGroups(spot);
  if (role === "table" || role === "grid" || role === "treegrid") return tableGroups(spot);
  if (spot.kids.length < 3 || !(spot.form.isEven ??= isEven(spot))) return NONE;
  const parts = spot.kids.filter((kid) => !kid.isMeta);
  return [...gridGroups(spot, parts), ...rowGroups(spot, parts)].filter(({ records }) => records.length > 0); // of an advertisement none is left
}

/**
 * Whether the children may be rows, which are all of one tag, or the cells of a grid, which hold little.
 * @param {Spot} spot
 */
function isEven({ kids }) {
  const parts = kids.filter((kid) => !kid.isMeta);
  if (parts.length > 2 && parts.every(({ tag }) => tag === parts[0].tag)) return true;
  return parts.length >= MIN_CELLS && parts.every((kid) => kid.kids.length <= 3);
}

/**
 * Rows of plain elements under a first one that names their columns.
 * @param {Spot} spot
 * @param {Spot[]} rows
 * @returns {Group[]}
 */
function rowGroups(spot, rows) {
  const width = rows.length > 2 ? rows[0].kids.length : 0;
  if (width < 2 || isTabular(spot)) return [];
  const [head, ...others] = rows;
  const names = head.kids.map(sayOf);
  const isNaming = names.every((name) => name.length < 40 && !/\d/.test(name)) && names.filter(Boolean).length > width / 2;
  if (!isNaming || !others[0].kids.length || others.some(({ tag }) => tag !== head.tag)) return [];
  const areEven = others.filter((row) => row.kids.length === width).length >= others.length * 0.8;
  const isMarked = head.classes.join() !== others[0].classes.join() || head.kids[0].classes.join() !== others[0].kids[0].classes.join() || head.kids[0].tag !== others[0].kids[0].tag;
  if (!areEven || !isMarked || head.hasText || new Set(names).size < names.length) return [];
  const grid = rows.filter((row) => row.kids.length === width).map((row) => row.kids.map((it) => ({ spot: it, isHead: false, isFirst: true })));
  return [{ kind: "table", spot, records: recordsOf(grid, 1, width) }];
}

/**
 * The rows of a table, not those of tables in it.
 * @param {Spot} spot
 * @returns {Generator<Spot>}
 */
function* rowsIn(spot) {
  for (const kid of spot.kids) {
    if (matches(kid.element, ROWLIKE)) yield kid;
    else if (kid.tag !== "table") yield* rowsIn(kid);
  }
}

/** @param {Spot} spot */
function tableGroups(spot) {
  const rows = [...rowsIn(spot)].filter((row) => row.kids.length > 0);
  if (rows.length < 2) return [];
  const grid = gridOf(rows);
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
 * Whether a row begins with what may be its name.
 * @param {Cell[]} row
 */
function isNamed(row) {
  const text = row[0] ? sayOf(row[0].spot) : "";
  return text.length < 40 && WORDLIKE.test(text) && !/\d{2}/.test(text);
}

/**
 * Lay the rows out on a grid, so that cells which span several columns or rows are in each of them.
 * @param {Spot[]} rows
 * @returns {Cell[][]}
 */
function gridOf(rows) {
  const grid = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const spot of row.kids) {
      while (grid[y][x]) x++;
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
 * @param {Spot} spot
 * @param {string} name
 * @param {number} [all] what 0 stands for
 */
function spanOf(spot, name, all = 1) {
  const span = Number(attributeOf(spot.element, name) ?? attributeOf(spot.element, `aria-${name}`) ?? 1);
  if (span === 0) return all;
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_SPAN) : 1;
}

/**
 * How many rows at the top are heads.
 * @param {Spot[]} rows
 * @param {Cell[][]} grid
 */
function headRows(rows, grid) {
  let top = 0;
  while (top < rows.length - 1 && (rows[top].parent.tag === "thead" || grid[top].every((cell) => !cell || cell.isHead))) top++;
  if (top > 0) return top;
  const texts = (row) => row.map((cell) => (cell ? sayOf(cell.spot) : ""));
  const [first, ...others] = grid.slice(0, 12).map(texts);
  const isNaming = first.every((text) => text.length < 40 && !/\d/.test(text)) && new Set(first).size === first.length;
  const isBold = grid[0].every(({ spot }) => spot.kids.length === 1 && /^(b|strong)$/.test(spot.kids[0].tag));
  const differs = first.some((_, x) => others.length > 1 && others.every((row) => /\d/.test(row[x] ?? "")));
  const isClassed = /head/i.test(rows[0].classes.join(" "));
  return isNaming && first.filter(Boolean).length > 1 && (isBold || isClassed || (differs && first.length > 2)) ? 1 : 0;
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
    const { parent } = (row.find((cell) => cell?.isFirst) ?? row[0]).spot; // the first cell may reach down from a row before
    if ((top && isHeading(row)) || isAdvert(parent)) continue;
    const roots = row.map((cell, x) => cell && { spot: cell.spot, slot: `col${x}`, heads: heads[x] }).filter(Boolean);
    const once = roots.filter(({ spot }, at) => roots.findIndex((root) => root.spot === spot) === at);
    if (section.spot) once.push({ spot: section.spot, slot: "section", heads: [] });
    if (once.length) records.push([...once, ...rowShell(parent)]);
  }
  return records;
}

/**
 * A row for what its attributes say of it.
 * @param {Spot} row
 * @returns {Root[]}
 */
function rowShell(row) {
  return isSaid(row) ? [{ spot: row, slot: "row", heads: [], isShell: true }] : [];
}

/**
 * Whether one cell fills a row, as a title between rows does.
 * @param {Cell[]} row
 * @param {number} width
 */
function isDivider(row, width) {
  return width > 1 && row.length > 0 && row.every((cell) => cell && cell.spot === row[0].spot);
}

/**
 * The heads over a column, from the top down.
 * @param {Cell[][]} grid
 * @param {number} top
 * @param {number} x
 */
function headsAt(grid, top, x) {
  const texts = grid.slice(0, top).map((row) => (row[x] ? headOf(row[x].spot) : ""));
  return [...new Set(texts)].filter(Boolean);
}

/**
 * What a head says, in full where it is short for something.
 * @param {Spot} spot
 */
function headOf(spot) {
  for (const it of under(spot)) {
    const full = attributeOf(it.element, "title") ?? attributeOf(it.element, "abbr");
    if (full && full.length <= MAX_LABEL) return squash(full);
  }
  return sayOf(spot) || (attributeOf(spot.element, "aria-label") ?? "");
}

/**
 * The columns of a table whose rows have heads, as records.
 * @param {Cell[][]} grid
 * @param {number} width
 * @returns {Root[][]}
 */
function turnedRecords(grid, width) {
  const lines = grid.filter((row) => !isDivider(row, width));
  const slots = lines.map((row) => (row[0] ? [sayOf(row[0].spot)].filter(Boolean) : []));
  return Array.from({ length: width - 1 }, (_, x) =>
    lines.flatMap((row, y) => (row[x + 1] ? [{ spot: row[x + 1].spot, slot: `row${y}`, heads: slots[y] }] : [])),
  );
}

/**
 * A grid whose cells are all children of one element, its columns being those of the layout.
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
  const naming = grid[0].every(({ spot: cell }) => !/\d/.test(sayOf(cell)) && sayOf(cell).length < 40);
  const isMarked = grid[0].every(({ spot: cell }) => cell.classes.join() !== grid[1].at(-1).spot.classes.join() || cell.tag !== grid[1].at(-1).spot.tag);
  const top = naming && isMarked ? 1 : 0;
  return top ? [{ kind: "table", spot, records: recordsOf(grid, top, width) }] : [];
}

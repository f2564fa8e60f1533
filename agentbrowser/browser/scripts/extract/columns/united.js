/** Unification of columns that a state or their depth has split, and selection of the columns to report. */

import { addToList } from "../../dom/memo.js";
import { EMPTY_LIST } from "../page/patterns.js";

/** @import { Column } from "./columns.js" */

const MAX_FIELDS = 90;

/**
 * Return unions of columns at one position that never occur together, as their class is a state; and of one kind of
 * element at different depths.
 * @param {Column[]} columns
 * @param {number} total of the rows
 * @returns {Column[]}
 */
export function unitedColumns(columns, total) {
  const byPath = new Map();
  const byLeaf = new Map();
  const placed = columns.filter(({ isMany, isPlace }) => isPlace && !isMany);
  if (placed.every(({ rows }) => rows.length === total)) return EMPTY_LIST;
  for (const column of placed) {
    addToList(byPath, column.path, column);
    const leaf = leafOf(column.key);
    if (leaf) addToList(byLeaf, leaf, column);
  }
  const isOfSeveralPaths = ([first, ...others]) => others.some(({ path }) => path !== first.path);
  const alike = [...byPath.values(), ...[...byLeaf.values()].filter(isOfSeveralPaths)];
  return alike.filter((group) => group.length > 1 && group.length < 12).flatMap((group) => unite(group, total));
}

/**
 * Return the end of a position from the last step with a class name; "" without one.
 * @param {string} key
 */
function leafOf(key) {
  const steps = key.split(">");
  const last = steps.findLastIndex((step) => /^[\w-]+\./.test(step));
  const isStruck = steps.some((step) => /^(del|s|strike)[. ]/.test(`${step} `));
  return last < 1 ? "" : `${isStruck ? "struck " : ""}${steps.slice(last).join(">")}`;
}

/**
 * @param {Column[]} group
 * @param {number} total of the rows
 */
function unite(group, total) {
  const left = group.filter(({ rows }) => rows.length < total);
  const made = [];
  while (left.length > 1) {
    const first = left.shift();
    const shares = (other) => [...other.classes].filter((name) => first.classes.has(name)).length;
    const others = [...left].sort((one, two) => shares(two) - shares(one));
    const parts = [first];
    const rows = new Set(first.rows);
    for (const other of others) {
      if (other.rows.some((row) => rows.has(row))) continue;
      other.rows.forEach((row) => rows.add(row));
      parts.push(other);
      left.splice(left.indexOf(other), 1);
    }
    if (parts.length > 1) made.push(joinedColumn(parts));
  }
  return made;
}

/**
 * @param {Column[]} parts
 * @returns {Column}
 */
export function joinedColumn(parts) {
  /** @type {any[][]} */
  const cells = parts.flatMap(({ rows, texts, spots }) => rows.map((row, at) => [row, texts[at], spots[at]]));
  cells.sort((one, two) => one[0] - two[0]);
  const [rows, texts, spots] = [0, 1, 2].map((part) => cells.map((cell) => cell[part]));
  const labels = new Map(parts.flatMap((part) => [...part.labels]));
  return { ...parts[0], key: `${parts[0].key}+`, labels, hints: parts.flatMap((part) => part.hints).slice(0, 16), rows, texts, spots };
}

/**
 * Return the columns to report: those of a position of their own, then those that most records have.
 * @param {Column[]} columns
 */
export function mostComplete(columns) {
  if (columns.length <= MAX_FIELDS) return columns;
  const standing = (column) => Number(column.isPlace || column.isMany || false);
  const ranked = [...columns].sort((one, two) => standing(two) - standing(one) || two.rows.length - one.rows.length);
  const kept = new Set(ranked.slice(0, MAX_FIELDS));
  return columns.filter((column) => kept.has(column));
}

/** Patterns of names: the parts that the names of repeated rows share. */

import { increment } from "../dom/memo.js";
import { shorten } from "../dom/nodes.js";
import { MAX_NAME } from "./element_fields.js";

/** The names of a column are fixed if there are few values, or if most rows share one. */
const FEW_VALUES = 3;
const MOST = 0.75;

/** @param {string[]} names of one column */
export function isFixed(names) {
  const counts = new Map();
  for (const name of names) increment(counts, name);
  return counts.size <= FEW_VALUES || Math.max(...counts.values()) >= MOST * names.length;
}

/**
 * Return the shared pattern of names: all, or beginning and end.
 * @param {string[]} names
 * @returns {string|undefined}
 */
export function pattern([first, ...others]) {
  let start = first.length;
  let end = first.length;
  for (const name of others) {
    start = sharedStart(first, name, start);
    end = sharedEnd(first, name, end);
  }
  if (start === first.length && others.every((name) => name.length === start)) return first || undefined;
  const head = first.slice(0, start).match(/^.*[\s:#(]/su)?.[0] ?? "";
  const tail = first.slice(Math.max(head.length, first.length - end)).match(/[\s:)].*$/su)?.[0] ?? "";
  return head.trim() || tail.trim() ? shorten(`${head}…${tail}`, MAX_NAME) : undefined;
}

/**
 * @param {string} one
 * @param {string} other
 * @param {number} limit
 */
function sharedStart(one, other, limit) {
  let length = 0;
  while (length < limit && one[length] === other[length] && length < other.length) length++;
  return length;
}

/**
 * @param {string} one
 * @param {string} other
 * @param {number} limit
 */
function sharedEnd(one, other, limit) {
  let length = 0;
  while (length < limit && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length++;
  return length;
}

/** Columns as plain data, with shared lists. */

import { getOrCompute } from "../../dom/memo.js";
import { MAX_HEADING } from "../page/patterns.js";
import { newList } from "../page/structure.js";

/** @import { Label } from "../page/labels.js" */
/** @import { Column } from "./columns.js" */

/** The least share of the values that a label must have. */
const USUAL = 0.25;

/**
 * @param {Column} column
 * @param {number} total
 * @param {Pack} pack
 */
export function plainColumn({ key, kind, tag, hints, labels, heads, isMany, rows, texts, spots }, total, pack) {
  const isAll = !isMany && rows.length === total;
  return {
    ...{ key, kind, tag, hints: [...new Set(hints)], heads: heads.map((head) => head.slice(0, MAX_HEADING)), isMany },
    labels: reportedLabels(labels, rows.length, total),
    rows: isAll ? undefined : rows,
    texts: pack.addTexts(texts),
    spots: pack.add(stepped(spots)),
  };
}

/**
 * Return the labels to report: plain names, and labels of many values.
 * @param {Map<Label, number>} labels
 * @param {number} count of the values
 * @param {number} total of the rows
 */
function reportedLabels(labels, count, total) {
  const reported = [];
  labels.forEach((seen, label) => {
    if (label[0] === "k" || (seen / count >= USUAL && (seen > 1 || total < 3))) reported.push([label, seen]);
  });
  return reported;
}

/**
 * Return an arithmetic sequence as start, step and length; other numbers unchanged.
 * @param {number[]} numbers
 * @returns {number[]|[[number, number, number]]}
 */
function stepped(numbers) {
  const step = numbers[1] - numbers[0];
  if (numbers.length < 4 || step <= 0) return numbers;
  for (let at = 2; at < numbers.length; at++) if (numbers[at] - numbers[at - 1] !== step) return numbers;
  return [[numbers[0], step, numbers.length]];
}

/**
 * Return a single repeated text with its count; other texts unchanged.
 * @param {string[]} texts
 * @returns {string[]|[[string, number]]}
 */
function repeated(texts) {
  if (texts.length < 4) return texts;
  for (let at = 1; at < texts.length; at++) if (texts[at] !== texts[0]) return texts;
  return [[texts[0], texts.length]];
}

/** Lists that several columns share. */
export class Pack {
  constructor() {
    /** @type {any[][]} */
    this.series = [];
    /** @type {Map<string, number[]>} */
    this.places = new Map();
    /** The size of the texts. */
    this.size = 0;
  }

  /**
   * @param {string[]} texts
   * @returns {number} their place
   */
  addTexts(texts) {
    const known = this.series.length;
    const place = this.add(repeated(texts));
    if (place === known) this.size += sizeOfTexts(texts);
    return place;
  }

  /**
   * @param {any[]} list
   * @returns {number} its place
   */
  add(list) {
    const places = getOrCompute(this.places, `${list.length} ${typeof list[0]} ${list[0]} ${list.at(-1)}`, newList);
    for (const place of places) if (isSameList(this.series[place], list)) return place;
    places.push(this.series.length);
    return this.series.push(list) - 1;
  }
}

/**
 * @param {any[]} one
 * @param {any[]} other
 * @returns {boolean}
 */
function isSameList(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at] && (typeof one[at] !== "object" || !isSameList(one[at], other[at]))) return false;
  }
  return true;
}

/** @param {string[]} texts */
export function sizeOfTexts(texts) {
  let size = 8 * texts.length;
  for (let at = 0; at < texts.length; at++) size += texts[at].length;
  return size;
}

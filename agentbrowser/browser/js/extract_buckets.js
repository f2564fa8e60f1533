"use strict";
/** The values that stand at one place in the records of a group, before they are made a column. */

const LABELLED = new Set(["text", "checked", "value", "datetime", "content"]);
/** How many values of a column are asked for what stands around them. */
const MAX_ASKED = 16;
/** Its multiples without their whole parts are spread evenly, and in step with nothing that repeats. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The values that stand at one place in the records, and, at the same places of other lists, what is known of each.
 * @typedef {object} Bucket
 * @property {string} base
 * @property {string} path the place without class names
 * @property {number[]} rows
 * @property {Value[]} values
 * @property {Root[]} roots what they are in
 * @property {(readonly Label[])[]|null} labels those of parts; null where they are looked for around the values
 * @property {boolean} isSingle whether no row has several
 * @property {Map<number, string>|null} own the texts that stand directly in their elements, where that makes a difference
 * @property {Map<number, string>|null} plain the texts without what no reader takes for a part of them, where it does
 * @property {"own"|"plain"|""} way how its texts are read
 */

/**
 * A value with what stands around it and over it.
 * @typedef {object} Reading
 * @property {Value} value
 * @property {readonly Label[]} labels
 * @property {string[]} heads
 */

/**
 * @param {string} base
 * @param {string} path
 * @returns {Bucket}
 */
function newBucket(base, path) {
  return { base, path, rows: [], values: [], roots: [], labels: null, isSingle: true, own: null, plain: null, way: "" };
}

/**
 * A bucket of texts with these read in another way.
 * @param {Bucket} bucket
 * @param {"own"|"plain"} way
 * @returns {Bucket}
 */
function variantOf(bucket, way) {
  const base = `${bucket.base.slice(0, bucket.base.lastIndexOf(" "))} ${way}`;
  const path = `${bucket.path.slice(0, -"text".length)} ${way}`;
  return { ...bucket, base, path, way };
}

/**
 * @param {Bucket} bucket
 * @param {number} at
 */
function textAt(bucket, at) {
  const { text } = bucket.values[at];
  return bucket.way ? bucket[bucket.way].get(at) ?? text : text;
}

/**
 * @param {Bucket} bucket
 * @param {number} at
 * @returns {Value}
 */
function valueAt(bucket, at) {
  const value = bucket.values[at];
  return bucket.way ? { spot: value.spot, kind: "own", text: textAt(bucket, at) } : value;
}

/**
 * What stands around a value in its record.
 * @param {Bucket} bucket
 * @param {number} at
 */
function labelsAt({ values, roots, labels }, at) {
  if (labels) return labels[at];
  const [value, root] = [values[at], roots[at]];
  const found = LABELLED.has(value.kind) ? labelsFor(value, root.spot) : NONE;
  return found.length > 2 && root.slot && value.spot !== root.spot ? found.slice(0, 2) : found;
}

/**
 * Count the labels that stand with the values: of many values with some of them, for the others as these say.
 * @param {Bucket} bucket
 * @param {Map<string, number>} counts
 */
function countLabels(bucket, counts) {
  const total = bucket.values.length;
  const asked = total < 2 * MAX_ASKED ? total : MAX_ASKED; // of fewer the places would not all differ
  for (let turn = 0; turn < asked; turn++) {
    const labels = labelsAt(bucket, total > asked ? Math.floor(((turn * GOLDEN) % 1) * total) : turn);
    for (let place = 0; place < labels.length; place++) increment(counts, labels[place]);
  }
  if (total > asked) for (const [label, count] of counts) counts.set(label, Math.round((count * total) / asked));
}

/**
 * @param {Bucket} bucket
 * @returns {Reading[]}
 */
function readingsOf(bucket) {
  return bucket.rows.map((_, at) => ({ value: valueAt(bucket, at), labels: labelsAt(bucket, at), heads: bucket.roots[at].heads }));
}

/**
 * The entries of each row together.
 * @param {number[]} rows
 * @param {Reading[]} entries
 */
function byRow(rows, entries) {
  const found = [];
  rows.forEach((row, at) => {
    if (found.at(-1)?.row === row) found.at(-1).entries.push(entries[at]);
    else found.push({ row, entries: [entries[at]] });
  });
  return found;
}

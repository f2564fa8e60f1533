/** The values that stand at one place in the records of a group, before they are made a column. */

import { increment } from "../../dom/memo.js";
import { labelsFor } from "../page/labels.js";
import { EMPTY_LIST } from "../page/patterns.js";

/** @import { Label } from "../page/labels.js" */
/** @import { Spot } from "../page/walk.js" */
/** @import { Root } from "./columns.js" */

const LABELLED = new Set(["text", "own", "checked", "value", "datetime", "content"]);
/** How many values of a column are asked for what stands around them. */
const MAX_ASKED = 16;
/** Its multiples without their whole parts are spread evenly, and in step with nothing that repeats. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * An element where it stands in a record.
 * @typedef {object} Sighting
 * @property {number} turn how many of the group were seen before it
 * @property {number} row
 * @property {Spot} spot
 * @property {Root} root what it is in
 */

/**
 * The values of one kind that stand at one place in the records, and, at the same places of other lists, what is known of each.
 * @typedef {object} Bucket
 * @property {string} base
 * @property {string} path the place without class names
 * @property {string} kind
 * @property {string} name its kind, or that it is of whole cells
 * @property {Sighting[]} sightings
 * @property {string[]} texts
 * @property {(readonly Label[])[]|null} labels those of parts; null where they are looked for around the values
 * @property {boolean} isSingle true if no row has several
 * @property {Map<number, string>|null} own the texts that stand directly in their elements, where that makes a difference
 * @property {Map<number, string>|null} plain the texts without what no reader takes for a part of them, where it does
 * @property {"own"|"plain"|""} way how its texts are read
 */

/**
 * A value with what stands around it.
 * @typedef {object} Reading
 * @property {Sighting} sighting
 * @property {string} kind
 * @property {string} text
 * @property {readonly Label[]} labels
 */

/**
 * @param {string} base
 * @param {string} path
 * @param {string} kind
 * @param {string} name
 * @returns {Bucket}
 */
export function newBucket(base, path, kind, name) {
  return { base, path, kind, name, sightings: [], texts: [], labels: null, isSingle: true, own: null, plain: null, way: "" };
}

/**
 * @param {Bucket} bucket
 * @param {Sighting} sighting
 * @param {string} text
 */
export function putIn(bucket, sighting, text) {
  const { sightings } = bucket;
  if (sightings.length && sightings[sightings.length - 1].row >= sighting.row) bucket.isSingle = false;
  sightings.push(sighting);
  bucket.texts.push(text);
}

/**
 * Note the last text of a bucket in another way, if that makes a difference.
 * @param {Bucket} bucket
 * @param {"own"|"plain"} way
 * @param {string} text
 * @param {string} other
 */
export function vary(bucket, way, text, other) {
  if (text !== other) (bucket[way] ??= new Map()).set(bucket.texts.length - 1, other);
}

/**
 * Return a bucket of texts with these read in another way.
 * @param {Bucket} bucket
 * @param {"own"|"plain"} way
 * @returns {Bucket}
 */
export function variantOf(bucket, way) {
  const base = `${bucket.base.slice(0, bucket.base.lastIndexOf(" "))} ${way}`;
  const path = `${bucket.path.slice(0, -"text".length)} ${way}`;
  return { ...bucket, base, path, kind: "own", way };
}

/**
 * @param {Bucket} bucket
 * @param {number} at
 */
export function textAt(bucket, at) {
  const text = bucket.texts[at];
  return bucket.way ? bucket[bucket.way].get(at) ?? text : text;
}

/**
 * What stands around a value in its record.
 * @param {Bucket} bucket
 * @param {number} at
 */
function labelsAt({ kind, sightings, labels }, at) {
  if (labels) return labels[at];
  const { spot, root } = sightings[at];
  const found = LABELLED.has(kind) ? labelsFor(spot, kind, root.spot) : EMPTY_LIST;
  return found.length > 2 && root.slot && spot !== root.spot ? found.slice(0, 2) : found;
}

/**
 * Count the labels that stand with the values: of many values with some of them, for the others as these say.
 * @param {Bucket} bucket
 * @param {Map<string, number>} counts
 */
export function countLabels(bucket, counts) {
  const total = bucket.texts.length;
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
export function readingsOf(bucket) {
  return bucket.sightings.map((sighting, at) => ({ sighting, kind: bucket.kind, text: textAt(bucket, at), labels: labelsAt(bucket, at) }));
}

/**
 * Return the readings of each row together.
 * @param {Reading[]} readings
 */
export function byRow(readings) {
  const found = [];
  for (const reading of readings) {
    const last = found.at(-1);
    if (last?.[0].sighting.row === reading.sighting.row) last.push(reading);
    else found.push([reading]);
  }
  return found;
}

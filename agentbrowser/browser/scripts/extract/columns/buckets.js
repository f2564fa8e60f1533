/** Buckets: the values at one position in the records of a group, before they become a column. */

import { increment } from "../../dom/memo.js";
import { labelsFor } from "../page/labels.js";
import { EMPTY_LIST } from "../page/patterns.js";

/** @import { Label } from "../page/labels.js" */
/** @import { Spot } from "../page/walk.js" */
/** @import { Root } from "./columns.js" */

const LABELLED = new Set(["text", "own", "checked", "value", "datetime", "content"]);
/** The number of values of a column whose surroundings are read. */
const MAX_SAMPLED = 16;
/** The fractional parts of its multiples are spread evenly, and in step with nothing that repeats. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * An element at its position in a record.
 * @typedef {object} Sighting
 * @property {number} turn number of sightings in the group before it
 * @property {number} row
 * @property {Spot} spot
 * @property {Root} root the root that holds it
 */

/**
 * The values of one kind at one position in the records. The lists run in parallel.
 * @typedef {object} Bucket
 * @property {string} base
 * @property {string} path the position without class names
 * @property {string} kind
 * @property {string} name its kind, or `whole` for whole cells
 * @property {Sighting[]} sightings
 * @property {string[]} texts
 * @property {(readonly Label[])[]|null} labels labels of parts; null where the surroundings of the values have them
 * @property {boolean} isSingle true if no row has several
 * @property {Map<number, string>|null} own texts without those of child elements, where these differ
 * @property {Map<number, string>|null} plain texts without notes, struck-out and screen reader text, where these differ
 * @property {"own"|"plain"|""} way reading of its texts
 */

/**
 * A value with the labels around it.
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
 * Store another reading of the last text, if it differs.
 * @param {Bucket} bucket
 * @param {"own"|"plain"} way
 * @param {string} text
 * @param {string} other
 */
export function vary(bucket, way, text, other) {
  if (text !== other) (bucket[way] ??= new Map()).set(bucket.texts.length - 1, other);
}

/**
 * Return the bucket with another reading of its texts.
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
 * Return the labels around a value in its record.
 * @param {Bucket} bucket
 * @param {number} at
 */
function labelsAt({ kind, sightings, labels }, at) {
  if (labels) return labels[at];
  const { spot, root } = sightings[at];
  const around = LABELLED.has(kind) ? labelsFor(spot, kind, root.spot) : EMPTY_LIST;
  return around.length > 2 && root.slot && spot !== root.spot ? around.slice(0, 2) : around;
}

/**
 * Count the labels around the values. Of many values, sample some, and scale the counts up.
 * @param {Bucket} bucket
 * @param {Map<string, number>} counts
 */
export function countLabels(bucket, counts) {
  const total = bucket.texts.length;
  const sampled = total < 2 * MAX_SAMPLED ? total : MAX_SAMPLED; // for fewer values, samples would coincide
  for (let turn = 0; turn < sampled; turn++) {
    const labels = labelsAt(bucket, total > sampled ? Math.floor(((turn * GOLDEN) % 1) * total) : turn);
    for (let place = 0; place < labels.length; place++) increment(counts, labels[place]);
  }
  if (total > sampled) for (const [label, count] of counts) counts.set(label, Math.round((count * total) / sampled));
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
  const rows = [];
  for (const reading of readings) {
    const last = rows.at(-1);
    if (last?.[0].sighting.row === reading.sighting.row) last.push(reading);
    else rows.push([reading]);
  }
  return rows;
}

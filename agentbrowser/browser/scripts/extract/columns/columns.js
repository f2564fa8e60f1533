/** Columns of the values of records: values at the same position belong together. */

import { increment, addToList, getOrCompute } from "../../dom/memo.js";
import { areLinesNamed, runsOf, splitOf } from "../page/labels.js";
import { DIVIDED, partsOf } from "../page/parts.js";
import { EMPTY_LIST, HEADING } from "../page/patterns.js";
import { MAX_MARKED_TEXT, ownTextOf, withoutMarks } from "../page/text_marks.js";
import { hintsFor, readValues, tagHints } from "../page/values.js";
import { textOfSpot } from "../page/walk.js";
import { byRow, countLabels, newBucket, putIn, readingsOf, textAt, variantOf, vary } from "./buckets.js";
import { mostComplete, joinedColumn, unitedColumns } from "./united.js";

/** @import { Spot } from "../page/walk.js" */
/** @import { Bucket, Reading, Sighting } from "./buckets.js" */
/** @import { Layout, Layouts, Position } from "./layouts.js" */

const MIXED = /^(.*>[\w-]+\.[^.>\s]+)\.[^>\s]+ (text|aria|title|alt|href|src)$/;
/** Matches a text that begins with a number: "#101 opened 3 days ago". */
const NUMBERED = /^(#\d+)\s/;
/** A text with a part in parentheses: "Robusta (31)". */
const ENCLOSED = /^([^()]*[^()\s])\s*\(([^()]{1,40})\)$/;
const FIRST = /^(.* text)(\/0|=0|\(0)$/;
/** The greatest number of elements of a group that are read, and of their values. */
const MAX_SEEN = 62_500;
const MAX_NOTED = 250_000;

/**
 * A part of a record: an element, the name of its slot, and the heads over it.
 * @typedef {object} Root
 * @property {Spot} spot
 * @property {string} slot
 * @property {string[]} heads
 * @property {boolean} [isShell] true if only its attributes are read
 */

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} path the position without class names
 * @property {Set<string>} classes
 * @property {string} kind
 * @property {string} tag
 * @property {string[]} hints
 * @property {Map<string, number>} labels
 * @property {number[]} rows
 * @property {string[]} texts
 * @property {number[]} spots
 * @property {boolean} isMany true if a row may have several
 * @property {boolean} [isPlace] true if it holds all values at one position, not a part or a selection
 * @property {any} [heads]
 */

/** Builder of the columns of a group. */
export class Columns {
  /** @param {Layouts} layouts positions in the records */
  constructor(layouts) {
    this.layouts = layouts;
    /** @type {Map<string, Column>} */
    this.byKey = new Map();
    /** @type {Map<string, Bucket>} */
    this.bases = new Map();
    /** @type {Set<Position>} */
    this.places = new Set();
    /** The numbers of the rows. @type {number[]} */
    this.rows = [];
    this.seen = 0;
    this.noted = 0;
  }

  /** @param {Root[]} roots */
  add(roots) {
    const row = this.rows.length;
    this.rows.push(row);
    for (const root of roots) this.visitSpot(row, root.spot, this.layouts.of(root), root);
  }

  /**
   * Store the position of an element, and of all inside it.
   * @param {number} row
   * @param {Spot} spot
   * @param {Layout} layout
   * @param {Root} root
   */
  visitSpot(row, spot, { place, kids }, root) {
    if (this.seen >= MAX_SEEN) return;
    if (place.sightings.length === 0) this.places.add(place);
    place.sightings.push({ turn: this.seen++, row, spot, root });
    if (root.isShell) return;
    for (let at = 0; at < kids.length; at++) if (kids[at]) this.visitSpot(row, spot.kids[at], kids[at], root);
  }

  /**
   * Read the values at one position.
   * @param {Position} place
   */
  readPlace(place) {
    /** @type {Sighting} */
    let sighting;
    let isNamed = false;
    const take = (kind, text) => {
      if (!isNamed || kind !== "text") this.note(place, sighting, kind, text);
    };
    for (sighting of place.sightings) {
      const { spot, root } = sighting;
      isNamed = spot === root.spot && root.slot !== "";
      if (isNamed && !root.isShell && textOfSpot(spot)) this.note(place, sighting, "whole", textOfSpot(spot));
      readValues(spot, take);
    }
  }

  /**
   * @param {Position} place
   * @param {Sighting} sighting
   * @param {string} kind
   * @param {string} text
   */
  note(place, sighting, kind, text) {
    if (this.noted++ >= MAX_NOTED) return;
    const isText = kind === "text" || kind === "whole";
    const bucket = this.bucket(place, kind, isText ? "text" : kind);
    putIn(bucket, sighting, text);
    if (!isText) return;
    const { spot } = sighting;
    if (spot.kids.length) {
      vary(bucket, "own", text, ownTextOf(spot, text));
      vary(bucket, "plain", text, withoutMarks(spot, text));
    }
    if (DIVIDED.test(text) || (spot.hasText && spot.kids.length)) this.split(bucket.base, place.plain, sighting, text);
  }

  /**
   * Return the bucket for values of one kind at one position.
   * @param {Position} place
   * @param {string} name
   * @param {string} kind
   * @returns {Bucket}
   */
  bucket({ named, plain, buckets }, name, kind) {
    for (let at = 0; at < buckets.length; at++) if (buckets[at].name === name) return buckets[at];
    const bucket = this.bucketOf(`${named} ${name}`, plain + kind, kind, name);
    buckets.push(bucket);
    return bucket;
  }

  /**
   * @param {string} base
   * @param {string} path
   * @param {string} kind
   * @param {string} [name]
   * @returns {Bucket}
   */
  bucketOf(base, path, kind, name = "") {
    return getOrCompute(this.bases, base, () => newBucket(base, path, kind, name));
  }

  /**
   * Store the parts of a text.
   * @param {string} base
   * @param {string} plain
   * @param {Sighting} sighting
   * @param {string} text
   */
  split(base, plain, sighting, text) {
    const runs = runsOf(sighting.spot);
    // The colon of a title is none behind a name: "Dune: Part One".
    const whole = HEADING.test(sighting.spot.tag) || areLinesNamed(sighting.spot, runs) ? null : splitOf(text);
    const parts = partsOf(text);
    const enclosed = text.length < MAX_MARKED_TEXT ? ENCLOSED.exec(text) : null;
    const numbered = NUMBERED.exec(text);
    if (!whole && !enclosed && !numbered && parts.length === 0 && runs.length === 0) return;
    const addPart = (suffix, part, labels) => {
      const bucket = this.bucketOf(base + suffix, plain + suffix, "part");
      putIn(bucket, sighting, part);
      (bucket.labels ??= []).push(labels);
    };
    const named = (part, suffix, pair = splitOf(part)) => {
      if (pair) addPart(`:${pair[0]}`, pair[1], [`k${pair[0]}`]);
      else if (suffix) addPart(suffix, part, EMPTY_LIST);
    };
    named(text, "", whole);
    parts.forEach((part, place) => named(part, `/${parts.length > 1 ? place : ""}`));
    if (numbered) addPart("/#", numbered[1], ["knumber"]);
    if (enclosed) [1, 2].forEach((at) => addPart(`(${at - 1}`, enclosed[at], EMPTY_LIST));
    runs.forEach(({ text: run, name }, place) => {
      if (name) addPart(`=${name[0] === "k" ? name : place}`, run, [name]);
      else named(run, `=${place}`);
    });
  }

  /** @returns {Column[]} */
  finish() {
    for (const place of this.places) this.readPlace(place);
    const buckets = [...this.bases.values()].sort((one, two) => one.sightings[0].turn - two.sightings[0].turn);
    for (const bucket of buckets) {
      this.read(bucket);
      if (bucket.own) this.read(variantOf(bucket, "own"));
      if (bucket.plain) this.read(variantOf(bucket, "plain"));
    }
    this.mixed(buckets);
    this.firsts();
    const columns = [...this.byKey.values()];
    return mostComplete(columns.concat(unitedColumns(columns, this.rows.length)));
  }

  /** @param {Bucket} bucket */
  read(bucket) {
    const { base, path, kind, sightings, isSingle } = bucket;
    if (!isSingle) {
      this.several(base, path, byRow(readingsOf(bucket)));
      return;
    }
    if (this.byKey.has(base)) return; // a label of the page can give the same key
    const column = newColumn(base, path, sightings[0], kind, false, kind !== "part");
    column.rows = sightings.length === this.rows.length ? this.rows.slice() : sightings.map(({ row }) => row);
    column.texts = bucket.way ? bucket.texts.map((_, at) => textAt(bucket, at)) : bucket.texts.slice();
    column.spots = sightings.map(({ spot }) => spot.id);
    countLabels(bucket, column.labels);
    this.byKey.set(base, column);
  }

  /** Add columns of the first parts of texts, where only some records have parts: "Monday / 8 pm", "Tuesday". */
  firsts() {
    for (const [key, part] of [...this.byKey]) {
      const whole = this.byKey.get(FIRST.exec(key)?.[1] ?? "");
      if (!whole || part.isMany || part.rows.length >= whole.rows.length || part.rows.length * 2 < whole.rows.length) continue;
      const known = new Set(part.rows);
      const isLeft = (_, at) => !known.has(whole.rows[at]);
      const [rows, texts, spots] = [whole.rows.filter(isLeft), whole.texts.filter(isLeft), whole.spots.filter(isLeft)];
      this.byKey.set(`${key}&`, joinedColumn([part, { ...part, labels: new Map(), hints: [], rows, texts, spots }]));
    }
  }

  /**
   * Join the columns of elements of one kind side by side, whatever their further class names.
   * @param {Bucket[]} all
   */
  mixed(all) {
    const byKind = new Map();
    for (const bucket of all) {
      const found = MIXED.exec(bucket.base);
      if (found) addToList(byKind, `${found[1]} ${found[2]}*`, bucket);
    }
    for (const [key, buckets] of byKind) {
      if (buckets.length < 2) continue;
      const readings = buckets.flatMap(readingsOf);
      readings.sort(({ sighting: one }, { sighting: two }) => one.row - two.row || one.spot.id - two.spot.id);
      for (const reading of readings) this.cell(key, buckets[0].path, reading, true);
    }
  }

  /**
   * Add columns for several values at one position: by label, else by index; all together where the number varies.
   * @param {string} base
   * @param {string} path
   * @param {Reading[][]} rows
   */
  several(base, path, rows) {
    const most = rows.reduce((high, readings) => Math.max(high, readings.length), 0);
    const usual = usualLabels(rows);
    const varies = rows.some((readings) => readings.length !== most);
    for (const readings of rows) {
      const counts = new Map();
      readings.forEach((reading, place) => {
        const label = reading.labels.find((it) => usual.has(it));
        if (label) this.cell(`${base}${label[0] === "k" ? "|" : "?|"}${label}`, path, reading);
        if (place < 12) this.cell(`${base}${varies ? "?" : "#"}${place}`, path, reading, false, !varies && reading.kind !== "part");
        if (varies && place < 12) {
          const shape = shapeOf(reading.text);
          increment(counts, shape);
          this.cell(`${base}~${shape}${counts.get(shape)}`, path, reading);
        }
        this.cell(`${base}*`, path, reading, true);
      });
    }
  }

  /**
   * @param {string} key
   * @param {string} path
   * @param {Reading} reading
   * @param {boolean} [isMany]
   * @param {boolean} [isPlace]
   */
  cell(key, path, { sighting, kind, text, labels }, isMany = false, isPlace = false) {
    let column = this.byKey.get(key);
    if (!column) this.byKey.set(key, (column = newColumn(key, path, sighting, kind, isMany, isPlace)));
    else if (!isMany && column.rows.at(-1) === sighting.row) return;
    for (const label of labels) increment(column.labels, label);
    column.rows.push(sighting.row);
    column.texts.push(text);
    column.spots.push(sighting.spot.id);
  }
}

/**
 * @param {string} key
 * @param {string} path
 * @param {Sighting} sighting
 * @param {string} kind
 * @param {boolean} isMany
 * @param {boolean} isPlace
 * @returns {Column}
 */
function newColumn(key, path, { spot, root }, kind, isMany, isPlace) {
  const [classes, labels, hints] = [new Set(spot.classes), new Map(), [...hintsFor(spot, kind), ...tagHints(spot)]];
  return { key, path, classes, kind, tag: spot.tag, hints, labels, heads: root.heads, isMany, isPlace, rows: [], texts: [], spots: [] };
}

/** @param {Reading[][]} rows */
function usualLabels(rows) {
  const counts = new Map();
  for (const readings of rows) for (const { labels } of readings) for (const label of labels) increment(counts, label);
  const least = Math.max(2, rows.length * 0.25);
  // A plain name counts where few have it; adjacent text must be there nearly always.
  const isUsual = ([label, count]) => (label[0] === "k" ? count >= least : /[qab]/.test(label[0]) && count >= Math.max(2, rows.length * 0.6));
  return new Set([...counts].filter(isUsual).map(([label]) => label));
}

/** @param {string} text */
function shapeOf(text) {
  if (/[$€£¥₹₽₩₺]|\b(usd|eur|gbp|chf|zł|kr|kč)\b/i.test(text)) return "money";
  if (/^\D{0,3}\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(text)) return "date";
  if (/\d/.test(text)) return /^\W{0,3}\d[\d.,\s]*\W{0,3}$/.test(text) ? "number" : "mixed";
  return "words";
}

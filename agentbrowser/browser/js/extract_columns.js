"use strict";
/** The values of repeated things, put into columns: what stands at the same place of each belongs together. */

const MIXED = /^(.*>[\w-]+\.[^.>\s]+)\.[^>\s]+ (text|aria|title|alt|href|src)$/;
/** "Robusta (31)", in two. */
const ENCLOSED = /^([^()]*[^()\s])\s*\(([^()]{1,40})\)$/;
const FIRST = /^(.* text)(\/0|=0|\(0)$/;
const MAX_CELLS = 250_000;

/**
 * A part of a record: an element, the name of its place, and the heads over it.
 * @typedef {object} Root
 * @property {Spot} spot
 * @property {string} slot
 * @property {string[]} heads
 * @property {boolean} [isShell] whether it is there for its attributes alone
 */

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} path the place without class names
 * @property {Set<string>} classes
 * @property {string} kind
 * @property {string} tag
 * @property {string[]} hints
 * @property {Map<string, number>} labels
 * @property {number[]} rows
 * @property {string[]} texts
 * @property {number[]} spots
 * @property {boolean} isMany whether a row may have several
 * @property {boolean} [isPlace] whether it is all that stands at one place, and not a part or a choice of it
 * @property {any} [heads]
 */

/** Puts the values of records into columns. */
class Columns {
  /**
   * @param {{cells: number}} room
   * @param {Layouts} layouts where what stands in the records
   */
  constructor(room, layouts) {
    this.room = room;
    this.layouts = layouts;
    /** @type {Map<string, Column>} */
    this.byKey = new Map();
    /** @type {Map<string, Bucket>} */
    this.bases = new Map();
    this.rows = 0;
  }

  /** @param {Root[]} roots */
  add(roots) {
    const row = this.rows++;
    for (const root of roots) {
      const { spot, slot } = root;
      const layout = this.layouts.of(root);
      if (slot && !root.isShell) this.note(row, { spot, kind: "text", text: sayOf(spot) }, layout.place, root, true);
      for (const value of valuesOf(spot)) if (!slot || value.kind !== "text") this.note(row, value, layout.place, root, false);
      if (!root.isShell) this.addKids(row, spot, layout, root);
    }
  }

  /**
   * @param {number} row
   * @param {Spot} spot
   * @param {Layout} layout
   * @param {Root} root
   */
  addKids(row, { kids }, layout, root) {
    for (let at = 0; at < kids.length; at++) {
      const inner = layout.kids[at];
      if (!inner) continue;
      const values = valuesOf(kids[at]);
      for (let place = 0; place < values.length; place++) this.note(row, values[place], inner.place, root, false);
      this.addKids(row, kids[at], inner, root);
    }
  }

  /**
   * @param {number} row
   * @param {Value} value
   * @param {Position} place
   * @param {Root} root
   * @param {boolean} isWhole
   */
  note(row, value, place, root, isWhole) {
    const { spot, kind, text } = value;
    if (!text || this.room.cells <= 0) return;
    const bucket = this.bucket(place, isWhole ? "whole" : kind, kind);
    this.put(bucket, row, value, root);
    if (kind !== "text") return;
    if (spot.kids.length) {
      this.vary(bucket, "own", text, ownOf(value));
      this.vary(bucket, "plain", text, unmarred(value));
    }
    if (DIVIDED.test(text) || (spot.hasText && spot.kids.length)) this.split(bucket.base, row, value, place.plain, root);
  }

  /**
   * The values of one kind that stand at one place.
   * @param {Position} place
   * @param {string} kind
   * @param {string} suffix what tells its path
   * @returns {Bucket}
   */
  bucket({ named, plain, buckets }, kind, suffix) {
    let bucket = buckets.get(kind);
    if (!bucket) buckets.set(kind, (bucket = this.bucketOf(`${named} ${kind}`, plain + suffix)));
    return bucket;
  }

  /**
   * @param {string} base
   * @param {string} path
   * @returns {Bucket}
   */
  bucketOf(base, path) {
    return recall(this.bases, base, () => newBucket(base, path));
  }

  /**
   * Note the text of the last value of a bucket in another way, if that makes a difference.
   * @param {Bucket} bucket
   * @param {"own"|"plain"} way
   * @param {string} text
   * @param {string} other
   */
  vary(bucket, way, text, other) {
    if (text === other) return;
    (bucket[way] ??= new Map()).set(bucket.rows.length - 1, other);
    this.room.cells -= 1;
  }

  /**
   * @param {string} base
   * @param {number} row
   * @param {Value} value
   * @param {string} plain
   * @param {Root} root
   */
  split(base, row, value, plain, root) {
    const { spot, text } = value;
    const whole = splitOf(text);
    const parts = partsOf(text);
    const enclosed = text.length < MAX_MARRED ? ENCLOSED.exec(text) : null;
    const runs = runsOf(spot);
    if (!whole && !enclosed && parts.length === 0 && runs.length === 0) return;
    const sub = (suffix, part, labels) => {
      const bucket = this.bucketOf(base + suffix, plain + suffix);
      this.put(bucket, row, { spot, kind: "part", text: part }, root);
      (bucket.labels ??= []).push(labels);
    };
    const named = (part, suffix, pair = splitOf(part)) => {
      if (pair) sub(`:${pair[0]}`, pair[1], [`k${pair[0]}`]);
      else if (suffix) sub(suffix, part, NONE);
    };
    named(text, "", whole);
    parts.forEach((part, place) => named(part, `/${parts.length > 1 ? place : ""}`));
    if (enclosed) [1, 2].forEach((at) => sub(`(${at - 1}`, enclosed[at], NONE));
    runs.forEach(({ text: run, name }, place) => {
      if (name) sub(`=${name[0] === "k" ? name : place}`, run, [name]);
      else named(run, `=${place}`);
    });
  }

  /**
   * @param {Bucket} bucket
   * @param {number} row
   * @param {Value} value
   * @param {Root} root
   */
  put(bucket, row, value, root) {
    const { rows } = bucket;
    if (rows.length && rows[rows.length - 1] === row) bucket.isSingle = false;
    rows.push(row);
    bucket.values.push(value);
    bucket.roots.push(root);
    this.room.cells -= 1;
  }

  /** @returns {Column[]} */
  finish() {
    for (const bucket of this.bases.values()) {
      this.read(bucket);
      if (bucket.own) this.read(variantOf(bucket, "own"));
      if (bucket.plain) this.read(variantOf(bucket, "plain"));
    }
    this.mixed();
    this.firsts();
    const columns = [...this.byKey.values()];
    return foremost(columns.concat(united(columns)));
  }

  /** @param {Bucket} bucket */
  read(bucket) {
    const { base, path, rows, values, roots, isSingle } = bucket;
    if (!isSingle) {
      this.several(base, path, byRow(rows, readingsOf(bucket)));
      return;
    }
    if (this.byKey.has(base)) return; // as a label on the page may have it
    const column = newColumn(base, path, valueAt(bucket, 0), roots[0].heads, false, values[0].kind !== "part");
    column.rows = [...rows];
    column.texts = values.map((_, at) => textAt(bucket, at));
    column.spots = values.map(({ spot }) => spot.id);
    countLabels(bucket, column.labels);
    this.byKey.set(base, column);
  }

  /** The first parts of texts that only some records have in parts, those in one piece among them: "Monday / 8 pm", "Tuesday". */
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

  /** Put together what stands side by side in one kind of element, whatever else its class names say. */
  mixed() {
    const byKind = new Map();
    for (const bucket of this.bases.values()) {
      const found = MIXED.exec(bucket.base);
      if (found) index(byKind, `${found[1]} ${found[2]}*`, bucket);
    }
    for (const [key, buckets] of byKind) {
      if (buckets.length < 2) continue;
      const cells = buckets.flatMap((bucket) => readingsOf(bucket).map((entry, at) => ({ row: bucket.rows[at], entry })));
      cells.sort((one, two) => one.row - two.row || one.entry.value.spot.id - two.entry.value.spot.id);
      for (const { row, entry } of cells) this.cell(key, buckets[0].path, row, entry, true);
    }
  }

  /**
   * Several values at one place: told apart by their labels, else counted; all together where the count varies.
   * @param {string} base
   * @param {string} path
   * @param {{row: number, entries: Reading[]}[]} rows
   */
  several(base, path, rows) {
    const most = rows.reduce((high, { entries }) => Math.max(high, entries.length), 0);
    const usual = usualLabels(rows);
    const varies = rows.some(({ entries }) => entries.length !== most);
    for (const { row, entries } of rows) {
      const counts = new Map();
      entries.forEach((entry, place) => {
        const label = entry.labels.find((it) => usual.has(it));
        if (label) this.cell(`${base}${label[0] === "k" ? "|" : "?|"}${label}`, path, row, entry);
        if (place < 12) this.cell(`${base}${varies ? "?" : "#"}${place}`, path, row, entry, false, !varies && entry.value.kind !== "part");
        if (varies && place < 12) {
          const shape = shapeOf(entry.value.text);
          increment(counts, shape);
          this.cell(`${base}~${shape}${counts.get(shape)}`, path, row, entry);
        }
        this.cell(`${base}*`, path, row, entry, true);
      });
    }
  }

  /**
   * @param {string} key
   * @param {string} path
   * @param {number} row
   * @param {Reading} entry
   * @param {boolean} [isMany]
   * @param {boolean} [isPlace]
   */
  cell(key, path, row, entry, isMany = false, isPlace = false) {
    let column = this.byKey.get(key);
    if (!column) this.byKey.set(key, (column = newColumn(key, path, entry.value, entry.heads, isMany, isPlace)));
    else if (!isMany && column.rows.at(-1) === row) return;
    for (const label of entry.labels) increment(column.labels, label);
    column.rows.push(row);
    column.texts.push(entry.value.text);
    column.spots.push(entry.value.spot.id);
  }
}

/**
 * @param {string} key
 * @param {string} path
 * @param {Value} value
 * @param {string[]} heads
 * @param {boolean} isMany
 * @param {boolean} isPlace
 * @returns {Column}
 */
function newColumn(key, path, value, heads, isMany, isPlace) {
  const { spot, kind } = value;
  const [classes, labels, hints] = [new Set(spot.classes), new Map(), [...hintsFor(value), ...tagHints(spot)]];
  return { key, path, classes, kind, tag: spot.tag, hints, labels, heads, isMany, isPlace, rows: [], texts: [], spots: [] };
}

/** @param {{row: number, entries: Reading[]}[]} rows */
function usualLabels(rows) {
  const counts = new Map();
  for (const { entries } of rows) for (const { labels } of entries) for (const label of labels) increment(counts, label);
  const least = Math.max(2, rows.length * 0.25);
  // Only a plain name is one where few have it; what merely stands beside must do so nearly always.
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

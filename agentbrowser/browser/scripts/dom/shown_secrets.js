/**
 * Places where the page shows the operator's secrets, in the spellings that `policy/masking.py` masks: in any case, also
 * URL, HTML or JSON encoded, and across adjacent text nodes.
 */

import {
  attributeOf, dataOf, ELEMENT, kindOf, matches, namesIn, nodesFrom, parentOrHostOf, tagOf, TEXT,
} from "./nodes.js";

const BLANK = String.raw`(?:\s|\+|%(?:25)*(?:20|09|0A|0D|C2%(?:25)*A0)|&(?:amp;)*(?:nbsp|#0*(?:9|10|13|32|160)|#x0*(?:9|A|D|20|A0));|\\{1,4}(?:[nrt]|u00(?:20|09|0A|0D|A0))|[\u00ad\u200b-\u200d\u2060\ufeff])+`;
/** Characters without a width, which pages put into long words. */
const INVISIBLE = String.raw`[\u00ad\u200b-\u200d\u2060\ufeff]*`;
/** One of them, to join texts: the next node goes on with a word, or begins the next one. */
const JOINT = "\u200b";
const NAMES = new Map(Object.entries({ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" }));
/** Their texts are shown nowhere, and stand between no others. */
const SILENT = new Set(["script", "style", "template", "noscript"]);

/** @type {{key: string, pattern: RegExp|null}} */
let latest = { key: "", pattern: null };

/**
 * Return the pattern of all spellings of some secrets; null without secrets.
 * @param {string[]} values
 * @returns {RegExp|null}
 */
export function spellingsOf(values) {
  const plain = values.map((value) => value.trim()).filter(Boolean).sort((one, other) => other.length - one.length);
  const key = JSON.stringify(plain);
  if (key !== latest.key) latest = { key, pattern: plain.length ? new RegExp(plain.map(spellings).join("|"), "gi") : null };
  return latest.pattern;
}

/** @param {string} value */
function spellings(value) {
  const bare = value.replace(/[\s-]+/g, "");
  // Pages show the numbers of cards and accounts in groups.
  if (/^[a-z0-9]*$/i.test(bare) && bare.replace(/\D/g, "").length >= 8) return [...bare].join(`(?:${BLANK}|-)?`);
  return value.split(/\s+/).map((word) => [...word].map(spelling).join(INVISIBLE)).join(BLANK);
}

/** @param {string} character */
function spelling(character) {
  if (/[a-z0-9]/i.test(character)) return character;
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  const raw = units.map((unit) => `\\u${unit}`).join("");
  const code = Number(character.codePointAt(0));
  const bytes = new TextEncoder().encode(character);
  const url = [...bytes].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, "0")}`).join("");
  const name = NAMES.has(character) ? `|${NAMES.get(character)}` : "";
  const json = units.map((unit) => String.raw`\\{1,4}u${unit}`).join("");
  // The other case may have several characters: that of ß is SS.
  const longer = [character.toUpperCase(), character.toLowerCase()].filter((one) => [...one].length > 1);
  const others = longer.map((one) => `|${[...one].map(spelling).join(INVISIBLE)}`).join("");
  return String.raw`(?:\\{0,4}${raw}|${url}|&(?:amp;)*(?:#0*${code}|#x0*${code.toString(16)}${name});|${json}${others})`;
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
export function holds(text, pattern) {
  return text.search(pattern) >= 0;
}

/**
 * Yield the nodes of the document that hold secrets: text nodes, also with a part of one only, and elements with the
 * names of such attributes.
 * @param {RegExp} pattern
 * @returns {Generator<{node: any, names: string[]}>}
 */
export function* secretNodes(pattern) {
  /** @type {{node: any, end: number}[]} */
  const texts = [];
  let joined = "";
  for (const node of /** @type {Iterable<any>} */ (nodesFrom(document))) {
    if (kindOf(node) === ELEMENT) {
      const names = namesIn(node).filter((name) => holds(attributeOf(node, name) ?? "", pattern));
      if (names.length) yield { node, names };
    } else if (kindOf(node) === TEXT) {
      if (!SILENT.has(tagOf(parentOrHostOf(node)))) texts.push({ node, end: (joined += dataOf(node) + JOINT).length });
      else if (holds(dataOf(node), pattern)) yield { node, names: [] };
    }
  }
  let at = 0;
  for (const match of joined.matchAll(pattern)) {
    while (texts[at].end <= match.index) at += 1;
    for (let next = at; next < texts.length; next += 1) {
      yield { node: texts[next].node, names: [] };
      if (texts[next].end >= match.index + match[0].length) break;
    }
  }
}

/** Attributes that no browser draws. */
const UNDRAWN = new Set(["class", "style", "id", "href", "src", "srcset", "d"]);

/** The nodes of the last `documentTexts`, by the index of their texts. @type {{nodes: any[], owners: {node: any, names: string[]}[]}} */
let listed = { nodes: [], owners: [] };

/**
 * Return all texts of the document, for a search where the secrets are known: this document may not know them.
 * @param {string} fields selector of the elements whose values are drawn
 * @param {number} limit number of characters; `isTooLarge` beyond it
 */
export function documentTexts(fields, limit) {
  listed = { nodes: [], owners: [] };
  /** @type {string[]} */
  const texts = [];
  /** @type {string[]} */
  const values = [];
  let size = 0;
  /** @param {any} node @param {string[]} names @param {unknown} value */
  const add = (node, names, value) => {
    if (typeof value !== "string" || !value) return;
    size += value.length;
    values.push(value);
    listed.owners.push({ node, names });
  };
  for (const node of /** @type {Iterable<any>} */ (nodesFrom(document))) {
    if (kindOf(node) === ELEMENT) {
      for (const name of namesIn(node)) if (!UNDRAWN.has(name)) add(node, [name], attributeOf(node, name));
      if (matches(node, fields)) add(node, [], node.value);
    } else if (kindOf(node) === TEXT && !SILENT.has(tagOf(parentOrHostOf(node)))) {
      size += dataOf(node).length;
      texts.push(dataOf(node));
      listed.nodes.push(node);
    }
    if (size > limit) return { isTooLarge: true, texts: [], values: [] };
  }
  return { isTooLarge: false, texts, values };
}

/**
 * Yield the nodes of some of those texts, as `secretNodes` does; a field whose value is drawn has no names.
 * @param {number[]} texts
 * @param {number[]} values
 */
export function* listedNodes(texts, values) {
  const nodes = texts.map((index) => ({ node: listed.nodes[index], names: /** @type {string[]} */ ([]) }));
  for (const one of [...nodes, ...values.map((index) => listed.owners[index])]) {
    if (one?.node) yield one; // else the document is another one by now
  }
}

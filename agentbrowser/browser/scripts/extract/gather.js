/** Extraction of a page's data: repeated items in columns, single facts with labels, and embedded data. */

import { subject } from "../dom/held_element.js";
import { clearMemo } from "../dom/memo.js";
import {
  attributeOf, bodyOf, closest, isConnected, matches, collapseSpaces, namesIn, tagOf, tagsIn, titleOf, topOf,
} from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { openTextOf } from "../dom/secret_fields.js";
import { withinBudget } from "../dom/size_budget.js";
import { nameFor } from "../observe/element_fields.js";
import { fingerprintOf, registryHere } from "../observe/refs.js";
import { pathTo } from "../observe/selectors.js";
import { Columns } from "./columns/columns.js";
import { Layouts } from "./columns/layouts.js";
import { Pack, plainColumn, sizeOfTexts } from "./columns/pack.js";
import { groupsIn } from "./groups/groups.js";
import { areLinesNamed, contextOf, emptyLines, emptyName, isAlone, labelsFor, runsOf, splitOf } from "./page/labels.js";
import { isAdvertFrame } from "./page/adverts.js";
import { emptyField } from "./page/controls.js";
import { documentData, embeddedData, isReadable } from "./page/machine_data.js";
import { ASIDE, BY, HEADING, MAX_CELL, MAX_HEADING, MAX_LABEL, WORDLIKE } from "./page/patterns.js";
import { partsOf } from "./page/parts.js";
import { markupOf, markups, PLAIN, styles } from "./page/structure.js";
import { withoutStruck } from "./page/text_marks.js";
import { addressOf, hintsFor, locateAddresses, tagHints, valuesOf } from "./page/values.js";
import { mainsIn, newSpot, textOfSpot, descendantsOf, Walk } from "./page/walk.js";
import { MAX_SETS, MAX_SET_MEMBERS, plainSet, setsIn } from "./value_sets.js";

/** @import { Registry } from "../observe/refs.js" */
/** @import { Root } from "./columns/columns.js" */
/** @import { Group } from "./groups/tables.js" */
/** @import { Label } from "./page/labels.js" */
/** @import { Value } from "./page/values.js" */
/** @import { Spot } from "./page/walk.js" */

const MAX_FACTS = 2500;
const NAMED_META = /^(description|author|keywords|date|article:|og:|twitter:|product:|book:|profile:|dc[.:]|citation_|publish|last-modified)/i;
const MAX_UNFILLED = 100;
const MAX_LED = 60;
/** Words before a number, a date or a code: "Table HS-0417", "Rated 4.3". */
const WORDS_BEFORE_NUMBER = /^(\p{L}[\p{L}.]*(?: \p{L}[\p{L}.]*){0,2})[:.#№°]*\s+([^\s,]*\d[^\s,]*(?: [\p{L}€$£%°²]+[.,]?)?(?: \d{4})?)$/u;
/** The author: "Curated by Ann Lee, last updated today". */
const BYLINE = new RegExp(`(?:^|\\s)(?:${BY})\\s+(\\p{Lu}[\\p{L}.'’-]*(?: \\p{Lu}[\\p{L}.'’-]*){0,3})`, "u");
/** The name of an element in its block, by the convention block__element--state. */
const BLOCK = /^.*[a-z0-9]__([a-z][\w-]*?)(?:--.*)?$/i;

/**
 * The elements of the last gathering, for a call that asks for the sources of values.
 * @type {{id: number, elements: any[]}}
 */
let gathered = { id: 0, elements: [] };

/**
 * @typedef {object} GatherOptions
 * @property {boolean} groups
 * @property {boolean} facts
 * @property {boolean} keep true if a call will ask for sources
 * @property {boolean} [isInner] true for a child frame, which holds nothing if it is an advertisement
 */

/**
 * Gather the data of the document, or of one element of it.
 * @param {{hold?: string, bytes: number} & GatherOptions} wanted
 */
export function gatherData({ hold, bytes, groups, facts, keep, isInner }) {
  clearMemo();
  return withinBudget(bytes, (budget) => {
    const root = subject(hold);
    if (!root) return { missing: true };
    for (const memo of [styles, markups, PLAIN.forms]) memo.clear();
    locateAddresses();
    const isWhole = root === document;
    const walk = new Walk();
    const isPaid = isInner && isAdvertFrame();
    const page = topOf(document); // null where a script has emptied the document
    const start = isWhole ? bodyOf(document) ?? page : root;
    const data = isWhole ? documentData() : null;
    const top = start && !isPaid && !data ? walk.enter(start, null) : null;
    const found = top ? groupsIn(walk.spots) : [];
    const collected = facts && top ? factsIn(top, found) : { facts: [], sets: [], unfilled: [] };
    const embedded = data ? [data].filter(isReadable) : isWhole && !isPaid ? embeddedData() : [];
    const pack = new Pack();
    const answer = {
      groups: groups ? found.map((group) => columnsOf(group, pack)) : [],
      facts: collected.facts,
      unfilled: collected.unfilled,
      sets: groups ? collected.sets : [],
      series: pack.series,
      meta: facts && isWhole && !isPaid ? metaFacts(walk) : [],
      embedded: embedded.map(({ element, text }) => ({ spot: remember(walk, element), text })),
      language: ((page && attributeOf(page, "lang")) ?? "").slice(0, MAX_LABEL),
      isCut: walk.isCut || (data && embedded.length === 0) || undefined,
    };
    gathered = { id: gathered.id + 1, elements: keep ? walk.spots.map((spot) => spot.element) : [] };
    const size = sizeOf(answer, pack.size);
    budget.weigh(size);
    return { ...answer, size, gathering: gathered.id };
  });
}

/**
 * @param {any} answer
 * @param {number} packed
 */
function sizeOf({ sets, facts, meta, embedded }, packed) {
  const cells = sets.reduce((sum, { columns }) => columns.reduce((all, { texts }) => all + sizeOfTexts(texts), sum), packed);
  const collected = facts.reduce((sum, { text, section }) => sum + text.length + section.length + 60, 0);
  return cells + collected + sizeOfTexts(meta.map(({ text }) => text)) + embedded.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * @param {Group} group
 * @param {Pack} pack
 */
function columnsOf(group, pack) {
  const stops = group.isNested ? new Set(group.records.map(([{ spot }]) => spot)) : null;
  const columns = new Columns(new Layouts(group.records, stops));
  for (const roots of group.records) columns.add(roots);
  return {
    kind: group.kind,
    rows: columns.rows.length,
    isAside: closest(group.spot.element, ASIDE) !== null,
    isOnly: group.isOnly,
    context: contextOf(group.spot, group.records[0]?.[0].spot),
    columns: columns.finish().map((column) => plainColumn(column, columns.rows.length, pack)),
    unfilled: emptyHeads(group),
  };
}

/**
 * Return the heads of a table over columns without any value.
 * @param {Group} group
 */
function emptyHeads({ kind, records }) {
  if (kind !== "table") return [];
  const [filled, empty] = [new Set(), new Map()];
  for (const roots of records) {
    for (const { spot, slot, heads, isShell } of roots) {
      if (isShell || heads.length === 0 || filled.has(slot)) continue;
      if (textOfSpot(spot) || spot.kids.length > 0) filled.add(slot);
      else empty.set(slot, heads.join(" "));
    }
  }
  return [...empty].filter(([slot]) => !filled.has(slot)).map(([, head]) => head.slice(0, MAX_HEADING));
}

/**
 * Return single values with their labels, and sets of values.
 * @param {Spot} top
 * @param {Group[]} groups
 */
function factsIn(top, groups) {
  const repeated = new Set(groups.flatMap(repeatedIn));
  const collected = { facts: [], sets: [], unfilled: [], room: MAX_SET_MEMBERS, heads: headsIn(groups), mains: mainsIn(top) };
  const isOutside = collected.mains.size > 0 && !collected.mains.has(top);
  collectFacts(top, top, { heading: "", isRepeated: false, isAside: false, isOutside }, repeated, collected);
  return collected;
}

/**
 * Return the heads of the cells of small tables, which name the values there.
 * @param {Group[]} groups
 * @returns {Map<Spot, string>}
 */
function headsIn(groups) {
  const small = groups.filter(({ kind, records }) => kind === "table" && records.length < 3);
  const roots = small.flatMap(({ records }) => records.flat()).filter(({ heads }) => heads.length > 0);
  return new Map(roots.map(({ spot, heads }) => [spot, collapseSpaces(heads.join(" ")).slice(0, 2 * MAX_LABEL)]));
}

/**
 * Return true if an element is a list of links only, as menus are.
 * @param {Spot} spot
 */
function isLinkList({ tag, kids }) {
  if (tag !== "ul" && tag !== "ol" && tag !== "menu") return false;
  const isLink = (kid) => descendantsOf(kid).some((inner) => inner.tag === "a" && textOfSpot(inner) === textOfSpot(kid)) && textOfSpot(kid).length < 30;
  return kids.length > 2 && kids.every(isLink);
}

/**
 * Return the elements of a group that each hold one item, unless they are pairs of name and value.
 * @param {Group} group
 * @returns {Spot[]}
 */
function repeatedIn({ kind, records }) {
  if (records.length < 3 || !["repeat", "table", "rows"].includes(kind) || arePairs(records)) return [];
  if (kind !== "repeat") return records.flatMap((roots) => roots.map(({ spot }) => spot));
  // An element with the page's title is its subject, and not one of several, even if it looks alike.
  const spots = records.map(([{ spot }]) => spot).filter((spot) => spot.kids.length > 1 && !descendantsOf(spot).some(({ tag }) => tag === "h1"));
  return spots.length * 2 >= records.length ? spots : [];
}

/**
 * Return true if each record is a pair of name and value, all with different names.
 * @param {Root[][]} records
 */
function arePairs(records) {
  const names = records.map(pairName).filter(Boolean);
  return names.length >= records.length * 0.7 && new Set(names).size === names.length;
}

/**
 * Return the name in a record that is a pair of name and value.
 * @param {Root[]} roots
 */
function pairName(roots) {
  /** @type {(string|Spot)[]} */
  let cells = roots.filter(({ slot, isShell }) => !isShell && !slot.startsWith("section")).map(({ spot }) => spot);
  while (cells.length === 1 && typeof cells[0] !== "string" && cells[0].kids.length) {
    cells = cells[0].pieces.filter((piece) => typeof piece !== "string" || piece.trim());
  }
  if (cells.length !== 2) return "";
  const [first, second] = cells.map((cell) => (typeof cell === "string" ? collapseSpaces(cell) : textOfSpot(cell)));
  const isBehind = /\d/.test(first) && WORDLIKE.test(second);
  const name = isBehind ? second : first;
  const cell = cells[isBehind ? 1 : 0];
  const isLink = typeof cell !== "string" && descendantsOf(cell).some(({ tag }) => tag === "a");
  return name.length > MAX_LABEL || /\d/.test(name) || isLink ? "" : name;
}

/**
 * @param {Spot} spot
 * @param {Spot} top
 * @param {{heading: string, isRepeated: boolean, isAside: boolean, isOutside: boolean}} place context from the ancestors
 * @param {Set<Spot>} repeated
 * @param {{facts: any[], sets: any[], unfilled: string[], room: number, heads: Map<Spot, string>, mains: Set<Spot>}} collected
 */
function collectFacts(spot, top, place, repeated, collected) {
  const { facts } = collected;
  if (facts.length >= MAX_FACTS) return;
  if (HEADING.test(spot.tag)) place.heading = textOfSpot(spot).slice(0, MAX_HEADING);
  const isAside = place.isAside || (spot !== top && (matches(spot.element, ASIDE) || isLinkList(spot)));
  const isRepeated = place.isRepeated || repeated.has(spot);
  const isOutside = place.isOutside && !collected.mains.has(spot);
  const addFact = (value, text, kind, labels) => {
    const hints = [...hintsFor(value.spot, value.kind).flatMap((hint) => hintOf(hint, text)), ...tagHints(value.spot)];
    facts.push({ spot: value.spot.id, tag: spot.tag, kind, text, labels, hints, section: place.heading, isRepeated, isAside, isOutside });
  };
  for (const found of isColumnHead(spot) ? [] : [...valuesOf(spot), ...proseIn(spot)]) {
    const value = found.kind === "text" ? { ...found, text: withoutStruck(found.spot, found.text) } : found;
    const around = labelsFor(value.spot, value.kind, top.parent);
    const head = collected.heads.get(spot) ?? (spot.parent && isAlone(spot) ? collected.heads.get(spot.parent) : "");
    const labels = head ? [`k${head}`, ...around] : around;
    addFact(value, value.text, value.kind, labels);
    if (value.kind === "text") for (const [text, given] of piecesOf(value)) addFact(value, text, "part", given);
  }
  for (const name of [emptyName(spot), emptyTerm(spot), emptyField(spot), ...emptyLines(spot)]) if (name && collected.unfilled.length < MAX_UNFILLED) collected.unfilled.push(name.slice(0, MAX_HEADING));
  for (const set of collected.sets.length < MAX_SETS && collected.room > 0 ? setsIn(spot) : []) {
    collected.room -= set.members.length;
    collected.sets.push({ ...plainSet(set, place, top), isRepeated: place.isRepeated, isAside });
  }
  const inner = { heading: place.heading, isRepeated, isAside, isOutside };
  for (const kid of spot.kids) collectFacts(kid, top, inner, repeated, collected);
  place.heading = inner.heading;
}

/**
 * Return the text of a term without a description; "" for others.
 * @param {Spot} spot
 */
function emptyTerm(spot) {
  if (spot.tag !== "dt" || !spot.parent) return "";
  const { kids } = spot.parent;
  const next = kids[kids.indexOf(spot) + 1];
  return next && next.tag === "dd" && !textOfSpot(next) && next.kids.length === 0 ? textOfSpot(spot).slice(0, MAX_LABEL) : "";
}

/**
 * Return true if an element is a cell in a row of heads, which names values and is none.
 * @param {Spot} spot
 */
function isColumnHead({ tag, parent }) {
  return tag === "th" && parent.tag === "tr" && parent.kids.length > 1 && parent.kids.every((kid) => kid.tag === "th");
}

/**
 * Return a hint without the value itself ("Cabin class. Economy"), a vocabulary, or the block of a class name.
 * @param {string} hint
 * @param {string} text
 * @returns {string[]}
 */
function hintOf(hint, text) {
  const [letter, hintText] = [hint[0], hint.slice(1)];
  if (letter === "p") return [`p${hintText.split(":").pop()}`];
  if ("ae".includes(letter) && text && hintText.includes(text)) return hintText === text ? [] : [`${letter}${collapseSpaces(hintText.replace(text, " "))}`];
  return "cu".includes(letter) && BLOCK.test(hintText) ? [`${letter}${hintText.replace(BLOCK, "$1")}`, hint] : [hint];
}

/**
 * Return the values that are parts of a text, with their labels.
 * @param {Value} value
 * @returns {[string, Label[]][]}
 */
function piecesOf({ spot, text }) {
  /** @type {[string, Label[]][]} */
  const pieces = [];
  const addPiece = (part, name) => pieces.push([part, name ? [`k${name}`] : []]);
  const runs = runsOf(spot);
  const whole = areLinesNamed(spot, runs) ? null : splitOf(text);
  if (whole) addPiece(whole[1], whole[0]);
  for (const part of [...partsOf(text), ...clausesIn(text)]) {
    const [name, value] = splitOf(part) ?? ["", part];
    addPiece(value, name);
  }
  for (const { text: run, name } of runs) {
    if (name) pieces.push([run, [name]]);
    else addPiece(...(/** @type {[string, string]} */ (splitOf(run)?.reverse() ?? [run, ""])));
  }
  for (const candidate of [text, ...pieces.map(([part]) => part)]) {
    const led = candidate.length < MAX_LED && WORDS_BEFORE_NUMBER.exec(candidate);
    if (led) pieces.push([led[2], [`b${led[1]}`]]);
  }
  const byline = text.length < 240 && BYLINE.exec(text);
  if (byline) addPiece(byline[1], "author");
  return pieces;
}

/**
 * Return the clauses of a text that name a value: "Available now, delivery: 8 days".
 * @param {string} text
 * @returns {string[]}
 */
function clausesIn(text) {
  const clauses = text.length < 240 ? text.split(/[,;]\s+|\.\s+(?=\p{Lu})/u) : [];
  const named = clauses.filter((clause) => splitOf(clause));
  return named.length > 1 || named[0] !== clauses[0] ? named : [];
}

/**
 * Return the running text of an element that holds paragraphs.
 * @param {Spot} spot
 * @returns {Value[]}
 */
function proseIn(spot) {
  const paragraphs = spot.kids.filter((kid) => kid.tag === "p" && textOfSpot(kid).length > 0);
  if (paragraphs.length < 2) return [];
  return [{ spot, kind: "prose", text: paragraphs.map(textOfSpot).join("\n\n").slice(0, 20_000) }];
}

/** @param {Walk} walk */
function metaFacts(walk) {
  const facts = [{ spot: -1, tag: "title", kind: "meta", name: "title", text: collapseSpaces(titleOf(document)).slice(0, MAX_CELL) }];
  for (const element of [...tagsIn(document, "meta"), ...tagsIn(document, "link")]) {
    const name = attributeOf(element, "property") ?? attributeOf(element, "name") ?? attributeOf(element, "rel") ?? "";
    if (name !== "canonical" && !NAMED_META.test(name)) continue;
    const text = name === "canonical" ? addressOf(attributeOf(element, "href") ?? "") : attributeOf(element, "content");
    if (text && facts.length < 100) facts.push({ spot: remember(walk, element), tag: tagOf(element), kind: "meta", name: name.slice(0, MAX_HEADING), text: collapseSpaces(text).slice(0, MAX_CELL) });
  }
  return facts;
}

/**
 * @param {Walk} walk
 * @param {any} element
 */
function remember(walk, element) {
  walk.spots.push(newSpot(element, markupOf(tagOf(element), namesIn(element)), null, walk.spots.length, true));
  return walk.spots.length - 1;
}

/**
 * Return the sources of values: ref, selector and text of each gathered element.
 * @param {{gathering: number, spots: number[], prefix: string}} wanted
 */
export function sourcesOf({ gathering, spots, prefix }) {
  clearMemo();
  if (gathering !== gathered.id) return { sources: [] };
  const refs = registryHere(prefix);
  const sources = spots.map((spot) => sourceOf(gathered.elements[spot], refs));
  gathered = { id: gathered.id, elements: [] };
  return { sources };
}

/**
 * @param {any} element
 * @param {Registry} refs
 */
function sourceOf(element, refs) {
  if (!element || !isConnected(element)) return null;
  const tag = tagOf(element);
  const control = tag === "label" ? element.control ?? element : element;
  const found = { element, control, tag, role: roleOf(control), isControl: false, isClickable: true, isDraggable: false };
  const entry = refs.byElement.get(element) ?? refs.add(found, fingerprintOf(found, nameFor(found), false));
  return { ref: entry.ref, css: pathTo(element, null), text: collapseSpaces(openTextOf(element).slice(0, MAX_CELL)) };
}

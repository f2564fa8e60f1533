/** Sets of values of one kind: the items of a list, the links of a line, the choices of a field. */

import { addToList } from "../dom/memo.js";
import { attributeOf, dataOf, ELEMENT, firstOf, kindOf, matches, nextOf, collapseSpaces, TEXT } from "../dom/nodes.js";
import { neighbour } from "./page/beside.js";
import { choiceName, controlName } from "./page/controls.js";
import { contextOf, ENDS_WITH_COLON, labelsFor, termOf } from "./page/labels.js";
import { CONTROLS, HEADING, MAX_LABEL, NAMING_TAGS, PHRASING_TAGS, WORDLIKE } from "./page/patterns.js";
import { addressOf } from "./page/values.js";
import { descendantsOf, isTabular, textOfSpot } from "./page/walk.js";

/** @import { Spot } from "./page/walk.js" */

export const MAX_SETS = 250;
const MAX_MEMBERS = 500;
const MAX_MEMBER = 1500;
export const MAX_SET_MEMBERS = 6000;
const MAX_BETWEEN = 40;
const MAX_ALIKE = 3;
/** Characters of a class or property, each of which becomes words. */
const MAX_NAME = 120;
const LIST = /^(ul|ol|menu)$/;
const BOLD = /^(b|strong)$/;
const NO_SETS = /^(h[1-6]|th|dt|label|button|a|caption|legend)$/;
const TITLE = "h1, h2, h3, h4, h5, h6, b, strong, summary, dt, [role=heading]";
/** Separators between the values of one line, and a last word before the last of them. */
const BETWEEN = /^[\s,;/|·•∙⋅&+–—›»→]*(and|und|et|y|e|och|og|en|i|oder|or|ou|o)?[\s,;/|·•∙⋅&+–—›»→.]*$/iu;
const TRIMMED = /^[\s,;/|·•∙⋅›»→\u2190-\u21ff✓✔]+|[\s,;/|·•∙⋅›»→×✕]+$/gu;
const NUMBERED = /^(\d+)\s*[.)]?\s+(?=\S)/;
const UNSEEN_CLASS = /(^|[\s_-])(sr-?only|visually-?hidden|screen-?reader(-text)?|hidden-visually|assistive-text)([\s_-]|$)/i;

/**
 * A set of values.
 * @typedef {object} ValueSet
 * @property {string} how list, terms, inline, alike, lines, choices
 * @property {Spot} spot their container
 * @property {Spot[]} members
 * @property {string} name the set's own name
 * @property {string[]} [texts] texts of the members, where they differ from the whole text
 */

/**
 * Return the sets that an element holds directly.
 * @param {Spot} spot
 * @returns {ValueSet[]}
 */
export function setsIn(spot) {
  const { tag, kids } = spot;
  if (tag === "select") return choicesOf(spot);
  if (kids.length === 0 || NO_SETS.test(tag)) return [];
  const sets = radioSets(spot);
  if (sets.length) return sets;
  const list = listIn(spot);
  if (list) return [list];
  return [...termSets(spot), ...[inlineSet(spot), linesSet(spot)].filter(Boolean), ...alikeSets(spot)];
}

/**
 * @param {Spot} spot
 * @returns {ValueSet|null}
 */
function listIn(spot) {
  if (!LIST.test(spot.tag) && attributeOf(spot.element, "role") !== "list") return null;
  const members = spot.kids.filter((kid) => kid.tag === "li" || attributeOf(kid.element, "role") === "listitem");
  return members.length ? { how: "list", spot, members, name: boldLineBefore(spot) } : null;
}

/**
 * Return the bold line right before a list, which is its heading; "" without one.
 * @param {Spot} spot
 */
function boldLineBefore(spot) {
  if (!spot.parent) return "";
  const { pieces } = spot.parent;
  const before = neighbour(pieces, pieces.indexOf(spot), -1);
  if (before === null || typeof before === "string" || before.hasText || before.kids.length !== 1) return "";
  const [line] = before.kids;
  return BOLD.test(line.tag) && isNaming(line) ? textOfPiece(line).replace(ENDS_WITH_COLON, "") : "";
}

/**
 * Return the sets of several details of one term.
 * @param {Spot} spot
 * @returns {ValueSet[]}
 */
function termSets(spot) {
  const sets = [];
  let run = [];
  const end = () => {
    if (run.length > 1) sets.push({ how: "terms", spot: run[0], members: run, name: termOf(run[0]) });
    run = [];
  };
  for (const kid of spot.kids) {
    if (kid.tag === "dd") run.push(kid);
    else end();
  }
  end();
  return sets;
}

/**
 * Return the set of links or other phrases with only separators between, perhaps after a name: "Tags: one, two and
 * three".
 * @param {Spot} spot
 * @returns {ValueSet|null}
 */
function inlineSet(spot) {
  const pieces = spot.pieces.filter((piece) => textOfPiece(piece));
  const isNamed = pieces.length > 0 && isNaming(pieces[0]);
  const rest = isNamed ? pieces.slice(1) : pieces;
  if (isNamed && rest.length && typeof rest[0] === "string" && /^\s*[:：]\s*$/.test(rest[0])) rest.shift();
  const members = [];
  for (const piece of rest) {
    const isBetween = textOfPiece(piece).length <= MAX_BETWEEN && BETWEEN.test(textOfPiece(piece));
    if (typeof piece === "string" ? !isBetween : !PHRASING_TAGS.has(piece.tag)) return null;
    if (typeof piece !== "string" && !isBetween && !piece.isMeta) members.push(piece);
  }
  if (members.length < 2 || !members.every(({ tag }) => tag === members[0].tag)) return null;
  return { how: "inline", spot, members, name: isNamed ? textOfPiece(pieces[0]).replace(ENDS_WITH_COLON, "") : "" };
}

/** @param {string|Spot} piece */
function textOfPiece(piece) {
  return typeof piece === "string" ? collapseSpaces(piece) : textOfSpot(piece);
}

/** @param {string|Spot} piece */
function isNaming(piece) {
  const text = textOfPiece(piece);
  if (text.length > MAX_LABEL || !WORDLIKE.test(text)) return false;
  return ENDS_WITH_COLON.test(text) || (typeof piece !== "string" && (HEADING.test(piece.tag) || NAMING_TAGS.has(piece.tag) || piece.style.isNaming));
}

/**
 * Return the set of lines of a text with breaks between.
 * @param {Spot} spot
 * @returns {ValueSet|null}
 */
function linesSet(spot) {
  if (!spot.hasText || spot.kids.filter(({ tag }) => tag === "br").length < 1) return null;
  const texts = [""];
  for (const piece of spot.pieces) {
    if (typeof piece !== "string" && piece.tag === "br") texts.push("");
    else texts.push(`${texts.pop()}${typeof piece === "string" ? piece : ` ${textOfSpot(piece)} `}`);
  }
  const lines = texts.map(collapseSpaces).filter(Boolean);
  const name = lines.length > 2 && ENDS_WITH_COLON.test(lines[0]) ? lines.shift().replace(ENDS_WITH_COLON, "") : "";
  return lines.length > 1 ? { how: "lines", spot, members: lines.map(() => spot), name, texts: lines } : null;
}

/**
 * Return the sets of children of one tag and class with little content each.
 * @param {Spot} spot
 * @returns {ValueSet[]}
 */
function alikeSets(spot) {
  if (spot.hasText || isTabular(spot) || spot.tag === "dl") return [];
  const bySign = new Map();
  for (const kid of spot.kids) if (!kid.isMeta && isSmall(kid)) addToList(bySign, `${kid.tag}.${kid.classes[0] ?? ""}`, kid);
  const several = [...bySign.values()].filter((members) => members.length > 1).slice(0, MAX_ALIKE);
  return several.map((members) => ({ how: "alike", spot, members, name: nameBefore(members[0]) }));
}

/**
 * Return the heading or name right before an element in its parent.
 * @param {Spot} spot
 */
function nameBefore(spot) {
  const { pieces } = spot.parent;
  const before = neighbour(pieces, pieces.indexOf(spot), -1);
  return before !== null && isNaming(before) ? textOfPiece(before).replace(ENDS_WITH_COLON, "") : "";
}

/** @param {Spot} spot */
function isSmall(spot) {
  if (CONTROLS.has(spot.tag) || HEADING.test(spot.tag) || spot.tag === "br" || spot.tag === "hr") return false;
  if (spot.tag === "img" || spot.tag === "p") return true;
  const text = textOfSpot(spot);
  return text ? text.length < 400 && descendantsOf(spot).length < 8 : descendantsOf(spot).some(({ tag }) => tag === "img");
}

/**
 * Return the options of a `<select>` as a set.
 * @param {Spot} spot
 * @returns {ValueSet[]}
 */
function choicesOf(spot) {
  const offered = [...spot.element.options].filter((option) => option.value !== "" && !option.disabled && collapseSpaces(option.label));
  if (offered.length < 2) return [];
  const texts = offered.map((option) => collapseSpaces(option.label));
  return [{ how: "choices", spot, members: texts.map(() => spot), name: controlName(spot.element), texts }];
}

/**
 * Return the radio buttons or checkboxes of one name as a set, at their nearest common ancestor.
 * @param {Spot} spot
 * @returns {ValueSet[]}
 */
function radioSets(spot) {
  const controls = spot.kids.length ? choosersIn(spot) : [];
  if (controls.length < 2 || spot.kids.some((kid) => choosersIn(kid).length === controls.length)) return [];
  const names = new Set(controls.map(({ element }) => attributeOf(element, "name") ?? ""));
  if (names.size !== 1 && !controls.every(({ element }) => element.type === "checkbox")) return [];
  const texts = controls.map(choiceText);
  if (!texts.every(Boolean)) return [];
  const name = controlName(controls[0].element) || choiceName(controls[0]);
  return [{ how: "choices", spot, members: controls, name: texts.includes(name) ? [...names][0] : name, texts }];
}

/**
 * @param {Spot} spot
 * @returns {Spot[]}
 */
function choosersIn(spot) {
  const isOne = spot.tag === "input" && (spot.element.type === "radio" || spot.element.type === "checkbox");
  return (spot.choosers ??= isOne ? [spot] : spot.kids.flatMap(choosersIn));
}

/** @param {Spot} spot */
function choiceText({ element }) {
  const [label] = element.labels ?? [];
  const pieces = label ? collapseSpaces(seenText(label)) : collapseSpaces(attributeOf(element, "aria-label") ?? "");
  return pieces || (/^on$/i.test(element.value) ? "" : element.value);
}

/**
 * Return the text of an element without that for screen readers only.
 * @param {any} element
 * @returns {string}
 */
function seenText(element) {
  let text = "";
  for (let node = firstOf(element); node; node = nextOf(node)) {
    if (kindOf(node) === TEXT) text += dataOf(node);
    else if (kindOf(node) === ELEMENT && !UNSEEN_CLASS.test(attributeOf(node, "class") ?? "")) text += seenText(node);
  }
  return text;
}

/**
 * Return a set as plain data: columns of texts, titles, addresses and pictures of its members.
 * @param {ValueSet} set
 * @param {{heading: string}} place
 * @param {Spot} top
 */
export function plainSet(set, place, top) {
  const { spot, how } = set;
  const members = set.members.slice(0, MAX_MEMBERS);
  const labels = set.name ? [`k${collapseSpaces(set.name)}`] : [];
  if (how !== "choices") labels.push(...labelsFor(spot, "text", top.parent));
  const columns = [column("text", members, set.texts?.slice(0, MAX_MEMBERS) ?? unnumbered(members.map(memberText)))];
  if (!set.texts) {
    columns.push(column("title", members, members.map(titleIn)));
    columns.push(column("href", members, members.map((member) => addressIn(member, "a", "href"))));
    columns.push(column("src", members, members.map((member) => addressIn(member, "img", "src"))));
  }
  return {
    how,
    size: members.length,
    labels,
    context: contextOf(spot),
    section: place.heading,
    classes: [...new Set(members.slice(0, 8).flatMap((member) => (member === spot ? [] : member.classes.slice(0, 3).map((name) => name.slice(0, MAX_NAME)))))],
    props: [...new Set(members.slice(0, 8).map((member) => attributeOf(member.element, "itemprop") ?? attributeOf(member.element, "rel") ?? "").filter(Boolean).map((name) => name.slice(0, MAX_NAME)))],
    columns: columns.filter(({ texts }) => texts.length),
  };
}

/**
 * @param {string} kind
 * @param {Spot[]} members
 * @param {string[]} pieces
 */
function column(kind, members, pieces) {
  const rows = pieces.map((_, row) => row).filter((row) => pieces[row]);
  return { kind, rows, texts: rows.map((row) => pieces[row].slice(0, MAX_MEMBER)), spots: rows.map((row) => members[row].id) };
}

/**
 * Return the text of a member, without inner lists and surrounding signs.
 * @param {Spot} member
 */
function memberText(member) {
  const isNested = member.kids.some(({ tag }) => LIST.test(tag));
  const whole = isNested ? collapseSpaces(member.pieces.map((it) => (typeof it === "string" ? it : LIST.test(it.tag) ? "" : ` ${textOfSpot(it)} `)).join("")) : textOfSpot(member);
  const text = whole.slice(0, MAX_MEMBER);
  return text.replace(TRIMMED, "") || text;
}

/**
 * Return the texts without their ordinals: "1. Peel the apples".
 * @param {string[]} texts
 */
function unnumbered(texts) {
  const counts = texts.map((text) => NUMBERED.exec(text)?.[1]);
  return texts.length > 1 && counts.every((count, at) => Number(count) === at + 1) ? texts.map((text) => text.replace(NUMBERED, "")) : texts;
}

/** @param {Spot} member */
function titleIn(member) {
  const titles = descendantsOf(member).filter((it) => it !== member && matches(it.element, TITLE));
  return titles.length && textOfSpot(titles[0]) !== textOfSpot(member) ? textOfSpot(titles[0]).replace(ENDS_WITH_COLON, "") : "";
}

/**
 * @param {Spot} member
 * @param {string} tag
 * @param {string} name of the attribute
 */
function addressIn(member, tag, name) {
  const found = descendantsOf(member).find((it) => it.tag === tag && attributeOf(it.element, name));
  return found ? addressOf(attributeOf(found.element, name)) : "";
}

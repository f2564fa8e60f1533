/** Labels: the page's own names of a value, in the words before, behind and above it. */

import { attributeOf, referenced, collapseSpaces } from "../../dom/nodes.js";
import { openTextOf } from "../../dom/secret_fields.js";
import { VALUELESS } from "../../dom/states.js";
import { areRows, neighbour } from "./beside.js";
import { choiceName, isOfField, isRadio, ownName } from "./controls.js";
import { BY, CHANGE, CONTROLS, HEADING, MAX_LABEL, NAMING_TAGS, EMPTY_LIST, WORDLIKE } from "./patterns.js";
import { MARK } from "./parts.js";
import { PREFIX } from "./values.js";
import { descendantsOf, textOfSpot } from "./walk.js";

/** @import { Spot } from "./walk.js" */

export const ENDS_WITH_COLON = /[:：]\s*$/;
const STARTS_WITH_COLON = /^[:：]\s*/;
/** Matches the end of a line that goes on with an author, and differs from row to row: "#101 opened 3 days ago by". */
const BEFORE_AUTHOR = new RegExp(`(?<!\\b(?:sort|order|group|filter)(?:ed)? )\\b(?:${BY})\\s*$`, "i");
const MAX_CLIMB = 7;
/** Matches a text that is more than a sign, such as an arrow or the pencil on a button. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Tags of names that are no values themselves. */
const NAMES_ONLY = new Set(["dt", "th", "label"]);

/**
 * A label: a letter for its relation to the value, and its words. `k`: a plain name; `b`: before the value; `q`: before
 * it, as the first of two; `a`: behind it; `w`: behind it, but before another value; `h`: the heading above it. The
 * server's names for the letters are in `extraction/columns/page_names.py`.
 * @typedef {string} Label
 */

/**
 * @param {Spot} spot
 * @param {string} kind of its value
 * @param {Spot} top last ancestor to look at
 * @returns {readonly Label[]}
 */
export function labelsFor(spot, kind, top) {
  let labels = CONTROLS.has(spot.tag) || isRadio(spot) ? controlLabels(spot, kind) : EMPTY_LIST;
  if (labels.length) return labels;
  if (kind === "checked") labels = labelsFrom(labelOf("k", textOfSpot(spot)), "");
  if (kind === "value") labels = labelsFrom(labelOf("k", attributeOf(spot.element, "aria-label")), "");
  const isControl = CONTROLS.has(spot.tag);
  for (let ancestor = spot, steps = 0; ancestor && ancestor !== top && steps < MAX_CLIMB; ancestor = ancestor.parent, steps++) {
    const more = (ancestor.around ??= labelsAround(ancestor));
    labels = withMore(labels, more);
    if (!ancestor.parent || labels.length > 3) break;
    const isListed = ancestor.tag === "dd" || ancestor.tag === "td" || ancestor.tag === "th";
    // A field with a unit or help beside it: the label of the field stands further up, beside all of these.
    const isBesideHelp = isControl && labels.length < 2 && isOnlyControlIn(ancestor.parent, spot);
    if (isListed || !(isAlone(ancestor) || ancestor.tag === "li" || isAmongEquals(ancestor) || isBesideHelp)) break;
  }
  return labels;
}

/**
 * @param {Label[]} labels
 * @param {Label[]} more
 */
function withMore(labels, more) {
  if (labels.length === 0 || more.length === 0) return labels.length ? labels : more;
  return labels.concat(more.filter((label) => !labels.includes(label)));
}

/**
 * Return the name of a control as a label.
 * @param {Spot} spot
 * @param {string} kind
 */
function controlLabels(spot, kind) {
  const name = isRadio(spot) && kind === "text" ? choiceName(spot) : ownName(spot.element) || textOfSpot(spot);
  return labelsFrom(labelOf("k", name), "");
}

/**
 * @param {string} letter
 * @param {string|null} text
 * @returns {Label|""}
 */
function labelOf(letter, text) {
  const words = labelIn(collapseSpaces(text ?? ""));
  return words && letter + words;
}

/**
 * @param {Label|""} one
 * @param {Label|""} other
 * @returns {Label[]} those that there are
 */
function labelsFrom(one, other) {
  if (one && other) return [one, other];
  return one || other ? [one || other] : EMPTY_LIST;
}

/**
 * Return the words of a text that can be a label; "" without any.
 * @param {string} text
 */
function labelIn(text) {
  const words = ENDS_WITH_COLON.test(text) ? text.replace(ENDS_WITH_COLON, "") : text;
  return words.length > MAX_LABEL || !WORDLIKE.test(words) ? "" : words;
}

/**
 * Return true if an element holds all content of its parent.
 * @param {Spot} spot
 */
export function isAlone(spot) {
  const { parent } = spot;
  return !parent.hasText && parent.kids.every((kid) => kid === spot || kid.isMeta || !LETTER_OR_DIGIT.test(textOfSpot(kid)));
}

/**
 * Return true if a control is the only one in an element. It stops at another one, as a large form has many.
 * @param {Spot} spot
 * @param {Spot} control
 */
function isOnlyControlIn(spot, control) {
  const stack = [spot];
  for (let inner = stack.pop(); inner; inner = stack.pop()) {
    if (inner !== control && CONTROLS.has(inner.tag) && !VALUELESS.has(inner.element.type)) return false;
    for (const kid of inner.kids) stack.push(kid);
  }
  return true;
}

/**
 * Return true if all its siblings are of one kind, as the tags of an article are.
 * @param {Spot} spot
 */
function isAmongEquals(spot) {
  const { kids, hasText } = spot.parent;
  return !hasText && kids.length > 1 && kids.every((kid) => kid.tag === spot.tag && kid.classes[0] === spot.classes[0]);
}

/**
 * Return the labels around an element in its parent.
 * @param {Spot} spot
 * @returns {Label[]}
 */
function labelsAround(spot) {
  if (!spot.parent) return EMPTY_LIST;
  if (spot.tag === "dd") return labelsFrom(labelOf("k", termOf(spot)), "");
  const { pieces } = spot.parent;
  const place = pieces.indexOf(spot);
  const last = neighbour(pieces, place, -1);
  const isLabel = last !== null && typeof last !== "string" && last.tag === "label" && !isOfField(last);
  let before = isLabel ? last : ofText(last);
  const next = neighbour(pieces, place, 1);
  const isIconButton = next !== null && typeof next !== "string" && isButton(next) && !LETTER_OR_DIGIT.test(textOfSpot(next));
  const behind = isIconButton ? null : ofText(next);
  // A name does not name the next one: "Fax" without a value, then "City". Nor does one that has a value name another.
  if (before !== null && typeof before !== "string" && (hasOwnValue(before) || areRows(before, spot) || isUnfilled(before, spot))) before = null;
  // Two pieces in one parent are mostly a name and its value.
  const isPair = behind === null && before !== null && neighbour(pieces, pieces.indexOf(before), -1) === null;
  // A word between two values mostly belongs to the second: "on 3 May by Ann". Not "Churn"
  // between "2.3 %" and its change, "+0.1 %".
  const beyond = behind === null ? null : neighbour(pieces, pieces.indexOf(behind, place), 1);
  const isBetween = beyond !== null && !isChange(beyond);
  const isNextRow = behind !== null && typeof behind !== "string" && areRows(spot, behind);
  return labelsFrom(before === null ? "" : labelBy(before, isPair ? "q" : "b"), behind === null || isNextRow ? "" : labelBy(behind, isBetween ? "w" : "a"));
}

/** @param {string|Spot} piece */
const textOf = (piece) => (typeof piece === "string" ? piece : textOfSpot(piece));

/** @param {string|Spot} piece */
const isChange = (piece) => CHANGE.test(textOf(piece));

/**
 * Return a neighbour that may name a text; null for a form control with its label, which name no text beside them.
 * @param {string|Spot|null} piece
 */
function ofText(piece) {
  return piece !== null && typeof piece !== "string" && isOfControl(piece) ? null : piece;
}

/**
 * Return true for a name with its value in one text: "Assignee: none".
 * @param {Spot} spot
 */
function hasOwnValue(spot) {
  return !HEADING.test(spot.tag) && splitOf(textOfSpot(spot)) !== null;
}

/** @param {Spot} spot */
function isOfControl(spot) {
  if (textOfSpot(spot).length > MAX_LABEL) return false;
  return [spot, ...descendantsOf(spot)].some(({ tag, element }) => (tag === "label" ? element.control !== null : CONTROLS.has(tag)));
}

/**
 * Return true if an element is a name without a value, by the element of the same tag that follows it.
 * @param {Spot} name
 * @param {Spot} next
 */
function isUnfilled(name, next) {
  if (name.tag !== next.tag) return false;
  if (NAMES_ONLY.has(name.tag)) return true;
  if (ENDS_WITH_COLON.test(textOfSpot(name))) return splitOf(textOfSpot(next)) !== null;
  return emptyName(name) !== "" && next.kids.length === name.kids.length && textOfSpot(next.kids[0]) !== textOfSpot(next);
}

/**
 * Return the name in a pair of name and value whose value is empty; "" for other elements.
 * @param {Spot} spot
 */
export function emptyName({ tag, kids, hasText }) {
  if (kids.length !== 2 || hasText || kids[1].isMeta || kids[1].kids.length > 0 || kids[1].style.isIcon) return "";
  const isSlot = kids[1].tag === kids[0].tag || kids[1].tag === "td" || kids[1].tag === "dd";
  return isSlot && tag !== "a" && tag !== "button" && !textOfSpot(kids[1]) ? labelIn(textOfSpot(kids[0])) : "";
}

/**
 * Return the name that a description has; "" for a link behind a description that is none, such as "Change".
 * @param {Spot} spot
 */
export function termOf(spot) {
  const { kids } = spot.parent;
  let place = kids.indexOf(spot);
  while (place >= 0 && kids[place].tag !== "dt") place--;
  const isLinkBehind = place >= 0 && isLink(spot) && !isLink(kids[place + 1]);
  return place >= 0 && !isLinkBehind ? textOfSpot(kids[place]) : "";
}

/** @param {Spot} spot */
function isButton({ tag, element }) {
  return tag === "button" || attributeOf(element, "role") === "button";
}

/** @param {Spot} spot */
function isLink({ kids, hasText }) {
  return kids.length === 1 && !hasText && (kids[0].tag === "a" || kids[0].tag === "button");
}

/**
 * @param {string|Spot} piece
 * @param {"a"|"b"|"q"|"w"} side
 * @returns {Label|""}
 */
function labelBy(piece, side) {
  const text = textOf(piece);
  if (text.length > MAX_LABEL) return "";
  const isFirst = side === "b" || side === "q";
  if (typeof piece === "string") {
    const author = isFirst && /\d/.test(text) && BEFORE_AUTHOR.exec(text);
    return labelOf(isFirst && ENDS_WITH_COLON.test(text) ? "k" : side, author ? author[0] : nearestPart(text, side));
  }
  const words = (piece.label ??= labelIn(text));
  const letter = words && letterOf(piece, side, isFirst, words.length < text.length);
  // A line of several values names no other: "7h 55m · Non-stop".
  return letter === side && MARK.test(words) ? "" : letter + words;
}

/**
 * @param {Spot} piece
 * @param {string} side
 * @param {boolean} isFirst
 * @param {boolean} isPlain true if a colon has been taken off its words
 */
function letterOf(piece, side, isFirst, isPlain) {
  if (!isFirst) return side;
  if (HEADING.test(piece.tag)) return "h";
  const names = isPlain || NAMING_TAGS.has(piece.tag) || piece.style.isNaming;
  return names && !CONTROLS.has(piece.tag) ? "k" : side;
}

/**
 * Return the part of a text that belongs to the adjacent value: text between values is cut at commas and dots.
 * @param {string} text
 * @param {string} side
 */
function nearestPart(text, side) {
  const parts = text.split(/[,;|·•()]/).filter((part) => part.trim());
  return parts.at(side === "b" || side === "q" ? -1 : 0) ?? "";
}

/**
 * Return name and value of a text such as "Brand: Acme".
 * @param {string} text
 * @returns {[string, string]|null} name and value
 */
export function splitOf(text) {
  if (text.length > 600) return null;
  const match = PREFIX.exec(text);
  if (!match) return null;
  const [, name, value] = match;
  const isName = WORDLIKE.test(name) && !/\d$/.test(name) && !MARK.test(name);
  return isName && !value.startsWith("//") ? [name, value] : null;
}

/**
 * Return the texts between the child elements, each with the name before it, if any.
 * @param {Spot} spot
 * @returns {{text: string, name: string}[]} the name with the letter of a label
 */
export function runsOf(spot) {
  if (!spot.hasText || spot.kids.length === 0 || textOfSpot(spot).length > 400) return [];
  const runs = [];
  let name = "";
  for (const piece of spot.pieces) {
    if (typeof piece !== "string") name = piece.tag === "br" ? "" : nameIn(piece) || name;
    else if (piece.trim()) runs.push({ text: collapseSpaces(piece).replace(STARTS_WITH_COLON, ""), name: name.length - 1 <= MAX_LABEL ? name : "" });
  }
  return runs.filter(({ text }) => text !== textOfSpot(spot));
}

/**
 * Return true if the lines of an element are pairs of name and value, so that none is the value of the first.
 * @param {Spot} spot
 * @param {{text: string, name: string}[]} runs
 */
export function areLinesNamed({ kids }, runs) {
  return kids.some(({ tag }) => tag === "br") && runs.slice(1).some(({ text, name }) => name[0] === "k" || splitOf(text) !== null);
}

/**
 * Return the names in lines that hold nothing else: "Fax:" before a line break.
 * @param {Spot} spot
 * @returns {string[]}
 */
export function emptyLines({ hasText, kids, pieces }) {
  if (!hasText || !kids.some(({ tag }) => tag === "br")) return [];
  const isEnd = (piece) => piece === undefined || (typeof piece !== "string" && piece.tag === "br");
  const isLine = (piece, at) => typeof piece === "string" && ENDS_WITH_COLON.test(piece) && isEnd(pieces[at - 1]) && isEnd(pieces[at + 1]);
  return pieces.filter(isLine).map((piece) => labelIn(collapseSpaces(/** @type {string} */ (piece))));
}

/** @param {Spot} spot */
function nameIn(spot) {
  const text = textOfSpot(spot);
  if (!WORDLIKE.test(text)) return "";
  const isPlain = ENDS_WITH_COLON.test(text) || NAMING_TAGS.has(spot.tag);
  return (isPlain ? "k" : "b") + text.replace(ENDS_WITH_COLON, "");
}

/**
 * Return the labels above a part of the page that name all of it.
 * @param {Spot} spot
 * @param {Spot} [first] the first of the things in it that are named
 * @returns {Label[]}
 */
export function contextOf(spot, first) {
  const labels = [];
  const addLabel = (letter, text) => text && text.length < 120 && labels.push(letter + collapseSpaces(text));
  const within = first && headWithin(spot, first);
  if (within) addLabel("h", within);
  const addNames = ({ element, classes }, steps) => {
    addLabel("n", attributeOf(element, "aria-label"));
    for (const name of referenced(element, "aria-labelledby")) addLabel("n", openTextOf(name));
    addLabel("i", attributeOf(element, "id"));
    addLabel("p", attributeOf(element, "itemprop") ?? attributeOf(element, "property"));
    if (steps < 3) classes.slice(0, 3).forEach((name) => addLabel("c", name));
  };
  for (let ancestor = spot, steps = 0; ancestor && steps < 5; ancestor = ancestor.parent, steps++) {
    addNames(ancestor, steps);
    if (ancestor.tag === "dd") addLabel("k", termOf(ancestor));
    const above = !within && ancestor.parent && headBefore(ancestor);
    if (above) addLabel("h", above);
    // An element of nothing but the heading and the list has names for the list.
    if (above && ancestor.parent.kids.length === 2) addNames(ancestor.parent, steps + 1);
    if (above || ancestor.tag === "main" || ancestor.tag === "body") break;
  }
  for (const kid of spot.kids) if (kid.tag === "caption" || kid.tag === "legend") addLabel("k", textOfSpot(kid));
  return labels;
}

/**
 * Return the heading in a part of the page before the first item and over all of them.
 * @param {Spot} top
 * @param {Spot} first
 */
function headWithin(top, first) {
  let child = first;
  while (child.parent && child.parent !== top) child = child.parent;
  const isOverAll = ({ tag }) => HEADING.test(tag) && top.kids.filter((kid) => kid.tag === tag).length === 1;
  const head = top.kids.slice(0, top.kids.indexOf(child)).findLast(isOverAll);
  return head ? textOfSpot(head) : "";
}

/**
 * Return the heading or name before an element among its siblings.
 * @param {Spot} spot
 */
function headBefore(spot) {
  const { kids } = spot.parent;
  for (let place = kids.indexOf(spot) - 1; place >= 0; place--) {
    const kid = kids[place];
    if (HEADING.test(kid.tag) || NAMING_TAGS.has(kid.tag) || attributeOf(kid.element, "role") === "heading") return textOfSpot(kid);
    const inner = kid.kids.find(({ tag }) => HEADING.test(tag));
    if (inner && kid.tag === "section" && kid.kids.length > 1) return "";
    if (inner && kid.kids.length <= 3 && textOfSpot(kid).length < 200) return textOfSpot(inner);
    if (kid.tag !== "p" && textOfSpot(kid).length > 200) return "";
    const isName = kid.tag !== "a" && kid.tag !== "button" && kid.kids.length === 0;
    if (place === kids.indexOf(spot) - 1 && isName && textOfSpot(kid).length <= MAX_LABEL) return textOfSpot(kid);
  }
  return "";
}

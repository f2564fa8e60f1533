/**
 * Rows: the list item, table row or card that an element is in, and the texts that distinguish it from its siblings. A
 * counter or a status of a row may change with each action; its first words and its marks may not.
 */

import { addToList, getOrCompute, memo, textCounts } from "../../dom/memo.js";
import {
  attributeOf, bodyOf, closest, ELEMENT, firstElementOf, FRAGMENT, hasAttributes, kindOf, matches, nextElementOf, parentOrHostOf,
  rootOf, shadowOf, SPACES, tagOf,
} from "../../dom/nodes.js";
import { isClippedByAncestor } from "../../dom/clipping.js";
import { piecesIn } from "./pieces.js";
import { hasTwinBeside } from "./twins_beside.js";

/** @import { Piece } from "./pieces.js" */

const ROWS = "tr, li, article, [role=row], [role=listitem], [role=option], [role=article], [role=treeitem]";
/** Elements that are parts of a row where they stand beside one like them. */
const NO_ROWS = new Set("td th span b i em strong p button label a".split(" "));
/** Roles of elements that stand beside others to choose from. */
const CHOICES = new Set("generic listitem option menuitem menuitemcheckbox menuitemradio tab".split(" "));
const MAX_LEVELS = 2;
const CLIPPING_LEVELS = 5;
const MIN_ALIKE = 3;
const MARKS = /^(id|data-testid|data-(?:.+-)?(?:id|key|pk|uid|uuid|sku|slug))$/;
/** Ids that a framework or a server makes anew for each rendering. */
const GENERATED = /:|[0-9a-f]{8}|^(react|ember|radix|mui|headlessui)/i;
/** Ids of options for `aria-activedescendant`, by the number of the list, which each rendering raises, and their place. */
const NUMBERED_TWICE = /\d\D+\d+$/;
const LISTED_ROLES = new Set(["option", "menuitem", "menuitemcheckbox", "menuitemradio"]);
const MAX_PIECES = 12;
const MAX_ROWS = 500;
const LETTER = /\p{L}/u;
const WORDS = /[\p{L}\p{N}]/u;
const MANY_DIGITS = /\d{4}/;

/**
 * The texts that distinguish a row among its siblings.
 * @typedef {object} RowKey
 * @property {string[]} words its first texts
 * @property {string|undefined} button text of a button, where the rows have no other texts
 * @property {string} marks attributes by which the page identifies the row
 * @property {string} tag
 */

/** @typedef {{words: string[], button: string|undefined, isShared: boolean}} Texts */

/**
 * @typedef {object} Row
 * @property {Element} element
 * @property {RowKey} key
 * @property {string} print the key as one text
 * @property {string|undefined} text its first text, or if that is a symbol only, the words that distinguish it
 * @property {boolean} isPlain true if its role is that of a row
 */

/**
 * Return the rows of an element: the nearest one that says more than the element itself, and where that is a generic
 * container, the one around it.
 * @param {Element} element
 * @param {string} name its own name, which does not distinguish its row
 * @param {boolean} isUnique true if role and name are unique, so that generic containers do not matter
 * @returns {Row[]}
 */
export function rowsOf(element, name, isUnique) {
  const rows = [];
  let spare;
  for (let node = firstRow(element, isUnique); node && rows.length < MAX_LEVELS; node = nextRow(node, isUnique)) {
    const row = getOrCompute(memo.rows, node, computeRow);
    const [word, ...more] = row.key.words;
    if (!row.key.marks && !more.length && (word === undefined || word === name)) spare ??= row;
    else if (!rows.length || row.isPlain || groupOf(node).length >= MIN_ALIKE) rows.push(row);
    if (rows.length && row.isPlain) break;
  }
  return rows.length || !spare?.print ? rows : [spare];
}

/**
 * @param {Element} element
 * @param {boolean} isUnique
 */
function firstRow(element, isUnique) {
  return matches(element, ROWS) ? element : nextRow(element, isUnique);
}

/**
 * Return the next row around an element.
 * @param {Element} element
 * @param {boolean} isUnique
 * @returns {Element|null}
 */
function nextRow(element, isUnique) {
  let node = parentOrHostOf(element);
  if (isUnique) {
    while (node && !closest(node, ROWS)) node = hostOf(node);
    return node && closest(node, ROWS);
  }
  while (node && !matches(node, ROWS) && !isOneOfMany(node)) node = parentOrHostOf(node);
  return node;
}

/**
 * Return the host of the shadow tree that an element is in.
 * @param {Element} element
 */
function hostOf(element) {
  const root = rootOf(element);
  return kindOf(root) === FRAGMENT ? root.host ?? null : null;
}

/** @param {Element} element */
function computeRow(element) {
  const isPlain = matches(element, ROWS);
  const { words, button } = textsOf(element);
  const key = { words, button, marks: marksOf(element), tag: tagOf(element) };
  const print = [...words, button, key.marks].filter(Boolean).join(" ");
  const first = firstReadable(element);
  const text = first === undefined || WORDS.test(first) ? first : words.filter((word) => WORDS.test(word)).join(" ") || first;
  return { element, key, print, text, isPlain };
}

/**
 * Return the first text of a row that says something to a reader, and is in no folded part, else the file of its image: one
 * from memory (`blob:`, `data:`) has no name.
 * @param {Element} row
 */
function firstReadable(row) {
  let file;
  for (let count = 1; ; count++) {
    const pieces = piecesUpTo(row, count);
    if (pieces.length < count) return file;
    const { text, holder, isButton, isFile, isNameless } = pieces[count - 1];
    if (!isButton && !isFile && !isClippedByAncestor(holder, CLIPPING_LEVELS)) return text + textBehind(row, count);
    if (!isButton && isFile && !isNameless) file ??= text;
  }
}

/**
 * Return what stands behind a text without an element between them: React writes "Slide {number}" as two text nodes.
 * @param {Element} row
 * @param {number} count
 */
function textBehind(row, count) {
  let words = "";
  for (let next = count + 1; ; next++) {
    const piece = piecesUpTo(row, next)[next - 1];
    if (piece?.joint === undefined) return words;
    words += piece.joint + piece.text;
  }
}

/**
 * Return the texts that distinguish a row; its siblings need not be read if its first text is the only one of the page.
 * @param {Element} row
 */
function textsOf(row) {
  const first = firstText(row);
  if (first !== undefined && isEnough(first) && textCounts?.get(first) === 1) return { words: [first], button: undefined };
  return getOrCompute(memo.rowKeys, groupOf(row), keysOfRows).get(row) ?? { words: [], button: undefined };
}

/**
 * Return the rows of one kind in a container.
 * @param {Element} row
 * @returns {Element[]}
 */
function groupOf(row) {
  const groups = getOrCompute(memo.rowGroups, parentOrHostOf(row), groupsIn);
  return getOrCompute(groups, kindOfRow(row), () => [row]);
}

/** @param {Element} element */
function kindOfRow(element) {
  return matches(element, ROWS) ? tagOf(element) : `${tagOf(element)} ${attributeOf(element, "class")?.trim().split(SPACES)[0]}`;
}

/**
 * Return true if an element stands beside one like it, as rows of generic elements do.
 * @param {Element} element
 */
function isOneOfMany(element) {
  return !NO_ROWS.has(tagOf(element)) && element !== bodyOf(document) && hasTwinBeside(element);
}

/**
 * Return the rows of a container by kind.
 * @param {Element|null} parent
 * @returns {Map<string, Element[]>}
 */
function groupsIn(parent) {
  const groups = new Map();
  const roots = parent ? [parent, shadowOf(parent)] : [];
  for (const root of roots) {
    for (let child = root && firstChildOf(root); child; child = nextElementOf(child)) addToList(groups, kindOfRow(child), child);
  }
  return groups;
}

/** @param {any} root an element or a shadow root */
function firstChildOf(root) {
  return kindOf(root) === ELEMENT ? firstElementOf(root) : root.firstElementChild;
}

/**
 * Return the attributes by which a page identifies an element.
 * @param {Element} element
 */
export function marksOf(element) {
  if (!hasAttributes(element)) return "";
  const names = element.getAttributeNames().filter((name) => MARKS.test(name));
  const values = names.map((name) => [name, attributeOf(element, name) ?? ""]);
  const isListed = LISTED_ROLES.has(attributeOf(element, "role") ?? "");
  const isGenerated = (/** @type {string} */ id) => GENERATED.test(id) || (isListed && NUMBERED_TWICE.test(id));
  return values.filter(([name, value]) => value && !(name === "id" && isGenerated(value))).map(([, value]) => value).join(" ");
}

/**
 * Return the key of each row: the shortest beginning of its texts that no other row has.
 * @param {Element[]} rows
 * @returns {Map<Element, Texts>}
 */
function keysOfRows(rows) {
  const keys = new Map();
  const known = rows.slice(0, MAX_ROWS);
  distinguish(known, 0, [], keys);
  distinguishByButtons(known.filter((row) => keys.get(row).isShared), keys);
  return keys;
}

/**
 * @param {Element[]} rows with the same texts so far
 * @param {number} position of the text to compare
 * @param {string[]} words
 * @param {Map<Element, Texts>} keys
 */
function distinguish(rows, position, words, keys) {
  const alike = Map.groupBy(rows, (row) => wordAt(row, position));
  for (const [text, group] of alike) {
    const isEnd = text === undefined || position + 1 >= MAX_PIECES;
    // A number that most rows share is a counter, which changes; one that identifies its row is its own.
    const isCounter = text !== undefined && !LETTER.test(text) && group.length > 1 && group.length * 2 >= rows.length;
    const more = text === undefined || isCounter ? words : [...words, text];
    if (isEnd || (group.length === 1 && isEnough(text))) {
      for (const row of group) keys.set(row, { words: more, button: undefined, isShared: group.length > 1 });
    } else distinguish(group, position + 1, more, keys);
  }
}

/**
 * Return true if a text identifies a row on its own: a word or a long number.
 * @param {string} text
 */
function isEnough(text) {
  return LETTER.test(text) || MANY_DIGITS.test(text);
}

/**
 * @param {Element[]} rows that have the same words
 * @param {Map<Element, Texts>} keys
 */
function distinguishByButtons(rows, keys) {
  const counts = new Map();
  for (const row of rows) for (const text of new Set(buttonTexts(row))) addToList(counts, text, row);
  for (const row of rows) keys.get(row).button = buttonTexts(row).find((text) => counts.get(text).length === 1);
}

/** @param {Element} row */
function buttonTexts(row) {
  return piecesUpTo(row, MAX_PIECES).filter(({ isButton }) => isButton).map(({ text }) => text);
}

/**
 * Return a text of a row outside of buttons, whose texts are mostly the same in all rows.
 * @param {Element} row
 * @param {number} position
 */
function wordAt(row, position) {
  for (let count = position + 1; ; count++) {
    const pieces = piecesUpTo(row, count);
    const words = pieces.filter(({ isButton }) => !isButton);
    if (words.length > position || pieces.length < count) return words[position]?.text;
  }
}

/** @param {Element} row */
function firstText(row) {
  return wordAt(row, 0);
}

/**
 * Return the first texts of a row, which are read as far as needed.
 * @param {Element} row
 * @param {number} count
 * @returns {Piece[]}
 */
function piecesUpTo(row, count) {
  const known = getOrCompute(memo.pieces, row, startPieces);
  while (known.pieces.length < Math.min(count, MAX_PIECES)) {
    const { value, done } = known.source.next();
    if (done) break;
    known.pieces.push(value);
  }
  return known.pieces;
}

/** @param {Element} row */
function startPieces(row) {
  return { pieces: [], source: piecesIn(row, false) };
}

/**
 * Return the first text of the row of an element. That of the first option or item of a menu says nothing about the others.
 * @param {Element} element
 * @param {string|null} role
 * @param {Row} row
 */
export function textOfRow(element, role, { element: around, text }) {
  if (!CHOICES.has(role ?? "generic")) return text;
  if (role === null && !attributeOf(element, "class")) return text;
  const holder = parentOrHostOf(element);
  const item = holder && holder !== around && tagOf(holder) === "li" ? holder : element;
  const first = firstText(around);
  const isOfSibling = item !== around && groupOf(item).some((other) => other !== item && firstText(other) === first);
  return isOfSibling ? undefined : text;
}

/**
 * Return the number of steps from an element up to its row.
 * @param {Element} element
 * @param {Row} row
 */
export function depthIn(element, row) {
  let depth = 0;
  for (let node = element; node && node !== row.element; node = parentOrHostOf(node)) depth++;
  return depth;
}

/**
 * Return true if an element is still in the row that had a key, at the same depth: around a row, the list may begin
 * with the same words.
 * @param {Element} element
 * @param {RowKey} key
 * @param {number} depth
 */
export function isInRow(element, key, depth) {
  let row = element;
  for (let step = 0; row && step < depth; step++) row = parentOrHostOf(row);
  return row !== null && tagOf(row) === key.tag && marksOf(row) === key.marks && hasTexts(row, key);
}

/**
 * Return true if a row still has the texts by which it was distinguished.
 * @param {Element} row
 * @param {RowKey} key
 */
function hasTexts(row, key) {
  if (key.button !== undefined && !buttonTexts(row).includes(key.button)) return false;
  let position = 0;
  for (const { text, isButton } of piecesUpTo(row, MAX_PIECES)) {
    const wanted = key.words[position];
    if (isButton) continue;
    if (text === wanted) position++;
    // Numbers that are not part of the key may change; words may not.
    else if (LETTER.test(text) || (wanted !== undefined && !LETTER.test(wanted))) return position === key.words.length;
    if (position === key.words.length && position > 0) return true;
  }
  return position === key.words.length;
}

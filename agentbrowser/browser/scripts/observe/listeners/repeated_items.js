/**
 * Items of an element with a listener that is no list: cards of a board, days of a calendar, options of a drop-down.
 * Frameworks and analytics have listeners on such elements too; so an item is one that carries a key of its own, or, if the
 * listener can hardly be for anything else, one of several that look alike.
 */

import {
  attributeOf, collapseSpaces, isElement, namesIn, parentOf, queryAll, SPACES, tagOf, textContentOf, topOf,
} from "../../dom/nodes.js";
import { boxOf, hasAriaHidden, isShown } from "../../dom/visibility.js";

const TAGS = new Set(
  "div span li a td p img svg g rect circle path polygon label dd dt article section figure i b strong em tr".split(" "),
);
/** Tags of text, which have a class for its looks. */
const WORDS = new Set(["p", "b", "i", "em", "strong"]);
/** Attributes of frameworks, effects and translations, which are no keys. */
const NO_KEY =
  /^data-(?:v-|wp-|react|test|qa$|cy$|aos|src|sizes|theme|bs-|n-|server|turbo|controller|state$|orientation|slot$|radix|headlessui|lazy|bg|animation|delay|speed|track|analytics|gtm|ga-|i18n|l10n|translate|intl)/;
/** Attributes that name what a click does. */
const ACTION = /^data-(?:action|act|cmd|command|href|open|close|toggle|dismiss|goto)$/;
const ACTIONS = "[data-action], [data-act], [data-cmd], [data-command], [data-href], [data-open], [data-close], [data-toggle], [data-dismiss], [data-goto]";
/** Parts of a page; an element with several of them is the page's root. */
const PAGE_PARTS = "main, nav, form, [role=main], [role=navigation]";
/** A cell of the second column below the first row. */
const TABLE_CELL = "tr + tr > :nth-child(2)";
const MAX_WALKED = 3000;
const MAX_SHARE = 1 / 8;
const MAX_ALIKE_SHARE = 1 / 24;
const MAX_ALIKE_HEIGHT = 120;
const MIN_KEYED = 2;
const MIN_ALIKE = 3;
const MIN_DISTINCT = 0.6;
const LONGEST_ITEM = 160;
const NUMBER = /^\d+$/;

/**
 * Elements of one kind.
 * @typedef {object} Group
 * @property {Element[]} members
 * @property {Set<string>} keys
 * @property {boolean} isAction true if each of them names what it does
 */

/**
 * Return the items in an element, in document order; empty if there are none.
 * @param {Element} holder
 * @param {boolean} isDeliberate true if the listener must be for items: it is for presses, or on a small element
 * @returns {Element[]}
 */
export function repeatedItems(holder, isDeliberate) {
  /** @type {Map<string, Group>} */
  const keyed = new Map();
  /** @type {Map<string, Group>} */
  const alike = new Map();
  const all = queryAll(holder, "*");
  for (let i = 0; i < all.length && i < MAX_WALKED; i++) {
    if (!TAGS.has(tagOf(all[i])) && !tagOf(all[i]).includes("-")) continue;
    addKeyed(keyed, all[i]);
    const mark = isDeliberate && !WORDS.has(tagOf(all[i])) && (attributeOf(all[i], "class")?.trim().split(SPACES)[0] || attributeOf(all[i], "role"));
    if (mark) groupFor(alike, `${tagOf(all[i])} ${mark}`).members.push(all[i]);
  }
  const found = [...keyed.values()].filter(isKeyed).flatMap(({ members }) => members.filter(isSmall));
  const items = found.length ? found : outermost([...alike.values()].map(({ members }) => members.filter(isAlikeItem)));
  const wanted = new Set(items);
  return [...all].filter((element) => wanted.has(element));
}

/**
 * Return the elements of the document that name what a click on them does, for a listener of the document.
 * @returns {Element[]}
 */
export function namedActions() {
  const all = [...queryAll(topOf(document), ACTIONS)].slice(0, MAX_WALKED);
  return all.filter((element) => TAGS.has(tagOf(element)) && isSmall(element) && boxOf(element).width > 0 && textContentOf(element).trim());
}

/**
 * Return true if an element is the root of a page, whose listener may be for anything.
 * @param {Element} element
 */
export function isPageRoot(element) {
  return queryAll(element, PAGE_PARTS).length > 0;
}

/**
 * @param {Map<string, Group>} groups
 * @param {string} kind
 */
function groupFor(groups, kind) {
  let group = groups.get(kind);
  if (!group) groups.set(kind, (group = { members: [], keys: new Set(), isAction: false }));
  return group;
}

/**
 * @param {Map<string, Group>} groups
 * @param {Element} element
 */
function addKeyed(groups, element) {
  const names = namesIn(element).filter((name) => name.startsWith("data-") && !NO_KEY.test(name));
  if (!names.length) return;
  const group = groupFor(groups, `${tagOf(element)} ${names.join(" ")}`);
  group.members.push(element);
  group.keys.add(names.map((name) => attributeOf(element, name)).join(" "));
  group.isAction = names.some((name) => ACTION.test(name));
}

/** @param {Group} group */
function isKeyed({ members, keys, isAction }) {
  return isAction || (members.length >= MIN_KEYED && keys.size >= Math.max(MIN_KEYED, members.length * MIN_DISTINCT));
}

/** @param {Element} element */
function isSmall(element) {
  return isShown(element) && areaOf(element) <= innerWidth * innerHeight * MAX_SHARE;
}

/**
 * Return true if an element can be one of several that look alike. A table in it is to be read, cell by cell.
 * @param {Element} element
 */
function isAlikeItem(element) {
  if (!isShown(element)) return false;
  const isLow = boxOf(element).height <= MAX_ALIKE_HEIGHT || areaOf(element) <= innerWidth * innerHeight * MAX_ALIKE_SHARE;
  const text = isLow ? collapseSpaces(textContentOf(element)) : "";
  return text !== "" && text.length <= LONGEST_ITEM && !isWord(element) && !isLineNumber(element) && queryAll(element, TABLE_CELL).length === 0;
}

/**
 * Return true for the number of a line of an editor, whose gutter is hidden from assistive technology.
 * @param {Element} element
 */
export function isLineNumber(element) {
  const gutter = parentOf(element);
  return [gutter, gutter && parentOf(gutter)].some((node) => node && isElement(node) && hasAriaHidden(node)) && NUMBER.test(textContentOf(element).trim());
}

/**
 * Return true for a part of a text that is to be selected, such as a coloured word of an editor.
 * @param {Element} element
 */
function isWord(element) {
  const { cursor, display } = getComputedStyle(element);
  return display === "inline" && cursor === "text";
}

/** @param {Element} element */
function areaOf(element) {
  const { width, height } = boxOf(element);
  return width * height;
}

/**
 * Return the members of groups that are large enough and in no member of another one.
 * @param {Element[][]} groups
 */
function outermost(groups) {
  const large = new Set(groups.filter((members) => members.length >= MIN_ALIKE).flat());
  return [...large].filter((element) => !isInAny(element, large));
}

/**
 * @param {Element} element
 * @param {Set<Element>} others
 */
function isInAny(element, others) {
  for (let node = parentOf(element); node && isElement(node); node = parentOf(node)) if (others.has(node)) return true;
  return false;
}

/** Context of an element: its landmark, the headings of the sections that it is in, and the route of the page. */

import { getOrCompute, memo } from "../../dom/memo.js";
import { nameOf } from "../../dom/names.js";
import {
  attributeOf, bodyOf, caller, closest, collapseSpaces, hasAttribute, kindOf, ELEMENT, MAX_TEXT, parentOf, parentOrHostOf, queryRoot,
  rootOf, shorten, SPACES, tagOf,
} from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { openTextOf } from "../../dom/secret_fields.js";
import { isShown } from "../../dom/visibility.js";
import { HEADS } from "./own_words.js";
import { piecesIn } from "./pieces.js";

const byId = caller(Document, "getElementById");
const byName = caller(Document, "getElementsByName");
/** Elements whose headings are only for their own content. */
const OWN_HEADINGS = new Set("article aside dialog footer li nav section table td th tr".split(" "));
const LIVE = "[role=alert], [role=status], [role=log], [aria-live]";
const LANDMARKS = new Set(
  "alertdialog banner complementary contentinfo dialog form main navigation region search".split(" "),
);
const PERSISTENT = new Set(["banner", "contentinfo", "navigation"]);
const VIEWS = new Set(["alertdialog", "article", "dialog", "listitem", "main", "region", "row", "tabpanel"]);
/** Elements that are a landmark or a view without a role attribute. */
const LANDMARK_TAGS = new Set("article aside dialog footer form header li main nav search section tr".split(" "));
const NO_LANDMARK = { print: "", isPersistent: false, isInView: false };
const MAX_SECTIONS = 6;
const MAX_GROUPS = 50;
const MAX_NEAR = 80;
const LOWEST = 9;

/**
 * @typedef {object} Context
 * @property {string} landmark role and label of the nearest landmark
 * @property {string} section headings above the element, the nearest first
 * @property {boolean} isPersistent true in a navigation, header or footer that outlives the routes of its application
 */

/**
 * A heading with its level; of a label 0.
 * @typedef {{text: string, level: number}} Heading
 */

/**
 * The headings in one child of an element.
 * @typedef {{child: Element, headings: {element: Element, level: number}[]}} Group
 */

/**
 * @param {Element} element
 * @returns {Context}
 */
export function contextOf(element) {
  const holder = parentOrHostOf(element) ?? element;
  const landmark = getOrCompute(memo.landmarks, holder, computeLandmark);
  const texts = [];
  let lowest = LOWEST + 1;
  for (const { text, level } of computeSections(element)) {
    if (level >= lowest || texts.length >= MAX_SECTIONS) continue;
    if (level) lowest = level;
    texts.push(text);
  }
  return { landmark: landmark.print, section: texts.join(" < "), isPersistent: landmark.isPersistent };
}

/**
 * @param {Element} element
 * @returns {{print: string, isPersistent: boolean, isInView: boolean}}
 */
function computeLandmark(element) {
  const holder = parentOrHostOf(element);
  const outer = holder ? getOrCompute(memo.landmarks, holder, computeLandmark) : NO_LANDMARK;
  if (!LANDMARK_TAGS.has(tagOf(element)) && !hasAttribute(element, "role")) return outer;
  const role = roleOf(element) ?? "";
  const isInView = outer.isInView || VIEWS.has(role) || tagOf(element) === "section";
  if (!LANDMARKS.has(role)) return { ...outer, isInView };
  const print = collapseSpaces(`${role} ${attributeOf(element, "aria-label") ?? ""}`);
  return { print, isPersistent: outer.isPersistent || (PERSISTENT.has(role) && !isInView), isInView };
}

/**
 * Return the headings above an element, the nearest first.
 * @param {Element} element
 * @returns {Heading[]}
 */
function computeSections(element) {
  const holder = parentOrHostOf(element);
  if (!holder) return [];
  const groups = getOrCompute(memo.headings, rootOf(element), headingsIn).get(holder);
  const above = groups ? headingsBefore(groups, element) : [];
  const label = labelOf(holder);
  if (!above.length && !label && !LANDMARK_TAGS.has(tagOf(holder)) && !hasAttribute(holder, "role")) {
    return getOrCompute(memo.sections, holder, computeSections);
  }
  // A header or a navigation shows the same under any heading of the page.
  const { isPersistent } = getOrCompute(memo.landmarks, holder, computeLandmark);
  const isTop = isPersistent && PERSISTENT.has(roleOf(holder) ?? "");
  const outer = isTop ? [] : getOrCompute(memo.sections, holder, computeSections);
  return above.length || label ? [...above, ...label, ...outer] : outer;
}

/**
 * Return the label of a section, dialog, group or the like.
 * @param {Element} element
 * @returns {Heading[]|""}
 */
function labelOf(element) {
  if (!hasAttribute(element, "aria-label") && !hasAttribute(element, "aria-labelledby")) return "";
  const text = nameOf(element);
  return text && [{ text: shorten(text, MAX_TEXT), level: 0 }];
}

/**
 * Return the headings of a tree, grouped by the children of each of their ancestors.
 * @param {any} root
 * @returns {Map<Element, Group[]>}
 */
function headingsIn(root) {
  const index = new Map();
  if (kindOf(root) === ELEMENT) return index;
  for (const element of queryRoot(root, HEADS)) {
    if (!isShown(element) || closest(element, LIVE)) continue;
    const heading = { element, level: levelOf(element) };
    for (let child = element, parent = parentOf(child); parent && kindOf(parent) === ELEMENT; child = parent, parent = parentOf(child)) {
      const groups = getOrCompute(index, parent, () => []);
      if (groups.at(-1)?.child === child) groups.at(-1).headings.push(heading);
      else groups.push({ child, headings: [heading] });
    }
  }
  return index;
}

/** @param {Element} heading */
function levelOf(heading) {
  const [, digit] = /^h(\d)$/.exec(tagOf(heading)) ?? [];
  if (digit) return Number(digit);
  return attributeOf(heading, "role") === "heading" ? Number(attributeOf(heading, "aria-level")) || 2 : LOWEST;
}

/**
 * Return the headings among the children before one, each of a higher level than the one below it.
 * @param {Group[]} groups
 * @param {Element} child
 * @returns {Heading[]}
 */
function headingsBefore(groups, child) {
  const found = [];
  let lowest = LOWEST + 1;
  const kind = kindOfChild(child);
  let last = groups.length - 1;
  while (last >= 0 && !(groups[last].child.compareDocumentPosition(child) & Node.DOCUMENT_POSITION_FOLLOWING)) last--;
  for (let i = last; i >= 0 && i > last - MAX_GROUPS && lowest > 1; i--) {
    if (groups[i].child === child) continue;
    const heading = headingOf(groups[i], kind);
    if (!heading || heading.level >= lowest) continue;
    lowest = heading.level;
    const text = shorten(collapseSpaces(openTextOf(heading.element)), MAX_TEXT);
    if (text) found.push({ text, level: lowest });
  }
  return found;
}

/** @param {Element} child */
function kindOfChild(child) {
  return `${tagOf(child)} ${attributeOf(child, "class")?.trim().split(SPACES)[0] ?? ""}`;
}

/**
 * Return the heading that a child gives to what follows: its highest one, unless it is a section or a row itself.
 * @param {Group} group
 * @param {string} kind of the element below; children of one kind are rows
 */
function headingOf({ child, headings }, kind) {
  if (headings[0].element === child) return headings[0];
  if (OWN_HEADINGS.has(tagOf(child)) || kindOfChild(child) === kind) return null;
  const highest = Math.min(...headings.slice(0, MAX_GROUPS).map(({ level }) => level));
  const all = headings.filter(({ level }) => level === highest);
  return all.length === 1 ? all[0] : null;
}

const TRAILING_COUNT = /\s*\(\d+\)(?= <|$)/g;

/**
 * Return true if an element that stayed is in the same sections: a count in parentheses at the end may have changed.
 * @param {string} before
 * @param {string} after
 */
export function isSameSection(before, after) {
  return before === after || before.replace(TRAILING_COUNT, "") === after.replace(TRAILING_COUNT, "");
}

/**
 * Return the first words beside an element: those of the nearest ancestor that has any.
 * @param {Element} element
 */
export function wordsBeside(element) {
  let node = parentOrHostOf(element);
  while (node && node !== bodyOf(document)) {
    const words = getOrCompute(memo.near, node, firstWords);
    if (words) return words;
    node = parentOrHostOf(node);
  }
  return "";
}

/** @param {Element} element */
function firstWords(element) {
  let words = "";
  for (const { text, isButton } of piecesIn(element, false)) {
    if (!isButton) words += ` ${text}`;
    if (words.length > MAX_NEAR) break;
  }
  return words.trim().slice(0, MAX_NEAR);
}

/** Return the route of the page: path, query, and a hash that is no anchor of the page. */
export function routeHere() {
  return getOrCompute(memo.routes, document, computeRoute);
}

function computeRoute() {
  const { pathname, search, hash } = location;
  const name = hash.slice(1);
  if (!name || name === "top") return pathname + search;
  const isAnchor = !/^[/!]/.test(name) && [name, decoded(name)].some((id) => byId(document, id) || byName(document, id).length);
  return isAnchor ? pathname + search : pathname + search + hash;
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

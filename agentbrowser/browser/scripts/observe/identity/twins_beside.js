/** Generic rows: elements beside one of their kind. Parts of a page that only share a tag are none. */

import { getOrCompute, memo } from "../../dom/memo.js";
import {
  attributeOf, dataOf, ELEMENT, firstOf, hasAttributes, kindOf, nextElementOf, nextOf, previousElementOf, queryAll, shadowOf,
  SPACES, tagOf, TEXT,
} from "../../dom/nodes.js";
import { boxOf, UNRENDERED_TAGS } from "../../dom/visibility.js";

/** Elements that show something without any text. */
const DRAWN = new Set("audio button canvas embed iframe img input meter object picture progress select svg textarea video".split(" "));
/** Parts of a page, of which a row has none. */
const MAJOR = "h1, main, nav, [role=main], [role=navigation], [role=banner], [role=contentinfo]";
/** Ids with a digit may count rows. */
const COUNTED = /\d/;

/**
 * Return true if an element stands beside one of its tag and first class that shows something, too. Where only one of both
 * has a landmark or a main heading, or an id names one and no class, they are parts of the page: applications stand
 * beside the empty elements for their dialogs and messages.
 * @param {Element} element
 */
export function hasTwinBeside(element) {
  return getOrCompute(memo.twins, element, computeTwinBeside);
}

/** @param {Element} element */
function computeTwinBeside(element) {
  return isTwin(nextElementOf(element), element) || isTwin(previousElementOf(element), element);
}

/**
 * @param {Element|null} other
 * @param {Element} element
 */
function isTwin(other, element) {
  if (other === null || tagOf(other) !== tagOf(element) || classOf(other) !== classOf(element)) return false;
  if (isNamedPart(other) || isNamedPart(element) || !showsAnything(other)) return false;
  return hasMajorPart(other) === hasMajorPart(element);
}

/** @param {Element} element */
function classOf(element) {
  return hasAttributes(element) ? attributeOf(element, "class")?.trim().split(SPACES)[0] ?? "" : "";
}

/** @param {Element} element */
function isNamedPart(element) {
  const id = hasAttributes(element) ? attributeOf(element, "id") : null;
  return Boolean(id) && !COUNTED.test(id ?? "") && classOf(element) === "";
}

/** @param {Element} element */
function hasMajorPart(element) {
  return getOrCompute(memo.majors, element, (it) => queryAll(it, MAJOR).length > 0);
}

/** @param {Element} element */
function showsAnything(element) {
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 && hasContent(element);
}

/**
 * @param {Node} node an element or a shadow root
 * @returns {boolean}
 */
function hasContent(node) {
  for (let child = firstOf(node); child; child = nextOf(child)) {
    const kind = kindOf(child);
    if (kind === TEXT && dataOf(child).trim()) return true;
    if (kind !== ELEMENT) continue;
    const tag = tagOf(child);
    if (DRAWN.has(tag) || (!UNRENDERED_TAGS.has(tag) && hasContent(child))) return true;
  }
  const shadow = kindOf(node) === ELEMENT ? shadowOf(node) : null;
  return shadow !== null && hasContent(shadow);
}

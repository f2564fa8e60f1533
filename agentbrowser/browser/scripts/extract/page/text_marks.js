/** Texts without marks: struck-out text, note numbers, text for screen readers only. */

import { attributeOf, collapseSpaces } from "../../dom/nodes.js";
import { MAX_CELL, PHRASING_TAGS } from "./patterns.js";
import { isStruck } from "./values.js";
import { textOfSpot } from "./walk.js";

/** @import { Spot } from "./walk.js" */

const LOOSE_END = /[\s:;,|/·•–—-]+$/;
const STRUCK = new Set(["del", "s", "strike"]);
/** The name of a struck price, which is none of the price behind it: "Was $20 now $15". */
const NAME_OF_STRUCK =
  /\b(was|before|formerly|regularly|regular|reg\.|old|originally|original|orig\.|list|rrp|msrp|uvp|statt|vorher|bisher|avant|antes|prima|voorheen)( price| preis)?:?\s*$/i;
const NOTE = /^(\[\w{1,3}\]|[*†‡§]+)$/;
export const MAX_MARKED_TEXT = 300;

/**
 * Return the text directly in an element, without that of its children.
 * @param {Spot} spot
 * @param {string} text all of it
 */
export function ownTextOf(spot, text) {
  if (!spot.hasText || !spot.kids.length) return text;
  return collapseSpaces(spot.pieces.filter((piece) => typeof piece === "string").join(" ")).slice(0, MAX_CELL).replace(LOOSE_END, "");
}

/**
 * Return the text without marks; unchanged where the whole text is one.
 * @param {Spot} spot
 * @param {string} text
 */
export function withoutMarks(spot, text) {
  let holder = spot;
  while (holder.kids.length === 1 && !holder.hasText) holder = holder.kids[0];
  return text.length < MAX_MARKED_TEXT && hasMark(holder) ? collapseSpaces(unmarkedText(holder)) : text;
}

/**
 * Return the text of a single value without marks, if a part of it is struck out: of two prices, the one that is valid.
 * @param {Spot} spot
 * @param {string} text
 */
export function withoutStruck(spot, text) {
  return spot.kids.length && text.length < MAX_MARKED_TEXT && hasStruck(spot) ? withoutMarks(spot, text) || text : text;
}

/**
 * @param {Spot} spot
 * @returns {boolean}
 */
function hasStruck(spot) {
  return spot.kids.some((kid) => isStruckPart(kid) || hasStruck(kid));
}

/**
 * @param {Spot} spot
 * @returns {boolean}
 */
function hasMark(spot) {
  return spot.kids.some((kid) => isMark(kid) || hasMark(kid));
}

/**
 * Return true if an element is no part of the text around it: struck out, a note number, or for screen readers only.
 * @param {Spot} spot
 */
function isMark(spot) {
  if (isStruckPart(spot)) return true;
  if (spot.tag === "sup") return NOTE.test(textOfSpot(spot)) || spot.kids.some((kid) => attributeOf(kid.element, "href")?.startsWith("#"));
  return spot.style.isHeardOnly;
}

/**
 * Return true if an element is struck out by its tag or its style, as former prices are.
 * @param {Spot} spot
 */
function isStruckPart(spot) {
  return STRUCK.has(spot.tag) || isStruck(spot);
}

/**
 * @param {Spot} spot
 * @returns {string}
 */
function unmarkedText(spot) {
  let text = "";
  for (const piece of spot.pieces) {
    if (typeof piece === "string") text += piece;
    else if (isStruckPart(piece)) text = text.replace(NAME_OF_STRUCK, "");
    else if (!isMark(piece)) text += PHRASING_TAGS.has(piece.tag) ? unmarkedText(piece) : ` ${unmarkedText(piece)} `;
  }
  return text;
}

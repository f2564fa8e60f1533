/** Texts without what their elements only add to them: what is struck out, the marks of notes, what is for screen readers. */

import { attributeOf, collapseSpaces } from "../../dom/nodes.js";
import { MAX_CELL, PHRASING_TAGS } from "./patterns.js";
import { isStruck } from "./values.js";
import { textOfSpot } from "./walk.js";

/** @import { Spot } from "./walk.js" */

const LOOSE_END = /[\s:;,|/·•–—-]+$/;
const STRUCK = new Set(["del", "s", "strike"]);
const NOTE = /^(\[\w{1,3}\]|[*†‡§]+)$/;
export const MAX_MARKED_TEXT = 300;

/**
 * What stands directly in an element, without what its children add.
 * @param {Spot} spot
 * @param {string} text all of it
 */
export function ownTextOf(spot, text) {
  if (!spot.hasText || !spot.kids.length) return text;
  return collapseSpaces(spot.pieces.filter((piece) => typeof piece === "string").join(" ")).slice(0, MAX_CELL).replace(LOOSE_END, "");
}

/**
 * Return the text without what no reader takes for a part of it; what holds all of it is none.
 * @param {Spot} spot
 * @param {string} text
 */
export function withoutMarks(spot, text) {
  let holder = spot;
  while (holder.kids.length === 1 && !holder.hasText) holder = holder.kids[0];
  return text.length < MAX_MARKED_TEXT && hasMark(holder) ? collapseSpaces(unmarkedText(holder)) : text;
}

/**
 * @param {Spot} spot
 * @returns {boolean}
 */
function hasMark(spot) {
  return spot.kids.some((kid) => isMark(kid) || hasMark(kid));
}

/**
 * Return true if an element is no part of what the text around it says: struck out, a note's mark, or for screen readers alone.
 * @param {Spot} spot
 */
function isMark(spot) {
  if (STRUCK.has(spot.tag) || isStruck(spot)) return true;
  if (spot.tag === "sup") return NOTE.test(textOfSpot(spot)) || spot.kids.some((kid) => attributeOf(kid.element, "href")?.startsWith("#"));
  return spot.style.isHeardOnly;
}

/**
 * @param {Spot} spot
 * @returns {string}
 */
function unmarkedText(spot) {
  let text = "";
  for (const piece of spot.pieces) {
    if (typeof piece === "string") text += piece;
    else if (!isMark(piece)) text += PHRASING_TAGS.has(piece.tag) ? unmarkedText(piece) : ` ${unmarkedText(piece)} `;
  }
  return text;
}

/** Neighbours of a text or an element in the element that holds both. */

import { CONTROLS } from "./patterns.js";
import { textOfSpot } from "./walk.js";

/** @import { Spot } from "./walk.js" */

/**
 * Return true for two rows of a name and a value each, neither of which names the other: "Shipping", then "Total".
 * @param {Spot} one
 * @param {Spot} other
 */
export function areRows(one, other) {
  const isAlike = one.tag === other.tag && one.kids.length === other.kids.length && one.hasText === other.hasText;
  return isAlike && [one, other].every(({ pieces }) => pieces.filter((piece) => (typeof piece === "string" ? piece.trim() : textOfSpot(piece))).length > 1);
}

/**
 * @param {(string|Spot)[]} pieces
 * @param {number} place
 * @param {number} step
 * @returns {string|Spot|null}
 */
export function neighbour(pieces, place, step) {
  for (let at = place + step; at >= 0 && at < pieces.length; at += step) {
    const piece = pieces[at];
    if (typeof piece === "string" ? piece.trim() : !piece.isMeta && (textOfSpot(piece) || CONTROLS.has(piece.tag))) return piece;
  }
  return null;
}

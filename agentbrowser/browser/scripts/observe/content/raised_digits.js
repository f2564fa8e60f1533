/** Small digits that stand right behind large ones: the 49 of $12.49, an exponent. As mere text they are one number with these. */

import { closest, dataOf, kindOf, parentOf, previousOf, TEXT, textContentOf } from "../../dom/nodes.js";

const CENTS = /^\d\d$/;
const RAISED = /^\d{1,2}$/;
/** The part of the size of the digits before that small ones have at most. */
const SMALL = 0.85;
const CURRENCY = /\p{Sc}|(?<!\p{L})(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RON|kr|zł|Kč|Ft|lei)(?!\p{L})/u;
/** Levels above the digits, and the length of the text there, in which a currency makes them cents. */
const LEVELS = 3;
const MAX_PRICE = 60;

/**
 * Return true if two digits are the cents of a price, by their look.
 * @param {Element} element the one that they are in
 * @param {string} text
 * @param {string} before the text before them
 */
export function areCents(element, text, before) {
  return CENTS.test(text) && /\d\s*$/.test(before) && (closest(element, "sup") !== null || isSmaller(element));
}

/**
 * Return the mark that belongs between digits and small ones behind them: "$12.49", "10^6"; "" for other texts.
 * @param {Element} element
 * @param {string} text
 * @param {string} before
 */
export function markBefore(element, text, before) {
  if (!RAISED.test(text) || !/\d$/.test(before)) return "";
  if (areCents(element, text, before) && isInPrice(element)) return /\.\d{3}$/.test(before) ? "," : ".";
  return closest(element, "sup") === null ? "" : "^";
}

/**
 * Return true if an element is smaller than what is right before it: an element, or a text of its parent.
 * @param {Element} element
 */
function isSmaller(element) {
  const before = previousOf(element);
  const isOfParent = !before || (kindOf(before) === TEXT && dataOf(before).trim() !== "");
  const larger = isOfParent ? parentOf(element) : before;
  return larger instanceof Element && sizeOf(element) <= SMALL * sizeOf(larger);
}

/** @param {Element} element */
function sizeOf(element) {
  return parseFloat(getComputedStyle(element).fontSize);
}

/** @param {Element} element */
function isInPrice(element) {
  for (let around = parentOf(element), level = 0; around && level < LEVELS; around = parentOf(around), level++) {
    const text = textContentOf(around);
    if (text.length > MAX_PRICE) return false;
    if (CURRENCY.test(text)) return true;
  }
  return false;
}

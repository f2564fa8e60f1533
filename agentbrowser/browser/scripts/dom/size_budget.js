/** Limit on the size of an answer, checked while it is made. */

import { titleOf, urlOf } from "./nodes.js";

/** Error of an answer that grows too large. */
export class TooLarge extends Error {
  /**
   * @param {number} size of the answer so far
   * @param {"bytes"|"nodes"} [unit]
   */
  constructor(size, unit = "bytes") {
    super("too large");
    this.size = size;
    this.unit = unit;
  }
}

const NOT_ASCII = /[^\x00-\x7f]/;

/** Sum of the bytes of an answer. */
export class Budget {
  /** @param {number} limit bytes of UTF-8 */
  constructor(limit) {
    this.limit = limit;
    this.used = 0;
    this.encoder = new TextEncoder();
  }

  /**
   * @param {string} text
   * @returns {string} the text itself
   */
  charge(text) {
    const isOver = this.used + text.length > this.limit; // each character is a byte at least
    this.weigh(isOver || !NOT_ASCII.test(text) ? text.length : this.encoder.encode(text).length);
    return text;
  }

  /** @param {number} bytes */
  weigh(bytes) {
    this.used += bytes;
    if (this.used > this.limit) throw new TooLarge(this.used);
  }

  /** Return a budget of the remaining bytes, to measure something that is not yet part of the answer. */
  rest() {
    const rest = new Budget(this.limit);
    rest.used = this.used;
    return rest;
  }
}

/**
 * Make an answer within the limit, with URL and title of the document; `{exceeded, unit}` if it grows too large.
 * @template T
 * @param {number} limit
 * @param {(budget: Budget) => T} make
 */
export function withinBudget(limit, make) {
  const budget = new Budget(limit);
  try {
    const about = { url: budget.charge(urlOf(document)), title: budget.charge(titleOf(document)) };
    return { ...about, ...make(budget) };
  } catch (error) {
    if (error instanceof TooLarge) return { exceeded: error.size, unit: error.unit };
    throw error;
  }
}

/** Elements that the client's last look has counted but not listed, so that they are not news to the next one. */

import { increment } from "../../dom/memo.js";
import { shownRole } from "../element_fields.js";

/** @import { Found } from "../scan.js" */
/** @import { Registry } from "../refs.js" */

/** The elements behind the end of a look, or within its folds. */
export class PassedElements {
  constructor() {
    /** @type {WeakSet<Element>} */
    this.elements = new WeakSet();
    /** Their number by kind, since a page may render them again. @type {Map<string, number>} */
    this.counts = new Map();
  }

  /** @param {Pick<Found, "element"|"role"|"tag">} found */
  add({ element, role, tag }) {
    this.elements.add(element);
    increment(this.counts, kindOf({ role, tag }));
  }
}

/** @param {Pick<Found, "role"|"tag">} found */
function kindOf({ role, tag }) {
  return `${shownRole(role, tag)} ${tag}`;
}

/**
 * Choose what an incremental look describes: all that the client knows, and what is new to it.
 * @param {Found[]} chosen
 * @param {Found[]} listed those that no fold hides
 * @param {Registry} refs
 * @param {{known: string[], max: number}} wanted known refs, and the greatest number of new elements
 * @returns {{page: Found[], later: number}} the elements to describe, and the number of new ones for the next look
 */
export function chooseChanged(chosen, listed, refs, { known, max }) {
  const isKnown = refs.elementsOf(known);
  const isListed = listed === chosen ? null : new Set(listed);
  const allowed = growth(chosen.filter((found) => !isKnown.has(found.element)), refs.passed);
  const page = [];
  const passed = new PassedElements();
  let news = 0;
  for (const found of chosen) {
    if (isKnown.has(found.element)) page.push(found);
    else if (isListed?.has(found) === false || refs.passed.elements.has(found.element) || !take(allowed, found)) passed.add(found);
    else if (news++ < max) page.push(found);
  }
  remember(refs, passed);
  return { page, later: Math.max(0, news - max) };
}

/**
 * Record what a look from the beginning does not list.
 * @param {Registry} refs
 * @param {Found[]} page
 * @param {Found[]} chosen
 */
export function rememberPassed(refs, page, chosen) {
  const passed = new PassedElements();
  if (page.length < chosen.length) {
    const listed = new Set(page);
    for (const found of chosen) if (!listed.has(found)) passed.add(found);
  }
  remember(refs, passed);
}

/**
 * Forget what the last look has passed, since it does not reach the client.
 * @param {Registry} refs
 */
export function revertPassed(refs) {
  refs.passed = refs.passedBefore;
}

/**
 * @param {Registry} refs
 * @param {PassedElements} passed
 */
function remember(refs, passed) {
  refs.passedBefore = refs.passed;
  refs.passed = passed;
}

/**
 * Return how many elements of each kind may be new. A list that is rendered again has as many nodes as were passed.
 * @param {Found[]} others elements that the client does not know
 * @param {PassedElements} passed
 */
function growth(others, passed) {
  const [counts, kept] = [new Map(), new Map()];
  for (const found of others) {
    increment(counts, kindOf(found));
    if (passed.elements.has(found.element)) increment(kept, kindOf(found));
  }
  for (const [kind, count] of passed.counts) {
    const isRenderedAgain = 2 * (kept.get(kind) ?? 0) < count;
    counts.set(kind, isRenderedAgain ? (counts.get(kind) ?? 0) - count : Infinity);
  }
  return counts;
}

/**
 * @param {Map<string, number>} allowed
 * @param {Found} found
 */
function take(allowed, found) {
  const left = allowed.get(kindOf(found)) ?? 0;
  allowed.set(kindOf(found), left - 1);
  return left > 0;
}

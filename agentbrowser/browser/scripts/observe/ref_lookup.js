/** Lookup of refs: the element that a ref means now, and a node that replaced it. */

import { clearMemo, getOrCompute, increment } from "../dom/memo.js";
import { tagOf } from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { nameFor, shownRole } from "./element_fields.js";
import { controlShownBy } from "./identity/drawn_controls.js";
import { revertBlocks } from "./look/changed.js";
import { revertPassed } from "./look/passed.js";
import {
  differs, fingerprintOf, identityOf, isAlive, isReplacement, kindOfPrint, registryHere, shortFingerprint,
} from "./refs.js";
import { scan } from "./scan.js";
import { pathTo } from "./selectors.js";

/** @import { Entry, Fingerprint, Registry } from "./refs.js" */
/** @import { Found, Scan } from "./scan.js" */

const MAX_ALIKE = 300;
const COUNT = /^\d{1,2}$/;
/** Steps of a counter while one act runs; a price or a bid moves by more. */
const MAX_COUNTED = 3;

/**
 * Revert the last observation of elements, since it does not reach the client, which acts on the one before.
 * @param {{refs: string[]|null, isPassed: boolean}} wanted null for all of them; true if a cursor leads to them
 */
export function revertObservation({ refs, isPassed }) {
  const registry = registryHere();
  if (refs === null) {
    revertPassed(registry);
    revertBlocks(registry);
  }
  for (const entry of (refs ?? registry.described).map((ref) => registry.byRef.get(ref))) {
    if (entry?.before) entry.print = entry.before;
    else if (entry) forget(registry, entry, isPassed);
  }
  return {};
}

/**
 * Forget an element that the client has not seen yet.
 * @param {Registry} registry
 * @param {Entry} entry
 * @param {boolean} isPassed
 */
function forget(registry, entry, isPassed) {
  const element = entry.element.deref();
  if (isPassed && element) registry.passed.add({ element, role: entry.print.role, tag: entry.print.tagName });
  registry.drop(entry);
}

/**
 * Return the state of a ref, with a selector that matches only its element.
 * @param {{ref: string}} wanted
 */
export function locate({ ref }) {
  clearMemo();
  const refs = registryHere();
  const entry = refs.byRef.get(ref);
  if (!entry) return { state: "unknown", document: refs.id };
  if (!isAlive(entry)) {
    const { isFound, alike } = findReplacement(entry, refs);
    if (!isFound) return missing(entry, alike);
  }
  const element = entry.element.deref();
  const after = currentFingerprint(entry, element);
  if (isChanged(entry, after)) return { state: "changed", before: shortFingerprint(entry.print), after: shortFingerprint(after) };
  return { state: "here", css: pathTo(element, null) };
}

/**
 * Describe a missing element by the elements of the same role and name that are left.
 * @param {Entry} entry
 * @param {Fingerprint[]} alike
 */
function missing(entry, alike) {
  if (!alike.length) return { state: "gone" };
  const after = alike.length === 1 ? shortFingerprint(alike[0]) : undefined;
  return { state: "replaced", before: shortFingerprint(entry.print), after, alike: alike.length };
}

/**
 * Return the current fingerprint of an entry's element.
 * @param {Entry} entry
 * @param {any} element
 */
export function currentFingerprint(entry, element) {
  const tag = tagOf(element);
  const control = controlShownBy(element);
  const { isAct } = entry;
  const found = { element, control, tag, role: roleOf(control), isControl: isAct, isClickable: isAct, isDraggable: isAct };
  return fingerprintOf(found, nameFor(found), Boolean(entry.print.isUnique), entry.print);
}

/**
 * Return true if the element of a ref is still on the page and what it was when the client observed it.
 * @param {Entry} entry
 */
export function isUnchanged(entry) {
  clearMemo();
  return isAlive(entry) && !isChanged(entry, currentFingerprint(entry, entry.element.deref()));
}

/**
 * Return true if the element of a ref is another one now. A counter that has gone on is not: the number in the icon of
 * a cart changes with each act that fills the cart.
 * @param {Entry} entry
 * @param {Fingerprint} after
 */
export function isChanged(entry, after) {
  return differs(entry.print, after) && !hasCountedOn(entry, after);
}

/**
 * Return true if only the number has changed that is the whole name, by a few. A day of a calendar and the number of a
 * page become another one in the same way, so no other element may be named by a number.
 * @param {Entry} entry
 * @param {Fingerprint} after
 */
function hasCountedOn({ element, print }, after) {
  if (!COUNT.test(print.name) || !COUNT.test(after.name)) return false;
  if (Math.abs(Number(after.name) - Number(print.name)) > MAX_COUNTED) return false;
  const row = print.row === print.name ? after.name : print.row;  // an item of a list, with no other words
  if (differs({ ...print, name: after.name, row }, after)) return false;
  return scan().found.every((found) => found.element === element.deref() || !COUNT.test(nameFor(found)));
}

/**
 * Find the only node that can replace a missing one, and move the ref to it. There is none if two elements had the
 * fingerprint or have it now, or if the client has observed the node as another element.
 * @param {Entry} entry
 * @param {Registry} refs
 * @returns {{isFound: boolean, alike: Fingerprint[]}} with the elements of the same role and name
 */
export function findReplacement(entry, refs) {
  const look = scan();
  const alike = look.found
    .filter(({ role, tag }) => shownRole(role, tag) === entry.print.role)
    .filter((found) => nameFor(found) === entry.print.name)
    .map((found) => ({ found, print: fingerprintOf(found, nameFor(found), Boolean(entry.print.isUnique), entry.print) }));
  const fitting = alike.filter(({ print }) => isReplacement(entry.print, print));
  const isFound = fitting.length === 1 && !entry.isAmbiguous && !refs.byElement.has(fitting[0].found.element);
  clearMemo();
  if (isFound) refs.attach(entry, fitting[0].found.element);
  return { isFound, alike: alike.map(({ print }) => print) };
}

/** Check of one look for elements with the same fingerprint. */
export class Twins {
  /** @param {Scan} look */
  constructor(look) {
    this.look = look;
    /** @type {Map<string, Found[]>|null} */
    this.named = null;
    /** @type {Map<string, Map<string, number>>} */
    this.counts = new Map();
  }

  /**
   * Return true if another element of the page has the same fingerprint, or if too many may have it.
   * @param {Found} found
   * @param {Fingerprint} print
   */
  has(found, print) {
    const word = print.rows[0]?.key.words.at(-1);
    if (print.isUnique || (word !== undefined && this.look.texts.get(word) === 1)) return false;
    this.named ??= Map.groupBy(this.look.found, (one) => `${shownRole(one.role, one.tag)} ${nameFor(one)}`);
    const kind = kindOfPrint(print);
    const alike = this.named.get(kind) ?? [];
    if (alike.length > MAX_ALIKE) return true;
    return alike.length > 1 && getOrCompute(this.counts, kind, () => countPrints(alike)).get(identityOf(print)) > 1;
  }
}

/** @param {Found[]} alike */
function countPrints(alike) {
  const counts = new Map();
  for (const found of alike) increment(counts, identityOf(fingerprintOf(found, nameFor(found), false)));
  return counts;
}

/**
 * Return the entry of a missing element that a new one replaces.
 * @param {Map<string, Entry[]>} orphans
 * @param {Found} found
 * @param {Fingerprint} print
 * @returns {Entry|undefined}
 */
export function orphanOf(orphans, found, print) {
  const fitting = (orphans.get(kindOfPrint(print)) ?? []).filter((entry) =>
    !isAlive(entry) && isReplacement(entry.print, fingerprintOf(found, print.name, Boolean(print.isUnique), entry.print)));
  return fitting.length === 1 && !fitting[0].isAmbiguous ? fitting[0] : undefined;
}

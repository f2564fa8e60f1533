/**
 * Candidate elements for descriptions in words: name, further attributes, and text that distinguishes an element from
 * its twins.
 */

import { isWithinElement } from "../dom/hit_test.js";
import { clearMemo, increment, addToList } from "../dom/memo.js";
import {
  attributeOf, closest, dataOf, parentOrHostOf, isEdited, parentOf, shorten, collapseSpaces, tagOf, textContentOf, topOf, walkerOf,
} from "../dom/nodes.js";
import { isSecret } from "../dom/secret_fields.js";
import { valueOf } from "../dom/states.js";
import { isHidden } from "../dom/visibility.js";
import { MAX_NAME, namingOf, shownRole } from "./element_fields.js";
import { labelBeside } from "./identity/labels_beside.js";
import { fingerprintOf, registryHere, slugOf } from "./refs.js";
import { holdersOf } from "./listeners/nesting.js";
import { scan } from "./scan.js";
import { selectorsFor, keysOf } from "./selectors.js";

/** @import { Registry } from "./refs.js" */
/** @import { Found, Scan } from "./scan.js" */

const MAX_NEAR = 300;
/** Roles of what a field may be drawn with. */
const DRAWN = new Set([null, "button", "generic", "img"]);
const CELL = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";

/**
 * Return every interactive element with the fields that ranking reads.
 * @param {{prefix: string, isSelected: boolean, isWhole: boolean}} wanted prefix of this frame's refs; false if another
 *     frame is the one in which selectors are resolved, so that only refs can name the elements of this one; true for the
 *     elements that a modal covers, too
 */
export function listCandidates({ prefix, isSelected, isWhole }) {
  clearMemo();
  const look = scan(false, isWhole);
  const named = look.found.map((found) => ({ found, ...namingOf(found) }));
  const holders = holdersOf(look.found);
  const twins = twinsIn(named, holders);
  const refs = registryHere(prefix);
  return named.map(({ found, name, isDerived }, place) => {
    const { element, control, role, tag } = found;
    return {
      role: shownRole(role, tag),
      name: shorten(name, MAX_NAME) || undefined,
      derived: isDerived || undefined,
      by: isSelected ? selectorsFor(look, found, keysOf(look, found, name), false) : undefined,
      ref: isSelected ? refs.byElement.get(element)?.ref : refFound(refs, look, found, name),
      kind: kindFor(control),
      placeholder: attributeOf(control, "placeholder") || undefined,
      key: isDerived ? keyOf(control) : undefined,
      value: valueOf(control, role) || undefined,
      up: holders[place] < 0 ? undefined : place - holders[place],
      near: nearOf(found, name, twins, isWhole ? null : look.front) || undefined,
    };
  });
}

/**
 * Return the ref of an element. An existing ref keeps its fingerprint, which is the one that the client observed.
 * @param {Registry} refs
 * @param {Scan} look
 * @param {Found} found
 * @param {string} name
 */
function refFound(refs, look, found, name) {
  const known = refs.byElement.get(found.element);
  if (known) return known.ref;
  const keys = keysOf(look, found, name);
  const print = fingerprintOf(found, name, Boolean(keys.name));
  // The client has not observed it, and may know the plain name from an earlier document.
  return refs.add(found, print, `${slugOf(found, print)}${refs.id.slice(-4)}`).ref;
}

/**
 * Return the type of a field, or `submit` for a button that submits a form, `editable` for a text that is edited in place,
 * or `cell` for any other part of a cell.
 * @param {any} control
 * @returns {string|undefined}
 */
function kindFor(control) {
  switch (tagOf(control)) {
    case "input":
      return control.type;
    case "textarea":
      return "textarea";
    case "button":
      return control.type === "submit" && control.form ? "submit" : undefined;
    default:
      return isEdited(control) ? "editable" : tagOf(control) !== "a" && closest(control, CELL) ? "cell" : undefined;
  }
}

/**
 * Return the name that a field has in its form, if it is made of words.
 * @param {any} control
 */
function keyOf(control) {
  const key = isEdited(control) ? attributeOf(control, "name") ?? "" : "";
  return /^[a-z][a-z_-]{2,30}$/i.test(key) ? key : undefined;
}

/**
 * Return the elements without a name, or with that of a placeholder, or that share role and name with others; each with the
 * number of its twins below an ancestor.
 * @param {{found: Found, name: string, isDerived: boolean}[]} named
 * @param {number[]} holders the place of the nearest element around each
 * @returns {Map<Element, Map<Element, number>>}
 */
function twinsIn(named, holders) {
  const groups = new Map();
  /** @type {Map<Element, number>} */
  const controls = new Map();
  /** @type {Map<Element, number>} the same without the symbols beside a field */
  const fields = new Map();
  for (const { found, name } of named) {
    const isNamed = name && name !== attributeOf(found.control, "placeholder");
    addToList(groups, `${found.role} ${name}`, { element: found.element, isNamed, isDrawn: DRAWN.has(found.role) });
  }
  const twins = new Map();
  for (const group of groups.values()) {
    if (group.length < 2) {
      // Without a name and without twins, what is around it ends where there are other elements.
      if (!group[0].isNamed) twins.set(group[0].element, group[0].isDrawn ? controls : fields);
      continue;
    }
    const counts = new Map();
    for (const { element } of group) {
      twins.set(element, counts);
      countHolders(counts, element);
    }
  }
  const there = new Set(twins.values());
  const around = there.has(controls) || there.has(fields) ? new Set(holders) : null;
  if (around) {
    named.forEach(({ found: { element, role }, name, isDerived }, place) => {
      if (DRAWN.has(role) && around.has(place)) return; // the box around a field
      if (there.has(controls)) countHolders(controls, element);
      if (there.has(fields) && !(DRAWN.has(role) && (!name || isDerived))) countHolders(fields, element); // no plus and minus
    });
  }
  return twins;
}

/**
 * Count an element for itself and for each of its ancestors.
 * @param {Map<Element, number>} counts
 * @param {Element} element
 */
function countHolders(counts, element) {
  for (let holder = element; holder; holder = parentOrHostOf(holder)) increment(counts, holder);
}

/**
 * Return the words around an element that distinguish it. A field that is named by its placeholder, and has none, gets those
 * beside it: a link in the hint of the field ends the search around it before its label is reached.
 * @param {Found} found
 * @param {string} name
 * @param {Map<Element, Map<Element, number>>} twins
 * @param {Element[]|null} front
 */
function nearOf({ element, control, role }, name, twins, front) {
  if (!twins.has(element)) return "";
  const words = textAround(element, twins, front);
  return words || (name && name === attributeOf(control, "placeholder") ? labelBeside(control, role) : "");
}

/**
 * Return the text of the row, card or group that holds an element and none of its twins.
 * @param {Element} element
 * @param {Map<Element, Map<Element, number>>} twins
 * @param {Element[]|null} front the layers in front of everything, if there are any: words behind them are about nothing in them
 */
function textAround(element, twins, front) {
  const counts = twins.get(element);
  const isAlone = counts.get(topOf(document)) === 1;
  let unit = element;
  for (let holder = parentOrHostOf(unit); holder && counts.get(holder) === 1; holder = parentOrHostOf(holder)) {
    // Without a twin, no ancestor bounds it: all words of the page would be its own.
    if (textContentOf(holder).length > 3 * MAX_NEAR || (isAlone && textContentOf(unit).trim())) break;
    unit = holder;
  }
  let words = "";
  const walker = walkerOf(document, unit, NodeFilter.SHOW_TEXT);
  while (words.length < MAX_NEAR && walker.nextNode()) {
    const text = collapseSpaces(dataOf(walker.currentNode));
    if (text && front && !front.some((layer) => isWithinElement(parentOf(walker.currentNode), layer))) continue;
    if (text && isDistinguishing(parentOf(walker.currentNode), unit, twins)) words += ` ${text}`;
  }
  return shorten(words.trim(), MAX_NEAR);
}

/**
 * Return true if a text is visible, no secret, and outside of all elements with twins.
 * @param {any} holder
 * @param {Element} unit
 * @param {Map<Element, Map<Element, number>>} twins
 */
function isDistinguishing(holder, unit, twins) {
  if (isHidden(holder) || (isEdited(holder) && isSecret(holder))) return false;
  for (let node = holder; node; node = parentOrHostOf(node)) {
    if (twins.has(node)) return false;
    if (node === unit) break;
  }
  return true;
}

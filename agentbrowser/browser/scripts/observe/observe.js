/** Observation of a frame: its interactive elements with refs, folds and page state. */

import { clearMemo } from "../dom/memo.js";
import {
  activeOf, clientHeightOf, clientWidthOf, rootOf, scrollerOf, scrollHeightOf, scrollWidthOf, shorten, titleOf, topOf,
  urlOf,
} from "../dom/nodes.js";
import { dateFormatOf, hintsOf, invalidState, isFilledSecret, MAX_VALUE, statesOf, valueOf } from "../dom/states.js";
import { isCovered } from "./cover.js";
import { boundsOf, listedRole, MAX_NAME, namingOf } from "./element_fields.js";
import { listedFolds, listedOf } from "./fold_listing.js";
import { geometriesOf } from "./frame_tree.js";
import { chooseBlocks, describeBlocks } from "./look/document.js";
import { chooseChanged, rememberPassed } from "./look/passed.js";
import { orphanOf, Twins } from "./ref_lookup.js";
import { fingerprintOf, registryHere, rowContext } from "./refs.js";
import { scan } from "./scan.js";
import { selectorsFor, keysOf } from "./selectors.js";

/** @import { Entry, Fingerprint, Registry } from "./refs.js" */
/** @import { Choice } from "./look/choice.js" */
/** @import { Found, Scan } from "./scan.js" */

/**
 * @typedef {object} Wanted
 * @property {string} prefix prefix of this frame's refs, after the `@`
 * @property {string[]} frames ids of the child frames, as given to `registerFrame`
 * @property {Area|null} view the part of this frame that shows, in its own pixels; the whole viewport when null
 * @property {boolean} isListed true if this frame is to be listed; if not, an earlier page of the answer did
 * @property {number} max
 * @property {string|null} after the last ref of the page before
 * @property {number} offset where to continue when the element of `after` is gone
 * @property {boolean} fold true to fold repeated rows
 * @property {boolean} isBehindFold true to list only the hidden rows of a fold
 * @property {string[]|null} roles
 * @property {boolean} viewportOnly
 * @property {"all"|"best"|null} selectors
 * @property {boolean} bounds
 * @property {boolean} isFull true to report elements that are covered or outside the viewport
 * @property {boolean} stable true if a ref may move to the node that replaces its element
 * @property {boolean} refresh
 * @property {boolean} history
 * @property {"none"|"brief"|"full"} text the words to report
 * @property {number|null} maxChars the approximate size of what can be shown; null for all
 * @property {number} maxParts the number of texts and elements that a block may have
 * @property {boolean} isContinued true for a further page of a look
 * @property {Object<string, [number, number]>} delivered by block, the numbers of items and of characters of words that
 *     earlier pages have shown; -1 for all
 * @property {string[]} known refs whose presence is to be checked
 * @property {number[]} knownBlocks ids of blocks that the client has received
 * @property {string|null} since the document that the client has seen, to describe only what is known or new
 */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Area */

/**
 * Observe the page.
 * @param {Wanted} wanted
 */
export function observe(wanted) {
  clearMemo();
  const refs = registryHere(wanted.prefix);
  const last = wanted.after && refs.byRef.get(wanted.after);
  if (wanted.after && !last) return { isLost: true, metadata: about() };
  const before = refs.byElement;
  if (wanted.refresh) refs.clear();
  const isIncremental = wanted.since === refs.id && !wanted.refresh;
  const look = scan(wanted.text !== "none" && wanted.isListed);
  const chosen = look.found.filter((found) => isWanted(found, wanted));
  const choice = listedOf(look, chosen, wanted, last);
  if (!choice) return { isLost: true, metadata: about() };
  const blocks = look.stream ? chooseBlocks(look, chosen, choice.listed, wanted, refs, isIncremental) : null;
  const listing = isIncremental
    ? changedPage(chosen, choice.listed, refs, wanted, blocks)
    : choosePage(choice.listed, chosen, refs, wanted, { last, blocks });
  const observation = { look, refs, before, twins: new Twins(look), orphans: wanted.stable ? refs.orphans() : new Map(), wanted };
  const elements = listing.page.map((found) => describe(observation, found));
  refs.described = elements.map(({ ref }) => ref);
  refs.prune();
  return {
    document: refs.id,
    metadata: { ...about(), tooDeep: look.hasTooDeep || undefined },
    elements,
    start: listing.start,
    isListed: wanted.isListed,
    isIncremental,
    later: listing.later,
    chosen: choice.listed.length,
    ...(isIncremental ? { folds: [], hidden: 0 } : listedFolds(look, refs, choice.folds, listing.page, choice.listed.slice(listing.start))),
    ...(blocks && describeBlocks(blocks, elements)),
    total: look.found.length,
    missing: missing(look, wanted.known, refs),
    frames: geometriesOf(wanted.frames),
  };
}

/**
 * Choose what an incremental look describes.
 * @param {Found[]} chosen
 * @param {Found[]} listed
 * @param {Registry} refs
 * @param {Wanted} wanted
 * @param {{found: Found[], later: number}|null} blocks the chosen blocks
 */
function changedPage(chosen, listed, refs, wanted, blocks) {
  if (!blocks) return { ...chooseChanged(chosen, listed, refs, wanted), start: 0 };
  rememberPassed(refs, blocks.found, chosen);
  return { page: blocks.found, start: 0, later: blocks.later };
}

/**
 * Choose the next page of the list.
 * @param {Found[]} listed
 * @param {Found[]} chosen with those in folds
 * @param {Registry} refs
 * @param {Wanted} wanted
 * @param {{last: Entry|undefined, blocks: Choice|null}} from the element before, or the chosen blocks
 */
function choosePage(listed, chosen, refs, wanted, { last, blocks }) {
  const start = blocks ? 0 : startOf(listed, last?.element.deref(), wanted.offset);
  const page = blocks ? blocks.found : listed.slice(start, start + wanted.max);
  if (!wanted.after && wanted.isListed && !wanted.isContinued) rememberPassed(refs, page, chosen);
  return { page, start, later: 0 };
}

/**
 * @param {Found} found
 * @param {Wanted} wanted
 */
function isWanted(found, wanted) {
  const role = listedRole(found);
  if (wanted.roles && !wanted.roles.includes(role)) return false;
  return !wanted.viewportOnly || isWithin(found.box, wanted.view);
}

/**
 * @param {DOMRect} box
 * @param {Area|null} view
 */
function isWithin(box, view) {
  const { left, top, right, bottom } = view ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return box.right > left && box.bottom > top && box.left < right && box.top < bottom;
}

/**
 * @param {Found[]} chosen
 * @param {Element|undefined} last
 * @param {number} offset
 */
function startOf(chosen, last, offset) {
  const position = last ? chosen.findIndex((found) => found.element === last) : -1;
  return position < 0 ? offset : position + 1;
}

/**
 * Return the refs whose elements are no longer on the page; those behind a modal dialog will be back.
 * @param {Scan} look
 * @param {string[]} known
 * @param {Registry} refs
 */
function missing(look, known, refs) {
  if (!known.length) return [];
  const all = look.behind ?? look.found.map((found) => found.element);
  const present = new Set([...all].map((element) => refs.byElement.get(element)?.ref));
  return known.filter((ref) => !present.has(ref));
}

/**
 * One observation in progress.
 * @typedef {object} Observation
 * @property {Scan} look
 * @property {Registry} refs
 * @property {WeakMap<Element, Entry>} before the entries as they were before a refresh
 * @property {Map<string, Entry[]>} orphans by role and name
 * @property {Twins} twins
 * @property {Wanted} wanted
 */

/**
 * Give an element its ref, and describe it for the wire protocol.
 * @param {Observation} observation
 * @param {Found} found
 */
function describe(observation, found) {
  const { name, isDerived } = namingOf(found);
  const keys = keysOf(observation.look, found, name);
  const print = fingerprintOf(found, name, Boolean(keys.name));
  const { entry, stability } = entryFor(observation, found, print);
  const { control, role, tag, box } = found;
  return {
    ref: entry.ref,
    by: observation.wanted.selectors ? selectorsFor(observation.look, found, keys, observation.wanted.selectors === "all") : undefined,
    role: listedRole(found),
    name: shorten(name, MAX_NAME) || undefined,
    derived: isDerived || undefined,
    context: keys.name ? undefined : rowContext(print),
    value: valueOf(control, role),
    format: dateFormatOf(control),
    filled: isFilledSecret(control) || undefined,
    actionHints: hintsOf(found),
    doubleClick: found.isDouble || undefined,
    tagName: tag,
    bounds: observation.wanted.bounds ? boundsOf(box) : undefined,
    focused: isFocused(control) || undefined,
    ...statesOf(control, role),
    ...invalidState(control),
    covered: (observation.wanted.isFull && isCovered(found)) || undefined,
    offscreen: (observation.wanted.isFull && !isWithin(box, observation.wanted.view)) || undefined,
    stability: observation.wanted.stable ? stability : undefined,
    previousRef: observation.wanted.history ? previousRef(observation, found, entry, stability) : undefined,
  };
}

/**
 * Return the earlier ref of the element or of the node that it replaces, if it differs.
 * @param {Observation} observation
 * @param {Found} found
 * @param {Entry} entry
 * @param {string} stability
 */
function previousRef(observation, found, entry, stability) {
  const before = observation.before.get(found.element);
  return stability === "moved" || (before && before !== entry) ? (before ?? entry).ref : undefined;
}

/**
 * Return the entry of an element: its own, that of the node that it replaces, or a new one.
 * @param {Observation} observation
 * @param {Found} found
 * @param {Fingerprint} print
 * @returns {{entry: Entry, stability: string}}
 */
function entryFor({ refs, orphans, twins }, found, print) {
  let stability = "stable";
  let entry = refs.byElement.get(found.element);
  const isAmbiguous = twins.has(found, print);
  if (!entry) {
    entry = isAmbiguous ? undefined : orphanOf(orphans, found, print);
    stability = entry ? "moved" : "new";
    if (entry) refs.attach(entry, found.element);
    else entry = refs.add(found, print);
  }
  const before = stability === "new" ? undefined : entry.print;
  const isAct = found.isControl || found.isClickable || found.isDraggable;
  Object.assign(entry, { before, print, isAmbiguous, isAct });
  return { entry, stability };
}

/** @param {Element} control */
function isFocused(control) {
  const root = rootOf(control);
  return (root === document ? activeOf(document) : root.activeElement) === control;
}

/** Return URL, title, viewport and scroll position of the page. */
export function about() {
  const top = scrollerOf(document) ?? topOf(document);
  const maxX = top ? Math.max(0, scrollWidthOf(top) - clientWidthOf(top)) : 0;
  const maxY = top ? Math.max(0, scrollHeightOf(top) - clientHeightOf(top)) : 0;
  const isLong = maxX > 0 || maxY > 0;
  return {
    url: urlOf(document),
    title: shorten(titleOf(document), MAX_VALUE),
    viewport: { width: innerWidth, height: innerHeight },
    scroll: isLong ? { x: Math.round(scrollX), y: Math.round(scrollY), maxX, maxY } : undefined,
  };
}

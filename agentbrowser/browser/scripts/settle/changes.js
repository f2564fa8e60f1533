/** Changes of the document, without those of regions that never rest: clocks, tickers, animations. */

import { noteInterimWords } from "../dom/interim_words.js";
import { isElement, queryAll, shadowOf } from "../dom/nodes.js";
import { rememberedShadows, rememberShadow } from "../dom/shadow_roots.js";

const WATCHED = { childList: true, subtree: true, characterData: true, characterDataOldValue: true, attributes: true };
const MAX_RECORDS = 500;
const STEADY_CHANGES = 4;
const STEADY_MS = 250;
const STEADY_FRAMES = 15;
/** A frame that takes longer was held up by one long task. */
const MAX_FRAME_MS = 100;
/** Changes further apart are separate events. */
const RESET_MS = 3000;
/** Changes of one batch count once. */
const BATCH_MS = 5;
const KEPT_MS = 3000;

/**
 * Times of the changes of one region.
 * @typedef {object} Rhythm
 * @property {number} first
 * @property {number} last
 * @property {number} count
 */

/** @type {WeakMap<Node, Rhythm>} */
const rhythms = new WeakMap();

const observer = new MutationObserver(note);
let isObserving = false;
let hasChanged = false;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;
let lastFrameMs = 0;
let isScrolled = false;

/** Note that an action has scrolled: the page hears of it in the next frame, and draws the rows of a list then. */
export function noteScroll() {
  isScrolled = true;
}

/** Return true if an action has scrolled since the last call. */
export function takeScroll() {
  const was = isScrolled;
  isScrolled = false;
  return was;
}

/**
 * Note how long the page has taken for a frame: on a busy machine, what it changes at each frame takes longer too.
 * @param {number} ms
 */
export function noteFrame(ms) {
  lastFrameMs = Math.min(ms, MAX_FRAME_MS);
}

/** Return the length of the last frame that was waited for, at most `MAX_FRAME_MS`. */
export function frameMs() {
  return lastFrameMs;
}

/** Start observing; it stops some seconds after the last call. */
export function observeChanges() {
  clearTimeout(timer);
  timer = setTimeout(stop, KEPT_MS);
  if (!isObserving) observer.observe(document, WATCHED);
  isObserving = true;
  for (const shadow of rememberedShadows()) observer.observe(shadow, WATCHED);
}

/**
 * Observe the shadow roots in nodes that were added.
 * @param {Iterable<Node>} added
 */
function observeShadowsIn(added) {
  for (const node of added) {
    if (!isElement(node)) continue;
    for (const element of [node, ...queryAll(node, "*")].slice(0, MAX_RECORDS)) {
      const shadow = shadowOf(element);
      if (!shadow) continue;
      rememberShadow(shadow);
      observer.observe(shadow, WATCHED);
      observeShadowsIn(shadow.children);
    }
  }
}

function stop() {
  isObserving = false;
  observer.disconnect();
}

/** Return true if anything has changed since the last call, apart from regions that never rest. */
export function takeChanges() {
  note(observer.takeRecords());
  const changed = hasChanged;
  hasChanged = false;
  return changed;
}

/** @param {MutationRecord[]} records */
function note(records) {
  const now = performance.now();
  /** @type {Set<Node>} */
  const regions = new Set();
  for (let i = 0; i < records.length && i < MAX_RECORDS; i++) {
    regions.add(regionOf(records[i]));
    noteInterimWords(records[i]);
    if (records[i].addedNodes.length && isObserving) observeShadowsIn(records[i].addedNodes);
  }
  for (const region of regions) if (!isRestless(region, now)) hasChanged = true;
}

/** @param {MutationRecord} record */
function regionOf({ target }) {
  return target.nodeType === Node.ELEMENT_NODE ? target : target.parentNode ?? target;
}

/**
 * Count a change of a region, and return true if it changes at a steady rate.
 * @param {Node} region
 * @param {number} now
 */
function isRestless(region, now) {
  const known = rhythms.get(region);
  if (!known || now - known.last > RESET_MS) {
    rhythms.set(region, { first: now, last: now, count: 1 });
    return false;
  }
  if (now - known.last >= BATCH_MS) known.count += 1;
  known.last = now;
  return known.count >= STEADY_CHANGES && known.last - known.first >= Math.max(STEADY_MS, STEADY_FRAMES * lastFrameMs);
}

/** Cache of one call, and helpers for maps. */

/** Properties of elements that this call has computed; layout can't change while it runs. */
export const memo = {
  roles: new Map(),
  names: new Map(),
  disputed: new Set(),
  withheld: new Set(),
  muted: new Map(),
  shown: new Map(),
  boxes: new Map(),
  siblings: new Map(),
  reach: new Map(),
  content: new Map(),
  twins: new Map(),
  majors: new Map(),
  paths: new Map(),
  rows: new Map(),
  rowGroups: new Map(),
  rowKeys: new Map(),
  pieces: new Map(),
  headings: new Map(),
  sections: new Map(),
  landmarks: new Map(),
  near: new Map(),
  namings: new Map(),
  routes: new Map(),
  backgrounds: new Map(),
};

/**
 * The labels of each control, after `scan` has walked the page. After a change, the first read of each control's
 * `labels` walks the whole tree.
 * @type {Map<Element, Element[]>|null}
 */
export let labelIndex = null;

/** The number of smallest elements with each text, after `scan` has walked the page. @type {Map<string, number>|null} */
export let textCounts = null;

/** The number of elements with each test id, after `scan` has walked the page. @type {Map<string, number>|null} */
export let testIdCounts = null;

/**
 * Begin the indexes of labels, texts and test ids, for `scan`.
 * @param {Map<string, number>} texts
 * @param {Map<string, number>} testIds
 */
export function startIndexes(texts, testIds) {
  labelIndex = new Map();
  textCounts = texts;
  testIdCounts = testIds;
}

/** Clear the cache, at the beginning of a call. */
export function clearMemo() {
  labelIndex = null;
  textCounts = null;
  testIdCounts = null;
  for (const known of Object.values(memo)) if (known.size) known.clear();
}

/**
 * @template K, V
 * @param {Map<K, V>} known
 * @param {K} key
 * @param {(key: K) => V} find
 * @returns {V}
 */
export function getOrCompute(known, key, find) {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = find(key)));
  return value;
}

/**
 * @template K
 * @param {Map<K, number>} counts
 * @param {K} key
 */
export function increment(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * @template K, V
 * @param {Map<K, V[]>} lists
 * @param {K} key
 * @param {V} element
 */
export function addToList(lists, key, element) {
  const list = lists.get(key);
  if (list) list.push(element);
  else lists.set(key, [element]);
}

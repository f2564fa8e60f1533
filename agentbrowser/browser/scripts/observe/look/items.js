/** Items of a look in reading order: readable texts, interactive elements and images, each with its block. */

import { flatTreeParentOf } from "../../dom/hit_test.js";
import { getOrCompute, memo } from "../../dom/memo.js";
import { nameOf } from "../../dom/names.js";
import {
  attributeOf, collapseInnerSpaces, dataOf, hasAttribute, kindOf, parentOrHostOf, tagOf, TEXT, textSlotOf,
} from "../../dom/nodes.js";
import { roleOf } from "../../dom/roles.js";
import { valueOf } from "../../dom/states.js";
import { boxOf, isShown } from "../../dom/visibility.js";
import { isReadable } from "./readable.js";
import { styleOf } from "./styles.js";

/** @import { Found, Scan } from "../scan.js" */

const MIN_IMAGE = 8;
const IMAGES = new Set(["img", "canvas"]);
const IMAGE_ROLES = new Set(["img", "meter", "progressbar"]);

/**
 * A piece of a block.
 * @typedef {object} Item
 * @property {Element} block the innermost block that it is in
 * @property {Element} element the parent of a text, or the element itself
 * @property {string} text collapsed; empty for an interactive element, the name of an image
 * @property {Found|null} found the interactive element
 * @property {Found|null} within the interactive element that a text is in
 * @property {string} inner the texts in an interactive element, as far as they are no items of their own
 * @property {string|null} image its role, for an image
 * @property {Node} [node] the node of a text
 * @property {string} [value] of a progress bar
 * @property {boolean} [isChunk] true if it continues a long text
 * @property {boolean} isApart true if white space separates it from the item before
 */

/**
 * Return the items of a scan.
 * @param {Scan} look
 * @returns {Item[]}
 */
export function itemsOf(look) {
  const known = new Map(look.found.map((found) => [found.element, found]));
  const controls = new Map(look.found.map((found) => [found.control, found]));
  /** @type {Item[]} */
  const items = [];
  const byFound = new Map();
  let isApart = true;
  let root = null;
  for (const node of flat(look.stream ?? [])) {
    if (kindOf(node) !== TEXT) {
      if (tagOf(node) === "br") isApart = true;
      const found = known.get(node);
      const item = found ? foundItem(found) : imageItem(node, holderOf(node, known));
      if (!item) continue;
      if (found) byFound.set(found, item);
      items.push(Object.assign(item, { isApart: true }));
      isApart = true;
      continue;
    }
    const data = dataOf(node);
    const element = holderOfText(node);
    if (!element || !data) continue;
    const boxRoot = boxRootOf(element);
    isApart ||= boxRoot !== root;
    root = boxRoot;
    const text = collapseInnerSpaces(data);
    if (!text.trim()) {
      isApart = true;
      continue;
    }
    if (!isReadable(element, node)) continue;
    const within = holderOf(element, known) ?? labelled(element, controls);
    const outer = within && byFound.get(within);
    if (outer && within.isLeaf) {
      outer.inner += isApart || text.startsWith(" ") ? ` ${text.trim()}` : text.trim();
    } else {
      items.push({
        block: blockOf(element), element, node, text: text.trim(), found: null, within, inner: "", image: null,
        isApart: isApart || text.startsWith(" "),
      });
    }
    isApart = text.endsWith(" ");
  }
  return items;
}

/**
 * @param {any[]} stream
 * @returns {any[]}
 */
function flat(stream) {
  return stream.flat(/** @type {1} */ (Infinity));
}

/**
 * Return the element that shows a text; null for a text of a shadow host that no slot shows.
 * @param {any} node
 * @returns {any}
 */
function holderOfText(node) {
  const slot = textSlotOf(node);
  if (slot) return slot;
  return parentOrHostOf(node);
}

/**
 * @param {Found} found
 * @returns {any}
 */
function foundItem(found) {
  const { element } = found;
  const isOwnBlock = !found.isLeaf || (found.text === null && !styleOf(element).display.startsWith("inline"));
  const holder = isOwnBlock ? element : flatTreeParentOf(element) ?? element;
  return { block: blockOf(holder), element, text: "", found, within: null, inner: "", image: null };
}

/**
 * Return the item of an image with a name, or of a progress bar.
 * @param {any} element
 * @param {Found|null} holder
 * @returns {any}
 */
function imageItem(element, holder) {
  const tag = tagOf(element);
  if (!IMAGES.has(tag) && tag !== "svg" && tag !== "progress" && tag !== "meter" && !hasAttribute(element, "role")) return null;
  if (holder?.isLeaf) return null;
  const role = tag === "canvas" ? "img" : roleOf(element);
  if (role === null || !IMAGE_ROLES.has(role) || !isShown(element) || !isReadable(parentOrHostOf(element) ?? element)) return null;
  const box = boxOf(element);
  const text = tag === "canvas" && !hasAttribute(element, "role") ? attributeOf(element, "aria-label") ?? "" : nameOf(element);
  const value = role === "img" ? undefined : valueOf(element, role);
  if ((!text && value === undefined) || box.width < MIN_IMAGE || box.height < MIN_IMAGE) return null;
  return { block: blockOf(flatTreeParentOf(element) ?? element), element, text, found: null, within: holder, inner: "", image: role, value };
}

/**
 * Return the nearest interactive element that an element is in.
 * @param {Element} element
 * @param {Map<Element, Found>} known
 * @returns {Found|null}
 */
function holderOf(element, known) {
  return getOrCompute(memo.holders, element, (it) => {
    const own = known.get(it);
    if (own) return own;
    const holder = flatTreeParentOf(it);
    return holder ? holderOf(holder, known) : null;
  });
}

/**
 * Return the control whose label a text is in.
 * @param {Element} element
 * @param {Map<Element, Found>} controls
 */
function labelled(element, controls) {
  for (let node = element, i = 0; node && i < 4; node = flatTreeParentOf(node), i++) {
    if (tagOf(node) === "label") return controls.get(/** @type {any} */ (node).control) ?? null;
  }
  return null;
}

/**
 * Return the nearest box that is no part of a line: a block, or a block within a line.
 * @param {Element} element
 * @returns {Element}
 */
function boxRootOf(element) {
  return getOrCompute(memo.boxRoots, element, (it) => {
    const { display } = styleOf(it);
    const holder = flatTreeParentOf(it);
    return holder && (display === "inline" || display === "contents" || display.startsWith("ruby")) ? boxRootOf(holder) : it;
  });
}

/**
 * Return the block that an element is, or is in a line of.
 * @param {Element} element
 * @returns {Element}
 */
export function blockOf(element) {
  return getOrCompute(memo.lineBlocks, element, (it) => {
    const { display } = styleOf(it);
    const holder = flatTreeParentOf(it);
    const isInline = display.startsWith("inline") || display === "contents" || display.startsWith("ruby");
    return holder && isInline ? blockOf(holder) : it;
  });
}

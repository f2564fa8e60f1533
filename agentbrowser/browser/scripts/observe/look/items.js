/** Items of a look in reading order: readable texts, interactive elements and images, each with its block. */

import { attributeOf, hasAttribute, referenced, rootOf } from "../../dom/nodes.js";
import { nameOf } from "../../dom/names.js";
import { roleOf } from "../../dom/roles.js";
import { valueOf } from "../../dom/states.js";
import { boxOf, hasAriaHidden, isShown } from "../../dom/visibility.js";
import { markBefore } from "../content/raised_digits.js";
import { nameFor } from "../element_fields.js";
import { isIconFont } from "../identity/icons.js";
import { blockOf, boxRootOf, displayOf, isInline, SPACE } from "./flat_tree.js";
import { withGenerated } from "./generated.js";
import { isReadable } from "./readable.js";

/** @import { FlatElement, FlatText } from "./flat_tree.js" */
/** @import { Found, Scan } from "../scan.js" */

const MIN_IMAGE = 8;
/** Elements between a text and the label that it is in: kits draw the whole field in one. */
const LABEL_LEVELS = 6;
const IMAGES = new Set(["img", "canvas", "svg", "progress", "meter"]);
const IMAGE_ROLES = new Set(["img", "meter", "progressbar"]);

/**
 * A piece of a block.
 * @typedef {object} Item
 * @property {FlatElement} block the innermost block that it is in
 * @property {FlatElement} node the parent of a text, or the element itself
 * @property {Node|null} textNode the node of a text
 * @property {string} text collapsed; empty for an interactive element, the name of an image
 * @property {Found|null} found the interactive element
 * @property {Found|null} within the interactive element that a text is in
 * @property {string} inner the texts in an interactive element, as far as they are no items of their own; with those that
 *     nobody can read
 * @property {FlatText[]|null} texts the texts of `inner`
 * @property {string|null} image its role, for an image
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
  for (const found of look.found) { // a label may mean the host of a field in a shadow tree, or be meant by a field that is drawn
    const { host } = rootOf(found.control);
    for (const other of [host, ...referenced(found.control, "aria-labelledby")]) {
      if (other && !controls.has(other)) controls.set(other, found);
    }
  }
  /** @type {Item[]} */
  const items = [];
  const byFound = new Map();
  let isApart = true;
  let root = null;
  for (const drawn of flat(look.stream ?? [])) {
    if (drawn === SPACE) {
      isApart = true;
      continue;
    }
    if (drawn.tag) {
      if (drawn.tag === "br" || (drawn.display && !isInline(drawn.display))) isApart = true; // a rule, or an empty block
      const found = known.get(drawn.element);
      drawn.holder = found ?? drawn.parent?.holder ?? null;
      const item = found ? foundItem(found, drawn) : imageItem(drawn);
      if (!item) continue;
      if (found) byFound.set(found, item);
      if (found?.role === "img" && isImageAround(items.at(-1), drawn, found)) items.pop();
      items.push(item);
      isApart = true;
      continue;
    }
    const { data, parent } = drawn;
    const boxRoot = boxRootOf(parent);
    isApart ||= boxRoot !== root || data.startsWith(" ");
    root = boxRoot;
    const within = labelled(parent, controls) ?? parent.holder;
    if (within && isIconFont(parent.element)) continue; // a person sees an arrow, and no "arrow_drop_down"
    const outer = within?.isLeaf && byFound.get(within);
    if (outer) {
      drawn.isApart = isApart;
      outer.inner += wordsOf(drawn);
      (outer.texts ??= []).push(drawn);
    } else {
      if (!isReadable(parent, drawn.text)) continue;
      const text = withGenerated(drawn).trim();
      const mark = isApart ? "" : markBefore(parent.element, text, items.at(-1)?.text ?? "");
      items.push(newItem({ block: blockOf(parent), node: parent, textNode: drawn.text, text: mark + text, within, isApart }));
    }
    isApart = data.endsWith(" ");
  }
  return items;
}

/**
 * @param {Pick<Item, "block"|"node"> & Partial<Item>} fields
 * @returns {Item}
 */
function newItem({ block, node, textNode = null, text = "", found = null, within = null, image = null, value, isApart = true }) {
  return { block, node, textNode, text, found, within, inner: "", texts: null, image, value, isChunk: false, isApart };
}

/**
 * @param {any[]} stream
 * @returns {any[]}
 */
function flat(stream) {
  return stream.some(Array.isArray) ? stream.flat(/** @type {1} */ (Infinity)) : stream;
}

/** @param {FlatText} text */
function wordsOf({ data, isApart }) {
  return isApart ? ` ${data.trim()}` : data.trim();
}

/**
 * Return the readable words in an interactive element. To judge texts is slow, and mostly its name says them already.
 * @param {Item} item
 */
export function readableWords({ texts }) {
  return (texts ?? []).filter(({ parent, text }) => isReadable(parent, text)).map(wordsOf).join("").trim();
}

/**
 * @param {Found} found
 * @param {FlatElement} node
 */
function foundItem(found, node) {
  const isOwnBlock = !found.isLeaf || (found.text === null && !isInline(displayOf(node)));
  return newItem({ block: blockOf(isOwnBlock ? node : node.parent ?? node), node, found });
}

/**
 * Return the item of an image with a name, or of a progress bar.
 * @param {FlatElement} node
 */
function imageItem(node) {
  const { element, tag, isBare, parent, holder } = node;
  if (!IMAGES.has(tag) && (isBare || !hasAttribute(element, "role"))) return null;
  if (holder?.isLeaf) return null;
  const role = tag === "canvas" ? "img" : roleOf(element);
  if (role === null || !IMAGE_ROLES.has(role) || !isShown(element) || !isReadable(parent ?? node)) return null;
  const box = boxOf(element);
  const text = tag === "canvas" && !hasAttribute(element, "role") ? attributeOf(element, "aria-label") ?? "" : nameOf(element);
  const value = role === "img" ? undefined : valueOf(element, role);
  if (role === "img" && holder?.content === "" && nameFor(holder) === text) return null;
  if (role === "img" && tag !== "img" && tag !== "canvas" && isMuted(node)) return null;
  if ((!text && value === undefined) || box.width < MIN_IMAGE || box.height < MIN_IMAGE) return null;
  return newItem({ block: blockOf(parent ?? node), node, text, within: holder, image: role, value });
}

/**
 * Return true for an icon that is hidden from assistive technology by itself or its parent, such as the arrow of a list: its
 * label reaches nobody.
 * @param {FlatElement} icon
 */
function isMuted({ element, parent }) {
  return hasAriaHidden(element) || (parent !== null && hasAriaHidden(parent.element));
}

/**
 * Return true if an item is the image that an interactive one draws, with its name.
 * @param {Item|undefined} item
 * @param {FlatElement} node
 * @param {Found} found
 */
function isImageAround(item, node, found) {
  return item?.image === "img" && item.node === node.parent && item.text === nameFor(found);
}

/**
 * Return the control whose label a text is in.
 * @param {FlatElement} parent
 * @param {Map<Element, Found>} controls
 * @returns {Found|null}
 */
function labelled(parent, controls) {
  /** @type {FlatElement|null} */
  let node = parent;
  for (let i = 0; node && i < LABEL_LEVELS && node.element !== parent.holder?.element; node = node.parent, i++) {
    if (node.tag === "label") return controls.get(node.element.control ?? node.element) ?? null;
  }
  return null;
}

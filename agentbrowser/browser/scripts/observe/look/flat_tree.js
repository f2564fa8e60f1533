/** The flat tree of a look: elements and texts as they are drawn, each with the element that draws it. */

/** @import { Found } from "../scan.js" */
/** @import { Ground } from "./grounds.js" */
/** @import { Region } from "./regions.js" */
/** @import { Content, Line } from "./lines.js" */

/**
 * An element of the flat tree. It holds what this look has computed of the element: a field is cheaper than a map.
 * @typedef {object} FlatElement
 * @property {any} element
 * @property {string} tag
 * @property {boolean} isBare true if it has no attributes
 * @property {FlatElement|null} parent
 * @property {FlatElement|null} canvas the canvas that it is in, which draws none of its content by itself
 * @property {Found|null} holder the nearest interactive element that it is or is in
 * @property {string} display "" until it is computed
 * @property {FlatElement|null} block
 * @property {FlatElement|null} boxRoot
 * @property {Ground|null} ground
 * @property {boolean|null} isReadable
 * @property {Region|null} region
 * @property {boolean|null} isBound
 * @property {Content|null} content
 * @property {Line|null} line
 */

/**
 * A text of the flat tree.
 * @typedef {object} FlatText
 * @property {any} text the node
 * @property {string} data its text with white space collapsed
 * @property {FlatElement} parent
 * @property {boolean} isApart true if white space separates it from what is before
 */

/** White space between elements. */
export const SPACE = Object.freeze({ text: null, data: " ", parent: null });

/**
 * Nodes in the order in which they are drawn; nested where a slot shows nodes of another tree.
 * @typedef {(FlatElement|FlatText|typeof SPACE|Stream)[]} Stream
 */

/**
 * @param {any} element
 * @param {string} tag
 * @param {boolean} isBare
 * @param {string} display "" where it is not known yet
 * @param {FlatElement|null} parent
 * @returns {FlatElement}
 */
export function newFlatElement(element, tag, isBare, display, parent) {
  const canvas = parent && (parent.tag === "canvas" ? parent : parent.canvas);
  return {
    element, tag, isBare, display, parent, canvas, holder: null, block: null, boxRoot: null, ground: null, isReadable: null,
    region: null, isBound: null, content: null, line: null,
  };
}

/** @param {FlatElement} node */
export function displayOf(node) {
  return (node.display ||= getComputedStyle(node.element).display);
}

/**
 * Return the nearest box that is no part of a line: a block, or a block within a line.
 * @param {FlatElement} node
 * @returns {FlatElement}
 */
export function boxRootOf(node) {
  return (node.boxRoot ??= node.parent && isInlineBox(displayOf(node)) ? boxRootOf(node.parent) : node);
}

/**
 * Return the block that an element is, or is in a line of.
 * @param {FlatElement} node
 * @returns {FlatElement}
 */
export function blockOf(node) {
  return (node.block ??= node.parent && isInline(displayOf(node)) ? blockOf(node.parent) : node);
}

/** @param {string} display */
function isInlineBox(display) {
  return display === "inline" || display === "contents" || display.startsWith("ruby");
}

/** @param {string} display */
export function isInline(display) {
  return display.startsWith("inline") || isInlineBox(display);
}

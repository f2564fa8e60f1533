/** Pieces of an element: its visible texts and the names of its images, in order. */

import {
  attributeOf, collapseSpaces, dataOf, ELEMENT, firstOf, isEdited, kindOf, MAX_TEXT, nextOf, shadowOf, tagOf, TEXT,
} from "../../dom/nodes.js";
import { isHidden, isTextUnrendered } from "../../dom/visibility.js";

const UNREAD = new Set(["input", "textarea", "select", "script", "style", "noscript", "template", "svg"]);
/** Addresses of images that have no file: what stands behind the last slash is no word. */
const NAMELESS = /^(blob|data):/i;

/**
 * One text of a row.
 * @typedef {object} Piece
 * @property {string} text
 * @property {boolean} isButton
 * @property {Element} holder the element that it is in
 * @property {string} [joint] what is between it and the text before, "" or " "; undefined for an element
 * @property {boolean} [isFile] true for the file of an image without a text
 * @property {boolean} [isNameless] true if that is no file
 */

/**
 * Yield the visible texts of an element, those in open shadow roots too, and the names of its images.
 * @param {any} element
 * @param {boolean} isButton
 * @returns {Generator<Piece>}
 */
export function* piecesIn(element, isButton) {
  const tag = kindOf(element) === ELEMENT ? tagOf(element) : "";
  if (tag === "img") yield* imagePiece(element, isButton);
  if (UNREAD.has(tag) || (tag && (isHidden(element) || isEdited(element)))) return;
  const isIn = isButton || tag === "button" || (tag !== "" && attributeOf(element, "role") === "button");
  const shadow = tag ? shadowOf(element) : null;
  if (shadow) yield* piecesIn(shadow, isIn);
  let before = ""; // text right before, with no element between
  for (let child = firstOf(element); child; child = nextOf(child)) {
    if (kindOf(child) === ELEMENT) {
      yield* piecesIn(child, isIn);
      before = "";
    }
    if (kindOf(child) !== TEXT || isTextUnrendered(child)) continue;
    const data = dataOf(child);
    const text = collapseSpaces(data).slice(0, MAX_TEXT);
    const isApart = before !== before.trimEnd() || data !== data.trimStart();
    if (text) yield { text, isButton: isIn, holder: tag ? element : element.host, joint: before ? (isApart ? " " : "") : undefined };
    if (text || before) before += data;
  }
}

/**
 * @param {Element} image
 * @param {boolean} isButton
 * @returns {Generator<Piece>}
 */
function* imagePiece(image, isButton) {
  const alt = attributeOf(image, "alt");
  const address = attributeOf(image, "src") ?? "";
  const text = collapseSpaces(alt || address.split("/").pop() || "");
  if (text && !isHidden(image)) yield { text: text.slice(0, MAX_TEXT), isButton, holder: image, isFile: !alt, isNameless: NAMELESS.test(address) };
}

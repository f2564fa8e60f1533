/**
 * Redaction overlay: boxes over secrets while a screenshot is taken, in the top layer, where nothing of the page is
 * above them.
 */

import { caller, topOf } from "../dom/nodes.js";

const OVERLAY_COLOUR = "#ff00ff";

const createElement = caller(Document, "createElementNS");

/** @type {HTMLElement[]} */
let overlays = [];

/**
 * Cover these parts of the viewport, and no others.
 * @param {{boxes: {x: number, y: number, width: number, height: number}[]}} wanted in CSS pixels of the viewport
 */
export function showRedactions({ boxes }) {
  for (const overlay of overlays) overlay.remove();
  overlays = boxes.map(overlayFor);
  return {};
}

/** @param {{x: number, y: number, width: number, height: number}} box */
function overlayFor({ x, y, width, height }) {
  const overlay = createElement(document, "http://www.w3.org/1999/xhtml", "div");
  const style = {
    all: "initial",
    display: "block",
    position: "absolute",
    inset: "auto",
    left: `${x + scrollX}px`,
    top: `${y + scrollY}px`,
    width: `${width}px`,
    height: `${height}px`,
    background: OVERLAY_COLOUR,
    "pointer-events": "none",
  };
  for (const [name, value] of Object.entries(style)) overlay.style.setProperty(name, value, "important");
  overlay.popover = "manual";
  topOf(document).append(overlay);
  overlay.showPopover();
  return overlay;
}

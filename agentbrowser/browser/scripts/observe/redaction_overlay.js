/** Panes over what a picture must not show, in the top layer, where nothing of the page's is above them. */

import { topOf } from "../dom/nodes.js";

const GLASS_COLOUR = "#ff00ff";

/** @type {HTMLElement[]} */
let glass = [];

/**
 * Cover parts of what is shown, and nothing else any more.
 * @param {{boxes: {x: number, y: number, width: number, height: number}[]}} wanted in CSS pixels of the viewport
 */
export function glaze({ boxes }) {
  for (const pane of glass) pane.remove();
  glass = boxes.map(glassOver);
  return {};
}

/** @param {{x: number, y: number, width: number, height: number}} box */
function glassOver({ x, y, width, height }) {
  const pane = document.createElementNS("http://www.w3.org/1999/xhtml", "div");
  const style = {
    all: "initial",
    display: "block",
    position: "absolute",
    inset: "auto",
    left: `${x + scrollX}px`,
    top: `${y + scrollY}px`,
    width: `${width}px`,
    height: `${height}px`,
    background: GLASS_COLOUR,
    "pointer-events": "none",
  };
  for (const [name, value] of Object.entries(style)) pane.style.setProperty(name, value, "important");
  pane.popover = "manual";
  topOf(document).append(pane);
  pane.showPopover();
  return pane;
}

/** Colours of texts and of what lies behind them: a text in the colour of its background can't be read. */

import { flatTreeParentOf } from "../../dom/hit_test.js";
import { getOrCompute, memo } from "../../dom/memo.js";
import { contains, queryAll, tagOf } from "../../dom/nodes.js";
import { boxOf, isShown } from "../../dom/visibility.js";

/** The least contrast, by WCAG 2, of a text that a person can read with effort. */
const MIN_CONTRAST = 1.1;
const MIN_ALPHA = 0.05;
const SOLID = 0.95;
const MAX_SEARCHED = 300;
const PICTURES = new Set("img video canvas picture svg iframe embed object".split(" "));
const RGB = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/;

/**
 * Red, green and blue of 255, and the opacity.
 * @typedef {[number, number, number, number]} Color
 */

/**
 * Background of an element: a color with the element that has it, or null where an image or the like is.
 * @typedef {{color: Color, owner: Element|null}|null} Background
 */

/** The last pair of colors, as neighbours mostly have the same. @type {Color|null} */
let lastColor = null;
/** @type {Color|null} */
let lastGround = null;
let lastVerdict = false;

/** @type {Map<string, Color>} */
const parsed = new Map();
/** @type {OffscreenCanvasRenderingContext2D|null} */
let canvas = null;

/**
 * Return a computed color; those of other color spaces as a canvas paints them.
 * @param {string} text
 * @returns {Color}
 */
export function colorOf(text) {
  return getOrCompute(parsed, text, parseColor);
}

/**
 * @param {string} text
 * @returns {Color}
 */
function parseColor(text) {
  const found = RGB.exec(text);
  if (found) return [Number(found[1]), Number(found[2]), Number(found[3]), Number(found[4] ?? 1)];
  if (parsed.size > 1000) parsed.clear();
  canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

/**
 * Return true if the letters of an element have no color of their own against what is behind them.
 * @param {Element} element
 * @param {any} style
 * @param {Color} ground the color behind it, if no image is there
 */
export function isColorless(element, style, ground) {
  const color = colorOf(style.webkitTextFillColor || style.color);
  if (color[3] >= MIN_ALPHA && hasContrast(color, ground)) return false;
  if (style.webkitBackgroundClip === "text" && style.backgroundImage !== "none") return false;
  if (color[3] < MIN_ALPHA) return style.textShadow === "none" && !parseFloat(style.webkitTextStrokeWidth);
  const behind = getOrCompute(memo.backgrounds, element, computeBackground);
  if (!behind || hasContrast(color, behind.color)) return false;
  return style.textShadow === "none" && !isDrawnOver(element, behind);
}

/**
 * @param {Color} color
 * @param {Color} ground
 */
export function hasContrast(color, ground) {
  if (ground !== lastGround) lastGround = ground;
  else if (color === lastColor) return lastVerdict;
  lastColor = color;
  return (lastVerdict = contrast(blend(color, ground), ground) >= MIN_CONTRAST);
}

/**
 * @param {Element} element
 * @returns {Background}
 */
function computeBackground(element) {
  const style = getComputedStyle(element);
  if (style.backgroundImage !== "none") return null;
  const own = colorOf(style.backgroundColor);
  if (own[3] >= SOLID) return { color: own, owner: element };
  const holder = flatTreeParentOf(element);
  if (!holder) return style.colorScheme.includes("dark") ? null : { color: blend(own, [255, 255, 255, 1]), owner: null };
  const outer = getOrCompute(memo.backgrounds, holder, computeBackground);
  return outer && own[3] > 0 ? { color: blend(own, outer.color), owner: element } : outer;
}

/**
 * @param {Color} over
 * @param {Color} under
 * @returns {Color}
 */
export function blend(over, under) {
  const mixed = (/** @type {number} */ at) => over[at] * over[3] + under[at] * (1 - over[3]);
  return [mixed(0), mixed(1), mixed(2), 1];
}

/**
 * @param {Color} one
 * @param {Color} other
 */
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {Color} color */
function luminance([red, green, blue]) {
  const linear = (/** @type {number} */ part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/**
 * Return true if something else than its ancestors may be behind an element: a picture, or a box of another color.
 * @param {Element} element
 * @param {{color: Color, owner: Element|null}} behind
 */
function isDrawnOver(element, { color, owner }) {
  const box = boxOf(element);
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  let scope = element;
  for (let i = 0; i < 6 && scope !== owner; i++) scope = flatTreeParentOf(scope) ?? scope;
  const others = queryAll(scope, "*");
  for (let i = 0; i < others.length && i < MAX_SEARCHED; i++) {
    const other = others[i];
    if (other === element || contains(other, element)) continue;
    const area = boxOf(other);
    if (area.left > x || area.right < x || area.top > y || area.bottom < y || !isShown(other)) continue;
    if (PICTURES.has(tagOf(other)) || getComputedStyle(other).backgroundImage !== "none") return true;
    const own = colorOf(getComputedStyle(other).backgroundColor);
    if (own[3] > 0 && hasContrast(own, color)) return true;
  }
  return false;
}

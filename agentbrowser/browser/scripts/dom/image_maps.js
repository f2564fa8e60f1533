/** Areas of images: they have no box of their own, and show where their image does. */

import { closest, measure, queryAll, topOf } from "./nodes.js";

/**
 * Return the image that shows an area; null without one.
 * @param {any} area
 * @returns {any}
 */
export function imageOf(area) {
  const name = closest(area, "map")?.name;
  const images = name ? [...queryAll(topOf(document), "img[usemap]")] : [];
  return images.find(({ useMap }) => useMap === `#${name}`) ?? null;
}

/**
 * Return the box around an area of an image, in the viewport. In Chromium, coordinates begin at the image's border, and
 * are scaled by zooms and transformations only.
 * @param {any} area
 * @param {any} image
 * @returns {DOMRect}
 */
export function areaBox({ shape, coords }, image) {
  const box = measure(image);
  /** @type {number[]} */
  const numbers = coords.split(/[\s,;]+/).map(Number);
  if (/^def/i.test(shape)) return box;
  const [scaleX, scaleY] = [box.width / image.offsetWidth, box.height / image.offsetHeight];
  const [west, north, east, south] = /^circ/i.test(shape) ? aroundCircle(numbers) : aroundPoints(numbers);
  const [x, y] = [box.left + west * scaleX, box.top + north * scaleY];
  return new DOMRect(x, y, (east - west) * scaleX, (south - north) * scaleY);
}

/** @param {number[]} coordinates */
function aroundCircle([x, y, radius]) {
  return [x - radius, y - radius, x + radius, y + radius];
}

/** @param {number[]} coordinates */
function aroundPoints(coordinates) {
  const across = coordinates.filter((_, i) => i % 2 === 0);
  const down = coordinates.filter((_, i) => i % 2 === 1);
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

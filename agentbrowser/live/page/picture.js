/** Picture of the page, and the outline of the element that a request acts on. */

import { byId } from "./dom.js";

const HEAD_BYTES = 12;
const OUTLINE_MS = 2500;

/** Picture whose points map to those of the page. */
export class Picture {
  constructor() {
    this.canvas = byId("picture");
    this.pen = this.canvas.getContext("2d");
    this.outline = byId("outline");
    /** Size of the page's viewport in CSS pixels. */
    this.size = { width: 1280, height: 720 };
    this.choice = 0;
    this.drawn = 0;
    this.arrived = 0;
    this.timer = 0;
  }

  /** Begin with another page, and return the number of this choice. */
  choose() {
    this.choice += 1;
    this.outline.hidden = true;
    this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    return this.choice;
  }

  /**
   * Draw a picture, unless it is of another page or a later one is drawn already.
   * @param {ArrayBuffer} data
   */
  async draw(data) {
    const head = new DataView(data, 0, HEAD_BYTES);
    if (head.getUint32(0) !== this.choice) return;
    const number = (this.arrived += 1);
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(data, HEAD_BYTES)], { type: "image/jpeg" }));
    if (number > this.drawn && head.getUint32(0) === this.choice) {
      this.drawn = number;
      if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) {
        this.canvas.width = bitmap.width;
        this.canvas.height = bitmap.height;
      }
      this.size = { width: head.getUint32(4), height: head.getUint32(8) };
      this.pen.drawImage(bitmap, 0, 0);
      this.canvas.dataset.pictures = String(number);
    }
    bitmap.close();
  }

  /**
   * Return the point of the page under a point of the window.
   * @param {{clientX: number, clientY: number}} event
   */
  pointOf({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const within = (value, size) => Math.min(Math.max(value, 0), size - 1);
    return {
      x: within(((clientX - box.left) / box.width) * this.size.width, this.size.width),
      y: within(((clientY - box.top) / box.height) * this.size.height, this.size.height),
    };
  }

  /**
   * Outline an element for a moment.
   * @param {{x: number, y: number, width: number, height: number, role: string, name: string, method: string}} box
   */
  mark({ x, y, width, height, role, name, method }) {
    const percent = (value, size) => `${(value / size) * 100}%`;
    const { style } = this.outline;
    style.left = percent(x, this.size.width);
    style.top = percent(y, this.size.height);
    style.width = percent(width, this.size.width);
    style.height = percent(height, this.size.height);
    byId("outline-label").textContent = `${method} ${role} ${name}`.slice(0, 80);
    this.outline.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.outline.hidden = true), OUTLINE_MS);
  }
}

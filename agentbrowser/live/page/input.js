/** Input of the person who has the page: pointer, wheel, touch, keys, composed text, paste. */

import { byId } from "./dom.js";

const LEAVE_MS = 600;
const TAP_PX = 8;
const MODIFIERS = { altKey: 1, ctrlKey: 2, metaKey: 4, shiftKey: 8 };
const BUTTONS = ["left", "middle", "right", "back", "forward"];
const LINE_PX = 40;

/** Sends input while it is on. */
export class Input {
  /**
   * @param {import("./picture.js").Picture} picture
   * @param {(event: Record<string, any>) => void} send
   */
  constructor(picture, send) {
    this.picture = picture;
    this.send = send;
    this.keys = byId("keys");
    this.hasTouch = false;
    this.escapedAt = -LEAVE_MS;
    this.touches = new Map();
    this.drag = null;
    this.clicks = { count: 0, at: 0, x: 0, y: 0 };
    this.move = null;
    this.listen();
  }

  /**
   * Begin or end to send.
   * @param {boolean} isOn
   * @param {boolean} hasTouch true if the page expects a finger
   */
  turn(isOn, hasTouch) {
    if (isOn === !this.keys.hidden && hasTouch === this.hasTouch) return;
    this.hasTouch = hasTouch;
    this.keys.hidden = !isOn;
    this.keys.value = "";
    byId("keys-hint").hidden = !isOn;
    byId("screen").classList.toggle("held", isOn);
    if (isOn) this.keys.focus({ preventScroll: true });
  }

  listen() {
    const { keys } = this;
    const on = (name, handle, options) => keys.addEventListener(name, handle.bind(this), options);
    on("pointerdown", this.pointerDown);
    on("pointermove", this.pointerMove);
    on("pointerup", this.pointerUp);
    on("pointercancel", this.pointerUp);
    on("contextmenu", (event) => event.preventDefault());
    on("dragstart", (event) => event.preventDefault());
    on("wheel", this.wheel, { passive: false });
    on("keydown", this.keyDown);
    on("keyup", this.keyUp);
    on("compositionupdate", (event) => this.send({ kind: "compose", text: event.data }));
    on("compositionend", this.composed);
    on("input", this.typed);
    on("paste", this.paste);
  }

  // Pointer

  pointerDown(event) {
    event.preventDefault();
    this.keys.focus({ preventScroll: true });
    this.keys.setPointerCapture(event.pointerId);
    if (event.pointerType !== "touch") return this.button("down", event);
    if (this.hasTouch) return this.touch("start", event);
    this.drag = { x: event.clientX, y: event.clientY, isScroll: false };
    return undefined;
  }

  pointerMove(event) {
    if (event.pointerType !== "touch") return this.queueMove(event);
    if (this.hasTouch) return this.touches.has(event.pointerId) ? this.touch("move", event) : undefined;
    if (this.drag === null) return undefined;
    const [dx, dy] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
    if (!this.drag.isScroll && Math.hypot(dx, dy) < TAP_PX) return undefined;
    const scale = this.picture.size.width / this.keys.getBoundingClientRect().width;
    this.send({ kind: "wheel", ...this.picture.pointOf(event), deltaX: -dx * scale, deltaY: -dy * scale });
    this.drag = { x: event.clientX, y: event.clientY, isScroll: true };
    return undefined;
  }

  pointerUp(event) {
    if (event.pointerType !== "touch") return this.button("up", event);
    if (this.hasTouch) return this.touch(event.type === "pointercancel" ? "cancel" : "end", event);
    const drag = this.drag;
    this.drag = null;
    if (drag !== null && !drag.isScroll && event.type === "pointerup") {
      const at = { clientX: event.clientX, clientY: event.clientY, button: 0 };
      this.mouse("move", { ...at, buttons: 0 });
      this.button("down", { ...at, buttons: 1 });
      this.button("up", { ...at, buttons: 0 });
    }
    return undefined;
  }

  /** Send a press or a release, with the number of clicks at this point. */
  button(type, event) {
    this.flushMove();
    const { x, y } = this.picture.pointOf(event);
    if (type === "down") {
      const { clicks } = this;
      const isNear = Math.hypot(x - clicks.x, y - clicks.y) < TAP_PX && performance.now() - clicks.at < 500;
      this.clicks = { count: isNear ? Math.min(clicks.count + 1, 3) : 1, at: performance.now(), x, y };
    }
    this.mouse(type, event, this.clicks.count);
  }

  mouse(type, event, clicks = 0) {
    const button = type === "move" ? 0 : BUTTONS.indexOf(BUTTONS[event.button] ?? "left") + 1;
    const { buttons } = event;
    this.send({ kind: "mouse", type, button, buttons, clicks, ...this.picture.pointOf(event), ...modifiersOf(event) });
  }

  /** Send at most one move for each frame of this window. */
  queueMove(event) {
    if (this.move === null) requestAnimationFrame(() => this.flushMove());
    this.move = event;
  }

  flushMove() {
    const event = this.move;
    this.move = null;
    if (event !== null) this.mouse("move", event);
  }

  touch(type, event) {
    const point = { ...this.picture.pointOf(event), id: event.pointerId };
    if (type === "end" || type === "cancel") this.touches.delete(event.pointerId);
    else this.touches.set(event.pointerId, point);
    this.send({ kind: "touch", type, points: [...this.touches.values()], ...modifiersOf(event) });
  }

  wheel(event) {
    event.preventDefault();
    const scale = event.deltaMode === 0 ? 1 : LINE_PX;
    const deltas = { deltaX: event.deltaX * scale, deltaY: event.deltaY * scale };
    this.send({ kind: "wheel", ...this.picture.pointOf(event), ...deltas, ...modifiersOf(event) });
  }

  // Keys

  keyDown(event) {
    if (event.isComposing || event.keyCode === 229) return; // the text comes by itself
    if (event.key === "Escape" && performance.now() - this.escapedAt < LEAVE_MS) {
      event.preventDefault();
      byId("back").focus();
      return;
    }
    if (event.key === "Escape") this.escapedAt = performance.now();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return; // the paste comes by itself
    if (event.shiftKey && event.key === "Insert") return; // this one, too
    event.preventDefault();
    const isText = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
    this.key("down", event, isText ? event.key : event.key === "Enter" ? "\r" : "");
  }

  keyUp(event) {
    if (event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.key("up", event, "");
  }

  key(type, event, text) {
    const { key, code, keyCode, location, repeat } = event;
    this.send({ kind: "key", type, key, code, keyCode, location, repeat, text, ...modifiersOf(event) });
  }

  composed(event) {
    this.send({ kind: "text", text: event.data });
    this.keys.value = "";
  }

  /** Send what a screen keyboard has written: it reports no keys. */
  typed(event) {
    if (event.isComposing) return;
    if (event.inputType === "insertText" && event.data) this.send({ kind: "text", text: event.data });
    else if (event.inputType === "insertLineBreak") this.press("Enter", 13, "\r");
    else if (event.inputType === "deleteContentBackward") this.press("Backspace", 8, "");
    this.keys.value = "";
  }

  press(key, keyCode, text) {
    this.send({ kind: "key", type: "down", key, code: key, keyCode, text });
    this.send({ kind: "key", type: "up", key, code: key, keyCode, text: "" });
  }

  paste(event) {
    event.preventDefault();
    const text = event.clipboardData.getData("text/plain");
    if (text) this.send({ kind: "text", text });
  }
}

/** @param {Record<string, any>} event */
function modifiersOf(event) {
  const pressed = Object.entries(MODIFIERS).filter(([name]) => event[name]);
  return { modifiers: pressed.reduce((sum, [, bit]) => sum + bit, 0) };
}

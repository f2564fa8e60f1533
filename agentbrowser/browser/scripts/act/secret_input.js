/**
 * Writing secrets of the operator's, and finding where they show. They are written by a command to this very document:
 * what goes through the keyboard goes to whoever has the focus, and a frame of another origin can take that.
 */

import { forget } from "../dom/memo.js";
import {
  activeOf, caller, dataOf, ELEMENT, holderOf, isConnected, isEdited, kindOf, matches, shadowOf, TEXT, textContentOf,
} from "../dom/nodes.js";
import { secrets } from "../dom/secret_fields.js";
import { nodesFrom } from "../dom/size_budget.js";
import { pathTo } from "../observe/selectors.js";
import { announce, contentOf, controlKind, QUESTIONS, selectAll, SET_BY_VALUE, takeCaret } from "./controls.js";
import { nextTurn } from "./hit_target.js";

/** @import { Target } from "./hit_target.js" */

const commandIn = caller(Document, "execCommand");

/** What this document was given. */
const entrusted = new Set();

/** @type {Set<WeakRef<any>>} */
const entrustedFields = new Set();

/** The origin of this document; "null" for one that is sandboxed. */
export function originHere() {
  return { origin: globalThis.origin };
}

/**
 * @typedef {object} Entrusting
 * @property {string} origin where it may be written, and nowhere else
 * @property {string} text
 * @property {string[]} values the secrets in the text
 * @property {"fill"|"type"|"goOn"} how in place of what the field holds; behind it; where the caret is
 * @property {boolean} clears
 * @property {number} delay milliseconds between the characters that are typed
 */

/**
 * Write a text that holds secrets, and say whether it landed; `isElsewhere` if nothing was written.
 * @param {Target} target
 * @param {Entrusting} wanted
 */
async function entrust({ control }, { origin, text, values, how, clears, delay }) {
  if (globalThis.origin !== origin) return { isElsewhere: true };
  if (how !== "goOn") {
    conceal(control);
    if (how === "fill" || clears) selectAll(control);
    else takeCaret(control);
    if (!hasCaret(control)) return { isAstray: true };
  }
  for (const value of values) entrusted.add(value);
  const isAstray = how === "fill" ? void put(control, text) : await strike(text, clears, delay);
  await new Promise(nextTurn); // a page may put back, or form, what was written
  if (isAstray) return { isAstray };
  const isTold = how !== "goOn" && isConnected(control);
  return { landed: !isTold || contentOf(control, { written: text, whole: how === "fill" }).landed };
}

/** @param {any} control */
function hasCaret(control) {
  return matches(control, ":focus-within");
}

/**
 * @param {any} control
 * @param {string} text
 */
function put(control, text) {
  if (SET_BY_VALUE.test(control.type)) announce(control, () => (control.value = text.trim()));
  else commandIn(document, "insertText", false, text);
}

/**
 * Type, wherever the page moves the caret in this document; true when it is there no more.
 * @param {string} text
 * @param {boolean} clears
 * @param {number} delay
 */
async function strike(text, clears, delay) {
  if (clears) commandIn(document, "delete");
  for (const key of text) {
    const field = fieldInFocus();
    if (!field) return true;
    conceal(field);
    if (pressed(field, "keydown", key) && pressed(field, "keypress", key)) commandIn(document, "insertText", false, key);
    pressed(field, "keyup", key);
    if (delay) await new Promise((done) => setTimeout(done, delay));
  }
  return false;
}

/**
 * Tell the page of a key, as it may listen for that; false if it does not want it.
 * @param {any} field
 * @param {string} type
 * @param {string} key
 */
function pressed(field, type, key) {
  return field.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, composed: true }));
}

/** The text field that has the caret; none when a frame has it. */
function fieldInFocus() {
  let at = activeOf(document);
  while (at && shadowOf(at)?.activeElement) at = shadowOf(at).activeElement;
  return at && controlKind(at) === "text" ? at : null;
}

/** The fields stay where they are: what is copied or dragged could be put down in a document of another origin. */
const TAKEN_AWAY = ["copy", "cut", "dragstart"];

/** @param {Event} event */
function leaveHere(event) {
  const isHeld = [...entrustedFields].some((one) => event.composedPath().includes(one.deref()));
  if (isHeld) event.preventDefault();
}

/**
 * Have a field be one that holds a secret, for good.
 * @param {any} field
 */
function conceal(field) {
  if (!entrustedFields.size) for (const type of TAKEN_AWAY) addEventListener(type, leaveHere, true);
  secrets.add(field);
  for (let host = holderOf(field); host && isEdited(field) && isEdited(host); host = holderOf(host)) secrets.add(host);
  if (![...entrustedFields].some((one) => one.deref() === field)) entrustedFields.add(new WeakRef(field));
}

/**
 * Where secrets show: the fields that were given one, and what else of this document holds or says one.
 * @param {{origin: string, values: string[]}} wanted those that a document of that origin may know
 */
export function secretPlaces({ origin, values }) {
  forget();
  const known = [...entrusted, ...(globalThis.origin === origin ? values : [])];
  /** @type {Set<any>} */
  const places = new Set();
  for (const one of entrustedFields) {
    const field = one.deref();
    if (field && isConnected(field) && !isEmpty(field)) places.add(field);
  }
  if (known.length) for (const node of nodesFrom(document)) if (tells(node, known)) places.add(kindOf(node) === TEXT ? holderOf(/** @type {any} */ (node)) : node);
  return { paths: [...places].filter(Boolean).map((element) => pathTo(element, null)) };
}

/** @param {any} field */
function isEmpty(field) {
  return (isEdited(field) ? textContentOf(field) : field.value) === "";
}

/**
 * @param {any} node
 * @param {string[]} values
 */
function tells(node, values) {
  if (kindOf(node) === TEXT) return values.some((value) => dataOf(node).includes(value));
  if (kindOf(node) !== ELEMENT || !matches(node, "input, textarea, select")) return false;
  return typeof node.value === "string" && values.some((value) => node.value.includes(value));
}

// Last of all: this needs what writing and choosing have.
QUESTIONS.set("entrust", entrust);

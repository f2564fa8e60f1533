/**
 * Input of the operator's secrets, and lookup of elements that show them. A command to this document writes them:
 * keyboard input goes to whatever has the focus, and a frame of another origin can take that.
 */

import { clearMemo } from "../dom/memo.js";
import {
  closest, execCommand, focusedElement, parentOrHostOf, isConnected, isEdited, kindOf, matches, TEXT, textContentOf,
} from "../dom/nodes.js";
import { secrets, secretsHere, writtenSecrets } from "../dom/secret_fields.js";
import { documentTexts, holds, listedNodes, secretNodes, spellingsOf } from "../dom/shown_secrets.js";
import { pathTo } from "../observe/selectors.js";
import { selectAll } from "./caret.js";
import { dispatchChange, contentOf, controlKind, QUESTIONS, SET_BY_VALUE, focusAtEnd } from "./controls.js";
import { later, nextTask } from "./hit_target.js";
import { queryTrees } from "./selector_evaluator.js";

/** @import { Target } from "./hit_target.js" */


const VALUED = "input, textarea, select";
const DRAWN = new Set(["placeholder", "label", "alt"]);
const PSEUDO = ["::before", "::after", "::marker"];

/** @type {Set<WeakRef<any>>} */
const secretFields = new Set();
/** The value of each such field, in the page's spelling, since the secret is in it. @type {WeakMap<any, string>} */
const wholeValues = new WeakMap();
/** The fields into which a secret is being written, until it is whole. @type {Set<any>} */
const unfinished = new Set();
let isDropped = false;

/** Return the origin of this document; "null" for one that is sandboxed. */
export function originHere() {
  return { origin: globalThis.origin };
}

/**
 * @typedef {object} SecretInput
 * @property {string} origin the only origin where it may be written
 * @property {string} text
 * @property {string[]} values the secrets in the text
 * @property {"fill"|"type"|"goOn"} how replace the content; append to it; insert at the caret
 * @property {boolean} clears
 * @property {number} delay milliseconds between the characters that are typed
 */

/**
 * Write a text that holds secrets and report whether it is there; `isElsewhere` if nothing was written.
 * @param {Target} target
 * @param {SecretInput} wanted
 */
async function writeSecret({ control }, { origin, text, values, how, clears, delay }) {
  if (globalThis.origin !== origin) return { isElsewhere: true };
  if (how !== "goOn") {
    markSecret(control);
    if (how === "fill" || clears) selectAll(control);
    else focusAtEnd(control);
    if (!hasCaret(control)) return { isAstray: true };
  }
  for (const value of values) writtenSecrets.add(value);
  isDropped = false;
  const isAstray = how === "fill" ? void insertText(control, text) : await typeKeys(text, clears, delay);
  await new Promise(nextTask); // a page may restore or reformat the text
  const isReadBack = how !== "goOn" && isConnected(control);
  const landed = !isReadBack || contentOf(control, { written: text, whole: how === "fill" }).landed;
  if (isAstray || !landed) dropParts((field) => hasSignOf(field, text));
  for (const field of unfinished) wholeValues.set(field, field.value);
  unfinished.clear();
  return isAstray ? { isAstray } : { landed };
}

/** @param {any} control */
function hasCaret(control) {
  return matches(control, ":focus-within");
}

/**
 * @param {any} control
 * @param {string} text
 */
function insertText(control, text) {
  if (SET_BY_VALUE.test(control.type)) dispatchChange(control, () => (control.value = text.trim()));
  else execCommand(document, "insertText", false, text);
}

/**
 * Type into whichever field of this document has the caret; return true if none has it any more.
 * @param {string} text
 * @param {boolean} clears
 * @param {number} delay
 */
async function typeKeys(text, clears, delay) {
  if (clears) execCommand(document, "delete");
  for (const key of text) {
    const field = fieldInFocus();
    if (!field || isDropped) return true;
    markSecret(field);
    if (dispatchKey(field, "keydown", key) && dispatchKey(field, "keypress", key)) execCommand(document, "insertText", false, key);
    dispatchKey(field, "keyup", key);
    if (delay) await new Promise((done) => later(done, delay));
  }
  return false;
}

/**
 * Dispatch a key event, as the page may listen for it; return false if the page prevented it.
 * @param {any} field
 * @param {string} type
 * @param {string} key
 */
function dispatchKey(field, type, key) {
  return field.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, composed: true }));
}

/** Return the text field that has the caret; none when a frame has it. */
export function fieldInFocus() {
  const focused = focusedElement();
  return focused && controlKind(focused) === "text" ? focused : null;
}

/** Events that could take the field's text into a document of another origin. */
const EXPORT_EVENTS = ["copy", "cut", "dragstart"];

/** @param {Event} event */
function preventExport(event) {
  const isHeld = [...secretFields].some((one) => event.composedPath().includes(one.deref()));
  if (isHeld) event.preventDefault();
}

/**
 * Note that all of a secret is replaced, which needs no care.
 * @param {any} event
 */
function noteReplacement(event) {
  const [field] = event.composedPath();
  if (event.isTrusted && wholeValues.has(field) && isAllSelected(field)) wholeValues.delete(field);
}

/** @param {any} field */
function isAllSelected({ value, selectionStart, selectionEnd }) {
  if (selectionStart === null) return String(getSelection()).length >= value.length; // of a number or a mail address
  return selectionStart === 0 && selectionEnd === value.length;
}

/**
 * Empty a field of which an input has left a part of a secret, or brings it back: masks know the whole only, so that the
 * client would read the part where the page shows or sends it.
 * @param {any} event
 */
function dropPart(event) {
  const [field] = event.composedPath();
  const isUndone = secrets.has(field) && event.inputType?.startsWith("history");
  const isPart = wholeValues.has(field) && !field.value.includes(wholeValues.get(field));
  if (!event.isTrusted || !(isUndone || isPart) || isEdited(field)) return;
  wholeValues.delete(field);
  field.value = "";
}

/** Empty the fields with a part of a secret, whose client has given its input up. */
export function dropUnfinished() {
  isDropped = true;
  dropParts(() => true);
  return {};
}

/** @param {(field: any) => boolean} isPart */
function dropParts(isPart) {
  for (const field of unfinished) if (isPart(field)) dispatchChange(field, () => (field.value = ""));
  unfinished.clear();
}

/**
 * Return true if a field shows a letter or a digit of a text: a page may show dots in place of what it has taken.
 * @param {any} field
 * @param {string} text
 */
function hasSignOf({ value }, text) {
  const signs = new Set(text.toLowerCase());
  return [...value.toLowerCase()].some((sign) => /[\p{L}\p{N}]/u.test(sign) && signs.has(sign));
}

/**
 * Mark a field as one that holds a secret, for good.
 * @param {any} field
 */
function markSecret(field) {
  // Again for each field, since `document.open()` removes them.
  for (const type of EXPORT_EVENTS) addEventListener(type, preventExport, true);
  addEventListener("beforeinput", noteReplacement, true);
  addEventListener("input", dropPart, true);
  if (!isEdited(field)) {
    wholeValues.delete(field);
    unfinished.add(field);
  }
  secrets.add(field);
  for (let host = parentOrHostOf(field); host && isEdited(field) && isEdited(host); host = parentOrHostOf(host)) secrets.add(host);
  if (![...secretFields].some((one) => one.deref() === field)) secretFields.add(new WeakRef(field));
}

/**
 * Return the paths of elements that show secrets: fields that received one, and all that contain one.
 * @param {{origin: string, values: string[]}} wanted secrets that a document of that origin may know
 */
export function secretPlaces({ origin, values }) {
  clearMemo();
  const known = secretsHere({ origin, values });
  /** @type {Set<any>} */
  const places = new Set();
  for (const one of secretFields) {
    const field = one.deref();
    if (field && isConnected(field) && !isEmpty(field)) places.add(field);
  }
  const pattern = spellingsOf(known);
  if (pattern) {
    for (const { node, names } of secretNodes(pattern)) if (kindOf(node) === TEXT || isDrawn(node, names)) places.add(holderOf(node));
    for (const field of queryTrees(VALUED)) if (typeof field.value === "string" && holds(field.value, pattern)) places.add(field);
  }
  return { paths: [...places].filter(Boolean).map((element) => pathTo(element, null)) };
}

/**
 * Return the texts of this document, which may know no secret, for a search elsewhere.
 * @param {{limit: number}} wanted number of characters
 */
export function textsHere({ limit }) {
  return documentTexts(VALUED, limit);
}

/**
 * Return the paths of the elements that draw some of the last `textsHere`.
 * @param {{texts: number[], values: number[]}} found their indexes
 */
export function placesOf({ texts, values }) {
  clearMemo();
  const places = new Set();
  for (const { node, names } of listedNodes(texts, values)) {
    if (isConnected(node) && (kindOf(node) === TEXT || !names.length || isDrawn(node, names))) places.add(holderOf(node));
  }
  return { paths: [...places].filter(Boolean).map((element) => pathTo(element, null)) };
}

/** @param {any} field */
function isEmpty(field) {
  return (isEdited(field) ? textContentOf(field) : field.value) === "";
}

/**
 * Return true if the browser draws one of these attributes: itself, or as the generated content of a style.
 * @param {any} element
 * @param {string[]} names
 */
function isDrawn(element, names) {
  if (names.some((name) => DRAWN.has(name))) return true;
  return PSEUDO.some((pseudo) => !/^(none|normal|)$/.test(getComputedStyle(element, pseudo).content));
}

/**
 * Return the element to cover for a node: an option is drawn by its list.
 * @param {any} node
 */
function holderOf(node) {
  const element = kindOf(node) === TEXT ? parentOrHostOf(node) : node;
  return closest(element, "select") ?? element;
}

// Last of all: this needs what writing and choosing have.
QUESTIONS.set("writeSecret", writeSecret);

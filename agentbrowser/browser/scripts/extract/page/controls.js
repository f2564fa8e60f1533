/** Controls: their names, their values, and the choices of which one is made. */

import { nameOf } from "../../dom/names.js";
import { attributeOf, closest, collapseSpaces, dataOf, ELEMENT, firstOf, kindOf, labelElementsOf, nextOf, referenced, tagOf, TEXT } from "../../dom/nodes.js";
import { isSecret, openTextOf } from "../../dom/secret_fields.js";
import { enteredText, VALUELESS } from "../../dom/states.js";
import { neighbour } from "./beside.js";
import { CONTROLS, MAX_CELL } from "./patterns.js";
import { descendantsOf, textOfSpot } from "./walk.js";

/** @import { Spot } from "./walk.js" */

/** Types of fields whose values are known by their form, whatever the page asks for. */
const KNOWN_BY_FORM = new Set(["email", "tel", "url", "search"]);
const SEARCH = "search, [role=search], form[class*=search i], form[class*=filter i]";
/** Matches a first option that asks for a choice: "Select…", "-- none --". */
const ASKS = new RegExp(
  "^([-–—]+[^-–—]*[-–—]+|[-–—]+\\s.*|(please )?(select|choose|pick)( (a|an|one|your|the|from|option|some)\\b.*)?\\W*|(please )?(select|choose) .*(…|\\.{3})" +
    "|(bitte )?(aus)?wählen\\W*|bitte .*wählen\\W*|(sélectionne[rz]|choisi(r|ssez))\\b.*|(seleccion[ae]|elij[ae]|selecione|escolha|seleziona|scegli|wybierz|kies|selecteer|välj|velg|vælg)\\b.*)$",
  "i",
);
const CONTROLS_WITH_TEXT = new Set(["select", "textarea", "datalist"]);

/**
 * @param {(kind: string, text: string) => void} take
 * @param {string} kind
 * @param {string} text
 */
export function emit(take, kind, text) {
  if (text) take(kind, text.length > MAX_CELL ? text.slice(0, MAX_CELL) : text);
}

/**
 * @param {Spot} spot
 * @param {(kind: string, text: string) => void} take
 */
export function readControl(spot, take) {
  const { element, tag } = spot;
  if (tag === "meter" || tag === "progress") {
    emit(take, "value", attributeOf(element, "value") ?? "");
    return;
  }
  if (isSecret(element)) return;
  if (tag === "input" && (element.type === "checkbox" || element.type === "radio")) {
    emit(take, "checked", element.checked ? "true" : "false");
    if (element.type === "radio" && element.checked) emit(take, "text", collapseSpaces(controlLabel(element)) || element.value);
    return;
  }
  if (tag === "input" && VALUELESS.has(element.type)) return;
  const value = tag === "select" ? chosenText(element) : enteredText(element);
  emit(take, "text", tag === "textarea" ? value.trim() : collapseSpaces(value));
}

/** @param {any} control */
function controlLabel(control) {
  return labelElementsOf(control).map(textBesideControls).join(" ");
}

/**
 * Return the name of a control, which is that of its group for a radio button.
 * @param {any} control
 */
export function controlName(control) {
  const group = control.type === "radio" && closest(control, "fieldset, [role=radiogroup], [role=group]");
  return group ? nameOf(group) : ownName(control);
}

/** @param {any} control */
export function ownName(control) {
  const named = controlLabel(control) || attributeOf(control, "aria-label") || attributeOf(control, "placeholder") || "";
  return collapseSpaces(named) || referenced(control, "aria-labelledby").map((it) => collapseSpaces(openTextOf(it))).join(" ");
}

/**
 * Return the label of an empty field; "" for one word, which a search form has for what the page shows elsewhere.
 * @param {Spot} spot
 */
export function emptyField(spot) {
  const { element, tag } = spot;
  const isField = CONTROLS.has(tag) && !VALUELESS.has(element.type) && !KNOWN_BY_FORM.has(element.type);
  if (!isField || closest(element, SEARCH)) return "";
  let isEmpty = true;
  readControl(spot, () => (isEmpty = false));
  const name = isEmpty ? collapseSpaces(controlLabel(element)) : "";
  return name.includes(" ") ? name : "";
}

/**
 * Return the labels of the chosen options, but for one that asks for a choice.
 * @param {HTMLSelectElement} list
 */
function chosenText(list) {
  const chosen = [...list.selectedOptions].filter((option) => attributeOf(option, "value") !== "" && !(option.index === 0 && ASKS.test(option.label.trim())));
  return chosen.map((option) => collapseSpaces(option.label)).join(", ");
}

/**
 * Return true for the label of a field that shows its value: what stands beside, such as "Today" in a link, is none.
 * @param {Spot} spot
 */
export function isOfField({ element }) {
  const { control } = element;
  return Boolean(control) && !VALUELESS.has(control.type) && tagOf(control) !== "button";
}

/**
 * Return the text of a label without that of the controls in it: the options of a `<select>` do not name it.
 * @param {any} element
 * @returns {string}
 */
function textBesideControls(element) {
  let text = "";
  for (let node = firstOf(element); node; node = nextOf(node)) {
    if (kindOf(node) === TEXT) text += dataOf(node);
    else if (kindOf(node) === ELEMENT && !CONTROLS_WITH_TEXT.has(tagOf(node))) text += textBesideControls(node);
  }
  return text;
}

/**
 * Return the name of the choice that a radio button belongs to.
 * @param {Spot} spot
 */
export function choiceName(spot) {
  const group = closest(spot.element, "fieldset, [role=radiogroup], [role=group]");
  if (group) return nameOf(group);
  let holder = spot;
  while (holder.parent && radiosIn(holder) < 2) holder = holder.parent;
  while (holder.parent && radiosIn(holder.parent) === radiosIn(holder) && textOfSpot(holder.parent) === textOfSpot(holder)) holder = holder.parent;
  const { pieces } = holder.parent ?? holder;
  const before = neighbour(pieces, pieces.indexOf(holder), -1);
  return before === null ? "" : typeof before === "string" ? before : textOfSpot(before);
}

/** @param {Spot} spot */
function radiosIn(spot) {
  return descendantsOf(spot).filter(isRadio).length;
}

/** @param {Spot} spot */
export function isRadio({ element }) {
  return element.type === "radio" || attributeOf(element, "role") === "radio";
}

/**
 * Return true for an element that is one choice, by a state of its own: its text is that choice's name.
 * @param {Spot} spot
 */
export function isChoice({ make }) {
  return make.names.includes("aria-checked") || make.names.includes("aria-pressed");
}

/** @param {Spot} spot */
export function isChosen({ element }) {
  return (attributeOf(element, "aria-checked") ?? attributeOf(element, "aria-pressed"))?.toLowerCase() === "true";
}

/**
 * WebMCP tools in the markup: forms with a `toolname`, and the JSON schemas of their input. The schemas are Chromium's
 * own for these controls, with titles and formats added. Source: the declarative API of WebMCP,
 * https://github.com/webmachinelearning/webmcp
 */

import { clearMemo } from "../dom/memo.js";
import { nameOf } from "../dom/names.js";
import { attributeOf, closest, matches, nodesFrom, reader, shorten, collapseSpaces, tagOf } from "../dom/nodes.js";
import { withinBudget } from "../dom/size_budget.js";
import { MAX_NAME } from "./element_fields.js";
import { idOrPath } from "./selectors.js";

const MAX_PARAMS = 200;
const MAX_CHOICES = 500;
const MAX_WORDS = 2000;
const SKIPPED_TYPES = new Set(["hidden", "submit", "reset", "button", "image", "file"]);
const FORMATS = new Map(Object.entries({ email: "email", url: "uri", date: "date", time: "time" }));
const TYPE_PATTERNS = new Map(
  Object.entries({
    color: "^#[0-9a-fA-F]{6}$",
    month: "^\\d{4}-\\d{2}$",
    week: "^\\d{4}-W\\d{2}$",
    "datetime-local": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?$",
  }),
);

const controlsOf = reader(HTMLFormElement, "elements");

/**
 * @param {{max: number, schemas: boolean, bytes: number}} wanted
 */
export function declaredTools({ max, schemas, bytes }) {
  clearMemo();
  return withinBudget(bytes, (budget) => {
    const forms = /** @type {any[]} */ ([...nodesFrom(document)].filter(isTool));
    const tools = forms.slice(0, max).map((form) => ({
      name: shorten(attributeOf(form, "toolname"), MAX_NAME),
      description: wordsOf(form, "tooldescription"),
      inputSchema: schemas ? schemaOf(form) : undefined,
      formSelector: idOrPath(form),
    }));
    const names = forms.map((form) => attributeOf(form, "toolname"));
    budget.charge(JSON.stringify([tools, names]));
    return { tools, names };
  });
}

/** @param {Node} node */
function isTool(node) {
  return node instanceof HTMLFormElement && Boolean(attributeOf(node, "toolname"));
}

/**
 * @param {Element} element
 * @param {string} attribute
 */
function wordsOf(element, attribute) {
  const words = collapseSpaces(attributeOf(element, attribute) ?? "");
  return words ? shorten(words, MAX_WORDS) : undefined;
}

/** @param {HTMLFormElement} form */
function schemaOf(form) {
  const params = [...paramsOf(form)].slice(0, MAX_PARAMS);
  const properties = params.map(([name, controls]) => [name, { ...typeFor(controls), ...wordingOf(controls) }]);
  const required = params.filter(([, controls]) => controls.some((control) => control.required));
  return { type: "object", properties: Object.fromEntries(properties), required: required.map(([name]) => name) };
}

/**
 * Return the controls of a form, grouped by the name of their parameter.
 * @param {HTMLFormElement} form
 * @returns {Map<string, any[]>}
 */
function paramsOf(form) {
  const params = new Map();
  for (const control of controlsOf(form)) {
    const name = attributeOf(control, "toolparamname") || attributeOf(control, "name");
    if (!name || !isParam(control)) continue;
    if (params.has(name)) params.get(name).push(control);
    else params.set(name, [control]);
  }
  return params;
}

/** @param {any} control */
function isParam(control) {
  if (!matches(control, "input, select, textarea") || matches(control, ":disabled")) return false;
  return !SKIPPED_TYPES.has(control.type);
}

/**
 * Return title and description of a parameter, if only from a label.
 * @param {any[]} controls
 */
function wordingOf(controls) {
  const first = (attribute) => controls.map((control) => wordsOf(control, attribute)).find(Boolean);
  return { title: first("toolparamtitle"), description: first("toolparamdescription") ?? labelFor(controls) };
}

/** @param {any[]} controls */
function labelFor([first, second]) {
  const group = second || first.type === "radio" ? closest(first, "fieldset, [role=group], [role=radiogroup]") : first;
  return (group && shorten(nameOf(group), MAX_WORDS)) || undefined;
}

/**
 * Return the JSON type of the controls that share a name.
 * @param {any[]} controls
 */
function typeFor(controls) {
  const [control] = controls;
  if (control.type === "radio") return choiceOf(controls.map((radio) => [radio.value, nameOf(radio)]));
  if (control.type === "checkbox" && controls.length > 1) return multipleChoice(controls.map((box) => [box.value, nameOf(box)]));
  if (control.type === "checkbox") return { type: "boolean" };
  if (tagOf(control) === "select") return ofOptions(control);
  return control.type === "number" || control.type === "range" ? numberOf(control) : textFor(control);
}

/** @param {HTMLSelectElement} select */
function ofOptions(select) {
  const options = [...select.options].filter((option) => option.value && !matches(option, ":disabled"));
  const choices = options.map((option) => [option.value, collapseSpaces(option.label)]);
  return select.multiple ? multipleChoice(choices) : choiceOf(choices);
}

/**
 * @param {string[][]} choices values and labels
 */
function choiceOf(choices) {
  const few = choices.slice(0, MAX_CHOICES);
  const isLabelled = few.some(([value, label]) => label && label !== value);
  const titled = few.map(([value, label]) => ({ const: value, title: shorten(label || value, MAX_NAME) }));
  return { type: "string", enum: few.map(([value]) => value), anyOf: isLabelled ? titled : undefined };
}

/** @param {string[][]} choices */
function multipleChoice(choices) {
  return { type: "array", items: choiceOf(choices), uniqueItems: true };
}

/** @param {HTMLInputElement} input */
function numberOf(input) {
  const step = attributeOf(input, "step") === "any" ? undefined : numberIn(input, "step") ?? 1;
  const minimum = numberIn(input, "min") ?? (input.type === "range" ? 0 : undefined);
  const maximum = numberIn(input, "max") ?? (input.type === "range" ? 100 : undefined);
  const isFromZero = Number.isInteger((minimum ?? 0) / step); // else the steps are no multiples
  return { type: "number", minimum, maximum, multipleOf: step > 0 && isFromZero ? step : undefined };
}

/**
 * @param {Element} element
 * @param {string} attribute
 */
function numberIn(element, attribute) {
  const text = attributeOf(element, attribute);
  return text && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** @param {any} field */
function textFor(field) {
  const hasPattern = Boolean(field.pattern) && field.pattern.length <= MAX_WORDS;
  const pattern = hasPattern ? `^(?:${field.pattern})$` : TYPE_PATTERNS.get(field.type);
  const length = (limit) => (limit >= 0 ? limit : undefined);
  const lengths = { minLength: length(field.minLength) || undefined, maxLength: length(field.maxLength) };
  return { type: "string", format: FORMATS.get(field.type), pattern, ...lengths };
}

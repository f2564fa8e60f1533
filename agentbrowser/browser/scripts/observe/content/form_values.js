/** Values of form fields, carried over from one document to a copy of it. Password-like fields stay out. */

import { ELEMENT, kindOf, matches, nodesFrom, queryRoot, tagOf } from "../../dom/nodes.js";
import { isSecret } from "../../dom/secret_fields.js";

const FIELDS = "input:not([type=file], [type=hidden], [type=submit], [type=button], [type=image], [type=reset]), textarea, select";
const CHECKABLE = /^(checkbox|radio)$/;
const MAX_FIELDS = 2000;

/** Return the fields of this document in its order. */
function fields() {
  /** @type {any[]} */
  const found = [];
  for (const node of nodesFrom(document)) if (kindOf(node) === ELEMENT && matches(node, FIELDS)) found.push(node);
  return found.slice(0, MAX_FIELDS);
}

/** @param {any} field */
const keyOf = (field) => [tagOf(field), field.type, field.name, field.id].join(" ");

/** @param {any} field */
function valueOf(field) {
  if (CHECKABLE.test(field.type)) return field.checked;
  return tagOf(field) === "select" ? [...field.options].map((option) => option.selected) : field.value;
}

/** Return the values of the fields, the number of those that are secret or choose files, and the scroll position. */
export function readForm() {
  const values = [];
  let secret = 0;
  for (const field of fields()) {
    if (!isSecret(field)) values.push({ key: keyOf(field), value: valueOf(field) });
    else if (field.value) secret++;
  }
  const files = [...queryRoot(document, "input[type=file]")].filter((field) => /** @type {any} */ (field).files?.length).length;
  return { values, secret, files, x: scrollX, y: scrollY };
}

/**
 * Set the values of fields, scroll, and return the number of values without a field.
 * @param {{values: {key: string, value: any}[], x: number, y: number}} wanted
 */
export function writeForm({ values, x, y }) {
  const left = fields().filter((field) => !isSecret(field));
  let missing = 0;
  for (const { key, value } of values) {
    const at = left.findIndex((field) => keyOf(field) === key);
    if (at < 0) missing++;
    else setValue(left.splice(at, 1)[0], value);
  }
  scrollTo(x, y);
  return { missing };
}

/**
 * @param {any} field
 * @param {any} value
 */
function setValue(field, value) {
  if (JSON.stringify(valueOf(field)) === JSON.stringify(value)) return;
  if (CHECKABLE.test(field.type)) field.click(); // the page's handlers set the state of a controlled field
  else if (tagOf(field) === "select") [...field.options].forEach((option, index) => (option.selected = value[index] ?? false));
  else field.value = value;
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}

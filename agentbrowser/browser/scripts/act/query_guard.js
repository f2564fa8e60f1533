/**
 * Detection of queries that would reveal masked values: selectors match what no answer shows, so that a client could
 * read a value letter by letter. A verdict depends on the query and on where the values are, never on the values.
 */

import { clearMemo, memo } from "../dom/memo.js";
import { labellers, nameOf } from "../dom/names.js";
import { attributeOf, isEdited, kindOf, labelElementsOf, matches, parentOrHostOf, TEXT, textContentOf } from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { isSecret, secretsHere } from "../dom/secret_fields.js";
import { secretNodes, spellingsOf } from "../dom/shown_secrets.js";
import { registryHere } from "../observe/refs.js";
import { attributeTests } from "./css_tests.js";
import { elementsOfRole, queryTrees } from "./selector_evaluator.js";

/** @import { Selector } from "./selector_evaluator.js" */

/**
 * Places of masked values in the document.
 * @typedef {object} Places
 * @property {Map<string, any[]>} attributes elements by the name of their attribute with such a value
 * @property {any[]} texts elements with such a text
 * @property {boolean} hasValues true if there is such a value at all, also without an attribute or a text
 */

const BUTTONS = "input[type=button], input[type=submit], input[type=reset]";
const FIELDS = "input, textarea, [contenteditable]";
/** Playwright's pseudo-classes for texts. */
const TEXT_PSEUDO = /:(text|text-is|text-matches|has-text)\b|\\/i;
/** Predicates that ask for no text: positions, and attributes that are equal to a literal. */
const PLAIN_PREDICATE = /\[\s*(?:\d+|last\(\)|@[\w-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)\s*\]/g;

/** @type {Object<string, (selector: Selector, places: Places) => boolean>} */
const ASKS = {
  css: ({ value }, places) => attributeTests(value, (name) => !name || places.attributes.has(name)).some((test) => mayTest(test, places)) || (places.texts.length > 0 && TEXT_PSEUDO.test(value)),
  xpath: ({ value }, places) => asksByPath(value, places),
  text: ({ exact }, { texts }) => !exact && texts.length > 0,
  label: ({ exact }, { texts, attributes }) => !exact && (texts.length > 0 || attributes.has("aria-label")),
  placeholder: ({ exact }, { attributes }) => !exact && attributes.has("placeholder"),
  role: ({ role, name, exact }, places) => Boolean(name) && (lacksValue(role.toLowerCase(), places) || (!exact && hasSecretName(role.toLowerCase(), places))),
};

/**
 * Return whether one of the queries would reveal a part of a masked value, and the id of the document.
 * @param {{queries: Selector[], secrets: {origin: string, values: string[]}}} options
 */
export function asksForSecrets({ queries, secrets }) {
  clearMemo();
  const places = placesOf(secretsHere(secrets));
  const isEmpty = !places.attributes.size && !places.texts.length && !places.hasValues;
  return { asks: !isEmpty && queries.some((query) => ASKS[query.type]?.(query, places)), document: registryHere().id };
}

/**
 * @param {string[]} values
 * @returns {Places}
 */
function placesOf(values) {
  const places = { attributes: new Map(), texts: [], hasValues: false };
  for (const field of queryTrees(FIELDS)) if (isSecret(field)) addField(field, places);
  const pattern = spellingsOf(values);
  if (pattern) for (const shown of secretNodes(pattern)) addShown(shown, places);
  return places;
}

/**
 * @param {any} field
 * @param {Places} places
 */
function addField(field, places) {
  const { attributes, texts } = places;
  places.hasValues ||= Boolean(field.value);
  if (attributeOf(field, "value")) add(attributes, "value", field);
  if ((isEdited(field) || matches(field, "textarea")) && textContentOf(field)) texts.push(field);
}

/**
 * @param {{node: any, names: string[]}} shown
 * @param {Places} places
 */
function addShown({ node, names }, { attributes, texts }) {
  if (kindOf(node) === TEXT) texts.push(parentOrHostOf(node));
  for (const name of names) add(attributes, name.toLowerCase(), node);
  if (names.includes("value") && matches(node, BUTTONS)) texts.push(node); // Playwright takes the value for their text
}

/**
 * @param {Map<string, any[]>} map
 * @param {string} key
 * @param {any} element
 */
function add(map, key, element) {
  map.set(key, [...(map.get(key) ?? []), element]);
}

/**
 * Return true if a test of an attribute may be applied to an element whose attribute is masked.
 * @param {{name: string, rest: string}} test
 * @param {Places} places
 */
function mayTest({ name, rest }, { attributes }) {
  const elements = name ? attributes.get(name) ?? [] : [...attributes.values()].flat();
  return elements.some((element) => {
    try {
      return matches(element, rest);
    } catch {
      return true; // Playwright's own pseudo-classes
    }
  });
}

/**
 * @param {string} path
 * @param {Places} places
 */
function asksByPath(path, { attributes, texts }) {
  const bare = path.replace(/"[^"]*"|'[^']*'/g, "''");
  const names = [...bare.matchAll(/(?:@|attribute\s*::)\s*([\w.:*-]+)/g)].map(([, name]) => name.toLowerCase().split(":").at(-1));
  if (attributes.size > 0 && names.some((name) => name === "*" || name === "node" || attributes.has(name))) return true;
  return texts.length > 0 && /[[(]/.test(path.replace(PLAIN_PREDICATE, ""));
}

/**
 * Return true if the name of such an element has the value of a secret field in it for `getByRole`, as that of a row.
 * @param {string} role
 * @param {Places} places
 */
function lacksValue(role, { hasValues }) {
  return hasValues && elementsOfRole(role).some((element) => nameOf(element) !== null && memo.withheld.has(element));
}

/**
 * @param {string} role
 * @param {Places} places
 */
function hasSecretName(role, { attributes, texts }) {
  const named = ["aria-label", "title", "alt", "placeholder", "value"].flatMap((name) => attributes.get(name) ?? []);
  const labelled = queryTrees("[aria-labelledby], input, textarea, select, button").filter((element) =>
    [...labellers(element), ...labelElementsOf(element)].some((label) => texts.some((text) => label.contains(text))),
  );
  const around = [...texts, ...named].flatMap((element) => [...upFrom(element)]);
  return [...around, ...labelled].some((element) => roleOf(element) === role && nameOf(element) !== "");
}

/** @param {any} element */
function* upFrom(element) {
  for (let node = element; node; node = parentOrHostOf(node)) yield node;
}

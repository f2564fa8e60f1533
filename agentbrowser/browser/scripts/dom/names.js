/**
 * Accessible name of an element. Source: Accessible Name and Description Computation 1.2 (numbers below are its steps)
 * and HTML-AAM 1.0, 4.1. Where they leave room, it follows Playwright's `getByRole`, which must find the name again.
 */

import { pseudoElementText } from "./generated_text.js";
import { labelIndex, memo, getOrCompute } from "./memo.js";
import {
  attributeOf, collapseSpaces, dataOf, declaredOf, firstElementOf, flatChildren, hasAttribute, isEdited, isElement, kindOf,
  labelElementsOf, labelledByOf, MAX_DEPTH, nextElementOf, queryAll, referenced, tagOf, TEXT, textContentOf,
} from "./nodes.js";
import { hasRoleIn, isRoleDisputed, RANGES, roleOf } from "./roles.js";
import { isSecret, secrets } from "./secret_fields.js";
import { hasAriaHidden, isAriaHidden, isHidden, isUnrendered } from "./visibility.js";

export const LONGEST_NAME = 900;

/** Roles that ARIA 1.2 forbids to name, but for those of `TERMS`. */
export const NAMELESS = new Set(
  "caption code deletion emphasis generic insertion mark paragraph presentation strong subscript superscript time".split(" "),
);

/** Roles that browsers name all the same. */
const TERMS = new Set(["definition", "term"]);

/** Roles that take their name from their content. */
const FROM_CONTENT = new Set(
  ("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row " +
    "rowheader switch tab tooltip treeitem").split(" "),
);

/** Roles whose content counts inside an element that is named from its content. */
const TRANSPARENT = new Set(
  ("caption code contentinfo definition deletion emphasis generic insertion list listitem mark none paragraph " +
    "presentation region rowgroup strong subscript superscript table term time").split(" ").concat(""),
);

/** Elements whose role is `group` by the standard, but none to `getByRole`. */
const LOOSE_GROUPS = new Set(["address", "hgroup"]);
export const PUSH_TYPES = new Set(["button", "submit", "reset"]);
const PLACEHOLDER_TYPES = new Set(["text", "password", "number", "search", "tel", "email", "url"]);
const TITLED_BY = new Map(Object.entries({ fieldset: "legend", figure: "figcaption", table: "caption" }));

/**
 * The way by which the computation came to an element.
 * @typedef {object} NamingPath
 * @property {"self"|"content"|"labelledby"|"label"|"caption"} by
 * @property {boolean} hidden true if hidden content counts: the referenced element is hidden, or an area, never with a box
 * @property {Set<Element>} seen
 */

/** True if `getByRole` computes another name or role, as for the value of a secret field; no selector is made of these. */
let isDisputed = false;
/** True if the name lacks the value of a secret field. */
let isWithheld = false;

/**
 * True if the element that is being named is in a part that the page has hidden from assistive technology, such as all
 * that is behind an open popup: it shows, and keeps the name that it has without the popup. True, too, for what
 * aria-owns takes out of such a part.
 */
let isMuted = false;

/** Depth of the current element below the one that is being named. */
let depth = 0;

/**
 * Return the accessible name of an element, white space collapsed; "" for none.
 * @param {Element} element
 * @returns {string}
 */
export function nameOf(element) {
  return getOrCompute(memo.names, element, computeName);
}

/** @param {Element} element */
function computeName(element) {
  if (hasRoleIn(NAMELESS, roleOf(element))) return "";
  isDisputed = isRoleDisputed(element) || hasRoleIn(TERMS, roleOf(element));
  isWithheld = false;
  isMuted = isAriaHidden(element);
  const name = collapseSpaces(alternative(element, { by: "self", hidden: tagOf(element) === "area", seen: new Set() }));
  isMuted = false;
  if (isDisputed) memo.disputed.add(element);
  if (isWithheld) memo.withheld.add(element);
  return name;
}

/**
 * Return the text of a label, visible or not, without the name of its control in it.
 * @param {Element} label
 * @param {Element} control
 */
export function labelText(label, control) {
  return collapseSpaces(alternative(label, { by: "label", hidden: isHidden(label), seen: new Set([control]) }));
}

/**
 * Return the text that stands for an element, by the steps of the standard.
 * @param {Element} element
 * @param {NamingPath} way
 * @returns {string}
 */
export function alternative(element, way) {
  if (way.seen.has(element)) return "";
  if (!way.hidden && isHiddenHere(element, way)) return way.by === "self" ? "" : visibleText(element, way); // 2A
  const labels = labellers(element);
  if (way.by !== "labelledby") {
    const text = labels.map((label) => referencedText(label, "labelledby", way)).join(" "); // 2B
    if (collapseSpaces(text)) return text;
    if (text) isDisputed = true;
  }
  way.seen.add(element);
  const role = roleOf(element) ?? "";
  if (way.by !== "self" && !labels.includes(element)) {
    const value = embeddedValue(element, role, way); // 2C
    if (value !== null) return value;
  }
  const declared = declaredOf(element, "aria-label");
  if (declared?.trim() && attributeOf(element, "aria-label") === null) isDisputed = true;
  if (declared?.trim() && tagOf(element) === "slot") isDisputed = true; // a slot is not an element of the page's tree
  else if (declared?.trim()) return declared; // 2D
  const plain = role === "presentation" || role === "none";
  const own = plain ? null : nativeName(element, labels.length > 0, way); // 2E
  if (own !== null) return own;
  if (isEdited(element) && isSecret(element)) return openValue(element, "");
  if (isNamedFromContent(element, role, way)) {
    const text = contentText(element, way); // 2F to 2H
    if (way.by === "self" ? collapseSpaces(text) : text) return text;
  }
  return plain ? "" : attributeOf(element, "title") ?? ""; // 2I
}

/**
 * Return true if an element is hidden; in a part hidden from assistive technology, if it is hidden within that.
 * @param {Element} element
 * @param {NamingPath} way
 */
function isHiddenHere(element, way) {
  return isMuted ? isUnrendered(element) || (way.by !== "self" && hasAriaHidden(element)) : isHidden(element);
}

/**
 * Return the text of the visible elements in one that is only `visibility: hidden`.
 * @param {Element} element
 * @param {NamingPath} way
 */
function visibleText(element, way) {
  const { display, visibility } = getComputedStyle(element);
  const isMutedHere = isMuted ? hasAriaHidden(element) : isAriaHidden(element);
  if (visibility === "visible" || display === "none" || isMutedHere || depth > MAX_DEPTH) return "";
  depth++;
  let text = "";
  for (const child of flatChildren(element)) {
    if (isElement(child)) text += separated(child, alternative(child, way));
  }
  depth--;
  if (text.trim()) isDisputed = true;
  return text;
}

/**
 * @param {Element} element
 * @returns {Element[]}
 */
export function labellers(element) {
  if (!hasAttribute(element, "aria-labelledby")) return [];
  return [...(labelledByOf(element) ?? referenced(element, "aria-labelledby"))];
}

/**
 * @param {Element} element
 * @param {NamingPath["by"]} by
 * @param {NamingPath} way
 */
function referencedText(element, by, way) {
  return alternative(element, { by, hidden: isHidden(element), seen: way.seen });
}

/**
 * @param {Element} element
 * @param {string} role
 * @param {NamingPath} way
 */
function isNamedFromContent(element, role, way) {
  if (way.by === "labelledby" || way.by === "label" || way.by === "caption") return true;
  if (FROM_CONTENT.has(role) || tagOf(element) === "summary") return true;
  if (way.by === "content") isDisputed ||= role === "generic"; // browsers read it, getByRole passes it over
  return way.by === "content" && (TRANSPARENT.has(role) || LOOSE_GROUPS.has(tagOf(element)));
}

/**
 * Return the value of a control inside a label (2C); null where the element is no such control.
 * @param {any} element
 * @param {string} role
 * @param {NamingPath} way
 * @returns {string|null}
 */
function embeddedValue(element, role, way) {
  const tag = tagOf(element);
  if (role === "textbox" || role === "searchbox") {
    return openValue(element, tag);
  }
  if (role === "combobox" || role === "listbox") {
    const inner = { ...way, by: way.by === "self" ? "content" : way.by };
    const options = chosenOptions(element, tag, role);
    // getByRole reads the value of a field with a list in which nothing is chosen.
    const isField = !options || (!options.length && isSecret(element));
    if (isField && (tag === "input" || isEdited(element))) return openValue(element, tag);
    if (!options) isDisputed = true;
    return options ? options.map((option) => alternative(option, inner)).join(" ") : contentText(element, inner);
  }
  if (RANGES.has(role)) {
    if (tag === "input" && isSecret(element)) return openValue(element, tag);
    return ["aria-valuetext", "aria-valuenow", "value"].map((name) => attributeOf(element, name)).find(isString) ?? "";
  }
  return role === "menu" ? "" : null;
}

/**
 * Return the value of a field; nothing of one that is secret, which the name then lacks.
 * @param {any} field
 * @param {string} tag
 * @returns {string}
 */
function openValue(field, tag) {
  const value = tag === "input" || tag === "textarea" ? field.value : textContentOf(field);
  if (!isSecret(field)) return value;
  if (value) isDisputed = isWithheld = true;
  return "";
}

/** @param {unknown} value */
function isString(value) {
  return typeof value === "string";
}

/**
 * Return the chosen options of a control; null for a combobox without a list, which shows its value as its content.
 * @param {any} element
 * @param {string} tag
 * @param {string} role
 * @returns {Element[]|null}
 */
function chosenOptions(element, tag, role) {
  if (tag === "select") {
    return element.selectedOptions.length ? [...element.selectedOptions] : [...element.options].slice(0, 1);
  }
  const owned = referenced(element, "aria-owns");
  const within = (/** @type {string} */ query) => [element, ...owned].flatMap((root) => [...queryAll(root, query)]);
  const inList = role === "listbox" || [...owned, ...within("[role=listbox]")].some((list) => roleOf(list) === "listbox");
  return inList ? within('[aria-selected="true" i]').filter((option) => roleOf(option) === "option") : null;
}

/**
 * Return the name by the host language (2E); null where it has none.
 * @param {any} element
 * @param {boolean} isLabelled true if aria-labelledby took the place of the native label
 * @param {NamingPath} way
 * @returns {string|null}
 */
function nativeName(element, isLabelled, way) {
  const tag = tagOf(element);
  const title = () => attributeOf(element, "title") ?? "";
  switch (tag) {
    case "input":
      return inputName(element, isLabelled, way, title);
    case "button":
    case "output":
      if (isLabelled) return null;
      return labelsOf(element, way) ?? (tag === "output" ? title() : null);
    case "textarea":
    case "select":
    case "meter":
    case "progress":
      if (isLabelled) return null;
      return labelsOf(element, way) ?? (title() || (tag === "textarea" && attributeOf(element, "placeholder")) || "");
    case "img":
    case "area":
      return attributeOf(element, "alt")?.trim() ? attributeOf(element, "alt") : title();
    default:
      if (TITLED_BY.has(tag) && !isLabelled) return captionName(element, tag, way);
      return (tag.includes("-") && !isLabelled ? labelsOf(element, way) : null) ?? drawingName(element, tag, way);
  }
}

/**
 * @param {HTMLInputElement} input
 * @param {boolean} isLabelled
 * @param {NamingPath} way
 * @param {() => string} title
 */
function inputName(input, isLabelled, way, title) {
  const type = input.type;
  if (PUSH_TYPES.has(type)) {
    const visible = { submit: "Submit", reset: "Reset", button: "" }[type];
    const value = secrets.has(input) ? openValue(input, "input") : input.value; // a password a moment ago
    return value.trim() ? value : visible || title();
  }
  const isButton = type === "file" || type === "image";
  if (isLabelled && !isButton) return null;
  const labels = isButton && way.by === "labelledby" ? null : labelsOf(input, way);
  if (labels !== null) return labels;
  if (type === "file") return "Choose File";
  if (type === "image") return [attributeOf(input, "alt"), title()].find((text) => text?.trim()) || "Submit";
  return title() || (PLACEHOLDER_TYPES.has(type) ? attributeOf(input, "placeholder") ?? "" : "");
}

/**
 * Return the text of the `<label>` elements of a control; null if it has none.
 * @param {any} control
 * @param {NamingPath} way
 * @returns {string|null}
 */
function labelsOf(control, way) {
  const labels = labelIndex ? labelIndex.get(control) ?? [] : labelElementsOf(control);
  if (!labels.length) return null;
  return labels.map((label) => referencedText(label, "label", way)).filter(Boolean).join(" ");
}

/**
 * @param {Element} element
 * @param {string} tag
 * @param {NamingPath} way
 */
function captionName(element, tag, way) {
  for (let child = firstElementOf(element); child; child = nextElementOf(child)) {
    if (tagOf(child) === TITLED_BY.get(tag)) return referencedText(child, "caption", way);
  }
  return tag === "table" ? attributeOf(element, "summary") || null : attributeOf(element, "title") ?? "";
}

/**
 * Return the `<title>` of an SVG element.
 * @param {any} element
 * @param {string} tag
 * @param {NamingPath} way
 */
function drawingName(element, tag, way) {
  if (!(element instanceof SVGElement)) return null;
  for (let child = firstElementOf(element); child; child = nextElementOf(child)) {
    if (tagOf(child) === "title") return referencedText(child, "labelledby", way);
  }
  return (tag === "a" && attributeOf(element, "xlink:title")) || null;
}

/**
 * Return the text of what is in an element, pseudo-elements included (2F).
 * @param {any} element
 * @param {NamingPath} way
 */
function contentText(element, way) {
  /** @type {NamingPath} */
  const inner = way.by === "self" ? { ...way, by: "content" } : way;
  const closed = !way.hidden && tagOf(element) === "details" && !element.open;
  let text = pseudoElementText(element, "::before");
  depth++;
  const owned = hasAttribute(element, "aria-owns") ? referenced(element, "aria-owns") : [];
  for (const child of depth > MAX_DEPTH ? [] : flatChildren(element)) {
    if (kindOf(child) === TEXT) text += closed ? "" : dataOf(child);
    else if (isElement(child)) text += separated(child, owned.includes(child) ? ownedText(child, inner) : alternative(child, inner));
  }
  depth--;
  return text + pseudoElementText(element, "::after");
}

/**
 * Return the text of an element that aria-owns adds: an `aria-hidden` around the place that it had no longer counts.
 * @param {Element} element
 * @param {NamingPath} way
 */
function ownedText(element, way) {
  const wasMuted = isMuted;
  isMuted ||= isAriaHidden(element) && !hasAriaHidden(element);
  const text = alternative(element, way);
  if (isMuted !== wasMuted && text.trim()) isDisputed = true;
  isMuted = wasMuted;
  return text;
}

/**
 * Separate the text of a block from its neighbours.
 * @param {Element} element
 * @param {string} text
 */
function separated(element, text) {
  const isInline = tagOf(element) !== "br" && getComputedStyle(element).display === "inline";
  return isInline ? text : ` ${text} `;
}

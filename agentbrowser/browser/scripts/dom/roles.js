/**
 * Role of an element. Source: ARIA 1.2 and HTML-AAM 1.0. Where they leave room, it follows Playwright's `getByRole`,
 * since a role selector must find the element that it was made from.
 */

import { memo, getOrCompute } from "./memo.js";
import {
  attributeOf, closest, declaredOf, hasAttribute, parentOrHostOf, matches, nextElementOf, referenced, SPACES, tagOf, textContentOf,
} from "./nodes.js";

export const RANGES = new Set(["progressbar", "scrollbar", "slider", "spinbutton", "meter"]);

export const ROLES = new Set(
  ("alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
    "complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid " +
    "gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar " +
    "menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio " +
    "radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong " +
    "subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid " +
    "treeitem").split(" "),
);

/** Roles of single controls: an element that has one is interactive. */
export const WIDGETS = new Set(
  ("button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider " +
    "spinbutton switch tab textbox treeitem").split(" "),
);

/** Roles that a selector may name: those of widgets, and of elements that often have click listeners. */
export const SELECTOR_ROLES = new Set([...WIDGETS, "listbox", "gridcell", "columnheader", "heading", "img"]);

const INPUT_ROLES = new Map(
  Object.entries({
    button: "button", checkbox: "checkbox", file: "button", image: "button", number: "spinbutton", radio: "radio",
    range: "slider", reset: "button", search: "searchbox", submit: "button",
  }),
);

const LISTABLE = new Set(["email", "search", "tel", "text", "url"]);

const SECTIONING =
  "article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), section:not([role]), [role=article], " +
  "[role=complementary], [role=main], [role=navigation], [role=region]";

/** Links of drawings have an `xlink:href`. */
const LINK = ":any-link";

/** @type {Map<string, string|((element: any) => string|null)>} */
export const TAG_ROLES = new Map(
  Object.entries({
    a: (/** @type {any} */ element) => (matches(element, LINK) ? "link" : null),
    area: (/** @type {any} */ element) => (hasAttribute(element, "href") ? "link" : null),
    address: "group", article: "article", aside: "complementary", blockquote: "blockquote", button: "button", caption: "caption",
    code: "code", datalist: "listbox", dd: "definition", del: "deletion", details: "group", dfn: "term",
    dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure",
    footer: (/** @type {any} */ element) => (closest(element, SECTIONING) ? null : "contentinfo"),
    form: (/** @type {any} */ element) => (isLabelled(element) ? "form" : null),
    h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
    header: (/** @type {any} */ element) => (closest(element, SECTIONING) ? null : "banner"),
    hgroup: "group", hr: "separator", html: "document",
    img: (/** @type {any} */ element) => (isDecorative(element) ? "presentation" : "img"),
    input: inputRole,
    ins: "insertion", li: "listitem", main: "main", mark: "mark", math: "math", menu: "list", meter: "meter",
    nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
    progress: "progressbar", s: "deletion", search: "search",
    section: (/** @type {any} */ element) => (isLabelled(element) ? "region" : null),
    select: (/** @type {any} */ element) => (element.multiple || element.size > 1 ? "listbox" : "combobox"),
    strong: "strong", sub: "subscript", sup: "superscript", svg: "img", table: "table", tbody: "rowgroup",
    td: cellRole, textarea: "textbox", tfoot: "rowgroup", th: headerRole, thead: "rowgroup", time: "time", tr: "row",
    ul: "list",
  }),
);

/** Parents without whose role an element loses its own. */
const OWNERS = new Map(
  Object.entries({
    dd: ["dl", "div"], div: ["dl"], dt: ["dl", "div"], li: ["ol", "ul"], tbody: ["table"], td: ["tr"],
    tfoot: ["table"], th: ["tr"], thead: ["table"], tr: ["thead", "tbody", "tfoot", "table"],
  }),
);

const GLOBAL_STATES =
  "[aria-atomic], [aria-busy], [aria-controls], [aria-current], [aria-describedby], [aria-details], " +
  "[aria-dropeffect], [aria-flowto], [aria-grabbed], [aria-hidden], [aria-keyshortcuts], [aria-live], [aria-owns], " +
  "[aria-relevant], [aria-label], [aria-labelledby], [aria-roledescription]";

const FOCUSABLE = "button, details, select, textarea, a[href], area[href], input";

/** @param {Element} element */
function isLabelled(element) {
  return hasAttribute(element, "aria-label") || hasAttribute(element, "aria-labelledby");
}

/** @param {Element} element */
function isDecorative(element) {
  if (attributeOf(element, "alt") !== "" || attributeOf(element, "title")) return false;
  return !matches(element, GLOBAL_STATES) && !hasTabIndex(element);
}

/** @param {Element} element */
function hasTabIndex(element) {
  const index = attributeOf(element, "tabindex");
  return index !== null && !Number.isNaN(Number(index));
}

/** @param {HTMLInputElement} input */
function inputRole(input) {
  const type = input.type;
  if (type === "hidden") return null;
  if (LISTABLE.has(type) && referenced(input, "list").some((list) => tagOf(list) === "datalist")) return "combobox";
  return INPUT_ROLES.get(type) ?? "textbox";
}

/** @param {Element} cell */
function cellRole(cell) {
  const table = closest(cell, "table");
  const role = table && explicitRole(table);
  return role === "grid" || role === "treegrid" ? "gridcell" : "cell";
}

/** @param {Element} cell */
function headerRole(cell) {
  const scope = attributeOf(cell, "scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const siblings = [cell.previousElementSibling, nextElementOf(cell)];
  if (!siblings.some(Boolean)) return closest(cell, "table")?.rows.length > 1 ? "columnheader" : null;
  if (siblings.every((sibling) => sibling && tagOf(sibling) === "th")) return "columnheader";
  return siblings.some(isFilledCell) ? "rowheader" : "columnheader";
}

/** @param {Element|null} cell */
function isFilledCell(cell) {
  return cell !== null && tagOf(cell) === "td" && (cell.childElementCount > 0 || textContentOf(cell).trim() !== "");
}

/**
 * Return the first known ARIA role of the `role` attribute.
 * @param {Element} element
 * @returns {string|null}
 */
function explicitRole(element) {
  const declared = declaredOf(element, "role");
  if (!declared) return null;
  const words = declared.toLowerCase().split(SPACES).map((/** @type {string} */ role) => (role === "image" ? "img" : role));
  return words.find((/** @type {string} */ role) => ROLES.has(role)) ?? null;
}

/** @param {Element} element */
function implicitRole(element) {
  const known = TAG_ROLES.get(tagOf(element));
  const role = typeof known === "function" ? known(element) : known ?? null;
  return role && (removedRole(element) ?? role);
}

/**
 * Return `none` or `presentation` where the owning table or list has that role.
 * @param {Element} element
 */
function removedRole(element) {
  for (let node = element; ; ) {
    const holder = parentOrHostOf(node);
    const owners = OWNERS.get(tagOf(node));
    if (!owners || !holder || !owners.includes(tagOf(holder))) return null;
    const role = explicitRole(holder);
    if ((role === "none" || role === "presentation") && !ignoresPresentation(holder)) return role;
    node = holder;
  }
}

/**
 * Return true if `role="presentation"` has no effect, as the element is focusable or has ARIA states.
 * @param {Element} element
 */
function ignoresPresentation(element) {
  if (matches(element, GLOBAL_STATES) || hasTabIndex(element)) return true;
  return matches(element, FOCUSABLE) && !matches(element, ":disabled");
}

/**
 * Return the ARIA role of an element; null for none.
 * @param {Element} element
 * @returns {string|null}
 */
export function roleOf(element) {
  return getOrCompute(memo.roles, element, computeRole);
}

/**
 * Return true if `getByRole` gives an element another role: it knows neither `xlink:href` nor the role `image` of
 * ARIA 1.3, nor what custom elements set by their internals.
 * @param {Element} element
 */
export function isRoleDisputed(element) {
  if (tagOf(element) === "a" && !hasAttribute(element, "href") && matches(element, LINK)) return true;
  const attribute = attributeOf(element, "role");
  return /\bimage\b/i.test(attribute ?? "") || (attribute === null && declaredOf(element, "role") !== null);
}

/**
 * @param {Set<string>} roles
 * @param {string|null} role
 */
export function hasRoleIn(roles, role) {
  return role !== null && roles.has(role);
}

/** @param {Element} element */
function computeRole(element) {
  const declared = explicitRole(element);
  const isGone = declared === "none" || declared === "presentation";
  return declared && !(isGone && ignoresPresentation(element)) ? declared : implicitRole(element);
}

/** Selector evaluation by the rules of Playwright's locators. An answer of null leaves a selector to Playwright. */

import { subject } from "../dom/held_element.js";
import { hitAt } from "../dom/hit_test.js";
import { clearMemo, memo, getOrCompute } from "../dom/memo.js";
import { labellers, nameOf, PUSH_TYPES } from "../dom/names.js";
import {
  attributeOf, caller, canHostShadow, childCountOf, childElementsOf, dataOf, ELEMENT, firstOf, isElement, kindOf,
  labelElementsOf, nextOf, queryAll, queryRoot, reader, matches, shadowOf, collapseSpaces, tagOf, TEXT, textContentOf,
  topOf, walkerOf,
} from "../dom/nodes.js";
import { roleOf, ROLES, TAG_ROLES } from "../dom/roles.js";
import { isHidden } from "../dom/visibility.js";
import { currentFingerprint, findReplacement, isChanged } from "../observe/ref_lookup.js";
import { isAlive, registryHere } from "../observe/refs.js";

/** @import { Entry } from "../observe/refs.js" */

/**
 * A selector of the wire protocol.
 * @typedef {object} Selector
 * @property {string} type
 * @property {string} [value]
 * @property {string} [role]
 * @property {string} [name]
 * @property {boolean} [exact]
 * @property {number} [x]
 * @property {number} [y]
 * @property {string|null} [document] the only document in which it may be looked for
 * @property {boolean} [isRecorded] true if the locator of a ref's element is wanted
 * @property {boolean} [isWatched] true if role, name and box of the element are wanted for the live view
 */

/**
 * @typedef {object} Finding
 * @property {any[]} elements
 * @property {Entry} [entry] that of the ref
 * @property {boolean} [healed] true if the ref now means the node that replaced the observed one
 */

const evaluatePath = caller(Document, "evaluate");
const documentHeadOf = reader(Document, "head");
const nodeNameOf = reader(Node, "nodeName");

/** Playwright's additions to CSS; `:is()` and its like would treat them as errors and ignore them. */
const PLAYWRIGHT_PSEUDO = /:(visible|light|scope|text|text-is|text-matches|has-text|nth-match|right-of|left-of|above|below|near)\b/i;
const NESTING = /:(is|where|not|has)\(/i;
/** Compound selectors without combinators mean the same in every tree. */
const COMPOUND_ONLY = /^[^\s>+~]+$/;

/** @type {Map<string, (selector: Selector) => Finding|null>} */
const FINDERS = new Map(
  Object.entries({
    css: ({ value }) => inTrees(cssIn(value)),
    xpath: ({ value }) => listed(byPath(value)),
    role: byRole,
    text: ({ value, exact }) => listed(byText(matcherOf(value, exact))),
    label: ({ value, exact }) => listed(byLabel(matcherOf(value, exact))),
    placeholder: ({ value, exact }) => listed(byAttribute("placeholder", value, exact)),
    testId: ({ value }) => listed(byAttribute("data-testid", value, true)),
    coordinates: ({ x, y }) => listed([hitAt(x, y)].filter(Boolean)),
    ref: byRef,
    held: ({ value }) => listed([subject(value)].filter(Boolean)), // handed over by the browser side
  }),
);

/**
 * @param {Selector} selector
 * @returns {Finding|null}
 */
export function find(selector) {
  if (selector.document && selector.document !== registryHere().id) return null;
  try {
    return FINDERS.get(selector.type)?.(selector) ?? null;
  } catch {
    return null; // a selector that can't be read, or a tree too deep for a recursion
  }
}

/** @param {any[]|null} elements */
function listed(elements) {
  return elements && { elements };
}

/**
 * The document with its open shadow roots, and all elements that can have one: no event announces a late root. The list
 * is valid until elements come or go, since walking the page is most of the cost of a search.
 * @type {{top: any, roots: any[], hosts: any[]}|null}
 */
let knownTrees = null;
const treeObserver = new MutationObserver(noteChanges);

/** A page that changes this often is not worth observing. */
const MANY_CHANGES = 50;

/** @param {MutationRecord[]} records */
function noteChanges(records) {
  const hasElements = ({ addedNodes, removedNodes }) => hasElement(addedNodes) || hasElement(removedNodes);
  if (records.length < MANY_CHANGES && !records.some(hasElements)) return;
  treeObserver.disconnect();
  knownTrees = null;
}

/** @param {NodeList} nodes */
function hasElement(nodes) {
  for (const node of nodes) if (isElement(node)) return true;
  return false;
}

/**
 * Return the document and the open shadow roots in it.
 * @returns {any[]}
 */
function shadowTrees() {
  noteChanges(treeObserver.takeRecords());
  const known = knownTrees;
  // `document.open()` gives another root, without observers.
  if (known?.top === topOf(document) && known.hosts.filter(shadowOf).length === known.roots.length - 1) return known.roots;
  treeObserver.disconnect();
  knownTrees = { top: topOf(document), roots: [], hosts: [] };
  exploreTree(document, knownTrees);
  return knownTrees.roots;
}

/**
 * @param {any} tree
 * @param {{roots: any[], hosts: any[]}} found
 */
function exploreTree(tree, found) {
  found.roots.push(tree);
  treeObserver.observe(tree, { subtree: true, childList: true });
  const walker = walkerOf(document, tree, NodeFilter.SHOW_ELEMENT); // four times as fast as to list all elements
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const tag = tagOf(node);
    if (!canHostShadow(tag)) continue;
    found.hosts.push(node);
    const shadow = shadowOf(node);
    if (shadow) exploreTree(shadow, found);
  }
}

/**
 * @param {any} tree
 * @param {string} css
 * @returns {any[]}
 */
function queryTree(tree, css) {
  return [...queryRoot(tree, css)];
}

/** @param {string} css */
export function queryTrees(css) {
  return shadowTrees().flatMap((tree) => queryTree(tree, css));
}

/**
 * Return the CSS to query in each tree; null where Playwright would interpret it in its own way.
 * @param {string} css
 */
function cssIn(css) {
  if (PLAYWRIGHT_PSEUDO.test(css) || (NESTING.test(css) && css.includes("\\"))) return null;
  return { css, isLonely: COMPOUND_ONLY.test(css) && !/:has\(/i.test(css) };
}

/** @param {{css: string, isLonely: boolean}|null} wanted */
function inTrees(wanted) {
  if (!wanted) return null;
  const all = shadowTrees();
  // Playwright's combinators go through shadow roots, and the browser's do not.
  if (all.length > 1 && !wanted.isLonely) return null;
  return listed(all.flatMap((tree) => queryTree(tree, wanted.css)));
}

/** @param {string} path */
function byPath(path) {
  const found = evaluatePath(document, path, document, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE, null);
  const nodes = [];
  for (let node = found.iterateNext(); node; node = found.iterateNext()) nodes.push(node);
  return nodes.every((node) => kindOf(node) === ELEMENT) ? nodes : null;
}

/** Roles that `getByRole` gives to fewer elements than the standards do. */
const FEWER_BY_ROLE = new Set(["group", "deletion"]);

/**
 * @param {Selector} selector
 * @returns {Finding|null}
 */
function byRole({ role, name, exact }) {
  const wanted = role.toLowerCase();
  if (!ROLES.has(wanted) || FEWER_BY_ROLE.has(wanted) || name === "") return null;
  const elements = elementsOfRole(wanted);
  if (name === undefined || name === null) return { elements };
  const [fold, part] = [(text) => (exact ? text : text.toUpperCase()), collapseSpaces(name)];
  const fits = (text) => (exact ? text === part : fold(text).includes(fold(part)));
  const named = elements.filter((element) => fits(nameOf(element)));
  return elements.some((element) => memo.disputed.has(element)) ? null : { elements: named };
}

/**
 * Return true if an element is the only visible one of its role and name, by the rules of `getByRole`.
 * @param {any} element
 * @param {string} role
 * @param {string} name
 * @param {number} most elements that are compared; with more, none is the only one
 * @param {Element|null} [row] within which it is the only one; the whole page without it
 */
export function isOnlyOfName(element, role, name, most, row = null) {
  if (!ROLES.has(role) || FEWER_BY_ROLE.has(role)) return false;
  const candidates = row ? [...queryAll(row, cssForRole(role))] : queryTrees(cssForRole(role));
  if (candidates.length > most) return false;
  const alike = candidates.filter((one) => mayHaveName(one, name) && roleOf(one) === role);
  const named = alike.filter((one) => nameOf(one) === name && !isHidden(one));
  return named.length === 1 && named[0] === element && !alike.some((one) => memo.disputed.has(one));
}

/**
 * Return the visible elements of a role; none if more would have to be looked at than `most`.
 * @param {string} role
 * @param {number} [most]
 */
export function elementsOfRole(role, most = Infinity) {
  const candidates = queryTrees(cssForRole(role));
  return candidates.length > most ? [] : candidates.filter((element) => roleOf(element) === role && !isHidden(element));
}

const NAMED_OTHERWISE = "input,select,textarea,img,[aria-label],[aria-labelledby]";

/**
 * Return false if an element surely has another name: computing a name takes much longer.
 * @param {any} element
 * @param {string} name
 */
function mayHaveName(element, name) {
  if (childCountOf(element) > 0 || labelElementsOf(element).length > 0 || shadowOf(element) || matches(element, NAMED_OTHERWISE)) return true;
  return name.includes(collapseSpaces(textContentOf(element) ?? ""));
}

/** @type {Map<string, string>} */
const roleCss = new Map();

/**
 * Return a CSS selector for all elements that may have the role.
 * @param {string} role
 */
function cssForRole(role) {
  return getOrCompute(roleCss, role, () => {
    const tags = [...TAG_ROLES].filter(([, known]) => typeof known === "function" || known === role).map(([tag]) => tag);
    return ["[role]", ...tags].join(",");
  });
}

/**
 * @param {string} wanted
 * @param {boolean} [exact]
 * @returns {(text: string) => boolean}
 */
function matcherOf(wanted, exact) {
  const text = collapseSpaces(wanted);
  if (exact) return (some) => collapseSpaces(some) === text;
  const folded = text.toLowerCase();
  return (some) => collapseSpaces(some).toLowerCase().includes(folded);
}

/** The text of elements and shadow roots during one search. @type {Map<Node, string>} */
let wholeTexts = new Map();

/** @param {any} node */
function wholeText(node) {
  return getOrCompute(wholeTexts, node, readWhole);
}

/**
 * Return all text in an element, visible or not.
 * @param {any} node
 * @returns {string}
 */
function readWhole(node) {
  const isTag = kindOf(node) === ELEMENT;
  if (isTag && isSilent(node)) return "";
  if (isTag && tagOf(node) === "input" && PUSH_TYPES.has(node.type)) return node.value;
  let text = "";
  for (let child = firstOf(node); child; child = nextOf(child)) {
    if (kindOf(child) === TEXT) text += dataOf(child);
    else if (kindOf(child) === ELEMENT) text += wholeText(child);
  }
  const shadow = isTag && shadowOf(node);
  return shadow ? text + wholeText(shadow) : text;
}

const SILENT = new Set(["SCRIPT", "NOSCRIPT", "STYLE"]);

/** @param {any} element */
function isSilent(element) {
  return SILENT.has(nodeNameOf(element)) || (documentHeadOf(document)?.contains(element) ?? false);
}

/**
 * Return the smallest elements that have the text.
 * @param {(text: string) => boolean} fits
 */
function byText(fits) {
  wholeTexts = new Map();
  const verdicts = new Map();
  const holds = (node) => getOrCompute(verdicts, node, (it) => fits(wholeText(it)));
  return queryTrees("*").filter((element) => !isSilent(element) && holds(element) && !ownPieces(element).some(holds));
}

/** @param {any} element */
function ownPieces(element) {
  const parts = childElementsOf(element);
  const shadow = shadowOf(element);
  return shadow ? [...parts, shadow] : parts;
}

const MAY_BE_LABELLED = "[aria-labelledby],[aria-label],button,meter,output,progress,select,textarea,input";

/** @param {(text: string) => boolean} fits */
function byLabel(fits) {
  wholeTexts = new Map();
  return queryTrees(MAY_BE_LABELLED).filter((element) => labelTexts(element).some(fits));
}

/**
 * @param {any} element
 * @returns {string[]}
 */
function labelTexts(element) {
  const named = labellers(element);
  if (named.length) return named.map(wholeText);
  const declared = attributeOf(element, "aria-label");
  if (declared?.trim()) return [declared];
  return labelElementsOf(element).map(wholeText);
}

/**
 * @param {string} attribute
 * @param {string} value
 * @param {boolean} [exact]
 */
function byAttribute(attribute, value, exact) {
  const folded = value.toLowerCase();
  const fits = (declared) => (exact ? declared === value : declared.toLowerCase().includes(folded));
  return queryTrees(`[${attribute}]`).filter((element) => fits(attributeOf(element, attribute)));
}

/**
 * Return the element of a ref, if it still has the observed fingerprint.
 * @param {Selector} selector
 * @returns {Finding|null}
 */
function byRef({ value }) {
  const refs = registryHere();
  const entry = refs.byRef.get(value);
  if (!entry) return null;
  const healed = !isAlive(entry);
  if (healed && !findReplacement(entry, refs).isFound) return null;
  const element = entry.element.deref();
  return isChanged(entry, currentFingerprint(entry, element)) ? null : { elements: [element], healed, entry };
}

/**
 * Return the indexes of a selector's elements among all of the page; null where Playwright decides. The tests compare
 * them with Playwright's locators.
 * @param {Selector} selector
 */
export function elementIndexes(selector) {
  clearMemo();
  const found = find(selector);
  const all = queryTrees("*");
  return found && found.elements.map((element) => all.indexOf(element));
}

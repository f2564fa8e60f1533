"use strict";
/**
 * Reading the DOM where the page can't get in the way. A form or a document lets its children shadow any property
 * (`<input name="id">`), so what every node has is read through the accessors of the prototypes.
 */

/**
 * @param {{prototype: object}} type
 * @param {string} name
 * @returns {(node: any) => any}
 */
function reader(type, name) {
  const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(type.prototype, name));
  return Function.prototype.call.bind(get);
}

/**
 * @param {{prototype: any}} type
 * @param {string} name
 * @returns {(node: any, ...rest: any[]) => any}
 */
function caller(type, name) {
  return Function.prototype.call.bind(type.prototype[name]);
}

const kindOf = reader(Node, "nodeType");
const firstOf = reader(Node, "firstChild");
const nextOf = reader(Node, "nextSibling");
const parentOf = reader(Node, "parentNode");
const dataOf = reader(CharacterData, "data");
const textContentOf = reader(Node, "textContent");
const isConnected = reader(Node, "isConnected");
const rootOf = caller(Node, "getRootNode");
const tagOf = reader(Element, "localName");
const shadowOf = reader(Element, "shadowRoot");
const textSlotOf = reader(Text, "assignedSlot");
const slotOf = reader(Element, "assignedSlot");
const firstElementOf = reader(Element, "firstElementChild");
const nextElementOf = reader(Element, "nextElementSibling");
const previousElementOf = reader(Element, "previousElementSibling");
const childCountOf = reader(Element, "childElementCount");
const attributeOf = caller(Element, "getAttribute");
const hasAttributes = caller(Element, "hasAttributes");
const hasAttribute = caller(Element, "hasAttribute");
const matches = caller(Element, "matches");
const closest = caller(Element, "closest");
const queryAll = caller(Element, "querySelectorAll");
const measure = caller(Element, "getBoundingClientRect");
const rectanglesOf = caller(Element, "getClientRects");
const tagsIn = caller(Document, "getElementsByTagName");
const hitInDocument = caller(Document, "elementFromPoint");
const hitInShadow = caller(ShadowRoot, "elementFromPoint");
const checkVisibility = caller(Element, "checkVisibility");
const scrollWidthOf = reader(Element, "scrollWidth");
const scrollHeightOf = reader(Element, "scrollHeight");
const clientWidthOf = reader(Element, "clientWidth");
const clientHeightOf = reader(Element, "clientHeight");
const bodyOf = reader(Document, "body");
const topOf = reader(Document, "documentElement");
const titleOf = reader(Document, "title");
const urlOf = reader(Document, "URL");
const baseOf = reader(Node, "baseURI");
const activeOf = reader(Document, "activeElement");
const scrollerOf = reader(Document, "scrollingElement");
const walkerOf = caller(Document, "createTreeWalker");
const innerTextOf = reader(HTMLElement, "innerText");
const editableOf = reader(HTMLElement, "isContentEditable");
/** @type {(element: any) => boolean} */
const isEdited = (element) => element instanceof HTMLElement && editableOf(element);
const hasReflection = "ariaLabelledByElements" in Element.prototype;
/** Also knows the elements that a script has set, which no attribute can name. */
const labelledByOf = hasReflection ? reader(Element, "ariaLabelledByElements") : () => null;

/** How deep into a page to go. */
const MAX_DEPTH = 1500;

const ELEMENT = 1;
const TEXT = 3;
const FRAGMENT = 11;

/**
 * @param {Node} node
 * @returns {node is Element}
 */
function isElement(node) {
  return kindOf(node) === ELEMENT;
}

const INVISIBLE = /[\u200b\u00ad]/g;
const SPACES = /\s+/g;
/** What a text must have for white space to be collapsed in it, or letters taken out. */
const UNEVEN = /\s\s|[^\S ]|[\u200b\u00ad]/;

/**
 * Collapse white space as selectors and names do.
 * @param {string} text
 */
function squash(text) {
  return loosen(text).trim();
}

/**
 * Collapse white space, but leave that at the ends.
 * @param {string} text
 */
function loosen(text) {
  return UNEVEN.test(text) ? text.replace(INVISIBLE, "").replace(SPACES, " ") : text;
}

/**
 * @param {string} text
 * @param {number} limit
 */
function shorten(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** What can have a shadow root, besides custom elements. */
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);

/** @param {string} tag */
function canHost(tag) {
  return HOSTS.has(tag) || tag.includes("-");
}

/**
 * The element that holds this one: its parent, or the host of its shadow root.
 * @param {Element} element
 * @returns {Element|null}
 */
function holderOf(element) {
  const parent = parentOf(element);
  if (!parent) return null;
  if (kindOf(parent) === ELEMENT) return parent;
  return kindOf(parent) === FRAGMENT ? parent.host ?? null : null;
}

/**
 * The elements that an attribute names by id, in the element's own tree.
 * @param {Element} element
 * @param {string} attribute
 * @returns {Element[]}
 */
function referenced(element, attribute) {
  const ids = attributeOf(element, attribute);
  if (!ids) return [];
  const root = rootOf(element);
  const find = root === document ? Document.prototype.getElementById : DocumentFragment.prototype.getElementById;
  if (kindOf(root) === ELEMENT) return [];
  return ids.split(SPACES).map((/** @type {string} */ id) => find.call(root, id)).filter(Boolean);
}

/** What one call has found out about elements already; layout can't change while it runs. */
const memo = {
  roles: new Map(),
  names: new Map(),
  disputed: new Set(),
  muted: new Map(),
  shown: new Map(),
  boxes: new Map(),
  siblings: new Map(),
  paths: new Map(),
  rows: new Map(),
};

/**
 * The labels of each control, when `scan` has been over the page: after a change, every first look at a control's own
 * `labels` walks the whole tree.
 * @type {Map<Element, Element[]>|null}
 */
let labelIndex = null;

/** Forget it all, at the beginning of a call. */
function forget() {
  labelIndex = null;
  for (const known of Object.values(memo)) if (known.size) known.clear();
}

/**
 * @template K, V
 * @param {Map<K, V>} known
 * @param {K} key
 * @param {(key: K) => V} find
 * @returns {V}
 */
function recall(known, key, find) {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = find(key)));
  return value;
}

/** Without a prototype: the engine asks for more at each call, and to find no answer up there takes it long. */
const PAINTED = { __proto__: null, visibilityProperty: true };

/**
 * Whether the element is painted: it has a box and is not `visibility: hidden`.
 * @param {Element} element
 * @returns {boolean}
 */
function isShown(element) {
  return recall(memo.shown, element, (it) => checkVisibility(it, PAINTED));
}

/**
 * @param {Element} element
 * @returns {DOMRect}
 */
function boxOf(element) {
  return recall(memo.boxes, element, measure);
}

/**
 * Whether the element or one that holds it says `aria-hidden`.
 * @param {Element} element
 * @returns {boolean}
 */
function isMuted(element) {
  return recall(memo.muted, element, isMutedAnew);
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function isMutedAnew(element) {
  const holder = holderOf(element);
  return saysHidden(element) || (holder !== null && isMuted(holder));
}

/** @param {Element} element */
function saysHidden(element) {
  return attributeOf(element, "aria-hidden")?.toLowerCase() === "true";
}

/**
 * The texts that show in an element, one after the other.
 * @param {Element} element
 * @param {string} [but] a selector of what to leave out
 * @returns {Generator<string>}
 */
function* shownTexts(element, but) {
  const walker = walkerOf(document, element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = squash(dataOf(walker.currentNode));
    const holder = parentOf(walker.currentNode);
    if (!text || (but && closest(holder, but))) continue;
    if (!isHidden(holder) && !isInSecret(holder)) yield text;
  }
}

const UNSEEN = new Set(["style", "script", "noscript", "template"]);

/**
 * Whether assistive technology doesn't see the element.
 * @param {Element} element
 * @returns {boolean}
 */
function isHidden(element) {
  const tag = tagOf(element);
  return UNSEEN.has(tag) || !isRendered(element, tag) || isMuted(element);
}

/**
 * @param {Element} element
 * @param {string} tag
 */
function isRendered(element, tag) {
  return isShown(element) || (tag === "option" && closest(element, "select") !== null) || isHollow(element);
}

/**
 * Whether an element without a box of its own shows its content.
 * @param {Element} element
 */
function isHollow(element) {
  if (getComputedStyle(element).display !== "contents") return false;
  if (tagOf(element) === "slot") return true;
  for (let child = firstOf(element); child; child = nextOf(child)) {
    if (kindOf(child) === ELEMENT && !isHidden(child)) return true;
    if (kindOf(child) === TEXT && dataOf(child).trim() && (!shadowOf(element) || textSlotOf(child))) return true;
  }
  return false;
}

/**
 * Access to the DOM that the page can't intercept. A form or a document lets its children shadow any property (`<input
 * name="id">`), so properties are read through the accessors of the prototypes.
 */

export const MAX_TEXT = 100;

/**
 * @param {{prototype: object}} type
 * @param {string} name
 * @returns {(node: any) => any}
 */
export function reader(type, name) {
  const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(type.prototype, name));
  return Function.prototype.call.bind(get);
}

/**
 * @param {{prototype: any}} type
 * @param {string} name
 * @returns {(node: any, ...rest: any[]) => any}
 */
export function caller(type, name) {
  return Function.prototype.call.bind(type.prototype[name]);
}

export const kindOf = reader(Node, "nodeType");
export const firstOf = reader(Node, "firstChild");
const lastOf = reader(Node, "lastChild");
export const nextOf = reader(Node, "nextSibling");
export const previousOf = reader(Node, "previousSibling");
export const parentOf = reader(Node, "parentNode");
export const dataOf = reader(CharacterData, "data");
export const textContentOf = reader(Node, "textContent");
export const isConnected = reader(Node, "isConnected");
export const rootOf = caller(Node, "getRootNode");
export const tagOf = reader(Element, "localName");
export const shadowOf = reader(Element, "shadowRoot");
export const textSlotOf = reader(Text, "assignedSlot");
export const slotOf = reader(Element, "assignedSlot");
export const firstElementOf = reader(Element, "firstElementChild");
export const nextElementOf = reader(Element, "nextElementSibling");
export const previousElementOf = reader(Element, "previousElementSibling");
export const childCountOf = reader(Element, "childElementCount");
export const attributeOf = caller(Element, "getAttribute");
export const namesIn = caller(Element, "getAttributeNames");
export const attributesOf = reader(Element, "attributes");
export const hasAttributes = caller(Element, "hasAttributes");
export const hasAttribute = caller(Element, "hasAttribute");
export const matches = caller(Element, "matches");
export const closest = caller(Element, "closest");
export const queryAll = caller(Element, "querySelectorAll");
const queryDocument = caller(Document, "querySelectorAll");
const queryFragment = caller(DocumentFragment, "querySelectorAll");
/** @type {(root: any, selector: string) => NodeListOf<any>} of a document or a shadow root */
export const queryRoot = (root, selector) => (kindOf(root) === FRAGMENT ? queryFragment : queryDocument)(root, selector);
export const contains = caller(Node, "contains");
export const scrollIntoView = caller(Element, "scrollIntoView");
export const measure = caller(Element, "getBoundingClientRect");
export const rectanglesOf = caller(Element, "getClientRects");
export const tagsIn = caller(Document, "getElementsByTagName");
export const hitInDocument = caller(Document, "elementFromPoint");
export const hitInShadow = caller(ShadowRoot, "elementFromPoint");
export const checkVisibility = caller(Element, "checkVisibility");
/** Options of `checkVisibility`: an element that is not transparent, and one that is not hidden either. */
export const OPAQUE = { opacityProperty: true };
export const VISIBLE = { __proto__: null, visibilityProperty: true, opacityProperty: true };
export const scrollWidthOf = reader(Element, "scrollWidth");
export const scrollHeightOf = reader(Element, "scrollHeight");
export const clientWidthOf = reader(Element, "clientWidth");
export const clientHeightOf = reader(Element, "clientHeight");
export const bodyOf = reader(Document, "body");
export const topOf = reader(Document, "documentElement");
export const titleOf = reader(Document, "title");
export const urlOf = reader(Document, "URL");
export const baseOf = reader(Node, "baseURI");
export const activeOf = reader(Document, "activeElement");
export const scrollerOf = reader(Document, "scrollingElement");
export const animationsInDocument = caller(Document, "getAnimations");
export const execCommand = caller(Document, "execCommand");
const lockedOf = reader(Document, "pointerLockElement");
/**
 * Return the element to which the page has locked the pointer.
 * @returns {Element|null}
 */
export const pointerLock = () => lockedOf(document);
export const walkerOf = caller(Document, "createTreeWalker");
export const innerTextOf = reader(HTMLElement, "innerText");
const editableOf = reader(HTMLElement, "isContentEditable");
const OWN_TEXT = new Set(["input", "textarea", "select"]);
/** A field in an editor has a text of its own. @type {(element: any) => boolean} */
export const isEdited = (element) => element instanceof HTMLElement && editableOf(element) && !OWN_TEXT.has(tagOf(element));
const hasEditContext = "editContext" in HTMLElement.prototype;
/** Returns the text that the page edits itself with the keys on an element; null for none. @type {(element: any) => any} */
export const editContextOf = hasEditContext
  ? (element) => (element instanceof HTMLElement ? /** @type {any} */ (element).editContext : null)
  : () => null;
const hasReflection = "ariaLabelledByElements" in Element.prototype;
/** Includes elements that a script has set, which no attribute can name. */
export const labelledByOf = hasReflection ? reader(Element, "ariaLabelledByElements") : () => null;

/** The greatest depth to walk in a page. */
export const MAX_DEPTH = 1200;

export const ELEMENT = 1;
export const TEXT = 3;
export const FRAGMENT = 11;

/**
 * @param {Node} node
 * @returns {node is Element}
 */
export function isElement(node) {
  return kindOf(node) === ELEMENT;
}

/**
 * Return the box of what is in a node, such as an element with `display: contents`.
 * @param {Node} node
 */
export function contentBoxOf(node) {
  const range = new Range();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

/**
 * Return the labels of a control. A form has none, but may have a field of the name "labels".
 * @param {any} element
 * @returns {HTMLElement[]}
 */
export function labelElementsOf(element) {
  return tagOf(element) === "form" ? [] : [...(element.labels ?? [])];
}

/** Return the element with the focus, in open shadow roots too. */
export function focusedElement() {
  let focused = activeOf(document);
  while (focused && shadowOf(focused)?.activeElement) focused = shadowOf(focused).activeElement;
  return focused;
}

/**
 * Return the elements among the children of a node.
 * @param {Node} parent
 */
export function childElementsOf(parent) {
  /** @type {Element[]} */
  const found = [];
  for (let node = firstOf(parent); node; node = nextOf(node)) if (isElement(node)) found.push(node);
  return found;
}

/**
 * Yield all nodes from the root on in document order, through open shadow roots.
 * @param {Node} root
 */
export function* nodesFrom(root) {
  const stack = [root];
  while (stack.length) {
    const node = stack.pop();
    yield node;
    for (let child = lastOf(node); child; child = previousOf(child)) stack.push(child);
    if (kindOf(node) === ELEMENT && shadowOf(node)) stack.push(shadowOf(node));
  }
}

const INVISIBLE = /[\u200b\u00ad]/g;
export const SPACES = /\s+/g;
/** Matches text with white space to collapse or invisible characters to remove. */
const UNCOLLAPSED = /\s\s|[^\S ]|[\u200b\u00ad]/;

/**
 * Collapse white space as selectors and names do.
 * @param {string} text
 */
export function collapseSpaces(text) {
  return collapseInnerSpaces(text).trim();
}

/**
 * Collapse white space, but leave that at the ends.
 * @param {string} text
 */
export function collapseInnerSpaces(text) {
  return UNCOLLAPSED.test(text) ? text.replace(INVISIBLE, "").replace(SPACES, " ") : text;
}

/**
 * @param {string} text
 * @param {number} limit
 */
export function shorten(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** Tags that can have a shadow root, besides custom elements. */
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);

/** @param {string} tag */
export function canHostShadow(tag) {
  return HOSTS.has(tag) || tag.includes("-");
}

/**
 * Return the parent of an element, or the host of its shadow root.
 * @param {Element} element
 * @returns {Element|null}
 */
export function parentOrHostOf(element) {
  const parent = parentOf(element);
  if (!parent) return null;
  if (kindOf(parent) === ELEMENT) return parent;
  return kindOf(parent) === FRAGMENT ? parent.host ?? null : null;
}

/**
 * Return the elements that an attribute names by id, in the element's own tree.
 * @param {Element} element
 * @param {string} attribute
 * @returns {Element[]}
 */
export function referenced(element, attribute) {
  const ids = attributeOf(element, attribute);
  if (!ids) return [];
  const root = rootOf(element);
  const find = root === document ? Document.prototype.getElementById : DocumentFragment.prototype.getElementById;
  if (kindOf(root) === ELEMENT) return [];
  return ids.split(SPACES).map((/** @type {string} */ id) => find.call(root, id)).filter(Boolean);
}

/**
 * Return the element to read for a root: the body for a document.
 * @param {Node} root
 * @returns {any}
 */
export function readable(root) {
  return kindOf(root) === ELEMENT ? root : bodyOf(document) ?? topOf(document);
}

/**
 * Return the nodes that are shown as children: those in the shadow root or the slot, and those that aria-owns adds.
 * @param {any} element
 * @returns {Node[]}
 */
export function flatChildren(element) {
  const assigned = tagOf(element) === "slot" ? element.assignedNodes() : [];
  const nodes = assigned.length ? [...assigned] : [];
  if (!nodes.length) {
    for (let child = firstOf(shadowOf(element) ?? element); child; child = nextOf(child)) nodes.push(child);
  }
  return hasAttribute(element, "aria-owns") ? nodes.concat(referenced(element, "aria-owns")) : nodes;
}

/** The name of the events that ask for what custom elements have set by their internals; only the browser side knows it. */
let internals = "";
let answer = "";

/** @param {string} name of the events of the program `activity` */
export function openInternals(name) {
  if (internals !== "") return;
  internals = `${name}=`;
  performance.addEventListener(`${name}#`, (event) => { answer = /** @type {InputEvent} */ (event).data ?? ""; });
}

/**
 * Return what a custom element has set by its internals, by the names of attributes; null for nothing.
 * @param {Element} element
 * @returns {Record<string, string>|null}
 */
function internalsOf(element) {
  if (internals === "" || !tagOf(element).includes("-")) return null;
  const isUnknown = performance.dispatchEvent(new MouseEvent(internals, { cancelable: true, relatedTarget: element }));
  return isUnknown ? null : JSON.parse(answer);
}

/**
 * Return the `role` or a state of ARIA that an element declares, by an attribute or else by its internals.
 * @param {Element} element
 * @param {string} name of the attribute
 * @returns {string|null}
 */
export function declaredOf(element, name) {
  return attributeOf(element, name) ?? internalsOf(element)?.[name] ?? null;
}

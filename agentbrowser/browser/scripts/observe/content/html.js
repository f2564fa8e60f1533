/** Serialization of the document as HTML, without the values of secret fields. */

import {
  attributesOf, dataOf, ELEMENT, firstOf, kindOf, nextOf, parentOf, reader, shadowOf, tagOf, TEXT,
} from "../../dom/nodes.js";
import { isSecret } from "../../dom/secret_fields.js";

/** @import { Budget } from "../../dom/size_budget.js" */

const templateOf = reader(HTMLTemplateElement, "content");

const VOID = new Set("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" "));
const RAW = new Set("iframe noembed noframes noscript plaintext script style xmp".split(" "));
const SECRET_FIELD = /<(?:input|textarea)\b[^>]*(?:password|one-time-code|cc-[a-z])/i;
const ESCAPES = { "&": "&amp;", "\u00a0": "&nbsp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * @typedef {object} HtmlOptions
 * @property {number|null} [depth]
 * @property {string[]|null} [attributes]
 * @property {string[]} [computedStyles]
 */

/**
 * Return the HTML of a node. Source: the HTML standard, 13.3, with shadow roots as declarative ones.
 * @param {Node} root
 * @param {Budget} budget
 * @param {HtmlOptions} [options]
 */
export function htmlOf(root, budget, options = {}) {
  const parts = [];
  /** @type {[any, number][]} */
  const stack = [[root, kindOf(root) === ELEMENT ? 0 : -1]];
  while (stack.length) {
    const [next, depth] = stack.pop();
    if (typeof next === "string") parts.push(budget.charge(next));
    else if (kindOf(next) !== ELEMENT) {
      parts.push(budget.charge(leafHtml(next)));
      if (kindOf(next) !== TEXT) push(stack, childNodesOf(next), depth + 1);
    } else {
      parts.push(budget.charge(startTag(next, options)));
      push(stack, inner(next, depth, options), depth + 1);
    }
  }
  return parts.join("");
}

/**
 * @param {[Node|string, number][]} stack
 * @param {(Node|string)[]} items
 * @param {number} depth
 */
function push(stack, items, depth) {
  for (let index = items.length - 1; index >= 0; index -= 1) stack.push([items[index], depth]);
}

/** @param {Node} node */
export function childNodesOf(node) {
  const children = [];
  for (let child = firstOf(node); child; child = nextOf(child)) children.push(child);
  return children;
}

/**
 * Return the items after a start tag: shadow root, children that are not too deep, end tag.
 * @param {any} element
 * @param {number} depth
 * @param {HtmlOptions} options
 */
function inner(element, depth, options) {
  const tag = markupName(element);
  if (VOID.has(tag)) return [];
  if (tag === "textarea" && isSecret(element)) return ["</textarea>"];
  let children = childNodesOf(element instanceof HTMLTemplateElement ? templateOf(element) : element);
  if (typeof options.depth === "number" && depth >= options.depth) {
    const elements = children.filter((child) => kindOf(child) === ELEMENT).length;
    children = children.filter((child) => kindOf(child) !== ELEMENT);
    if (elements) children.push(`<!-- ${elements} elements left out -->`);
  } else if (shadowOf(element)) {
    children.unshift('<template shadowrootmode="open">', shadowOf(element), "</template>");
  }
  return [...children, `</${tag}>`];
}

/** @param {Element} element */
function markupName(element) {
  return element instanceof HTMLElement ? tagOf(element) : element.tagName;
}

/**
 * @param {any} element
 * @param {HtmlOptions} options
 */
function startTag(element, options) {
  const isKept = (name) => !options.attributes || options.attributes.includes(name);
  let tag = `<${markupName(element)}`;
  for (const { name, value } of attributesOf(element)) {
    if (isKept(name) && !(name === "value" && isSecret(element))) tag += ` ${name}="${escaped(name === "srcdoc" ? withoutFields(value) : value)}"`;
  }
  if (options.computedStyles?.length) {
    const style = getComputedStyle(element);
    const styles = options.computedStyles.map((name) => `${name}: ${style.getPropertyValue(name)}`).join("; ");
    tag += ` data-computed-style="${escaped(styles)}"`;
  }
  return `${tag}>`;
}

/**
 * Return markup that is no part of this document; nothing of it where a field for a secret may be in it.
 * @param {string} markup
 */
function withoutFields(markup) {
  return SECRET_FIELD.test(markup) ? "[REDACTED]" : markup;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&\u00a0<>"]/g, (mark) => ESCAPES[mark]);
}

/** @param {any} node */
function leafHtml(node) {
  switch (kindOf(node)) {
    case TEXT: {
      const parent = parentOf(node);
      const isRaw = parent && kindOf(parent) === ELEMENT && RAW.has(markupName(parent));
      if (isRaw) return markupName(parent) === "noscript" ? withoutFields(dataOf(node)) : dataOf(node);
      return escaped(dataOf(node)).replaceAll("&quot;", '"');
    }
    case Node.COMMENT_NODE:
      return `<!--${dataOf(node)}-->`;
    case Node.CDATA_SECTION_NODE:
      return `<![CDATA[${dataOf(node)}]]>`;
    case Node.PROCESSING_INSTRUCTION_NODE:
      return `<?${node.target} ${dataOf(node)}?>`;
    case Node.DOCUMENT_TYPE_NODE:
      return new XMLSerializer().serializeToString(node);
    default:
      return "";
  }
}

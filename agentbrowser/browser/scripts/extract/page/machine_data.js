/** Data for machines: documents of JSON or XML, and what pages embed. */

import {
  attributeOf, childElementsOf, collapseSpaces, namesIn, queryRoot, reader, tagOf, tagsIn, textContentOf, topOf,
} from "../../dom/nodes.js";

const contentTypeOf = reader(Document, "contentType");
const namespaceOf = reader(Element, "namespaceURI");
const EMBEDDED = new Set(["application/ld+json", "application/json"]);
const JSON_TYPE = /[/+]json$/i;
const XML_TYPE = /[/+]xml$/i;
/** Chromium keeps a document of XML here, hidden, beside the tree that it draws. */
const SOURCE = "#webkit-xml-viewer-source-xml";
/** XHTML, SVG and MathML are pages. */
const MARKUP = /^http:\/\/www\.w3\.org\/(1999\/xhtml|2000\/svg|1998\/Math)/;
const XML_BEGIN = /^<(\?xml|rss|feed)[\s>]/;
const MAX_LENGTH = 400_000;
const MAX_DEPTH = 24;

/**
 * JSON, and the element that shows or holds it.
 * @typedef {{element: any, text: string}} MachineData
 */

/**
 * Return the data of a document of JSON or XML; null for a page.
 * @returns {MachineData | null}
 */
export function documentData() {
  const type = contentTypeOf(document);
  const isJson = JSON_TYPE.test(type);
  const [shown] = isJson || type === "text/plain" ? tagsIn(document, "pre") : [];
  const [source] = XML_TYPE.test(type) ? queryRoot(document, SOURCE) : [];
  let text = "";
  if (shown) text = isJson ? textContentOf(shown) : jsonOf(textContentOf(shown).trim());
  else if (source) text = jsonOfXml(childElementsOf(source)[0]);
  return text ? { element: shown ?? topOf(document), text } : null;
}

/**
 * Return data in a plain text as JSON; "" for other text. Feeds are shown so, and many files.
 * @param {string} text
 */
function jsonOf(text) {
  if (text.length > MAX_LENGTH) return "";
  try {
    if (/^[[{]/.test(text) && JSON.parse(text)) return text;
  } catch {
    return "";
  }
  return XML_BEGIN.test(text) ? jsonOfXml(topOf(new DOMParser().parseFromString(text, "text/xml"))) : "";
}

/**
 * Return a document of XML as JSON; "" for a page, or if it has errors.
 * @param {Element | undefined} root
 */
function jsonOfXml(root) {
  const isData = root && !MARKUP.test(namespaceOf(root) ?? "") && childElementsOf(root)[0]?.localName !== "parsererror";
  return isData ? JSON.stringify(membersOf([root], 0)) : "";
}

/**
 * Return true if data are short enough to be read.
 * @param {MachineData} data
 */
export const isReadable = ({ text }) => text.length <= MAX_LENGTH;

/**
 * Return the data that are embedded in a page, without those that are too long to be read.
 * @returns {MachineData[]}
 */
export function embeddedData() {
  let room = MAX_LENGTH;
  const found = [];
  for (const element of tagsIn(document, "script")) {
    if (!EMBEDDED.has(attributeOf(element, "type")?.toLowerCase())) continue;
    const text = textContentOf(element);
    if (!text.trim() || text.length > room) continue;
    room -= text.length;
    found.push({ element, text });
  }
  return found;
}

/**
 * Return elements as the members of an object: those of one name are a list, and an element is its text, or an object of
 * its attributes and elements. The attributes of a text stand beside it: `price`, `price currency`.
 * @param {Element[]} elements
 * @param {number} depth
 */
function membersOf(elements, depth) {
  /** @type {Map<string, unknown[]>} */
  const members = new Map();
  const add = (name, value) => (members.has(name) ? members.get(name).push(value) : members.set(name, [value]));
  for (const element of elements) {
    const [name, kids] = [tagOf(element), childElementsOf(element)];
    const attributes = namesIn(element).map((key) => [key, attributeOf(element, key)]);
    const text = kids.length ? "" : collapseSpaces(textContentOf(element));
    if (text) {
      add(name, text);
      for (const [key, value] of attributes) add(`${name} ${key}`, value);
    } else if (depth < MAX_DEPTH) add(name, { ...Object.fromEntries(attributes), ...membersOf(kids, depth + 1) });
  }
  return Object.fromEntries([...members].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

import {
  attributeOf, childElementsOf, hitInDocument, hitInShadow, innerTextOf, labelElementsOf, measure, parentOf,
  parentOrHostOf, queryRoot, reader, rootOf, shadowOf, tagOf,
} from "../dom/nodes.js";

const idOf = reader(Element, "id");
const leftEdgeOf = reader(Element, "clientLeft");
const topEdgeOf = reader(Element, "clientTop");

/**
 * Answer a question about the elements of a Playwright locator, or about a point of the frame. Writes nothing to the page.
 * @param {...any} given the elements, for a locator, and `[question, argument]`
 */
export default function probeLocator(...given) {
  const [question, argument] = given.pop();
  const subject = given.pop();
  const SHORT = 80;

  const squeeze = (text) => (text ?? "").replace(/\s+/g, " ").trim();

  // A path of child steps; unlike the browser, Playwright lets `>` go through shadow roots.
  const pathTo = (element) => {
    const steps = [];
    for (let at = element; at; at = parentOrHostOf(at)) {
      const id = idOf(at);
      if (id && rootOf(at) === document && queryRoot(document, `#${CSS.escape(id)}`).length === 1) {
        steps.unshift(`#${CSS.escape(id)}`);
        break;
      }
      const parent = parentOf(at);
      const alike = (parent ? childElementsOf(parent) : [at]).filter((other) => tagOf(other) === tagOf(at));
      const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(at) + 1})` : "";
      steps.unshift(CSS.escape(tagOf(at)) + place);
    }
    return steps.join(" > ");
  };

  const nameOf = (element) => {
    const text = ["aria-label", "alt", "title", "placeholder"].map((name) => attributeOf(element, name)).find(Boolean);
    const words = element instanceof HTMLElement ? innerTextOf(element) : "";
    return squeeze(labelElementsOf(element)[0]?.innerText ?? text ?? words).slice(0, SHORT);
  };

  const elementAt = (x, y) => {
    let found = hitInDocument(document, x, y);
    for (let root = found && shadowOf(found); root; root = shadowOf(found)) {
      const deeper = hitInShadow(root, x, y);
      if (!deeper || deeper === found) break;
      found = deeper;
    }
    return found;
  };

  const answers = {
    candidates: (elements) => elements.slice(0, 5).map((element) => ({ value: pathTo(element), text: nameOf(element) })),

    // The element under a point of the viewport, and the point's position in it.
    at: (_, { x, y }) => {
      const found = elementAt(x, y);
      if (!found) return null;
      const box = measure(found);
      const position = { x: x - box.left - leftEdgeOf(found), y: y - box.top - topEdgeOf(found) };
      return { css: pathTo(found), position, frame: /^i?frame$/.test(tagOf(found)) };
    },
    indexAt: (elements, { x, y }) => elements.indexOf(elementAt(x, y)),
  };
  return answers[question](subject, argument);
}

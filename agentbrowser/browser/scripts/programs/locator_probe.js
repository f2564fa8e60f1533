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
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      if (at.id && at.getRootNode() === document && document.querySelectorAll(`#${CSS.escape(at.id)}`).length === 1) {
        steps.unshift(`#${CSS.escape(at.id)}`);
        break;
      }
      const alike = [...(at.parentNode?.children ?? [at])].filter((other) => other.localName === at.localName);
      const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(at) + 1})` : "";
      steps.unshift(CSS.escape(at.localName) + place);
    }
    return steps.join(" > ");
  };

  const nameOf = (element) => {
    const text = ["aria-label", "alt", "title", "placeholder"].map((name) => element.getAttribute(name)).find(Boolean);
    return squeeze(element.labels?.[0]?.innerText ?? text ?? element.innerText).slice(0, SHORT);
  };

  const elementAt = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const deeper = found.shadowRoot.elementFromPoint(x, y);
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
      const box = found.getBoundingClientRect();
      const position = { x: x - box.left - found.clientLeft, y: y - box.top - found.clientTop };
      return { css: pathTo(found), position, frame: /^i?frame$/.test(found.localName) };
    },
    indexAt: (elements, { x, y }) => elements.indexOf(elementAt(x, y)),
  };
  return answers[question](subject, argument);
}

"use strict";
/** Measuring what leaves the page while it is made, so that it is given up as soon as it is too large. */

const lastOf = reader(Node, "lastChild");
const previousOf = reader(Node, "previousSibling");
const attributesOf = reader(Element, "attributes");
const namesOf = caller(Element, "getAttributeNames");

/** Thrown where an answer grows too large. */
class TooLarge extends Error {
  /**
   * @param {number} size how large it is already
   * @param {"bytes"|"nodes"} [unit]
   */
  constructor(size, unit = "bytes") {
    super("too large");
    this.size = size;
    this.unit = unit;
  }
}

const NOT_ASCII = /[^\x00-\x7f]/;

/** Adds up what an answer will weigh. */
class Budget {
  /** @param {number} limit bytes of UTF-8 */
  constructor(limit) {
    this.limit = limit;
    this.used = 0;
    this.encoder = new TextEncoder();
  }

  /**
   * @param {string} text
   * @returns {string} the text itself
   */
  charge(text) {
    const isOver = this.used + text.length > this.limit; // each character is a byte at least
    this.weigh(isOver || !NOT_ASCII.test(text) ? text.length : this.encoder.encode(text).length);
    return text;
  }

  /** @param {number} bytes */
  weigh(bytes) {
    this.used += bytes;
    if (this.used > this.limit) throw new TooLarge(this.used);
  }

  /** What is left, to measure something that is not yet part of the answer. */
  rest() {
    const rest = new Budget(this.limit);
    rest.used = this.used;
    return rest;
  }
}

/**
 * Make an answer within the limit, with what the document is; `{exceeded, unit}` where that can't be done.
 * @template T
 * @param {number} limit
 * @param {(budget: Budget) => T} make
 */
function bounded(limit, make) {
  const budget = new Budget(limit);
  try {
    const about = { url: budget.charge(urlOf(document)), title: budget.charge(titleOf(document)) };
    return { ...about, ...make(budget) };
  } catch (error) {
    if (error instanceof TooLarge) return { exceeded: error.size, unit: error.unit };
    throw error;
  }
}

/**
 * All nodes from the root on in document order, those in open shadow roots too.
 * @param {Node} root
 */
function* nodesFrom(root) {
  const coming = [root];
  while (coming.length) {
    const node = coming.pop();
    yield node;
    for (let child = lastOf(node); child; child = previousOf(child)) coming.push(child);
    if (kindOf(node) === ELEMENT && shadowOf(node)) coming.push(shadowOf(node));
  }
}

/**
 * Check that a part of the document is small enough to be described by the browser itself, which knows no limits.
 * @param {{hold?: string, nodes: number, bytes: number}} limits
 */
function census({ hold, nodes, bytes }) {
  return bounded(bytes, (budget) => {
    const root = subject(hold);
    if (!root) return { missing: true };
    let count = 0;
    for (const node of nodesFrom(root)) {
      const kind = kindOf(node);
      if (kind === TEXT) budget.charge(dataOf(node));
      if (kind === ELEMENT) weigh(node, budget);
      if (kind === ELEMENT || (kind === TEXT && dataOf(node).trim())) count += 1;
      if (count > nodes) throw new TooLarge(count, "nodes");
    }
    return {};
  });
}

/**
 * @param {any} element
 * @param {Budget} budget
 */
function weigh(element, budget) {
  for (const { value } of attributesOf(element)) budget.charge(value);
  if (typeof element.value === "string") budget.charge(element.value);
}

const fontsOf = reader(Document, "fonts");

/**
 * The sizes of what is shown and of the whole document, how many pixels of the device a CSS pixel is, and whether the
 * page can be pictured as it is: without fonts on their way, and no larger than its viewport.
 */
function extent() {
  const boxes = [bodyOf(document), topOf(document)].filter(Boolean);
  const whole = (least, ...readers) => Math.max(least, ...boxes.flatMap((box) => readers.map((read) => read(box) ?? 0)));
  const width = whole(innerWidth, scrollWidthOf, (box) => box.offsetWidth);
  const height = whole(innerHeight, scrollHeightOf, (box) => box.offsetHeight);
  const shown = { width: innerWidth, height: innerHeight };
  const isPlain = devicePixelRatio === 1 && visualViewport?.scale === 1 && fontsOf(document).status === "loaded";
  return { shown, whole: { width, height }, ratio: devicePixelRatio, isPlain };
}

Object.assign(CALLS, { census, extent });

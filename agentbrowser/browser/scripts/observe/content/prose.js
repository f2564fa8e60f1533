"use strict";
/** What the page shows, in reading order and through open shadow roots: as Markdown, or as plain lines of text. */

const MAX_NESTING = 1000;
/** Elements whose content is not text of the page. */
const UNREAD = new Set(
  "script style noscript template head title iframe object embed audio video canvas svg select datalist textarea progress meter".split(" "),
);
const INLINE = /^(inline|contents|ruby|math$)/;

/** Collects what is written: inline text runs into paragraphs, between them stand blocks. */
class Pen {
  /**
   * @param {Budget} budget
   * @param {{isPlain?: boolean, isInline?: boolean}} [style] plain text without marks; all on one line
   * @param {number} [depth]
   */
  constructor(budget, style = {}, depth = 0) {
    this.budget = budget;
    this.style = style;
    this.depth = depth;
    this.run = "";
    /** @type {{text: string, isTight: boolean}[]} */
    this.blocks = [];
  }

  /** @param {string} text */
  write(text) {
    this.run += this.budget.charge(text);
  }

  /** End the paragraph, if one has begun. */
  flush() {
    if (this.style.isInline) {
      this.write(" ");
      return;
    }
    const text = tidy(this.run);
    this.run = "";
    if (text) this.blocks.push({ text: this.style.isPlain ? text : guarded(text), isTight: Boolean(this.style.isPlain) });
  }

  /**
   * @param {string} text
   * @param {boolean} [isTight] whether it follows the block before without an empty line
   * @returns {true} for the writers, which are done with it
   */
  block(text, isTight = false) {
    this.flush();
    if (text) this.blocks.push({ text, isTight });
    return true;
  }

  /** @returns {string} all that was written */
  finish() {
    if (this.style.isInline) return tidy(this.run).replaceAll("\n", " ");
    this.flush();
    return this.blocks.map(({ text, isTight }, index) => (index ? (isTight ? "\n" : "\n\n") : "") + text).join("");
  }

  /** A pen for what is in an element. */
  inner(style = {}) {
    return new Pen(this.budget, { ...this.style, ...style }, this.depth);
  }
}

/**
 * What a part of the page shows.
 * @param {Node} root
 * @param {Budget} budget
 * @param {boolean} [isPlain]
 */
function proseOf(root, budget, isPlain = false) {
  const top = readable(root);
  const pen = new Pen(budget.rest(), { isPlain });
  if (top) writeElement(pen, top);
  return budget.charge(pen.finish());
}

/**
 * @param {Pen} pen
 * @param {any} element
 */
function writeElement(pen, element) {
  const tag = tagOf(element);
  if (UNREAD.has(tag) || pen.depth > MAX_NESTING) return;
  const { display } = getComputedStyle(element);
  if (display !== "contents" && !checkVisibility(element)) return;
  if (tag === "br") {
    pen.write("\n");
    return;
  }
  if (writerOf(pen, tag)?.(pen, element)) return;
  const isCell = pen.style.isPlain && display === "table-cell";
  const isBlock = !isCell && !INLINE.test(display);
  const isApart = isCell || display.startsWith("inline-");
  if (isBlock) pen.flush();
  if (isApart) pen.write(" ");
  writeChildren(pen, element);
  if (isApart) pen.write(" ");
  if (isBlock) pen.flush();
}

/**
 * @param {Pen} pen
 * @param {any} element
 */
function writeChildren(pen, element) {
  const { visibility, contentVisibility, whiteSpace } = getComputedStyle(element);
  const isSeen = visibility === "visible" && contentVisibility !== "hidden" && !isFolded(element);
  const spaces = /^(pre|break-spaces)/.test(whiteSpace) ? /[^\S\n]+/g : SPACES;
  pen.depth += 1;
  for (const child of shownChildren(element)) {
    const kind = kindOf(child);
    if (kind === ELEMENT) writeElement(pen, child);
    else if (kind === TEXT && isSeen) pen.write(marked(pen, dataOf(child).replace(spaces, " ")));
  }
  pen.depth -= 1;
}

/** @param {any} element */
function shownChildren(element) {
  const assigned = tagOf(element) === "slot" ? element.assignedNodes() : [];
  return assigned.length ? assigned : childrenOf(shadowOf(element) ?? element);
}

/**
 * What is in an element, on one line.
 * @param {Pen} pen
 * @param {any} element
 */
function lineOf(pen, element) {
  const line = pen.inner({ isInline: true });
  writeChildren(line, element);
  return line.finish();
}

/**
 * What is in an element, as blocks.
 * @param {Pen} pen
 * @param {any} element
 */
function blocksOf(pen, element) {
  const blocks = pen.inner({ isInline: false });
  writeChildren(blocks, element);
  return blocks.finish();
}

/**
 * Text with single spaces, and none at the ends of its lines; a break within it stays.
 * @param {string} text
 */
function tidy(text) {
  return text.replace(/ *\n */g, "\n").replace(/ {2,}/g, " ").replace(/\n{3,}/g, "\n\n").trim();
}

/**
 * Text of the page, in Markdown with a backslash before what would be taken for a mark.
 * @param {Pen} pen
 * @param {string} text
 */
function marked(pen, text) {
  if (pen.style.isPlain) return text;
  return text.replace(/[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])/giu, "\\$&");
}

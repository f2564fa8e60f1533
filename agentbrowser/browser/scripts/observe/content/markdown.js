/** Visible content of the page in reading order and through open shadow roots, as Markdown or as plain lines of text. */

import {
  attributeOf, checkVisibility, closest, dataOf, ELEMENT, hasAttribute, innerTextOf, kindOf, readable, shadowOf, SPACES,
  collapseSpaces, tagOf, TEXT, textContentOf,
} from "../../dom/nodes.js";
import { isFolded } from "../../dom/visibility.js";
import { childNodesOf } from "./html.js";
import { markBefore } from "./raised_digits.js";

/** @import { Budget } from "../../dom/size_budget.js" */

const BLOCKS = "p, div, h1, h2, h3, h4, h5, h6, ul, ol, dl, table, pre, blockquote, section, article";
const LANGUAGE = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]+)/;

/**
 * Return the writer of a tag; undefined where only its content is written.
 * @param {Writer} writer
 * @param {string} tag
 * @returns {((writer: Writer, element: any) => boolean)|undefined} true where it has written the element
 */
function writerOf(writer, tag) {
  if (writer.style.isPlain) return tag === "pre" ? SECTIONS.get(tag) : undefined;
  return SPANS.get(tag) ?? (writer.style.isInline ? undefined : SECTIONS.get(tag));
}

/**
 * Return a paragraph whose lines don't look like the start of a block; its breaks are hard ones.
 * @param {string} text
 */
function escapedBlock(text) {
  return text
    .replace(/^(#{1,6}(?= |$)|[-+](?= |$)|>|=+$|-+$)/gm, "\\$1")
    .replace(/^(\d{1,9})([.)])(?= |$)/gm, "$1\\$2")
    .replaceAll("\n", "  \n");
}

/**
 * @param {Writer} writer
 * @param {string} text
 * @param {string} first what stands before the first line
 * @param {string} rest what stands before the other lines
 */
function prefixed(writer, text, first, rest) {
  const lines = text.split("\n");
  writer.budget.weigh(lines.length * rest.length);
  return first + lines.map((line, index) => (index && line ? rest : index ? rest.trimEnd() : "") + line).join("\n");
}

/**
 * Wrap the content of the element in marks; spaces at its ends stay outside, and one that is all of it has no marks.
 * @param {Writer} writer
 * @param {any} element
 * @param {string} mark
 */
function wrapped(writer, element, mark) {
  if (element.querySelector(BLOCKS)) return false;
  const text = lineOf(writer, element);
  const [before, after] = [/^\s/, /\s$/].map((end) => (end.test(textContentOf(element)) ? " " : ""));
  writer.write(text ? before + mark + text + mark + after : before);
  return true;
}

/** @param {string} url */
function target(url) {
  return url.replace(/[()<>\s\\]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/**
 * Return more backticks than the text has in a row.
 * @param {string} text
 * @param {number} least
 */
function fence(text, least) {
  const runs = [...text.matchAll(/`+/g)];
  return "`".repeat(runs.reduce((most, [run]) => Math.max(most, run.length + 1), least));
}

/**
 * @param {Writer} writer
 * @param {any} element
 */
function writeCode(writer, element) {
  const text = collapseSpaces(innerTextOf(element));
  const ticks = fence(text, 1);
  const space = /^`|`$/.test(text) ? " " : "";
  if (text) writer.write(ticks + space + text + space + ticks);
  return true;
}

/**
 * @param {Writer} writer
 * @param {any} element
 */
function writeHeading(writer, element) {
  const text = lineOf(writer, element);
  return writer.block(text && `${"#".repeat(Number(tagOf(element)[1]))} ${text}`);
}

/**
 * Write a list. A list in an item directly follows the text of the item.
 * @param {Writer} writer
 * @param {any} element
 */
function writeList(writer, element) {
  let number = tagOf(element) === "ol" ? element.start : null;
  const lines = [];
  for (const child of shownChildren(element)) {
    if (kindOf(child) !== ELEMENT) continue;
    const isItem = tagOf(child) === "li";
    if (isItem && number !== null && hasAttribute(child, "value")) number = child.value;
    const marker = number === null ? "- " : `${number}. `;
    const item = writer.inner();
    writeElement(item, child);
    const text = item.finish();
    if (text) lines.push(prefixed(writer, text, isItem ? marker : "  ", " ".repeat(isItem ? marker.length : 2)));
    if (text && isItem && number !== null) number += 1;
  }
  return writer.block(lines.join("\n"), closest(element, "li") !== null);
}

/**
 * Write a table of data as a table of GitHub's Markdown; rows without a header get an empty one.
 * @param {Writer} writer
 * @param {any} element
 */
function writeTable(writer, element) {
  if (!isData(element)) return false;
  const rows = [...element.rows].filter((row) => checkVisibility(row));
  const grid = gridOf(writer, rows);
  const width = grid.reduce((most, cells) => Math.max(most, cells.length), 0);
  writer.budget.weigh(grid.length * width * 3);
  const isHeader = (row) => row.parentNode === element.tHead || [...row.cells].every((cell) => tagOf(cell) === "th");
  if (!isHeader(rows[0])) grid.unshift([]);
  grid.splice(1, 0, Array(width).fill("---"));
  if (element.caption && checkVisibility(element.caption)) writer.block(lineOf(writer, element.caption));
  const lines = grid.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? ""));
  return writer.block(lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
}

/**
 * Return true if a table holds data, and is not for layout.
 * @param {any} element
 */
function isData(element) {
  if (/^(none|presentation)$/.test(attributeOf(element, "role") ?? "") || element.querySelector("table")) return false;
  return [...element.rows].some((row) => checkVisibility(row) && row.cells.length > 1);
}

const MAX_SPAN = 100;

/**
 * Return the texts of the cells by row and column, with empty ones in the further columns and rows that a cell spans.
 * @param {Writer} writer
 * @param {any[]} rows
 */
function gridOf(writer, rows) {
  /** @type {string[][]} */
  const grid = rows.map(() => []);
  rows.forEach(({ cells, parentNode }, y) => {
    let x = 0;
    for (const cell of [...cells].filter((it) => checkVisibility(it))) {
      while (grid[y][x] !== undefined) x += 1;
      const end = x + Math.min(cell.colSpan, MAX_SPAN);
      const below = Math.min(cell.rowSpan || MAX_SPAN, MAX_SPAN); // 0 is all rows of the section
      writer.budget.weigh((end - x) * below);
      for (let dy = 0; dy < below && rows[y + dy]?.parentNode === parentNode; dy += 1) {
        for (let at = x; at < end; at += 1) grid[y + dy][at] ??= "";
      }
      grid[y][x] = lineOf(writer, cell).replaceAll("|", "\\|");
      x = end;
    }
  });
  return grid;
}

const strong = (writer, element) => wrapped(writer, element, "**");
const emphasis = (writer, element) => wrapped(writer, element, "*");
const struck = (writer, element) => wrapped(writer, element, "~~");

/** Writers of inline elements. */
const SPANS = new Map(
  Object.entries({
    b: strong, code: writeCode, del: struck, em: emphasis, i: emphasis, kbd: writeCode, s: struck, samp: writeCode,
    strong, tt: writeCode,
    a(writer, element) {
      if (!element.href || /^javascript:/i.test(element.href) || element.querySelector("ul, ol, table, pre, blockquote")) return false;
      const name = attributeOf(element, "aria-label") ?? attributeOf(element, "title") ?? "";
      const text = lineOf(writer, element) || escapedInline(writer, collapseSpaces(name));
      if (text) writer.write(`[${text}](${target(element.href)})`);
      return true;
    },
    img(writer, element) {
      const alt = collapseSpaces(attributeOf(element, "alt") ?? "");
      if (alt) writer.write(`![${escapedInline(writer, alt)}](${/^(data|blob):/i.test(element.src) ? "" : target(element.src)})`);
      return true;
    },
    input(writer, element) {
      if (element.type === "checkbox") writer.write(element.checked ? "[x] " : "[ ] ");
      return true;
    },
  }),
);

/** Writers of blocks; inline, only their content is written. */
const SECTIONS = new Map(
  Object.entries({
    h1: writeHeading, h2: writeHeading, h3: writeHeading, h4: writeHeading, h5: writeHeading, h6: writeHeading,
    ol: writeList, table: writeTable, ul: writeList,
    hr: (writer) => writer.block("---"),
    blockquote(writer, element) {
      const text = blocksOf(writer, element);
      return writer.block(text && prefixed(writer, text, "> ", "> "));
    },
    dt(writer, element) {
      const text = lineOf(writer, element);
      return writer.block(text && `**${text}**`);
    },
    dd(writer, element) {
      const text = blocksOf(writer, element);
      return writer.block(text && prefixed(writer, text, ": ", "  "), true);
    },
    pre(writer, element) {
      const text = writer.budget.charge(innerTextOf(element)).replace(/\n+$/, "");
      if (writer.style.isPlain) return writer.block(text, true);
      const parts = [element, ...element.querySelectorAll("code")];
      const names = parts.map((part) => LANGUAGE.exec(attributeOf(part, "class") ?? "")?.[1]);
      const ticks = fence(text, 3);
      return writer.block(`${ticks}${names.find(Boolean) ?? ""}\n${text}\n${ticks}`);
    },
  }),
);

export const MAX_NESTING = 1000;
/** Elements whose content is no text of the page. */
export const UNREAD_TAGS = new Set(
  "script style noscript template head title iframe object embed audio video canvas svg select datalist textarea progress meter".split(" "),
);
const INLINE = /^(inline|contents|ruby|math$)/;

/** Collector of inline text, which runs into paragraphs, and of the blocks between them. */
class Writer {
  /**
   * @param {Budget} budget
   * @param {{isPlain?: boolean, isInline?: boolean}} [style] without marks; on one line
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
    if (text) this.blocks.push({ text: this.style.isPlain ? text : escapedBlock(text), isTight: Boolean(this.style.isPlain) });
  }

  /**
   * @param {string} text
   * @param {boolean} [isTight] true if it follows the block before without an empty line
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

  /** Return a writer for the content of an element. */
  inner(style = {}) {
    return new Writer(this.budget, { ...this.style, ...style }, this.depth);
  }
}

/**
 * Return the visible content of a part of the page.
 * @param {Node} root
 * @param {Budget} budget
 * @param {boolean} [isPlain]
 */
export function visibleText(root, budget, isPlain = false) {
  const top = readable(root);
  const writer = new Writer(budget.rest(), { isPlain });
  if (top) writeElement(writer, top);
  return budget.charge(writer.finish());
}

/**
 * @param {Writer} writer
 * @param {any} element
 */
function writeElement(writer, element) {
  const tag = tagOf(element);
  if (UNREAD_TAGS.has(tag) || writer.depth > MAX_NESTING) return;
  const { display } = getComputedStyle(element);
  if (display !== "contents" && !checkVisibility(element)) return;
  if (tag === "br") {
    writer.write("\n");
    return;
  }
  if (writerOf(writer, tag)?.(writer, element)) return;
  const isCell = writer.style.isPlain && display === "table-cell";
  const isBlock = !isCell && !INLINE.test(display);
  const isApart = isCell || display.startsWith("inline-");
  if (isBlock) writer.flush();
  if (isApart) writer.write(" ");
  writeChildren(writer, element);
  if (isApart) writer.write(" ");
  if (isBlock) writer.flush();
}

/**
 * @param {Writer} writer
 * @param {any} element
 */
function writeChildren(writer, element) {
  const { visibility, contentVisibility, whiteSpace } = getComputedStyle(element);
  const isSeen = visibility === "visible" && contentVisibility !== "hidden" && !isFolded(element);
  const spaces = /^(pre|break-spaces)/.test(whiteSpace) ? /[^\S\n]+/g : SPACES;
  writer.depth += 1;
  for (const child of shownChildren(element)) {
    const kind = kindOf(child);
    if (kind === ELEMENT) writeElement(writer, child);
    else if (kind === TEXT && isSeen) {
      const text = dataOf(child).replace(spaces, " ");
      writer.write(markBefore(element, text, writer.run) + escapedInline(writer, text));
    }
  }
  writer.depth -= 1;
}

/** @param {any} element */
function shownChildren(element) {
  const assigned = tagOf(element) === "slot" ? element.assignedNodes() : [];
  return assigned.length ? assigned : childNodesOf(shadowOf(element) ?? element);
}

/**
 * Return the content of an element on one line.
 * @param {Writer} writer
 * @param {any} element
 */
function lineOf(writer, element) {
  const line = writer.inner({ isInline: true });
  writeChildren(line, element);
  return line.finish();
}

/**
 * Return the content of an element as blocks.
 * @param {Writer} writer
 * @param {any} element
 */
function blocksOf(writer, element) {
  const blocks = writer.inner({ isInline: false });
  writeChildren(blocks, element);
  return blocks.finish();
}

/**
 * Return the text with single spaces, and none at the ends of lines; line breaks stay.
 * @param {string} text
 */
function tidy(text) {
  return text.replace(/ *\n */g, "\n").replace(/ {2,}/g, " ").replace(/\n{3,}/g, "\n\n").trim();
}

/**
 * Return the text with Markdown's marks escaped.
 * @param {Writer} writer
 * @param {string} text
 */
function escapedInline(writer, text) {
  if (writer.style.isPlain) return text;
  return text.replace(/[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])/giu, "\\$&");
}

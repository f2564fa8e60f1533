"use strict";
/** How the elements of HTML are written in Markdown (CommonMark, with the tables of GitHub). */

const BLOCKS = "p, div, h1, h2, h3, h4, h5, h6, ul, ol, dl, table, pre, blockquote, section, article";
const LANGUAGE = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]+)/;

/**
 * What writes a tag in Markdown; undefined for what is only its content.
 * @param {Pen} pen
 * @param {string} tag
 * @returns {((pen: Pen, element: any) => boolean)|undefined} true where it has written the element
 */
function writerOf(pen, tag) {
  if (pen.style.isPlain) return tag === "pre" ? SECTIONS.get(tag) : undefined;
  return SPANS.get(tag) ?? (pen.style.isInline ? undefined : SECTIONS.get(tag));
}

/**
 * A paragraph whose lines don't look like the start of a block; its breaks are hard ones.
 * @param {string} text
 */
function guarded(text) {
  return text
    .replace(/^(#{1,6}(?= |$)|[-+](?= |$)|>|=+$|-+$)/gm, "\\$1")
    .replace(/^(\d{1,9})([.)])(?= |$)/gm, "$1\\$2")
    .replaceAll("\n", "  \n");
}

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {string} first what stands before the first line
 * @param {string} rest what stands before the other lines
 */
function prefixed(pen, text, first, rest) {
  const lines = text.split("\n");
  pen.budget.weigh(lines.length * rest.length);
  return first + lines.map((line, index) => (index && line ? rest : index ? rest.trimEnd() : "") + line).join("\n");
}

/**
 * Put marks around what is in the element; spaces at its ends stay outside of them.
 * @param {Pen} pen
 * @param {any} element
 * @param {string} mark
 */
function wrapped(pen, element, mark) {
  if (element.querySelector(BLOCKS)) return false;
  const text = lineOf(pen, element);
  const [before, after] = [/^\s/, /\s$/].map((end) => (end.test(textContentOf(element)) ? " " : ""));
  if (text) pen.write(before + mark + text + mark + after);
  return true;
}

/** @param {string} url */
function target(url) {
  return url.replace(/[()<>\s\\]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/**
 * More backticks than there are in a row in the text.
 * @param {string} text
 * @param {number} least
 */
function fence(text, least) {
  const runs = [...text.matchAll(/`+/g)];
  return "`".repeat(runs.reduce((most, [run]) => Math.max(most, run.length + 1), least));
}

/**
 * @param {Pen} pen
 * @param {any} element
 */
function writeCode(pen, element) {
  const text = squash(innerTextOf(element));
  const ticks = fence(text, 1);
  const space = /^`|`$/.test(text) ? " " : "";
  if (text) pen.write(ticks + space + text + space + ticks);
  return true;
}

/**
 * @param {Pen} pen
 * @param {any} element
 */
function writeHeading(pen, element) {
  const text = lineOf(pen, element);
  return pen.block(text && `${"#".repeat(Number(tagOf(element)[1]))} ${text}`);
}

/**
 * A list within an item follows its text at once.
 * @param {Pen} pen
 * @param {any} element
 */
function writeList(pen, element) {
  let number = tagOf(element) === "ol" ? element.start : null;
  const lines = [];
  for (const child of shownChildren(element)) {
    if (kindOf(child) !== ELEMENT) continue;
    const isItem = tagOf(child) === "li";
    if (isItem && number !== null && hasAttribute(child, "value")) number = child.value;
    const marker = number === null ? "- " : `${number}. `;
    const item = pen.inner();
    writeElement(item, child);
    const text = item.finish();
    if (text) lines.push(prefixed(pen, text, isItem ? marker : "  ", " ".repeat(isItem ? marker.length : 2)));
    if (text && isItem && number !== null) number += 1;
  }
  return pen.block(lines.join("\n"), closest(element, "li") !== null);
}

/**
 * A table as one of GitHub's Markdown, if it holds data; rows without a header get an empty one.
 * @param {Pen} pen
 * @param {any} element
 */
function writeTable(pen, element) {
  if (!isData(element)) return false;
  const rows = [...element.rows].filter((row) => checkVisibility(row));
  const grid = rows.map((row) => [...row.cells].flatMap((cell) => cellsOf(pen, cell)));
  const width = grid.reduce((most, cells) => Math.max(most, cells.length), 0);
  pen.budget.weigh(grid.length * width * 3);
  const isHeader = (row) => row.parentNode === element.tHead || [...row.cells].every((cell) => tagOf(cell) === "th");
  if (!isHeader(rows[0])) grid.unshift([]);
  grid.splice(1, 0, Array(width).fill("---"));
  if (element.caption) pen.block(lineOf(pen, element.caption));
  const lines = grid.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? ""));
  return pen.block(lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
}

/**
 * Whether a table holds data, and is not there for the layout.
 * @param {any} element
 */
function isData(element) {
  if (/^(none|presentation)$/.test(attributeOf(element, "role") ?? "") || element.querySelector("table")) return false;
  return [...element.rows].some((row) => checkVisibility(row) && row.cells.length > 1);
}

/**
 * A cell's text, and an empty one for each further column that it spans.
 * @param {Pen} pen
 * @param {any} cell
 */
function cellsOf(pen, cell) {
  const text = lineOf(pen, cell).replaceAll("|", "\\|");
  return [text, ...Array(Math.min(cell.colSpan, 100) - 1).fill("")];
}

const strong = (pen, element) => wrapped(pen, element, "**");
const emphasis = (pen, element) => wrapped(pen, element, "*");
const struck = (pen, element) => wrapped(pen, element, "~~");

/** What is written within a line. */
const SPANS = new Map(
  Object.entries({
    b: strong, code: writeCode, del: struck, em: emphasis, i: emphasis, kbd: writeCode, s: struck, samp: writeCode,
    strong, tt: writeCode,
    a(pen, element) {
      if (!element.href || /^javascript:/i.test(element.href) || element.querySelector("ul, ol, table, pre, blockquote")) return false;
      const name = attributeOf(element, "aria-label") ?? attributeOf(element, "title") ?? "";
      const text = lineOf(pen, element) || marked(pen, squash(name));
      if (text) pen.write(`[${text}](${target(element.href)})`);
      return true;
    },
    img(pen, element) {
      const alt = squash(attributeOf(element, "alt") ?? "");
      if (alt) pen.write(`![${marked(pen, alt)}](${/^(data|blob):/i.test(element.src) ? "" : target(element.src)})`);
      return true;
    },
    input(pen, element) {
      if (element.type === "checkbox") pen.write(element.checked ? "[x] " : "[ ] ");
      return true;
    },
  }),
);

/** What is written as blocks; within a line it is only its content. */
const SECTIONS = new Map(
  Object.entries({
    h1: writeHeading, h2: writeHeading, h3: writeHeading, h4: writeHeading, h5: writeHeading, h6: writeHeading,
    ol: writeList, table: writeTable, ul: writeList,
    hr: (pen) => pen.block("---"),
    blockquote(pen, element) {
      const text = blocksOf(pen, element);
      return pen.block(text && prefixed(pen, text, "> ", "> "));
    },
    dt(pen, element) {
      const text = lineOf(pen, element);
      return pen.block(text && `**${text}**`);
    },
    dd(pen, element) {
      const text = blocksOf(pen, element);
      return pen.block(text && prefixed(pen, text, ": ", "  "), true);
    },
    pre(pen, element) {
      const text = pen.budget.charge(innerTextOf(element)).replace(/\n+$/, "");
      if (pen.style.isPlain) return pen.block(text, true);
      const parts = [element, ...element.querySelectorAll("code")];
      const names = parts.map((part) => LANGUAGE.exec(attributeOf(part, "class") ?? "")?.[1]);
      const ticks = fence(text, 3);
      return pen.block(`${ticks}${names.find(Boolean) ?? ""}\n${text}\n${ticks}`);
    },
  }),
);

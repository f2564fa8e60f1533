/** Attribute tests in CSS selectors, each with the rest of its compound. */

/**
 * An attribute test: `[value^="a"]` in `input.big[value^="a"] + p` has the name `value` and the rest `input.big`.
 * @typedef {object} AttributeTest
 * @property {string} name in lower case; empty where it can't be read
 * @property {string} rest of the compound, without pseudo-classes and functions that hold tests; `*` if nothing is left
 */

const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|([^]))/gi; // the blank behind the digits belongs to the escape
const NAME = RegExp(`^\\s*(?:[^\\s|=\\]"']*\\|(?!=))?\\s*((?:${ESCAPE.source}|[^\\s|=~^$*\\]"'\\\\])+)`, "i");
/** Comments; strings and escapes, which are kept, are matched first, since they may look like the start of one. */
const COMMENT = /("(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|\\[^])|\/\*[^]*?(?:\*\/|$)/g;
const COMBINATORS = " \t\n\r\f>+~,";

/**
 * Return the tests of some attributes in a selector, also those within `:is()`, `:has()` and other functions.
 * @param {string} css
 * @param {(name: string) => boolean} isMeant
 * @returns {AttributeTest[]}
 */
export function attributeTests(css, isMeant) {
  /** @type {AttributeTest[]} */
  const tests = [];
  // A comment counts as a combinator: less is left of the compound, so that no element is missed.
  readList(css.replace(COMMENT, (_, kept) => kept ?? " "), 0, tests, isMeant);
  return tests;
}

/**
 * Read a list of selectors up to its closing parenthesis; return the position behind it.
 * @param {string} css
 * @param {number} at
 * @param {AttributeTest[]} tests
 * @param {(name: string) => boolean} isMeant
 */
function readList(css, at, tests, isMeant) {
  let names = [];
  let rest = "";
  const endCompound = () => {
    for (const name of names) tests.push({ name, rest: rest || "*" });
    [names, rest] = [[], ""];
  };
  while (at < css.length && css[at] !== ")") {
    if (COMBINATORS.includes(css[at])) {
      endCompound();
      at += 1;
      continue;
    }
    const end = endOfPart(css, at);
    const part = css.slice(at, end);
    const name = part.startsWith("[") ? nameIn(part) : null;
    if (name !== null && isMeant(name)) names.push(name);
    else if (css[end] !== "(") rest += withoutStates(part);
    if (css[end] === "(") {
      const count = tests.length;
      const behind = readList(css, end + 1, tests, isMeant);
      if (tests.length === count) rest += withoutStates(part, css.slice(end, behind));
      at = behind;
    } else at = end;
  }
  endCompound();
  return at + 1;
}

/**
 * Return a part without its pseudo-classes: the state of an element may be another one at the search, and Playwright
 * finds fields under the pointer by `:not(:hover)`. What is `:checked` holds no secret; `:not()` without pseudo-classes
 * is stable.
 * @param {string} part
 * @param {string} [list] arguments of the pseudo-class at its end
 */
function withoutStates(part, list = "") {
  if (/^["'[]/.test(part)) return part;
  if (/:not$/i.test(part) && /^\([^:()]*\)$/.test(list)) return `${withoutStates(part.slice(0, -":not".length))}:not${list}`;
  return part.replace(/::?(?!checked\b)[-\w]+/gi, "");
}

/**
 * Return the position behind an attribute test, a string, or the characters up to the next of them.
 * @param {string} css
 * @param {number} start
 */
function endOfPart(css, start) {
  if (css[start] === "[") return endOfTest(css, start);
  if (`"'`.includes(css[start])) return endOfString(css, start);
  let at = start;
  while (at < css.length && !`${COMBINATORS}[]()"'`.includes(css[at])) at += css[at] === "\\" ? 2 : 1;
  return Math.max(at, start + (css[at] === "(" ? 0 : 1));
}

/**
 * @param {string} css
 * @param {number} start
 */
function endOfTest(css, start) {
  let at = start + 1;
  while (at < css.length && css[at] !== "]") {
    if (css[at] === "\\") at += 2;
    else if (`"'`.includes(css[at])) at = endOfString(css, at);
    else at += 1;
  }
  return at + 1;
}

/**
 * @param {string} css
 * @param {number} start
 */
function endOfString(css, start) {
  let at = start + 1;
  while (at < css.length && css[at] !== css[start]) at += css[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** @param {string} test */
function nameIn(test) {
  const name = (NAME.exec(test.slice(1))?.[1] ?? "").replace(ESCAPE, (_, code, character) => character ?? String.fromCodePoint(parseInt(code, 16) % 0x110000));
  return name.toLowerCase();
}

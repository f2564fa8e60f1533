/** Names of icons: of drawings, icon fonts, image files, and classes that say what a button does. */

import { attributeOf, checkVisibility, childCountOf, closest, matches, parentOrHostOf, queryAll, tagOf, textContentOf } from "../../dom/nodes.js";

const ICON_CLASS =
  /^(?:fa|fas|far|fab|fi|fi-rr|bi|bx|bxs|ti|ri|la|las|ph|pi|oi|uil|mdi|zmdi|icon|icons|glyphicon|icofont|ion|lucide|feather|codicon|octicon|anticon|el-icon|dx-icon|k-i|eva|i-\w+|ui-icon|icon-tabler|ms-Icon-)[-_:](.+)$/;
const ICON_SUFFIX = /^(?:(?:[a-wyz][-_])?(x|.{2,}?)[-_]icon|([A-Z]\w*)Icon)$/;
const STYLE_PARTS =
  /^(?:ui|ui-button|fw|lg|sm|xs|\d+x|spin|solid|regular|light|thin|duotone|brands|inverse|stack|tabler|svg|mui|root|btn|button|pull-\w+|\w+-root|el|ag|ag-[\w-]+)$/i;
/** Icons of jQuery UI that point to a side: `triangle-1-n`. */
const POINTING = /^(?:arrow|arrowthick|carat|caret|triangle)-1-([nesw])$/;
/** @type {Record<string, string>} */
const SIDES = { n: "up", e: "right", s: "down", w: "left" };
const COMPONENTS = new Set(
  ("accordion action base btn button checkbox chip dropdown field input item multiselect panel select tab tag token " +
    "trigger").split(" "),
);
const LIGATURES = /(^|[\s_-])(material-icons|material-symbols)/;
/** Words of a class or an id that say what a button without any words does. */
const PURPOSES = new Set(
  ("add archive back bold bookmark cancel cart close collapse copy delete dismiss down download edit expand expandable " +
    "favorite filter flag follow forward fullscreen help home info italic left like menu minus more mute next pause pin " +
    "play plus prev previous print redo refresh reload remove reply repost reset retweet right save search send settings " +
    "share sort star stop submit today toggle trash underline undo up upload user zoom").split(" "),
);
const MAX_PARTS = 12;
const LONGEST_VALUE = 30;
const MAX_WORDS = 3;

/**
 * Return the name of the icon that an element shows; "" for none. Of two icons for two states, one is not drawn.
 * @param {any} element
 */
export function iconOf(element) {
  const parts = [element, ...queryAll(element, "svg, use, title, desc, i, span, img, [data-icon], [icon]")].slice(0, MAX_PARTS);
  for (const read of [iconName, markedIcon]) { // a mark of a component is on an element around the icon
    for (const part of parts) {
      const name = read(part);
      if (name && (part === element || isDrawn(part))) return worded(name);
    }
  }
  return "";
}

/** @param {any} part */
function isDrawn(part) {
  return checkVisibility(closest(part, "svg") ?? part);
}

/** @param {any} part */
function iconName(part) {
  const tag = tagOf(part);
  if (tag === "title" || tag === "desc") return closest(part, "svg") ? textContentOf(part) : "";
  if (tag === "use") return (attributeOf(part, "href") ?? attributeOf(part, "xlink:href") ?? "").split("#").pop()?.replace(/^icon[-_]/, "");
  return declaredIcon(part, tag) || (isIconFont(part) ? textContentOf(part) : classIcon(part));
}

/**
 * Return the icon that an attribute names.
 * @param {any} part
 * @param {string} tag
 */
function declaredIcon(part, tag) {
  const names = ["data-icon", "data-lucide", "data-feather", "icon"];
  if (tag.endsWith("-icon")) names.push("name");
  const declared = names.map((name) => attributeOf(part, name)).find(Boolean);
  return declared && /^[\w:-]+$/.test(declared) ? declared.split(":").pop() : "";
}

/**
 * Return the icon that a class names, as icon fonts do.
 * @param {any} part
 */
function classIcon(part) {
  const classes = classesOf(part);
  const base = classes.find((mark) => /(?:^|[-_])icon$/.test(mark)); // `x-icon x-icon-trash`, or `trash icon`
  const named = base && (classes.find((mark) => mark.startsWith(`${base}-`))?.slice(base.length + 1) ?? (base === "icon" ? purposeOf(part) : ""));
  return nameAmong([...classes.map((mark) => ICON_CLASS.exec(mark)?.[1]?.replace(/^tabler-/, "")), named]);
}

/**
 * Return the icon that the end of a class marks, or of a test id like those of Material UI.
 * @param {any} part
 */
function markedIcon(part) {
  const testId = tagOf(part) === "svg" ? attributeOf(part, "data-testid") : null;
  return nameAmong([...classesOf(part), testId ?? ""].map(suffixed));
}

/**
 * @param {any} part
 * @returns {string[]}
 */
function classesOf(part) {
  return (attributeOf(part, "class") ?? "").split(/\s+/);
}

/** @param {(string|undefined)[]} names */
function nameAmong(names) {
  return (names.find((name) => name && !STYLE_PARTS.test(name)) ?? "").replace(POINTING, (_, side) => SIDES[side]);
}

/**
 * Return the icon of a mark such as `close-icon`; "" where that is the place of an icon in a component, whichever it is.
 * @param {string} mark
 */
function suffixed(mark) {
  const [, dashed, joined] = ICON_SUFFIX.exec(mark) ?? [];
  const name = (dashed ?? joined ?? "").replace(/[-_]+$/, "");
  return worded(name).toLowerCase().split(" ").some((word) => COMPONENTS.has(word)) ? "" : name;
}

/** @param {any} element */
export function isIconFont(element) {
  return LIGATURES.test(attributeOf(element, "class") ?? "");
}

/**
 * Return the text of the images in an element, or their file names.
 * @param {any} element
 */
export function imageText(element) {
  const image = matches(element, "img, input[type=image]") ? element : queryAll(element, "img")[0];
  return image ? attributeOf(image, "alt") || attributeOf(image, "title") || fileWords(attributeOf(image, "src") ?? "") : "";
}

/**
 * Return the words of the file that a style sheet draws: mostly one for all icons of a page, so that all else says more.
 * @param {any} element
 */
export function backgroundText(element) {
  return fileWords(/url\("(.+?)"\)/.exec(getComputedStyle(element).backgroundImage)?.[1] ?? "");
}

const SHAPES = new Set("circle ellipse line polygon polyline rect".split(" "));

/**
 * Return the shape of an element of a drawing, with its color if that is a word: "yellow circle"; else with the last words
 * of its class and of that of its group, which say what it is for: "output port rect".
 * @param {any} element
 */
export function shapeOf(element) {
  if (!SHAPES.has(tagOf(element)) || !element.ownerSVGElement) return "";
  const fill = attributeOf(element, "fill") ?? "";
  if (/^[a-z]+$/.test(fill) && fill !== "none" && fill !== "inherit") return `${fill} ${tagOf(element)}`;
  const holder = parentOrHostOf(element);
  const parts = [tagOf(holder) === "g" ? holder : null, element].map((part) => part && lastWordOf(part)).filter(Boolean);
  return [...new Set(parts), tagOf(element)].join(" ");
}

/**
 * Return the last word of the first class of an element; "" for one that no person has written.
 * @param {any} element
 */
function lastWordOf(element) {
  const word = worded(classesOf(element)[0] ?? "").toLowerCase().split(" ").pop() ?? "";
  return /^[a-z]{3,15}$/.test(word) ? word : "";
}

/** @param {string} url */
function fileWords(url) {
  const file = /([^/]+?)(?:\.\w+)?(?:[?#].*)?$/.exec(url)?.[1] ?? "";
  const isReadable = !url.startsWith("data:") && /[a-z]{3}/i.test(file) && !/[0-9a-f]{12}/i.test(file);
  return isReadable ? worded(file) : "";
}

/**
 * Return the words of the class or the id of an element that say what it does, such as "close" of `btn-close`.
 * @param {any} element
 */
export function purposeOf(element) {
  for (const mark of [attributeOf(element, "data-direction"), attributeOf(element, "id"), ...(attributeOf(element, "class") ?? "").split(/\s+/)]) {
    const words = worded(mark ?? "").toLowerCase().split(" ");
    if (words.length <= MAX_WORDS && words.some((word) => PURPOSES.has(word))) {
      return words.filter((word) => PURPOSES.has(word)).join(" ");
    }
  }
  return "";
}

/** Attributes with the value that an element stands for. */
const VALUES = ["data-value", "data-name", "data-color", "data-colour", "data-rating", "data-score", "data-date", "data-key", "data-code", "data-id"];

/**
 * Return the value for which an element without words stands, such as "red" of a swatch or "3" of a star; "" for none.
 * @param {any} element
 */
export function valueNameOf(element) {
  const value = VALUES.map((name) => attributeOf(element, name)).find(Boolean) ?? "";
  return value.length <= LONGEST_VALUE && /^[\w#][\w# .:-]*$/.test(value) && !/[0-9a-f]{8}/i.test(value) ? value : "";
}

/** Attributes with words for the tests of a page. */
const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
const TEST_WORDS = /^[a-z]{2,}(?:[-_ ][a-z]+)*$/i;
/** Levels whose attributes are read: the element, and those that hold nothing else. */
const TEST_ID_LEVELS = 3;

/**
 * Return the words by which the tests of a page find an element, with those of the elements that hold nothing else: "notes"
 * of an empty cell.
 * @param {any} element
 */
export function testIdOf(element) {
  const words = [];
  let node = element;
  for (let level = 0; node && level < TEST_ID_LEVELS; level++) {
    const id = TEST_IDS.map((attribute) => attributeOf(node, attribute)).find(Boolean) ?? "";
    if (TEST_WORDS.test(id)) words.unshift(...worded(id).toLowerCase().split(" "));
    const holder = parentOrHostOf(node);
    node = holder && childCountOf(holder) === 1 && !textContentOf(holder).trim() ? holder : null;
  }
  const name = [...new Set(words)].join(" ");
  return name.length <= LONGEST_VALUE ? name : "";
}

/**
 * Return the words of the address of a link without any text, such as "cart" of `/shop/cart`.
 * @param {any} element
 */
export function addressOf(element) {
  const address = attributeOf(element, "href") ?? "";
  return /^[a-z]+:(?!\/)/i.test(address) ? "" : fileWords(address.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/^#/, ""));
}

/** @param {string} name */
function worded(name) {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]+/g, " ").trim();
}

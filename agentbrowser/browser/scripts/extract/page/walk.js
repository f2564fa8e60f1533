/** Tree of the visible content of a part of the page: elements with content, and the texts between them. */

import {
  attributeOf, checkVisibility, childCountOf, dataOf, ELEMENT, firstOf, flatChildren, hasAttribute, hasAttributes,
  kindOf, collapseInnerSpaces, matches, namesIn, nextOf, shadowOf, collapseSpaces, tagOf, TEXT, textContentOf, VISIBLE,
} from "../../dom/nodes.js";
import { hasAriaHidden } from "../../dom/visibility.js";
import { areCents } from "../../observe/content/raised_digits.js";
import { EMPTY_LIST, PHRASING_TAGS } from "./patterns.js";
import { formOf, markupOf, PLAIN, SHAPELESS, styleOf } from "./structure.js";

/** @import { Root } from "../columns/columns.js" */
/** @import { Label } from "./labels.js" */
/** @import { Form, Markup, Style } from "./structure.js" */

const TABULAR = new Set(["table", "thead", "tbody", "tfoot", "tr"]);

const MAX_SPOTS = 120_000;
const MAX_SPOT_DEPTH = 400;
const WALK_MS = 4000;
/** Most children of an element in which a number stands twice: whole, in pieces, with its sign or a label. */
const MAX_TWICE = 4;

const MACHINE = "[itemprop], [property]";
const MAIN = "main, [role=main], #main, #content, #main-content, #maincontent";
const PAID_DEPTH = 6;
/** The number of a footnote: "[1]". */
const NOTE_MARK = /^(\[[^\]\s]{1,4}\]\s*)+$/;

/**
 * Visibility of an element: unknown; gone with all inside it; hollow, itself hidden, but perhaps not its content;
 * boxless, its texts show; holding, something inside it shows; seen.
 */
const [UNKNOWN, GONE, HOLLOW, BOXLESS, HOLDING, SEEN] = [0, 1, 2, 3, 4, 5];

/**
 * An element with content.
 * @typedef {object} Spot
 * @property {number} id
 * @property {any} element
 * @property {string} tag
 * @property {Markup} make tag and attributes
 * @property {Style} style class names
 * @property {string[]} classes
 * @property {Spot|null} parent
 * @property {number} depth
 * @property {(string|Spot)[]} pieces texts and elements, in order
 * @property {Spot[]} kids
 * @property {boolean} hasText true if a text is directly in it
 * @property {boolean} isMeta true if it is for machines and not shown
 * @property {number} shown its visibility
 * @property {string|undefined} looseText its text with the white space around it, computed on demand
 * @property {string|undefined} text its text, computed on demand
 * @property {Form} form its structure
 * @property {Root[]} [bare] a record of it alone, computed on demand
 * @property {Label[]} [around] labels around it, computed on demand
 * @property {string} [label] its words as a label of another, computed on demand
 * @property {boolean} [isData] of a table, true if its rows are data and not layout
 * @property {boolean} [hasHeads] of a table
 * @property {boolean} isPaid true if a link in it is paid for
 * @property {number} peers number of items that it is one of, if these are many
 * @property {Spot[]} [choosers] radio buttons and checkboxes in it, computed on demand
 * @property {Set<Spot>} [adverts] its children that are advertisements, computed on demand
 */

/** One walk over a part of the page. */
export class Walk {
  constructor() {
    /** @type {Spot[]} */
    this.spots = [];
    this.end = performance.now() + WALK_MS;
    this.isCut = false;
    /** The number of closed `details` around: their content is read too. */
    this.folds = 0;
    /** The last white space. */
    this.blank = " ";
  }

  /**
   * @param {any} element
   * @param {Spot|null} parent
   * @returns {Spot|null} null for one without visible content
   */
  enter(element, parent) {
    const make = markupOf(tagOf(element), hasAttributes(element) ? namesIn(element) : EMPTY_LIST);
    if (make.isPassedOver || this.isFull(parent ? parent.depth + 1 : 0)) return null;
    const { isMeta, isOpen } = make;
    if (isMeta && !matches(element, MACHINE)) return null;
    const isFolded = make.tag === "details" && !hasAttribute(element, "open");
    // The check is expensive: visible content proves that the element is visible.
    const isLeaf = isOpen && childCountOf(element) === 0;
    const waits = isOpen && !isLeaf && !isFolded && !this.folds;
    const shown = isMeta ? SEEN : waits ? UNKNOWN : this.look(element, parent);
    if (shown === GONE) return null;
    const spot = newSpot(element, make, parent, this.spots.length, isMeta);
    spot.shown = shown;
    this.spots.push(spot);
    this.folds += isFolded ? 1 : 0;
    if (isOpen) this.fill(spot, isLeaf);
    if (spot.kids.length > 1 && spot.kids.length <= MAX_TWICE) this.leaveOutCopy(spot);
    this.folds -= isFolded ? 1 : 0;
    this.settle(spot);
    if (spot.shown === GONE) {
      this.spots.length = spot.id;
      return null;
    }
    if (spot.make.isLink && spot.shown !== HOLLOW) markPaid(spot);
    spot.form = formOf(spot);
    return spot;
  }

  /**
   * Leave out what paints in pieces a number that stands whole beside it, for screen readers: "$29.99" as "29" and "99".
   * @param {Spot} spot
   */
  leaveOutCopy(spot) {
    const copy = spot.kids.find((kid) => kid.kids.length && kid.make.names.includes("aria-hidden") && hasAriaHidden(kid.element));
    if (!copy || !spot.kids.some((kid) => kid !== copy && isWhole(kid, copy))) return;
    spot.kids = spot.kids.filter((kid) => kid !== copy);
    spot.pieces = spot.pieces.filter((piece) => piece !== copy);
    this.spots.splice(copy.id, descendantsOf(copy).length);
    for (let id = copy.id; id < this.spots.length; id++) this.spots[id].id = id;
  }

  /**
   * Return the visibility of an element inside another one.
   * @param {any} element
   * @param {Spot|null} parent
   */
  look(element, parent) {
    if (this.folds) return isStyledAway(element) ? GONE : SEEN;
    if (checkVisibility(element, VISIBLE)) return SEEN;
    if (parent) this.settle(parent);
    if (parent?.shown === GONE || isGone(element)) return GONE;
    return isBoxless(element) ? BOXLESS : HOLLOW;
  }

  /**
   * Determine the visibility of an element, if it is unknown.
   * @param {Spot} spot
   */
  settle(spot) {
    if (spot.shown === UNKNOWN) spot.shown = this.look(spot.element, spot.parent);
  }

  /** @param {number} depth */
  isFull(depth) {
    if (depth > MAX_SPOT_DEPTH || this.spots.length >= MAX_SPOTS) this.isCut = true;
    else if (this.spots.length % 512 === 511 && performance.now() > this.end) this.isCut = true;
    else return false;
    return true;
  }

  /**
   * @param {Spot} spot
   * @param {boolean} isLeaf true if there are no elements in it
   */
  fill(spot, isLeaf) {
    const { element } = spot;
    if (spot.tag === "slot" || (spot.make.isHost && shadowOf(element))) {
      for (const node of flatChildren(element)) if (spot.shown !== GONE) this.take(spot, node);
    } else if (isLeaf) {
      this.addText(spot, textContentOf(element));
    } else {
      for (let node = firstOf(element); node && spot.shown !== GONE; node = nextOf(node)) this.take(spot, node);
    }
  }

  /**
   * @param {Spot} spot
   * @param {any} node
   */
  take(spot, node) {
    const kind = kindOf(node);
    if (kind === TEXT) this.addText(spot, dataOf(node));
    else if (kind === ELEMENT) {
      const kid = this.enter(node, spot);
      if (kid) {
        spot.pieces = added(spot.pieces, kid);
        spot.kids = added(spot.kids, kid);
      }
      if (spot.shown !== UNKNOWN || kid?.isMeta) return;
      if (kid && kid.shown >= HOLDING) spot.shown = HOLDING;
      else this.settle(spot);
    }
  }

  /**
   * Add a text, if it shows.
   * @param {Spot} spot
   * @param {string} data
   */
  addText(spot, data) {
    // White space between elements is mostly the same.
    const text = data === this.blank ? " " : collapseInnerSpaces(data);
    if (!text) return;
    const isSolid = text !== " ";
    if (!isSolid) this.blank = data;
    if (isSolid && (spot.shown === UNKNOWN || spot.shown === HOLDING)) spot.shown = this.look(spot.element, spot.parent);
    if (spot.shown === GONE || spot.shown === HOLLOW) return;
    spot.pieces = added(spot.pieces, text);
    spot.hasText ||= isSolid;
  }
}

/**
 * @param {any} element
 * @param {Markup} make
 * @param {Spot|null} parent
 * @param {number} id
 * @param {boolean} isMeta
 * @returns {Spot}
 */
export function newSpot(element, make, parent, id, isMeta) {
  const style = make.isClassed ? styleOf(attributeOf(element, "class")) : PLAIN;
  const depth = parent ? parent.depth + 1 : 0;
  // All properties are set at once, so that the engine need not change the object's shape later.
  return {
    id,
    element,
    tag: make.tag,
    make,
    style,
    classes: style.classes,
    parent,
    depth,
    pieces: EMPTY_LIST,
    kids: EMPTY_LIST,
    hasText: false,
    isMeta,
    shown: SEEN,
    isPaid: false,
    peers: 0,
    form: SHAPELESS,
    looseText: undefined,
    text: undefined,
    around: undefined,
    label: undefined,
    adverts: undefined,
    bare: undefined,
  };
}

/**
 * Return a list with one more item. Most lists stay short, and pushing to an empty one reserves room for many.
 * @template T
 * @param {T[]} list
 * @param {T} item
 */
function added(list, item) {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}

/**
 * Mark the ancestors of a paid link.
 * @param {Spot} link
 */
function markPaid(link) {
  if (!attributeOf(link.element, "rel")?.includes("sponsored")) return;
  for (let ancestor = link, steps = 0; ancestor && steps < PAID_DEPTH; ancestor = ancestor.parent, steps++) ancestor.isPaid = true;
}

/**
 * Return true if an unpainted element can have no visible content.
 * @param {Element} element
 */
function isGone(element) {
  const style = getComputedStyle(element);
  return style.display === "none" || !style.display || style.opacity === "0" || style.contentVisibility === "hidden";
}

/** @param {Element} element */
function isStyledAway(element) {
  const style = getComputedStyle(element);
  return style.display === "none" || style.visibility !== "visible" || style.opacity === "0";
}

/** @param {Element} element */
function isBoxless(element) {
  return getComputedStyle(element).display === "contents" && getComputedStyle(element).visibility === "visible";
}

/**
 * Return the text of an element in one line.
 * @param {Spot} spot
 * @returns {string}
 */
export function textOfSpot(spot) {
  return (spot.text ??= spot.pieces.length < 2 && spot.kids.length === 0 ? looseTextOf(spot).trim() : collapseSpaces(looseTextOf(spot)));
}

/**
 * Return the text of an element with the white space at its ends, which can separate it from its neighbours.
 * @param {Spot} spot
 * @returns {string}
 */
function looseTextOf(spot) {
  return (spot.looseText ??= joinPieces(spot.pieces));
}

/**
 * @param {(string|Spot)[]} pieces
 * @returns {string}
 */
function joinPieces(pieces) {
  let text = "";
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    text = typeof piece === "string" ? text + piece : addTo(text, piece);
  }
  return text;
}

/**
 * @param {string} text
 * @param {Spot} spot
 */
function addTo(text, spot) {
  const more = looseTextOf(spot);
  if (spot.tag === "br" || spot.tag === "hr") return `${text} `;
  if (spot.tag === "sup" && NOTE_MARK.test(more.trim())) return text;
  if (areCents(spot.element, more.trim(), text)) return `${text.trimEnd()}.${more.trim()}`;
  return PHRASING_TAGS.has(spot.tag) ? text + more : `${text} ${more} `;
}

/**
 * Return true if an element has the number that another one has in pieces, and the words beside it.
 * @param {Spot} spot
 * @param {Spot} copy
 */
function isWhole(spot, copy) {
  const [text, painted, digits] = [textOfSpot(spot), textOfSpot(copy), digitsIn(textOfSpot(copy))];
  const isSame = text.match(/\d[\d.,]*/g)?.some((number) => digitsIn(number) === digits) && isInPieces(copy, digits);
  return Boolean(isSame) && painted.split(/[\d\s.,]+/).every((word) => text.includes(word));
}

/**
 * @param {Spot} spot
 * @param {string} digits all of its
 * @returns {boolean}
 */
function isInPieces(spot, digits) {
  const inner = spot.kids.find((kid) => digitsIn(textOfSpot(kid)) === digits);
  return inner ? isInPieces(inner, digits) : spot.kids.some((kid) => digitsIn(textOfSpot(kid)));
}

/** @param {string} text */
function digitsIn(text) {
  return text.replace(/\D+/g, "");
}

/**
 * Return a spot and all below it.
 * @param {Spot} spot
 * @returns {Spot[]} in document order
 */
export function descendantsOf(spot) {
  const found = [];
  const stack = [spot];
  while (stack.length) {
    const next = stack.pop();
    found.push(next);
    for (let at = next.kids.length - 1; at >= 0; at--) stack.push(next.kids[at]);
  }
  return found;
}

/**
 * Return the elements marked as main content, if the page's title is in one of them.
 * @param {Spot} top
 * @returns {Set<Spot>}
 */
export function mainsIn(top) {
  const mains = descendantsOf(top).filter(({ element }) => matches(element, MAIN));
  const isTrue = mains.some((main) => descendantsOf(main).some(({ tag }) => tag === "h1"));
  return new Set(isTrue ? mains : []);
}

/** @param {Spot} spot */
export function isTabular(spot) {
  return TABULAR.has(spot.tag);
}

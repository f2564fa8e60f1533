/** What is told once of all elements that are alike: in their attributes, in their class names, in what they are made of. */

import { getOrCompute } from "../../dom/memo.js";
import { canHostShadow, SPACES } from "../../dom/nodes.js";
import { ADVERT, CONTROLS, SCREEN_READER_ONLY, ICONS, MEDIA, NAMING_CLASS, EMPTY_LIST, SKIPPED_TAGS } from "./patterns.js";

/** @import { AttributeReader } from "./values.js" */
/** @import { Spot } from "./walk.js" */

/**
 * What elements are made of that differ in texts, attributes and states alone, with what is found out about it once for
 * all of them: their tag and class names, whether a text stands in them, and the forms of their children.
 * @typedef {object} Form
 * @property {Map<any, Form>|null} next the forms that have one child more, by its form
 * @property {any} lastSign what the last one had more, which the next one mostly has too
 * @property {any} lastForm and its form
 * @property {number} count of the elements, where it is that of a tag with class names and nothing more
 * @property {Set<string>} [shape] the paths of tags down to what holds something
 * @property {number[][]} [clusters] the places of children that are alike
 * @property {string[]} [starts] the signs of children that begin things
 * @property {string} [sign] its tag and first class name
 * @property {number} [dullAmong] how many things alike it must be for what repeats in it not to matter, up to `Infinity`
 * @property {boolean} [isTelling] true if the text is a value of its own
 * @property {boolean} [isEven] true if its children may be the rows of a table, or the cells of a grid
 * @property {Map<string|undefined, boolean>} [nesting] by class names, whether there is another of its kind in it
 * @property {Map<Form|undefined, string[]>} [kin] by the forms of parents, what tells where it stands, by its depth
 */

/** How many children a form is known by: what has more is hardly ever there again. */
const MAX_FORMED = 40;
const TEXTUAL = Symbol("text");
const META = Symbol("meta");

/** @returns {Form} */
function newForm() {
  return {
    next: null,
    lastSign: undefined,
    lastForm: undefined,
    count: 0,
    shape: undefined,
    clusters: undefined,
    starts: undefined,
    sign: undefined,
    dullAmong: undefined,
    isTelling: undefined,
    isEven: undefined,
    nesting: undefined,
    kin: undefined,
  };
}

/**
 * What a spot is made of.
 * @param {Spot} spot
 */
export function formOf({ tag, style, kids, hasText, isMeta }) {
  let form = getOrCompute(style.forms, tag, newForm);
  form.count++;
  if (kids.length > MAX_FORMED) return newForm();
  if (isMeta) form = extended(form, META);
  if (hasText) form = extended(form, TEXTUAL);
  for (let at = 0; at < kids.length; at++) form = extended(form, kids[at].form);
  return form;
}

/**
 * How many elements there are by their tags and first class names; at times a few more, that turned out not to show.
 * @returns {Map<string, number>}
 */
export function signCounts() {
  const counts = new Map();
  for (const { classes, forms } of [PLAIN, ...styles.values()]) {
    for (const [tag, { count }] of forms) {
      const sign = signOf({ tag, classes });
      counts.set(sign, (counts.get(sign) ?? 0) + count);
    }
  }
  return counts;
}

/**
 * @param {Form} form
 * @param {any} sign of what comes next
 */
function extended(form, sign) {
  if (form.lastSign !== sign) {
    form.lastForm = getOrCompute((form.next ??= new Map()), sign, newForm);
    form.lastSign = sign;
  }
  return form.lastForm;
}

/**
 * What is told once of the elements with one tag and attributes of the same names.
 * @typedef {object} Markup
 * @property {string} tag
 * @property {string[]} names of the attributes
 * @property {boolean} isPassedOver true if nothing of it is read
 * @property {boolean} isMeta true if it is for machines and not shown
 * @property {boolean} isOpen true if what is in it is read
 * @property {boolean} isClassed
 * @property {boolean} isLink true if it says what leads where
 * @property {boolean} isHost true if something may be in its shadow
 * @property {boolean} isMarked true if it is said to be an advertisement
 * @property {boolean} hasRole
 * @property {AttributeReader[]|undefined} readers of the attributes that are values, once asked for
 */

/** How many sets of attributes of one tag are known: where each element has its own there is nothing to be told once. */
const MAX_MARKUPS = 64;

/** The makes by their tags. @type {Map<string, Markup[]>} */
export const markups = new Map();
export const newList = () => [];

/**
 * @param {string} tag
 * @param {string[]} names
 * @returns {Markup}
 */
export function markupOf(tag, names) {
  const known = getOrCompute(markups, tag, newList);
  for (let at = 0; at < known.length; at++) if (areSame(known[at].names, names)) return known[at];
  const has = (name) => names.includes(name);
  const isMeta = tag === "meta" || tag === "link";
  const markup = {
    tag,
    names,
    isPassedOver: SKIPPED_TAGS.has(tag),
    isMeta,
    isOpen: !isMeta && !CONTROLS.has(tag) && !MEDIA.has(tag),
    isClassed: has("class"),
    isLink: tag === "a" && has("rel"),
    isHost: canHostShadow(tag),
    isMarked: has("data-ad"),
    hasRole: has("role"),
    readers: undefined,
  };
  if (known.length < MAX_MARKUPS) known.push(markup);
  return markup;
}

/**
 * @param {string[]} one
 * @param {string[]} other
 */
function areSame(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/**
 * What is told of a `class` attribute once, however many elements have it.
 * @typedef {object} Style
 * @property {string[]} classes
 * @property {string} text the class names with spaces between
 * @property {string} dotted the class names as selectors have them, each with a dot before it
 * @property {boolean} isIcon
 * @property {boolean} isHeardOnly
 * @property {boolean} isNaming true if it is said to name something
 * @property {string[]} adverts the words of it that advertisements have
 * @property {Map<string, Form>} forms the forms of the elements with it, before anything in them, by their tags
 */

export const SHAPELESS = newForm();

/** @type {Map<string, Style>} */
export const styles = new Map();
export const PLAIN = /** @type {Style} */ ({ classes: [], text: "", dotted: "", isIcon: false, isHeardOnly: false, isNaming: false, adverts: EMPTY_LIST, forms: new Map() });

/**
 * @param {string|null} named
 * @returns {Style}
 */
export function styleOf(named) {
  return named ? getOrCompute(styles, named, newStyle) : PLAIN;
}

/**
 * @param {string} named
 * @returns {Style}
 */
function newStyle(named) {
  const classes = named.split(SPACES).filter(Boolean);
  const text = classes.join(" ");
  if (!text) return PLAIN;
  const adverts = text.toLowerCase().match(ADVERT) ?? EMPTY_LIST;
  const [isIcon, isHeardOnly] = [ICONS, SCREEN_READER_ONLY].map((pattern) => pattern.test(text));
  return { classes, text, dotted: `.${classes.join(".")}`, isIcon, isHeardOnly, isNaming: NAMING_CLASS.test(classes[0]), adverts, forms: new Map() };
}

/**
 * @param {{tag: string, classes: string[]}} spot
 * @returns {string}
 */
export function signOf({ tag, classes }) {
  return classes.length ? `${tag}.${classes[0]}` : tag;
}

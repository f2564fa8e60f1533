/** Shared properties of elements of one structure, computed once: by attributes, by class names, by content. */

import { getOrCompute } from "../../dom/memo.js";
import { canHostShadow, SPACES } from "../../dom/nodes.js";
import { ADVERT, CONTROLS, SCREEN_READER_ONLY, ICONS, MEDIA, NAMING_CLASS, NAMING_PART, EMPTY_LIST, HELP, SKIPPED_TAGS } from "./patterns.js";

/** @import { AttributeReader } from "./values.js" */
/** @import { Spot } from "./walk.js" */

/**
 * The form of elements that differ in texts, attributes and states only. It consists of tag and class names, text, and
 * the forms of the children.
 * @typedef {object} Form
 * @property {Map<any, Form>|null} next forms with one more child, by the child's form
 * @property {any} lastSign the child of the last lookup, which the next one mostly repeats
 * @property {any} lastForm and its form
 * @property {number} count of the elements, where it is that of a tag with class names and nothing more
 * @property {Set<string>} [shape] the paths of tags down to what holds something
 * @property {number[][]} [clusters] the places of children that are alike
 * @property {string[]} [starts] signs of children that start runs
 * @property {string} [sign] its tag and first class name
 * @property {number} [dullAmong] least number of similar items for which groups inside are irrelevant, up to `Infinity`
 * @property {boolean} [isTelling] true if the text is a value of its own
 * @property {boolean} [isEven] true if its children may be the rows of a table, or the cells of a grid
 * @property {Map<string|undefined, boolean>} [nesting] by class names, true if it holds another of its kind
 * @property {Map<Form|undefined, string[]>} [kin] by the forms of parents and by depth, the sign of its position
 */

/** The greatest number of children of a shared form: larger elements hardly ever repeat. */
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
 * Return the form of a spot.
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
 * Return the number of elements by tag and first class name; sometimes a few more, which turned out to be invisible.
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
 * @param {any} sign of the next part
 */
function extended(form, sign) {
  if (form.lastSign !== sign) {
    form.lastForm = getOrCompute((form.next ??= new Map()), sign, newForm);
    form.lastSign = sign;
  }
  return form.lastForm;
}

/**
 * Properties of elements with one tag and the same attribute names, computed once.
 * @typedef {object} Markup
 * @property {string} tag
 * @property {string[]} names of the attributes
 * @property {boolean} isPassedOver true if it is skipped
 * @property {boolean} isMeta true if it is for machines and not shown
 * @property {boolean} isOpen true if its content is read
 * @property {boolean} isClassed
 * @property {boolean} isLink true for a link with a `rel` attribute
 * @property {boolean} isHost true if it can have a shadow root
 * @property {boolean} isMarked true if marked as an advertisement
 * @property {boolean} hasRole
 * @property {AttributeReader[]|undefined} readers of the attributes that are values, once asked for
 */

/**
 * The greatest number of attribute sets per tag that are shared: where each element has its own, sharing gains nothing.
 */
const MAX_MARKUPS = 64;

/** The markups by tag. @type {Map<string, Markup[]>} */
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
 * Properties of a `class` attribute, shared by all elements that have it.
 * @typedef {object} Style
 * @property {string[]} classes
 * @property {string} text the class names with spaces between
 * @property {string} dotted the class names as selectors have them, each with a dot before it
 * @property {boolean} isIcon
 * @property {boolean} isHeardOnly
 * @property {boolean} isHelp true if the class names say that its text stands for a value, or explains a field
 * @property {boolean} isNaming true if the class names a label
 * @property {string[]} adverts the words of it that advertisements have
 * @property {Map<string, Form>} forms the forms of the elements with it, before anything in them, by their tags
 */

export const SHAPELESS = newForm();

/** @type {Map<string, Style>} */
export const styles = new Map();
export const PLAIN = /** @type {Style} */ ({ classes: [], text: "", dotted: "", isIcon: false, isHeardOnly: false, isHelp: false, isNaming: false, adverts: EMPTY_LIST, forms: new Map() });

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
  const [isIcon, isHeardOnly, isHelp] = [ICONS, SCREEN_READER_ONLY, HELP].map((pattern) => pattern.test(text));
  return { classes, text, dotted: `.${classes.join(".")}`, isIcon, isHeardOnly, isHelp, isNaming: NAMING_CLASS.test(classes[0]) || classes.some((name) => NAMING_PART.test(name)), adverts, forms: new Map() };
}

/**
 * @param {{tag: string, classes: string[]}} spot
 * @returns {string}
 */
export function signOf({ tag, classes }) {
  return classes.length ? `${tag}.${classes[0]}` : tag;
}

/** Tags, patterns and limits that the rooms of extraction share. */

/** @import { Spot } from "./walk.js" */

export const ASIDE = "nav, aside, body > footer, [role=navigation], [role=complementary], [role=contentinfo], :is([class*=breadcrumb], [class*=sidebar]):not(body, :has(main, [role=main], h1)), a[href^='#'][class*=skip]";
export const ADVERT = /(?<=^|[\s_-])(ad|ads|advert|advertisement|adslot|sponsor|sponsored|anzeige|werbung|publicite|publicidad|reklame?|mainos)(?=[\s_-]|$)/gi;

export const NO_SPOTS = /** @type {Set<Spot>} */ (new Set());

/**
 * An empty list that is never changed. It is not frozen, as the engine would then handle two kinds of lists everywhere.
 */
export const EMPTY_LIST = /** @type {any} */ ([""].slice(1));

export const NAMING_TAGS = new Set(["dt", "th", "label", "b", "strong", "legend", "caption"]);
export const NAMING_CLASS = /(label|key|term|caption|heading|head|title|name|prop|field|legend|lbl|^k)$/i;
/** The end of a class that names a label wherever it stands among the classes: "t-14 ant-form-item-label". */
export const NAMING_PART = /[_-](label|lbl)$/i;
export const HEADING = /^h[1-6]$/;
export const SCREEN_READER_ONLY = /(^|[\s_-])(sr-only|sronly|visually-?hidden|visuallyhidden|screen-reader(-text)?|screenreader|assistive|a11y|clipped|offscreen|u-hidden)([\s_-]|$)/i;

/** Class names of the text in an empty field, and of the help below it. */
export const HELP = /(^|[\s_-])(placeholder|helper-?text|help-?text|help-?block|form-text|field-?hint)([\s_-]|$)/i;

export const MAX_CELL = 4000;
export const MAX_LABEL = 48;
/** Longest heading or name: each value below it has it, and words are compared with it. */
export const MAX_HEADING = 500;
export const VALUE_ATTRIBUTE = /^data-(?!testid|test|v-|react|bs-|toggle|target|index|track|analytics|cy$|qa)[a-z][a-z_-]*$/;
export const ICONS = /(^|[\s_-])(star|stars|icon|rating|check|tick|flag|fa|badge|dot|status)([\s_-]|$)/i;
/** Words before an author, in the languages of the lexicon. */
export const BY = "by|von|par|por|di|door|av|af|przez";
/** The change of a figure: "+4.2 %", "▼ 12". */
export const CHANGE = /^\(?(?:[+−–-]\s?\d[\d.,]*\s?(?:%|pp\b)|[▲▼△▽▴▾↑↓↗↘⬆⬇]\s?[+−–-]?\s?\d)/;
export const WORDLIKE = /\p{L}/u;
export const SKIPPED_TAGS = new Set(
  ("script style noscript template head svg iframe object embed canvas datalist map area base title " +
    "option optgroup col colgroup frame frameset math rp").split(" "),
);
export const PHRASING_TAGS = new Set(
  ("a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark output q s samp small span strike strong sub " +
    "sup time tt u var ruby rb rt wbr nobr button").split(" "),
);
export const CONTROLS = new Set(["input", "select", "textarea", "meter", "progress"]);
export const MEDIA = new Set(["audio", "video"]);

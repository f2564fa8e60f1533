/** Lines that hold several values: "Berlin · full time · 3 days ago". */

import { collapseSpaces } from "../../dom/nodes.js";

/** Matches a text that can be a name and a value, or several values. */
export const DIVIDED = /[#:：|·•–—/∙⋅›»(]/;
const BARE_NUMBER = /^\W?\d[\d.,:/ ]*\D?$/;
/** A mark between the parts of a line, which no name contains: "Member since 2021 · Plan: Pro". */
export const MARK = /[|·•∙⋅]/;
const SEPARATOR = /\s+[|·•–—/∙⋅›»]\s+|\s*[|·•∙⋅]\s*/;

/**
 * Return the parts of a line such as "Berlin · full time · 3 days ago".
 * @param {string} text
 * @returns {string[]}
 */
export function partsOf(text) {
  if (text.length > 240 || !SEPARATOR.test(text)) return [];
  const parts = text.split(SEPARATOR).map(collapseSpaces).filter(Boolean);
  // A range: "2019 – present".
  if (!MARK.test(text) && (parts.every((part) => /\d/.test(part)) || parts.some((part) => BARE_NUMBER.test(part)))) return [];
  return parts.length > 1 && parts.length <= 8 ? parts : [];
}

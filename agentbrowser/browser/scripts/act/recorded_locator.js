/** Locators of elements for recordings, by which an exported test finds them again. */

import { clearMemo } from "../dom/memo.js";
import { nameOf } from "../dom/names.js";
import { attributeOf, parentOrHostOf, queryRoot, topOf } from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { idSelector, pathTo } from "../observe/selectors.js";
import { rowOf } from "./recorded_row.js";
import { isOnlyOfName } from "./selector_evaluator.js";

const MAX_NAME = 150;
/** More elements of one role, or of its tags, are not compared: an action would wait for it. */
const MAX_OF_ROLE = 300;
/** Ids that a page makes up anew for each visit. */
const VOLATILE_ID = /\d{4}|^[^a-z]|[0-9a-f]{8}|[:«»]/i;

/**
 * @typedef {object} Locator
 * @property {string} css that matches only the element
 * @property {string} role
 * @property {string} name
 * @property {boolean} isOnly true if no other visible element has this role and name
 * @property {import("./recorded_row.js").Row} [row] that has words of its own, if `css` depends on the place of the element
 */

/**
 * @param {any} element
 * @returns {Locator}
 */
export function locatorOf(element) {
  const role = roleOf(element) ?? "";
  const name = role && nameOf(element);
  const shown = name.length <= MAX_NAME ? name : "";
  const isOnly = shown !== "" && isOnlyOfName(element, role, shown, MAX_OF_ROLE);
  const css = cssOf(element);
  const isPlace = !isOnly && css.includes(":nth-child(") && !css.includes(":host");
  return { css, role, name: shown, isOnly, row: isPlace ? rowOf(element, css, { role, name: shown, most: MAX_OF_ROLE }) : undefined };
}

/**
 * Return a path of child steps to an element from the nearest element with an id that is its own.
 * @param {any} element
 * @returns {string}
 */
function cssOf(element) {
  const path = pathTo(element, null);
  if (path.includes(":host")) return path; // its steps through shadow roots hold combinators
  const steps = path.split(" > ");
  for (let node = element, count = 0; node && node !== topOf(document); node = parentOrHostOf(node), count += 1) {
    const id = attributeOf(node, "id");
    if (!id || VOLATILE_ID.test(id) || queryRoot(document, idSelector(id)).length !== 1) continue;
    return [idSelector(id), ...steps.slice(steps.length - count)].join(" > ");
  }
  return path;
}

/**
 * Return a selector of the element that embeds a frame.
 * @param {null} _
 * @param {any} owner
 */
export function ownerCss(_, owner) {
  clearMemo();
  return { css: cssOf(owner) };
}

/** Listing of folds: the pattern of their names, and the cursor to their hidden rows. */

import { nameOf } from "../dom/names.js";
import { parentOrHostOf, shorten, tagOf } from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { MAX_NAME, shownRole } from "./element_fields.js";
import { fold } from "./folds.js";
import { anchorOf, pathTo } from "./selectors.js";

/** @import { Fold } from "./folds.js" */
/** @import { Wanted } from "./observe.js" */
/** @import { Entry, Registry } from "./refs.js" */
/** @import { Found, Scan } from "./scan.js" */

/**
 * Return the fold of a row, or the one that it had when the client observed it.
 * @param {Fold[]} folds
 * @param {Entry} entry of the element after which the client continues
 * @returns {Fold|undefined}
 */
function foldFor(folds, entry) {
  const element = entry.element.deref();
  const isIn = ({ anchor, hidden }) => anchor.element === element || hidden.some((found) => found.element === element);
  const holds = ({ container, key }) => container === entry.fold?.container.deref() && key === entry.fold.key;
  return folds.find(isIn) ?? folds.find(holds);
}

/**
 * Return the elements to list, and the folds that stand for the others.
 * @param {Scan} look
 * @param {Found[]} chosen
 * @param {Wanted} wanted
 * @param {Entry|undefined} last the element after which the client continues
 * @returns {{listed: Found[], folds: Fold[]}|null} null if the fold to list is gone
 */
export function listedOf(look, chosen, wanted, last) {
  if (!wanted.fold || !wanted.isListed) return { listed: chosen, folds: [] };
  const { listed, folds } = fold(look, chosen);
  if (!wanted.isBehindFold) return { listed, folds };
  const one = foldFor(folds, last);
  return one ? { listed: one.hidden, folds: [] } : null;
}

/**
 * Return the folds of the listed elements, and the number of elements that other folds hide.
 * @param {Scan} look
 * @param {Registry} refs
 * @param {Fold[]} folds
 * @param {Found[]} page the elements listed
 * @param {Found[]} rest these and those that later pages list
 */
export function listedFolds(look, refs, folds, page, rest) {
  const shown = new Set(folds.length ? page : []);
  const all = new Set(folds.length ? rest : []);
  const shownFolds = folds.filter(({ anchor }) => shown.has(anchor)).map((one) => describeFold(look, refs, one));
  const later = folds.filter(({ anchor }) => all.has(anchor) && !shown.has(anchor));
  return { folds: shownFolds, hidden: later.reduce((count, one) => count + one.hidden.length, 0) };
}

/**
 * Describe a fold for the wire protocol. Its anchor has a ref already.
 * @param {Scan} look
 * @param {Registry} refs
 * @param {Fold} one
 */
function describeFold(look, refs, one) {
  const { container, key, template } = one;
  const entry = refs.byElement.get(one.anchor.element);
  entry.fold = { container: new WeakRef(container), key };
  const owner = tagOf(container) === "tbody" ? parentOrHostOf(container) ?? container : container;
  return {
    selector: { type: "css", value: anchorOf(container, look) ?? pathTo(container, look) },
    role: roleOf(owner) ?? undefined,
    name: shorten(nameOf(owner), MAX_NAME) || undefined,
    count: one.rows,
    shown: one.rows - one.hiddenRows,
    template: template.map(({ found, name }) => described(refs, found, name)),
    cursor: `r0${entry.ref}`,
  };
}

/**
 * @param {Registry} refs
 * @param {Found} found
 * @param {string|undefined} name
 */
function described(refs, { element, role, tag }, name) {
  return { ref: refs.byElement.get(element)?.ref, role: shownRole(role, tag), name };
}

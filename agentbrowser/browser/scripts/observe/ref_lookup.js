/** Lookup of refs: the element that a ref means now, and a node that replaced it. */

import { clearMemo } from "../dom/memo.js";
import { tagOf } from "../dom/nodes.js";
import { roleOf } from "../dom/roles.js";
import { nameFor, shownRole } from "./element_fields.js";
import { shortFingerprint, differs, identitiesOf, isAlive, fingerprintOf, registryHere } from "./refs.js";
import { scan } from "./scan.js";
import { keysOf, pathTo } from "./selectors.js";

/** @import { Entry, Registry } from "./refs.js" */

/**
 * Revert the last observation of elements, since it does not reach the client, which acts on the one before.
 * @param {{refs: string[]|null}} wanted null for all of them
 */
export function revertObservation({ refs }) {
  const registry = registryHere();
  for (const entry of (refs ?? registry.described).map((ref) => registry.byRef.get(ref))) {
    if (entry?.before) entry.print = entry.before;
    else if (entry) registry.drop(entry);
  }
  return {};
}

/**
 * Return the state of a ref, with a selector that matches only its element.
 * @param {{ref: string}} wanted
 */
export function locate({ ref }) {
  clearMemo();
  const refs = registryHere();
  const entry = refs.byRef.get(ref);
  if (!entry) return { state: "unknown", document: refs.id };
  if (!isAlive(entry) && !findReplacement(entry, refs)) return { state: "gone" };
  const element = entry.element.deref();
  const after = currentFingerprint(entry, element);
  if (differs(entry.print, after)) return { state: "changed", before: shortFingerprint(entry.print), after: shortFingerprint(after) };
  return { state: "here", css: pathTo(element, null) };
}

/**
 * Return the current fingerprint of an entry's element.
 * @param {Entry} entry
 * @param {any} element
 */
export function currentFingerprint(entry, element) {
  const tag = tagOf(element);
  const control = tag === "label" ? element.control ?? element : element;
  const found = { element, control, tag, role: roleOf(control), isControl: entry.isAct, isClickable: entry.isAct };
  return fingerprintOf(found, nameFor(found), entry.print.row === undefined);
}

/**
 * Find the only node that can replace a missing one, and move the ref to it; return true if there is one.
 * @param {Entry} entry
 * @param {Registry} refs
 */
export function findReplacement(entry, refs) {
  const look = scan();
  const orphans = refs.orphans();
  const successor = look.found.find((found) => {
    if (refs.byElement.has(found.element) || shownRole(found.role, found.tag) !== entry.print.role) return false;
    const keys = keysOf(look, found, nameFor(found));
    const identities = identitiesOf(keys, fingerprintOf(found, nameFor(found), Boolean(keys.name)));
    return identities.some((identity) => orphans.get(identity) === entry);
  });
  clearMemo();
  if (successor) refs.attach(entry, successor.element);
  return successor !== undefined;
}

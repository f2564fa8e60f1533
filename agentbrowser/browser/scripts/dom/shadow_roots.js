/** Open shadow roots that were met: the document does not report changes in them, and to search for them is slow. */

import { isConnected } from "./nodes.js";

const MAX_ROOTS = 1000;

/** @type {WeakSet<ShadowRoot>} */
const known = new WeakSet();
/** @type {Set<WeakRef<ShadowRoot>>} */
const references = new Set();

/**
 * Remember a shadow root; return true if it is new.
 * @param {ShadowRoot} root
 */
export function rememberShadow(root) {
  if (known.has(root) || references.size >= MAX_ROOTS) return false;
  known.add(root);
  references.add(new WeakRef(root));
  return true;
}

/**
 * Return the remembered shadow roots of the document, and forget the others.
 * @returns {ShadowRoot[]}
 */
export function rememberedShadows() {
  const roots = [];
  for (const reference of references) {
    const root = reference.deref();
    if (root && isConnected(root)) {
      roots.push(root);
      continue;
    }
    references.delete(reference);
    if (root) known.delete(root);
  }
  return roots;
}

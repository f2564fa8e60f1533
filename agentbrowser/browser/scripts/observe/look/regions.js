/** Regions of a page: landmarks, dialogs and live regions. */

import { attributeOf, hasAttribute, matches, shorten } from "../../dom/nodes.js";
import { nameOf } from "../../dom/names.js";
import { roleOf } from "../../dom/roles.js";

/** @import { FlatElement } from "./flat_tree.js" */

const TAGS = new Set("aside dialog footer form header main nav output search section".split(" "));
const REGIONS = new Set(
  "alertdialog banner complementary contentinfo dialog form main navigation region search".split(" "),
);
const LIVE_ROLES = new Map(Object.entries({ alert: "alert", alertdialog: "", log: "status", status: "status", timer: "" }));
const MAX_NAME = 80;

/**
 * @typedef {object} Region
 * @property {string} role of the landmark; "" for none
 * @property {string} name
 * @property {Element|null} element
 * @property {string} live kind of the live region: `alert`, `status` or ""
 * @property {Element|null} liveElement
 * @property {boolean} isModal
 */

/** @type {Region} */
const NONE = { role: "", name: "", element: null, live: "", liveElement: null, isModal: false };

/**
 * @param {FlatElement} node
 * @returns {Region}
 */
export function regionOf(node) {
  return (node.region ??= computeRegion(node));
}

/** @param {FlatElement} node */
function computeRegion({ element, tag, isBare, parent }) {
  let region = parent ? regionOf(parent) : NONE;
  if (!TAGS.has(tag) && (isBare || (!hasAttribute(element, "role") && !hasAttribute(element, "aria-live")))) return region;
  const role = roleOf(element) ?? "";
  const live = liveKind(element, role);
  if (live !== null) region = { ...region, live, liveElement: live ? element : null };
  if (!REGIONS.has(role)) return region;
  const isModal = region.isModal || attributeOf(element, "aria-modal") === "true" || (tag === "dialog" && matches(element, ":modal"));
  return { ...region, role, name: shorten(nameOf(element), MAX_NAME), element, isModal };
}

/**
 * @param {Element} element
 * @param {string} role
 */
function liveKind(element, role) {
  const declared = attributeOf(element, "aria-live")?.toLowerCase();
  if (declared === "off") return "";
  if (declared === "assertive") return "alert";
  return LIVE_ROLES.get(role) ?? (declared === "polite" ? "status" : null);
}

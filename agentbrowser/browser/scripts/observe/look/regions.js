/** Regions of a page: landmarks, dialogs and live regions. */

import { flatTreeParentOf } from "../../dom/hit_test.js";
import { getOrCompute, memo } from "../../dom/memo.js";
import { attributeOf, hasAttribute, matches, shorten, tagOf } from "../../dom/nodes.js";
import { nameOf } from "../../dom/names.js";
import { roleOf } from "../../dom/roles.js";

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
 * @param {Element} element
 * @returns {Region}
 */
export function regionOf(element) {
  return getOrCompute(memo.regions, element, computeRegion);
}

/** @param {Element} element */
function computeRegion(element) {
  const holder = flatTreeParentOf(element);
  let region = holder ? regionOf(holder) : NONE;
  const tag = tagOf(element);
  if (!TAGS.has(tag) && !hasAttribute(element, "role") && !hasAttribute(element, "aria-live")) return region;
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

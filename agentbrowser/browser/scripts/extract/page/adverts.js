/** Advertisements among items. */

import { addToList } from "../../dom/memo.js";
import { attributeOf } from "../../dom/nodes.js";
import { ADVERT, NO_SPOTS, EMPTY_LIST } from "./patterns.js";
import { textOfSpot } from "./walk.js";

/** @import { Spot } from "./walk.js" */

const ADVERT_TEXT = /^(ad|ads|advertisement|sponsored|anzeige|gesponsert|werbung|publicité|sponsorisé|patrocinado|publicidad|sponsorizzato|pubblicità|advertentie|gesponsord|annons|reklama|mainos|maksettu mainos|広告)(?=[\s:·.]|$)/i;
const MAX_PAID_TEXT = 400;
const AD_HOSTS = /(^|\.)(doubleclick|googlesyndication|googleadservices|adservice|adnxs|taboola|outbrain|criteo|amazon-adsystem)\./i;
const SLOT_NAMES = ["id", "name", "title", "class", "aria-label"];
/** The sizes of frames that only advertisements have. */
const AD_SIZES = new Set("120x600 160x600 234x60 300x250 300x600 320x50 320x100 336x280 468x60 728x90 970x90 970x250".split(" "));
/** The number of elements around a frame that may name the slot of an advertisement. */
const MAX_SLOT_DEPTH = 2;

/**
 * Return true if an element is an advertisement among its siblings. A sign that most of them have does not count.
 * @param {Spot} spot
 * @returns {boolean}
 */
export function isAdvert(spot) {
  return spot.parent !== null && advertsOf(spot.parent).has(spot);
}

/** @param {Spot} parent */
export function advertsOf(parent) {
  return (parent.adverts ??= advertsAmong(parent.kids));
}

/** @param {Spot[]} kids */
function advertsAmong(kids) {
  /** @type {Map<string, Spot[]>|null} */
  let bySign = null;
  for (let at = 0; at < kids.length; at++) {
    const signs = advertSigns(kids[at]);
    if (signs !== EMPTY_LIST) for (const sign of signs) addToList((bySign ??= new Map()), sign, kids[at]);
  }
  if (!bySign) return NO_SPOTS;
  const found = new Set();
  for (const marked of bySign.values()) {
    if (marked.length * 2 <= kids.length || kids.length < 3) for (const kid of marked) found.add(kid);
  }
  return found;
}

/**
 * @param {Spot} spot
 * @returns {Iterable<string>}
 */
function advertSigns(spot) {
  const first = firstWords(spot);
  const isLabelled = first.length < 24 && ADVERT_TEXT.test(first);
  const isPaid = spot.isPaid && textOfSpot(spot).length < MAX_PAID_TEXT;
  const { isMarked } = spot.make;
  if (!(isLabelled || isPaid || isMarked || spot.style.adverts.length)) return EMPTY_LIST;
  return new Set([...spot.style.adverts, isMarked && "data-ad", isPaid && "paid", isLabelled && "said"].filter(Boolean));
}

/**
 * @param {Spot} spot
 * @returns {string}
 */
function firstWords(spot) {
  const { pieces } = spot;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece === " ") continue;
    const text = typeof piece === "string" ? piece.trim() : firstWords(piece);
    if (text) return text;
  }
  return "";
}

/** Return true if this document is in the frame of an advertisement, by its size and the names of it and of its host. */
export function isAdvertFrame() {
  if (isAdvertName(window.name) || AD_HOSTS.test(location.hostname)) return true;
  if (AD_SIZES.has(`${window.innerWidth}x${window.innerHeight}`)) return true;
  let holder = window.frameElement; // null in a frame of another origin
  for (let depth = 0; holder && depth <= MAX_SLOT_DEPTH; depth++, holder = holder.parentElement) {
    for (const name of SLOT_NAMES) if (isAdvertName(attributeOf(holder, name) ?? "")) return true;
  }
  return false;
}

/** @param {string} text */
function isAdvertName(text) {
  return text.toLowerCase().match(ADVERT) !== null;
}

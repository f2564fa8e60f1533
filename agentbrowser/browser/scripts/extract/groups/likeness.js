/** Similarity of elements by structure, and clusters of similar children. */

import { advertsOf } from "../page/adverts.js";
import { CONTROLS, NO_SPOTS, EMPTY_LIST } from "../page/patterns.js";
import { SHAPELESS } from "../page/structure.js";

/** @import { Spot } from "../page/walk.js" */

const MAX_SHAPE = 60;
export const MAX_CLUSTERS = 12;
export const MIN_SIMILARITY = 0.5;
const MIN_SIMILARITY_BY_TAG = 0.25;

/**
 * A cluster of similar children.
 * @typedef {object} Cluster
 * @property {Spot} first
 * @property {Set<string>} shape the largest
 * @property {number[]} places
 */

/**
 * Return the shape of an element: the paths of tags down to content.
 * @param {Spot} spot
 * @returns {Set<string>}
 */
export function shapeFor(spot) {
  return (spot.form.shape ??= describeShape(spot));
}

/** @param {Spot} spot */
function describeShape(spot) {
  const shape = new Set();
  const look = (part, path) => {
    if (shape.size >= MAX_SHAPE || part.isMeta) return;
    if (part.hasText || CONTROLS.has(part.tag) || part.tag === "img") shape.add(path);
    let last = null;
    for (const kid of part.kids) {
      if (kid.form !== last) look(kid, `${path}>${kid.tag}`);
      last = kid.form;
    }
  };
  look(spot, spot.tag);
  return shape;
}

/**
 * Return the similarity of two shapes, 0 to 1.
 * @param {Set<string>} one
 * @param {Set<string>} two
 */
export function similarity(one, two) {
  if (one === two) return one.size ? 1 : 0;
  let common = 0;
  for (const path of one) if (two.has(path)) common++;
  const least = Math.min(one.size, two.size);
  return least === 0 ? 0 : (common / least + common / (one.size + two.size - common)) / 2;
}

/**
 * Return the clusters of similar children.
 * @param {Spot} parent
 * @returns {Spot[][]}
 */
export function clustersIn(parent) {
  const { form, kids } = parent;
  form.clusters ??= clusterPlaces(kids, NO_SPOTS);
  if (form.clusters.length === 0 && kids.length <= MAX_CLUSTERS) return EMPTY_LIST;
  const adverts = advertsOf(parent);
  const places = adverts.size ? clusterPlaces(kids, adverts) : form.clusters;
  return places.map((alike) => alike.map((place) => kids[place]));
}

/**
 * @param {Spot[]} kids
 * @param {Set<Spot>} adverts
 * @returns {number[][]} the indexes of similar children, by cluster
 */
export function clusterPlaces(kids, adverts) {
  /** @type {Cluster[]} */
  const clusters = [];
  let form = SHAPELESS;
  let fitting = null;
  kids.forEach((spot, place) => {
    if (spot.isMeta || spot.tag === "br" || spot.tag === "hr" || adverts.has(spot)) return;
    if (spot.form !== form) fitting = fittingCluster(clusters, spot);
    form = spot.form;
    fitting?.places.push(place);
  });
  return clusters.filter(({ places }) => places.length > 1).map(({ places }) => places);
}

/**
 * Return the cluster of an element, a new one if necessary; null where there are too many.
 * @param {Cluster[]} clusters
 * @param {Spot} spot
 */
function fittingCluster(clusters, spot) {
  const shape = shapeFor(spot);
  if (shape.size === 0) return null;
  const isLikeThose = (it) => it.shape === shape || similarity(it.shape, shape) >= leastSimilarity(it.first, spot);
  let fitting = clusters.find((it) => it.first.tag === spot.tag && isLikeThose(it));
  if (!fitting && clusters.length >= MAX_CLUSTERS) return null;
  if (!fitting) clusters.push((fitting = { first: spot, shape, places: [] }));
  else if (shape.size > fitting.shape.size) fitting.shape = shape;
  return fitting;
}

/**
 * Return the least similarity for one kind: less where tag or class names agree.
 * @param {Spot} one
 * @param {Spot} two
 */
export function leastSimilarity(one, two) {
  if (one.tag === "li" || one.tag === "article") return MIN_SIMILARITY_BY_TAG;
  const shared = one.classes.filter((name) => two.classes.includes(name)).length;
  return shared && shared * 2 >= Math.max(one.classes.length, two.classes.length) ? MIN_SIMILARITY_BY_TAG : MIN_SIMILARITY;
}

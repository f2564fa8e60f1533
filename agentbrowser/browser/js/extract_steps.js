"use strict";
/** Where in a record an element stands: records are laid over each other, so that one place has one name in all. */

const MAX_COMPARED = 12;
const NUMBERS = /\d+/g;

/**
 * Where in a record an element stands.
 * @typedef {object} Position
 * @property {string} named the steps to it, with class names
 * @property {string} plain the same without
 * @property {Map<string, any>} buckets the values that stand there, by their kind
 */

/**
 * Children of one tag that stand at one place.
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} classes
 * @property {Spot[]} spots
 * @property {Set<Spot>} parents
 */

/**
 * Name the place of each element in the records: the steps to it from the root, with class names and without.
 * @param {Root[][]} records
 * @param {Set<Spot>|null} stops the records themselves, where one may be in another
 */
function nameSteps(records, stops) {
  const bySlot = new Map();
  for (const roots of records) for (const { spot, slot } of roots) recall(bySlot, slot, () => new Set()).add(spot);
  /** @type {[string, string, Iterable<Spot>][]} */
  const coming = [...bySlot].map(([slot, spots]) => [slot, slot, spots]);
  while (coming.length) {
    const [named, plain, spots] = coming.pop();
    const byTag = new Map();
    const place = { named, plain, buckets: new Map() };
    for (const spot of spots) {
      spot.place = place;
      for (const kid of spot.kids) if (!stops?.has(kid)) index(byTag, kid.tag, kid);
    }
    for (const [tag, kids] of byTag) {
      for (const step of stepsOf(kids)) coming.push([`${named}>${step.name}`, `${plain}>${tag}`, step.spots]);
    }
  }
}

/**
 * Tell children of one tag apart by their class names: where these differ between records only, they are a state, or a
 * number of the record.
 * @param {Spot[]} kids
 * @returns {Step[]}
 */
function stepsOf(kids) {
  /** @type {Map<string, Step>} */
  const byName = new Map();
  for (const kid of kids) {
    const name = kid.tag + kid.style.dotted;
    const step = recall(byName, name, () => ({ name, classes: kid.classes, spots: [], parents: new Set() }));
    step.spots.push(kid);
    step.parents.add(kid.parent);
  }
  if (byName.size === 1) return [...byName.values()];
  const steps = [];
  for (const step of [...byName.values()].sort((one, two) => two.spots.length - one.spots.length)) {
    const same = steps.slice(0, MAX_COMPARED).find((other) => isSameStep(step, other));
    if (!same) steps.push(step);
    else {
      for (const spot of step.spots) same.spots.push(spot);
      for (const parent of step.parents) same.parents.add(parent);
    }
  }
  return steps;
}

/**
 * @param {Step} one
 * @param {Step} two
 */
function isSameStep(one, two) {
  for (const parent of one.parents) if (two.parents.has(parent)) return false;
  if (one.name.replace(NUMBERS, "0") === two.name.replace(NUMBERS, "0")) return true;
  const [first] = one.spots;
  const [second] = two.spots;
  if (first.kids.length === 0 || second.kids.length === 0 || first.hasText || second.hasText) return false;
  return one.classes.some((name) => two.classes.includes(name)) || likeness(shapeFor(first), shapeFor(second)) >= ALIKE;
}

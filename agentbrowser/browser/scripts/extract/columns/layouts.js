/** Positions of elements in records: records are aligned, so that a position has one name in all of them. */

import { addToList, getOrCompute } from "../../dom/memo.js";
import { MIN_SIMILARITY, similarity, shapeFor } from "../groups/likeness.js";

/** @import { Form } from "../page/structure.js" */
/** @import { Spot } from "../page/walk.js" */
/** @import { Bucket, Sighting } from "./buckets.js" */
/** @import { Root } from "./columns.js" */

const MAX_COMPARED = 12;
const NUMBERS = /\d+/g;

/**
 * The position of an element in a record.
 * @typedef {object} Position
 * @property {string} named the steps to it, with class names
 * @property {string} plain the same without
 * @property {Sighting[]} sightings elements at this position
 * @property {Bucket[]} buckets their values
 */

/**
 * The elements of one form at one position, with all inside them: one element describes them all.
 * @typedef {object} Layout
 * @property {Spot} model
 * @property {number} count of the elements
 * @property {Position|undefined} place
 * @property {(Layout|null)[]} kids the layouts of its children, null for those that are records themselves
 */

/**
 * Children of one tag at one position.
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} classes
 * @property {Map<Form|Spot, Layout>} layouts by the forms
 * @property {number} count of the elements
 * @property {Set<Layout>} parents
 */

/** Positions of the elements in the records of a group: steps from the root, with class names and without. */
export class Layouts {
  /**
   * @param {Root[][]} records
   * @param {Set<Spot>|null} stops the records, where one can be inside another: no two elements share a layout then
   */
  constructor(records, stops) {
    this.stops = stops;
    /** @type {Map<string, Spot[]>} */
    const bySlot = new Map();
    for (const roots of records) for (const { spot, slot } of roots) addToList(bySlot, slot, spot);
    /** @type {Map<Form|Spot, Layout>[]} */
    this.slots = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    /** The first slot of each element, where it can have several, or lie in another that has one. */
    this.first = bySlot.size > 1 ? sharedSlots(bySlot, records) : null;
    for (const [slot, spots] of bySlot) {
      const layouts = new Map();
      for (const spot of bySlot.size > 1 ? new Set(spots) : spots) this.add(layouts, spot, 1);
      this.layOut(slot, layouts);
      this.numbers.set(slot, this.slots.push(layouts) - 1);
    }
  }

  /**
   * @param {Root} root
   * @returns {Layout}
   */
  of({ spot, slot }) {
    if (this.first) return this.firstOf(spot);
    return this.slots[this.numbers.get(slot)].get(this.keyOf(spot));
  }

  /**
   * Return the layout of an element in several slots, or inside one that has a slot: by the first of them.
   * @param {Spot} spot
   */
  firstOf(spot) {
    let top = spot;
    for (let ancestor = spot; ancestor; ancestor = ancestor.parent) if (this.first.get(ancestor) <= this.first.get(top)) top = ancestor;
    const path = [];
    for (let ancestor = spot; ancestor !== top; ancestor = ancestor.parent) path.push(ancestor.parent.kids.indexOf(ancestor));
    const layout = this.slots[this.first.get(top)].get(this.keyOf(top));
    return path.reduceRight((found, place) => found.kids[place], layout);
  }

  /** @param {Spot} spot */
  keyOf(spot) {
    return this.stops ? spot : spot.form;
  }

  /**
   * @param {Map<Form|Spot, Layout>} layouts
   * @param {Spot} spot
   * @param {number} count
   */
  add(layouts, spot, count) {
    const layout = getOrCompute(layouts, this.keyOf(spot), () => ({ model: spot, count: 0, place: undefined, kids: [] }));
    layout.count += count;
    return layout;
  }

  /**
   * Assign positions to the elements of a slot, and to all below.
   * @param {string} slot
   * @param {Map<Form|Spot, Layout>} top
   */
  layOut(slot, top) {
    /** @type {[string, string, Map<Form|Spot, Layout>][]} */
    const stack = [[slot, slot, top]];
    while (stack.length) {
      const [named, plain, layouts] = stack.pop();
      const place = { named, plain, sightings: [], buckets: [] };
      const byTag = new Map();
      for (const layout of layouts.values()) {
        layout.place = place;
        layout.kids = layout.model.kids.map((kid) => (this.stops?.has(kid) ? null : this.step(byTag, layout, kid)));
      }
      for (const [tag, byName] of byTag) {
        for (const step of stepsOf(byName)) stack.push([`${named}>${step.name}`, `${plain}>${tag}`, step.layouts]);
      }
    }
  }

  /**
   * Return the layout of a child, among those of its tag and class names.
   * @param {Map<string, Map<string, Step>>} byTag
   * @param {Layout} parent
   * @param {Spot} kid
   */
  step(byTag, parent, kid) {
    const byName = getOrCompute(byTag, kid.tag, () => new Map());
    const name = kid.tag + kid.style.dotted;
    const step = getOrCompute(byName, name, () => ({ name, classes: kid.classes, layouts: new Map(), count: 0, parents: new Set() }));
    step.count += parent.count;
    step.parents.add(parent);
    return this.add(step.layouts, kid, parent.count);
  }
}

/**
 * Return the index of each element's first slot; null where each element has one slot of its own.
 * @param {Map<string, Spot[]>} bySlot
 * @param {Root[][]} records
 * @returns {Map<Spot, number>|null}
 */
function sharedSlots(bySlot, records) {
  const first = new Map();
  let isShared = false;
  [...bySlot.values()].forEach((spots, at) => {
    for (const spot of spots) {
      if (!first.has(spot)) first.set(spot, at);
      else if (first.get(spot) !== at) isShared = true;
    }
  });
  return isShared || records.some((roots) => roots.some(({ isShell }) => isShell)) ? first : null;
}

/**
 * Group children of one tag by class names. Names that differ between records only are a state, or a number of the
 * record.
 * @param {Map<string, Step>} byName
 * @returns {Iterable<Step>}
 */
function stepsOf(byName) {
  if (byName.size === 1) return byName.values();
  const steps = [];
  for (const step of [...byName.values()].sort((one, two) => two.count - one.count)) {
    const same = steps.slice(0, MAX_COMPARED).find((other) => isSameStep(step, other));
    if (!same) steps.push(step);
    else {
      for (const [key, layout] of step.layouts) same.layouts.set(key, layout);
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
  const [first, second] = [one, two].map(({ layouts }) => layouts.values().next().value.model);
  if (first.kids.length === 0 || second.kids.length === 0 || first.hasText || second.hasText) return false;
  return one.classes.some((name) => two.classes.includes(name)) || similarity(shapeFor(first), shapeFor(second)) >= MIN_SIMILARITY;
}

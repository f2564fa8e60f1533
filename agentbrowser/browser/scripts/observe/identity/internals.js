/**
 * Roles and states that custom elements set by their `ElementInternals`: no attribute shows them. It runs in the page's
 * world, so it takes the functions that it needs before a script of the page can replace them.
 */

const { apply } = Reflect;
const { getOwnPropertyDescriptor } = Object;
const { stringify } = JSON;
const { addEventListener } = EventTarget.prototype;
const { preventDefault } = Event.prototype;
const { get: lookUp, set: store } = WeakMap.prototype;
const { get: elementOf } = /** @type {any} */ (getOwnPropertyDescriptor(MouseEvent.prototype, "relatedTarget"));
const KEPT = [
  "role", "ariaChecked", "ariaCurrent", "ariaDisabled", "ariaExpanded", "ariaHasPopup", "ariaInvalid", "ariaLabel", "ariaPressed",
  "ariaReadOnly", "ariaSelected", "ariaValueNow", "ariaValueText",
];
/** @type {{attribute: string, read: any}[]} */
const readers = [];
for (const key of KEPT) {
  const read = getOwnPropertyDescriptor(ElementInternals.prototype, key)?.get;
  if (read) readers.push({ attribute: key.toLowerCase().replace("aria", "aria-"), read });
}

/**
 * Keep the internals that elements attach, and answer for those of an element, by attribute names as JSON.
 * @param {(of: any, key: string, handler: any) => any} replace wraps a function of the page
 * @param {string} name of the events
 * @param {(data: string) => void} answer
 */
export function keepInternals(replace, name, answer) {
  const kept = new WeakMap();
  replace(HTMLElement.prototype, "attachInternals", {
    apply(native, self, args) {
      const internals = apply(native, self, args);
      apply(store, kept, [self, internals]);
      return internals;
    },
  });
  apply(addEventListener, performance, [name, (/** @type {any} */ event) => {
    const internals = apply(lookUp, kept, [apply(elementOf, event, [])]);
    if (!internals) return;
    apply(preventDefault, event, []);
    /** @type {any} */
    const held = { __proto__: null };
    for (let i = 0; i < readers.length; i++) {
      const value = apply(readers[i].read, internals, []);
      if (value !== null) held[readers[i].attribute] = value;
    }
    answer(stringify(held));
  }]);
}

/**
 * Selectors of the elements that a delegated listener is for: those in the source of its handlers, such as
 * `event.target.closest(".day")`, and those that jQuery keeps beside them. It runs in the page's world, so it takes the
 * functions that it needs before a script of the page can replace them.
 */

export const CLICK = 1;
export const DOUBLE = 2;
export const PRESS = 4;

/** Kinds of gestures, by the type of the event. */
const KINDS = {
  __proto__: null,
  click: CLICK, auxclick: CLICK, mouseup: CLICK, pointerup: CLICK, touchstart: CLICK, touchend: CLICK,
  dblclick: DOUBLE, mousedown: PRESS, pointerdown: PRESS,
};
/** The same by the name of a property of React, which listens on its root for all elements. */
const PROPERTIES = {
  __proto__: null,
  onClick: CLICK, onMouseUp: CLICK, onPointerUp: CLICK, onTouchStart: CLICK, onTouchEnd: CLICK, onDoubleClick: DOUBLE,
  onMouseDown: PRESS, onPointerDown: PRESS,
};
const MAX_SOURCE = 20_000;
const MAX_SELECTORS = 12;
const MAX_HANDLERS = 20;
const MAX_NAME = 40;

// The words before a call may negate it, and those after it may give up: `if (!target.closest("li")) return`.
const SEARCH = /(!\s{0,2}[\w$.?()= ]{0,60})?\.(?:closest|matches|is)\(\s*(["'`])((?:(?!\2)[^\\\n$]|\$(?!\{)){1,200})\2\s*\)(\s*\)*\s*\{?\s*return\s*(?:[;}]|$))?/g;
const COMPARISON =
  /(!\s{0,2}[\w$.?()]{0,30})?\btarget\??\.(?:classList\.contains\(\s*["'`]([\w-]+)["'`]\s*\)|dataset\.(\w+)|(?:tagName|nodeName)\s*([!=]==?)\s*["'`]([a-zA-Z][\w-]*)["'`])(\s*\)*\s*\{?\s*return\s*(?:[;}]|$))?/g;
/** Names of what a handler has found: a further search from there is for its context, not for what is clicked. */
const FINDING = /([\w$]+)\s*=\s*[\w$.?()]{1,60}\.closest\(/g;
const RECEIVER = /([\w$]+)\??$/;
const LIBRARY = /^(?:jQuery\d|__reactProps\$|__reactEventHandlers\$)/;
const MARKUP = /^(?:@|x-on:|v-on:)/;

const { apply } = Reflect;
const { keys, hasOwn } = Object;
const { exec } = RegExp.prototype;
const { toString } = Function.prototype;
const { slice, toLowerCase } = String.prototype;
const { isArray } = Array;
const { getAttributeNames, getAttribute } = Element.prototype;
const { get: lookUp, set: store } = WeakMap.prototype;
/** Selectors by handler. @type {WeakMap<Function, string[]>} */
const known = new WeakMap();

/**
 * A handler of an element.
 * @typedef {object} Handler
 * @property {number} kind
 * @property {string[]} selectors of the elements that it is for
 */

/**
 * Return the handlers of an element for gestures of the pointer.
 * @param {any} target an element, a document, a shadow root or a window
 * @param {any} listeners its listeners by type, as the console returns them
 * @param {boolean} isElement
 * @returns {Handler[]}
 */
export function handlersOf(target, listeners, isElement) {
  /** @type {Handler[]} */
  const handlers = [];
  const types = keys(listeners);
  let isHeard = false;
  for (let i = 0; i < types.length; i++) {
    const kind = KINDS[types[i]];
    if (kind === undefined) continue;
    isHeard = true;
    const all = listeners[types[i]];
    for (let j = 0; j < all.length && j < MAX_HANDLERS; j++) addHandler(handlers, kind, all[j].listener);
  }
  const names = keys(target);
  for (let i = 0; i < names.length; i++) {
    if (apply(exec, LIBRARY, [names[i]]) !== null) addOfLibrary(handlers, target[names[i]]);
  }
  if (isHeard && isElement) addMarkup(handlers, target);
  return handlers;
}

/**
 * @param {Handler[]} handlers
 * @param {number} kind
 * @param {any} handler
 */
function addHandler(handlers, kind, handler) {
  if (typeof handler === "object" && handler !== null) handlers[handlers.length] = { kind, selectors: [] }; // as Lit listens
  if (typeof handler !== "function") return;
  handlers[handlers.length] = { kind, selectors: selectorsOf(handler) };
  // Vue listens with a function that calls the present handlers.
  const inner = hasOwn(handler, "value") ? handler.value : null;
  if (typeof inner === "function") handlers[handlers.length] = { kind, selectors: selectorsOf(inner) };
}

/**
 * Add the handlers that a library keeps: jQuery the delegated ones with their selectors, React those of its properties.
 * @param {Handler[]} handlers
 * @param {any} kept
 */
function addOfLibrary(handlers, kept) {
  if (kept === null || typeof kept !== "object") return;
  const events = hasOwn(kept, "events") ? kept.events : null;
  const types = events !== null && typeof events === "object" ? keys(events) : [];
  for (let i = 0; i < types.length; i++) {
    const kind = KINDS[types[i]];
    const all = kind === undefined ? [] : events[types[i]];
    for (let j = 0; isArray(all) && j < all.length && j < MAX_HANDLERS; j++) {
      if (typeof all[j].selector === "string") handlers[handlers.length] = { kind, selectors: [all[j].selector] };
      else addHandler(handlers, kind, all[j].handler);
    }
  }
  const names = events === null ? keys(kept) : [];
  for (let i = 0; i < names.length; i++) {
    const kind = PROPERTIES[names[i]];
    if (kind !== undefined) addHandler(handlers, kind, kept[names[i]]);
  }
}

/**
 * Add the handlers that stand in attributes, as with Alpine.
 * @param {Handler[]} handlers
 * @param {Element} element
 */
function addMarkup(handlers, element) {
  const names = apply(getAttributeNames, element, []);
  for (let i = 0; i < names.length; i++) {
    const mark = apply(exec, MARKUP, [names[i]]);
    if (mark === null) continue;
    const type = apply(exec, /^\w+/, [apply(slice, names[i], [mark[0].length])]);
    const kind = type === null ? undefined : KINDS[type[0]];
    if (kind !== undefined) handlers[handlers.length] = { kind, selectors: selectorsIn(apply(getAttribute, element, [names[i]])) };
  }
}

/**
 * @param {Function} handler
 * @returns {string[]}
 */
function selectorsOf(handler) {
  let selectors = apply(lookUp, known, [handler]);
  if (selectors === undefined) {
    selectors = selectorsIn(apply(toString, handler, []));
    apply(store, known, [handler, selectors]);
  }
  return selectors;
}

/**
 * Return the selectors in the source of a handler.
 * @param {string} source
 * @returns {string[]}
 */
function selectorsIn(source) {
  const text = apply(slice, source, [0, MAX_SOURCE]);
  /** @type {string[]} */
  const selectors = [];
  const results = { __proto__: null };
  for (let found = next(FINDING, text); found !== null; found = next(FINDING, text)) results[found[1]] = true;
  for (let found = next(SEARCH, text); found !== null; found = next(SEARCH, text)) {
    const dot = found.index + (found[1] === undefined ? 0 : found[1].length);
    const receiver = apply(exec, RECEIVER, [apply(slice, text, [dot > MAX_NAME ? dot - MAX_NAME : 0, dot])]);
    if (receiver !== null && results[receiver[1]] === true) continue;
    if (isFor(found[1] !== undefined, found[4] !== undefined)) add(selectors, found[3]);
  }
  for (let found = next(COMPARISON, text); found !== null; found = next(COMPARISON, text)) {
    const isNegated = (found[1] !== undefined) !== (found[4] !== undefined && found[4][0] === "!");
    if (!isFor(isNegated, found[6] !== undefined)) continue;
    if (found[2] !== undefined) add(selectors, `.${found[2]}`);
    else if (found[3] !== undefined) add(selectors, `[${attributeFor(found[3])}]`);
    else add(selectors, apply(toLowerCase, found[5], []));
  }
  return selectors;
}

/**
 * Return true if a handler goes on for what a condition names: it is neither excluded, nor all that is left alone.
 * @param {boolean} isNegated
 * @param {boolean} isGivenUp
 */
function isFor(isNegated, isGivenUp) {
  return isNegated === isGivenUp;
}

/**
 * Return the attribute of a key of a data set.
 * @param {string} key
 */
function attributeFor(key) {
  let name = "data-";
  for (let i = 0; i < key.length; i++) name += key[i] >= "A" && key[i] <= "Z" ? `-${apply(toLowerCase, key[i], [])}` : key[i];
  return name;
}

/**
 * Return the next match of a global pattern; null at the end, from where it begins anew.
 * @param {RegExp} pattern
 * @param {string} text
 * @returns {RegExpExecArray|null}
 */
function next(pattern, text) {
  return apply(exec, pattern, [text]);
}

/**
 * @param {string[]} selectors
 * @param {string} selector
 */
function add(selectors, selector) {
  for (let i = 0; i < selectors.length; i++) if (selectors[i] === selector) return;
  if (selectors.length < MAX_SELECTORS) selectors[selectors.length] = selector;
}

/**
 * Databases (IndexedDB) of the document's origin, in the form of Playwright's storage states. A value of which no exact
 * copy can be made, such as a key that never leaves the browser, keeps its database out: without it, it would look whole.
 */

const WAIT_MS = 3000;
const MAX_DEPTH = 16;
const MAX_REFUSED = 100;
const MAX_NAME = 200;
const { toString } = Object.prototype;
/** @type {Object<string, any>} */
const ARRAYS = {
  i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array, ui32: Uint32Array,
  f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array,
};
/** @type {Map<string, any>} */
const CONSTANTS = new Map(Object.entries({ undefined, null: null, NaN, Infinity, "-Infinity": -Infinity, "-0": -0 }));

/** @typedef {{parts: number, chars: number}} Room how many parts, and characters of JSON, may be saved still */

/** Reason for which a database can't be saved or restored. */
class Refusal extends Error {}

/**
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
function inTime(work) {
  const late = new Promise((_, fail) => void setTimeout(() => fail(new Refusal("it did not answer in time")), WAIT_MS));
  return Promise.race([work, late]);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function resultOf(request) {
  return new Promise((resolve, fail) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => fail(request.error));
    request.addEventListener("blocked", () => fail(new Refusal("a page keeps it open")));
  });
}

/** Encoder of one record; `ids` are those of its objects, which may occur several times in it. */
class Encoder {
  ids = new Map();

  /**
   * @param {any} value
   * @param {number} depth
   * @returns {any}
   */
  encode(value, depth = 0) {
    if (depth > MAX_DEPTH) throw new Refusal(`it is nested more than ${MAX_DEPTH} deep`);
    if (typeof value === "string" && !value.isWellFormed()) throw new Refusal("it holds a text that is not Unicode");
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") {
      const name = Object.is(value, -0) ? "-0" : String(value);
      return CONSTANTS.has(name) ? { v: name } : value;
    }
    if (value === undefined || value === null) return { v: String(value) };
    if (typeof value === "bigint") return { bi: String(value) };
    if (this.ids.has(value)) return { ref: this.ids.get(value) };
    return this.encodeObject(value, depth);
  }

  /**
   * @param {any} value
   * @param {number} depth
   * @returns {any}
   */
  encodeObject(value, depth) {
    const kind = toString.call(value).slice(8, -1);
    if (kind === "Date" && !Number.isNaN(value.getTime())) return { d: value.toJSON() };
    if (kind === "RegExp") return { r: { p: value.source, f: value.flags } };
    if (kind === "ArrayBuffer" && !value.resizable) return { ab: { b: base64Of(new Uint8Array(value)) } };
    const array = Object.keys(ARRAYS).find((name) => value instanceof ARRAYS[name]);
    if (array && !value.buffer.resizable) return { ta: { b: base64Of(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k: array } };
    const id = this.ids.size + 1;
    this.ids.set(value, id);
    const inner = (/** @type {any} */ one) => this.encode(one, depth + 1);
    const pair = (/** @type {[any, any]} */ [k, v]) => ({ k: inner(k), v: inner(v) });
    if (kind === "Map") return { m: [...value].map(pair), id };
    if (kind === "Set") return { s: [...value].map(inner), id };
    const entries = Object.entries(value);
    if (kind === "Array" && entries.length === value.length) return { a: value.map(inner), id };
    if (kind === "Object" && !Object.hasOwn(value, "__proto__")) return { o: entries.map(pair), id };
    throw new Refusal(`it holds a value that can't be copied (${kind})`);
  }
}

/**
 * @param {any} encoded
 * @param {Map<number, any>} known objects by their ids
 * @returns {any}
 */
function decoded(encoded, known = new Map()) {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  const inner = (/** @type {any} */ one) => decoded(one, known);
  const noted = (/** @type {any} */ object) => {
    known.set(encoded.id, object);
    return object;
  };
  if ("ref" in encoded) return known.get(encoded.ref);
  if ("v" in encoded) return CONSTANTS.get(encoded.v);
  if ("bi" in encoded) return BigInt(encoded.bi);
  if ("d" in encoded) return new Date(encoded.d);
  if ("r" in encoded) return new RegExp(encoded.r.p, encoded.r.f);
  if ("ab" in encoded) return bytesOf(encoded.ab.b).buffer;
  if ("ta" in encoded) return new ARRAYS[encoded.ta.k](bytesOf(encoded.ta.b).buffer);
  if ("a" in encoded) {
    const list = noted([]);
    for (const one of encoded.a) list.push(inner(one));
    return list;
  }
  if ("s" in encoded) {
    const set = noted(new Set());
    for (const one of encoded.s) set.add(inner(one));
    return set;
  }
  if ("m" in encoded) {
    const map = noted(new Map());
    for (const { k, v } of encoded.m) map.set(inner(k), inner(v));
    return map;
  }
  if (!("o" in encoded)) throw new Refusal(`it holds an unknown encoding (${Object.keys(encoded).join(", ")})`);
  const object = noted({});
  for (const { k, v } of encoded.o) if (k !== "__proto__") object[k] = inner(v);
  return object;
}

/** @param {Uint8Array} bytes */
function base64Of(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** @param {any} encoded @param {string} name */
const field = (encoded, name) => (typeof encoded === "object" ? { [`${name}Encoded`]: encoded } : { [name]: encoded });

/** @param {IDBObjectStore|IDBIndex} keyed */
const pathOf = ({ keyPath }) => (typeof keyPath === "string" ? { keyPath } : keyPath && { keyPathArray: [...keyPath] });

/**
 * Return a part of a database, and count it.
 * @template T
 * @param {T} part
 * @param {Room} room
 * @returns {T}
 */
function counted(part, room) {
  room.parts -= 1;
  room.chars -= JSON.stringify(part).length;
  if (room.parts < 0 || room.chars < 0) throw new Refusal("it is too large");
  return part;
}

/**
 * @param {IDBObjectStore} store
 * @param {Room} room
 */
async function saveStore(store, room) {
  const indexes = [...store.indexNames].map((name) => {
    const index = store.index(name);
    return { name, ...pathOf(index), multiEntry: index.multiEntry, unique: index.unique };
  });
  const outline = counted({ name: store.name, autoIncrement: store.autoIncrement, ...pathOf(store), indexes }, room);
  const records = [];
  const request = store.openCursor();
  for (let cursor = await resultOf(request); cursor; cursor = await resultOf(request)) {
    const key = store.keyPath === null ? field(new Encoder().encode(cursor.key), "key") : {};
    records.push(counted({ ...key, ...field(new Encoder().encode(cursor.value), "value") }, room));
    cursor.continue();
  }
  return { ...outline, records };
}

/**
 * @param {string} name
 * @param {Room} room
 */
async function saved(name, room) {
  counted(name, room);
  const opening = indexedDB.open(name);
  opening.addEventListener("upgradeneeded", () => opening.transaction?.abort()); // it has just been deleted
  const database = await resultOf(opening);
  try {
    const names = [...database.objectStoreNames];
    const stores = [];
    const transaction = names.length ? database.transaction(names) : null;
    for (const store of names) stores.push(await saveStore(/** @type {IDBTransaction} */ (transaction).objectStore(store), room));
    return { name, version: database.version, stores };
  } finally {
    database.close();
  }
}

/** @param {any} database */
async function restore({ name, version, stores }) {
  await resultOf(indexedDB.deleteDatabase(name));
  const opening = indexedDB.open(name, version);
  opening.addEventListener("upgradeneeded", () => {
    for (const { name: storeName, keyPath, keyPathArray, autoIncrement, indexes } of stores) {
      const store = opening.result.createObjectStore(storeName, { keyPath: keyPathArray ?? keyPath, autoIncrement });
      for (const one of indexes) store.createIndex(one.name, one.keyPathArray ?? one.keyPath, { unique: one.unique, multiEntry: one.multiEntry });
    }
  });
  const database = await resultOf(opening);
  try {
    if (!stores.length) return;
    const transaction = database.transaction(database.objectStoreNames, "readwrite");
    const ended = new Promise((resolve, fail) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => fail(transaction.error));
    });
    for (const { name: storeName, records } of stores) {
      const store = transaction.objectStore(storeName);
      for (const { key, keyEncoded, value = null, valueEncoded } of records) {
        store.add(valueEncoded === undefined ? value : decoded(valueEncoded), keyEncoded === undefined ? key : decoded(keyEncoded));
      }
    }
    await ended;
  } finally {
    database.close();
  }
}

/**
 * @param {string} name
 * @param {unknown} error
 */
function refusal(name, error) {
  return { database: name.slice(0, MAX_NAME), reason: error instanceof Refusal ? error.message : `the browser refuses it (${error})` };
}

/** @param {Room} room */
async function saveAll(room) {
  const databases = [];
  const refused = [];
  for (const { name } of await indexedDB.databases()) {
    if (refused.length === MAX_REFUSED) break;
    const rest = { ...room }; // of its own: one that did not answer in time may still be read
    try {
      databases.push(await inTime(saved(/** @type {string} */ (name), rest)));
      room = rest;
    } catch (error) {
      refused.push(refusal(/** @type {string} */ (name), error));
    }
  }
  return { databases, room, refused };
}

/** @param {any[]} databases */
async function restoreAll(databases) {
  const refused = [];
  for (const database of databases) {
    try {
      await inTime(restore(database));
    } catch (error) {
      indexedDB.deleteDatabase(database.name); // half of it would look whole to the site
      refused.push(refusal(database.name, error));
    }
  }
  return { refused };
}

/**
 * Save the origin's databases, or restore some.
 * @param {string} request as JSON: the `room` that the databases may take, or the `databases` to restore
 * @returns {Promise<string>} as JSON: the saved `databases`, with the `room` that is left, and why others are `refused`
 */
export default async function handleDatabases(request) {
  const { databases, room } = JSON.parse(request);
  return JSON.stringify(await (databases ? restoreAll(databases) : saveAll(room)));
}

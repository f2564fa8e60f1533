import { finish, isStarting, start } from "./activity_records.js";

/**
 * Bodies of answers that the page reads piece by piece, as those of language models. It runs in the page's world, so it
 * takes the functions that it needs before a script of the page can replace them.
 */

const MAX_RECORDS = 50;

const { apply, getOwnPropertyDescriptor } = Reflect;
const Observer = PerformanceObserver;
const { observe } = Observer.prototype;
const { getEntries } = PerformanceObserverEntryList.prototype;
const { get: nameOf } = /** @type {any} */ (getOwnPropertyDescriptor(PerformanceEntry.prototype, "name"));

/**
 * Record the bodies that the page takes as streams, until the browser has received their end. Return the function that
 * notes the record of a fetch, with its address.
 * @param {any} page the functions that wrap a getter of the page, and find the record of an answer
 */
export function trackStreams({ wrapGetter, recordOf }) {
  /** @type {any} */
  const records = { __proto__: null };
  let count = 0;

  wrapGetter(Response.prototype, "body", (body, answer) => {
    const record = recordOf(answer);
    if (body === null || record === undefined || record.url === "" || record.isReceived || record.stream) return;
    record.stream = start("request", record.label, record.context, record.at);
  });

  const receive = (url) => {
    for (let i = 0; i < MAX_RECORDS; i++) {
      const record = records[(count + i) % MAX_RECORDS]; // the oldest first
      if (record === undefined || record.url !== url || record.isReceived) continue;
      record.isReceived = true;
      if (record.stream) finish(record.stream);
      return;
    }
  };

  const observer = new Observer((list) => {
    const entries = apply(getEntries, list, []);
    for (let i = 0; i < entries.length; i++) receive(apply(nameOf, entries[i], []));
  });
  apply(observe, observer, [{ __proto__: null, type: "resource" }]);

  return (record, url) => {
    record.url = isStarting() ? "" : url; // what a page opens before any input may never end
    records[count % MAX_RECORDS] = record;
    count += 1;
  };
}

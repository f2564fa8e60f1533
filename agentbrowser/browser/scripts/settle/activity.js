/**
 * Unfinished activity of the page's scripts. The program `activity` reports it, which the browser side installs among
 * the page's scripts where the engine can; elsewhere none is known.
 */

const LIMIT = 1e9;

/** The name of the events that ask for the activity; only the browser side knows it. */
let channel = "";

let answer = "";

/** @type {() => void} */
let onFinished = () => undefined;

/** @param {string} name of the events */
export function openActivityChannel(name) {
  if (channel !== "") return;
  channel = name;
  performance.addEventListener(`${name}!`, (event) => { answer = /** @type {InputEvent} */ (event).data ?? ""; });
  performance.addEventListener(`${name}~`, () => onFinished());
}

/** Have the program `activity` add its listeners to input again, which `document.open()` has removed. */
export function listenToInput() {
  performance.dispatchEvent(new Event(`${channel} listen`));
}

/**
 * Return the unfinished activity that began within a time span, or was caused by it; null if it is unknown.
 * @param {number} begin Unix time in ms
 * @param {number} end
 * @returns {string[]|null}
 */
export function activityOf(begin, end) {
  if (channel === "") return null;
  const now = Date.now();
  const screenX = Math.min(LIMIT, now - begin);
  const screenY = Math.max(-LIMIT, now - end);
  answer = "";
  if (performance.dispatchEvent(new MouseEvent(channel, { cancelable: true, screenX, screenY }))) return null;
  return answer.split("\n").filter(Boolean);
}

/**
 * Return the begin of this document, Unix time in ms, by the clock as it is set now. `performance.timeOrigin` is by the
 * clock as it was when the process began: once the machine has slept, or its clock was set, it is earlier or later.
 */
export function documentBegin() {
  return Date.now() - performance.now();
}

/**
 * Wait until some of the activity of the last answer has finished, or a time is over.
 * @param {number} ms
 */
export function finishedActivity(ms) {
  return new Promise((done) => {
    onFinished = () => done(undefined);
    setTimeout(done, ms);
  });
}

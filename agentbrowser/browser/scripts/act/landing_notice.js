/**
 * Notices through a binding of the browser's: of landed inputs, and of changed cookies. An input may replace its document,
 * and the guard's report goes with it; its notice is sent before the page handles the input.
 */

/** @type {(id: string) => void} */
let send = () => {};

/** @param {((id: string) => void)|undefined} binding of this world only; none where the engine has none */
export function openNotices(binding) {
  if (binding) send = binding;
}

/** Notice of one input. */
export class LandingNotice {
  constructor() {
    this.id = Math.random().toString(36).slice(2);
    this.isSent = false;
  }

  /** Send it, once. */
  send() {
    if (this.isSent) return;
    this.isSent = true;
    send(this.id);
  }
}

let awaitsCookies = false;

/**
 * Send a notice at the next change of the document's cookies: scripts set them without a request and without storage
 * events. Only secure documents have the events; cookies that scripts can't read have none.
 */
export function noticeCookies() {
  if (awaitsCookies || !self.cookieStore) return {};
  awaitsCookies = true;
  const report = () => {
    awaitsCookies = false;
    send("cookies changed"); // no id of an input
  };
  self.cookieStore.addEventListener("change", report, { once: true });
  return {};
}

/**
 * Notices of landed inputs. An input may replace its document, and the guard's report goes with it; a notice is sent
 * through a binding of the browser's before the page handles the input.
 */

/** @type {(id: string) => void} */
let send = () => {};

/** @param {((id: string) => void)|undefined} binding of this world only; none where the engine has none */
export function openNotices(binding) {
  if (binding) send = binding;
}

/** @param {string} text that no id is */
export function sendNotice(text) {
  send(text);
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

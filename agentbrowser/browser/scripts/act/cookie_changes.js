/** Notice of the first change of the document's cookies: scripts set them without a request and without storage events. */

import { sendNotice } from "./landing_notice.js";

let isArmed = false;

/** Send a notice at the next change. Only secure documents have the events; cookies that scripts can't read have none. */
export function noticeCookies() {
  if (isArmed || !self.cookieStore) return {};
  isArmed = true;
  const report = () => {
    isArmed = false;
    sendNotice("cookies changed");
  };
  self.cookieStore.addEventListener("change", report, { once: true });
  return {};
}

/**
 * Labels of requests: method and address, without the query. It runs in the page's world, so it takes the functions that
 * it needs before a script of the page can replace them.
 */

const MAX_CHARACTERS = 200;

const { apply } = Reflect;
const { slice, startsWith } = String.prototype;
const NativeURL = URL;
const NativeRequest = Request;
/** @type {(of: object, key: string) => any} */
const getter = (of, key) => Object.getOwnPropertyDescriptor(of, key)?.get;
const baseOf = getter(Node.prototype, "baseURI");
const urlOf = getter(NativeRequest.prototype, "url");
const methodOf = getter(NativeRequest.prototype, "method");
const modeOf = getter(NativeRequest.prototype, "mode");
const hrefOf = getter(NativeURL.prototype, "href");
const originOf = getter(NativeURL.prototype, "origin");
const pathOf = getter(NativeURL.prototype, "pathname");

/**
 * Return the label of a request.
 * @param {string} method
 * @param {string} url
 * @returns {string}
 */
export function labelFor(method, url) {
  try {
    const link = new NativeURL(url, apply(baseOf, document, []));
    const own = new NativeURL(apply(baseOf, document, []));
    const isOwn = apply(originOf, link, []) === apply(originOf, own, []);
    const path = apply(pathOf, link, []);
    return apply(slice, `${method} ${isOwn ? path : apply(originOf, link, []) + path}`, [0, MAX_CHARACTERS]);
  } catch {
    return "request";
  }
}

/**
 * Return the label of a fetch; null if no script can read its answer, so that it changes nothing on the page.
 * @param {any[]} args of fetch
 * @returns {string|null}
 */
export function labelOfFetch(args) {
  const given = args[0];
  const options = args[1] ?? null;
  const isRequest = given instanceof NativeRequest;
  if (options?.keepalive === true || options?.mode === "no-cors") return null;
  if (isRequest && apply(modeOf, given, []) === "no-cors") return null;
  const method = options?.method ?? (isRequest ? apply(methodOf, given, []) : "GET");
  const url = addressOf(given);
  return typeof url === "string" && typeof method === "string" ? labelFor(method, url) : labelFor("GET", "");
}

/** @param {any} given to fetch: a request, a link or a text */
function addressOf(given) {
  if (given instanceof NativeRequest) return apply(urlOf, given, []);
  return given instanceof NativeURL ? apply(hrefOf, given, []) : given;
}

/**
 * Return the whole URL that is given to fetch; "" if it is not of HTTP.
 * @param {any} given
 * @returns {string}
 */
export function fetchedUrl(given) {
  try {
    const url = apply(hrefOf, new NativeURL(addressOf(given), apply(baseOf, document, [])), []);
    return apply(startsWith, url, ["http"]) ? url : "";
  } catch {
    return "";
  }
}

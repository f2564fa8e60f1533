/** Lines of activity: requests with outcome and time, console messages, and responses of the network. */

import { byId, element, timeOf } from "./dom.js";

const MAX_LINES = 200;

/** The lists beside the picture. */
export class Lines {
  constructor() {
    this.lists = { request: byId("log"), console: byId("console"), network: byId("network") };
    /** Requests that are shown, by number. @type {Map<number, HTMLElement>} */
    this.requests = new Map();
  }

  clear() {
    for (const list of Object.values(this.lists)) list.replaceChildren();
    this.requests.clear();
  }

  /**
   * Add lines, of which a list keeps the latest.
   * @param {any[]} lines
   */
  add(lines) {
    const following = new Set(Object.values(this.lists).filter(isAtEnd));
    for (const kind of ["console", "network"]) {
      const latest = lines.filter((line) => line.kind === kind).slice(-MAX_LINES);
      this.lists[kind].append(...latest.map(kind === "console" ? consoleLine : networkLine));
    }
    for (const line of lines.filter(({ kind }) => kind === "request")) this.request(line);
    for (const list of Object.values(this.lists)) {
      while (list.children.length > MAX_LINES) list.firstChild.remove();
      if (following.has(list)) list.scrollTop = list.scrollHeight;
    }
    for (const [number, item] of this.requests) if (!item.isConnected) this.requests.delete(number);
  }

  request(line) {
    const item = requestLine(line);
    const shown = this.requests.get(line.number);
    if (shown === undefined) this.lists.request.append(item);
    else shown.replaceWith(item);
    this.requests.set(line.number, item);
  }
}

function isAtEnd(list) {
  return list.scrollHeight - list.scrollTop - list.clientHeight < 40;
}

function requestLine({ method, target, outcome, error, durationMs, time, isStep }) {
  const isGood = outcome === "ok";
  const mark = outcome === null ? "running" : isGood ? "ok" : outcome;
  const item = element(
    "li",
    { className: isStep ? "step" : "" },
    element("span", { className: "quiet" }, `${timeOf(time)} `),
    element("strong", {}, method),
    " ",
    element("span", { className: "target" }, target),
    " ",
    element("span", { className: outcome === null ? "quiet" : isGood ? "good" : "bad" }, mark),
  );
  if (durationMs !== null) item.append(element("span", { className: "quiet" }, ` ${Math.round(durationMs)} ms`));
  if (error) item.append(element("div", { className: "bad" }, error));
  item.dataset.outcome = mark;
  return item;
}

function consoleLine({ level, text, time }) {
  const marked = level === "error" || level === "warning" ? `${level}: ` : "";
  return element(
    "li",
    { className: level === "error" ? "bad" : "" },
    element("span", { className: "quiet" }, `${timeOf(time)} `),
    marked + text,
  );
}

function networkLine({ method, url, status, error, hasFailed, time }) {
  return element(
    "li",
    { className: hasFailed ? "bad" : "" },
    element("span", { className: "quiet" }, `${timeOf(time)} `),
    `${status ?? error ?? ""} ${method} ${url}`,
  );
}

/**
 * Show the counts of events.
 * @param {Record<string, number>} counts
 */
export function showCounts(counts) {
  const text = (...names) =>
    names
      .filter((name) => counts[name])
      .map((name) => `${counts[name]} ${name}`)
      .join(", ");
  byId("console-counts").textContent = text("error", "warning", "info", "debug", "console left out");
  byId("network-counts").textContent = text("requests", "failed requests", "network left out");
}

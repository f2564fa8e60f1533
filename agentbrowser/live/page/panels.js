/** Panels that ask the person for something: handoffs, approvals, dialogs, files; and the list of pages. */

import { announce, byId, element } from "./dom.js";

const SETTLE_MS = 500;
const MAX_BEGIN = 600;
const MAX_END = 200;
/** What the contents of elements were made of, since places of cards change them. @type {WeakMap<HTMLElement, string>} */
const sources = new WeakMap();
/** Cards by what they ask, with their places, and since when they are there. @type {Map<string, {top: number, sinceMs: number}>} */
let places = new Map();

/**
 * Have cards that are new, or have moved, take no click for a moment: a second click or Enter was for what was there
 * before, such as another request that an approver has just agreed to.
 */
export function settle() {
  const before = places;
  const nowMs = performance.now();
  places = new Map();
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".asks"))) {
    const key = card.dataset.asks;
    const top = Math.round(card.getBoundingClientRect().top + scrollY);
    const known = before.get(key);
    const place = known?.top === top ? known : { top, sinceMs: nowMs };
    places.set(key, place);
    const leftMs = place.sinceMs + SETTLE_MS - nowMs;
    card.classList.toggle("unsettled", leftMs > 0);
    if (leftMs > 0) setTimeout(settle, leftMs);
  }
}

/** Stop what a click, a key or its repetition would answer on a card that has not settled. */
function guard(event) {
  const card = event.target.closest(".asks");
  const isAnswer = card !== null && event.target.closest("button") !== null;
  if (isAnswer && (event.type === "click" ? card.classList.contains("unsettled") : event.repeat)) {
    event.preventDefault();
    event.stopPropagation();
  }
}
for (const type of ["click", "keydown"]) document.addEventListener(type, guard, { capture: true });

/**
 * Return a card that asks for something.
 * @param {string} key the same for the same question
 * @param {...HTMLElement} parts
 * @returns {HTMLElement}
 */
function asking(key, ...parts) {
  const card = element("div", { className: "card asks unsettled" }, ...parts);
  card.dataset.asks = key;
  return card;
}

/**
 * Show the sessions and their pages.
 * @param {any[]} sessions
 * @param {{session: number, page: string} | null} chosen
 * @param {(session: number, page: string) => void} choose
 */
export function showSessions(sessions, chosen, choose) {
  const isChosen = (session, page) => chosen?.session === session.number && chosen.page === page.id;
  const shown = sessions.filter(({ pages }) => pages.length).map((session) => {
    const items = session.pages.map((page) => {
      const button = element("button", { onclick: () => choose(session.number, page.id) }, page.title || page.url);
      button.dataset.page = page.id;
      button.setAttribute("aria-pressed", String(isChosen(session, page)));
      return element("li", {}, button);
    });
    return element("div", {}, element("h3", {}, `Session ${session.name} (${session.token})`), element("ul", {}, ...items));
  });
  if (!shown.length) shown.push(element("p", { className: "note" }, "No session has a page yet."));
  replace(byId("sessions"), shown);
}

/**
 * Replace the contents of an element, unless they are the same; the focus stays where it was.
 * @param {HTMLElement} holder
 * @param {HTMLElement[]} contents
 */
function replace(holder, contents) {
  const fresh = element("div", {}, ...contents);
  if (fresh.innerHTML === sources.get(holder)) return;
  sources.set(holder, fresh.innerHTML);
  const buttons = (within) => [...within.querySelectorAll("button, input")];
  const at = buttons(holder).indexOf(document.activeElement);
  holder.replaceChildren(...fresh.childNodes);
  if (at >= 0) buttons(holder)[at]?.focus();
}

/**
 * Show what agents ask persons for.
 * @param {any[]} handoffs
 * @param {{watch: (session: number, page: string) => void, finish: (id: string, choice?: number) => void,
 *   decline: (id: string) => void}} does
 */
export function showHandoffs(handoffs, does) {
  if (handoffs.length) announce(`The agent asks for you: ${handoffs[0].reason}`);
  replace(
    byId("handoffs"),
    handoffs.map(({ id, session, page, reason, instructions, choices }) =>
      asking(
        id,
        element("h2", {}, `The agent asks for you: ${reason}`),
        element("p", {}, instructions),
        element(
          "div",
          { className: "bar" },
          element("button", { onclick: () => does.watch(session, page) }, "Show the page"),
          ...choices.map((text, choice) => element("button", { onclick: () => does.finish(id, choice) }, text)),
          ...(choices.length ? [] : [element("button", { className: "primary", onclick: () => does.finish(id) }, "Done")]),
          element("button", { onclick: () => does.decline(id) }, "Decline"),
        ),
      ),
    ),
  );
}

/**
 * Show the requests that wait for an approval.
 * @param {any[]} approvals
 * @param {(id: string, decision: string) => void} decide
 */
export function showApprovals(approvals, decide) {
  if (approvals.length) announce(`A request needs your approval: ${approvals[0].originalRequest.method}`);
  replace(
    byId("approvals"),
    approvals.map(({ requestId, rule, originalRequest, context }) =>
      asking(
        requestId,
        element("h2", {}, `May the agent do this? ${originalRequest.method}`),
        element("p", {}, `Rule ${rule}, page ${context.pageTitle ?? ""} ${context.pageUrl ?? ""}`),
        element("p", {}, context.elementInfo ? `Element: ${context.elementInfo.role} ${context.elementInfo.name}` : ""),
        element("p", { className: "target" }, textOf(originalRequest.params)),
        element(
          "div",
          { className: "bar" },
          element("button", { className: "primary", onclick: () => decide(requestId, "approve") }, "Approve"),
          element("button", { onclick: () => decide(requestId, "deny") }, "Deny"),
        ),
      ),
    ),
  );
}

/** Return the params of a request as text: of a long one the begin and the end, and how much is not shown. */
function textOf(params) {
  const text = JSON.stringify(params);
  const hidden = text.length - MAX_BEGIN - MAX_END;
  if (hidden <= 0) return text;
  const warning = `${hidden} of ${text.length} characters of the request are NOT shown, at the mark […].`;
  return `${warning} ${text.slice(0, MAX_BEGIN)} […] ${text.slice(-MAX_END)}`;
}

/**
 * Show the dialog of the page to the person who has it.
 * @param {{number: number, type: string, message: string, defaultValue: string} | null} dialog
 * @param {(accept: boolean, text: string | null) => void} answer
 */
export function showDialog(dialog, answer) {
  const holder = byId("dialog");
  const shown = dialog === null ? "" : JSON.stringify(dialog);
  if (holder.dataset.shown === shown) return; // what is typed into it stays
  holder.dataset.shown = shown;
  holder.replaceChildren();
  if (dialog === null) return;
  announce(`The page asks: ${dialog.message}`);
  const text = dialog.type === "prompt" ? element("input", { id: "prompt", value: dialog.defaultValue }) : null;
  const label = text && element("label", { htmlFor: "prompt" }, "Answer");
  const accept = element("button", { className: "primary", onclick: () => answer(true, text && text.value) }, "OK");
  const parts = [element("h2", {}, `The page asks (${dialog.type})`), element("p", {}, dialog.message)];
  if (label && text) parts.push(label, text);
  parts.push(element("div", { className: "bar" }, accept, element("button", { onclick: () => answer(false, null) }, "Cancel")));
  holder.append(asking(shown, ...parts));
  (text ?? accept).focus();
}

/**
 * Show the choice of files that the page has asked for, with the site that gets them: it may be that of a frame.
 * @param {{number: number, site: string, isMultiple: boolean} | null} asked
 * @param {(files: {name: string, type: string, data: string}[]) => void} choose
 */
export function showFiles(asked, choose) {
  const holder = byId("files");
  holder.replaceChildren();
  if (!asked) return;
  const input = element("input", { id: "chosen-files", type: "file", multiple: asked.isMultiple });
  input.onchange = async () => choose(await Promise.all([...input.files].map(read)));
  const cancel = element("button", { onclick: () => choose([]) }, "Cancel");
  const site = asked.site === "null" ? "A part of the page without a site" : asked.site;
  const label = element("label", { htmlFor: "chosen-files" }, `${site} asks for a file of yours`);
  holder.append(asking(`files ${asked.number}`, label, input, element("div", { className: "bar" }, cancel)));
  input.focus();
}

/** @param {File} file */
async function read(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { name: file.name, type: file.type, data: btoa(text) };
}

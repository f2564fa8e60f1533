/** The live view: what the server sends is shown here, and what the person does is sent. */

import { Connection, hasKey, logIn, takeLink } from "./connection.js";
import { announce, byId } from "./dom.js";
import { Input } from "./input.js";
import { Lines, showCounts } from "./lines.js";
import { settle, showApprovals, showDialog, showFiles, showHandoffs, showSessions } from "./panels.js";
import { Picture } from "./picture.js";

const picture = new Picture();
const lines = new Lines();
const input = new Input(picture, (event) => connection.send({ do: "input", event }));
const connection = new Connection({
  onOpen: opened,
  onText: receive,
  onPicture: (data) => picture.draw(data),
  onLost: () => {
    released();
    byId("connection").textContent = "The connection was lost. Connecting again…";
  },
  onRefused: () => showLogin("Your access has ended, or the server does not answer."),
  onOver: () => {
    released();
    show("over");
  },
});

/** The chosen page. @type {{session: number, page: string} | null} */
let chosen = null;
/** Latest states by name. @type {Record<string, any>} */
const states = { sessions: [], handoffs: [], approvals: [], holder: null, page: null };

/** @param {string} name */
function show(name) {
  for (const id of ["login", "over", "live"]) byId(id).hidden = id !== name;
  byId("connection").textContent = name === "live" ? "Connected" : "";
}

/** @param {string} reason */
function showLogin(reason) {
  show("login");
  byId("login-reason").textContent = reason;
  byId("token").focus();
}

function opened() {
  show("live");
  if (chosen !== null) watch(chosen.session, chosen.page);
}

/** @param {{states?: Record<string, any>, lines?: any[], dropped?: number}} message */
function receive(message) {
  if (message.states) {
    Object.assign(states, message.states);
    for (const name of Object.keys(message.states)) shows[name]?.(states[name]);
  }
  if (message.lines) {
    lines.add(message.lines);
    for (const line of message.lines) if (line.kind in notices) notices[line.kind](line);
  }
  settle();
}

const notices = {
  failure: ({ message }) => report(message),
  notice: ({ text }) => report(text),
};

/** @param {string} text */
function report(text) {
  byId("connection").textContent = text;
  announce(text);
}

/** What shows each state. @type {Record<string, (value: any) => void>} */
const shows = {
  rights: ({ name }) => (byId("connection").textContent = `Connected as ${name}`),
  sessions: sessionsChanged,
  handoffs: (handoffs) =>
    showHandoffs(handoffs, {
      watch,
      finish: (id, choice) => connection.send({ do: "finish", handoff: id, choice }),
      decline: (id) => connection.send({ do: "decline", handoff: id }),
    }),
  approvals: (approvals) => showApprovals(approvals, (request, decision) => connection.send({ do: "approve", request, decision })),
  page: pageChanged,
  holder: holderChanged,
  counts: showCounts,
  outline: (box) => picture.mark(box),
  files: (asked) => showFiles(asked, (files) => connection.send({ do: "files", number: asked.number, files })),
};

function sessionsChanged(sessions) {
  const has = ({ session, page }) => sessions.some((one) => one.number === session && one.pages.some(({ id }) => id === page));
  if (chosen === null || !has(chosen)) {
    const asked = states.handoffs.map(({ session, page }) => ({ session, page })).find(has);
    const first = sessions.flatMap((one) => one.pages.map(({ id }) => ({ session: one.number, page: id })))[0];
    const next = asked ?? first;
    if (next) watch(next.session, next.page);
    else forget();
  }
  showSessions(sessions, chosen, watch);
}

function forget() {
  chosen = null;
  pageChanged(null);
  holderChanged(null);
  byId("page-title").textContent = "No page is open";
  byId("take").disabled = true;
}

/**
 * Choose a page.
 * @param {number} session
 * @param {string} page
 */
function watch(session, page) {
  chosen = { session, page };
  lines.clear();
  showCounts({});
  byId("take").disabled = false;
  const pages = states.sessions.find(({ number }) => number === session)?.pages ?? [];
  states.page = pages.find(({ id }) => id === page) ?? null;
  states.holder = null;
  pageChanged(states.page);
  connection.send({ do: "watch", session, page, choice: picture.choose() });
  showSessions(states.sessions, chosen, watch);
}

function pageChanged(page) {
  const title = page === null ? "No page is open" : page.title || "Page without a title";
  byId("page-title").textContent = title;
  byId("page-url").textContent = page?.url ?? "";
  byId("picture").setAttribute("aria-label", `Live picture of the page: ${title}`);
  const dialog = (states.holder?.isMe && page?.dialog) || null;
  showDialog(dialog, (accept, text) => connection.send({ do: "dialog", dialog, accept, text }));
}

function holderChanged(holder) {
  const isMine = holder?.isMe === true;
  const wasMine = !byId("back").hidden;
  input.turn(isMine, holder?.hasTouch === true);
  byId("take").hidden = isMine;
  byId("take").disabled = chosen === null || holder !== null;
  byId("back").hidden = !isMine;
  const text = holder === null ? "" : isMine ? "You have the page. The agent waits." : `${holder.name} has the page.`;
  if (byId("holder").textContent !== text) announce(text || "The agent has the page.");
  byId("holder").textContent = text;
  if (!isMine) showFiles(null, () => {});
  pageChanged(states.page);
  if (wasMine && !isMine && document.activeElement === document.body) byId("take").focus();
}

/** The page is nobody's without a connection: its loss has ended the takeover. */
function released() {
  holderChanged(null);
  byId("take").disabled = true;
}

byId("take").onclick = () => connection.send({ do: "take" });
byId("back").onclick = () => connection.send({ do: "back" });
byId("login-form").onsubmit = async (event) => {
  event.preventDefault();
  const reason = await logIn(`Bearer ${byId("token").value}`);
  byId("token").value = "";
  if (reason) showLogin(reason);
  else connection.open();
};

async function start() {
  const link = takeLink();
  if (link !== null) {
    const reason = await logIn(`Link ${link}`);
    if (reason && !hasKey()) return showLogin(reason);
  }
  if (!hasKey()) return showLogin("");
  return connection.open();
}

await start();

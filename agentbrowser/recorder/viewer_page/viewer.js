"use strict";
const { meta, events } = JSON.parse(document.getElementById("data").textContent);
const KINDS = { request: "requests", console: "console", network: "network", page: "navigation", other: "other" };
const UNLISTED = new Set(["picture", "locator", "look"]);
const hidden = new Set(["network"]);
const timeline = document.getElementById("timeline");
const detail = document.getElementById("detail");
const pictures = events.filter((event) => event.kind === "picture");
const looks = events.filter((event) => event.kind === "request" && lookOf(event));
const start = events.length ? events[0].t : meta.started;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
const groupOf = (event) => (event.kind === "stream" ? "network" : event.kind in KINDS ? event.kind : "other");
const endOf = (event) => event.t + (event.ms ?? 0);
const pageOf = (event) => event.page ?? event.pageId;

/** Return the look that a request's result holds. */
function lookOf(event) {
  const result = event.result ?? {};
  const look = event.method === "agent/observe" ? result : result.observation ?? result.postObservation;
  if (!look || typeof look !== "object" || look.omitted) return undefined;
  return look.text ?? (look.interactiveElements || look.content || look.changes ? JSON.stringify(look, null, 1) : undefined);
}
function titleOf(event) {
  const { params = {} } = event;
  switch (event.kind) {
    case "request": return `${event.method} ${aimOf(params)}`.trim();
    case "console": return `${event.level}: ${event.text}`;
    case "network": return `${event.type} ${event.status ?? event.method} ${event.url}`;
    case "page": return `${event.type} ${event.url ?? ""} ${event.reason ?? ""}`;
    case "person": return "a person acted";
    default: return `${event.kind} ${event.type ?? event.state ?? ""}`;
  }
}
function aimOf(params) {
  const aim = params.selector ?? params.source;
  const named = aim ? aim.value ?? aim.name ?? aim.description ?? aim.type : params.url ?? (params.steps ? `${params.steps.length} steps` : "");
  const given = params.value ?? params.text ?? params.key ?? (params.values && String(params.values));
  return `${named ?? ""}${given === undefined ? "" : ` ← ${given}`}`;
}
const isBad = (event) => Boolean(event.error && event.kind !== "console") || event.level === "error" || event.type === "failed" || event.type === "crashed";

function draw() {
  timeline.replaceChildren();
  for (const event of events) {
    if (UNLISTED.has(event.kind) || hidden.has(groupOf(event))) continue;
    const button = element("button", undefined, { type: "button" });
    button.append(element("span", `${((event.t - start) / 1000).toFixed(2)} s`, { class: "time" }));
    button.append(element("span", titleOf(event), { class: isBad(event) ? "bad" : event.kind === "request" ? "" : "minor" }));
    button.append(element("span", event.ms === undefined ? "" : `${Math.round(event.ms)} ms`, { class: "took" }));
    button.addEventListener("click", () => show(event, button));
    const item = element("li");
    item.append(button);
    timeline.append(item);
  }
}
function figure(caption, event) {
  const made = element("figure");
  if (event) made.append(element("img", undefined, { src: event.file, alt: `${caption} of page ${event.page}` }));
  made.append(element("figcaption", event ? `${caption}, at ${((event.t - start) / 1000).toFixed(2)} s` : `${caption}: none`));
  return made;
}
function section(title, content) {
  if (content === undefined) return;
  detail.append(element("h3", title), element("pre", typeof content === "string" ? content : JSON.stringify(content, null, 2)));
}
function show(event, button) {
  for (const other of timeline.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
  button.setAttribute("aria-current", "true");
  detail.replaceChildren(element("h2", titleOf(event)));
  if (event.kind !== "request") {
    section("Entry", event);
    return;
  }
  const same = pictures.filter((picture) => picture.page === pageOf(event));
  const row = element("div", undefined, { class: "pictures" });
  row.append(figure("Before", same.findLast((picture) => picture.t <= event.t)), figure("After", same.find((picture) => picture.t >= endOf(event))));
  if (same.length) detail.append(row);
  const look = looks.findLast((other) => endOf(other) <= event.t && pageOf(other) === pageOf(event));
  section("Choice", { method: event.method, params: event.params });
  if (event.approval) section("Approval", event.approval);
  if (event.error) section("Error", event.error);
  if (event.result !== undefined) section(lookOf(event) ? "Look that it returned" : "Result", lookOf(event) ?? event.result);
  if (look && look !== event) section("Look that the model had", lookOf(look));
}
timeline.addEventListener("keydown", (key) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key.key];
  if (!step) return;
  key.preventDefault();
  const buttons = [...timeline.querySelectorAll("button")];
  const next = buttons[buttons.findIndex((button) => button === document.activeElement) + step];
  if (next) { next.focus(); next.click(); }
});
const kinds = document.getElementById("kinds");
for (const [kind, words] of Object.entries(KINDS)) {
  const label = element("label");
  const box = element("input", undefined, { type: "checkbox" });
  box.checked = !hidden.has(kind);
  box.addEventListener("change", () => { if (box.checked) hidden.delete(kind); else hidden.add(kind); draw(); });
  label.append(box, ` ${words}`);
  kinds.append(label);
}
document.title = `Recording ${meta.id}`;
document.getElementById("title").textContent = `Recording ${meta.id}`;
const evicted = meta.evicted ? ` · ${meta.evicted} older ones had left the memory` : "";
document.getElementById("about").textContent = `${new Date(start).toLocaleString()} · ${events.length} entries${evicted}`;
draw();
timeline.querySelector("button")?.click();

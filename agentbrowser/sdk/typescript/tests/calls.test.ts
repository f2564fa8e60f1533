import assert from "node:assert/strict";
import test from "node:test";
import { Closed, InternalError, InvalidParams, PageNotFound } from "../src/index.js";
import { connected } from "./stage.js";

test("a call sends a request and resolves with its result", async () => {
  const { browser, line } = await connected({ token: "sesame" });
  const call = browser.call("page/list");
  const sent = await line.hear();
  assert.equal(sent.method, "page/list");
  line.reply(sent, { pages: [] });
  assert.deepEqual(await call, { pages: [] });
});

test("replies may arrive in any order", async () => {
  const { browser, line } = await connected();
  const calls = [browser.call("page/list"), browser.call("context/list")];
  const [first, second] = [await line.hear(), await line.hear()];
  line.reply(second, { contexts: [] });
  line.reply(first, { pages: [] });
  assert.deepEqual(await Promise.all(calls), [{ pages: [] }, { contexts: [] }]);
});

test("an error reply rejects with the class of its code", async () => {
  const { browser, line } = await connected();
  const call = browser.page("p").observe();
  const data = { retryable: true, retryAfterMs: 7, recoveryHint: "Look.", details: { pageId: "p" } };
  line.fault(await line.hear(), { code: -32011, message: "There is no page p.", data });
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof PageNotFound);
    assert.deepEqual([error.name, error.code, error.message], ["PageNotFound", -32011, "There is no page p."]);
    assert.deepEqual([error.retryable, error.retryAfterMs, error.recoveryHint, error.details], Object.values(data));
    return true;
  });
});

test("invalid params are not sent", async () => {
  const { browser, line } = await connected({ check: true });
  const call = browser.page("p").element({ type: "css", value: "" }).click();
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof InvalidParams);
    assert.deepEqual(error.details, { path: "selector.value", expected: "1 to 10000 characters" });
    return true;
  });
  assert.equal(line.sent.length, 1);
});

test("an idempotency key is valid for every method, also for strict params", async () => {
  const { browser, line } = await connected({ check: true });
  const call = browser.call("browser/launch", { headless: true, idempotencyKey: "mine" });
  const sent = await line.hear();
  assert.deepEqual(sent.params, { headless: true, idempotencyKey: "mine" });
  line.reply(sent, { browserId: "b", browser: "chromium", version: "1", defaultContext: "c" });
  assert.equal((await call).browserId, "b");
  const bad = browser.call("browser/launch", { idempotencyKey: "" });
  await assert.rejects(
    bad,
    (error: unknown) => error instanceof InvalidParams && error.details["path"] === "idempotencyKey",
  );
});

test("an invalid result is an error", async () => {
  const { browser, line } = await connected({ check: true });
  const call = browser.call("page/list");
  line.reply(await line.hear(), { pages: [{ id: 5 }] });
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof InternalError);
    assert.equal(error.details["path"], "pages[0].id");
    return true;
  });
});

test("methods with side effects get an idempotency key, others none", async () => {
  const { browser, line } = await connected();
  const page = browser.page("p");
  void Promise.allSettled([
    page.ref("@a").click(),
    page.ref("@a").click(),
    page.observe(),
    page.press("a", { idempotencyKey: "mine" }),
  ]);
  const sent = [await line.hear(), await line.hear(), await line.hear(), await line.hear()];
  const keys = sent.map(({ params }) => params["idempotencyKey"]);
  assert.equal(typeof keys[0], "string");
  assert.notEqual(keys[0], keys[1]);
  assert.deepEqual(keys.slice(2), [undefined, "mine"]);
});

test("a signal cancels the request, also on the server", async () => {
  const { browser, line } = await connected();
  const controller = new AbortController();
  const call = browser.page("p").observe({}, { signal: controller.signal });
  const { id } = await line.hear();
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
  const notice = await line.hear();
  assert.deepEqual([notice.method, notice.params, notice.id], ["$/cancelRequest", { id }, undefined]);
  await assert.rejects(browser.call("page/list", {}, { signal: controller.signal }), { name: "AbortError" });
});

test("closing ends the session and fails pending requests", async () => {
  const { browser, line, states } = await connected();
  const call = browser.page("p").observe();
  await line.hear();
  const closing = browser.close();
  const goodbye = await line.hear();
  assert.equal(goodbye.method, "shutdown");
  line.reply(goodbye);
  await closing;
  await assert.rejects(call, Closed);
  await assert.rejects(browser.call("page/list"), Closed);
  assert.deepEqual([line.isClosed, states.at(-1)?.state], [true, "closed"]);
});

test("leaving closes the connection and keeps the session", async () => {
  const { browser, line } = await connected();
  browser.leave();
  assert.deepEqual([line.isClosed, line.sent.length], [true, 1]);
});

test("an invalid message ends the connection", async () => {
  const { exchange, line } = await connected();
  line.text("so much for that");
  assert.ok(line.isClosed);
  assert.equal((await (await exchange.line()).hear()).method, "initialize");
});

test("a page calls any method that takes a page", async () => {
  const { browser, line } = await connected();
  const page = browser.page("p");
  const calls = [page.call("frame/list"), page.call("dialog/handle", { action: "accept", idempotencyKey: "k" })];
  const sent = [await line.hear(), await line.hear()];
  for (const one of sent) line.reply(one, one.method === "frame/list" ? { frames: [] } : { handled: true });
  await Promise.all(calls);
  assert.deepEqual(
    sent.map((one) => one.params),
    [{ pageId: "p" }, { action: "accept", idempotencyKey: "k", pageId: "p" }],
  );
});

test("an element is given as a ref, as CSS, or as a selector", async () => {
  const { browser, line } = await connected();
  const page = browser.page("p");
  const calls = [page.element("@a").dragTo("#b"), page.ref("@a").dragTo({ x: 1, y: 2 }), page.element("#b").state()];
  const sent = [await line.hear(), await line.hear(), await line.hear()];
  for (const one of sent) line.reply(one);
  await Promise.all(calls);
  const [ref, css] = [
    { type: "ref", value: "@a" },
    { type: "css", value: "#b" },
  ];
  assert.deepEqual(
    sent.map(({ method, params: { source, target, selector } }) => [method, source, target, selector]),
    [
      ["action/drag", ref, css, undefined],
      ["action/drag", ref, { x: 1, y: 2 }, undefined],
      ["observe/element", undefined, undefined, css],
    ],
  );
});

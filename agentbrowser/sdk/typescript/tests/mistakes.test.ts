import assert from "node:assert/strict";
import test from "node:test";
import { Browser, InvalidParams, MethodNotFound, ResourceLimitExceeded } from "../src/index.js";
import { FakeServer } from "./fake.js";
import { again, connected, LOST } from "./stage.js";

test("refused kinds are not subscribed again", async () => {
  const stage = await connected();
  const events = stage.browser.events("page");
  stage.line.fault(await stage.line.hear(), { code: -32602, message: "No." });
  await assert.rejects(events.ready, InvalidParams);
  await assert.rejects(events.next(), InvalidParams);
  const next = await again(stage);
  const call = stage.browser.call("page/list");
  next.reply(await next.hear(), { pages: [] });
  await call;
  assert.deepEqual(
    next.sent.map(({ method }) => method),
    ["initialize", "page/list"],
  );
});

test("params that are not data fail alone, without a leak", async () => {
  const { browser, line } = await connected();
  const arg = { a: [0, 1n] };
  await assert.rejects(browser.call("script/evaluate", { expression: "1", arg }), {
    name: "InvalidParams",
    message: /^params\.arg\.a\.1 must be plain data, as JSON has it: .*BigInt/,
  });
  const call = browser.call("page/list");
  line.reply(await line.hear(), { pages: [] });
  await call;
  browser.leave(); // what was left behind would be rejected now, and nobody would hear it
  await new Promise(setImmediate);
});

test("a value of no accepted type gets an error that names all of them", async () => {
  const page = (await connected({ check: true })).browser.page("one");
  const any = (value: unknown): never => value as never;
  const cases: Array<[() => Promise<unknown>, RegExp]> = [
    [() => page.element(any(5)).click(), /^selector does not fit: expected string or object\.$/],
    [() => page.element(any({ type: "nope" })).click(), /^selector\.type does not fit: expected "css" or "xpath" or /],
    [() => page.element("#a").click({ observe: any("all") }), /^observe does not fit: expected "changes" or object\.$/],
    [() => page.element("#a").select(any(undefined)), /^values does not fit: expected string or array\.$/],
    [() => page.element("#a").dragTo(any([1, 2])), /^target does not fit: expected string or object\.$/],
    [() => page.element("#a").upload(any(5)), /^files must be a path, /],
    [() => page.element("#a").upload(any(undefined)), /^files must be a path, /],
    [() => page.extract(any(undefined)), /^schema does not fit: expected object\.$/],
    [() => page.element("#a").click(any(5)), /^params must be an object\.$/],
    [() => page.reload(any("load")), /^params must be an object\.$/],
    [() => page.act([], any(["x"])), /^params must be an object\.$/],
    [() => page.fork(any(5)), /^options must be an object\.$/],
    [() => page.content({}, { signal: any({}) }), /^signal must be an AbortSignal\.$/],
    [() => page.browser.newPage(any(5)), /^params must be an object\.$/],
    [() => Browser.connect("ws://there", any(5)), /^options must be an object\.$/],
    [() => Browser.connect("ws://there", { reconnect: any(5) }), /^reconnect must be an object\.$/],
    [() => Browser.connect("ws://there", { signal: any(5) }), /^signal must be an AbortSignal\.$/],
    [() => Browser.connect("ws://there", { onLine: any(5) }), /^onLine must be a function\.$/],
  ];
  for (const [call, message] of cases) await assert.rejects(call(), { name: "InvalidParams", message });
});

test("an argument of a wrong type that is used at once is named at once", async () => {
  const { browser } = await connected();
  const any = (value: unknown): never => value as never;
  const cases: Array<[() => unknown, RegExp]> = [
    [() => browser.events(any(5)), /^events\[0\] does not fit: expected one of "page"\|"console"\|.*"frame"\.$/],
    [() => browser.events(any(["page"])), /^filter must be an object\.$/],
    [() => browser.events(any(undefined)), /^events\[0\] does not fit: expected one of "page"/],
    [() => browser.events({ level: any("loud") }, "page"), /^filter\.level does not fit: expected /],
    [() => browser.download(any(undefined)), /^event must be a download event\.$/],
    [() => browser.approvals(any("approve")), /^approver must be a function\.$/],
    [() => browser.onReconnected(any(5)), /^listener must be a function\.$/],
  ];
  for (const [call, message] of cases) assert.throws(call, { name: "InvalidParams", message });
});

test("null stands for no options", async () => {
  const { browser, line } = await connected();
  const call = browser
    .page("one")
    .element("#a")
    .click(null as never, null as never);
  const sent = await line.hear();
  assert.deepEqual([sent.method, sent.params["options"]], ["action/click", {}]);
  line.reply(sent, { url: "http://a/", navigated: false });
  await call;
});

test("a misspelt method in JavaScript gets the server's answer", async () => {
  const { browser, line } = await connected();
  const call = browser.call("page/navigat" as "page/list", {});
  line.fault(await line.hear(), { code: -32601, message: "There is no method page/navigat." });
  await assert.rejects(call, MethodNotFound);
});

test("a misspelt parameter in JavaScript gets the server's answer, which names those that there are", async () => {
  const { browser, line } = await connected();
  const call = browser
    .page("one")
    .element("#b")
    .click({ timeOut: 5 } as never);
  const sent = await line.hear();
  assert.deepEqual(sent.params["options"], { timeOut: 5 });
  line.fault(sent, { code: -32602, message: "options.timeOut is not known: did you mean options.timeout?" });
  await assert.rejects(call, { name: "InvalidParams", message: /did you mean options\.timeout/ });
});

test("a request that is too large is not sent", async () => {
  const exchange = new FakeServer();
  const { dial, sleep } = exchange;
  const opening = Browser.connect("ws://there", { check: false, dial, sleep });
  const line = await exchange.line();
  await line.welcome({ capabilities: { features: {}, limits: { maxMessageSize: 1000 } } });
  const browser = await opening;
  const long = browser.call("script/evaluate", { expression: "ä".repeat(600) });
  await assert.rejects(long, (error: unknown) => {
    assert.ok(error instanceof ResourceLimitExceeded);
    assert.deepEqual([error.details["resource"], error.details["limit"]], ["message", 1000]);
    return true;
  });
  assert.equal(line.sent.length, 1);
});

test("leaving an iteration or closing does not wait for a connection", async () => {
  const exchange = new FakeServer();
  const { dial } = exchange;
  const sleep = (): Promise<void> => new Promise(() => undefined);
  const opening = Browser.connect("ws://there", { check: false, dial, sleep });
  const line = await exchange.line();
  await line.welcome();
  const browser = await opening;
  const events = browser.events("page");
  line.reply(await line.hear(), { subscribed: [] });
  await events.ready;
  line.end(LOST);
  await events.return();
  const before = performance.now();
  await browser.close();
  assert.ok(performance.now() - before < 500, "there was nobody to say goodbye to");
});

test("an error in onLine does not end the connection", async (context) => {
  const errors: unknown[] = [];
  const heard = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => void errors.push(error));
  context.after(() => {
    process.removeAllListeners("uncaughtException");
    for (const one of heard) process.on("uncaughtException", one);
  });
  const stage = await connected({
    onLine: () => {
      throw new Error("mine");
    },
  });
  const next = await again(stage);
  const call = stage.browser.call("page/list");
  next.reply(await next.hear(), { pages: [] });
  await call;
  assert.deepEqual(
    errors.map((error) => (error as Error).message),
    ["mine", "mine", "mine"],
  );
});

for (const url of ["localhost:9222", "http://127.0.0.1:9222", "nonsense", "ws://127.0.0.1:0"]) {
  test(`${url} is no address`, async () => {
    await assert.rejects(Browser.connect(url), { name: "InvalidParams", message: /ws:\/\/127\.0\.0\.1:9222/ });
  });
}

for (const reconnect of [{ maxAttempts: -1 }, { baseMs: NaN }, { jitter: Infinity }]) {
  test(`${Object.keys(reconnect).join()} of ${Object.values(reconnect).join()} is no schedule`, async () => {
    const path = `reconnect.${Object.keys(reconnect).join()}`;
    await assert.rejects(Browser.connect("ws://127.0.0.1:1", { reconnect }), {
      name: "InvalidParams",
      details: { path, expected: "a number, 0 or more" },
    });
  });
}

test("a timeout may be a fraction, and an invalid one is rejected by name", async () => {
  const { browser, line } = await connected();
  for (const timeout of [NaN, -1, Infinity, 2 ** 31, "5" as unknown as number])
    await assert.rejects(browser.call("page/list", {}, { timeout }), {
      name: "InvalidParams",
      message: /^timeout must/,
    });
  const call = browser.call("page/list", {}, { timeout: 59_999.5 });
  line.reply(await line.hear(), { pages: [] });
  await call;
});

test("an invalid token is not shown", async () => {
  await assert.rejects(Browser.connect("ws://there", { token: "canary\n" }), (error: unknown) => {
    assert.ok(error instanceof InvalidParams);
    assert.ok(!error.message.includes("canary") && error.message.includes("printable ASCII"), error.message);
    return true;
  });
});

test("events without a kind are rejected", async () => {
  const { browser } = await connected();
  assert.throws(() => browser.events({ urlPattern: "*" }), InvalidParams);
});

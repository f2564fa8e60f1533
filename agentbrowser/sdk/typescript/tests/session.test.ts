import assert from "node:assert/strict";
import test from "node:test";
import { Browser, Cancelled, Closed, type ConnectionChange, ConnectionLost, InvalidParams } from "../src/index.js";
import { sleep } from "../src/reconnect.js";
import { FakeServer, type FakeConnection } from "./fake.js";
import { again, connected, LOST } from "./stage.js";

test("the waits double, and the fifth attempt is the last", async () => {
  const stage = await connected();
  const { browser, exchange, line, states } = stage;
  const call = browser.page("p").observe();
  await line.hear();
  exchange.refusals.push({}, { status: 503 }, {}, {}, {});
  line.end(LOST);
  await assert.rejects(call, (error: unknown) => error instanceof ConnectionLost && error.details["attempts"] === 5);
  assert.deepEqual(exchange.waits, [1000, 2000, 4000, 8000, 16000]);
  assert.deepEqual(
    states.map(({ state }) => state),
    ["connected", ...Array<string>(5).fill("reconnecting"), "closed"],
  );
  await assert.rejects(browser.call("page/list"), ConnectionLost);
});

test("base, attempts and jitter are configurable", async () => {
  const { browser, exchange, line } = await connected({ reconnect: { maxAttempts: 2, baseMs: 10, jitter: 0.5 } });
  exchange.refusals.push({}, {});
  line.end(LOST);
  await assert.rejects(browser.call("page/list"), ConnectionLost);
  const [first = 0, second = 0] = exchange.waits;
  assert.equal(exchange.waits.length, 2);
  assert.ok(first >= 10 && first <= 15 && second >= 20 && second <= 30, exchange.waits.join());
});

for (const ending of [{ code: 1008 }, { code: 4001 }, { code: 4002 }]) {
  test(`after ${ending.code} there is no attempt`, async () => {
    const { browser, exchange, line } = await connected();
    const call = browser.page("p").observe();
    await line.hear();
    line.end(ending);
    await assert.rejects(call, { name: "ConnectionLost", retryable: false });
    assert.deepEqual(exchange.waits, []);
  });
}

for (const status of [401, 403]) {
  test(`a refusal with ${status} ends the attempts`, async () => {
    const { browser, exchange, line } = await connected();
    exchange.refusals.push({}, { status });
    line.end(LOST);
    await assert.rejects(browser.call("page/list"), (error: unknown) => {
      assert.ok(error instanceof ConnectionLost);
      assert.deepEqual([error.retryable, error.details["status"]], [false, status]);
      return true;
    });
    assert.deepEqual(exchange.waits, [1000, 2000]);
  });
}

test("the first connection is attempted once", async () => {
  const exchange = new FakeServer();
  exchange.refusals.push({});
  await assert.rejects(Browser.connect("ws://there", { dial: exchange.dial, sleep: exchange.sleep }), ConnectionLost);
  assert.deepEqual(exchange.waits, []);
});

test("the session is resumed with its secret, from the latest event on", async () => {
  const stage = await connected();
  const { browser, exchange, line } = stage;
  line.say({
    method: "notifications/dialog",
    params: { pageId: "p", type: "alert", message: "m", timestamp: 1, seq: 41 },
  });
  line.end(LOST);
  const next = await exchange.line();
  const { method, params } = await next.welcome({ restored: "warm" });
  assert.equal(method, "initialize");
  assert.equal(params["sessionId"], line.sent[0]?.params["sessionId"]);
  assert.deepEqual([params["sessionSecret"], params["lastEvent"]], ["secret-1", 41]);
  const call = browser.call("page/list");
  next.reply(await next.hear(), { pages: [] });
  await call;
  assert.deepEqual(exchange.waits, [1000]);
});

for (const [welcome, restored] of [
  [{ restored: "warm" }, "warm"],
  [{}, "none"],
] as const) {
  test(`after a reconnection the change says that the session is ${restored}`, async () => {
    const stage = await connected();
    const next = await again(stage, welcome);
    const call = stage.browser.call("page/list");
    next.reply(await next.hear(), { pages: [] });
    await call;
    const changes = stage.states.flatMap((change) => (change.state === "connected" ? [change.restored] : []));
    assert.deepEqual(changes, [undefined, restored]);
  });
}

/** Say an event that the server has numbered. */
function say(line: FakeConnection, seq: number): void {
  line.say({
    method: "notifications/dialog",
    params: { pageId: "p", type: "alert", message: String(seq), timestamp: 1, seq },
  });
}

for (const [restored, told] of [
  ["warm", ["1", "2", "3"]],
  [undefined, ["1", "2", "1", "2", "3"]],
] as const) {
  test(`events of a session that is ${restored ?? "new"} are told once each`, async () => {
    const stage = await connected();
    const events = stage.browser.events("dialog");
    stage.line.reply(await stage.line.hear(), { subscribed: ["dialog"] });
    await events.ready;
    say(stage.line, 1);
    say(stage.line, 2);
    stage.line.end(LOST);
    const next = await stage.exchange.line();
    next.reply(await next.hear(), { capabilities: { features: {} }, ...(restored && { restored }) });
    for (const seq of [1, 2, 3]) say(next, seq);
    stage.browser.leave();
    const heard: string[] = [];
    for await (const event of events) heard.push(event.message);
    assert.deepEqual(heard, told);
  });
}

test("the last listener decides on the filter of its kinds", async () => {
  const stage = await connected();
  const { browser, line, exchange } = stage;
  const only = { types: ["response"] };
  for (const events of [browser.events(only, "network", "page"), browser.events("network")]) {
    line.reply(await line.hear(), { subscribed: [] });
    await events.ready;
  }
  line.end(LOST);
  const next = await exchange.line();
  await next.welcome({});
  next.reply(await next.hear(), { subscribed: [] });
  next.reply(await next.hear(), { subscribed: [] });
  assert.deepEqual(
    [...line.sent.slice(1), ...next.sent.slice(1)].map(({ params }) => [params["events"], params["filter"]]),
    [
      [["network", "page"], only],
      [["network"], {}],
      [["network"], {}],
      [["page"], only],
    ],
  );
});

test("subscriptions are renewed with their filters", async () => {
  const stage = await connected();
  const { browser, line, exchange } = stage;
  const events = browser.events({ urlPattern: "*/api/*" }, "network");
  line.reply(await line.hear(), { subscribed: ["network"] });
  await events.ready;
  line.end(LOST);
  const next = await exchange.line();
  await next.welcome({ restored: "warm" });
  const sent = await next.hear();
  assert.deepEqual(
    [sent.method, sent.params],
    ["events/subscribe", { events: ["network"], filter: { urlPattern: "*/api/*" } }],
  );
  next.reply(sent, { subscribed: ["network"] });
  next.say({
    method: "notifications/network",
    params: {
      type: "request",
      requestId: "r",
      pageId: "p",
      url: "u",
      method: "GET",
      resourceType: "xhr",
      timestamp: 1,
    },
  });
  const next_ = await events.next();
  assert.equal(next_.done ? undefined : next_.value.requestId, "r");
});

test("an observation is repeated once", async () => {
  const stage = await connected();
  const call = stage.browser.page("p").observe();
  const first = await stage.line.hear();
  const next = await again(stage);
  const repeat = await next.hear();
  assert.deepEqual([repeat.method, repeat.params], [first.method, first.params]);
  next.end(LOST);
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof ConnectionLost);
    assert.deepEqual([error.retryable, error.details["mayHaveActed"]], [true, false]);
    return true;
  });
});

test("actions are repeated with their keys, in order, before new requests", async () => {
  const stage = await connected();
  const page = stage.browser.page("p");
  const calls = [page.ref("@a").click(), page.ref("@b").click()];
  const sent = [await stage.line.hear(), await stage.line.hear()];
  stage.line.end(LOST);
  calls.push(page.ref("@c").click());
  const next = await stage.exchange.line();
  await next.welcome({ restored: "warm" });
  const repeats = [await next.hear(), await next.hear(), await next.hear()];
  assert.deepEqual(
    repeats.slice(0, 2).map(({ params }) => params),
    sent.map(({ params }) => params),
  );
  assert.deepEqual(repeats[2]?.params["selector"], { type: "ref", value: "@c" });
  for (const repeat of repeats) next.reply(repeat, { url: "u", navigated: false });
  assert.equal((await Promise.all(calls)).length, 3);
});

test("an action is repeated on five connections, and no more", async () => {
  const stage = await connected();
  const call = stage.browser.page("p").ref("@a").click();
  const first = await stage.line.hear();
  const settled = assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof ConnectionLost);
    assert.equal(error.details["mayHaveActed"], true);
    assert.match(error.message, /lost when it was repeated/);
    return true;
  });
  for (let repeats = 0; repeats < 5; repeats++) {
    stage.line = await again(stage);
    assert.deepEqual((await stage.line.hear()).params, first.params);
  }
  const last = await again(stage);
  await settled;
  assert.equal(last.sent.length, 1);
});

test("an observation is not repeated in a new session, which has other pages", async () => {
  const stage = await connected();
  const call = stage.browser.page("p").observe();
  await stage.line.hear();
  const settled = assert.rejects(call, { name: "ConnectionLost", retryable: true });
  const next = await again(stage, {});
  await settled;
  assert.equal(next.sent.length, 1);
});

for (const restored of [undefined, "cold"]) {
  test(`what acts is not repeated in a session that is ${restored ?? "new"}, which knows no keys`, async () => {
    const stage = await connected();
    const call = stage.browser.page("p").ref("@a").click();
    await stage.line.hear();
    const settled = assert.rejects(call, (error: unknown) => {
      assert.ok(error instanceof ConnectionLost);
      assert.deepEqual(
        [error.retryable, error.details["mayHaveActed"], error.details["method"]],
        [true, true, "action/click"],
      );
      assert.match(error.recoveryHint ?? "", /Observe/);
      assert.match(error.message, restored ? /not repeated, since it may have acted/ : /its pages are gone/);
      return true;
    });
    const next = await again(stage, restored ? { restored } : {});
    await settled;
    assert.deepEqual(
      next.sent.map(({ method }) => method),
      ["initialize"],
    );
  });
}

test("a cancelled repetition is a lost connection", async () => {
  const stage = await connected();
  const call = stage.browser.page("p").ref("@a").click();
  await stage.line.hear();
  const next = await again(stage);
  next.fault(await next.hear(), { code: Cancelled.code, message: "It may have acted." });
  await assert.rejects(
    call,
    (error: unknown) => error instanceof ConnectionLost && error.details["mayHaveActed"] === true,
  );
});

test("an expired session is replaced by a new one", async () => {
  const stage = await connected();
  stage.line.end(LOST);
  const next = await stage.exchange.line();
  next.fault(await next.hear(), {
    code: InvalidParams.code,
    message: "There is no such session.",
    data: { details: { path: "sessionId" } },
  });
  const { params } = await next.welcome({ sessionSecret: "secret-2" });
  assert.ok(!("sessionSecret" in params));
  const call = stage.browser.call("page/list");
  next.reply(await next.hear(), { pages: [] });
  await call;
  assert.equal(stage.browser.session.sessionSecret, "secret-2");
});

test("a rejected message is not sent again", async () => {
  const stage = await connected();
  const call = stage.browser.page("p").observe();
  await stage.line.hear();
  stage.line.end({ code: 1009 });
  await assert.rejects(call, ConnectionLost);
  const next = await stage.exchange.line();
  await next.welcome({ restored: "warm" });
  assert.deepEqual(
    next.sent.map(({ method }) => method),
    ["initialize"],
  );
});

test("a connection that ends during the handshake counts as an attempt", async () => {
  const stage = await connected();
  stage.line.end(LOST);
  const bad = await stage.exchange.line();
  await bad.hear();
  bad.end();
  const next = await stage.exchange.line();
  await next.welcome({ restored: "warm" });
  assert.deepEqual(stage.exchange.waits, [1000, 2000]);
  const call = stage.browser.call("page/list");
  next.reply(await next.hear(), { pages: [] });
  await call;
});

test("a connection that ends right after the handshake is reopened", async () => {
  const stage = await connected();
  stage.line.end(LOST);
  const bad = await stage.exchange.line();
  await bad.welcome({ restored: "warm" });
  bad.end();
  const next = await stage.exchange.line();
  await next.welcome({ restored: "warm" });
  const call = stage.browser.call("page/list");
  next.reply(await next.hear(), { pages: [] });
  assert.deepEqual(await call, { pages: [] });
});

test("a signal ends a call that waits for a connection", async () => {
  const { browser, line } = await connected({ sleep: () => new Promise(() => undefined) });
  line.end(LOST);
  const controller = new AbortController();
  const call = browser.page("p").observe({}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
});

test("closing ends the reconnection", async () => {
  const stage = await connected({
    sleep: (_, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reject(signal.reason as Error);
        });
      }),
  });
  stage.line.end(LOST);
  const call = stage.browser.page("p").observe();
  stage.browser.leave();
  await assert.rejects(call, Closed);
});

test("a client that is closed when it learns of a new session keeps no connection", async () => {
  let leave = (): void => undefined;
  const onLine = ({ state }: ConnectionChange): void => {
    if (state === "connected") leave();
  };
  const stage = await connected({ onLine });
  leave = () => {
    stage.browser.leave();
  };
  stage.line.end(LOST);
  const call = stage.browser.page("p").observe();
  const next = await stage.exchange.line();
  await next.welcome();
  await assert.rejects(call, Closed);
  assert.ok(next.isClosed);
});

test("a client that is closed before a wait does not wait", async () => {
  await assert.rejects(sleep(60_000, AbortSignal.abort()), { name: "AbortError" });
});

for (const result of [null, "x", {}]) {
  test(`a handshake that is answered by ${JSON.stringify(result)} fails at once`, async () => {
    const exchange = new FakeServer();
    const opening = Browser.connect("ws://there", { dial: exchange.dial });
    const line = await exchange.line();
    line.reply(await line.hear(), result);
    await assert.rejects(opening, { name: "ConnectionLost", message: /does not answer as agentbrowser/ });
  });
}

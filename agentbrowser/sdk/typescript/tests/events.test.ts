import assert from "node:assert/strict";
import test from "node:test";
import { Browser, ConnectionLost, InvalidParams } from "../src/index.js";
import { MAX_UNREAD } from "../src/events.js";
import { FakeServer, type FakeConnection } from "./fake.js";

async function connected(): Promise<{ browser: Browser; line: FakeConnection }> {
  const exchange = new FakeServer();
  const opening = Browser.connect("ws://there", {
    dial: exchange.dial,
    sleep: exchange.sleep,
    check: false,
    reconnect: { maxAttempts: 0 },
  });
  const line = await exchange.line();
  await line.welcome();
  return { browser: await opening, line };
}

function say(line: FakeConnection, text: string): void {
  line.say({
    method: "notifications/console",
    params: { pageId: "p", type: "log", text, level: "info", timestamp: 1 },
  });
}

test("events are queued until they are read, and a break ends the subscription", async () => {
  const { browser, line } = await connected();
  const events = browser.events("console", "network");
  const subscribe = await line.hear();
  assert.deepEqual([subscribe.method, subscribe.params["events"]], ["events/subscribe", ["console", "network"]]);
  line.reply(subscribe, { subscribed: [] });
  for (const text of ["a", "b", "c"]) say(line, text);
  line.say({ method: "notifications/network", params: { nonsense: true } });
  line.say({ method: "notifications/newest", params: {} });
  const texts: string[] = [];
  const leaving = (async () => {
    for await (const event of events) {
      if (event.kind === "console") texts.push(event.text);
      if (texts.length === 2) break;
    }
  })();
  const unsubscribe = await line.hear();
  assert.deepEqual([unsubscribe.method, unsubscribe.params["events"]], ["events/unsubscribe", ["network"]]);
  line.reply(unsubscribe, { subscribed: [] });
  await leaving;
  assert.deepEqual(texts, ["a", "b"]);
});

test("an event that can not be read is counted, and reported once", async (context) => {
  const warn = context.mock.method(console, "warn", () => undefined);
  const { browser, line } = await connected();
  const events = browser.events("network");
  line.reply(await line.hear(), { subscribed: [] });
  for (const secret of ["s3cret", "s3cret"]) line.say({ method: "notifications/network", params: { type: secret } });
  line.say({ method: "approval/required", params: { requestId: 1 } });
  line.say({ method: "notifications/newest", params: {} });
  const next = { type: "request", requestId: "r", pageId: "p", url: "u", method: "GET", resourceType: "document" };
  line.say({ method: "notifications/network", params: { ...next, timestamp: 1 } });
  assert.equal((await events.next()).done, false);
  assert.deepEqual(
    [...browser.dropped],
    [
      ["network", 2],
      ["required", 1],
    ],
  );
  const reports = warn.mock.calls.map((call) => String(call.arguments[0]));
  assert.equal(reports.length, 2);
  assert.match(reports[0] ?? "", /^agentbrowser: notifications\/network is dropped, .*: type is not /);
  assert.match(reports[1] ?? "", /^agentbrowser: approval\/required is dropped, /);
  assert.doesNotMatch(reports.join(" "), /s3cret/);
});

test("a kind with another listener stays subscribed", async () => {
  const { browser, line } = await connected();
  const [one, other] = [browser.events("page"), browser.events("page")];
  for (const { ready } of [one, other]) {
    line.reply(await line.hear(), { subscribed: [] });
    await ready;
  }
  await one.return();
  line.say({ method: "notifications/page", params: { type: "load", pageId: "p", timestamp: 1 } });
  assert.equal((await other.next()).done, false);
  assert.deepEqual(await one.next(), { done: true, value: undefined });
  assert.equal(line.sent.length, 3);
});

test("a slow listener drops events, which are counted", async () => {
  const { browser, line } = await connected();
  const events = browser.events("console");
  line.reply(await line.hear(), { subscribed: [] });
  for (let count = 0; count < MAX_UNREAD + 2; count++) say(line, String(count));
  line.say({ method: "notifications/dropped", params: { kind: "console", count: 5 } });
  assert.equal(browser.dropped.get("console"), 7);
  assert.equal((await events.next()).done, false);
});

test("a lost connection ends the iteration with an error, a closed one without", async () => {
  const { browser, line } = await connected();
  const events = browser.events("console");
  line.reply(await line.hear(), { subscribed: [] });
  const next = events.next();
  line.end();
  await assert.rejects(next, ConnectionLost);
  const other = await connected();
  const more = other.browser.events("console");
  other.line.reply(await other.line.hear(), { subscribed: [] });
  await more.ready;
  other.browser.leave();
  assert.deepEqual(await more.next(), { done: true, value: undefined });
});

test("a refused subscription rejects in the listener", async () => {
  const { browser, line } = await connected();
  const events = browser.events("console");
  line.fault(await line.hear(), { code: InvalidParams.code, message: "No." });
  await assert.rejects(events.next(), InvalidParams);
  assert.throws(() => browser.events({ urlPattern: 5 as never }, "network"), InvalidParams);
});

test("the first approver with a decision decides", async () => {
  const { browser, line } = await connected();
  const seen: string[] = [];
  browser.approvals(({ originalRequest }) => {
    seen.push(originalRequest.method);
    return undefined;
  });
  const stop = browser.approvals(() => Promise.resolve({ decision: "deny", reason: "too dear" }));
  const question = {
    requestId: "q",
    originalRequest: { method: "action/click", params: {} },
    rule: "r",
    context: { pageUrl: "", pageTitle: "" },
    expiresAt: 1,
  };
  line.say({ method: "approval/required", params: question });
  const { method, params } = await line.hear();
  const { requestId, decision, reason } = params;
  assert.deepEqual([method, requestId, decision, reason], ["approval/respond", "q", "deny", "too dear"]);
  stop();
  line.say({ method: "approval/required", params: question });
  await new Promise(setImmediate);
  assert.deepEqual(seen, ["action/click", "action/click"]);
  assert.equal(line.sent.length, 2);
});

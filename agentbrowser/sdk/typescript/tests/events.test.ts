import assert from "node:assert/strict";
import test from "node:test";
import { Browser, ConnectionLost, InvalidParams } from "../src/index.js";
import { MAX_WAITING } from "../src/events.js";
import { Exchange, type Line } from "./fake.js";

async function connected(): Promise<{ browser: Browser; line: Line }> {
  const exchange = new Exchange();
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

function say(line: Line, text: string): void {
  line.say({
    method: "notifications/console",
    params: { pageId: "p", type: "log", text, level: "info", timestamp: 1 },
  });
}

test("events are kept until they are taken, and a break ends the subscription", async () => {
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

test("a kind that others listen to is not given up", async () => {
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

test("who is too slow loses events, which are counted", async () => {
  const { browser, line } = await connected();
  const events = browser.events("console");
  line.reply(await line.hear(), { subscribed: [] });
  for (let count = 0; count < MAX_WAITING + 2; count++) say(line, String(count));
  line.say({ method: "notifications/dropped", params: { kind: "console", count: 5 } });
  assert.equal(browser.dropped.get("console"), 7);
  assert.equal((await events.next()).done, false);
});

test("a connection that is lost for good ends the events with an error, and one that is closed without", async () => {
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

test("a subscription that is refused is told to who listens", async () => {
  const { browser, line } = await connected();
  const events = browser.events("console");
  line.fault(await line.hear(), { code: InvalidParams.code, message: "No." });
  await assert.rejects(events.next(), InvalidParams);
  assert.throws(() => browser.events({ urlPattern: 5 as never }, "network"), InvalidParams);
});

test("approvals are decided by the first who wants to", async () => {
  const { browser, line } = await connected();
  const seen: string[] = [];
  browser.approvals(({ originalRequest }) => {
    seen.push(originalRequest.method);
    return undefined;
  });
  const stop = browser.approvals(() => Promise.resolve("deny"));
  const question = {
    requestId: "q",
    originalRequest: { method: "action/click", params: {} },
    rule: "r",
    context: { pageUrl: "", pageTitle: "" },
    expiresAt: 1,
  };
  line.say({ method: "approval/required", params: question });
  const { method, params } = await line.hear();
  assert.deepEqual([method, params["requestId"], params["decision"]], ["approval/respond", "q", "deny"]);
  stop();
  line.say({ method: "approval/required", params: question });
  await new Promise(setImmediate);
  assert.deepEqual(seen, ["action/click", "action/click"]);
  assert.equal(line.sent.length, 2);
});

/** The first connection of a client, to a server that is still starting, and what it sees first. */
import assert from "node:assert/strict";
import test from "node:test";
import { Browser, ConnectionLost, InvalidParams } from "../src/index.js";
import { FakeServer } from "./fake.js";
import { connected } from "./stage.js";

test("a client waits for a server that is starting", async () => {
  const server = new FakeServer();
  server.refusals.push({}, {}, {}, {}, {}, {});
  const { dial, sleep } = server;
  const opening = Browser.connect("ws://there", { check: false, dial, sleep, waitMs: 60_000 });
  await (await server.line()).welcome();
  (await opening).leave();
  assert.deepEqual(server.waits, [50, 100, 200, 400, 1000, 1000]);
});

test("a final refusal is not waited out, and without a wait none is", async () => {
  const server = new FakeServer();
  const { dial, sleep } = server;
  server.refusals.push({}, { status: 401 }, {});
  await assert.rejects(Browser.connect("ws://there", { dial, sleep, waitMs: 60_000 }), ConnectionLost);
  assert.deepEqual(server.waits, [50]);
  await assert.rejects(Browser.connect("ws://there", { dial, sleep }), ConnectionLost);
  assert.deepEqual(server.waits, [50]);
});

test("the wait has an end, and a signal ends it too", async () => {
  let attempts = 0;
  const dial = (): Promise<never> => {
    attempts++;
    return Promise.reject(ConnectionLost.of({}));
  };
  await assert.rejects(
    Browser.connect("ws://there", { dial, waitMs: 200 }),
    (error: unknown) => error instanceof ConnectionLost && error.details["waitedMs"] === 200,
  );
  assert.ok(attempts >= 2);
  const stop = new AbortController();
  const opening = Browser.connect("ws://there", { dial, waitMs: 3_600_000, signal: stop.signal });
  setTimeout(() => {
    stop.abort();
  }, 5);
  await assert.rejects(opening, { name: "AbortError" });
});

test("an invalid wait is rejected", async () => {
  for (const waitMs of [-1, NaN, Infinity])
    await assert.rejects(
      Browser.connect("ws://there", { waitMs }),
      (error: unknown) => error instanceof InvalidParams && error.details["path"] === "waitMs",
    );
});

test("an observation has its elements, and none with text", async () => {
  const { browser, line } = await connected();
  const element = { ref: "@a", selector: { type: "ref", value: "@a" }, role: "link", actionHints: [], tagName: "a" };
  const list = browser.page("p").observe({ format: "json" });
  line.reply(await line.hear(), { interactiveElements: [element] });
  assert.deepEqual((await list).elements, [element]);
  const text = browser.page("p").observe();
  line.reply(await line.hear(), { text: "page" });
  const seen = await text;
  assert.deepEqual([seen.text, seen.elements], ["page", []]);
});

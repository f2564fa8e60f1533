import assert from "node:assert/strict";
import test from "node:test";
import { ActionFailed } from "../src/index.js";
import { again, connected } from "./stage.js";

test("a download that is lost with its session is waited for no longer", async () => {
  const stage = await connected();
  const event = { downloadId: "d", pageId: "p", url: "http://a/f", suggestedFilename: "f", timestamp: 0 } as const;
  const reading = stage.browser.download({ ...event, state: "started" }).read();
  stage.line.reply(await stage.line.hear(), { subscribed: ["download"] });
  stage.line.reply(await stage.line.hear(), { downloads: [{ ...event, state: "started" }] });
  await new Promise(setImmediate);
  const failed = assert.rejects(reading, ActionFailed);
  const next = await again(stage, {});
  for (;;) {
    const request = await next.hear();
    next.reply(request, request.method === "download/list" ? { downloads: [] } : { subscribed: [] });
    if (request.method === "events/unsubscribe") break;
  }
  await failed;
});

test("a download that has ended while the client was away is read", async () => {
  const stage = await connected();
  const event = { downloadId: "d", pageId: "p", url: "http://a/f", suggestedFilename: "f", timestamp: 0 } as const;
  const reading = stage.browser.download({ ...event, state: "started" }).read();
  stage.line.reply(await stage.line.hear(), { subscribed: ["download"] });
  stage.line.reply(await stage.line.hear(), { downloads: [{ ...event, state: "started" }] });
  await new Promise(setImmediate);
  const next = await again(stage);
  const results: Record<string, object> = {
    "download/list": { downloads: [{ ...event, state: "completed" }] },
    "download/read": { data: "YWJj", eof: true },
  };
  for (;;) {
    const request = await next.hear();
    next.reply(request, results[request.method] ?? { subscribed: [] });
    if (request.method === "download/read") break;
  }
  assert.deepEqual(await reading, new Uint8Array([97, 98, 99]));
});

import assert from "node:assert/strict";
import test from "node:test";
import { ActionFailed } from "../src/index.js";
import { again, connected } from "./stage.js";

const EVENT = { downloadId: "d", pageId: "p", url: "http://a/f", suggestedFilename: "f", timestamp: 0 } as const;

/** A client that reads a download which has not ended. */
async function begun() {
  const stage = await connected();
  const reading = stage.browser.download({ ...EVENT, state: "started" }).read();
  stage.line.reply(await stage.line.hear(), { subscribed: ["download"] });
  stage.line.reply(await stage.line.hear(), { downloads: [{ ...EVENT, state: "started" }] });
  await new Promise(setImmediate);
  return { stage, reading };
}

test("a download that is lost with its session is waited for no longer", async () => {
  const { stage, reading } = await begun();
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
  const { stage, reading } = await begun();
  const next = await again(stage);
  const results: Record<string, object> = {
    "download/list": { downloads: [{ ...EVENT, state: "completed" }] },
    "download/read": { data: "YWJj", eof: true },
  };
  for (;;) {
    const request = await next.hear();
    next.reply(request, results[request.method] ?? { subscribed: [] });
    if (request.method === "download/read") break;
  }
  assert.deepEqual(await reading, new Uint8Array([97, 98, 99]));
});

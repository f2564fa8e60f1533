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

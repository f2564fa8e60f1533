import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { Browser, ConnectionLost, type Result, StreamBroken } from "../src/index.js";
import { STALL_MS } from "../src/streams.js";
import { FakeServer, type FakeConnection } from "./fake.js";

const TEXTS = ["so much ", "for thät"];
const TYPE = "text/plain;charset=utf-8";

async function connected(
  maxMessageBytes?: number,
): Promise<{ browser: Browser; line: FakeConnection; exchange: FakeServer }> {
  const exchange = new FakeServer();
  const { dial, sleep } = exchange;
  const limit = maxMessageBytes === undefined ? {} : { maxMessageBytes };
  const opening = Browser.connect("ws://there", { dial, sleep, check: false, ...limit });
  const line = await exchange.line();
  const { params } = await line.welcome();
  const said = maxMessageBytes === undefined ? {} : { streaming: true, maxMessageSize: maxMessageBytes };
  assert.deepEqual(params["capabilities"], said);
  return { browser: await opening, line, exchange };
}

function reference(streamId: string): object {
  return { streamId, totalSize: 17, contentType: TYPE };
}

function send(line: FakeConnection, streamId: string, checksum?: string): void {
  let offset = 0;
  for (const [index, data] of TEXTS.entries()) {
    line.say({ method: "stream/chunk", params: { streamId, index, data, offset, size: data.length } });
    offset += data.length;
  }
  const sum = checksum ?? createHash("sha256").update(TEXTS.join("")).digest("hex");
  line.say({ method: "stream/end", params: { streamId, totalChunks: 2, totalSize: 17, checksum: sum } });
}

async function asked(): Promise<{
  line: FakeConnection;
  exchange: FakeServer;
  result: Promise<Result<"observe/content">>;
  stop: AbortController;
}> {
  const { browser, line, exchange } = await connected(20_000);
  const stop = new AbortController();
  const result = browser.page("p").content({}, { signal: stop.signal });
  line.reply(await line.hear(), {
    content: reference("stream-1"),
    format: "html",
    url: "u",
    title: reference("stream-2"),
  });
  return { line, exchange, result, stop };
}

test("streamed texts replace their references", async () => {
  const { line, result } = await asked();
  send(line, "stream-2");
  send(line, "stream-1");
  const text = TEXTS.join("");
  assert.deepEqual(await result, { content: text, format: "html", url: "u", title: text });
});

test("a wrong checksum is an error", async () => {
  const { line, result } = await asked();
  send(line, "stream-1", "0".repeat(64));
  await assert.rejects(
    result,
    (error: unknown) => error instanceof StreamBroken && error.details["streamId"] === "stream-1",
  );
});

test("a missing chunk is an error", async () => {
  const { line, result } = await asked();
  line.say({ method: "stream/end", params: { streamId: "stream-1", totalChunks: 2, totalSize: 17, checksum: "" } });
  await assert.rejects(result, StreamBroken);
});

test("an observation is repeated when the connection ends in the middle of a stream", async () => {
  const { line, exchange, result } = await asked();
  line.end();
  const next = await exchange.line();
  await next.welcome({ restored: "warm" });
  const repeat = await next.hear();
  assert.equal(repeat.method, "observe/content");
  next.end();
  await assert.rejects(result, ConnectionLost);
});

test("a signal cancels the streams", async () => {
  const { line, result, stop } = await asked();
  await new Promise(setImmediate);
  stop.abort();
  await assert.rejects(result, { name: "AbortError" });
  const cancelled = [await line.hear(), await line.hear()];
  assert.deepEqual(
    cancelled.map(({ method, params }) => [method, params["streamId"]]),
    [
      ["stream/cancel", "stream-1"],
      ["stream/cancel", "stream-2"],
    ],
  );
});

test("without negotiation nothing counts as a stream", async () => {
  const { browser, line } = await connected();
  const result = browser.page("p").evaluate("hostile()");
  line.reply(await line.hear(), { value: reference("stream-1") });
  assert.deepEqual(await result, reference("stream-1"));
});

test("data that only looks like a stream reference times out", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { result } = await asked();
  await new Promise(setImmediate);
  context.mock.timers.tick(STALL_MS);
  await assert.rejects(result, StreamBroken);
});

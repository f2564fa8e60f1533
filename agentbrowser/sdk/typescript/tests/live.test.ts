/** The client against a real server; the tests of the server start both, and say where they are. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import {
  Browser,
  ConnectionLost,
  type BrowserOptions,
  ElementNotFound,
  ExtractionFailed,
  InvalidParams,
  Page,
  ScopeDenied,
  SequenceFailed,
  type Step,
} from "../src/index.js";

const {
  AGENT_URL: URL_ = "",
  AGENT_TOKEN: TOKEN = "",
  AGENT_LOW_TOKEN: LOW_TOKEN = "",
  SITE_URL: SITE = "",
} = process.env;

/** Run a test with a page of the site, where there is one. */
function live(name: string, options: BrowserOptions, act: (page: Page, browser: Browser) => Promise<void>): void {
  test(name, { skip: URL_ ? false : "there is no server: AGENT_URL is not set" }, async () => {
    const browser = await Browser.connect(URL_, { token: TOKEN, ...options });
    try {
      await act(await browser.newPage(SITE), browser);
    } finally {
      await browser.close();
    }
  });
}

live("look, act by ref, look again", {}, async (page) => {
  const { text } = await page.observe();
  assert.match(text, /@email textbox "Email" @add button "Add"/);
  assert.equal((await page.ref("@email").fill("me@example.com")).value, "me@example.com");
  await page.ref("@add").click();
  assert.equal(await page.evaluate("document.title"), "1");
  const { interactiveElements = [] } = await page.observe({ format: "json" });
  assert.deepEqual(
    interactiveElements.map(({ ref }) => ref),
    ["@email", "@add", "@more"],
  );
});

live("act, and learn what it changed", {}, async (page) => {
  await page.observe();
  const { observation } = await page.ref("@add").click({ observe: "changes" });
  assert.match(observation?.text ?? "", /^changes\n/);
  assert.match(observation?.text ?? "", /"1 added"/);
  assert.equal((await page.observe({ incremental: true })).text, "no changes");
});

live("act in one request, and look afterwards", {}, async (page) => {
  const selector = { type: "role", role: "button", name: "Add" } as const;
  const done = await page.act(
    [
      { action: "action/click", params: { selector }, expect: { text: "1 added" } },
      { action: "action/click", params: { selector }, label: "again" },
    ],
    { postObserve: { format: "text" } },
  );
  assert.deepEqual([done.success, done.completed, done.results[1]?.label], [true, 2, "again"]);
  assert.match(done.postObservation?.text ?? "", /@add button "Add"/);
  const gone = {
    action: "action/click",
    params: { selector: { type: "css", value: "#gone" }, options: { timeout: 100 } },
  };
  await assert.rejects(page.act([gone as Step]), (error: unknown) => {
    assert.ok(error instanceof SequenceFailed);
    assert.deepEqual([error.step, error.error instanceof ElementNotFound, error.results.length], [0, true, 1]);
    return true;
  });
});

live("extract by a zod schema, and by one of the protocol", {}, async (page) => {
  const Item = z.object({ name: z.string(), price: z.number() });
  const { data: items, confidence = 0 } = await page.extract(z.array(Item));
  assert.ok(confidence > 0.5 && confidence <= 1);
  assert.deepEqual(items, [
    { name: "Tea", price: 3.5 },
    { name: "Cup", price: 12 },
  ]);
  const answer = await page.extract({ type: "object", properties: { heading: { type: "string" } } });
  assert.deepEqual([answer.success, answer.data], [true, { heading: "Shop" }]);
  await assert.rejects(page.extract(z.array(z.object({ grandmother: z.string() }))), ExtractionFailed);
});

live("errors are classes", {}, async (page, browser) => {
  await assert.rejects(page.element({ type: "css", value: "#gone" }).click({ timeout: 200 }), (error: unknown) => {
    assert.ok(error instanceof ElementNotFound);
    assert.deepEqual([error.code, error.retryable, error.retryAfterMs], [-32012, true, 500]);
    assert.match(error.recoveryHint ?? "", /^Observe/);
    return true;
  });
  await assert.rejects(browser.call("page/navigate", { url: "javascript:1" }), InvalidParams);
});

live("events, as they come", {}, async (page, browser) => {
  const events = browser.events("console", "page");
  await events.ready;
  await page.evaluate("console.warn('careful')", { world: "main" });
  for await (const event of events) {
    if (event.kind === "console") {
      assert.deepEqual([event.text, event.level, event.pageId], ["careful", "warning", page.id]);
      break;
    }
  }
});

live("a request that is cancelled stops", {}, async (page) => {
  const stop = new AbortController();
  const waiting = page.evaluate("new Promise(() => {})", { awaitPromise: true }, { signal: stop.signal });
  setImmediate(() => {
    stop.abort();
  });
  await assert.rejects(waiting, { name: "AbortError" });
  assert.equal(await page.evaluate("1 + 1"), 2);
});

live("a result that is too large comes in pieces", { maxMessageBytes: 64 * 1024 }, async (page) => {
  const text = "Zürich ".repeat(50_000);
  assert.equal(await page.evaluate("'Zürich '.repeat(50000)"), text);
});

live("every page is a page", {}, async (page, browser) => {
  const other = await browser.newPage();
  assert.deepEqual(
    (await browser.pages()).map(({ id }) => id),
    [page.id, other.id],
  );
  await other.close();
  const picture = await page.screenshot({ options: { format: "png" } });
  assert.deepEqual([picture.format, picture.width], ["png", 1280]);
  assert.deepEqual([...picture.subarray(1, 4)], [0x50, 0x4e, 0x47]);
  assert.equal((await page.screenshot({ format: "webp", fullPage: true })).format, "webp");
});

live("popups and downloads are objects, and files go both ways", {}, async (page) => {
  const folder = await mkdtemp(join(tmpdir(), "agentbrowser-"));
  try {
    await page.evaluate(`document.body.innerHTML = '<a id=new target=_blank href=/more>New</a>' +
      '<a id=get download=r.txt href="data:text/plain,more">Get</a><input id=file type=file multiple>'`);
    const { newPages = [] } = await page.element("#new").click();
    assert.deepEqual([newPages.length, newPages[0] instanceof Page], [1, true]);
    const { download } = await page.element("#get").click();
    assert.equal(download?.suggestedName, "r.txt");
    await download.saveAs(join(folder, "mine.txt"));
    assert.equal(await readFile(join(folder, "mine.txt"), "utf8"), "more");
    const data = new TextEncoder().encode("keel");
    await page.element("#file").upload([join(folder, "mine.txt"), { name: "b.txt", data }, new File(["x"], "c.txt")]);
    const texts =
      "Promise.all([...document.querySelector('#file').files].map(async (one) => one.name + await one.text()))";
    assert.deepEqual(await page.evaluate(texts), ["mine.txtmore", "b.txtkeel", "c.txtx"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test(
  "a wrong token is refused, and a low one gives little",
  { skip: URL_ ? false : "there is no server" },
  async () => {
    await assert.rejects(Browser.connect(URL_, { token: `${TOKEN}x` }), (error: unknown) => {
      assert.ok(error instanceof ConnectionLost);
      assert.deepEqual([error.retryable, error.details["status"]], [false, 401]);
      return true;
    });
    const low = await Browser.connect(URL_, { token: LOW_TOKEN });
    await assert.rejects(low.newPage(), ScopeDenied);
    await low.close();
  },
);

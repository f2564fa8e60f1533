/** Results and errors of the client's objects. */
import assert from "node:assert/strict";
import test from "node:test";
import { z } from "zod";
import { ElementNotFound, ExtractionFailed, Image, Page, SequenceFailed, Timeout } from "../src/index.js";
import { connected, type Stage } from "./stage.js";

const CLICKED = { url: "http://a/", navigated: false };
const NOT_FOUND = { code: -32012, message: "Nothing matches.", data: { retryable: true, recoveryHint: "Look again." } };
const UNMET = { code: -32016, message: "The step's condition was not met: not in time.", data: { retryable: true } };
const CLICK = { action: "action/click", params: { selector: { type: "ref", value: "@a" } } } as const;

/** Answer the next request, and return what the call resolves to, with the params of the request. */
async function answered<T>({ line }: Stage, call: Promise<T>, result: object): Promise<[T, Record<string, unknown>]> {
  const sent = await line.hear();
  line.reply(sent, result);
  return [await call, sent.params];
}

function sequence(...steps: Array<{ success: boolean; label?: string; result?: object; error?: object }>): object {
  const completed = steps.filter(({ success }) => success).length;
  const results = steps.map((step, index) => ({ step: index, duration: 1, ...step }));
  return { completed, total: steps.length, success: completed === steps.length, duration: 1, results };
}

test("options of an action may be flat or nested; the key and the look are params", async () => {
  const stage = await connected();
  const element = stage.browser.page("p").ref("@a");
  const rest = { timeout: 5, button: "right", observe: "changes", idempotencyKey: "once" } as const;
  const look = { text: "no changes" };
  const [done, sent] = await answered(stage, element.click(rest), { ...CLICKED, observation: look });
  const selector = { type: "ref", value: "@a" };
  const options = { timeout: 5, button: "right" };
  assert.deepEqual(sent, { pageId: "p", selector, options, observe: "changes", idempotencyKey: "once" });
  assert.deepEqual(done.observation, { text: "no changes", elements: [] });
  const [, nested] = await answered(stage, element.fill("x", { options: { timeout: 5 } }), CLICKED);
  assert.deepEqual([nested["options"], nested["value"], "observe" in nested], [{ timeout: 5 }, "x", false]);
});

test("an action passes the check of its params", async () => {
  const { browser, line } = await connected({ check: true });
  const call = browser.page("p").ref("@a").click({ button: "right", timeout: 5, idempotencyKey: "once" });
  line.reply(await line.hear(), CLICKED);
  assert.equal((await call).navigated, false);
});

test("opened pages are pages, by their ids or as objects", async () => {
  const stage = await connected();
  const element = stage.browser.page("p").ref("@a");
  for (const opened of ["q", { pageId: "q", url: "http://b/", title: "B" }]) {
    const [{ newPages = [] }] = await answered(stage, element.click(), { ...CLICKED, newPages: [opened] });
    assert.deepEqual([newPages.length, newPages[0] instanceof Page, newPages[0]?.id], [1, true, "q"]);
  }
});

test("a failed step rejects with the results so far", async () => {
  const stage = await connected();
  const page = stage.browser.page("p");
  const steps = [CLICK, { ...CLICK, label: "buy" }];
  const result = { ...CLICKED, newPages: ["q"] };
  const reply = sequence({ success: true, result }, { success: false, label: "buy", error: NOT_FOUND });
  await assert.rejects(answered(stage, page.act(steps), reply), (error: unknown) => {
    assert.ok(error instanceof SequenceFailed);
    assert.equal(error.message, "Step 1 (buy), action/click, failed: Nothing matches.");
    assert.deepEqual([error.step, error.label, error.code, error.retryable], [1, "buy", -32012, true]);
    assert.ok(error.error instanceof ElementNotFound && error.cause === error.error);
    assert.ok((error.results[0]?.result as { newPages: Page[] }).newPages[0] instanceof Page);
    return true;
  });
  const [done, sent] = await answered(stage, page.act(steps, { check: false }), reply);
  assert.ok(!done.success && done.results[1]?.exception instanceof ElementNotFound);
  assert.equal("check" in sent, false);
});

test("a failure that the sequence allows is not an error", async () => {
  const stage = await connected();
  const page = stage.browser.page("p");
  const skipped = page.act([{ ...CLICK, onError: "skip" }, CLICK]);
  const ok = { success: true, result: CLICKED };
  assert.equal((await answered(stage, skipped, sequence({ success: false, error: NOT_FOUND }, ok)))[0].completed, 1);
  const unmet = sequence({ success: false, error: UNMET }, ok);
  const lenient = page.act([CLICK, CLICK], { continueOnConditionFail: true });
  assert.equal((await answered(stage, lenient, unmet))[0].completed, 1);
  await assert.rejects(answered(stage, page.act([CLICK, CLICK], { stopOnFirstError: false }), unmet), SequenceFailed);
});

test("a failed extraction rejects with its reason, also by a schema of the protocol", async () => {
  const stage = await connected();
  const call = stage.browser.page("p").extract({ type: "string" });
  const answer = { success: false, error: "No boats here.", fields: { value: { confidence: 0.3 } } };
  await assert.rejects(answered(stage, call, answer), (error: unknown) => {
    assert.ok(error instanceof ExtractionFailed);
    assert.equal(error.message, "No boats here.");
    assert.deepEqual(error.fields, { value: { confidence: 0.3 } });
    return true;
  });
});

test("a list is extracted whole, unless a part of it is asked for", async () => {
  const { browser, line } = await connected();
  const schema = z.array(z.object({ name: z.string() }));
  const source = (path: string) => ({ ref: "@a", selector: { type: "css" as const, value: "li" }, path });
  const parts = [
    {
      success: true,
      data: [{ name: "a" }, { name: "b" }],
      sources: [source("/1/name")],
      confidence: 0.9,
      nextCursor: "c1",
    },
    {
      success: true,
      data: [{ name: "c" }],
      sources: [source("/0/name")],
      confidence: 0.7,
      dropped: 2,
      truncated: true,
    },
  ];
  const call = browser.page("p").extract(schema, { includeSourceRefs: true });
  for (const [index, part] of parts.entries()) {
    const request = await line.hear();
    assert.equal(request.params["cursor"], index ? "c1" : undefined);
    line.reply(request, part);
  }
  const whole = await call;
  assert.deepEqual(whole.data, [{ name: "a" }, { name: "b" }, { name: "c" }]);
  assert.deepEqual([whole.confidence, whole.dropped, whole.truncated, whole.nextCursor], [0.7, 2, true, undefined]);
  assert.deepEqual(
    whole.sources?.map(({ path }) => path),
    ["/1/name", "/2/name"],
  );
  const part = browser.page("p").extract(schema, { maxItems: 2 });
  line.reply(await line.hear(), { ...parts[0] });
  assert.equal((await part).nextCursor, "c1");
});

test("a screenshot is bytes", async () => {
  const stage = await connected();
  const answer = { data: "iVBORw==", format: "png", width: 2, height: 1 };
  const [picture, sent] = await answered(stage, stage.browser.page("p").screenshot({ format: "png" }), answer);
  assert.ok(picture instanceof Image && picture instanceof Uint8Array);
  assert.deepEqual([...picture], [0x89, 0x50, 0x4e, 0x47]);
  assert.deepEqual([picture.format, picture.width, picture.height, picture.data], ["png", 2, 1, "iVBORw=="]);
  assert.deepEqual([...picture.slice(1, 3)], [0x50, 0x4e]);
  assert.deepEqual(sent["options"], { format: "png" });
});

test("the stack begins with the class, and has the hint before the frames", async () => {
  const { browser, line } = await connected();
  const call = browser.page("p").ref("@a").click();
  line.fault(await line.hear(), NOT_FOUND);
  await assert.rejects(call, ({ message, stack = "" }: Error) => {
    assert.equal(message, "Nothing matches.");
    assert.match(stack, /^ElementNotFound: Nothing matches\.\n {2}Hint: Look again\.\n {4}at /);
    return true;
  });
});

test("the stack has what was requested, and what was there instead", async () => {
  const { browser, line } = await connected();
  const call = browser.page("p").call("page/waitFor", { text: "Saved" });
  const condition = { text: "Saved\u202e" };
  const details = { method: "page/waitFor", condition, seen: "https://a.example/" };
  line.fault(await line.hear(), { code: -32020, message: "Not met.", data: { retryable: true, details } });
  await assert.rejects(call, ({ stack = "" }: Error) => {
    const shown = String.raw`  Details: condition {"text":"Saved\u202e"}, seen "https://a.example/"`;
    assert.equal(stack.split("\n")[1], shown);
    return true;
  });
});

test("a timeout of the client cancels the request", async (context) => {
  const running = setTimeout(() => undefined, 60_000); // as a socket would, it keeps the process from ending
  context.after(() => {
    clearTimeout(running);
  });
  const { browser, line } = await connected();
  const call = browser.pages({ timeout: 5 });
  const { id } = await line.hear();
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof Timeout);
    assert.deepEqual(error.details, { timeout: 5, method: "page/list" });
    return true;
  });
  assert.deepEqual((await line.hear()).params, { id });
});

test("a timeout of the client says that an action may have acted", async (context) => {
  const running = setTimeout(() => undefined, 60_000);
  context.after(() => {
    clearTimeout(running);
  });
  const { browser } = await connected();
  await assert.rejects(browser.call("page/create", {}, { timeout: 5 }), (error: unknown) => {
    assert.ok(error instanceof Timeout);
    assert.equal(error.retryable, false);
    assert.deepEqual(error.details, { timeout: 5, method: "page/create", mayHaveActed: true });
    return true;
  });
});

test("a signal among the options cancels the request", async () => {
  const { browser, line } = await connected();
  const stop = new AbortController();
  const call = browser.page("p").ref("@a").click({ signal: stop.signal });
  const { id, params } = await line.hear();
  assert.equal("signal" in params, false);
  stop.abort();
  await assert.rejects(call, { name: "AbortError" });
  assert.deepEqual((await line.hear()).params, { id });
});

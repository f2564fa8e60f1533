/** What tsc must refuse: a line under `@ts-expect-error` that it takes is an error. Compiled, and never run. */
import { z } from "zod";
import type { Browser, Event, Image, Look, Page, Params, Result, Selector } from "../src/index.js";

type Same<A, B> = [A, B] extends [B, A] ? true : false;

declare function is<A, B>(same: Same<A, B>): void;

export async function wellSaid(browser: Browser): Promise<void> {
  const page = await browser.newPage({ url: "https://example.com/" });
  const { text } = await page.observe();
  const { interactiveElements } = await page.observe({ format: "json" });
  const found = await page.extract(z.object({ name: z.string(), price: z.number().optional() }));
  const answer = await page.extract({ type: "string" });
  is<typeof text, string>(true);
  is<typeof interactiveElements, Result<"agent/observe">["interactiveElements"]>(true);
  is<typeof found.data, { name: string; price?: number | undefined }>(true);
  is<typeof found.confidence, number | undefined>(true);
  is<typeof answer, Result<"agent/extract">>(true);
  const { newPages = [], observation } = await page.ref("@a").click({
    button: "right",
    timeout: 100,
    observe: "changes",
    idempotencyKey: "once",
    signal: AbortSignal.timeout(1),
  });
  is<typeof newPages, Page[]>(true);
  is<typeof observation, Look | undefined>(true);
  is<Awaited<ReturnType<typeof page.screenshot>>, Image>(true);
  await page.ref("@a").upload(["plan.txt", { name: "raw", data: new Uint8Array(2) }]);
  await page.act([], { check: false, signal: AbortSignal.timeout(1) });
  is<Params<"action/click">["selector"], Selector>(true);
  is<Event<"dialog">["kind"], "dialog">(true);
  await browser.call("page/list");
  is<Awaited<ReturnType<typeof page.call<"frame/list">>>, Result<"frame/list">>(true);
  await page.call("dialog/handle", { action: "accept", signal: AbortSignal.timeout(1) });
  await page.call("page/activate");
  await browser.call("action/click", { selector: { type: "css", value: "#a" }, idempotencyKey: "k" });
  for await (const event of browser.events("console", "network"))
    if (event.kind === "network") is<typeof event.requestId, string>(true);
}

export async function misspelt(browser: Browser): Promise<void> {
  const page = browser.page("page-1");
  // @ts-expect-error no such method
  await browser.call("page/navigat", { url: "https://example.com/" });
  // @ts-expect-error no such parameter
  await browser.call("page/navigate", { url: "https://example.com/", waitUntill: "load" });
  // @ts-expect-error a method that takes no page
  await page.call("page/list");
  // @ts-expect-error a parameter of a page's call is missing
  await page.call("dialog/handle");
  // @ts-expect-error no such parameter where none is needed
  await browser.call("page/list", { page: "page-1" });
  // @ts-expect-error a parameter is missing
  await browser.call("page/navigate", {});
  // @ts-expect-error the params are missing
  await browser.call("page/navigate");
  // @ts-expect-error a parameter of another type
  await browser.call("page/navigate", { url: 5 });
  // @ts-expect-error no such word
  await browser.call("page/navigate", { url: "https://example.com/", waitUntil: "loaded" });
  // @ts-expect-error no such selector
  page.element({ type: "cs", value: "#a" });
  // @ts-expect-error a selector with the field of another
  page.element({ type: "css", description: "the search box" });
  // @ts-expect-error no such option
  await page.ref("@a").click({ options: { buttn: "left" } });
  // @ts-expect-error no such option
  await page.ref("@a").click({ buttn: "left" });
  // @ts-expect-error no such look
  await page.ref("@a").click({ observe: "all" });
  // @ts-expect-error bytes without a name
  await page.ref("@a").upload([new Uint8Array(2)]);
  // @ts-expect-error no such event
  browser.events("consol");
  // @ts-expect-error no such action
  await page.act([{ action: "action/clik", params: { selector: { type: "css", value: "#a" } } }]);
  // @ts-expect-error not one of the steps
  await page.act([{ action: "agent/observe", params: {} }]);
  // @ts-expect-error a step without what it needs
  await page.act([{ action: "action/fill", params: { selector: { type: "css", value: "#a" } } }]);
  // @ts-expect-error no such field of a result
  (await page.observe()).element = 5;
  // @ts-expect-error an observation as text has no other format
  const seen: { text: string } = await page.observe({ format: "json" });
  // @ts-expect-error no such decision
  browser.approvals(() => "yes");
  // @ts-expect-error the page is known already
  await page.observe({ pageId: "page-2" });
  await page.ref(seen.text).click();
}

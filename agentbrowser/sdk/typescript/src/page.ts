/** A page and its elements. */
import type { z } from "zod";
import { fields } from "./arguments.js";
import type { Browser, CallOptions, MethodName, Params, Result } from "./browser.js";
import { extracted, extraction, isZod, joined } from "./extraction.js";
import { type Upload, uploadOf } from "./files.js";
import {
  type ActionOutcome,
  actionOutcome,
  checkSequence,
  type Extracted,
  requireSuccess,
  Image,
  type Look,
  look,
  type Observation,
  type SequenceOutcome,
  sequenceOutcome,
} from "./results.js";
import type * as t from "./types.gen.js";

/** Params without those that the page or the element adds. */
type Rest<M extends MethodName, K extends string = "pageId"> = Omit<Params<M>, K | "pageId"> & Signal;

type Signal = Pick<CallOptions, "signal">;

/** Options of an action: those of the protocol, flat or as `options`, with the key, the look and the signal. */
type Act<M extends MethodName, K extends string = "pageId"> = Rest<M, K> & OptionsOf<Params<M>>;

type OptionsOf<P> = P extends { options?: infer O } ? NonNullable<O> : Record<never, never>;

/** A step with the params of its method. */
export type Step = { [M in t.StepMethod]: Omit<t.ExecutionStep, "action" | "params"> & Call<M> }[t.StepMethod];

type Call<M extends t.StepMethod> =
  Record<never, never> extends t.Methods[M]["params"]
    ? { action: M; params?: t.Methods[M]["params"] }
    : { action: M; params: t.Methods[M]["params"] };

/** Methods that take a page. */
type PageMethod = { [M in MethodName]: "pageId" extends keyof t.Methods[M]["params"] ? M : never }[MethodName];

type PageCall<M extends PageMethod> = Rest<M, "contextId">;

/** Result of a navigation; `observation` with `observe`. */
export type Navigated = Omit<t.NavigateResult, "observation"> & { observation?: Look };

export class Page {
  constructor(
    readonly browser: Browser,
    readonly id: string,
  ) {}

  /** Call any method that takes a page, on this one: `await page.call("dialog/handle", { action: "accept" })`. */
  call<M extends PageMethod>(
    method: M,
    ...[params, options]: Record<never, never> extends PageCall<M>
      ? [params?: PageCall<M>, options?: CallOptions]
      : [params: PageCall<M>, options?: CallOptions]
  ): Promise<Result<M>> {
    return this.#call(method, params ?? {}, options);
  }

  /** Load a URL. */
  async goto(url: string, rest: Rest<"page/navigate", "url"> = {}, options?: CallOptions): Promise<Navigated> {
    const { observation, ...result } = await this.#call("page/navigate", rest, options, { url });
    return { ...result, ...(observation && { observation: look(observation) }) };
  }

  reload(rest: Rest<"page/reload"> = {}, options?: CallOptions): Promise<t.MoveResult> {
    return this.#call("page/reload", rest, options);
  }

  goBack(rest: Rest<"page/goBack"> = {}, options?: CallOptions): Promise<t.MoveResult> {
    return this.#call("page/goBack", rest, options);
  }

  goForward(rest: Rest<"page/goForward"> = {}, options?: CallOptions): Promise<t.MoveResult> {
    return this.#call("page/goForward", rest, options);
  }

  /** Wait for one condition: `text`, `textGone`, `url`, `selector` with `state`, `idle`, or `duration`. */
  waitFor(condition: Rest<"page/waitFor">, options?: CallOptions): Promise<t.WaitForResult> {
    return this.#call("page/waitFor", condition, options);
  }

  /**
   * Ask a person to take the page over, and wait until it is handed back or `until` holds. The outcome is `done`,
   * `declined` or `timeout`. Actions on the page fail with `PageHeld` while the person has it. With `choices`, the person
   * can pick one of them instead, which is the result's `answer`.
   */
  askHuman(
    reason: string,
    request: Omit<Rest<"handoff/request">, "reason" | "handoffId" | "wait"> = {},
    options?: CallOptions,
  ): Promise<t.HandoffResult> {
    return this.#call("handoff/request", request, options, { reason });
  }

  /** Return a copy of the page in a new context, to try another way. Requires the scope `full`. */
  async fork(options?: CallOptions): Promise<Page> {
    const { pageId } = await this.#call("session/fork", {}, options);
    return new Page(this.browser, pageId);
  }

  /** Make this the active page, and bring it to the front. */
  async activate(options?: CallOptions): Promise<void> {
    await this.#call("page/activate", {}, options);
  }

  async close(rest: Rest<"page/close"> = {}, options?: CallOptions): Promise<void> {
    await this.#call("page/close", rest, options);
  }

  /**
   * Observe the page: `text` is ready for a prompt, and `elements` are those in it. With `format: "text"` there is the
   * text alone; with "json", `content` in its place.
   */
  observe(
    rest?: Rest<"agent/observe", "format"> & { format?: "text" | "both" },
    options?: CallOptions,
  ): Promise<Observation>;
  observe(rest: Rest<"agent/observe", "format"> & { format: "json" }, options?: CallOptions): Promise<Look>;
  async observe(rest: Rest<"agent/observe"> = {}, options?: CallOptions): Promise<Look> {
    return look(await this.#call("agent/observe", { format: "both", ...fields("params", rest) }, options));
  }

  /**
   * Run up to 50 steps in sequence, all validated before the first one runs. Rejects with SequenceFailed, which holds
   * the results so far, if a step fails that does not have `onError: "skip"`; with `check: false`, the result tells.
   */
  async act(
    given: readonly Step[],
    rest: Rest<"agent/act", "steps"> & { check?: boolean } = {},
    options?: CallOptions,
  ): Promise<SequenceOutcome> {
    const steps = given as readonly t.ExecutionStep[];
    const { check = true, ...params } = fields("params", rest);
    const done = sequenceOutcome(this.browser, steps, await this.#call("agent/act", params, options, { steps }));
    if (check) checkSequence(steps, done, params.continueOnConditionFail ?? false);
    return done;
  }

  /**
   * Extract data, with its confidence. By a zod schema the data has its type, and a list is whole, unless `maxItems` or
   * `cursor` asks for a part. By an ExtractionSchema the data is unknown, and `nextCursor` goes on with a list. Rejects
   * with ExtractionFailed, and the reason, if nothing fits.
   */
  extract<S extends z.ZodType>(
    schema: S,
    rest?: Rest<"agent/extract", "schema">,
    options?: CallOptions,
  ): Promise<Extracted<z.output<S>>>;
  extract(
    schema: t.ExtractionSchema,
    rest?: Rest<"agent/extract", "schema">,
    options?: CallOptions,
  ): Promise<t.AgentExtractResult>;
  async extract(
    schema: z.ZodType | t.ExtractionSchema,
    rest: Rest<"agent/extract", "schema"> = {},
    options?: CallOptions,
  ): Promise<unknown> {
    if (!isZod(schema)) return requireSuccess(await this.#call("agent/extract", rest, options, { schema }));
    const params = { ...fields("params", rest), schema: extraction(schema) };
    const first = requireSuccess(await this.#call("agent/extract", params, options));
    const others: t.AgentExtractResult[] = [];
    let cursor = params.maxItems === undefined && params.cursor === undefined ? first.nextCursor : undefined;
    while (cursor) {
      const part = requireSuccess(await this.#call("agent/extract", { ...params, cursor }, options));
      others.push(part);
      cursor = part.nextCursor;
    }
    return extracted(schema, joined(first, others));
  }

  /** Take a screenshot: the bytes of the image, with its format, width and height. */
  async screenshot(
    rest: Omit<Rest<"observe/screenshot">, "selector"> & { selector?: t.Selector | string } & t.ScreenshotOptions = {},
    options?: CallOptions,
  ): Promise<Image> {
    const { selector, timeout, signal, options: nested, ...flat } = fields("params", rest);
    const params = {
      ...(selector === undefined ? {} : { selector: selectorOf(selector) }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(signal && { signal }),
      options: { ...nested, ...flat },
    };
    return new Image(await this.#call("observe/screenshot", params, options));
  }

  content(rest: Rest<"observe/content"> = {}, options?: CallOptions): Promise<Result<"observe/content">> {
    return this.#call("observe/content", rest, options);
  }

  /** Run a script in the page and return its value. */
  async evaluate(
    expression: string,
    rest: Rest<"script/evaluate", "expression"> = {},
    options?: CallOptions,
  ): Promise<unknown> {
    return (await this.#call("script/evaluate", rest, options, { expression })).value;
  }

  /** Press a key in the focused element. */
  press(key: string, rest: Act<"action/press", "key"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return perform(this, "action/press", { key }, rest, options);
  }

  scroll(rest: Act<"action/scroll"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return perform(this, "action/scroll", {}, rest, options);
  }

  /** Return the element with a ref, such as `@submit`. */
  ref(value: string): Target {
    return this.element({ type: "ref", value });
  }

  /**
   * Return the element of a selector, which is looked up at each action. Text is a ref if it begins with `@`, and CSS
   * otherwise.
   */
  element(selector: t.Selector | string): Target {
    return new Target(this, selectorOf(selector));
  }

  #call<M extends MethodName>(method: M, rest: object, options?: CallOptions, own: object = {}): Promise<Result<M>> {
    return onPage(this, method, rest, options, own);
  }
}

/** An element with its actions. */
export class Target {
  constructor(
    readonly page: Page,
    readonly selector: t.Selector,
  ) {}

  click(rest: Act<"action/click", "selector"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return this.#act("action/click", {}, rest, options);
  }

  dblclick(rest: Act<"action/dblclick", "selector"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return this.#act("action/dblclick", {}, rest, options);
  }

  hover(rest: Act<"action/hover", "selector"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return this.#act("action/hover", {}, rest, options);
  }

  fill(
    value: string,
    rest: Act<"action/fill", "selector" | "value"> = {},
    options?: CallOptions,
  ): Promise<ActionOutcome> {
    return this.#act("action/fill", { value }, rest, options);
  }

  type(
    text: string,
    rest: Act<"action/type", "selector" | "text"> = {},
    options?: CallOptions,
  ): Promise<ActionOutcome> {
    return this.#act("action/type", { text }, rest, options);
  }

  press(
    key: string,
    rest: Act<"action/press", "selector" | "key"> = {},
    options?: CallOptions,
  ): Promise<ActionOutcome> {
    return this.#act("action/press", { key }, rest, options);
  }

  clear(rest: Act<"action/clear", "selector"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return this.#act("action/clear", {}, rest, options);
  }

  check(rest: Act<"action/check", "selector"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return this.#act("action/check", {}, rest, options);
  }

  uncheck(rest: Act<"action/uncheck", "selector"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return this.#act("action/uncheck", {}, rest, options);
  }

  select(
    values: string | string[],
    rest: Act<"action/select", "selector" | "values"> = {},
    options?: CallOptions,
  ): Promise<ActionOutcome> {
    return this.#act("action/select", { values }, rest, options);
  }

  /** Scroll to the element; with `direction` or `amount`, scroll it or its scrollable ancestor. */
  scroll(rest: Act<"action/scroll", "selector"> = {}, options?: CallOptions): Promise<ActionOutcome> {
    return this.#act("action/scroll", {}, rest, options);
  }

  /** Set the files of a file input: each a path on this machine (Node), a name and bytes, or a File. */
  async upload(
    files: Upload | readonly Upload[],
    rest: Act<"action/upload", "selector" | "files"> = {},
    options?: CallOptions,
  ): Promise<ActionOutcome> {
    const each = (Array.isArray(files) ? files : [files]) as Upload[];
    return await this.#act("action/upload", { files: await Promise.all(each.map(uploadOf)) }, rest, options);
  }

  /** Drag the element onto another element, to a point of the viewport, or by a distance. */
  dragTo(
    target: Target | t.Selector | t.Point | t.Offset | string,
    rest: Act<"action/drag", "source" | "target"> = {},
    options?: CallOptions,
  ): Promise<ActionOutcome> {
    const goal = target instanceof Target ? target.selector : typeof target === "string" ? selectorOf(target) : target;
    return perform(this.page, "action/drag", { source: this.selector, target: goal }, rest, options);
  }

  /** Return the state of the element without waiting; `found: false` if it is missing. */
  state(rest: Rest<"observe/element", "selector"> = {}, options?: CallOptions): Promise<t.ElementResult> {
    return onPage(this.page, "observe/element", rest, options, { selector: this.selector });
  }

  #act(method: MethodName, params: object, rest: object, options?: CallOptions): Promise<ActionOutcome> {
    return perform(this.page, method, { ...params, selector: this.selector }, rest, options);
  }
}

function selectorOf(selector: t.Selector | string): t.Selector {
  if (typeof selector !== "string") return selector;
  return { type: selector.startsWith("@") ? "ref" : "css", value: selector };
}

/** Perform an action; its options may be among the rest, or in `options` of the rest. */
async function perform(
  page: Page,
  method: MethodName,
  params: object,
  rest: object,
  options?: CallOptions,
): Promise<ActionOutcome> {
  const {
    options: nested,
    observe,
    idempotencyKey,
    signal,
    ...flat
  } = fields("params", rest as Record<string, unknown>);
  const given = { observe, idempotencyKey, signal, options: { ...(nested as object), ...flat } };
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  const result = await onPage(page, method, { ...params, ...Object.fromEntries(stated) }, options);
  return actionOutcome(page.browser, result);
}

/** Call a method for a page; the caller has typed the params, and may have put the signal among the rest of them. */
async function onPage<M extends MethodName>(
  page: Page,
  method: M,
  rest: object & Signal,
  options?: CallOptions,
  own: object = {},
): Promise<Result<M>> {
  const { signal, ...params } = fields("params", rest);
  const call = page.browser.call.bind(page.browser) as (
    method: M,
    params: object,
    options?: CallOptions,
  ) => Promise<Result<M>>;
  return await call(method, { ...params, ...own, pageId: page.id }, signal ? { ...options, signal } : options);
}

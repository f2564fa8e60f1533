/** A page and its elements. */
import type { z } from "zod";
import type { Browser, CallOptions, MethodName, Params, Result } from "./browser.js";
import { extraction, extracted, isZod } from "./extraction.js";
import type * as t from "./types.gen.js";

/** Params without those that the page or the element adds. */
type Rest<M extends MethodName, K extends string = "pageId"> = Omit<Params<M>, K | "pageId">;

/** A step with the params of its method. */
export type Step = { [M in t.StepMethod]: Omit<t.ExecutionStep, "action" | "params"> & Call<M> }[t.StepMethod];

type Call<M extends t.StepMethod> =
  Record<never, never> extends t.Methods[M]["params"]
    ? { action: M; params?: t.Methods[M]["params"] }
    : { action: M; params: t.Methods[M]["params"] };

/** An observation; without `interactiveElements`, as with `format: "text"`, its `elements` are empty. */
export type Look = t.AgentObserveResult & { elements: t.InteractiveElement[] };

/** An observation as text, ready for a prompt. */
export type Observation = Look & { text: string };

export class Page {
  constructor(
    readonly browser: Browser,
    readonly id: string,
  ) {}

  /** Load a URL. */
  goto(url: string, rest: Rest<"page/navigate", "url"> = {}, options?: CallOptions): Promise<t.NavigateResult> {
    return this.#call("page/navigate", { ...rest, url }, options);
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

  /** Wait for one condition: `text`, `textGone`, `url`, `selector` with `state`, or `idle`. */
  waitFor(condition: Rest<"page/waitFor">, options?: CallOptions): Promise<t.WaitForResult> {
    return this.#call("page/waitFor", condition, options);
  }

  /** Make this the active page, and bring it to the front. */
  async activate(options?: CallOptions): Promise<void> {
    await this.#call("page/activate", {}, options);
  }

  async close(rest: Rest<"page/close"> = {}, options?: CallOptions): Promise<void> {
    await this.#call("page/close", rest, options);
  }

  /** Observe the page: as `text` for a prompt, or with `format: "json"` as a list of elements. */
  observe(rest?: Rest<"agent/observe", "format"> & { format?: "text" }, options?: CallOptions): Promise<Observation>;
  observe(rest: Rest<"agent/observe", "format"> & { format: "json" }, options?: CallOptions): Promise<Look>;
  async observe(rest: Rest<"agent/observe"> = {}, options?: CallOptions): Promise<Look> {
    return look(await this.#call("agent/observe", { format: "text", ...rest }, options));
  }

  /** Run up to 50 steps in sequence, all validated before the first one runs. */
  act(steps: readonly Step[], rest: Rest<"agent/act", "steps"> = {}, options?: CallOptions): Promise<t.AgentActResult> {
    return this.#call("agent/act", { ...rest, steps: steps as t.ExecutionStep[] }, options);
  }

  /**
   * Extract data. A zod schema returns data of its type, or rejects with ExtractionFailed; an ExtractionSchema
   * returns the result of the server.
   */
  extract<S extends z.ZodType>(
    schema: S,
    rest?: Rest<"agent/extract", "schema">,
    options?: CallOptions,
  ): Promise<z.output<S>>;
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
    if (!isZod(schema)) return await this.#call("agent/extract", { ...rest, schema }, options);
    const result = await this.#call("agent/extract", { ...rest, schema: extraction(schema) }, options);
    return extracted(schema, result);
  }

  screenshot(rest: Rest<"observe/screenshot"> = {}, options?: CallOptions): Promise<Result<"observe/screenshot">> {
    return this.#call("observe/screenshot", rest, options);
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
    return (await this.#call("script/evaluate", { ...rest, expression }, options)).value;
  }

  /** Press a key in the focused element. */
  press(key: string, rest: Rest<"action/press", "key"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/press", { ...rest, key }, options);
  }

  scroll(rest: Rest<"action/scroll"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/scroll", rest, options);
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
    return new Target(this, at(selector));
  }

  #call<M extends MethodName>(method: M, params: object, options?: CallOptions): Promise<Result<M>> {
    return onPage(this, method, params, options);
  }
}

/** An element with its actions. */
export class Target {
  constructor(
    readonly page: Page,
    readonly selector: t.Selector,
  ) {}

  click(rest: Rest<"action/click", "selector"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/click", rest, options);
  }

  dblclick(rest: Rest<"action/dblclick", "selector"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/dblclick", rest, options);
  }

  hover(rest: Rest<"action/hover", "selector"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/hover", rest, options);
  }

  fill(
    value: string,
    rest: Rest<"action/fill", "selector" | "value"> = {},
    options?: CallOptions,
  ): Promise<t.ActionResult> {
    return this.#call("action/fill", { ...rest, value }, options);
  }

  type(
    text: string,
    rest: Rest<"action/type", "selector" | "text"> = {},
    options?: CallOptions,
  ): Promise<t.ActionResult> {
    return this.#call("action/type", { ...rest, text }, options);
  }

  press(
    key: string,
    rest: Rest<"action/press", "selector" | "key"> = {},
    options?: CallOptions,
  ): Promise<t.ActionResult> {
    return this.#call("action/press", { ...rest, key }, options);
  }

  clear(rest: Rest<"action/clear", "selector"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/clear", rest, options);
  }

  check(rest: Rest<"action/check", "selector"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/check", rest, options);
  }

  uncheck(rest: Rest<"action/uncheck", "selector"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/uncheck", rest, options);
  }

  select(
    values: string | string[],
    rest: Rest<"action/select", "selector" | "values"> = {},
    options?: CallOptions,
  ): Promise<t.ActionResult> {
    return this.#call("action/select", { ...rest, values }, options);
  }

  scroll(rest: Rest<"action/scroll", "selector"> = {}, options?: CallOptions): Promise<t.ActionResult> {
    return this.#call("action/scroll", rest, options);
  }

  upload(
    files: t.FileUpload[],
    rest: Rest<"action/upload", "selector" | "files"> = {},
    options?: CallOptions,
  ): Promise<t.ActionResult> {
    return this.#call("action/upload", { ...rest, files }, options);
  }

  /** Drag the element onto another element, or to a point of the viewport. */
  dragTo(
    target: Target | t.Selector | t.Point | string,
    rest: Rest<"action/drag", "source" | "target"> = {},
    options?: CallOptions,
  ): Promise<t.ActionResult> {
    const goal = target instanceof Target ? target.selector : typeof target === "string" ? at(target) : target;
    return onPage(this.page, "action/drag", { ...rest, source: this.selector, target: goal }, options);
  }

  /** Return the state of the element without waiting; `found: false` if it is missing. */
  state(rest: Rest<"observe/element", "selector"> = {}, options?: CallOptions): Promise<t.ElementResult> {
    return this.#call("observe/element", rest, options);
  }

  #call<M extends MethodName>(method: M, params: object, options?: CallOptions): Promise<Result<M>> {
    return onPage(this.page, method, { ...params, selector: this.selector }, options);
  }
}

/** Return an observation with its elements. */
function look(result: t.AgentObserveResult): Look {
  return { ...result, elements: result.interactiveElements ?? [] };
}

function at(selector: t.Selector | string): t.Selector {
  if (typeof selector !== "string") return selector;
  return { type: selector.startsWith("@") ? "ref" : "css", value: selector };
}

/** Call a method for a page; the caller has typed the params. */
function onPage<M extends MethodName>(
  page: Page,
  method: M,
  params: object,
  options?: CallOptions,
): Promise<Result<M>> {
  const call = page.browser.call.bind(page.browser) as (
    method: M,
    params: object,
    options?: CallOptions,
  ) => Promise<Result<M>>;
  return call(method, { ...params, pageId: page.id }, options);
}

/** Results with the client's own objects: pages in place of ids, bytes in place of base64, errors in place of data. */
import type { Browser } from "./browser.js";
import { type AgentBrowserError, ExtractionFailed, fromWire, SequenceFailed } from "./errors.js";
import { bytesOf, FileDownload } from "./files.js";
import { Page } from "./page.js";
import type * as t from "./types.gen.js";

/** An observation with its `elements`; of changes, those that are new or updated. Empty with `format: "text"`. */
export type Look = t.AgentObserveResult & { elements: t.InteractiveElement[] };

/** An observation as text, ready for a prompt. */
export type Observation = Look & { text: string };

/** The observed effects of an action. */
export type ActionOutcome = Omit<t.ActionResult, "newPages" | "download"> & {
  /** The opened pages. */
  newPages?: Page[];
  /** The download that the action started. */
  download?: FileDownload;
  /** Changes of the page, with `observe: "changes"`. */
  observation?: Look;
};

/** Extracted data of a type, with its confidence. */
export type Extracted<T> = Omit<t.AgentExtractResult, "data"> & { data: T };

/** Result of one step; `result` is that of its method, and `exception` the error as the class of its code. */
export type StepOutcome = t.StepResult & { exception?: AgentBrowserError };

/** Result of a sequence. */
export type SequenceOutcome = Omit<t.AgentActResult, "results" | "preObservation" | "postObservation"> & {
  results: StepOutcome[];
  preObservation?: Look;
  postObservation?: Look;
};

/** The bytes of a screenshot, with its format, and its size in pixels. */
export class Image extends Uint8Array<ArrayBuffer> {
  /** Parts of an image are plain bytes. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  readonly format: t.ScreenshotResult["format"];
  readonly width: number;
  readonly height: number;
  /** The bytes in base64. */
  readonly data: string;

  constructor({ data, format, width, height }: Pick<t.ScreenshotResult, "data" | "format" | "width" | "height">) {
    super(bytesOf(data).buffer);
    [this.format, this.width, this.height, this.data] = [format, width, height, data];
    // The text is the bytes again: do not print it.
    Object.defineProperty(this, "data", { enumerable: false });
  }
}

/** Return an observation with its elements. */
export function look(result: t.AgentObserveResult): Look {
  const { interactiveElements, changes } = result;
  return { ...result, elements: changes ? [...changes.added, ...changes.updated] : (interactiveElements ?? []) };
}

/** Return extracted data; throw ExtractionFailed if there is none. */
export function requireSuccess(result: t.AgentExtractResult): t.AgentExtractResult {
  if (result.success) return result;
  const { error, confidence, fields } = result;
  throw new ExtractionFailed(error ?? "Nothing on the page fits.", { details: { error, confidence, fields } });
}

/** Return the result of an action; on the wire, an opened page is its id, or an object with it. */
export function actionOutcome(browser: Browser, result: object): ActionOutcome {
  const { newPages, download, observation, ...rest } = result as {
    newPages?: Array<string | { pageId: string }>;
    download?: object;
    observation?: t.AgentObserveResult;
  };
  return {
    ...(rest as t.ActionResult),
    ...(newPages && { newPages: newPages.map((one) => new Page(browser, typeof one === "string" ? one : one.pageId)) }),
    ...(download && { download: new FileDownload(browser, download) }),
    ...(observation && { observation: look(observation) }),
  } as ActionOutcome;
}

export function sequenceOutcome(
  browser: Browser,
  steps: readonly t.ExecutionStep[],
  { results, preObservation, postObservation, ...rest }: t.AgentActResult,
): SequenceOutcome {
  return {
    ...rest,
    results: results.map((one) => stepOutcome(browser, steps[one.step]?.action ?? "", one)),
    ...(preObservation ? { preObservation: look(preObservation) } : {}),
    ...(postObservation ? { postObservation: look(postObservation) } : {}),
  };
}

/** Throw SequenceFailed for the first failed step, unless the step, or the sequence, says to go on. */
export function checkSequence(
  steps: readonly t.ExecutionStep[],
  outcome: SequenceOutcome,
  conditionsMayFail: boolean,
): void {
  for (const one of outcome.results) {
    const [step, error] = [steps[one.step], one.exception];
    if (!step || !error || step.onError === "skip") continue;
    if (conditionsMayFail && error.message.startsWith(CONDITION_NOT_MET)) continue;
    throw new SequenceFailed(step.action, one, error, outcome.results);
  }
}

/** Beginning of the error message of a step that was not run. */
const CONDITION_NOT_MET = "The step's condition was not met";

function stepOutcome(browser: Browser, action: string, step: t.StepResult): StepOutcome {
  const { result, error } = step;
  const isAction = action.startsWith("action/") && typeof result === "object" && result !== null;
  return {
    ...step,
    ...(isAction && { result: actionOutcome(browser, result) }),
    ...(error && { exception: fromWire(error as unknown as Parameters<typeof fromWire>[0]) }),
  };
}

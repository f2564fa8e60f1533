/** Errors of the protocol, and errors of the client itself. */
import { AgentBrowserError, type Facts } from "./error.js";
import { ERRORS } from "./errors.gen.js";
import type { StepOutcome } from "./results.js";
import type { ExtractedField } from "./types.gen.js";

export * from "./errors.gen.js";
export { AgentBrowserError, type Facts };

const BY_CODE = new Map(ERRORS.map((kind) => [kind.code, kind]));

/** Close codes after which reconnecting is pointless: policy violation, replaced, expired. */
const FINAL_CODES = [1008, 4001, 4002];
const FINAL_STATUSES = [401, 403];

/** End of a connection: the close code, or the HTTP status of the refusal. */
export interface Ending {
  code?: number;
  status?: number;
  reason?: string;
}

/**
 * The connection to the server ended, or failed. Details: code and reason of the close, or the HTTP status; waitedMs of a
 * first connection; attempts to reconnect; method and mayHaveActed, for a pending request.
 */
export class ConnectionLost extends AgentBrowserError {
  override get name(): string {
    return "ConnectionLost";
  }

  constructor(message: string, details: Record<string, unknown> = {}, facts: Facts = {}) {
    super(message, { retryable: true, details, ...facts });
  }

  /** Return the error of a connection's end. */
  static of(ending: Ending): ConnectionLost {
    return new ConnectionLost(endMessage(ending), { ...ending }, { retryable: !isFinal(ending) });
  }
}

/** The client was closed. */
export class Closed extends ConnectionLost {
  override get name(): string {
    return "Closed";
  }

  constructor() {
    super("The client was closed.", {}, { retryable: false });
  }
}

/** A streamed result is damaged. Details: streamId. */
export class StreamBroken extends AgentBrowserError {
  override get name(): string {
    return "StreamBroken";
  }
}

/** The page has no data that fits the schema. Details: error, confidence and fields, or issues. */
export class ExtractionFailed extends AgentBrowserError {
  override get name(): string {
    return "ExtractionFailed";
  }

  /** Evidence for each requested field, with its confidence; empty if nothing was looked at. */
  get fields(): Record<string, ExtractedField> {
    return (this.details["fields"] as Record<string, ExtractedField> | undefined) ?? {};
  }
}

/**
 * A step of a sequence failed. Code, retryable and recoveryHint are those of the step's error; details: those of
 * the step's error, and step, action, label. `page.act` does not reject with it if `check` is false.
 */
export class SequenceFailed extends AgentBrowserError {
  override get name(): string {
    return "SequenceFailed";
  }
  /** Number of the step, from 0. */
  readonly step: number;
  readonly label: string | undefined;

  constructor(
    action: string,
    failed: { step: number; label?: string },
    /** Error of the step, as the class of its code. */
    readonly error: AgentBrowserError,
    /** Results of the steps that ran, the failed one among them. */
    readonly results: StepOutcome[],
  ) {
    const { step, label } = failed;
    const name = label === undefined ? `Step ${step}` : `Step ${step} (${label})`;
    const { code, retryable, retryAfterMs, recoveryHint } = error;
    const details = { ...error.details, step, action, ...(label === undefined ? {} : { label }) };
    const facts = { retryable, details, ...(recoveryHint && { recoveryHint }), ...(retryAfterMs && { retryAfterMs }) };
    super(`${name}, ${action}, failed: ${error.message}`, facts, code);
    [this.step, this.label, this.cause] = [step, label, error];
  }
}

/** Return the error of an `error` object of the wire. */
export function fromWire(error: { code: number; message: string; data?: Facts }): AgentBrowserError {
  const kind = BY_CODE.get(error.code) ?? AgentBrowserError;
  return new kind(error.message, error.data, error.code);
}

function isFinal({ code, status }: Ending): boolean {
  return (
    (code !== undefined && FINAL_CODES.includes(code)) || (status !== undefined && FINAL_STATUSES.includes(status))
  );
}

function endMessage({ code, status, reason }: Ending): string {
  if (status !== undefined) return `The server refused the connection (${status})${reason ? `: ${reason}` : "."}`;
  const why = reason ? `: ${reason}` : "";
  return code === undefined ? `The connection was lost${why}.` : `The server closed the connection (${code}${why}).`;
}

/** What can go wrong: the errors of the protocol, and those of the client itself. */
import { AgentBrowserError, type Facts } from "./error.js";
import { ERRORS } from "./errors.gen.js";

export * from "./errors.gen.js";
export { AgentBrowserError, type Facts };

const BY_CODE = new Map(ERRORS.map((kind) => [kind.code, kind]));

/** Close codes after which connecting again would come to the same: against policy, replaced, expired. */
const FINAL_CODES = [1008, 4001, 4002];
const FINAL_STATUSES = [401, 403];

/** Why a connection ended, or was not made: the code of the close, or the status of the refusal. */
export interface Ending {
  code?: number;
  status?: number;
  reason?: string;
}

/**
 * The connection to the server ended, or could not be made. Details: code and reason of the close, or the HTTP status;
 * method and mayHaveActed, where a request was under way.
 */
export class ConnectionLost extends AgentBrowserError {
  override readonly name: string = "ConnectionLost";

  constructor(message: string, details: Record<string, unknown> = {}, facts: Facts = {}) {
    super(message, { retryable: true, details, ...facts });
  }

  /** Make the error for the end of a connection. */
  static of(ending: Ending): ConnectionLost {
    return new ConnectionLost(told(ending), { ...ending }, { retryable: !isFinal(ending) });
  }
}

/** The client was closed. */
export class Closed extends ConnectionLost {
  override readonly name: string = "Closed";

  constructor() {
    super("The client was closed.", {}, { retryable: false });
  }
}

/** A result that came in pieces is not what was sent. Details: streamId. */
export class StreamBroken extends AgentBrowserError {
  override readonly name: string = "StreamBroken";
}

/** The page does not hold what was to be extracted, or it does not fit the schema. Details: error, or issues. */
export class ExtractionFailed extends AgentBrowserError {
  override readonly name: string = "ExtractionFailed";
}

/** Make the error that an `error` object of the wire stands for. */
export function fromWire(error: { code: number; message: string; data?: Facts }): AgentBrowserError {
  const kind = BY_CODE.get(error.code) ?? AgentBrowserError;
  return new kind(error.message, error.data, error.code);
}

function isFinal({ code, status }: Ending): boolean {
  return (
    (code !== undefined && FINAL_CODES.includes(code)) || (status !== undefined && FINAL_STATUSES.includes(status))
  );
}

function told({ code, status, reason }: Ending): string {
  if (status !== undefined) return `The server refused the connection (${status})${reason ? `: ${reason}` : "."}`;
  const why = reason ? `: ${reason}` : "";
  return code === undefined ? `The connection was lost${why}.` : `The server closed the connection (${code}${why}).`;
}

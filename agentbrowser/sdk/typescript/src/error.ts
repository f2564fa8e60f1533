/** Base class of all errors. */

/** Facts of an error besides its message. */
export interface Facts {
  retryable?: boolean;
  retryAfterMs?: number;
  recoveryHint?: string;
  details?: Record<string, unknown>;
}

/** An error with a code of the protocol. */
export class AgentBrowserError extends Error {
  static readonly code: number = -32603;
  override readonly name: string = "AgentBrowserError";

  readonly code: number;
  /** True if the same request may succeed later. */
  readonly retryable: boolean;
  /** Wait before that. */
  readonly retryAfterMs: number | undefined;
  /** Advice for the caller. */
  readonly recoveryHint: string | undefined;
  /** Details, by the names of the protocol. */
  readonly details: Record<string, unknown>;

  constructor(message: string, facts: Facts = {}, code: number = new.target.code) {
    super(message);
    this.code = code;
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs;
    this.recoveryHint = facts.recoveryHint;
    this.details = facts.details ?? {};
  }
}

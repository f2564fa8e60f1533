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
  override get name(): string {
    return "AgentBrowserError";
  }

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
    // The stack is what a debugger, a test runner and an uncaught error show.
    if (this.recoveryHint !== undefined) this.stack = withHint(this.stack ?? message, this.recoveryHint);
  }
}

/** Return a stack with the hint behind the message, before the first frame. */
function withHint(stack: string, hint: string): string {
  const frames = stack.search(/\n {4}at /);
  const head = frames < 0 ? stack.length : frames;
  return `${stack.slice(0, head)}\n  Hint: ${hint}${stack.slice(head)}`;
}

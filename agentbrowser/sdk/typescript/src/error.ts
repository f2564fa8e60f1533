/** Base class of all errors. */

import { MAX_SHOWN_DETAIL, SHOWN_DETAILS } from "./tables.gen.js";

/** Controls and marks of direction, which JSON leaves as they are, and a terminal obeys. */
const CONTROLS = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

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
    const notes = [detailsNote(message, this.details), this.recoveryHint ? `Hint: ${this.recoveryHint}` : ""];
    this.stack = withNotes(this.stack ?? message, notes.filter(Boolean));
  }
}

/** Return a line of the details of what was requested, and of what was there instead, that the message leaves out. */
function detailsNote(message: string, details: Record<string, unknown>): string {
  const shown = SHOWN_DETAILS.flatMap((name) => {
    const value = details[name];
    if (value === undefined || (typeof value === "string" && message.includes(value))) return [];
    return `${name} ${JSON.stringify(value).replace(CONTROLS, escaped).slice(0, MAX_SHOWN_DETAIL)}`;
  });
  return shown.length > 0 ? `Details: ${shown.join(", ")}` : "";
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Return a stack with notes behind the message, before the first frame. */
function withNotes(stack: string, notes: string[]): string {
  const frames = stack.search(/\n {4}at /);
  const head = frames < 0 ? stack.length : frames;
  return [stack.slice(0, head), ...notes.map((note) => `\n  ${note}`), stack.slice(head)].join("");
}

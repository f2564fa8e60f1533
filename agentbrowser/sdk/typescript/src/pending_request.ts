/** A pending request: its repetition after a reconnect, and the error of one that can't be repeated. */
import type { Plain } from "./connection.js";
import { Cancelled, Closed, ConnectionLost, Timeout } from "./errors.js";
import { type Method, METHODS } from "./tables.gen.js";

export const KEY = "idempotencyKey";
const LOOK_FIRST = "Observe the page to see what has happened, then decide whether to ask again.";
/** Repetitions of a request with a key. It acts once, but one that ends its connection must not do so for ever. */
const MAX_REPEATS = 5;
/** Close codes for a faulty message, which is not sent again. */
const FAULTY_MESSAGE_CODES = [1003, 1007, 1009];

/** A request that may be sent on several connections. */
export interface PendingRequest {
  /** Number of the request; waiting requests are sent in this order on the next connection. */
  order: number;
  method: string;
  params: Plain;
  observes: boolean;
  /** Error of the latest connection that it was sent on: from then on, it is a repetition. */
  lost?: ConnectionLost;
  /** Number of connections that were lost while it was under way. */
  losses: number;
}

/** Progress of a request, for the error of a timeout that the caller has set. */
export interface Progress {
  /** True once it was sent, also on a connection that is lost now. */
  isSent: boolean;
}

/** Return the error of a request whose result the client waits for no longer. */
export function timedOut(method: string, timeout: number, { isSent }: Progress): Timeout {
  const message = `No answer came in ${timeout} ms`;
  const details = { timeout, method };
  if (isSent && !observes(method)) {
    const facts = { recoveryHint: LOOK_FIRST, details: { ...details, mayHaveActed: true } };
    return new Timeout(`${message}, and ${method} may have acted.`, { retryable: false, ...facts });
  }
  return new Timeout(isSent ? `${message}.` : `${message}: there is no connection now.`, { retryable: true, details });
}

/** Return true for a method without effects. */
export function observes(method: string): boolean {
  return (METHODS as Record<string, Method | undefined>)[method]?.observes ?? false;
}

/** Return the loss if the request can be sent again; otherwise throw the error for the caller. */
export function repeatableLoss(request: PendingRequest, error: unknown): ConnectionLost {
  if (request.lost && error instanceof Cancelled) throw unknownOutcome(request, new ConnectionLost(error.message));
  if (!(error instanceof ConnectionLost) || error instanceof Closed) throw error;
  const limit = request.params[KEY] != null ? MAX_REPEATS : Number(request.observes);
  const isFaulty = FAULTY_MESSAGE_CODES.includes(error.details["code"] as number);
  if (isFaulty || request.losses++ >= limit)
    throw unknownOutcome(request, isFaulty ? error : lostAgain(request, error));
  return error;
}

/** Return the error of a request without a further connection. */
export function ended(request: PendingRequest, reason: ConnectionLost): ConnectionLost {
  return request.lost && !(reason instanceof Closed) ? unknownOutcome(request, reason) : reason;
}

/** Return the reason for repeating a request no more, in the words of the Python client. */
function lostAgain({ losses }: PendingRequest, reason: ConnectionLost): ConnectionLost {
  if (losses < 2 || !reason.retryable) return reason;
  return new ConnectionLost("It was lost when it was repeated, too.", reason.details);
}

/** Return the error of a request with an unknown outcome. */
export function unknownOutcome(request: PendingRequest, reason: ConnectionLost): ConnectionLost {
  const error = new ConnectionLost(
    `${request.method} was under way when the connection was lost. ${reason.message}`,
    { ...reason.details, method: request.method, mayHaveActed: !request.observes },
    { retryable: reason.retryable, ...(request.observes ? {} : { recoveryHint: LOOK_FIRST }) },
  );
  error.cause = reason;
  return error;
}

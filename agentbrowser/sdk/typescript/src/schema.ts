/** What the generated schemas are made of, besides zod itself. */
import { z } from "zod";

/** A field that may be absent; null is the same as nothing. */
export function maybe<T>(schema: z.ZodType<T>): z.ZodOptional<z.ZodType<T>> {
  return schema.nullish() as unknown as z.ZodOptional<z.ZodType<T>>;
}

/** Text of so many characters, counted as the server counts them: those beyond U+FFFF are one each. */
export function text(least: number, most = Infinity): z.ZodString {
  const span = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  return z.string().refine(
    (value) => {
      const count = value.length <= most && value.length >= 2 * least ? value.length : characters(value);
      return count >= least && count <= most;
    },
    { error: `expected ${span} characters` },
  );
}

/** So many items. */
export function list<T>(item: z.ZodType<T>, least = 0, most = Infinity): z.ZodType<T[]> {
  const items = least ? z.array(item).min(least) : z.array(item);
  return most === Infinity ? items : items.max(most);
}

/** An object whose field `name` may also be called `alias`. */
export function either<T>(name: string, alias: string, schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value) => {
    const given = value as Record<string, unknown> | null;
    const lacks = typeof given === "object" && given !== null && given[name] == null;
    return lacks && given[alias] != null ? { ...given, [name]: given[alias] } : value;
  }, schema);
}

/** Where a value does not fit, and what would. */
export interface Misfit {
  path: string;
  expected: string;
}

/** Return the first misfit in a value; undefined when it fits. */
export function misfit(schema: z.ZodType, value: unknown): Misfit | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue && described(issue, "");
}

type Issue = z.core.$ZodIssue;

function described(issue: Issue, above: string): Misfit {
  const path = above + issue.path.map((step) => step_(step)).join("");
  const inner = issue.code === "invalid_union" ? nearest(issue.errors) : undefined;
  return inner ? described(inner, path) : { path: path.replace(/^\./, ""), expected: wanted(issue.message) };
}

/** Return what zod expects, out of what it says. */
function wanted(message: string): string {
  return /expected (.+?)(?:, received .*)?$/.exec(message)?.[1] ?? message;
}

/** Of the issues that the members of a union have, return the first of the member that was most likely meant. */
function nearest(errors: readonly Issue[][]): Issue | undefined {
  const meant = errors.filter((issues) => issues.every((issue) => issue.path.length > 0 && issue.path[0] !== "type"));
  return meant[0]?.[0];
}

function step_(step: PropertyKey): string {
  return typeof step === "number" ? `[${step}]` : `.${String(step)}`;
}

function characters(value: string): number {
  let count = 0;
  for (const character of value) count += character ? 1 : 0;
  return count;
}

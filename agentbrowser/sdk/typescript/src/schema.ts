/** Building blocks of the generated schemas, besides zod. */
import { z } from "zod";

/** An optional field; null means absent. */
export function maybe<T>(schema: z.ZodType<T>): z.ZodOptional<z.ZodType<T>> {
  return schema.nullish() as unknown as z.ZodOptional<z.ZodType<T>>;
}

/** Text with a length in code points, as the server counts. */
export function text(min: number, max = Infinity): z.ZodString {
  const span = max === Infinity ? `at min ${min}` : `${min} to ${max}`;
  return z.string().refine(
    (value) => {
      const count = value.length <= max && value.length >= 2 * min ? value.length : characters(value);
      return count >= min && count <= max;
    },
    { error: `expected ${span} characters` },
  );
}

/** Array with a length. */
export function list<T>(item: z.ZodType<T>, min = 0, max = Infinity): z.ZodType<T[]> {
  const items = min ? z.array(item).min(min) : z.array(item);
  return max === Infinity ? items : items.max(max);
}

/** Object whose field `name` has the second name `alias`. */
export function either<T>(name: string, alias: string, schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || !(alias in value)) return value;
    const { [alias]: second, ...others } = value as Record<string, unknown>;
    return { ...others, [name]: others[name] ?? second };
  }, schema);
}

/** Path of an invalid value, and the expected one. */
export interface Mismatch {
  path: string;
  expected: string;
  /** True for a field that the schema does not have. */
  isUnknown?: true;
}

/** Return the first mismatch in a value; undefined if it is valid. */
export function findMismatch(schema: z.ZodType, value: unknown): Mismatch | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue && described(issue, "");
}

type Issue = z.core.$ZodIssue;

function described(issue: Issue, above: string): Mismatch {
  const path = above + issue.path.map((step) => pathStep(step)).join("");
  if (issue.code === "unrecognized_keys") {
    return { path: `${path}.${issue.keys[0]}`.replace(/^\./, ""), expected: "a known parameter", isUnknown: true };
  }
  const inner = issue.code === "invalid_union" ? nearest(issue.errors) : undefined;
  if (inner) return described(inner, path);
  const types = isUntyped(issue) ? ".type" : "";
  return { path: (path + types).replace(/^\./, ""), expected: [...new Set(alternatives(issue))].join(" or ") };
}

/** Return true if none of the objects that a value could have been has its `type`. */
function isUntyped(issue: Issue): boolean {
  return issue.code === "invalid_union" && issue.errors.some(([first]) => first?.path[0] === "type");
}

/** Return what would be accepted in place of a value: of a union, what each member expects. */
function alternatives(issue: Issue): string[] {
  if (issue.code !== "invalid_union" || !issue.errors.length) return [wanted(issue.message)];
  const firsts = issue.errors.flatMap(([first]) => first ?? []);
  const typed = firsts.filter(({ path }) => path[0] === "type");
  return (typed.length ? typed : firsts).flatMap((first) => alternatives(first));
}

/** Return the expected value from a message of zod. */
function wanted(message: string): string {
  return /expected (.+?)(?:, received .*)?$/.exec(message)?.[1] ?? message;
}

/** Return the first issue of the union member that was most likely meant. */
function nearest(errors: readonly Issue[][]): Issue | undefined {
  const meant = errors.filter((issues) => issues.every((issue) => issue.path.length > 0 && issue.path[0] !== "type"));
  return meant[0]?.[0];
}

function pathStep(step: PropertyKey): string {
  return typeof step === "number" ? `[${step}]` : `.${String(step)}`;
}

function characters(value: string): number {
  let count = 0;
  for (const character of value) count += character ? 1 : 0;
  return count;
}

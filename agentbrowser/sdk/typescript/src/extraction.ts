/** Extraction by zod schemas: conversion to an ExtractionSchema, and validation of the data. */
import { z } from "zod";
import { ExtractionFailed, InvalidParams } from "./errors.js";
import type { Extracted } from "./results.js";
import { ExtractionSchema as Checked } from "./schemas.gen.js";
import type { AgentExtractResult, ExtractionSchema } from "./types.gen.js";

type Json = z.core.JSONSchema.BaseSchema;

const KEYWORDS = ["type", "description", "format", "enum"] as const;

export function isZod(schema: unknown): schema is z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}

/** Return the ExtractionSchema of a zod schema. Throws InvalidParams if it has none. */
export function extraction(schema: z.ZodType): ExtractionSchema {
  return converted(jsonSchema(schema), "schema");
}

/** Return the parts of a list as one result; its sources say where in the whole list their values are. */
export function joined(first: AgentExtractResult, others: readonly AgentExtractResult[]): AgentExtractResult {
  return others.reduce((whole, part) => {
    const items = whole.data as unknown[];
    const moved = (index: string) => `/${Number(index.slice(1)) + items.length}`;
    const sources = part.sources?.map((one) => ({ ...one, path: one.path?.replace(/^\/\d+/, moved) }));
    return {
      ...whole,
      data: [...items, ...(part.data as unknown[])],
      sources: whole.sources && [...whole.sources, ...(sources ?? [])],
      confidence: Math.min(whole.confidence ?? 1, part.confidence ?? 1),
      dropped: (whole.dropped ?? 0) + (part.dropped ?? 0),
      truncated: (whole.truncated ?? false) || (part.truncated ?? false),
      nextCursor: part.nextCursor,
    };
  }, first);
}

/** Return the result with the parsed data. Throws ExtractionFailed if it does not fit. */
export function extracted<S extends z.ZodType>(schema: S, result: AgentExtractResult): Extracted<z.output<S>> {
  const data = withNulls(jsonSchema(schema), result.data);
  const parsed = schema.safeParse(data);
  if (parsed.success) return { ...result, data: parsed.data };
  const { issues } = parsed.error;
  throw new ExtractionFailed(`What was extracted does not fit the schema: ${z.prettifyError(parsed.error)}`, {
    details: { issues, data },
  });
}

function jsonSchema(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" });
}

/** Return extracted data with null for each absent value that may be null. */
function withNulls(json: Json, data: unknown): unknown {
  const { properties, items, required = [] } = plain(json);
  if (Array.isArray(data)) return data.map((one) => withNulls((items ?? {}) as Json, one));
  if (typeof data !== "object" || data === null || !properties) return data;
  const values = data as Record<string, unknown>;
  const complete = Object.entries(properties).flatMap(([name, inner]) => {
    if (values[name] !== undefined) return [[name, withNulls(inner as Json, values[name])]];
    return required.includes(name) && isNullable(inner as Json) ? [[name, null]] : [];
  });
  return { ...values, ...(Object.fromEntries(complete) as Record<string, unknown>) };
}

function isNullable(json: Json): boolean {
  return [json.type ?? []].flat().includes("null") || (json.anyOf ?? []).some((one) => isNullable(one));
}

function converted(json: Json, path: string): ExtractionSchema {
  const schema = plain(json);
  const known = Object.fromEntries(
    KEYWORDS.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
  );
  // A row without a value that may be null is a row all the same.
  const required = schema.required?.filter((name) => !isNullable((schema.properties?.[name] ?? {}) as Json));
  const parts = {
    ...(required && { required: required.length ? required : undefined }),
    ...(schema.properties && { properties: properties(schema.properties, path) }),
    ...(schema.items && { items: converted(schema.items as Json, `${path}.items`) }),
  };
  const checked = Checked.safeParse({ ...known, ...parts });
  if (!checked.success) throw inconvertible(path);
  return checked.data;
}

function properties(inner: Record<string, unknown>, path: string): Record<string, ExtractionSchema> {
  const each = Object.entries(inner).map(([name, schema]) => [
    name,
    converted(schema as Json, `${path}.properties.${name}`),
  ]);
  return Object.fromEntries(each) as Record<string, ExtractionSchema>;
}

/** Return the schema without null, with the type of its constants; a union of constants is an enum. */
function plain(json: Json): Json {
  const types = [json.type ?? []].flat().filter((type) => type !== "null");
  const some = json.anyOf?.filter((one) => one.type !== "null") ?? [];
  const [first, ...others] = some;
  if (types.length === 1) json = { ...json, type: types[0] };
  const only = first && !others.length ? ({ ...first, ...json, anyOf: undefined } as Json) : json;
  const union = others.length ? some.map((one) => constantsOf(one)) : [];
  const constants = union.length && union.every(isPresent) ? union.flat() : constantsOf(only);
  return constants ? { ...only, type: only.type ?? (typeof constants[0] as Json["type"]), enum: constants } : only;
}

function constantsOf({ const: constant, enum: constants }: Json): Json["enum"] {
  return constant === undefined ? constants : [constant];
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function inconvertible(path: string): InvalidParams {
  const expected = "an object, array, string, number, integer, boolean or enum";
  return new InvalidParams(`${path} can't be extracted.`, { details: { path, expected } });
}

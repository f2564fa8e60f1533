/** Extraction by zod schemas: what the server is asked for, and the data as the schema has it. */
import { z } from "zod";
import { ExtractionFailed, InvalidParams } from "./errors.js";
import { ExtractionSchema as Checked } from "./schemas.gen.js";
import type { AgentExtractResult, ExtractionSchema } from "./types.gen.js";

type Json = z.core.JSONSchema.BaseSchema;

const WORDS = ["type", "description", "format", "enum", "required"] as const;

export function isZod(schema: object): schema is z.ZodType {
  return "_zod" in schema;
}

/** Return what to ask for, to get data that the schema takes. Throws InvalidParams where that can't be said. */
export function extraction(schema: z.ZodType): ExtractionSchema {
  return said(z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" }), "schema");
}

/** Return the data, as the schema gives it. Throws ExtractionFailed where there is none, or none that fits. */
export function extracted<S extends z.ZodType>(schema: S, { success, data, error }: AgentExtractResult): z.output<S> {
  if (!success)
    throw new ExtractionFailed(error ?? "The page does not hold what was asked for.", { details: { error } });
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw new ExtractionFailed(`What was extracted does not fit the schema: ${z.prettifyError(parsed.error)}`, {
    details: { issues, data },
  });
}

function said(json: Json, path: string): ExtractionSchema {
  const schema = plain(json);
  const known = Object.fromEntries(WORDS.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]])));
  const parts = {
    ...(schema.properties && { properties: properties(schema.properties, path) }),
    ...(schema.items && { items: said(schema.items as Json, `${path}.items`) }),
  };
  const made = Checked.safeParse({ ...known, ...parts });
  if (!made.success) throw unsaid(path);
  return made.data;
}

function properties(inner: Record<string, unknown>, path: string): Record<string, ExtractionSchema> {
  const each = Object.entries(inner).map(([name, schema]) => [
    name,
    said(schema as Json, `${path}.properties.${name}`),
  ]);
  return Object.fromEntries(each) as Record<string, ExtractionSchema>;
}

/** Return the schema that is left without null, with the type that its constants have. */
function plain(json: Json): Json {
  const types = [json.type ?? []].flat().filter((type) => type !== "null");
  const [first, ...others] = json.anyOf?.filter((one) => one.type !== "null") ?? [];
  if (types.length === 1) json = { ...json, type: types[0] };
  const only = first && !others.length ? ({ ...first, ...json, anyOf: undefined } as Json) : json;
  const constants = only.const === undefined ? only.enum : [only.const];
  return constants ? { ...only, type: only.type ?? (typeof constants[0] as Json["type"]), enum: constants } : only;
}

function unsaid(path: string): InvalidParams {
  const expected = "an object, array, string, number, integer, boolean or enum";
  return new InvalidParams(`${path} can't be extracted.`, { details: { path, expected } });
}

import assert from "node:assert/strict";
import test from "node:test";
import { z } from "zod";
import { extracted, extraction } from "../src/extraction.js";
import { ExtractionFailed, InvalidParams } from "../src/index.js";
import { requireSuccess } from "../src/results.js";

test("a zod schema is converted to an extraction schema", () => {
  const schema = z.array(
    z.object({
      name: z.string().describe("the product"),
      price: z.number().nullable(),
      count: z.int().min(1).optional(),
      state: z.enum(["new", "used"]),
      kind: z.literal("book"),
      rig: z.union([z.literal("sloop"), z.literal("ketch"), z.null()]),
      link: z.url(),
      tags: z.array(z.string()),
      soldOut: z.boolean().default(false),
    }),
  );
  assert.deepEqual(extraction(schema), {
    type: "array",
    items: {
      type: "object",
      required: ["name", "state", "kind", "link", "tags"],
      properties: {
        name: { type: "string", description: "the product" },
        price: { type: "number" },
        count: { type: "integer" },
        state: { type: "string", enum: ["new", "used"] },
        kind: { type: "string", enum: ["book"] },
        rig: { type: "string", enum: ["sloop", "ketch"] },
        link: { type: "string", format: "uri" },
        tags: { type: "array", items: { type: "string" } },
        soldOut: { type: "boolean" },
      },
    },
  });
});

test("an inconvertible schema is rejected with its path", () => {
  const schema = z.object({ a: z.object({ b: z.union([z.string(), z.number()]) }) });
  assert.throws(
    () => extraction(schema),
    (error: unknown) => error instanceof InvalidParams && error.details["path"] === "schema.properties.a.properties.b",
  );
});

test("data is parsed by the schema", () => {
  const schema = z.object({ when: z.iso.date().transform((text) => new Date(text)) });
  const { data, confidence } = extracted(schema, { success: true, data: { when: "2026-11-21" }, confidence: 0.9 });
  assert.deepEqual([data.when.getUTCDate(), confidence], [21, 0.9]);
});

test("an absent value that may be null is null, and its row is kept", () => {
  const boat = z.object({ name: z.string(), built: z.string().nullable(), sail: z.string().nullish() });
  const schema = z.object({ boats: z.array(boat), owner: boat.nullable() });
  assert.deepEqual(extraction(boat).required, ["name"]);
  assert.equal(extraction(z.object({ built: z.string().nullable() })).required, undefined);
  const { data } = extracted(schema, {
    success: true,
    data: { boats: [{ name: "Ada" }, { name: "Bo", built: "1990" }] },
  });
  assert.deepEqual(data, {
    boats: [
      { name: "Ada", built: null },
      { name: "Bo", built: "1990" },
    ],
    owner: null,
  });
});

test("missing or invalid data is an error", () => {
  const schema = z.object({ a: z.string() });
  assert.throws(() => requireSuccess({ success: false, error: "Nothing there." }), {
    name: "ExtractionFailed",
    message: "Nothing there.",
  });
  assert.throws(
    () => extracted(schema, { success: true, data: {} }),
    (error: unknown) => error instanceof ExtractionFailed && Array.isArray(error.details["issues"]),
  );
});

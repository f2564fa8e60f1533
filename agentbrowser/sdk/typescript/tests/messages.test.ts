/** The messages that the server's codec judges too; `messages.json` is one file for both. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { METHODS, NOTIFICATIONS } from "../src/index.js";
import { findMismatch } from "../src/schema.js";

interface Message {
  of: string;
  good: boolean;
  why: string;
  value: unknown;
}

const FILE = new URL("../../../../../tests/pure/messages.json", import.meta.url);
const MESSAGES = JSON.parse(readFileSync(FILE, "utf8")) as Message[];

function schema(of: string): Parameters<typeof findMismatch>[0] {
  const [part, name] = of.split(" of ") as ["params" | "result", keyof typeof METHODS];
  const notification = NOTIFICATIONS[name as unknown as keyof typeof NOTIFICATIONS] as
    Parameters<typeof findMismatch>[0] | undefined;
  return notification ?? METHODS[name][part];
}

for (const { of, good, why, value } of MESSAGES) {
  test(`${of}: ${why}`, () => {
    const wrong = findMismatch(schema(of), value);
    assert.equal(wrong === undefined, good, JSON.stringify(wrong));
  });
}

test("a mismatch has a path and the expected value", () => {
  const { params } = METHODS["agent/act"];
  const step = { action: "action/click", condition: { selector: { type: "css", value: 5 }, state: "visible" } };
  assert.deepEqual(findMismatch(params, { steps: [step] }), {
    path: "steps[0].condition.selector.value",
    expected: "string",
  });
  assert.deepEqual(findMismatch(params, {}), { path: "steps", expected: "array" });
});

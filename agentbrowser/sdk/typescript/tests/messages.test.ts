/** The messages that the server's codec judges too; `messages.json` is one file for both. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { METHODS, NOTIFICATIONS } from "../src/index.js";
import { misfit } from "../src/schema.js";

interface Message {
  of: string;
  good: boolean;
  why: string;
  value: unknown;
}

const FILE = new URL("../../../../../tests/pure/messages.json", import.meta.url);
const MESSAGES = JSON.parse(readFileSync(FILE, "utf8")) as Message[];

function schema(of: string): Parameters<typeof misfit>[0] {
  const [part, name] = of.split(" of ") as ["params" | "result", keyof typeof METHODS];
  const notification = NOTIFICATIONS[name as unknown as keyof typeof NOTIFICATIONS] as
    Parameters<typeof misfit>[0] | undefined;
  return notification ?? METHODS[name][part];
}

for (const { of, good, why, value } of MESSAGES) {
  test(`${of}: ${why}`, () => {
    const wrong = misfit(schema(of), value);
    assert.equal(wrong === undefined, good, JSON.stringify(wrong));
  });
}

test("a misfit says where it is and what would fit", () => {
  const { params } = METHODS["agent/act"];
  const step = { action: "action/click", condition: { selector: { type: "css", value: 5 }, state: "visible" } };
  assert.deepEqual(misfit(params, { steps: [step] }), {
    path: "steps[0].condition.selector.value",
    expected: "string",
  });
  assert.deepEqual(misfit(params, {}), { path: "steps", expected: "array" });
});

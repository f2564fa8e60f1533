import assert from "node:assert/strict";
import test from "node:test";
import { BadFrame, Code, Frames, frame, Opcode } from "../src/frames.js";

const LARGE = 70_000;

/** Return a frame as a server sends it. */
function served(opcode: number, payload: Buffer, isLast = true): Buffer {
  const { length } = payload;
  const long = length > 0xffff ? 8 : length > 125 ? 2 : 0;
  const head = Buffer.alloc(2 + long);
  head.set([(isLast ? 0x80 : 0) | opcode, long === 8 ? 127 : long === 2 ? 126 : length]);
  if (long) head.writeUIntBE(length, 2 + long - Math.min(long, 6), Math.min(long, 6));
  return Buffer.concat([head, payload]);
}

/** Undo the mask of a client's frame. */
function unmasked(bytes: Buffer): Buffer {
  const head = { 126: 4, 127: 10 }[(bytes[1] ?? 0) & 0x7f] ?? 2;
  const mask = bytes.subarray(head, head + 4);
  return bytes.subarray(head + 4).map((value, index) => value ^ (mask[index % 4] ?? 0)) as Buffer;
}

function all(frames: Frames, ...chunks: Buffer[]): Array<[number, string]> {
  return chunks.flatMap((chunk) => [...frames.push(chunk)]).map(({ opcode, payload }) => [opcode, payload.toString()]);
}

for (const length of [0, 1, 125, 126, 0xffff, LARGE]) {
  test(`a frame of ${length} bytes comes in, however it is cut`, () => {
    const text = "x".repeat(length);
    const bytes = served(Opcode.text, Buffer.from(text));
    assert.deepEqual(all(new Frames(LARGE), bytes), [[Opcode.text, text]]);
    const cuts = [1, 2, 3, 5, 11].filter((cut) => cut < bytes.length);
    for (const cut of cuts) {
      assert.deepEqual(all(new Frames(LARGE), bytes.subarray(0, cut), bytes.subarray(cut)), [[Opcode.text, text]]);
    }
  });

  test(`a frame of ${length} bytes goes out masked`, () => {
    const bytes = frame(Opcode.text, Buffer.alloc(length, "y"));
    assert.deepEqual([bytes[0], (bytes[1] ?? 0) & 0x80], [0x81, 0x80]);
    assert.equal(unmasked(bytes).toString(), "y".repeat(length));
  });
}

test("frames are parsed from any split of the bytes", () => {
  const bytes = Buffer.concat(["a", "b", "c"].map((text) => served(Opcode.text, Buffer.from(text))));
  const expected = [
    [1, "a"],
    [1, "b"],
    [1, "c"],
  ];
  assert.deepEqual(all(new Frames(9), bytes), expected);
  assert.deepEqual(all(new Frames(9), ...[...bytes].map((value) => Buffer.from([value]))), expected);
});

test("a fragmented message is joined around a ping", () => {
  const bytes = [
    served(Opcode.text, Buffer.from("so "), false),
    served(Opcode.ping, Buffer.from("?")),
    served(Opcode.continuation, Buffer.from("much"), false),
    served(Opcode.continuation, Buffer.from("."), true),
  ];
  assert.deepEqual(all(new Frames(9), ...bytes), [
    [Opcode.ping, "?"],
    [Opcode.text, "so much."],
  ]);
});

const BAD: Array<[string, number, Buffer[]]> = [
  ["a masked frame", Code.protocol, [frame(Opcode.text, Buffer.from("a"))]],
  ["an unknown bit", Code.protocol, [Buffer.from([0xc1, 0])]],
  ["a continuation of nothing", Code.protocol, [served(Opcode.continuation, Buffer.alloc(1))]],
  [
    "a beginning within a message",
    Code.protocol,
    [served(Opcode.text, Buffer.alloc(1), false), served(Opcode.text, Buffer.alloc(1))],
  ],
  ["a long ping", Code.protocol, [served(Opcode.ping, Buffer.alloc(126))]],
  ["a ping in pieces", Code.protocol, [served(Opcode.ping, Buffer.alloc(1), false)]],
  [
    "a message that is too large, before it is there",
    Code.tooBig,
    [served(Opcode.text, Buffer.alloc(200)).subarray(0, 10)],
  ],
  [
    "pieces that are too large together",
    Code.tooBig,
    [served(Opcode.text, Buffer.alloc(60), false), served(Opcode.continuation, Buffer.alloc(60))],
  ],
];

for (const [name, code, bytes] of BAD) {
  test(`${name} is refused`, () => {
    const frames = new Frames(100);
    assert.throws(
      () => all(frames, ...bytes),
      (error: unknown) => error instanceof BadFrame && error.code === code,
    );
  });
}

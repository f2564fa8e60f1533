/** The connections that browsers make, with a WebSocket that a test plays. */
import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { dial } from "../src/dial_native.js";
import type { Ending } from "../src/errors.js";

class FakeSocket {
  static readonly OPEN = 1;
  static latest: FakeSocket;
  readyState = 0;
  readonly sent: string[] = [];
  closedWith: number | undefined;
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number; reason: string }) => void = () => undefined;

  constructor(readonly url: string) {
    FakeSocket.latest = this;
  }

  send(message: string): void {
    this.sent.push(message);
  }

  close(code: number): void {
    this.closedWith = code;
  }
}

interface Stage {
  socket: FakeSocket;
  dialled: ReturnType<typeof dial>;
  heard: string[];
  endings: Ending[];
  abort(): void;
}

/** Dial as a page does; the native WebSocket is ours for the time of the test. */
function dialling(t: TestContext, url: string, token?: string): Stage {
  const native = Object.getOwnPropertyDescriptor(globalThis, "WebSocket");
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  t.after(() => {
    if (native) Object.defineProperty(globalThis, "WebSocket", native);
    else Reflect.deleteProperty(globalThis, "WebSocket");
  });
  const [heard, endings, controller]: [string[], Ending[], AbortController] = [[], [], new AbortController()];
  const listener = {
    message: (text: string) => void heard.push(text),
    closed: (ending: Ending) => void endings.push(ending),
  };
  const dialled = dial(url, token, listener, controller.signal);
  return {
    socket: FakeSocket.latest,
    dialled,
    heard,
    endings,
    abort: () => {
      controller.abort();
    },
  };
}

function open({ socket }: Stage): void {
  socket.readyState = FakeSocket.OPEN;
  socket.onopen();
}

test("the token is added to the URL", (t) => {
  assert.equal(dialling(t, "ws://there:9222/a?b=c", "se same").socket.url, "ws://there:9222/a?b=c&token=se+same");
  assert.equal(dialling(t, "ws://there:9222/").socket.url, "ws://there:9222/");
});

test("messages travel in both directions until the end", async (t) => {
  const stage = dialling(t, "ws://there");
  open(stage);
  const channel = await stage.dialled;
  channel.send("hi");
  stage.socket.onmessage({ data: "ho" });
  stage.socket.readyState = 2;
  channel.send("too late");
  assert.deepEqual([stage.socket.sent, stage.heard], [["hi"], ["ho"]]);
});

for (const [code, ending] of [
  [4001, { code: 4001, reason: "replaced" }],
  [1006, {}],
  [1005, {}],
] as const) {
  test(`an end with ${code}`, async (t) => {
    const stage = dialling(t, "ws://there");
    open(stage);
    await stage.dialled;
    stage.socket.onclose({ code, reason: "replaced" });
    assert.deepEqual(stage.endings, [ending]);
  });
}

test("closing reports neither the end nor later messages", async (t) => {
  const stage = dialling(t, "ws://there");
  open(stage);
  (await stage.dialled).close();
  stage.socket.onmessage({ data: "too late" });
  stage.socket.onclose({ code: 1000, reason: "" });
  assert.deepEqual([stage.socket.closedWith, stage.heard, stage.endings], [1000, [], []]);
});

test("a missing server and a refusal have the same error, as a browser can't distinguish them", async (t) => {
  const stage = dialling(t, "ws://there");
  stage.socket.onclose({ code: 1006, reason: "" });
  await assert.rejects(stage.dialled, { name: "ConnectionLost", retryable: true });
});

test("a signal aborts a dial", async (t) => {
  const stage = dialling(t, "ws://there");
  stage.abort();
  await assert.rejects(stage.dialled, { name: "AbortError" });
  assert.equal(stage.socket.closedWith, 1000);
});

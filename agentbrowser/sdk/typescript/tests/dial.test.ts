/** The connections that Node makes, to a server that speaks by hand. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import test, { type TestContext } from "node:test";
import type { Channel, ChannelListener } from "../src/channel.js";
import { dial } from "../src/dial_node.js";
import { ProxyCookies } from "../src/cookies.js";
import type { ConnectionLost, Ending } from "../src/errors.js";
import { closing, Opcode } from "../src/frames.js";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** What a client was told. */
class Ear implements ChannelListener {
  readonly heard: string[] = [];
  readonly ended: Promise<Ending>;
  readonly closed: (ending: Ending) => void;
  #taker: (() => void) | undefined;

  constructor() {
    let closed: (ending: Ending) => void = () => undefined;
    this.ended = new Promise((resolve) => (closed = resolve));
    this.closed = closed;
  }

  message(text: string): void {
    this.heard.push(text);
    this.#taker?.();
  }

  async next(count: number): Promise<string[]> {
    while (this.heard.length < count) await new Promise<void>((resolve) => (this.#taker = resolve));
    return this.heard;
  }
}

interface Peer {
  socket: Duplex;
  headers: http.IncomingHttpHeaders;
  url: string;
}

async function listening(t: TestContext, server: http.Server | https.Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Dial a server, and return both ends. */
async function joined(
  t: TestContext,
  ear: Ear,
  token?: string,
  first?: Buffer,
  { cookies, set = [] }: { cookies?: ProxyCookies; set?: string[] } = {},
): Promise<{ channel: Channel; peer: Peer }> {
  const server = http.createServer();
  const url = await listening(t, server);
  const arrived = once(server, "upgrade") as Promise<[http.IncomingMessage, Duplex]>;
  const dialled = dial(`${url}/?a=1`, token, ear, AbortSignal.timeout(10_000), undefined, cookies);
  const [{ headers, url: path }, socket] = await arrived;
  t.after(() => socket.destroy());
  const accept = createHash("sha1")
    .update(`${headers["sec-websocket-key"] ?? ""}${GUID}`)
    .digest("base64");
  const lines = ["Connection: Upgrade", "Upgrade: websocket", `Sec-WebSocket-Accept: ${accept}`];
  const all = ["HTTP/1.1 101 Switching Protocols", ...lines, ...set.map((text) => `Set-Cookie: ${text}`)];
  const head = `${all.join("\r\n")}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), first ?? Buffer.alloc(0)]));
  return { channel: await dialled, peer: { socket, headers, url: path ?? "" } };
}

function served(opcode: number, payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload as string);
  return Buffer.concat([Buffer.from([0x80 | opcode, bytes.length]), bytes]);
}

/** Return opcode and payload of the next frame that a client sent. */
async function next(socket: Duplex): Promise<[number, string]> {
  const [bytes] = (await once(socket, "data")) as [Buffer];
  const mask = bytes.subarray(2, 6);
  return [
    (bytes[0] ?? 0) & 0xf,
    Buffer.from(bytes.subarray(6).map((value, index) => value ^ (mask[index % 4] ?? 0))).toString("latin1"),
  ];
}

test("the token is sent in a header, not in the URL", async (t) => {
  const { peer } = await joined(t, new Ear(), "sesame");
  assert.deepEqual([peer.headers["x-agent-token"], peer.url], ["sesame", "/?a=1"]);
});

test("cookies of a proxy are sent until the server goes away", async (t) => {
  const cookies = new ProxyCookies();
  const set = [
    "NODE=b; path=/; HttpOnly",
    "OLD=1; Max-Age=0",
    "bad name=x",
    "PAST=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT",
  ];
  const { peer } = await joined(t, new Ear(), undefined, undefined, { cookies, set });
  assert.equal(peer.headers.cookie, undefined);
  const ear = new Ear();
  const again = await joined(t, ear, undefined, undefined, { cookies });
  assert.equal(again.peer.headers.cookie, "NODE=b");
  again.peer.socket.write(served(Opcode.close, closing(1001)));
  assert.equal((await ear.ended).code, 1001);
  const elsewhere = await joined(t, new Ear(), undefined, undefined, { cookies });
  assert.equal(elsewhere.peer.headers.cookie, undefined);
});

test("messages travel in both directions, the first one with the head", async (t) => {
  const ear = new Ear();
  const { channel, peer } = await joined(t, ear, undefined, served(Opcode.text, "early"));
  peer.socket.write(served(Opcode.text, "later ü"));
  assert.deepEqual(await ear.next(2), ["early", "later ü"]);
  channel.send("hi");
  assert.deepEqual(await next(peer.socket), [Opcode.text, "hi"]);
});

test("a ping is answered with its payload", async (t) => {
  const { peer } = await joined(t, new Ear());
  peer.socket.write(served(Opcode.ping, "are you there"));
  assert.deepEqual(await next(peer.socket), [Opcode.pong, "are you there"]);
});

test("a close frame is reported with code and reason, and answered", async (t) => {
  const ear = new Ear();
  const { peer } = await joined(t, ear);
  const answer = next(peer.socket);
  peer.socket.write(served(Opcode.close, Buffer.concat([closing(4001), Buffer.from("replaced")])));
  assert.deepEqual(await ear.ended, { code: 4001, reason: "replaced" });
  assert.deepEqual(await answer, [Opcode.close, closing(4001).toString("latin1")]);
});

test("a connection that is cut has no code", async (t) => {
  const ear = new Ear();
  const { peer } = await joined(t, ear);
  peer.socket.destroy();
  assert.deepEqual(await ear.ended, {});
});

const BAD: Array<[string, Buffer, number]> = [
  ["bytes", served(Opcode.binary, "a"), 1003],
  ["text that is not UTF-8", served(Opcode.text, Buffer.from([0xff])), 1007],
  ["a broken frame", Buffer.from([0xf1, 0]), 1002],
];

for (const [name, bytes, code] of BAD) {
  test(`${name}: the connection is closed with ${code}`, async (t) => {
    const ear = new Ear();
    const { peer } = await joined(t, ear);
    const goodbye = next(peer.socket);
    peer.socket.write(bytes);
    assert.deepEqual(await goodbye, [Opcode.close, closing(code).toString("latin1")]);
    assert.ok((await ear.ended).reason);
  });
}

test("closing sends a close frame, and reports nothing", async (t) => {
  const ear = new Ear();
  const { channel, peer } = await joined(t, ear);
  const goodbye = next(peer.socket);
  channel.close();
  assert.deepEqual(await goodbye, [Opcode.close, closing(1000).toString("latin1")]);
  peer.socket.end(served(Opcode.text, "too late"));
  await once(peer.socket, "close");
  assert.deepEqual(ear.heard, []);
});

test("a refusal is reported with its status", async (t) => {
  const server = http.createServer();
  server.on("upgrade", (_, socket: Duplex) => socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"));
  const url = await listening(t, server);
  const refused = dial(url, undefined, new Ear(), AbortSignal.timeout(10_000));
  await assert.rejects(refused, { name: "ConnectionLost", retryable: false, details: { status: 401 } });
});

test("the reason of a refusal is reported only if it is plain text", async (t) => {
  for (const [kind, message] of [
    ["text/plain; charset=utf-8", "The server refused the connection (401): A valid token is needed."],
    ["text/html", "The server refused the connection (401)."],
    ["text/plain; charset=truncated", /No agentbrowser server answers/],
  ] as const) {
    const server = http.createServer();
    const head = `HTTP/1.1 401 Unauthorized\r\nContent-Type: ${kind}\r\nContent-Length: ${kind.endsWith("truncated") ? 26 : 25}\r\n\r\n`;
    server.on("upgrade", (_, socket: Duplex) => socket.end(`${head}A valid token is needed.\n`));
    const url = await listening(t, server);
    await assert.rejects(dial(url, undefined, new Ear(), AbortSignal.timeout(10_000)), { message });
  }
});

test("a server without WebSocket is rejected", async (t) => {
  const server = http.createServer();
  server.on("upgrade", (_, socket: Duplex) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n"),
  );
  const url = await listening(t, server);
  await assert.rejects(dial(url, undefined, new Ear(), AbortSignal.timeout(10_000)), /does not speak WebSocket/);
});

test("a server without TLS is reported as one", async (t) => {
  const url = await listening(t, http.createServer());
  const refused = dial(url.replace("ws:", "wss:"), undefined, new Ear(), AbortSignal.timeout(10_000));
  await assert.rejects(refused, /answers without TLS/);
});

test("a port without a server is reported", async (t) => {
  const server = http.createServer();
  const url = await listening(t, server);
  server.close();
  const refused = dial(`${url}/?token=hidden`, undefined, new Ear(), AbortSignal.timeout(10_000));
  await assert.rejects(refused, (error: Error) => error.name === "ConnectionLost" && !error.message.includes("hidden"));
});

test("a client without descriptors blames no server", async (t) => {
  t.mock.method(http, "request", () => {
    const request = new EventEmitter() as unknown as http.ClientRequest;
    request.end = () => {
      request.emit("error", Object.assign(new Error(), { code: "EMFILE" }));
      return request;
    };
    return request;
  });
  const refused = dial("ws://there", undefined, new Ear(), AbortSignal.timeout(10_000));
  await assert.rejects(refused, { name: "ConnectionLost", message: /too many open files \(EMFILE\)/ });
});

test("a signal aborts a dial", async (t) => {
  const server = http.createServer();
  server.on("upgrade", () => undefined);
  const controller = new AbortController();
  const dialled = dial(await listening(t, server), undefined, new Ear(), controller.signal);
  await once(server, "upgrade");
  controller.abort();
  await assert.rejects(dialled, { name: "AbortError" });
});

const { TLS_CERT = "", TLS_KEY = "" } = process.env;

test(
  "a certificate is trusted if its authority is named",
  { skip: TLS_CERT ? false : "TLS_CERT is not set" },
  async (t) => {
    const ca = readFileSync(TLS_CERT, "utf8");
    const server = https.createServer({ cert: ca, key: readFileSync(TLS_KEY) });
    server.on("upgrade", (_, socket: Duplex) => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"));
    const url = (await listening(t, server)).replace("ws:", "wss:");
    const signal = AbortSignal.timeout(10_000);
    await assert.rejects(dial(url, undefined, new Ear(), signal), (error: ConnectionLost) => {
      assert.match(error.message, /^The certificate of wss:.* is not trusted: /);
      return !error.retryable;
    });
    await assert.rejects(dial(url, undefined, new Ear(), signal, ca), /refused the connection \(403\)/);
    await assert.rejects(dial(url, undefined, new Ear(), signal, `# A comment.\n${ca}`), /refused the connection/);
    for (const wrong of ["authority.pem", "", ca.slice(0, 200)])
      await assert.rejects(dial(url, undefined, new Ear(), signal, wrong), { name: "InvalidParams", message: /^ca / });
  },
);

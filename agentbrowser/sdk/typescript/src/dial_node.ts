/** WebSocket on Node, over its HTTP module: its own WebSocket is recent, and has no headers. */
import { createHash, randomBytes, X509Certificate } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { type Channel, type Dial, type ChannelListener, MAX_MESSAGE_BYTES } from "./channel.js";
import { ProxyCookies } from "./cookies.js";
import { ConnectionLost, type Ending, InvalidParams } from "./errors.js";
import { BadFrame, closing, Code, Frames, frame, Opcode } from "./frames.js";

/** Silence after which the client sends a ping; after twice that, the connection counts as lost. */
const SILENCE_MS = 30_000;
const MAX_REASON = 300;
const GOING_AWAY = 1001;
const UNAVAILABLE = 503;
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export const dial: Dial = (url, token, listener, signal, ca, cookies = new ProxyCookies()) =>
  new Promise<Channel>((resolve, reject) => {
    if (ca !== undefined) checkAuthorities(ca);
    const key = randomBytes(16).toString("base64");
    const request = upgradeRequest({ url, token, ca, cookie: cookies.header() }, key, signal);
    request.on("error", (error) => {
      reject(signal.aborted ? (signal.reason as Error) : noServer(url, error));
    });
    request.once("response", (response) => {
      if (response.statusCode === UNAVAILABLE) cookies.clear();
      refusal(response).then(reject, (error: unknown) => {
        reject(signal.aborted ? (signal.reason as Error) : noServer(url, error as Error));
      });
    });
    request.once("upgrade", (response, socket: Duplex, first: Buffer) => {
      if (response.headers["sec-websocket-accept"] !== accepted(key)) {
        socket.destroy();
        reject(new ConnectionLost("The server does not speak WebSocket."));
        return;
      }
      cookies.accept(response.headers["set-cookie"]);
      resolve(new Socket(socket, listener, first, cookies));
    });
    request.end();
  });

/** Throw InvalidParams if this is no certificate: Node ignores such text, such as a path, and trusts nobody then. */
function checkAuthorities(ca: string): void {
  try {
    new X509Certificate(ca).toString();
  } catch (cause) {
    const details = { path: "ca", expected: "the text of certificates in PEM", got: "text without one" };
    throw Object.assign(new InvalidParams("ca is no certificate in PEM; a path is none.", { details }), { cause });
  }
}

interface Address {
  url: string;
  token: string | undefined;
  ca: string | undefined;
  cookie: string | undefined;
}

function upgradeRequest({ url, token, ca, cookie }: Address, key: string, signal: AbortSignal): http.ClientRequest {
  const address = new URL(url);
  const isSecure = address.protocol === "wss:";
  address.protocol = isSecure ? "https:" : "http:";
  const headers: http.OutgoingHttpHeaders = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Key": key,
    "Sec-WebSocket-Version": "13",
    ...(cookie === undefined ? {} : { Cookie: cookie }),
  };
  if (token !== undefined) headers["X-AGENT-Token"] = token;
  const options = { headers, signal, agent: false };
  return isSecure
    ? https.request(address, ca === undefined ? options : { ...options, ca })
    : http.request(address, options);
}

/** Return the error of a refusal, with the reason of an agentbrowser server only. */
async function refusal(response: http.IncomingMessage): Promise<ConnectionLost> {
  const status = response.statusCode ?? 0;
  let text = "";
  if (response.headers["content-type"]?.startsWith("text/plain")) {
    for await (const bytes of response) {
      text += String(bytes);
      if (text.length > MAX_REASON) break;
    }
  }
  response.destroy();
  const reason = text.slice(0, MAX_REASON).trim();
  return ConnectionLost.of(reason ? { status, reason } : { status });
}

function accepted(key: string): string {
  return createHash("sha1")
    .update(key + GUID)
    .digest("base64");
}

/** Codes that Node gives to a certificate that it does not trust. */
const UNTRUSTED = /CERT|SIGNATURE/;
/** OpenSSL's words for an answer in plain HTTP; Node has several codes for it. */
const NO_TLS = "wrong version number";
const NO_DESCRIPTORS = ["EMFILE", "ENFILE"];

function noServer(url: string, error: NodeJS.ErrnoException): ConnectionLost {
  const address = url.split("?")[0] ?? "";
  if (NO_DESCRIPTORS.includes(error.code ?? ""))
    return new ConnectionLost(`The client could not connect: it has too many open files (${error.code}).`);
  const lost = UNTRUSTED.test(error.code ?? "")
    ? new ConnectionLost(
        `The certificate of ${address} is not trusted: ${error.message}.`,
        {},
        { retryable: false, recoveryHint: "Give the certificate of its authority, in PEM: ca" },
      )
    : error.message.includes(NO_TLS)
      ? new ConnectionLost(
          `The server at ${address} answers without TLS.`,
          {},
          { recoveryHint: "Use ws://, or start the server with --tls-cert." },
        )
      : new ConnectionLost(
          `No agentbrowser server answers at ${address}.`,
          {},
          { recoveryHint: "Start one with `agentbrowser serve`, or see that host and port are right." },
        );
  lost.cause = error;
  return lost;
}

/** A WebSocket connection. */
class Socket implements Channel {
  readonly #stream: Duplex;
  readonly #listener: ChannelListener;
  readonly #cookies: ProxyCookies;
  readonly #frames = new Frames(MAX_MESSAGE_BYTES);
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #isOver = false;
  #isPinged = false;
  #silence: NodeJS.Timeout;

  constructor(stream: Duplex, listener: ChannelListener, first: Buffer, cookies: ProxyCookies) {
    this.#stream = stream;
    this.#cookies = cookies;
    this.#listener = listener;
    this.#silence = setInterval(() => {
      this.#ping();
    }, SILENCE_MS).unref();
    stream.on("data", (bytes: Buffer) => {
      this.#take(bytes);
    });
    stream.on("error", () => undefined); // "close" follows
    stream.on("close", () => {
      this.#end({});
    });
    // Bytes after the head are dispatched once the caller has the channel.
    if (first.length) stream.unshift(first);
  }

  send(message: string): void {
    if (!this.#isOver) this.#write(Opcode.text, Buffer.from(message));
  }

  close(): void {
    this.#close(Code.normal);
  }

  #take(bytes: Buffer): void {
    this.#isPinged = false;
    this.#silence.refresh();
    try {
      for (const { opcode, payload } of this.#frames.push(bytes)) {
        if (this.#isOver) return;
        this.#receive(opcode, payload);
      }
    } catch (error) {
      const bad = error instanceof BadFrame ? error : new BadFrame(Code.malformed, String(error));
      this.#close(bad.code, { reason: bad.message });
    }
  }

  #receive(opcode: number, payload: Buffer): void {
    if (opcode === Opcode.text) this.#listener.message(this.#decoder.decode(payload));
    else if (opcode === Opcode.ping) this.#write(Opcode.pong, payload);
    else if (opcode === Opcode.close) this.#receiveClose(payload);
    else if (opcode !== Opcode.pong) throw new BadFrame(Code.unsupported, "a message is not text");
  }

  #receiveClose(payload: Buffer): void {
    const ending = payload.length < 2 ? {} : { code: payload.readUInt16BE(), reason: payload.toString("utf8", 2) };
    if (ending.code === GOING_AWAY) this.#cookies.clear();
    this.#close(payload.length < 2 ? Code.normal : payload.readUInt16BE(), ending);
  }

  #ping(): void {
    if (this.#isPinged)
      this.#stream.destroy(); // "close" follows
    else this.#write(Opcode.ping, Buffer.alloc(0));
    this.#isPinged = true;
  }

  /** Close the connection; call the listener unless it closed the channel itself. */
  #close(code: number, ending?: Ending): void {
    if (this.#isOver) return;
    this.#write(Opcode.close, closing(code));
    this.#end(ending);
    this.#stream.end();
    // Destroy the stream if the server does not close it.
    setTimeout(() => this.#stream.destroy(), 1000).unref();
  }

  #end(ending: Ending | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#silence);
    if (ending) this.#listener.closed(ending);
  }

  #write(opcode: number, payload: Buffer): void {
    if (this.#stream.writable) this.#stream.write(frame(opcode, payload));
  }
}

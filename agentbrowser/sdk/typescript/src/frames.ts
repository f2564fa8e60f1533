/** Frames of RFC 6455 from a client's side. Sans-I/O. */
import { randomBytes } from "node:crypto";

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Close codes of a client. */
export const Code = { normal: 1000, protocol: 1002, unsupported: 1003, malformed: 1007, tooBig: 1009 } as const;

/** A violation of the protocol by the peer; `code` is the close code for it. */
export class BadFrame extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A message, or a control frame. */
export interface Frame {
  opcode: number;
  payload: Buffer;
}

/** Return a masked frame. */
export function frame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const masked = Buffer.allocUnsafe(payload.length);
  for (let index = 0; index < payload.length; index++) masked[index] = byte(payload, index) ^ byte(mask, index & 3);
  return Buffer.concat([head(opcode, payload.length), mask, masked]);
}

function head(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, 0x80 | length]);
  const large = length > 0xffff;
  const bytes = Buffer.alloc(large ? 10 : 4);
  bytes.set([first, 0x80 | (large ? 127 : 126)]);
  if (large) bytes.writeBigUInt64BE(BigInt(length), 2);
  else bytes.writeUInt16BE(length, 2);
  return bytes;
}

/** Return the payload of a close frame. */
export function closing(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return payload;
}

/** Incremental parser of messages. */
export class Frames {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Fragments of an incomplete message. */
  #fragments: Buffer[] = [];
  #fragmentsLength = 0;
  #opcode: number = Opcode.continuation;

  constructor(readonly maxBytes: number) {}

  /** Parse bytes, and yield the complete messages. Throws BadFrame. */
  *push(bytes: Buffer): Generator<Frame> {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    for (;;) {
      const next = this.#next();
      if (!next) return;
      const message = this.#complete(next);
      if (message) yield message;
    }
  }

  #next(): (Frame & { isLast: boolean }) | undefined {
    const start = this.#peek(10);
    if (start.length < 2) return undefined;
    const [first, second] = [byte(start, 0), byte(start, 1)];
    if (first & 0x70 || second & 0x80) throw new BadFrame(Code.protocol, "a frame is masked, or has unknown bits");
    const short = second & 0x7f;
    const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (start.length < headLength) return undefined;
    const length = short < 126 ? short : short === 126 ? start.readUInt16BE(2) : Number(start.readBigUInt64BE(2));
    const opcode = first & 0x0f;
    this.#check(opcode, length, (first & 0x80) !== 0);
    if (this.#length < headLength + length) return undefined;
    this.#take(headLength);
    return { opcode, payload: this.#take(length), isLast: (first & 0x80) !== 0 };
  }

  #check(opcode: number, length: number, isLast: boolean): void {
    if (opcode >= Opcode.close && (length > 125 || !isLast))
      throw new BadFrame(Code.protocol, "a control frame is too long");
    if (length + this.#fragmentsLength > this.maxBytes) throw new BadFrame(Code.tooBig, "a message is too large");
    const isFragmented = this.#opcode !== Opcode.continuation;
    if (opcode < Opcode.close && isFragmented !== (opcode === Opcode.continuation))
      throw new BadFrame(Code.protocol, "a message begins within another, or without a beginning");
  }

  /** Return a control frame, or a message that ends with this frame. */
  #complete({ opcode, payload, isLast }: Frame & { isLast: boolean }): Frame | undefined {
    if (opcode >= Opcode.close) return { opcode, payload };
    if (opcode !== Opcode.continuation) this.#opcode = opcode;
    this.#fragments.push(payload);
    this.#fragmentsLength += payload.length;
    if (!isLast) return undefined;
    const message = {
      opcode: this.#opcode,
      payload: this.#fragments.length === 1 ? payload : Buffer.concat(this.#fragments),
    };
    [this.#fragments, this.#fragmentsLength, this.#opcode] = [[], 0, Opcode.continuation];
    return message;
  }

  /** Return up to `count` unparsed bytes, without consuming them. */
  #peek(count: number): Buffer {
    const first = this.#chunks[0] ?? Buffer.alloc(0);
    if (first.length >= count || this.#chunks.length < 2) return first.subarray(0, count);
    const parts: Buffer[] = [];
    let length = 0;
    for (const chunk of this.#chunks) {
      parts.push(chunk);
      length += chunk.length;
      if (length >= count) break;
    }
    return Buffer.concat(parts).subarray(0, count);
  }

  #take(count: number): Buffer {
    const parts: Buffer[] = [];
    this.#length -= count;
    while (count > 0) {
      const chunk = this.#chunks[0] ?? Buffer.alloc(0);
      const part = chunk.subarray(0, count);
      parts.push(part);
      count -= part.length;
      if (part.length === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(part.length);
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }
}

function byte(bytes: Buffer, index: number): number {
  return bytes[index] ?? 0;
}

/** A server that a test plays: it dials, hears what is sent, and says what the test wants. */
import type { Channel, Dial, Hearer } from "../src/channel.js";
import { ConnectionLost, type Ending } from "../src/errors.js";

export interface Sent {
  id?: number;
  method: string;
  params: Record<string, unknown>;
}

export const FEATURES = { idempotencyKeys: true };

/** One connection, from the server's side. */
export class Line {
  readonly sent: Sent[] = [];
  isClosed = false;
  readonly #hearer: Hearer;
  readonly #takers: Array<(sent: Sent) => void> = [];
  #taken = 0;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
  }

  readonly channel: Channel = {
    send: (message) => {
      this.sent.push(JSON.parse(message) as Sent);
      this.#deliver();
    },
    close: () => {
      this.isClosed = true;
    },
  };

  /** Return the next message that the client sends. */
  async hear(): Promise<Sent> {
    return await new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#deliver();
    });
  }

  /** Answer a request. */
  reply({ id }: Sent, result: unknown = {}): void {
    this.say({ id, result });
  }

  fault({ id }: Sent, error: object): void {
    this.say({ id, error });
  }

  say(message: object): void {
    this.#hearer.message(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  text(text: string): void {
    this.#hearer.message(text);
  }

  end(ending: Ending = {}): void {
    this.#hearer.closed(ending);
  }

  /** Answer `initialize`. */
  async welcome(more: object = {}): Promise<Sent> {
    const hello = await this.hear();
    this.reply(hello, { capabilities: { features: FEATURES }, ...more });
    return hello;
  }

  #deliver(): void {
    const [next, taker] = [this.sent[this.#taken], this.#takers[0]];
    if (!next || !taker) return;
    this.#taken++;
    this.#takers.shift();
    taker(next);
  }
}

/** Where a client dials; each attempt is let in unless `refusals` says otherwise. */
export class Exchange {
  readonly tokens: Array<string | undefined> = [];
  readonly waits: number[] = [];
  /** How the next attempts end. */
  readonly refusals: Ending[] = [];
  readonly #lines: Line[] = [];
  readonly #takers: Array<(line: Line) => void> = [];

  readonly dial: Dial = (_, token, hearer) => {
    this.tokens.push(token);
    const refusal = this.refusals.shift();
    if (refusal) return Promise.reject(ConnectionLost.of(refusal));
    const line = new Line(hearer);
    const taker = this.#takers.shift();
    if (taker) taker(line);
    else this.#lines.push(line);
    return Promise.resolve(line.channel);
  };

  readonly sleep = (ms: number): Promise<void> => {
    this.waits.push(ms);
    return Promise.resolve();
  };

  /** Return the next connection. */
  async line(): Promise<Line> {
    return this.#lines.shift() ?? (await new Promise((resolve) => this.#takers.push(resolve)));
  }
}

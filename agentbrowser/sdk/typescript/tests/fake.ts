/** A fake server: it records requests, and sends the replies of the test. */
import type { Channel, Dial, ChannelListener } from "../src/channel.js";
import { ConnectionLost, type Ending } from "../src/errors.js";

export interface Sent {
  id?: number;
  method: string;
  params: Record<string, unknown>;
}

export const FEATURES = { idempotencyKeys: true };

/** One connection from the server's side. */
export class FakeConnection {
  readonly sent: Sent[] = [];
  isClosed = false;
  readonly #listener: ChannelListener;
  readonly #takers: Array<(sent: Sent) => void> = [];
  #taken = 0;

  constructor(listener: ChannelListener) {
    this.#listener = listener;
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
    this.#listener.message(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  text(text: string): void {
    this.#listener.message(text);
  }

  end(ending: Ending = {}): void {
    this.#listener.closed(ending);
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

/** A server that accepts each attempt to connect, unless `refusals` has an entry for it. */
export class FakeServer {
  readonly tokens: Array<string | undefined> = [];
  readonly waits: number[] = [];
  /** Ends of the next attempts. */
  readonly refusals: Ending[] = [];
  readonly #lines: FakeConnection[] = [];
  readonly #takers: Array<(line: FakeConnection) => void> = [];

  readonly dial: Dial = (_, token, listener) => {
    this.tokens.push(token);
    const refusal = this.refusals.shift();
    if (refusal) return Promise.reject(ConnectionLost.of(refusal));
    const line = new FakeConnection(listener);
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
  async line(): Promise<FakeConnection> {
    return this.#lines.shift() ?? (await new Promise((resolve) => this.#takers.push(resolve)));
  }
}

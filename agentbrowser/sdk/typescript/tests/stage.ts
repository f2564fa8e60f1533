/** A client with a connection to a fake server. */
import { Browser, type BrowserOptions, type ConnectionChange } from "../src/index.js";
import { FakeServer, type FakeConnection } from "./fake.js";

export const SECRET = { sessionSecret: "secret-1" };
export const LOST = { code: 1001 };

export interface Stage {
  browser: Browser;
  exchange: FakeServer;
  line: FakeConnection;
  states: ConnectionChange[];
}

/** Connect to a fake server. */
export async function connected(options: BrowserOptions = {}): Promise<Stage> {
  const exchange = new FakeServer();
  const states: ConnectionChange[] = [];
  const onLine = (change: ConnectionChange): void => void states.push(change);
  const { dial, sleep } = exchange;
  const opening = Browser.connect("ws://there", { check: false, dial, sleep, onLine, ...options });
  const line = await exchange.line();
  await line.welcome(SECRET);
  return { browser: await opening, exchange, line, states };
}

/** Lose the connection, and accept the next one with this result of the handshake. */
export async function again(
  { exchange, line }: Stage,
  welcome: object = { restored: "warm" },
): Promise<FakeConnection> {
  line.end(LOST);
  const next = await exchange.line();
  await next.welcome(welcome);
  return next;
}

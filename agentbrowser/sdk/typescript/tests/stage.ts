/** A client that is connected to a server that a test plays. */
import { Browser, type BrowserOptions, type LineState } from "../src/index.js";
import { Exchange, type Line } from "./fake.js";

export const SECRET = { sessionSecret: "secret-1" };
export const LOST = { code: 1001 };

export interface Stage {
  browser: Browser;
  exchange: Exchange;
  line: Line;
  states: LineState[];
}

/** Connect to a server that a test plays. */
export async function connected(options: BrowserOptions = {}): Promise<Stage> {
  const exchange = new Exchange();
  const states: LineState[] = [];
  const onLine = (change: LineState): void => void states.push(change);
  const { dial, sleep } = exchange;
  const opening = Browser.connect("ws://there", { check: false, dial, sleep, onLine, ...options });
  const line = await exchange.line();
  await line.welcome(SECRET);
  return { browser: await opening, exchange, line, states };
}

/** Lose the connection, and have it come back as the server says. */
export async function again({ exchange, line }: Stage, welcome: object = { restored: "warm" }): Promise<Line> {
  line.end(LOST);
  const next = await exchange.line();
  await next.welcome(welcome);
  return next;
}

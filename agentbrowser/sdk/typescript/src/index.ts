/** The client of agentbrowser. */
export { type Approver, Browser, type BrowserOptions, type CallArguments, type CallOptions } from "./browser.js";
export type { Approval, MethodName, Params, Result } from "./browser.js";
export type { Channel, ChannelListener, ChannelListener as Hearer, Dial } from "./channel.js";
export * from "./errors.js";
export { ApprovalRequired } from "./errors.js";
export type { Event, EventKind, Listener } from "./events.js";
export { FileDownload, type Upload } from "./files.js";
export { type Navigated, Page, type Step, Target } from "./page.js";
export { type ActionOutcome, type Extracted, Image, type Look, type Observation } from "./results.js";
export type { SequenceOutcome, StepOutcome } from "./results.js";
export type { ConnectionChange, ConnectionChange as LineState, Reconnect } from "./reconnect.js";
export * as schemas from "./schemas.gen.js";
export { type Method, METHODS, NOTIFICATIONS, PROTOCOL_VERSION, SCOPES } from "./tables.gen.js";
export type * from "./types.gen.js";
export type { ApprovalRequired as ApprovalRequest, Page as PageInfo } from "./types.gen.js";

import { Browser } from "./browser.js";

/** Connect to a server: `const browser = await connect("ws://127.0.0.1:9222", { token })`. */
export const connect = Browser.connect.bind(Browser);

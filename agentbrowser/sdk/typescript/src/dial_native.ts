/** Connections by the WebSocket that browsers have. It takes no headers, so the token travels in the URL. */
import { type Channel, type Dial } from "./channel.js";
import { ConnectionLost } from "./errors.js";

const NORMAL = 1000;
/** What a browser says of a connection that ended without a close, which is no code at all. */
const NO_CODE = [1005, 1006];

export const dial: Dial = (url, token, hearer, signal) =>
  new Promise<Channel>((resolve, reject) => {
    const socket = new WebSocket(withToken(url, token));
    let isOpen = false;
    let isOurs = false;
    const send = (message: string): void => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    };
    const close = (): void => {
      isOurs = true;
      socket.close(NORMAL);
    };
    const giveUp = (): void => {
      close();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    socket.onopen = () => {
      signal.removeEventListener("abort", giveUp);
      isOpen = true;
      resolve({ send, close });
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (!isOurs) hearer.message(event.data);
    };
    socket.onclose = ({ code, reason }) => {
      signal.removeEventListener("abort", giveUp);
      // A browser does not say with which status a handshake was refused.
      const ending = NO_CODE.includes(code) ? {} : { code, reason };
      if (!isOpen) reject(ConnectionLost.of({ reason: "no server answers there, or it refused" }));
      else if (!isOurs) hearer.closed(ending);
    };
  });

function withToken(url: string, token: string | undefined): string {
  const address = new URL(url);
  if (token !== undefined) address.searchParams.set("token", token);
  return address.href;
}

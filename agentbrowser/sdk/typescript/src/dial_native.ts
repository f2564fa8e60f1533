/** WebSocket of browsers. It has no headers, so the URL carries the token. */
import { type Channel, type Dial } from "./channel.js";
import { ConnectionLost, InvalidParams } from "./errors.js";

const NORMAL = 1000;
/** Pseudo-codes of a browser for a connection that ended without a close frame. */
const NO_CODE = [1005, 1006];

export const dial: Dial = (url, token, listener, signal, ca) =>
  new Promise<Channel>((resolve, reject) => {
    if (ca !== undefined)
      throw new InvalidParams("ca is for Node: a browser trusts what its user trusts.", { details: { path: "ca" } });
    const socket = new WebSocket(withToken(url, token));
    let isOpen = false;
    let isClosedHere = false;
    const send = (message: string): void => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    };
    const close = (): void => {
      isClosedHere = true;
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
      if (!isClosedHere) listener.message(event.data);
    };
    socket.onclose = ({ code, reason }) => {
      signal.removeEventListener("abort", giveUp);
      // A browser hides the HTTP status of a refused handshake.
      const ending = NO_CODE.includes(code) ? {} : { code, reason };
      if (!isOpen) reject(ConnectionLost.of({ reason: "no server answers there, or it refused" }));
      else if (!isClosedHere) listener.closed(ending);
    };
  });

function withToken(url: string, token: string | undefined): string {
  const address = new URL(url);
  if (token !== undefined) address.searchParams.set("token", token);
  return address.href;
}

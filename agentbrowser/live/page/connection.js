/** Connection to the server: login, socket, and reconnection. The key stays in this tab. */

const KEY = "agentbrowser-live-key";
const OVER = 4003;
const MAX_FAILURES = 3;

/**
 * Exchange the link of the address, or a token, for a key.
 * @param {string} authorization
 * @returns {Promise<string>} a reason why there is no key; empty if there is one
 */
export async function logIn(authorization) {
  let answer;
  try {
    answer = await fetch("/live/login", { method: "POST", headers: { Authorization: authorization } });
  } catch {
    return "The server does not answer.";
  }
  if (!answer.ok) return (await answer.text()).trim();
  sessionStorage.setItem(KEY, (await answer.json()).key);
  return "";
}

/**
 * Take the link out of the address, so that no history holds it.
 * @returns {string | null}
 */
export function takeLink() {
  const link = new URLSearchParams(location.hash.slice(1)).get("link");
  if (location.hash) history.replaceState(null, "", location.pathname);
  return link;
}

/** Return true if this tab has a key. */
export function hasKey() {
  return sessionStorage.getItem(KEY) !== null;
}

/** Socket that connects again by itself. */
export class Connection {
  /**
   * @param {{onOpen: () => void, onText: (message: any) => void, onPicture: (data: ArrayBuffer) => void,
   *   onLost: () => void, onRefused: () => void, onOver: () => void}} handlers
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.failures = 0;
    this.socket = null;
  }

  open() {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live/socket`;
    const socket = new WebSocket(address, ["agentbrowser", `key.${sessionStorage.getItem(KEY)}`]);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.failures = 0;
      this.handlers.onOpen();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.handlers.onText(JSON.parse(data));
      else this.handlers.onPicture(data);
    };
    socket.onclose = ({ code }) => this.closed(code);
    this.socket = socket;
  }

  /** @param {number} code */
  closed(code) {
    if (code === OVER) {
      sessionStorage.removeItem(KEY);
      this.handlers.onOver();
      return;
    }
    this.failures += 1;
    if (this.failures > MAX_FAILURES) {
      sessionStorage.removeItem(KEY);
      this.handlers.onRefused();
      return;
    }
    this.handlers.onLost();
    setTimeout(() => this.open(), 1000 * this.failures);
  }

  /**
   * Send a command.
   * @param {Record<string, any>} command
   */
  send(command) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}

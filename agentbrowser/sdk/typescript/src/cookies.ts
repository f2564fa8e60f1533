/** Cookies of a proxy before the server, by which a client that reconnects reaches the node of its session. */

const MAX_COOKIES = 8;
const MAX_COOKIE_LENGTH = 4096;
const PAIR = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=("?[!#-+\--:<-[\]-~]*"?)$/;
/** An attribute by which a proxy deletes its cookie: no age, or an expiry before 1971. */
const ENDS = /^(max-age=(-.*|0)|expires=.*\b(19)?70\b.*)$/i;

/** Cookies from the responses of one URL, which go to that URL only. */
export class ProxyCookies {
  readonly #kept = new Map<string, string>();

  /** Return the value of the header Cookie; undefined without cookies. */
  header(): string | undefined {
    return [...this.#kept].map(([name, value]) => `${name}=${value}`).join("; ") || undefined;
  }

  /** Keep the cookies that a response sets; remove those that it ends. */
  accept(texts: readonly string[] = []): void {
    for (const text of texts) if (text.length <= MAX_COOKIE_LENGTH) this.#accept(text);
  }

  /** Forget all cookies, since their node takes no client any more: the proxy chooses another one. */
  clear(): void {
    this.#kept.clear();
  }

  #accept(text: string): void {
    const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
    const [, name, value] = PAIR.exec(pair) ?? [];
    if (name === undefined || value === undefined) return;
    this.#kept.delete(name);
    if (!attributes.some((attribute) => ENDS.test(attribute)) && this.#kept.size < MAX_COOKIES)
      this.#kept.set(name, value);
  }
}

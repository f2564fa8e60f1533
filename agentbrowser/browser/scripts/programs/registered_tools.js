/**
 * Return the WebMCP tools that the document's scripts have registered; the browser itself registers those of the
 * markup. Long texts are cut, and long input schemas left out.
 * @param {{max: number, declared: string[], schemas: boolean}} wanted
 */
export default async function registeredTools({ max, declared, schemas }) {
  const MAX_NAME = 200;
  const MAX_WORDS = 2000;
  const MAX_SCHEMA = 20_000;

  /** @param {any} given an object, or JSON in older versions */
  function plain(given) {
    const text = typeof given === "string" ? given : JSON.stringify(given ?? null);
    if (!schemas || text.length > MAX_SCHEMA) return undefined;
    try {
      const schema = JSON.parse(text);
      return schema && typeof schema === "object" && !Array.isArray(schema) ? schema : undefined;
    } catch {
      return undefined;
    }
  }

  /** @type {any} */
  const [page, browser] = [document, navigator];
  const context = page.modelContext ?? browser.modelContext;
  const known = (await context?.getTools?.()) ?? [];
  const ours = known.filter((tool) => tool.window === undefined || tool.window === window);
  const registered = ours.filter((tool) => !declared.includes(tool.name));
  const tools = registered.slice(0, max).map((tool) => ({
    name: tool.name.slice(0, MAX_NAME),
    description: tool.description?.slice(0, MAX_WORDS) || undefined,
    inputSchema: plain(tool.inputSchema),
  }));
  return { tools, total: registered.length };
}

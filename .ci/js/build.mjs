// Bundles the in-page scripts: each module of programs/ becomes one expression, whose value is the function that the module
// exports. `--check` compares the result with bundle.gen.js instead of writing it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SCRIPTS = fileURLToPath(new URL("../../agentbrowser/browser/scripts", import.meta.url));
const BUNDLE = join(SCRIPTS, "bundle.gen.js");
const HEAD = "// Generated from the modules in this folder by `npm run --prefix .ci/js build`. Do not edit.";
const EXPORT = /export\{(\w+) as default\};\s*$/;

/**
 * Bundle one program. Names, statements and lines stay, since a failure in a page is logged with its line.
 * @param {string} file
 */
async function expressionOf(file) {
  const { outputFiles } = await build({
    entryPoints: [join(SCRIPTS, "programs", file)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    charset: "utf8",
    legalComments: "none",
    minifyWhitespace: true,
    lineLimit: 120,
  });
  const code = outputFiles[0].text;
  if (!EXPORT.test(code)) throw new Error(`${file} must export one function, as its default`);
  return `(() => { "use strict";\n${code.replace(EXPORT, "return $1;")}\n})()`;
}

/** Hash of all modules, by which tests/house detects an outdated bundle without Node. */
function sourceHash() {
  const hash = createHash("sha256");
  const names = readdirSync(SCRIPTS, { recursive: true }).filter((name) => name.endsWith(".js") && !name.endsWith(".gen.js"));
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(SCRIPTS, name)));
  return hash.digest("hex");
}

const programs = [];
for (const file of readdirSync(join(SCRIPTS, "programs")).sort()) {
  programs.push(`// program: ${basename(file, ".js")}\n${await expressionOf(file)}\n`);
}
const bundle = `${HEAD}\n// sources: ${sourceHash()}\n${programs.join("")}`;
if (!process.argv.includes("--check")) writeFileSync(BUNDLE, bundle);
else if (readFileSync(BUNDLE, "utf8") !== bundle) {
  console.error("bundle.gen.js is out of date: run `npm run --prefix .ci/js build` and commit the result.");
  process.exitCode = 1;
}

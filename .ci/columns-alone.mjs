// Installs @polybin/columns with what it depends on and nothing else, reads a table, and asks for a plot.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsHere, projectNode, run } from "./workspace.mjs";

const NEEDED = /^@polybin\/(analysis|columns|core|native(-.*)?)$/;
/** Optional peers: who draws plots or reads S3 installs them. */
const OPTIONAL = ["vega", "@aws-sdk/client-s3"];

const PROGRAM = `
import { openTable } from "@polybin/columns";
import { profile } from "@polybin/columns/profile";
import { renderReport } from "@polybin/columns/report";
import { openEngine } from "@polybin/core";

await using engine = await openEngine();
await using table = await openTable(Buffer.from("a,b\\n1,x\\n2,y\\n"), { format: "csv" });
const found = await profile(engine, [table]);
const error = await renderReport(found).catch(({ code, message }) => ({ code, message }));
console.log(JSON.stringify({ rows: found.rows, error }));
`;

/** Resolves to null or to what went wrong. @param archives manifests, each with its file */
export async function columnsAlone(archives) {
  const folder = mkdtempSync(join(tmpdir(), "polybin-columns-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    writeFileSync(join(folder, "program.mjs"), PROGRAM);
    const needed = archives.filter((manifest) => NEEDED.test(manifest.name) && fitsHere(manifest));
    const files = needed.map(({ archive }) => archive);
    const inFolder = { cwd: folder, env: { npm_config_audit: "false", npm_config_fund: "false" } };
    const installed = await run("npm", ["install", "--prefer-offline", ...files], inFolder);
    if (installed.code !== 0) return installed.output;
    const present = OPTIONAL.filter((name) => existsSync(join(folder, "node_modules", name)));
    if (present.length > 0) return `expected that npm does not install ${present.join(" and ")}`;
    const { code, output } = await run(projectNode(), ["program.mjs"], inFolder);
    if (code !== 0) return output;
    assert.deepEqual(JSON.parse(output.trimEnd().split("\n").at(-1)), {
      rows: 2,
      error: {
        code: "ERR_UNAVAILABLE",
        message: "expected the package vega, which draws the plots; install it with npm install vega",
      },
    });
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

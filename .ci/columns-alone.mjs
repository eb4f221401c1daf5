// Installs @polybin/columns with what it depends on and nothing else, reads a table, and asks for a plot.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { alone } from "./alone.mjs";

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
export const columnsAlone = (archives) =>
  alone(archives, NEEDED, { "program.mjs": PROGRAM }, async (folder, program) => {
    const present = OPTIONAL.filter((name) => existsSync(join(folder, "node_modules", name)));
    if (present.length > 0) return `expected that npm does not install ${present.join(" and ")}`;
    const { code, output } = await program();
    if (code !== 0) return output;
    assert.deepEqual(JSON.parse(output.trimEnd().split("\n").at(-1)), {
      rows: 2,
      error: {
        code: "ERR_UNAVAILABLE",
        message: "expected the package vega, which draws the plots; install it with npm install vega",
      },
    });
    return null;
  });

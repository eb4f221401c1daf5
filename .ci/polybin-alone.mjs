// Installs polybin with what it depends on and nothing else. Checks the size of the installation, that the import loads nothing
// for tables, and that a table is counted.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { alone } from "./alone.mjs";

const NEEDED = /^(polybin|@polybin\/(analysis|columns|core|native(-.*)?|piscina))$/;
/** Bytes of all files of an installation at most. */
const MAX_BYTES = 15_000_000;

const PROGRAM = `
import { registerHooks } from "node:module";

const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
const { histogram } = await import("polybin");
const early = loaded.filter((url) => /\\/columns\\/|piscina|hyparquet/.test(url));
const { counts, masked } = await histogram("trips.csv", { column: "fare", bins: 3 });
console.log(JSON.stringify({ early, counts: [...counts], masked }));
`;

const FILES = { "program.mjs": PROGRAM, "trips.csv": "city,fare\nRome,2.5\nOslo,\nRome,4\n" };

/** Resolves to null or to what went wrong. @param archives manifests, each with its file */
export const polybinAlone = (archives) =>
  alone(archives, NEEDED, FILES, async (folder, program) => {
    // The machine's own Node, which may be older than the packages', runs this file.
    const modules = join(folder, "node_modules");
    const bytes = readdirSync(modules, { recursive: true }).reduce((sum, name) => {
      const stats = statSync(join(modules, name));
      return stats.isFile() ? sum + stats.size : sum;
    }, 0);
    if (bytes > MAX_BYTES) return `expected at most ${MAX_BYTES} bytes in node_modules but found ${bytes}`;
    // The program ends without a close.
    const { code, output } = await program();
    if (code !== 0) return output;
    const found = JSON.parse(output.trimEnd().split("\n").at(-1));
    assert.deepEqual(found, { early: [], counts: [1, 0, 1], masked: 1 });
    return null;
  });

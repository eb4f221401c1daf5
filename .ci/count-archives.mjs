// `npm run count:archives -- FOLDER`: installs core, the native backend and the addon for this platform from the archives of a
// release, and counts with them. It needs only Node and npm, so it runs on every platform that has an addon.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { archiveOf, fitsHere, publishable, run } from "./workspace.mjs";

const PROGRAM = `
import { openEngine, regular } from "@polybin/core";
import { native } from "@polybin/native";

const samples = Float32Array.from({ length: 1_000_003 }, (_, i) => Math.sin(i) * 2 ** (i % 7));
const bytes = new Uint8Array(samples.buffer);
const axis = regular(1000, -20, 30);
const found = [];
for (const backends of [[native({ threads: 2 })], []]) {
  const engine = await openEngine({ backends });
  const results = [await engine.histogram(bytes), await engine.histogram(samples, { axis })];
  const counter = await engine.prepare({ type: "f32", axis });
  results.push(counter.countSync(samples));
  found.push({ backend: engine.backend, skipped: engine.skipped, counts: results.map(({ counts }) => [...counts]) });
  await engine.close();
}
console.log(JSON.stringify(found));
`;

const [given, ...more] = process.argv.slice(2);
if (given === undefined || more.length > 0) {
  console.error("usage: npm run count:archives -- FOLDER");
  process.exit(2);
}
const archives = resolve(process.env.INIT_CWD ?? ".", given);
const folder = mkdtempSync(join(tmpdir(), "polybin-count-"));
try {
  const wanted = publishable().filter(
    (manifest) => /^@polybin\/(core|native(-.*)?)$/.test(manifest.name) && fitsHere(manifest),
  );
  assert.equal(
    wanted.length,
    3,
    `expected core, native and one addon for this platform: ${wanted.map(({ name }) => name)}`,
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "program.mjs"), PROGRAM);
  const files = wanted.map((manifest) => join(archives, archiveOf(manifest)));
  const installed = await run("npm", ["install", "--no-audit", "--no-fund", ...files], { cwd: folder });
  assert.equal(installed.code, 0, installed.output);
  const { code, output } = await run("node", ["program.mjs"], { cwd: folder });
  assert.equal(code, 0, output);
  const [own, core] = JSON.parse(output.trimEnd().split("\n").at(-1));
  assert.equal(own.backend, "native", JSON.stringify(own.skipped));
  assert.equal(core.backend, "cpu");
  assert.deepEqual(own.counts, core.counts);
  console.log(`${wanted.at(-1).name} counts as core does`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

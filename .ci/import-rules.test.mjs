// Tests each kind of forbidden import, and the allowed ones, in a small workspace.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { checkImports } from "./import-rules.mjs";

const scratch = mkdtempSync(join(tmpdir(), "polybin-imports-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const manifest = (name, more = {}) =>
  JSON.stringify({
    name,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    ...more,
  });
const ROOMS = {
  "packages/core": [["ground"], ["left", "right"], ["top", "multithreaded"], ["not-there-yet"]],
  "apps/cli": [["options"], ["hist", "joint"]],
  benchmarks: [["data"], ["suites", "tables"]],
};

/** A workspace in which nothing is forbidden. */
const ALLOWED = {
  "packages/core/package.json": manifest("@polybin/core"),
  "packages/core/src/index.ts": 'export { top } from "./top/index.ts";',
  "packages/core/src/ground/index.ts": 'export { deep } from "./deep.ts";',
  "packages/core/src/ground/deep.ts": "export const deep = 1;",
  "packages/core/src/left/index.ts": 'export { deep as left } from "../ground/index.ts";',
  "packages/core/src/left/inner/own.ts": 'export type { Own } from "../type.ts";',
  "packages/core/src/left/type.ts": "export type Own = 1;",
  "packages/core/src/right/index.ts": "export const right = 1; export type Right = 1;",
  "packages/core/src/top/index.ts": 'export { left as top } from "../left/index.ts";',
  "packages/core/src/multithreaded/index.ts": 'import "node:os";',
  "packages/core/test/helpers.ts": "export const random = 1;",
  "packages/core/test/inside.test.ts": 'import "../src/ground/deep.ts"; import "node:fs"; import "vitest";',
  "packages/conformance/package.json": manifest("@polybin/conformance"),
  "packages/conformance/src/index.ts": 'import "@polybin/core"; import "fast-check"; import "node:fs";',
  "packages/webgpu/package.json": manifest("@polybin/webgpu"),
  "packages/webgpu/src/index.ts": 'import "@polybin/core"; import "webgpu";',
  "packages/webgpu/test/own.test.ts": 'import "@polybin/conformance"; import "../src/index.ts";',
  "packages/webgpu/test/helper.ts": "export const helper = 1;",
  "packages/cuda/package.json": manifest("@polybin/cuda"),
  "packages/cuda/src/index.ts": "export const cuda = 1;",
  "packages/tests-only/package.json": manifest("@polybin/tests-only", { private: true }),
  "packages/tests-only/src/index.ts": "export const browser = 1;",
  "packages/cuda/test/own.test.ts": 'import "@polybin/tests-only"; import "../../core/test/helpers.ts";',
  "apps/cli/package.json": JSON.stringify({ name: "polybin" }),
  "apps/dashboard/package.json": manifest("@polybin/dashboard"),
  "apps/dashboard/src/index.ts": "export const server = 1;",
  "apps/cli/src/main.ts":
    'import "@polybin/dashboard"; import "@polybin/webgpu"; import "@polybin/cuda"; import "vega";',
  "apps/cli/src/options/index.ts": 'export type { Bins } from "./bins.ts";',
  "apps/cli/src/options/bins.ts": "export type Bins = 1;",
  "apps/cli/src/hist/index.ts":
    'import type { Bins } from "../options/index.ts"; export type Hist = Bins; export const hist = 1;',
  "apps/cli/src/joint/index.ts": 'export const joint = () => import("../options/index.ts");',
  "apps/cli/src/program.ts": 'import "./hist/index.ts"; import "./joint/index.ts";',
  "apps/cli/test/main.test.ts": 'import "../../../packages/webgpu/test/helper.ts";',
  "benchmarks/package.json": manifest("@polybin/benchmarks"),
  "benchmarks/src/index.ts": "export const bench = 1;",
  "benchmarks/src/data/tile.ts": "export type Tile = 1;",
  "benchmarks/src/suites/small.ts": 'export type { Tile as Small } from "../data/tile.ts";',
  "benchmarks/src/tables/calls.ts": "export type Calls = 1;",
};

let made = 0;
/** The violations in that workspace with `files` added, as one text. */
async function problems(files) {
  const base = join(scratch, String(made++));
  for (const [path, text] of Object.entries({ ...ALLOWED, ...files })) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  const { forbidden, circles } = await checkImports(base, ROOMS, ["benchmarks"]);
  return [...forbidden, ...circles.map((circle) => `a circle: ${circle.join(" ")}`)].join("\n");
}

test("what is allowed is allowed", async () => assert.equal(await problems({}), ""));

/** The files that are wrong, and what must be said, with the line. */
const FORBIDDEN = {
  "an upward import": [
    { "packages/core/src/ground/up.ts": '\nimport { top } from "../top/index.ts";' },
    /ground\/up\.ts:2 imports \.\.\/top\/index\.ts: level 1 imports only levels below/,
  ],
  "a sideways import of a type": [
    { "packages/core/src/left/side.ts": 'import type { Right } from "../right/index.ts";' },
    /left\/side\.ts:1 .*level 2 imports only levels below/,
  ],
  "an upward import in a type": [
    { "packages/core/src/ground/up.ts": 'export type T = import("../top/index.ts").T;' },
    /ground\/up\.ts:1 .*level 1/,
  ],
  "an upward export": [
    { "packages/core/src/ground/up.ts": 'export * from "../top/index.ts";' },
    /ground\/up\.ts:1 .*level 1/,
  ],
  "an upward import while it runs": [
    { "packages/core/src/ground/up.ts": 'export const load = () => import("../top/index.ts");' },
    /ground\/up\.ts:1 .*level 1/,
  ],
  "a room past its door": [
    { "packages/core/src/left/deep.ts": 'import { deep } from "../ground/deep.ts";' },
    /left\/deep\.ts:1 imports \.\.\/ground\/deep\.ts: another room is imported through its door/,
  ],
  "an entry in a room": [
    { "packages/core/src/ground/up.ts": 'import { top } from "../index.ts";' },
    /a room imports no entry/,
  ],
  "a room without a level": [
    { "packages/core/src/attic/index.ts": "export const dust = 1;" },
    /src\/attic: no level/,
  ],
  "a circle of types within a room": [
    {
      "packages/core/src/left/a.ts": 'import type { B } from "./b.ts"; export type A = B;',
      "packages/core/src/left/b.ts": 'import type { A } from "./a.ts"; export type B = A;',
    },
    /a circle: .*left\/[ab]\.ts .*left\/[ab]\.ts/,
  ],
  "a circle in an application": [
    { "apps/cli/src/a.ts": 'import "./b.ts";', "apps/cli/src/b.ts": 'export * from "./a.ts";' },
    /a circle: apps\/cli/,
  ],
  "an upward type in an application": [
    { "apps/cli/src/options/up.ts": 'import type { Hist } from "../hist/index.ts";' },
    /options\/up\.ts:1 .*level 1 imports only levels below/,
  ],
  "a command in another one": [
    { "apps/cli/src/joint/more.ts": 'export const load = () => import("../hist/index.ts");' },
    /joint\/more\.ts:1 .*level 2 imports only levels below/,
  ],
  "a command past the door of the options": [
    { "apps/cli/src/hist/more.ts": 'import type { Bins } from "../options/bins.ts";' },
    /hist\/more\.ts:1 .*through its door/,
  ],
  "an upward type in a package without doors": [
    { "benchmarks/src/data/more.ts": 'import type { Small } from "../suites/small.ts";' },
    /data\/more\.ts:1 .*level 1 imports only levels below/,
  ],
  "a room on the same level in a package without doors": [
    { "benchmarks/src/suites/more.ts": 'import type { Calls } from "../tables/calls.ts";' },
    /suites\/more\.ts:1 .*level 2 imports only levels below/,
  ],
  "a library in core": [
    { "packages/core/src/ground/lib.ts": 'import { z } from "zod";' },
    /lib\.ts:1 imports zod: core imports nothing/,
  ],
  "node: in core": [
    { "packages/core/src/ground/lib.ts": 'import type { Stats } from "node:fs";' },
    /lib\.ts:1 imports fs: core imports nothing/,
  ],
  "a library in core's threads": [
    { "packages/core/src/multithreaded/threads.ts": 'import "node:fs";\nimport "zod";' },
    /^packages\/core\/src\/multithreaded\/threads\.ts:2 imports zod: core imports nothing.*$/,
  ],
  "another package in core's tests": [
    { "packages/core/test/other.test.ts": 'import "@polybin/conformance";' },
    /core imports no other package/,
  ],
  "core in analysis, even its types": [
    {
      "packages/analysis/package.json": manifest("@polybin/analysis"),
      "packages/analysis/src/index.ts": 'import type { Histogram } from "@polybin/core";',
    },
    /analysis\/src\/index\.ts:1 imports @polybin\/core: analysis imports nothing/,
  ],
  "a backend in conformance": [
    { "packages/conformance/src/more.ts": 'import "@polybin/webgpu";' },
    /conformance imports only core$/m,
  ],
  "a library in conformance": [
    { "packages/conformance/src/more.ts": 'import "vitest";' },
    /conformance imports only core and fast-check/,
  ],
  "conformance in a backend": [
    { "packages/webgpu/src/more.ts": 'import "@polybin/conformance";' },
    /only in tests/,
  ],
  "a package of the tests' in a backend": [
    { "packages/webgpu/src/more.ts": 'import "@polybin/tests-only";' },
    /only in tests/,
  ],
  "a file that is not there": [
    { "packages/webgpu/src/more.ts": 'import "./generated.ts";' },
    /more\.ts:1 imports \.\/generated\.ts: it is not there/,
  ],
  "another backend": [
    { "packages/webgpu/src/more.ts": 'import type { cuda } from "@polybin/cuda";' },
    /more\.ts:1 .*never imports another one/,
  ],
  "another backend in tests": [
    { "packages/webgpu/test/more.test.ts": 'import "@polybin/cuda";' },
    /never imports another one/,
  ],
  "a package of the tests' in an application": [
    { "apps/cli/src/more.ts": 'import "@polybin/tests-only";' },
    /only in tests/,
  ],
  "another package by a path": [
    { "packages/webgpu/src/more.ts": 'import "../../core/src/index.ts";' },
    /by its name, not by a path/,
  ],
  "another package's tests by a path": [
    { "packages/webgpu/test/more.test.ts": 'import "../../cuda/test/own.test.ts";' },
    /by its name, not by a path/,
  ],
  "a source of a package in an application's tests, by a path": [
    { "apps/cli/test/more.test.ts": 'import "../../../packages/webgpu/src/index.ts";' },
    /by its name, not by a path/,
  ],
  "an application in a package": [
    { "packages/webgpu/src/more.ts": 'import "polybin";' },
    /nobody imports apps or benchmarks/,
  ],
  "benchmarks in an application": [
    { "apps/cli/src/more.ts": 'import "@polybin/benchmarks";' },
    /nobody imports apps or benchmarks/,
  ],
  "a source of an application in another's tests": [
    { "apps/cli/test/more.test.ts": 'import "../../../benchmarks/src/index.ts";' },
    /nobody imports apps or benchmarks/,
  ],
};

for (const [name, [files, says]] of Object.entries(FORBIDDEN)) {
  test(name, async () => assert.match(await problems(files), says));
}

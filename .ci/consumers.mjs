// The archives in the hands of their users: bundled by Vite, webpack and esbuild and run in a browser, in a web worker,
// and run by Node, Deno and Bun.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, total } from "./checks.mjs";
import { freshProject } from "./fresh-project.mjs";
import { LIMITS, loadedBytes, sizeProblem } from "./sizes.mjs";
import { projectNode, root, run } from "./workspace.mjs";

const tools = join(root, "node_modules/.polybin/consumer");
const BUNDLERS = ["vite", "webpack", "esbuild"];
const RUNTIMES = {
  node: () => [projectNode()],
  deno: () => [join(tools, "node_modules/deno/deno"), "run", "--allow-all"],
  bun: () => [join(tools, "node_modules/bun/bin/bun")],
};

/** The result of `use` in consumer/app/uses.mjs on any backend. */
const expected = (algorithm) => ({
  bytes: [0, 1, 2, 1],
  floats: [1, 2, 1],
  named: [algorithm, 0, 1, 2, 0],
  explained: algorithm,
  segments: [0, 1, 1, 0, 0, 0, 1, 0],
  weighed: [0, 0.5, 3, 0],
  table: [1, 6],
  counter: [0, 1, 2, 0],
  stream: [0, 1, 2, 0],
  read: [1, 2],
});

async function install() {
  mkdirSync(tools, { recursive: true });
  cpSync(join(root, ".ci/consumer/package.json"), join(tools, "package.json"));
  const { code, output } = await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd: tools,
  });
  return code === 0 ? null : output;
}

const versionOf = (tool) =>
  JSON.parse(readFileSync(join(tools, "node_modules", tool, "package.json"), "utf8")).version;

const lastLine = (output) => output.trimEnd().split("\n").at(-1);

async function bundle(bundler, project, page) {
  const out = join(project, "bundles", bundler, page);
  const script = join(root, ".ci/consumer/bundle.mjs");
  const { code, output } = await run(projectNode(), [script, bundler, tools, project, page, out], {
    cwd: project,
  });
  return code === 0 ? null : output;
}

/** Opens a bundled page in a browser. Resolves to what it found, or to a text that says what went wrong. */
async function visit(bundler, project, page) {
  const script = join(root, ".ci/consumer/visit.mjs");
  const { code, output } = await run(projectNode(), [script, join(project, "bundles", bundler, page, page)]);
  if (code !== 0) return output;
  const { none, found } = JSON.parse(lastLine(output));
  if (none !== undefined) return `no browser: ${none}`;
  return found[0].problems?.join("\n") ?? found[0];
}

/** A page that uses all it can, in the page, a web worker and on WebGPU. */
async function useAll(bundler, project) {
  const problem = await bundle(bundler, project, "all");
  if (problem) return problem;
  const found = await visit(bundler, project, "all");
  if (typeof found === "string") return found;
  for (const where of ["here", "worker", "webgpu"])
    assert.deepEqual(found[where], expected("per-block"), where);
  return null;
}

/** A page that does no more than its first histogram. Resolves to the bytes that it loads, or to what went wrong. */
async function countFirst(bundler, project, page) {
  const problem = await bundle(bundler, project, page);
  if (problem) return problem;
  const found = await visit(bundler, project, page);
  if (typeof found === "string") return found;
  assert.deepEqual(found.first, [0, 1, 2]);
  return loadedBytes(join(project, "bundles", bundler, page), page, found.loaded);
}

const measured = Object.entries(LIMITS).flatMap(([page, limits]) =>
  Object.keys(limits).map((bundler) => ({ page, bundler })),
);

/** The bytes of each page that has a limit, for a project that is made here. */
export async function measureAll(project) {
  const problem = (await freshProject(project)) ?? (await install());
  if (problem) throw new Error(problem);
  cpSync(join(root, ".ci/consumer/app"), join(project, "app"), { recursive: true });
  const found = [];
  for (const { page, bundler } of measured) {
    const bytes = await countFirst(bundler, project, page);
    if (typeof bytes !== "number") throw new Error(bytes);
    found.push({ page, bundler, bytes });
  }
  return found;
}

async function runIn(runtime, project) {
  const [command, ...args] = RUNTIMES[runtime]();
  const { code, output } = await run(command, [...args, "app/runtime.mjs"], { cwd: project });
  if (code !== 0) return output || `ended with ${code}`;
  const { cpu, multithreaded, native, piscina, grey, analysis, plain, probes } = JSON.parse(lastLine(output));
  assert.deepEqual(cpu, expected("per-block"));
  assert.deepEqual(multithreaded, expected("multithreaded"));
  assert.deepEqual(piscina, expected("per-warp"));
  if (probes.native.available) assert.deepEqual(native, { ...expected("per-lane"), table: null });
  assert.deepEqual(grey, [1, 0, 2]);
  assert.deepEqual(analysis, [7, 255]);
  assert.deepEqual(plain, [1, 2]);
  for (const { available, reason } of Object.values(probes)) assert(available || reason.length > 0);
  return null;
}

/**
 * The checks of all bundlers and runtimes, for a project that has the archives installed. One bundler measures sizes, and
 * at night all do.
 */
export async function consumerChecks(project, { nightly = false } = {}) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    total.skipped.push({
      name: "the archives in bundlers, Deno and Bun",
      reason: "for Linux on x64, whose Deno, Bun and Chromium npm brings",
    });
    return [];
  }
  if (!(await check("Vite, webpack, esbuild, Deno and Bun are installed", install))) return [];
  cpSync(join(root, ".ci/consumer/app"), join(project, "app"), { recursive: true });
  const version = (tool) => `${tool} ${tool === "node" ? "of this checkout" : versionOf(tool)}`;
  return [
    ...BUNDLERS.map((bundler) => [
      `a page, a web worker and WebGPU, bundled by ${version(bundler)}`,
      () => useAll(bundler, project),
    ]),
    ...Object.keys(RUNTIMES).map((runtime) => [
      `all packages in ${version(runtime)}`,
      () => runIn(runtime, project),
    ]),
    ...measured
      .filter(({ bundler }) => nightly || bundler === "esbuild")
      .map(({ page, bundler }) => [
        `size of a first histogram: ${page}, bundled by ${version(bundler)}`,
        async () => {
          const bytes = await countFirst(bundler, project, page);
          return typeof bytes === "number" ? sizeProblem(bundler, page, bytes) : bytes;
        },
      ]),
  ];
}

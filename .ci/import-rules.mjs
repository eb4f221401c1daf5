// Which package may import which. Reads every TypeScript file's imports, type-only ones included.
//
// core imports nothing (node: only for its worker_threads reference); conformance and pictures import core; a backend imports core,
// and conformance only in its tests, never another backend; apps and benchmarks import all, and their tests the tests'
// helpers of others; nobody imports them, but the command the dashboard, which it starts. Tests and benchmarks import the
// test bed.
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { readManifest, root, workspacePackages } from "./workspace.mjs";

const packages = new Map(workspacePackages().map((folder) => [readManifest(folder).name, folder]));

const owner = (path) => [...packages.values()].find((folder) => path.startsWith(`${folder}/`));
const isTest = (path) => /(^|\/)test\/|\.test\.ts$/.test(path);
const isHelper = (file, specifier) =>
  specifier.startsWith(".") && isTest(relative(root, resolve(root, dirname(file), specifier)));
const isApplication = (folder) => folder.startsWith("apps/") || folder === "benchmarks";

/** The workspace folder that a specifier leads to, or undefined where it leads outside the workspace. */
function targetFolder(file, specifier) {
  if (specifier.startsWith(".")) {
    const path = relative(root, resolve(root, dirname(file), specifier))
      .split(sep)
      .join("/");
    return owner(path) ?? `outside every package (${path})`;
  }
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return packages.get(name);
}

/** Says what is wrong with an import, or null. `file` is relative to the root. */
export function violation(file, specifier) {
  const from = owner(file);
  const to = targetFolder(file, specifier);
  if (to === from) return null;
  // What only tests need, such as a browser with WebGPU, is in no package's archive and so has no name. Core's helpers
  // are there for the tests of all.
  const isForTests = isTest(file) && isHelper(file, specifier);
  if (isForTests && (isApplication(from) || to === "packages/core")) return null;
  if (to === "packages/testbed") {
    const isForTests = isTest(file) || file.endsWith("vitest.config.ts") || from === "benchmarks";
    return isForTests ? null : "the test bed is for tests and benchmarks";
  }
  if (from === "apps/cli" && to === "apps/dashboard" && !specifier.startsWith(".")) return null;
  if (to && isApplication(to)) return "nobody imports apps or benchmarks, but the command the dashboard";
  if (to && specifier.startsWith(".")) return "another package is imported by its name, not by a path";
  if (isApplication(from)) return null;
  if (from === "packages/core") {
    if (isTest(file)) return to ? "core imports no other package of the workspace" : null;
    const mayUseNode = /^packages\/core\/src\/multithreaded([^/]*\.ts$|\/)/.test(file);
    if (mayUseNode && specifier.startsWith("node:")) return null;
    return "core imports nothing (node: only in src/multithreaded)";
  }
  if (from === "packages/conformance") {
    if (to) return to === "packages/core" ? null : "conformance imports only core";
    if (isTest(file) || specifier === "fast-check") return null;
    if (isBuiltin(specifier) && specifier.startsWith("node:")) return null;
    return "conformance imports only core and fast-check";
  }
  if (!to || to === "packages/core") return null;
  if (to === "packages/conformance")
    return isTest(file) ? null : "a backend imports conformance only in its tests";
  return "a backend never imports another backend";
}

/** Every module specifier that a file names, with its line. */
function* specifiers(file) {
  const source = readFileSync(join(root, file), "utf8");
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const line = (offset) => source.slice(0, offset).split("\n").length;
  for (const item of module.staticImports) yield [item.moduleRequest.value, line(item.start)];
  for (const { entries } of module.staticExports) {
    for (const entry of entries) {
      if (entry.moduleRequest) yield [entry.moduleRequest.value, line(entry.start)];
    }
  }
  for (const item of module.dynamicImports) {
    const text = source.slice(item.moduleRequest.start, item.moduleRequest.end);
    const literal = /^(["'`])([^"'`$]*)\1$/.exec(text);
    if (literal) yield [literal[2], line(item.start)];
  }
  for (const match of source.matchAll(/\bimport\(\s*(["'])([^"']+)\1\s*\)\s*[.[]/g)) {
    yield [match[2], line(match.index)];
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  // AssemblyScript (*.as.ts) is another language: its modules can only import one another.
  const files = [...packages.values()].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,mts}`, {
      cwd: root,
      exclude: (entry) =>
        /(^|\/)(node_modules|dist)$/.test(typeof entry === "string" ? entry : entry.name) ||
        /\.as\.ts$/.test(typeof entry === "string" ? entry : entry.name),
    }),
  );
  const found = new Set();
  for (const path of files.map((name) => name.split(sep).join("/")).sort()) {
    for (const [specifier, line] of specifiers(path)) {
      const why = violation(path, specifier);
      if (why) found.add(`${path}:${line} imports ${specifier}: ${why}`);
    }
  }
  for (const message of found) console.error(message);
  console.log(`import rules: ${files.length} files, ${found.size} forbidden imports`);
  if (found.size > 0) process.exitCode = 1;
}

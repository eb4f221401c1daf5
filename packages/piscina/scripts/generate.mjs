// Writes the files that are generated from the folders of src/kernels and from core's numbers, before anything is
// compiled:
//
//   kernels/generated/registry.ts   the kernels: one folder per algorithm, `kernel` in its index.ts
//   kernels/generated/module.as.ts  the WebAssembly module of all kernels: each folder's kernel.as.ts, if it has one
//   kernels/generated/where.as.ts   the module of those that count samples in place: each folder's fused.as.ts
//   kernels/generated/limits.as.ts  core's constants and the pool's in AssemblyScript
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { limits } from "@polybin/core/backend";
import * as own from "../src/platform/limits.ts";

const folder = new URL("../src/kernels/", import.meta.url);

mkdirSync(new URL("generated/", folder), { recursive: true });

/** Writes a file if its content changes. An unchanged file keeps its time, so that nothing is rebuilt because of it. */
function write(name, lines) {
  const file = new URL(`generated/${name}`, folder);
  const text = `// Made by scripts/generate.mjs: change what it is made from, and build.\n${lines.join("\n")}\n`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

const slugs = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, folder)))
  .map((entry) => entry.name)
  .sort();
/** Returns a valid TypeScript name for every slug. */
const nameOf = (slug) => `kernel_${slug.replaceAll("-", "_")}`;

write("registry.ts", [
  'import type { AnyKernel } from "../lib/any-kernel.ts";',
  ...slugs.map((slug) => `import { kernel as ${nameOf(slug)} } from "../${slug}/index.ts";`),
  "",
  "/** The kernel of each folder. */",
  `export const registry: readonly AnyKernel[] = [${slugs.map(nameOf).join(", ")}];`,
]);

const modules = slugs
  .map((slug) => ({ slug, file: new URL(`${slug}/kernel.as.ts`, folder) }))
  .filter(({ file }) => existsSync(file))
  .map(({ slug, file }) => ({
    slug,
    reset: /export function (reset_\w+)/.exec(readFileSync(file, "utf8"))?.[1],
  }));
const resets = modules.filter(({ reset }) => reset !== undefined);
write("module.as.ts", [
  ...resets.map(({ slug, reset }) => `import { ${reset} } from "../${slug}/kernel.as";`),
  'import { clear } from "../lib/memory.as";',
  "",
  'export { CHUNK, CODES, COUNTS, FLOW, LOWERING, STARTS, SUMS, take_counts } from "../lib/memory.as";',
  'export * from "../lib/lower.as";',
  'export * from "../lib/weighted.as";',
  'export * from "../lib/weighted-values.as";',
  ...modules.map(({ slug }) => `export * from "../${slug}/kernel.as";`),
  "",
  "/** Clears this number of cells of COUNTS, and the leftovers of an unfinished job in the tables. */",
  "export function reset(cells: u32): void {",
  "  clear(cells);",
  ...resets.map(({ reset }) => `  ${reset}();`),
  "}",
]);

const fused = slugs.filter((slug) => existsSync(new URL(`${slug}/fused.as.ts`, folder)));
write("where.as.ts", [
  'export * from "../lib/where.as";',
  ...fused.map((slug) => `export * from "../${slug}/fused.as";`),
]);

/** Whether AssemblyScript's u32 can hold a value. */
const isWord = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;
write(
  "limits.as.ts",
  Object.entries({ ...limits, ...own })
    .filter(([, value]) => isWord(value))
    .map(([name, value]) => `export const ${name}: u32 = ${value};`),
);

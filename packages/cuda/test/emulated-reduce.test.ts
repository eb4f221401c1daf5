import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { countKernels } from "../src/kernels/index.ts";

// The real kernels whose blocks add up by partial tables, compiled for the host together with the merge kernel. The
// test checks their counts, their memory accesses and their global atomics without a GPU.

const folder = mkdtempSync(join(tmpdir(), "reduce-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const MERGED = countKernels.filter((kernel) => kernel.reads === "codes" && kernel.partials);

function hasCompiler(): boolean {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

it("partial tables and global atomics give the counts of a loop, without a look at the data", {
  timeout: 240_000,
}, ({ skip }) => {
  if (!hasCompiler()) return skip("the kernels are not emulated here: that needs g++");
  const program = join(folder, "reduce");
  execFileSync("g++", [
    // A checked longjmp would refuse to switch to another stack.
    ...["-std=c++17", "-O1", "-U_FORTIFY_SOURCE", "-w", "-x", "c++"],
    ...["-I", pathOf("test/emulated"), "-I", pathOf("native"), pathOf("native/kernels/merge.cu")],
    ...MERGED.map(({ algorithm: { slug } }) => pathOf(`src/kernels/${slug}/kernel.cu`)),
    ...[pathOf("test/emulated/reduce.cc"), "-o", program],
  ]);
  // The program prints each error and then fails.
  expect(execFileSync(program, { encoding: "utf8", timeout: 120_000, stdio: "pipe" })).toBe("");
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

// The kernel of `fused`, compiled for the host. The test checks its counts without a GPU, over data whose samples often or
// always meet, while other threads run between an atomic and what follows it.

const folder = mkdtempSync(join(tmpdir(), "columns-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

function hasCompiler(): boolean {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

it("columns over packed and plain counters give the counts of a loop", { timeout: 240_000 }, ({ skip }) => {
  if (!hasCompiler()) return skip("the kernel is not emulated here: that needs g++");
  const program = join(folder, "columns");
  execFileSync("g++", [
    // A checked longjmp would refuse to switch to another stack.
    ...["-std=c++17", "-O1", "-U_FORTIFY_SOURCE", "-w", "-x", "c++"],
    ...["-I", pathOf("test/emulated"), "-I", pathOf("native")],
    ...[pathOf("src/kernels/fused/kernel.cu"), pathOf("test/emulated/columns.cc"), "-o", program],
  ]);
  // The program prints the first difference and then fails.
  expect(execFileSync(program, { encoding: "utf8", timeout: 120_000, stdio: "pipe" })).toBe("");
});

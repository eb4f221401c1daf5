import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

// The real kernels of segments, compiled for the host. The test checks their counts and their memory accesses without a
// GPU. An unaligned load, which a device would refuse, ends the program.

const folder = mkdtempSync(join(tmpdir(), "segments-"));
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

it("segments of every cut and layout are counted as a loop counts them", { timeout: 240_000 }, ({ skip }) => {
  if (!hasCompiler()) return skip("the kernels of segments are not emulated here: that needs g++");
  const program = join(folder, "segments");
  execFileSync("g++", [
    ...["-std=c++17", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-x", "c++"],
    ...["-I", pathOf("test/emulated"), "-I", pathOf("native")],
    ...[pathOf("src/kernels/per-segment/kernel.cu"), pathOf("test/emulated/segments.cc"), "-o", program],
  ]);
  // The program prints each error and then fails.
  expect(execFileSync(program, { encoding: "utf8", timeout: 120_000, stdio: "pipe" })).toBe("");
});

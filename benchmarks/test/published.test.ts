import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

// The programs of peers/published compare their kernels with exact counts on a GPU. Here the same kernels are compiled for
// the host, by the emulated CUDA of packages/cuda, so that their counts are compared without one, too.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "published-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

async function hasCompiler(): Promise<boolean> {
  return run("g++", ["--version"]).then(
    () => true,
    () => false,
  );
}

it.concurrent.for(["bytes", "sums"])(
  "the papers' kernels are exact: %s",
  { timeout: 120_000 },
  async (name, { skip }) => {
    if (!(await hasCompiler())) return skip("the kernels are not emulated here: that needs g++");
    const program = join(folder, name);
    await run("g++", [
      // A checked longjmp would refuse to switch to another stack.
      ...["-std=c++17", "-O1", "-U_FORTIFY_SOURCE", "-w"],
      ...["-I", pathOf("../packages/cuda/test/emulated"), "-I", pathOf("peers")],
      ...[pathOf(`test/published/${name}.cc`), "-o", program],
    ]);
    // The program prints the differences and then fails.
    expect((await run(program)).stdout).toBe("");
  },
);

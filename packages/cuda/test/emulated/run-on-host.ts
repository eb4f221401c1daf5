import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, type TestContext } from "vitest";

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Flags of a program whose blocks wait for one another. A checked longjmp would refuse to switch to another stack. */
export const SWITCHING: readonly string[] = ["-O1", "-U_FORTIFY_SOURCE", "-w"];

/**
 * Compiles kernels for the host together with a program of this folder, and runs it. The program prints each error and
 * then fails. The test is skipped if there is no compiler.
 * @param kernels files with kernels, in the package's folder
 * @returns what the program prints
 */
export function runOnHost(
  { skip }: TestContext,
  program: string,
  kernels: readonly string[],
  flags: readonly string[],
): string {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
  } catch {
    return skip(`${program} is not emulated here: that needs g++`);
  }
  const folder = mkdtempSync(join(tmpdir(), `${program}-`));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = join(folder, program);
  execFileSync("g++", [
    ...[
      "-std=c++17",
      ...flags,
      "-x",
      "c++",
      "-I",
      pathOf("test/emulated"),
      "-I",
      pathOf("native"),
      "-I",
      pathOf("../addon/native"),
    ],
    ...[...kernels, `test/emulated/${program}.cc`].map(pathOf),
    ...["-o", made],
  ]);
  return execFileSync(made, { encoding: "utf8", timeout: 120_000, stdio: "pipe" });
}

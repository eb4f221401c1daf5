import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { EMULATED } from "./context.ts";

const native = fileURLToPath(new URL("../../native/", import.meta.url));
const kernels = fileURLToPath(new URL("../../src/kernels/", import.meta.url));
const emulated = fileURLToPath(new URL("./", import.meta.url));

/** scripts/sanitize.mjs has the program built elsewhere, with the sanitizers. */
const { POLYBIN_SANITIZED, POLYBIN_SANITIZERS } = process.env;
const folder = POLYBIN_SANITIZED ?? fileURLToPath(new URL("../../build", import.meta.url));
const flags = POLYBIN_SANITIZERS ? ["-O1", "-g1", ...POLYBIN_SANITIZERS.split(" ")] : ["-O2"];

/**
 * Compiles the real kernels for the host together with main.cc. Returns the program's path, or the reason why there is
 * none.
 */
export function emulatedProgram(): { readonly program: string } | { readonly reason: string } {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
  } catch {
    return { reason: "the weighted kernels are not emulated here: that needs g++" };
  }
  const program = `${folder}/emulated`;
  const sources = [native, kernels, emulated].flatMap((from) =>
    readdirSync(from, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(cuh?|h|cc|inc)$/.test(name))
      .map((name) => `${from}${name}`),
  );
  const made = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.some((file) => statSync(file).mtimeMs >= made)) {
    mkdirSync(folder, { recursive: true });
    execFileSync("g++", [
      // A checked longjmp would refuse to switch to another stack.
      ...["-std=c++17", ...flags, "-U_FORTIFY_SOURCE", "-x", "c++", "-I", emulated, "-I", native],
      ...EMULATED.map(({ algorithm }) => `${kernels}${algorithm.slug}/kernel.cu`),
      ...[`${emulated}main.cc`, "-o", program],
    ]);
  }
  return { program };
}

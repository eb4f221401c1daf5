import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describeBackend } from "@polybin/conformance";
import type { Backend, DeviceLimits } from "@polybin/core";
import { afterAll, describe, it } from "vitest";
import { CudaDevice } from "../src/device.ts";
import { EMULATED, EmulatedContext } from "./emulated/context.ts";

// The weighted kernels as they are, compiled for the host: what they add up, and where they read and write, is tested
// without a GPU. The conformance topic does the rest.

const native = fileURLToPath(new URL("../native/", import.meta.url));
const emulated = fileURLToPath(new URL("emulated/", import.meta.url));
const folder = fileURLToPath(new URL("../build/", import.meta.url));
const program = `${folder}emulated`;

/** Compiles what is newer than the program. @returns why there is none, or null */
function compile(): string | null {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
  } catch {
    return "the weighted kernels are not emulated here: that needs g++";
  }
  const sources = [native, emulated].flatMap((from) =>
    readdirSync(from, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(cuh?|h|cc)$/.test(name))
      .map((name) => `${from}${name}`),
  );
  const made = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.every((file) => statSync(file).mtimeMs < made)) return null;
  mkdirSync(folder, { recursive: true });
  const kernels = EMULATED.map((slug) => `${native}kernels/${slug}.cu`);
  execFileSync("g++", [
    ...["-std=c++17", "-O2", "-x", "c++", "-I", emulated, "-I", native],
    ...kernels,
    ...[`${emulated}main.cc`, "-o", program],
  ]);
  return null;
}

/** Few units and little memory, so that segments are few and passes several. */
const limits: DeviceLimits = {
  kind: "gpu",
  units: 2,
  warp: 32,
  banks: 32,
  sharedBytes: 49_152,
  blockThreads: 1024,
  chunkSamples: 2 ** 32 - 1,
};

const reason = compile();
const backend = (): Backend => ({
  id: "emulated",
  algorithms: ["per-lane"],
  weighted: [...EMULATED, "weighted-hybrid"],
  probe: async () =>
    reason === null ? { available: true, device: "the host" } : { available: false, reason },
  open: async () => new CudaDevice("the host", limits, [new EmulatedContext(program)]),
});

describeBackend(
  backend,
  { describe, it, afterAll },
  {
    filter: ({ topic, name }) => topic === "weighted" && EMULATED.some((slug) => name.includes(`${slug}: `)),
  },
);

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus, release, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clocks, Machine } from "./row.ts";

/** Describes this machine without its GPU, which only the code that opened it knows. */
export function machine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    gpu: null,
    driver: null,
    node: process.version,
    os: `${type()} ${release()}`,
  };
}

/** Names the folder of a machine's results. */
export function slugOf({ cpu, cores, gpu }: Machine): string {
  return `${gpu ?? `${cpu}-${cores}`}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** Milliseconds in which the driver must answer. */
const DRIVER_MS = 30_000;

/** Asks the first NVIDIA GPU for its properties; null without one. */
function nvidia(query: string): string | null {
  try {
    const args = [`--query-gpu=${query}`, "--format=csv,noheader,nounits"];
    return execFileSync("nvidia-smi", args, { encoding: "utf8", stdio: "pipe", timeout: DRIVER_MS })
      .split("\n")[0]!
      .trim();
  } catch {
    return null;
  }
}

/** Returns the NVIDIA driver's version. */
export function driver(): string {
  return nvidia("driver_version") ?? "unknown";
}

/** Returns the clocks of the first NVIDIA GPU in MHz; null without one. */
export function clocks(): Clocks | null {
  const [sm, memory] = nvidia("clocks.sm,clocks.mem")?.split(",").map(Number) ?? [];
  return Number.isFinite(sm) && Number.isFinite(memory) ? { sm: sm!, memory: memory! } : null;
}

/** Returns the commit, the date and the driver. */
export function provenance(): { readonly commit: string; readonly date: string; readonly driver: string } {
  return { commit: commitOf(), date: new Date().toISOString(), driver: driver() };
}

/** The folder of committed results. */
export const RESULTS: string = fileURLToPath(new URL("../../results/", import.meta.url));

/** Whether the folder of results exists. It does not in the archive for GPU machines. */
export function hasResults(): boolean {
  return existsSync(RESULTS);
}

/** Returns the path of this machine's committed result file of a name. */
export function machineFile(name: string, gpu: string | null = null): string {
  return join(RESULTS, slugOf({ ...machine(), gpu }), `${name}.json`);
}

/** All files except the results, which a run writes itself. */
const SOURCES = ["--", ":/", ":(top,exclude)benchmarks/results"];

/** Returns the commit that is measured, with `-dirty` if files differ from it. An archive names the commit that it was made from. */
export function commitOf(): string {
  const { POLYBIN_COMMIT } = process.env;
  if (POLYBIN_COMMIT !== undefined) return POLYBIN_COMMIT;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return (
      git("rev-parse", "HEAD") + (git("status", "--porcelain", "-uno", ...SOURCES) === "" ? "" : "-dirty")
    );
  } catch {
    return "unknown";
  }
}

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus, release, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Machine } from "./row.ts";

/** The machine at hand, but for its GPU, which only those who opened it know. */
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

/** The folder of a machine's results. */
export function slugOf({ cpu, cores, gpu }: Machine): string {
  return `${gpu ?? `${cpu}-${cores}`}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** Milliseconds that a driver has to answer. */
const DRIVER_MS = 30_000;

/** The NVIDIA driver's version. */
export function driver(): string {
  try {
    const query = ["--query-gpu=driver_version", "--format=csv,noheader"];
    return execFileSync("nvidia-smi", query, { encoding: "utf8", stdio: "pipe", timeout: DRIVER_MS })
      .split("\n")[0]!
      .trim();
  } catch {
    return "unknown";
  }
}

/** What ran, when, and on what driver. */
export function provenance(): { readonly commit: string; readonly date: string; readonly driver: string } {
  return { commit: commitOf(), date: new Date().toISOString(), driver: driver() };
}

/** Where results are committed. */
export const RESULTS: string = fileURLToPath(new URL("../../results/", import.meta.url));

/** Are committed results here? Not where the program is part of an archive. */
export function hasResults(): boolean {
  return existsSync(RESULTS);
}

/** The machine's own result file of this name, which is committed. */
export function machineFile(name: string, gpu: string | null = null): string {
  return join(RESULTS, slugOf({ ...machine(), gpu }), `${name}.json`);
}

/** All but what a run writes itself. */
const SOURCES = ["--", ":/", ":(top,exclude)benchmarks/results"];

/** What is measured: the checkout's commit, and whether files differ from it; of an archive the one it was made of. */
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

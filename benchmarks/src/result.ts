import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, release, type } from "node:os";

/** One measured cell. `ms` holds every run, warm, in order. */
export interface Row {
  readonly backend: string | null;
  readonly algorithm: string | null;
  /** Name of somebody else's program, null for our own. */
  readonly peer: string | null;
  readonly type: string;
  readonly bins: number;
  readonly n: number;
  readonly distribution: string;
  readonly residence: "resident" | "upload" | "file";
  /** Threads at work. */
  readonly threads: number;
  readonly ms: readonly number[];
  /** From the median. */
  readonly gbps: number;
  readonly ceilingPercent: number | null;
  /** Compared with the oracle before it was measured. */
  readonly exact: boolean;
}

/** A result file of design section 9's schema. */
export interface Results {
  readonly schema: 1;
  readonly commit: string;
  readonly date: string;
  readonly machine: Machine;
  readonly rows: readonly Row[];
  /** Peers and cells that are missing, and why. */
  readonly missing: readonly string[];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly gpu: string | null;
  readonly driver: string | null;
  readonly node: string;
  readonly os: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Bytes in milliseconds as 10^9 bytes a second, from the median. */
export function throughput(bytes: number, ms: readonly number[]): number {
  return bytes / median(ms) / 1e6;
}

function machine(): Machine {
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

/** Rows as a result file. `commit` and what a GPU is are told by who knows them. */
export function resultsOf(
  rows: readonly Row[],
  missing: readonly string[],
  commit: string,
  gpu: { readonly gpu: string; readonly driver: string } | null = null,
): Results {
  const of = { ...machine(), ...gpu };
  return { schema: 1, commit, date: new Date().toISOString(), machine: of, rows, missing };
}

/** Writes results/<machine>/<name>.json and returns its path. */
export function writeResults(name: string, rows: readonly Row[], missing: readonly string[]): string {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const results = resultsOf(rows, missing, commit);
  const folder = new URL(`../results/${slugOf(results.machine)}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.json`, folder);
  writeFileSync(file, `${JSON.stringify(results)}\n`);
  return file.pathname;
}

function slugOf({ cpu, cores, gpu }: Machine): string {
  return `${gpu ?? `${cpu}-${cores}`}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

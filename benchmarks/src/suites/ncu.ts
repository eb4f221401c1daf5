import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Report } from "../runner/report.ts";

/** The profiler's name on the path. */
const NCU = "ncu";

/** Metrics of every launch. */
export const LAUNCH = {
  time: "gpu__time_duration.sum",
  registers: "launch__registers_per_thread",
  sharedStatic: "launch__shared_mem_per_block_static",
  sharedDynamic: "launch__shared_mem_per_block_dynamic",
  blockThreads: "launch__block_size",
  blocks: "launch__grid_size",
  occupancy: "sm__warps_active.avg.pct_of_peak_sustained_active",
  occupancyMost: "sm__maximum_warps_per_active_cycle_pct",
  conflicts: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
  wavefronts: "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
} as const;

/** Runs programs under ncu and reads its counters. A metric that this ncu or this device lacks is reported once. */
export class Profiler {
  readonly #report: Report;
  readonly #what: string;
  #metrics: readonly string[];

  private constructor(report: Report, what: string, metrics: readonly string[]) {
    this.#report = report;
    this.#what = what;
    this.#metrics = metrics;
  }

  /** Finds ncu and its metrics for this device. Returns null without ncu, and reports why. @param what the name in messages */
  static async open(report: Report, what: string, metrics: readonly string[]): Promise<Profiler | null> {
    const { code, text } = await ncu(["--query-metrics"]);
    const known = new Set(text.match(/^[a-z0-9]+__\w+/gm));
    if (known.size === 0) {
      const why = errorIn(text) ?? `ncu --query-metrics ended with ${code} and named no metric`;
      report.miss(`${what}: ${why}`);
      return null;
    }
    const profiler = new Profiler(report, what, metrics);
    for (const name of metrics) {
      if (!isComputed(name) && !known.has(name.split(".")[0]!)) profiler.#drop(name);
    }
    return profiler;
  }

  /** Runs a program and returns its launches; null if ncu failed, which is reported. @param kernels a regular expression */
  async launches(what: string, program: readonly string[], kernels?: string): Promise<Launch[] | null> {
    let { code, text } = await this.#run(program, kernels);
    // ncu refuses to start with an unknown metric.
    for (let name = this.#refused(text); name !== undefined; name = this.#refused(text)) {
      this.#drop(name);
      ({ code, text } = await this.#run(program, kernels));
    }
    const launches = parseNcu(text);
    if (code === 0 && launches.length > 0) return launches;
    this.#report.miss(
      `${this.#what}, ${what}: ${errorIn(text) ?? `ncu ended with ${code} and reported no launch`}`,
    );
    return null;
  }

  /** Runs this program's command `probe` under ncu. */
  probe(what: string, args: readonly string[]): Promise<Launch[] | null> {
    return this.launches(what, [process.execPath, process.argv[1]!, "probe", ...args]);
  }

  #run(program: readonly string[], kernels: string | undefined): ReturnType<typeof ncu> {
    return ncu([
      ...["--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"],
      ...["--metrics", this.#metrics.join(",")],
      ...(kernels === undefined ? [] : ["--kernel-name", `regex:${kernels}`]),
      ...program,
    ]);
  }

  #drop(name: string): void {
    this.#metrics = this.#metrics.filter((other) => other !== name);
    this.#report.miss(`${this.#what}, ${name}: this ncu has no such metric for this device`);
  }

  /** Returns the metric that ncu rejected. */
  #refused(text: string): string | undefined {
    const error = errorIn(text);
    return error?.includes("metric") ? this.#metrics.find((name) => error.includes(name)) : undefined;
  }
}

/** Whether a metric describes a launch. Such metrics are not in ncu's list of counters. */
function isComputed(metric: string): boolean {
  return metric.startsWith("launch__") || metric === "sm__maximum_warps_per_active_cycle_pct";
}

function errorIn(text: string): string | undefined {
  return text.split("\n").find((line) => line.includes("==ERROR==") || line.startsWith("error["));
}

/** Runs ncu and returns both its streams as one text. */
async function ncu(args: readonly string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(NCU, args, { stdio: ["ignore", "pipe", "pipe"] });
  const failed = once(child, "error").then(([error]) => ({ code: null, text: `==ERROR== ${error.message}` }));
  const lines: string[] = [];
  const read = async (from: NodeJS.ReadableStream) => {
    for await (const line of createInterface({ input: from })) lines.push(line);
  };
  const ended = Promise.all([once(child, "close"), read(child.stdout), read(child.stderr)]);
  return Promise.race([failed, ended.then(([[code]]) => ({ code: code as number, text: lines.join("\n") }))]);
}

/** One launch of a kernel, as reported by ncu. */
export interface Launch {
  readonly kernel: string;
  /** Metrics in base units. Metrics that ncu could not measure are absent. */
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Reads the output of `ncu --csv --page raw --print-units base`: its own lines and the program's, then a line of names, a
 * line of units and a line for each launch.
 */
export function parseNcu(text: string): Launch[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith('"ID"'));
  if (start < 0) return [];
  const names = cellsOf(lines[start]!);
  const kernel = names.indexOf("Kernel Name");
  // The first columns describe the launch. Only metrics have two underscores.
  const metrics = names.flatMap((name, at) => (name.includes("__") ? [{ name, at }] : []));
  return lines
    .slice(start + 1)
    .filter((line) => /^"\d/.test(line))
    .map((line) => {
      const cells = cellsOf(line);
      const found = metrics.flatMap(({ name, at }): [string, number][] => {
        const text = (cells[at] ?? "").replaceAll(",", "");
        const value = Number(text);
        return text === "" || Number.isNaN(value) ? [] : [[name, value]];
      });
      return { kernel: cells[kernel] ?? "", metrics: Object.fromEntries(found) };
    });
}

/** Splits a line of CSV into cells. A quote within a quoted cell is doubled. */
function cellsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g), ([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  );
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { difference, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";
import { parseNcu } from "./ncu-csv.ts";
import { METRICS, type Terms, termsOf } from "./table1-terms.ts";

/** The paper's n of Table 1. */
const BYTES = 2 ** 26;
/** The profiler's name on the path. */
const NCU = "ncu";
const SHAPES = { type: "u8", top: 256, channels: 1 } as const;
const ON: readonly Distribution[] = ["uniform", "picture"];
const CELLS: readonly Cell[] = [
  { algorithm: "trish", k: 31 },
  { algorithm: "per-warp", collisions: "atomic" },
  { algorithm: "per-warp", collisions: "tag" },
  { algorithm: "per-thread" },
  { algorithm: "per-lane" },
];

/** Measures Brown & Snoeyink's Table 1: ncu's counters of the longest kernel of each histogram. */
export async function table1(bench: Bench): Promise<void> {
  const known = await knownMetrics();
  if (typeof known === "string") {
    bench.report.miss(`Table 1: ${known}`);
    return;
  }
  let metrics: string[] = Object.values(METRICS);
  const drop = (name: string) => {
    metrics = metrics.filter((other) => other !== name);
    bench.report.miss(`Table 1, ${name}: this ncu has no such metric for this device`);
  };
  for (const name of metrics) if (!isComputed(name) && !known.has(name.split(".")[0]!)) drop(name);
  const table: unknown[] = [];
  for (const distribution of ON) {
    for (const cell of CELLS) {
      const what = `${JSON.stringify(cell)} on ${distribution}`;
      if (!bench.hasTime(what)) continue;
      let { code, text } = await watched(metrics, cell, distribution);
      // ncu refuses to start with an unknown metric.
      for (let name = refused(text, metrics); name !== undefined; name = refused(text, metrics)) {
        drop(name);
        ({ code, text } = await watched(metrics, cell, distribution));
      }
      const launches = parseNcu(text).map((launch) => ({
        kernel: launch.kernel,
        terms: termsOf(launch, BYTES),
      }));
      if (code !== 0 || launches.length === 0) {
        bench.report.miss(
          `Table 1, ${what}: ${errorIn(text) ?? `ncu ended with ${code} and reported no launch`}`,
        );
        continue;
      }
      const time = ({ terms }: (typeof launches)[number]) => terms["Time (ns)"]!.value ?? 0;
      const [longest, ...others] = launches.toSorted((a, b) => time(b) - time(a));
      table.push({ ...cell, distribution, n: BYTES, ...longest, others });
      bench.report.note("Table 1", table, { backend: bench.engine.backend, algorithm: cell.algorithm });
      console.log(`${what}: ${longest!.kernel.slice(0, 60)}\n  ${inWords(longest!.terms)}`);
    }
  }
}

function inWords(terms: Terms): string {
  return Object.entries(terms)
    .map(([term, { value }]) => `${term} ${value === null ? "-" : Number(value.toPrecision(5))}`)
    .join("; ");
}

/** Whether a metric describes a launch. Such metrics are not in ncu's list of counters. */
function isComputed(metric: string): boolean {
  return metric.startsWith("launch__") || metric === METRICS.occupancyMost;
}

/** Returns the metric that ncu rejected. */
function refused(text: string, metrics: readonly string[]): string | undefined {
  const error = errorIn(text);
  return error?.includes("metric") ? metrics.find((name) => error.includes(name)) : undefined;
}

/** Runs this program again under ncu, for one cell. */
function watched(metrics: readonly string[], cell: Cell, distribution: string): ReturnType<typeof ncu> {
  return ncu([
    ...["--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"],
    ...["--metrics", metrics.join(",")],
    ...[process.execPath, process.argv[1]!, "probe", "--distribution", distribution],
    ...["--cell", JSON.stringify(cell)],
  ]);
}

/** Counts one histogram on resident data under ncu, and compares it with the exact counts. */
export async function probe(bench: Bench, cell: Cell, distribution: string): Promise<void> {
  const of = DISTRIBUTIONS.find((name) => name === distribution);
  if (of === undefined) throw new Error(`expected a distribution but received ${distribution}`);
  await using data = await bench.load(Tile.of(SHAPES, of), BYTES);
  const wrong = difference(await data.truth(cell), await bench.engine.histograms(data.resident, cell));
  if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
}

/** Returns the base names of this ncu's metrics for this device, or why it does not list them. */
async function knownMetrics(): Promise<ReadonlySet<string> | string> {
  const { code, text } = await ncu(["--query-metrics"]);
  const names = new Set(text.match(/^[a-z0-9]+__\w+/gm));
  return names.size > 0
    ? names
    : (errorIn(text) ?? `ncu --query-metrics ended with ${code} and named no metric`);
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

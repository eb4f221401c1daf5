import { integer } from "@polybin/core";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { BYTES as BYTE_SHAPE, difference, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";
import { Profiler } from "./ncu.ts";
import { PER_LANE, PER_WARP, sweep } from "./sweeps.ts";
import { METRICS, type Terms, termsOf } from "./table1-terms.ts";

/** The paper's n of Table 1. */
export const BYTES: number = 2 ** 26;

/** A histogram of 64 MiB on the device, and its data. */
type Probed = Cell & { readonly distribution: Distribution };

function on(distributions: readonly Distribution[], cells: readonly Cell[]): Probed[] {
  return distributions.flatMap((distribution) => cells.map((cell) => ({ ...cell, distribution })));
}

/** Measures Brown & Snoeyink's Table 1: ncu's counters of the kernels of each histogram. */
export async function table1(bench: Bench): Promise<void> {
  // The most important data first, because a short budget ends the list.
  const cells = [{ algorithm: "trish", k: 31 }, ...PER_WARP, { algorithm: "per-thread" }, PER_LANE];
  await countUnderNcu(bench, "Table 1", on(["uniform", "zeros", "ramp", "picture"], cells));
}

/** Measures the arrangements that Hardavellas' slides go through, side by side, with ncu's counters; then ours. */
export async function hardavellas(bench: Bench): Promise<void> {
  const cells = ["per-thread", "per-block", "bank-owned"].map((algorithm): Cell => ({ algorithm }));
  const steps = [{ n: BYTES, cells: [...cells, PER_LANE] }];
  await sweep(bench, { on: ["uniform", "zeros", "ramp", "picture"], steps });
  await countUnderNcu(bench, "Hardavellas", on(["uniform", "zeros"], cells));
}

/** Measures causes of the CUDA Handbook's statements: global atomics by bins, and ncu's counters of the layouts. */
export async function handbook(bench: Bench): Promise<void> {
  for (const bins of [256, 4096, 65_536]) {
    const cells = [{ algorithm: "global", axis: integer(0, bins) }];
    const shape = { type: "u16", top: bins, channels: 1 } as const;
    await sweep(bench, { shape, on: ["uniform", "zeros"], steps: [{ n: 2 ** 24, cells }] });
  }
  const cells = (["row", "column", "interleaved"] as const).flatMap((layout) =>
    (layout === "interleaved" ? (["periodic", "avoid"] as const) : (["periodic"] as const)).map(
      (merge): Cell => ({ algorithm: "privatized", merge, layout }),
    ),
  );
  await countUnderNcu(bench, "Handbook", on(["uniform", "zeros"], cells));
}

/** Counts each cell under ncu, and notes the terms of its kernels: the longest, and the others. */
export async function countUnderNcu(
  bench: Bench,
  note: string,
  cells: readonly Probed[],
  given?: Profiler,
): Promise<void> {
  const profiler = given ?? (await Profiler.open(bench.report, note, METRICS));
  if (profiler === null) return;
  const table: unknown[] = [];
  for (const { distribution, ...cell } of cells) {
    const what = `${JSON.stringify(cell)} on ${distribution}`;
    if (!bench.hasTime(`${note}, ${what}`)) continue;
    const args = ["--distribution", distribution, "--cell", JSON.stringify(cell)];
    const found = await profiler.probe(what, args);
    if (found === null) continue;
    const launches = found.map((launch) => ({ kernel: launch.kernel, terms: termsOf(launch, BYTES) }));
    const time = ({ terms }: { terms: Terms }) => terms["Time (ns)"]!.value ?? 0;
    const [longest, ...others] = launches.toSorted((a, b) => time(b) - time(a));
    table.push({ ...cell, distribution, n: BYTES, ...longest, others });
    bench.report.note(note, table, { backend: bench.engine.backend, algorithm: cell.algorithm });
    console.log(`${what}: ${longest!.kernel.slice(0, 60)}\n  ${inWords(longest!.terms)}`);
  }
}

function inWords(terms: Terms): string {
  return Object.entries(terms)
    .map(([term, { value }]) => `${term} ${value === null ? "-" : Number(value.toPrecision(5))}`)
    .join("; ");
}

/** Counts one histogram on resident data under ncu, and compares it with the exact counts. */
export async function probe(bench: Bench, cell: Cell, distribution: string): Promise<void> {
  const of = DISTRIBUTIONS.find((name) => name === distribution);
  if (of === undefined) throw new Error(`expected a distribution but received ${distribution}`);
  await using data = await bench.load(Tile.of(BYTE_SHAPE, of), BYTES);
  const wrong = difference(await data.truth(cell), await bench.engine.histograms(data.resident, cell));
  if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
}

import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { difference, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";
import { Profiler } from "./ncu.ts";
import { METRICS, type Terms, termsOf } from "./table1-terms.ts";

/** The paper's n of Table 1. */
export const BYTES: number = 2 ** 26;
const SHAPES = { type: "u8", top: 256, channels: 1 } as const;
/** The most important data first, because a short budget ends the list. */
const ON: readonly Distribution[] = ["uniform", "zeros", "ramp", "picture"];
const CELLS: readonly Cell[] = [
  { algorithm: "trish", k: 31 },
  { algorithm: "per-warp", collisions: "atomic" },
  { algorithm: "per-warp", collisions: "tag" },
  { algorithm: "per-thread" },
  { algorithm: "per-lane" },
];

/** Measures Brown & Snoeyink's Table 1: ncu's counters of the kernels of each histogram. */
export async function table1(bench: Bench): Promise<void> {
  const profiler = await Profiler.open(bench.report, "Table 1", Object.values(METRICS));
  if (profiler === null) return;
  const cells = ON.flatMap((distribution) => CELLS.map((cell) => ({ ...cell, distribution })));
  await count(bench, profiler, "Table 1", cells);
}

/** A histogram of 64 MiB on the device, and its data. */
export type Probed = Cell & { readonly distribution: Distribution };

/** Counts each cell under ncu, and notes the terms of its kernels: the longest, and the others. */
export async function count(
  bench: Bench,
  profiler: Profiler,
  note: string,
  cells: readonly Probed[],
): Promise<void> {
  const table: unknown[] = [];
  for (const { distribution, ...cell } of cells) {
    const what = `${JSON.stringify(cell)} on ${distribution}`;
    if (!bench.hasTime(`${note}, ${what}`)) continue;
    const args = ["--distribution", distribution, "--cell", JSON.stringify(cell)];
    const found = await profiler.probe(what, args);
    if (found === null) continue;
    const launches = found.map((launch) => ({ kernel: launch.kernel, terms: termsOf(launch, BYTES) }));
    const time = ({ terms }: (typeof launches)[number]) => terms["Time (ns)"]!.value ?? 0;
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
  await using data = await bench.load(Tile.of(SHAPES, of), BYTES);
  const wrong = difference(await data.truth(cell), await bench.engine.histograms(data.resident, cell));
  if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
}

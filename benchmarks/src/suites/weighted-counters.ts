import { type Kind, rowOfKind, typeFor } from "../data/feature-rows.ts";
import { judge, ShiftedTable, truthOf, weightsOf } from "../data/feature-table.ts";
import type { Bench } from "../runner/bench.ts";
import type { SumsCell } from "../runner/sums.ts";
import { LAUNCH, type Launch, Profiler } from "./ncu.ts";
import { fits } from "./weighted-paper.ts";

/** The shape of Xu et al.'s figures. */
const FEATURES = 1024;
const DOCUMENTS = 2 ** 17;

/** ncu's metrics for Xu et al.'s Tables 2, 5 and 6, and Figures 4 and 7. */
const METRICS: Readonly<Record<string, string>> = {
  ...LAUNCH,
  limitRegisters: "launch__occupancy_limit_registers",
  limitShared: "launch__occupancy_limit_shared_mem",
  limitWarps: "launch__occupancy_limit_warps",
  limitBlocks: "launch__occupancy_limit_blocks",
  memoryBytes: "dram__bytes.sum",
  memoryShare: "dram__throughput.avg.pct_of_peak_sustained_elapsed",
  spills: "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
  instructions: "smsp__inst_executed.sum",
  atomics: "smsp__inst_executed_op_shared_atom.sum",
};

/** A cell and the kind of its data, which a probe reads as JSON. */
export interface Probed extends Kind {
  readonly bins: number;
  readonly figure: "Figure 4" | "Figure 7" | "Table 5" | "Table 6" | "Figure 9";
  readonly cell: SumsCell;
}

/** The counters of one cell: its longest kernel, and the time of the others. */
export interface WeightedCounters extends Probed {
  readonly kernel: string;
  readonly values: Readonly<Record<string, number | null>>;
  readonly othersTime: number;
  readonly bytes: number;
}

/** The note with all cells. */
export const COUNTERS = "counters";

/** The paper's N_unroll of Table 5 and Figure 4, and N_warp and N_buffer of Table 6, by bins. */
const UNROLLS = {
  "Table 5": [
    [2, 1],
    [4, 2],
    [8, 4],
    [16, 16],
    [32, 16],
    [64, 16],
    [128, 16],
  ],
  "Figure 4": [
    [64, 1],
    [64, 2],
    [64, 4],
    [64, 8],
    [64, 16],
    [64, 32],
  ],
} as const;
const BUFFERS = [
  [128, 2, 10],
  [256, 2, 8],
  [512, 3, 5],
  [1024, 6, 10],
] as const;

/** Each N_unroll of Figure 7 that is a whole number of words. The figure shows the fastest, which nobody knows before. */
const WORDS: readonly Probed[] = [2, 4, 8, 16, 32, 64, 128].flatMap((bins) =>
  [4, 8, 16, 32].flatMap((unroll): Probed[] => {
    const cell = { algorithm: "weighted-collision-free", precision: "fast", unroll, fetch: "word" } as const;
    return fits(cell, bins) ? [{ figure: "Figure 7", bins, sigma: null, cell }] : [];
  }),
);

/** Cells that unroll fetch single values, because a thread that fetches words rounds N_unroll up to a whole word. */
const unrolled = (figure: keyof typeof UNROLLS): Probed[] =>
  UNROLLS[figure].map(([bins, unroll]) => {
    const cell = { algorithm: "weighted-collision-free", precision: "fast", unroll, fetch: "value" } as const;
    return { figure, bins, sigma: null, cell };
  });

/** The paper's parameters come first, because a run can end before the many cells of Figure 7. */
const CELLS: readonly Probed[] = [
  ...BUFFERS.map(([bins, warps, buffer]): Probed => {
    const cell = { algorithm: "weighted-collision-reduced", precision: "fast", warps, buffer } as const;
    return { figure: "Table 6", bins, zeros: 0.8, cell };
  }),
  ...unrolled("Table 5"),
  ...[0, null].flatMap((sigma) =>
    (["weighted-collision-reduced", "weighted-collision"] as const).map(
      (algorithm): Probed => ({
        figure: "Figure 9",
        bins: 1024,
        sigma,
        cell: { algorithm, precision: "fast" },
      }),
    ),
  ),
  ...unrolled("Figure 4"),
  ...WORDS,
];

/** The note with the device's properties (the paper's Table 2). */
export const DEVICE = "device";

async function deviceOf({ target }: Bench): Promise<Readonly<Record<string, number | null>>> {
  const device = await target.backend().open();
  const { units, unit } = device.limits;
  await device.close();
  return { multiprocessors: units, threads: unit?.threads ?? null, sharedBytes: unit?.sharedBytes ?? null };
}

/** Reads registers, occupancy, memory throughput and spills of Xu et al.'s methods with ncu. */
export async function weightedCounters(bench: Bench): Promise<void> {
  const profiler = await Profiler.open(bench.report, "Xu et al.", Object.values(METRICS));
  if (profiler === null) return;
  bench.report.note(DEVICE, await deviceOf(bench));
  const table: WeightedCounters[] = [];
  for (const probed of CELLS) {
    const what = JSON.stringify(probed);
    if (!bench.hasTime(what)) continue;
    const launches = await profiler.probe(what, ["--sums", what]);
    if (launches === null) continue;
    table.push(countersOf(probed, launches));
    bench.report.note(COUNTERS, table, { backend: bench.engine.backend, algorithm: probed.cell.algorithm });
    console.log(`${what}: ${JSON.stringify(table.at(-1)!.values)}`);
  }
}

/** Reads the longest kernel's counters. */
export function countersOf(probed: Probed, launches: readonly Launch[]): WeightedCounters {
  const time = ({ metrics }: Launch) => metrics[LAUNCH.time] ?? 0;
  const [longest, ...others] = launches.toSorted((a, b) => time(b) - time(a));
  const values = Object.entries(METRICS).map(([name, metric]) => [name, longest!.metrics[metric] ?? null]);
  return {
    ...probed,
    kernel: longest!.kernel,
    values: Object.fromEntries(values),
    othersTime: others.reduce((sum, launch) => sum + time(launch), 0),
    bytes:
      new ShiftedTable(rowOfKind(probed, probed.bins, 32), typeFor(probed.bins), 1).bytes *
      FEATURES *
      (DOCUMENTS / 32),
  };
}

/** Adds up one table on the device under ncu, and compares the sums with the exact ones. */
export async function probeSums({ engine, oracle }: Bench, { cell, bins, ...kind }: Probed): Promise<void> {
  const of = new ShiftedTable(rowOfKind(kind, bins, DOCUMENTS), typeFor(bins), FEATURES);
  await using table = await engine.table(of.init());
  const weights = weightsOf(DOCUMENTS);
  const { wrong } = judge(await table.sums(weights, cell), await truthOf(oracle, of, weights));
  if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
}

import { clusteredRow, type FeatureRow, normalRow, sparseRow, typeFor } from "../data/feature-rows.ts";
import { judge, ShiftedTable, truthOf, weightsOf } from "../data/feature-table.ts";
import type { Bench } from "../runner/bench.ts";
import type { SumsCell } from "../runner/sums.ts";
import { Profiler } from "./ncu.ts";
import type { Launch } from "./ncu-csv.ts";

/** The shape of Xu et al.'s figures. */
const FEATURES = 1024;
const DOCUMENTS = 2 ** 17;

/** ncu's metrics for Xu et al.'s Tables 2, 5 and 6, and Figures 4 and 7. */
const METRICS = {
  time: "gpu__time_duration.sum",
  registers: "launch__registers_per_thread",
  sharedStatic: "launch__shared_mem_per_block_static",
  sharedDynamic: "launch__shared_mem_per_block_dynamic",
  blockThreads: "launch__block_size",
  blocks: "launch__grid_size",
  occupancy: "sm__warps_active.avg.pct_of_peak_sustained_active",
  occupancyMost: "sm__maximum_warps_per_active_cycle_pct",
  limitRegisters: "launch__occupancy_limit_registers",
  limitShared: "launch__occupancy_limit_shared_mem",
  limitWarps: "launch__occupancy_limit_warps",
  limitBlocks: "launch__occupancy_limit_blocks",
  memoryBytes: "dram__bytes.sum",
  memoryShare: "dram__throughput.avg.pct_of_peak_sustained_elapsed",
  spills: "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
  instructions: "smsp__inst_executed.sum",
  atomics: "smsp__inst_executed_op_shared_atom.sum",
  conflicts: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
  wavefronts: "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
} as const;

type Values = Readonly<Record<keyof typeof METRICS, number | null>>;

/** The data of a cell: normal values of a deviation, zeros, or runs. */
interface Data {
  readonly bins: number;
  readonly sigma?: number | null;
  readonly zeros?: number;
  readonly run?: number;
}

/** A cell and its data, which a probe reads as JSON. */
export interface Probed extends Data {
  readonly figure: "Figure 4" | "Table 5" | "Table 6" | "Figure 9";
  readonly cell: SumsCell;
}

/** The counters of one cell: its longest kernel, and the time of the others. */
export interface WeightedCounters extends Probed {
  readonly kernel: string;
  readonly values: Values;
  readonly othersTime: number;
  readonly bytes: number;
}

/** The note with all cells. */
export const COUNTERS = "counters";

const fast = (cell: Omit<SumsCell, "precision">): SumsCell => ({ ...cell, precision: "fast" });
const FREE = "weighted-collision-free";
/** The paper's N_unroll of Table 5, and N_warp and N_buffer of Table 6, by bins. */
const UNROLLS: readonly (readonly [number, number])[] = [
  [2, 1],
  [4, 2],
  [8, 4],
  [16, 16],
  [32, 16],
  [64, 16],
  [128, 16],
];
const BUFFERS: readonly (readonly [number, number, number])[] = [
  [128, 2, 10],
  [256, 2, 8],
  [512, 3, 5],
  [1024, 6, 10],
];
const USUAL = 0.8;

/**
 * The paper's parameters, then those of Figure 4. Cells that unroll fetch single values, because a thread that fetches
 * words rounds N_unroll up to a whole word. Infinite deviations are null, because JSON has none.
 */
const CELLS: readonly Probed[] = [
  ...UNROLLS.map(
    ([bins, unroll]): Probed => ({
      figure: "Table 5",
      bins,
      sigma: null,
      cell: fast({ algorithm: FREE, unroll, fetch: "value" }),
    }),
  ),
  ...[1, 2, 4, 8, 16, 32].map(
    (unroll): Probed => ({
      figure: "Figure 4",
      bins: 64,
      sigma: null,
      cell: fast({ algorithm: FREE, unroll, fetch: "value" }),
    }),
  ),
  ...BUFFERS.map(
    ([bins, warps, buffer]): Probed => ({
      figure: "Table 6",
      bins,
      zeros: USUAL,
      cell: fast({ algorithm: "weighted-collision-reduced", warps, buffer }),
    }),
  ),
  ...[0, null].flatMap((sigma) =>
    (["weighted-collision-reduced", "weighted-collision"] as const).map(
      (algorithm): Probed => ({ figure: "Figure 9", bins: 1024, sigma, cell: fast({ algorithm }) }),
    ),
  ),
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
  const time = ({ metrics }: Launch) => metrics[METRICS.time] ?? 0;
  const [longest, ...others] = launches.toSorted((a, b) => time(b) - time(a));
  const values = Object.entries(METRICS).map(([name, metric]) => [name, longest!.metrics[metric] ?? null]);
  return {
    ...probed,
    kernel: longest!.kernel,
    values: Object.fromEntries(values) as Values,
    othersTime: others.reduce((sum, launch) => sum + time(launch), 0),
    bytes: new ShiftedTable(rowOf(probed, 32), typeFor(probed.bins), 1).bytes * FEATURES * (DOCUMENTS / 32),
  };
}

function rowOf({ bins, sigma, zeros, run }: Data, documents: number): FeatureRow {
  if (zeros === undefined) return normalRow(sigma ?? Number.POSITIVE_INFINITY, bins, documents);
  return run === undefined ? sparseRow(zeros, bins, documents) : clusteredRow(zeros, run, bins, documents);
}

/** Adds up one table on the device under ncu, and compares the sums with the exact ones. */
export async function probeSums({ engine, oracle }: Bench, { cell, ...data }: Probed): Promise<void> {
  const of = new ShiftedTable(rowOf(data, DOCUMENTS), typeFor(data.bins), FEATURES);
  await using table = await engine.table(of.init());
  const weights = weightsOf(DOCUMENTS);
  const { wrong } = judge(await table.sums(weights, cell), await truthOf(oracle, of, weights));
  if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
}

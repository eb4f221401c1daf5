import type { FeatureTable, SumsOptions, TableSums, TableSumsOnly, WeightedSlug } from "@polybin/core";
import { describePlan } from "@polybin/core/backend";
import { judge, type ShiftedTable, type SumsTruth, truthOf, weightsOf } from "../data/feature-table.ts";
import type { Bench } from "./bench.ts";
import type { Row, Weighted } from "./row.ts";

type Asked = "counts" | "squares" | "precision" | "skip" | "fetch" | "unroll" | "warps" | "buffer" | "reduce";

/** One thing to measure on a feature table. */
export type SumsCell = { readonly algorithm: WeightedSlug } & {
  readonly [name in Asked]?: SumsOptions[name] | undefined;
};

/** Keeps the cells for which the device has a kernel. The others are recorded as missing. */
export function claimed({ engine, report }: Bench, cells: readonly SumsCell[]): SumsCell[] {
  return cells.filter(({ algorithm }) => {
    const has = engine.weighted.includes(algorithm);
    if (!has) report.missOnce(`${algorithm}: ${engine.backend} has no kernel for it`);
    return has;
  });
}

/** Properties that a suite adds to its cells. */
export interface SumsPlace {
  /** Tables and figures of a paper. */
  readonly figures?: readonly string[];
  /** The most rounds. Default: the bench's. */
  readonly most?: number;
  /** GB/s at which the device can read the table's bytes. */
  readonly ceiling?: number | null;
}

/** A feature table on the device, its weights, and the exact sums. */
export class LoadedTable implements AsyncDisposable {
  readonly of: ShiftedTable;
  readonly table: FeatureTable;
  readonly #weights: Float32Array;
  readonly #bench: Bench;
  readonly #truth: SumsTruth;

  private constructor(bench: Bench, of: ShiftedTable, table: FeatureTable, truth: SumsTruth) {
    this.of = of;
    this.table = table;
    this.#weights = truth.weights;
    this.#bench = bench;
    this.#truth = truth;
  }

  /** Uploads a table to the bench's device. Returns null if that fails, and reports why. */
  static async load(bench: Bench, of: ShiftedTable): Promise<LoadedTable | null> {
    const { engine, oracle, report } = bench;
    const what = `a table of ${describe(of)}`;
    if (!bench.hasTime(what)) return null;
    try {
      const table = await engine.table(of.init(of.all, memoryFor(of.bytes)));
      return new LoadedTable(bench, of, table, await truthOf(oracle, of, weightsOf(of.documents)));
    } catch (error) {
      report.miss(`${what}: ${(error as Error).message}`);
      return null;
    }
  }

  /** Measures the time of a cell's kernels, and that of the whole call. */
  async measure(cell: SumsCell, { figures, most, ceiling = null }: SumsPlace = {}): Promise<Row | null> {
    const { of, table } = this;
    const { algorithm } = cell;
    const variant = variantOf(cell);
    const what = `${[algorithm, variant].filter(Boolean).join(", ")} on ${describe(of)}`;
    if (!this.#bench.hasTime(what)) return null;
    return this.#bench.contest<TableSums | TableSumsOnly>(what, {
      row: { algorithm, variant: variant || undefined, residence: "resident", ...of.place },
      more: (found) => {
        const { offBy } = judge(found, this.#truth);
        const weighted = weightedOf(of, cell, found, figures);
        return { weighted, ...(offBy !== null && { exact: false, offBy }) };
      },
      ...{ bytes: of.bytes, values: of.place.n, ceiling, sparse: true, most },
      call: () => table.sums(this.#weights, cell as SumsOptions),
      wrong: async (found) => judge(found, this.#truth).wrong,
      time: ({ timings }) => timings.kernelMs,
      callTime: ({ timings }) => timings.totalMs,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.table.free();
  }
}

/** Writes a cell's parameters in words. */
function variantOf(cell: SumsCell): string {
  const { counts, squares, precision, skip, fetch, unroll, warps, buffer, reduce } = cell;
  return [
    counts === false && "sums only",
    squares && "squares",
    precision === "fast" && precision,
    skip && "skip",
    fetch && `fetch ${fetch}`,
    unroll && `unroll ${unroll}`,
    warps && `${warps} warps`,
    buffer && `buffer ${buffer}`,
    reduce && `reduce ${reduce}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Names what a call adds up. */
export function addsOf({
  counts = true,
  squares = false,
}: Pick<SumsCell, "counts" | "squares">): Weighted["adds"] {
  if (squares) return counts ? "counts, sums and squares" : "sums and squares";
  return counts ? "counts and sums" : "sums";
}

function weightedOf(
  { features, documents, row: { sigma, zeroShare } }: ShiftedTable,
  cell: SumsCell,
  { plans }: TableSums | TableSumsOnly,
  figures: readonly string[] | undefined,
): Weighted {
  const all = [...new Map(plans.map((plan) => [describePlan(plan), plan])).entries()];
  // The hybrid may launch several kernels with different parameters.
  const own: Partial<Weighted> = all.length === 1 ? (all[0]![1].parameters as Partial<Weighted>) : {};
  const { fetch, unroll, warps, buffer, reduce } = own;
  const { precision = "reproducible", skip = false } = cell;
  return {
    ...{ features, documents, adds: addsOf(cell), precision, skip, fetch, unroll, warps, buffer, reduce },
    ...{ sigma, zeroShare, figures, plans: all.map(([plan]) => plan) },
  };
}

function describe({ type, row, features, documents }: ShiftedTable): string {
  return `${type} ${row.name}, ${features} features of ${row.bins} bins, ${documents} documents`;
}

let memory = new Uint8Array(0);

/** Returns host memory that tables share, because the engine copies its content. */
function memoryFor(bytes: number): Uint8Array {
  if (memory.length < bytes) memory = new Uint8Array(bytes);
  return memory;
}

import type { FeatureTable, SumsOptions, TableSums, TableSumsOnly, WeightedSlug } from "@polybin/core";
import { describePlan } from "@polybin/core/backend";
import { judge, type ShiftedTable, type SumsTruth, truthOf, weightsOf } from "../data/feature-table.ts";
import type { Bench } from "./bench.ts";
import type { Row, Weighted } from "./row.ts";

/** One thing to measure on a feature table. */
export interface SumsCell
  extends Pick<
    SumsOptions,
    "counts" | "squares" | "precision" | "skip" | "fetch" | "unroll" | "warps" | "buffer" | "reduce"
  > {
  readonly algorithm: WeightedSlug;
}

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
  readonly weights: Float32Array;
  readonly #bench: Bench;
  readonly #truth: SumsTruth;

  private constructor(
    bench: Bench,
    of: ShiftedTable,
    table: FeatureTable,
    weights: Float32Array,
    truth: SumsTruth,
  ) {
    this.of = of;
    this.table = table;
    this.weights = weights;
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
      const weights = weightsOf(of.documents);
      return new LoadedTable(bench, of, table, weights, await truthOf(oracle, of, weights));
    } catch (error) {
      report.miss(`${what}: ${(error as Error).message}`);
      return null;
    }
  }

  /** Measures the time of a cell's kernels, and that of the whole call. */
  async measure(cell: SumsCell, { figures, most, ceiling = null }: SumsPlace = {}): Promise<Row | null> {
    const { of, table, weights } = this;
    const { algorithm } = cell;
    const variant = variantOf(cell);
    const what = `${[algorithm, variant].filter(Boolean).join(", ")} on ${describe(of)}`;
    if (!this.#bench.hasTime(what)) return null;
    const values = of.features * of.documents;
    return this.#bench.contest<TableSums | TableSumsOnly>(what, {
      call: () => table.sums(weights, cell),
      wrong: async (found) => judge(found, this.#truth).wrong,
      time: ({ timings }) => timings.kernelMs,
      callTime: ({ timings }) => timings.totalMs,
      sparse: true,
      row: (found) => {
        const { offBy } = judge(found, this.#truth);
        return {
          algorithm,
          ...(variant === "" ? {} : { variant }),
          type: of.type,
          bins: of.row.bins,
          n: values,
          distribution: of.row.name,
          residence: "resident",
          weighted: weightedOf(of, cell, found, figures),
          ...(offBy === null ? {} : { exact: false, offBy }),
        };
      },
      bytes: of.bytes,
      values,
      ceiling,
      ...(most === undefined ? {} : { most }),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.table.free();
  }
}

/** Writes a cell's parameters in words. */
function variantOf({
  counts,
  squares,
  precision,
  skip,
  fetch,
  unroll,
  warps,
  buffer,
  reduce,
}: SumsCell): string {
  return [
    counts === false && "sums only",
    squares && "squares",
    precision === "fast" && precision,
    skip && "skip",
    fetch !== undefined && `fetch ${fetch}`,
    unroll !== undefined && `unroll ${unroll}`,
    warps !== undefined && `${warps} warps`,
    buffer !== undefined && `buffer ${buffer}`,
    reduce !== undefined && `reduce ${reduce}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function weightedOf(
  { features, documents, row: { sigma, zeroShare } }: ShiftedTable,
  { counts = true, squares = false, precision = "reproducible", skip = false }: SumsCell,
  { plans }: TableSums | TableSumsOnly,
  figures: readonly string[] | undefined,
): Weighted {
  const all = [...new Map(plans.map((plan) => [describePlan(plan), plan])).entries()];
  // The hybrid may launch several kernels with different parameters.
  const { fetch, unroll, warps, buffer, reduce } = (all.length === 1 ? all[0]![1].parameters : {}) as Pick<
    Weighted,
    "fetch" | "unroll" | "warps" | "buffer" | "reduce"
  >;
  return {
    features,
    documents,
    adds: squares
      ? counts
        ? "counts, sums and squares"
        : "sums and squares"
      : counts
        ? "counts and sums"
        : "sums",
    precision,
    skip,
    ...(fetch === undefined ? {} : { fetch }),
    ...(unroll === undefined ? {} : { unroll }),
    ...(warps === undefined ? {} : { warps }),
    ...(buffer === undefined ? {} : { buffer }),
    ...(reduce === undefined ? {} : { reduce }),
    ...(sigma === undefined ? {} : { sigma }),
    ...(zeroShare === undefined ? {} : { zeroShare }),
    ...(figures === undefined ? {} : { figures }),
    plans: all.map(([plan]) => plan),
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

import type { Bench } from "../runner/bench.ts";
import type { Row, Weighted } from "../runner/row.ts";
import type { SumsCell } from "../runner/sums.ts";
import {
  allKinds,
  BINS,
  METHODS,
  measureSteps,
  type Precision,
  type Step,
  uniform,
  usual,
} from "./weighted-paper.ts";

const SOME_BINS = [4, 16, 64, 128, 256, 512, 1024];
const FEW_OF_MANY_BINS = [128, 256, 1024];
/** Bins of Table 6. */
const MANY_BINS = [128, 256, 512, 1024];

const precisionsOf = (swept: Precision): readonly Precision[] =>
  swept === "fast" ? ["reproducible", "fast"] : ["reproducible"];

/** Lists the cells of Xu et al.'s three methods, each with words and with single values (4.1). */
function fetchSteps(swept: Precision): Step[] {
  const methods = METHODS.filter((algorithm) => algorithm !== "weighted-hybrid");
  return BINS.map((bins) => ({
    figures: [],
    bins,
    row: uniform,
    cells: precisionsOf(swept).flatMap((precision) =>
      methods.flatMap((algorithm) =>
        (["word", "value"] as const).map((fetch): SumsCell => ({ algorithm, precision, fetch })),
      ),
    ),
  }));
}

/** Lists the cells of the collision-reduced method with and without Algorithm 2's sub-histograms. */
function reduceSteps(swept: Precision): Step[] {
  return MANY_BINS.flatMap((bins) =>
    [uniform, usual].map((row) => ({
      figures: [],
      bins,
      row,
      cells: precisionsOf(swept).flatMap((precision) =>
        (["tables", "atomic"] as const).flatMap((reduce) =>
          (["word", "value"] as const).map(
            (fetch): SumsCell => ({ algorithm: "weighted-collision-reduced", precision, reduce, fetch }),
          ),
        ),
      ),
    })),
  );
}

/** Lists the hybrid next to its methods: integers and floats, with and without skipping, on three kinds of tables. */
function hybridSteps(swept: Precision): Step[] {
  const cells = precisionsOf(swept).flatMap((precision) =>
    [false, true].flatMap((skip) =>
      METHODS.map((algorithm): SumsCell => ({ algorithm, precision, ...(skip && { skip }) })),
    ),
  );
  return [
    ...SOME_BINS.map((bins) => ({ figures: [], bins, row: usual, cells })),
    ...FEW_OF_MANY_BINS.flatMap((bins) => [
      { figures: [], bins, row: uniform, cells },
      { figures: [], bins, ...allKinds, cells },
    ]),
  ];
}

/** Measures what fetching words gains over fetching single values. */
export async function weightedFetch(bench: Bench, features?: number, documents?: number): Promise<void> {
  await measureSteps(bench, fetchSteps, features, documents);
  const { rows } = bench.report;
  bench.report.note("words over single values", factors(rows, "fetch", "word", "value"));
}

/** Measures what sub-histograms and a second kernel cost against adding tables to the totals. */
export async function weightedReduce(bench: Bench, features?: number, documents?: number): Promise<void> {
  await measureSteps(bench, reduceSteps, features, documents);
  const { rows } = bench.report;
  bench.report.note("sub-histograms over atomics", factors(rows, "reduce", "tables", "atomic"));
}

/** Measures the hybrid and its methods in the same run. The threshold of Table 7 follows from the rows. */
export async function weightedHybrid(bench: Bench, features?: number, documents?: number): Promise<void> {
  await measureSteps(bench, hybridSteps, features, documents);
  const { rows } = bench.report;
  bench.report.note("hybrid over the best of its methods", hybridFactors(rows));
  bench.report.note("Table 7: collision-free is the fastest method up to", thresholds(rows));
}

type Cell = Row & { readonly weighted: Weighted };

function cellsOf(rows: readonly Row[]): Cell[] {
  return rows.filter((row): row is Cell => row.weighted !== undefined);
}

/** Returns the throughput with one value of a parameter divided by that with another, for cells that are otherwise equal. */
function factors<Name extends "fetch" | "reduce">(
  rows: readonly Row[],
  name: Name,
  one: Weighted[Name],
  other: Weighted[Name],
): object[] {
  const cells = cellsOf(rows);
  return cells.flatMap((row) => {
    if (row.weighted[name] !== one) return [];
    const same = cells.find(
      (of) =>
        of.weighted[name] === other &&
        (["algorithm", "bins", "distribution"] as const).every((key) => of[key] === row[key]) &&
        of.weighted.precision === row.weighted.precision &&
        (name === "fetch"
          ? of.weighted.reduce === row.weighted.reduce
          : of.weighted.fetch === row.weighted.fetch),
    );
    if (same === undefined) return [];
    const { algorithm, bins, distribution, weighted } = row;
    return [{ algorithm, bins, distribution, precision: weighted.precision, factor: row.gbps / same.gbps }];
  });
}

/** Groups the rows of cells that differ in their method only. */
function contests(rows: readonly Row[]): { readonly hybrid: Cell; readonly best: Cell }[] {
  const kindOf = ({ bins, distribution, weighted: { precision, skip } }: Cell) =>
    [bins, distribution, precision, skip].join();
  return [...Map.groupBy(cellsOf(rows), kindOf).values()].flatMap((group) => {
    const hybrid = group.find(({ algorithm }) => algorithm === "weighted-hybrid");
    const others = group.filter(({ algorithm }) => algorithm !== "weighted-hybrid");
    if (hybrid === undefined || others.length === 0) return [];
    return [{ hybrid, best: others.reduce((top, row) => (row.gbps > top.gbps ? row : top)) }];
  });
}

function hybridFactors(rows: readonly Row[]): object[] {
  return contests(rows).map(({ hybrid, best }) => {
    const { bins, distribution, weighted } = hybrid;
    const { precision, skip } = weighted;
    return { bins, distribution, precision, skip, best: best.algorithm, factor: hybrid.gbps / best.gbps };
  });
}

/**
 * Returns the largest number of bins up to which the collision-free method is the fastest, for each kind of sums. Null: it
 * never is.
 */
function thresholds(rows: readonly Row[]): object[] {
  const kindOf = ({ hybrid: { distribution, weighted } }: { readonly hybrid: Cell }) =>
    [distribution, weighted.precision, weighted.skip].join();
  return [...Map.groupBy(contests(rows), kindOf).values()].map((of) => {
    const { distribution, weighted } = of[0]!.hybrid;
    const byBins = of.toSorted((a, b) => a.hybrid.bins - b.hybrid.bins);
    const end = byBins.findIndex(({ best }) => best.algorithm !== "weighted-collision-free");
    const upTo = byBins.at(end < 0 ? -1 : end - 1);
    const { precision, skip } = weighted;
    return { distribution, precision, skip, bins: end === 0 ? null : upTo!.hybrid.bins };
  });
}

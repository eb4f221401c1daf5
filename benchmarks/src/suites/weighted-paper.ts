import type { WeightedSlug } from "@polybin/core";
import { documentsPerFetchOf } from "@polybin/core/backend";
import { clusteredRow, type FeatureRow, normalRow, sparseRow, typeFor } from "../data/feature-rows.ts";
import { ShiftedTable } from "../data/feature-table.ts";
import type { Bench } from "../runner/bench.ts";
import { claimed, LoadedTable, type SumsCell } from "../runner/sums.ts";
import { paperNotes } from "./weighted-notes.ts";

/** Section 6.1.1: the pipeline is full from 1k features and 100k documents on. */
const FEATURES = 1024;
const DOCUMENTS = 2 ** 17;
/** Bins of Tables 5 to 7, and of LambdaMART's features (2.1). */
export const BINS: readonly number[] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const FEW_BINS = BINS.filter((bins) => bins <= 128);
const MANY_BINS = [128, 256, 512, 1024];
const MOST_BINS = 1024;
/** Figure 9's deviations. Infinity means uniform values. */
const SIGMAS = [0, 1, 2, 5, 10, 20, 50, 100, 200, Number.POSITIVE_INFINITY];
const ZERO_SHARES = [0, 0.25, 0.5, 0.9, 0.99];
/** The data that replace the paper's own data set, which is not public. */
const USUAL_ZERO_SHARE = 0.8;
/** Figures 5 and 6: exponents of documents and features, relative to the shape of the other figures. */
const DOCUMENT_STEPS = [3, 2, 1, 0, -1, -2, -3, -4, -5, -6, -7];
const FEATURE_STEPS = [2, 1, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10];
/** Figure 10: the properties that vary between features. */
const FEATURE_ZEROS = [0, 0.5, 0.9];
const FEATURE_RUNS = [1, 4, 16, 64, 256];
/** Figure 4: documents that a thread reads before it adds them. */
const UNROLLS = [1, 2, 4, 8, 16, 32];
/** Unrolling and bins of Figures 5 and 6. */
const SHAPE_UNROLL = 16;
const SHAPE_BINS = 64;
/** Rounds per cell, few because there are hundreds of cells. */
const ROUNDS = 7;

export const uniform = (bins: number, documents: number): FeatureRow =>
  normalRow(Number.POSITIVE_INFINITY, bins, documents);
export const usual = (bins: number, documents: number): FeatureRow =>
  sparseRow(USUAL_ZERO_SHARE, bins, documents);

export type Precision = NonNullable<SumsCell["precision"]>;

/** Cells on one table, and their figures. */
export interface Step {
  readonly figures: readonly string[];
  readonly bins: number;
  row(bins: number, documents: number): FeatureRow;
  readonly cells: readonly SumsCell[];
  /** Rows of further features with the same number of bins. */
  others?(bins: number, documents: number): readonly FeatureRow[];
  /** Exponents by which the table has more documents or features than the others. */
  readonly more?: { readonly documents?: number; readonly features?: number };
}

/** Returns the fetches whose documents are not more than a thread reads. A word has several. */
function fetchesOf(
  bins: number,
  unroll: number,
  fetches: readonly SumsCell["fetch"][],
): Pick<SumsCell, "fetch">[] {
  const perWord = documentsPerFetchOf({ type: typeFor(bins), parameters: { fetch: "word" } });
  return fetches
    .filter((fetch) => fetch !== "word" || unroll >= perWord)
    .map((fetch) => (fetch === undefined ? {} : { fetch }));
}

/** The paper's three methods and the hybrid. */
const MANY_BIN_METHODS = ["weighted-collision", "weighted-collision-reduced"] as const;
export const METHODS: readonly WeightedSlug[] = [
  "weighted-hybrid",
  "weighted-collision-free",
  ...MANY_BIN_METHODS,
];
const OURS: SumsCell = { algorithm: "weighted-fixed-point" };

const sweepWith =
  (precision: Precision) =>
  (algorithm: WeightedSlug, parameters: Omit<SumsCell, "algorithm">): SumsCell => ({
    algorithm,
    precision,
    ...parameters,
  });

/** Lists the cells of all methods, the most important first. `fast` is the paper's arithmetic, which some devices lack. */
function methodSteps(swept: Precision, fetches: readonly SumsCell["fetch"][]): Step[] {
  const both = (algorithm: WeightedSlug): SumsCell[] =>
    (["reproducible", ...(swept === "fast" ? ["fast" as const] : [])] as const).map((precision) => ({
      algorithm,
      precision,
    }));
  const sweep = sweepWith(swept);
  return [
    ...SIGMAS.map((sigma) => ({
      figures: ["Figure 9"],
      bins: MOST_BINS,
      row: (bins: number, documents: number) => normalRow(sigma, bins, documents),
      cells: [...MANY_BIN_METHODS.flatMap(both), OURS],
    })),
    ...BINS.map((bins) => ({
      figures: [
        "Table 7",
        ...(FEW_BINS.includes(bins) ? ["Figure 7"] : []),
        ...(MANY_BINS.includes(bins) ? ["Figure 11"] : []),
      ],
      bins,
      row: usual,
      cells: [...METHODS.flatMap(both), OURS],
    })),
    ...FEW_BINS.map((bins) => ({
      figures: bins === 64 ? ["Figure 4", "Table 5"] : ["Table 5"],
      bins,
      row: uniform,
      cells: UNROLLS.flatMap((unroll) =>
        fetchesOf(bins, unroll, fetches).map((fetch) =>
          sweep("weighted-collision-free", { ...fetch, unroll }),
        ),
      ),
    })),
    ...MANY_BINS.map((bins) => ({
      figures: ["Figure 11"],
      bins,
      row: usual,
      cells: [...MANY_BIN_METHODS, "weighted-hybrid" as const].map((algorithm) =>
        sweep(algorithm, { skip: true }),
      ),
    })),
  ];
}

/** Lists the cells for the parameters of the methods for many bins, the most important first. */
function parameterSteps(swept: Precision, fetches: readonly SumsCell["fetch"][]): Step[] {
  const sweep = sweepWith(swept);
  return [
    {
      figures: ["Figure 8"],
      bins: MOST_BINS,
      row: uniform,
      cells: [2, 4, 8, 16, 32].flatMap((warps) =>
        [1, 2, 4, 8].flatMap((unroll) =>
          fetchesOf(MOST_BINS, unroll, fetches).map((fetch) =>
            sweep("weighted-collision", { ...fetch, warps, unroll }),
          ),
        ),
      ),
    },
    ...ZERO_SHARES.map((share) => ({
      figures: ["Figure 11"],
      bins: MOST_BINS,
      row: (bins: number, documents: number) => sparseRow(share, bins, documents),
      cells: MANY_BIN_METHODS.flatMap((algorithm) =>
        [false, true].map((skip) => sweep(algorithm, skip ? { skip } : {})),
      ),
    })),
    ...MANY_BINS.map((bins) => ({
      figures: ["Table 6"],
      bins,
      row: usual,
      cells: [
        ...[1, 2, 4, 8].map((warps) => sweep("weighted-collision", { warps })),
        ...[2, 3, 6, 8].flatMap((warps) =>
          [5, 8, 10, 16].map((buffer) => sweep("weighted-collision-reduced", { warps, buffer })),
        ),
      ],
    })),
  ];
}

const KINDS = FEATURE_ZEROS.flatMap((share) => FEATURE_RUNS.map((run) => ({ share, run })));

/** A table with features of all kinds. */
export const allKinds: Required<Pick<Step, "row" | "others">> = {
  row(bins, documents) {
    const [{ share, run }] = KINDS as [(typeof KINDS)[number]];
    return { name: "features of all kinds", bins, values: clusteredRow(share, run, bins, documents).values };
  },
  others: (bins, documents) =>
    KINDS.slice(1).map(({ share, run }) => clusteredRow(share, run, bins, documents)),
};

/** Lists the cells for other kinds of features, in one table and in separate ones, and for tables of other shapes. */
function shapeSteps(swept: Precision): Step[] {
  const sweep = sweepWith(swept);
  const shape = (figure: string, more: NonNullable<Step["more"]>): Step => ({
    figures: [figure],
    bins: SHAPE_BINS,
    row: uniform,
    cells: [sweep("weighted-collision-free", { unroll: SHAPE_UNROLL })],
    more,
  });
  return [
    ...MANY_BINS.map((bins) => ({
      figures: ["Figure 11"],
      bins,
      ...allKinds,
      cells: [...MANY_BIN_METHODS, "weighted-hybrid" as const].flatMap((algorithm) =>
        [false, true].map((skip) => sweep(algorithm, skip ? { skip } : {})),
      ),
    })),
    ...KINDS.map(({ share, run }) => ({
      figures: ["Figure 10"],
      bins: MOST_BINS,
      row: (bins: number, documents: number) => clusteredRow(share, run, bins, documents),
      cells: MANY_BIN_METHODS.map((algorithm) => sweep(algorithm, {})),
    })),
    ...FEATURE_STEPS.map((features) => shape("Figure 6", { features })),
    ...DOCUMENT_STEPS.map((documents) => shape("Figure 5", { documents })),
  ];
}

/** Measures Xu et al.'s Tables 5 and 7, and Figures 4, 7, 9 and (on usual data) 11, on tables of their shape. */
export function weightedPaper(bench: Bench, features?: number, documents?: number): Promise<void> {
  return measureSteps(bench, methodSteps, features, documents);
}

/** Measures Xu et al.'s Table 6, Figure 8, and Figure 11 by the share of zeros. */
export function weightedParameters(bench: Bench, features?: number, documents?: number): Promise<void> {
  return measureSteps(bench, parameterSteps, features, documents);
}

/** Measures Xu et al.'s Figures 5 and 6 by documents and features, Figure 10 by feature, and Figure 11 on all those features. */
export function weightedShapes(bench: Bench, features?: number, documents?: number): Promise<void> {
  return measureSteps(bench, shapeSteps, features, documents);
}

export async function measureSteps(
  bench: Bench,
  stepsWith: (swept: Precision, fetches: readonly SumsCell["fetch"][]) => readonly Step[],
  features: number = FEATURES,
  documents: number = DOCUMENTS,
): Promise<void> {
  const swept = await sweptPrecision(bench);
  // Other backends have one fetch only, which is their default.
  const fetches = bench.target.id === "cuda" ? (["word", "value"] as const) : [undefined];
  const most = Math.min(ROUNDS, bench.options.rounds);
  for (const { figures, bins, row, others, cells, more = {} } of stepsWith(swept, fetches)) {
    const there = claimed(bench, cells);
    const [columns, rows] = [features * 2 ** (more.features ?? 0), documents * 2 ** (more.documents ?? 0)];
    // A small table cannot be divided like this.
    if (there.length === 0 || columns < 1 || rows < 1) continue;
    const of = new ShiftedTable(row(bins, rows), typeFor(bins), columns, others?.(bins, rows));
    await using loaded = await LoadedTable.load(bench, of);
    if (loaded === null) continue;
    for (const cell of there) await loaded.measure(cell, { figures, most });
    if (figures.includes("Table 7")) {
      const { choices } = loaded.table;
      for (const [precision, of] of Map.groupBy(choices, (choice) => choice.precision)) {
        const floats = precision === "fast" ? " of floats" : "";
        bench.report.note(`hybrid's choices, ${bins} bins${floats}`, tally(of));
      }
    }
  }
  for (const [name, note] of Object.entries(paperNotes(bench.report.rows))) bench.report.note(name, note);
}

/** The paper adds floats. If a device cannot, parameters are measured with integers, and the report says why. */
async function sweptPrecision({ engine, report }: Bench): Promise<Precision> {
  const algorithm = "weighted-collision";
  if (!engine.weighted.includes(algorithm)) return "fast";
  try {
    await using table = await engine.table({
      values: new Uint8Array(32),
      features: 1,
      documents: 32,
      bins: 2,
    });
    await table.sums(new Float32Array(32), { algorithm, precision: "fast" });
    return "fast";
  } catch (error) {
    report.miss(`sums of floats, so parameters are measured with integers: ${(error as Error).message}`);
    return "reproducible";
  }
}

/** Counts the features by method. */
function tally(choices: readonly { readonly algorithm: string }[]): Record<string, number> {
  const groups = Map.groupBy(choices, ({ algorithm }) => algorithm);
  return Object.fromEntries([...groups].map(([algorithm, of]) => [algorithm, of.length]));
}

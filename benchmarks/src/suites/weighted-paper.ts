import type { WeightedSlug } from "@polybin/core";
import { documentsPerFetchOf } from "@polybin/core/backend";
import { combinations } from "../data/combinations.ts";
import { type Kind, rowOfKind, typeFor } from "../data/feature-rows.ts";
import { ShiftedTable } from "../data/feature-table.ts";
import type { Bench } from "../runner/bench.ts";
import type { Row } from "../runner/row.ts";
import { claimed, LoadedTable, type SumsCell } from "../runner/sums.ts";
import { fetchGains, hybridGains, paperNotes, reduceGains, thresholds } from "./weighted-notes.ts";

/** Section 6.1.1: the pipeline is full from 1k features and 100k documents on. */
const SHAPE = [1024, 2 ** 17] as const;
/** Bins of Tables 5 to 7, and of LambdaMART's features (2.1). */
const BINS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const FEW_BINS = BINS.filter((bins) => bins <= 128);
const MANY_BINS = [128, 256, 512, 1024];
const MOST_BINS = [1024];
/** Figure 9's deviations. */
const SIGMAS = [0, 1, 2, 5, 10, 20, 50, 100, 200, null].map((sigma): Kind => ({ sigma }));
const UNIFORM: Kind = {};
/** The data that replace the paper's own data set, which is not public. */
const USUAL: Kind = { zeros: 0.8 };
const ZERO_SHARES = [0, 0.25, 0.5, 0.9, 0.99].map((zeros): Kind => ({ zeros }));
/** Figure 10: the properties that vary between features. */
const KINDS = [0, 0.5, 0.9].flatMap((zeros) => [1, 4, 16, 64, 256].map((run): Kind => ({ zeros, run })));
/** Figures 5 and 6: exponents of documents and features, relative to the shape of the other figures. */
const DOCUMENTS = [3, 2, 1, 0, -1, -2, -3, -4, -5, -6, -7];
const FEATURES = [2, 1, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10];
/** Rounds per cell, few because there are hundreds of cells. */
const ROUNDS = 7;

/** The paper's three methods and the hybrid. */
const FREE = "weighted-collision-free";
const COLLISION = "weighted-collision";
const REDUCED = "weighted-collision-reduced";
const HYBRID = "weighted-hybrid";
const FOR_MANY: readonly WeightedSlug[] = [COLLISION, REDUCED];
const OURS: SumsCell = { algorithm: "weighted-fixed-point" };

/** Cells with every combination of values of their parameters. */
type Cells = { readonly algorithm: WeightedSlug | readonly WeightedSlug[] } & {
  readonly [name in keyof SumsCell]?: SumsCell[name] | readonly SumsCell[name][];
};

/** Tables that differ in their bins and in their values, and the cells on each. */
interface Step {
  /** The bins of the tables in each figure. */
  readonly bins: Readonly<Record<string, readonly number[]>>;
  readonly kinds: readonly Kind[];
  /** Whether one table has features of all kinds. */
  readonly mixed?: boolean;
  readonly cells: readonly Cells[];
  /** Exponents by which tables have more features or documents than the others. */
  readonly features?: readonly number[];
  readonly documents?: readonly number[];
}

/** The values of the parameters whose best the paper's Tables 5 and 6 name. */
export const SWEPT = {
  "weighted-collision-free": { unroll: [1, 2, 4, 8, 16, 32] },
  "weighted-collision": { warps: [1, 2, 4, 8] },
  "weighted-collision-reduced": { warps: [2, 3, 6, 8], buffer: [5, 8, 10, 16] },
} as const;

/** The parameters that a device has. Integers are swept if it cannot add the paper's floats. */
interface Able {
  readonly swept: NonNullable<SumsCell["precision"]>;
  readonly both: readonly SumsCell["precision"][];
  readonly fetches: readonly SumsCell["fetch"][];
}

/** Figures without a name are only in the notes. */
const NONE = "";

/** Each suite's tables, the most important first. */
const STEPS = {
  paper: ({ swept, both, fetches }) => [
    {
      bins: { "Figure 9": MOST_BINS },
      kinds: SIGMAS,
      cells: [{ algorithm: FOR_MANY, precision: both }, OURS],
    },
    {
      bins: { "Table 7": BINS, "Figure 7": FEW_BINS, "Figure 11": MANY_BINS },
      kinds: [USUAL],
      cells: [{ algorithm: [HYBRID, FREE, ...FOR_MANY], precision: both }, OURS],
    },
    {
      bins: { "Table 5": FEW_BINS, "Figure 4": [64] },
      kinds: [UNIFORM],
      cells: [{ algorithm: FREE, precision: swept, ...SWEPT[FREE], fetch: fetches }],
    },
    {
      bins: { "Figure 11": MANY_BINS },
      kinds: [USUAL],
      cells: [{ algorithm: [...FOR_MANY, HYBRID], precision: swept, skip: true }],
    },
  ],
  parameters: ({ swept: precision, fetches: fetch }) => [
    {
      bins: { "Figure 8": MOST_BINS },
      kinds: [UNIFORM],
      cells: [{ algorithm: COLLISION, precision, warps: [2, 4, 8, 16, 32], unroll: [1, 2, 4, 8], fetch }],
    },
    {
      bins: { "Figure 11": MOST_BINS },
      kinds: ZERO_SHARES,
      cells: [{ algorithm: FOR_MANY, precision, skip: [undefined, true] }],
    },
    {
      bins: { "Table 6": MANY_BINS },
      kinds: [USUAL],
      cells: [
        { algorithm: COLLISION, precision, ...SWEPT[COLLISION] },
        // A buffer of words holds whole words. Only one of values has the paper's 5 and 10 units with any number of bins.
        { algorithm: REDUCED, precision, ...SWEPT[REDUCED], fetch },
      ],
    },
  ],
  shapes: ({ swept: precision }) => [
    {
      bins: { "Figure 11": MANY_BINS },
      kinds: KINDS,
      mixed: true,
      cells: [{ algorithm: [...FOR_MANY, HYBRID], precision, skip: [undefined, true] }],
    },
    { bins: { "Figure 10": MOST_BINS }, kinds: KINDS, cells: [{ algorithm: FOR_MANY, precision }] },
    {
      bins: { "Figure 6": [64] },
      kinds: [UNIFORM],
      cells: [{ algorithm: FREE, precision, unroll: 16 }],
      features: FEATURES,
    },
    {
      bins: { "Figure 5": [64] },
      kinds: [UNIFORM],
      cells: [{ algorithm: FREE, precision, unroll: 16 }],
      documents: DOCUMENTS,
    },
  ],
  /** Words and single values (4.1). */
  fetch: ({ both: precision }) => [
    {
      bins: { [NONE]: BINS },
      kinds: [UNIFORM],
      cells: [{ precision, algorithm: [FREE, ...FOR_MANY], fetch: ["word", "value"] }],
    },
  ],
  /** With and without Algorithm 2's sub-histograms. */
  reduce: ({ both: precision }) => [
    {
      bins: { [NONE]: MANY_BINS },
      kinds: [UNIFORM, USUAL],
      cells: [{ algorithm: REDUCED, precision, reduce: ["tables", "atomic"], fetch: ["word", "value"] }],
    },
  ],
  /** Integers and floats, with and without skipping, on three kinds of tables. */
  hybrid: ({ both: precision }) => {
    const cells: readonly Cells[] = [
      { precision, skip: [undefined, true], algorithm: [HYBRID, FREE, ...FOR_MANY] },
    ];
    const bins = { [NONE]: [128, 256, 1024] };
    return [
      { bins: { [NONE]: [4, 16, 64, 128, 256, 512, 1024] }, kinds: [USUAL], cells },
      { bins, kinds: [UNIFORM], cells },
      { bins, kinds: KINDS, mixed: true, cells },
    ];
  },
} satisfies Record<string, (able: Able) => readonly Step[]>;

/** The notes that follow from a suite's rows. */
const NOTES: Readonly<Record<keyof typeof STEPS, (rows: readonly Row[]) => Record<string, unknown>>> = {
  ...{ paper: paperNotes, parameters: paperNotes, shapes: paperNotes },
  fetch: (rows) => ({ "words over single values": fetchGains(rows) }),
  reduce: (rows) => ({ "sub-histograms over atomics": reduceGains(rows) }),
  hybrid: (rows) => ({
    "hybrid over the best of its methods": hybridGains(rows),
    "Table 7: collision-free is the fastest method up to": thresholds(rows),
  }),
};

/** A suite on tables of the paper's or another number of features and documents. */
type Suite = (bench: Bench, shape?: readonly [features: number, documents: number]) => Promise<void>;

const suite =
  (name: keyof typeof STEPS): Suite =>
  async (bench, shape = SHAPE) => {
    for (const step of STEPS[name](await ableOf(bench))) await measure(bench, step, shape);
    const { report } = bench;
    for (const [of, note] of Object.entries(NOTES[name](report.rows))) report.note(of, note);
  };

/** Measures Xu et al.'s Tables 5 and 7, and Figures 4, 7, 9 and (on usual data) 11, on tables of their shape. */
export const weightedPaper: Suite = suite("paper");
/** Measures Xu et al.'s Table 6, Figure 8, and Figure 11 by the share of zeros. */
export const weightedParameters: Suite = suite("parameters");
/** Measures Xu et al.'s Figures 5 and 6 by documents and features, Figure 10 by feature, and Figure 11 on all those features. */
export const weightedShapes: Suite = suite("shapes");
/** Measures what fetching words gains over fetching single values. */
export const weightedFetch: Suite = suite("fetch");
/** Measures what sub-histograms and a second kernel cost against adding tables to the totals. */
export const weightedReduce: Suite = suite("reduce");
/** Measures the hybrid and its methods in the same run. The threshold of Table 7 follows from the rows. */
export const weightedHybrid: Suite = suite("hybrid");

/** Measures a step's cells on all its tables. */
async function measure(bench: Bench, step: Step, shape: readonly [number, number]): Promise<void> {
  const { features: wider = [0], documents: longer = [0], kinds, mixed } = step;
  const most = Math.min(ROUNDS, bench.options.rounds);
  const tables = [...new Set(Object.values(step.bins).flat())].flatMap((bins) =>
    (mixed ? [kinds] : kinds.map((kind) => [kind])).flatMap((kinds) =>
      wider.flatMap((more) => longer.map((longer) => ({ bins, kinds, more, longer }))),
    ),
  );
  for (const { bins, kinds, more, longer } of tables) {
    const there = claimed(
      bench,
      step.cells.flatMap((cells) => combinations<SumsCell>(cells)).filter((cell) => fits(cell, bins)),
    );
    const [features, documents] = [shape[0] * 2 ** more, shape[1] * 2 ** longer];
    // A small table cannot be divided like this.
    if (there.length === 0 || features < 1 || documents < 1) continue;
    const [first, ...others] = kinds.map((kind) => rowOfKind(kind, bins, documents));
    const row = mixed ? { name: "features of all kinds", bins, values: first!.values } : first!;
    await using loaded = await LoadedTable.load(
      bench,
      new ShiftedTable(row, typeFor(bins), features, others),
    );
    if (loaded === null) continue;
    const figures = Object.keys(step.bins).filter((name) => name !== NONE && step.bins[name]!.includes(bins));
    for (const cell of there) await loaded.measure(cell, { figures, most });
    if (figures.includes("Table 7")) noteChoices(bench, loaded, bins);
  }
}

/** Whether a thread reads at least one word. */
export function fits({ fetch, unroll }: SumsCell, bins: number): boolean {
  if (fetch !== "word" || unroll === undefined) return true;
  return unroll >= documentsPerFetchOf({ type: typeFor(bins), parameters: { fetch } });
}

/** Notes by which methods the hybrid counts how many features. */
function noteChoices({ report }: Bench, { table: { choices } }: LoadedTable, bins: number): void {
  for (const [precision, of] of Map.groupBy(choices, (choice) => choice.precision)) {
    const byMethod = [...Map.groupBy(of, ({ algorithm }) => algorithm)].map(([name, of]) => [
      name,
      of.length,
    ]);
    const floats = precision === "fast" ? " of floats" : "";
    report.note(`hybrid's choices, ${bins} bins${floats}`, Object.fromEntries(byMethod));
  }
}

/** The paper adds floats. If a device cannot, integers are swept, and the report says why. */
async function ableOf({ engine, report, target }: Bench): Promise<Able> {
  // Other backends have one fetch only, which is their default.
  const fetches = target.id === "cuda" ? (["word", "value"] as const) : [undefined];
  const floats: Able = { swept: "fast", both: ["reproducible", "fast"], fetches };
  if (!engine.weighted.includes(COLLISION)) return floats;
  try {
    const values = new Uint8Array(32);
    await using table = await engine.table({ values, features: 1, documents: 32, bins: 2 });
    await table.sums(new Float32Array(32), { algorithm: COLLISION, precision: "fast" });
    return floats;
  } catch (error) {
    report.miss(`sums of floats, so parameters are measured with integers: ${(error as Error).message}`);
    return { swept: "reproducible", both: ["reproducible"], fetches };
  }
}

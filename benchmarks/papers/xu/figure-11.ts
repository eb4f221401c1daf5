import { median } from "../../src/runner/statistics.ts";
import { claimOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { because, digits, ratioSide, ratios, ratiosFrom, rule } from "../readings/index.ts";
import { floatAtomics } from "./causes.ts";
import {
  asInPaper,
  byBins,
  HYBRID_NOTE,
  INTEGERS,
  integersOf,
  OUR_FEATURES,
  ofIntegers,
  pointsOf,
} from "./rows.ts";

const [paper, id] = ["xu", "figure-11"] as const;
const BINS = [128, 256, 512, 1024];
const SHARES = [0, 0.25, 0.5, 0.9, 0.99];
const TWO = ["weighted-collision", "weighted-collision-reduced"];
const OURS = "weighted-hybrid";
const MANY = [...TWO, OURS];
/** The methods that the hybrid chooses from. */
const CHOICE = ["weighted-collision-free", ...TWO];
const [collision, reduced] = ["collision", "collision-reduced"] as const;
const [HYBRID, BEST] = ["hybrid", "best of its methods"] as const;
/** The hybrid may lose as much to the best method by noise. */
const NOISE = 0.97;
const skipped = (series: string) => `${series}, zeros skipped`;
/** The usual share of zeros in 6.2.5, also used by Tables 6 and 7. */
const USUAL = 0.8;
const MIXED = "features of all kinds";
const isUsual = ({ weighted }: SumsRow): boolean => weighted.zeroShare === USUAL;
const isMixed = ({ distribution }: SumsRow): boolean => distribution === MIXED;
const claim = (name: string) => claimOf(paper, id, name);

/** The cells of the suite that measures the hybrid next to its methods, else those of the other suites. */
function hybridCells(measured: Measured): SumsRow[] {
  const own = measured
    .rows("weighted-hybrid")
    .filter((row): row is SumsRow => row.weighted !== undefined && BINS.includes(row.bins));
  return own.length > 0 ? own.filter(isOurs) : cells(measured);
}

function cells(measured: Measured): SumsRow[] {
  // Cells of 128 bins without skipping come from Table 7. Those of Table 6 have one method only.
  const rows = [...measured.sums("Figure 11"), ...measured.sums("Table 7")];
  return rows.filter((row) => isOurs(row) && BINS.includes(row.bins));
}

const isOurs = ({ algorithm }: SumsRow): boolean => [...CHOICE, OURS].includes(algorithm!);

/** Leaves out the collision-free method, which the paper's figure does not have. */
const ofMany = (rows: readonly SumsRow[]) => rows.filter(({ algorithm }) => MANY.includes(algorithm!));

/** Lists the methods for many bins by bins, and the best of all methods of the hybrid. */
function withHybrid(rows: readonly SumsRow[]): Point[] {
  const shown = asInPaper(ofMany(rows));
  const integers = ofIntegers(ofMany(rows)).filter((row) => !shown.includes(row));
  return [
    ...pointsOf(shown, byBins),
    ...integersOf(ofMany(rows), byBins),
    ...bestOf(rows, shown, ""),
    ...bestOf(rows, integers, INTEGERS),
  ];
}

/** The best of the hybrid's methods in calls like its own. */
function bestOf(rows: readonly SumsRow[], shown: readonly SumsRow[], behind: string): Point[] {
  return shown.filter(isHybrid).flatMap((hybrid) => {
    const best = fastestLike(rows, hybrid);
    const series = (hybrid.weighted.skip ? skipped(BEST) : BEST) + behind;
    return best === null ? [] : [{ series, x: hybrid.bins, y: best.gbps }];
  });
}

const isHybrid = ({ algorithm }: SumsRow): boolean => algorithm === OURS;

/**
 * Returns the fastest single method in calls like one of the hybrid's: the same bins and arithmetic, and zeros skipped
 * or not. Null if one of the methods for many bins was not measured.
 */
function fastestLike(
  rows: readonly SumsRow[],
  { bins, weighted: { precision, skip } }: SumsRow,
): SumsRow | null {
  const like = rows.filter(
    ({ algorithm, weighted, bins: of }) =>
      of === bins &&
      CHOICE.includes(algorithm!) &&
      weighted.precision === precision &&
      weighted.skip === skip,
  );
  if (!TWO.every((name) => like.some(({ algorithm }) => algorithm === name))) return null;
  return like.toSorted((a, b) => b.gbps - a.gbps)[0]!;
}

/** Names the number of bins at which the hybrid loses most, and its choice there. */
function worseChoice(measured: Measured, skips: boolean, isShown: (row: SumsRow) => boolean): string | null {
  const rows = hybridCells(measured).filter(isShown);
  const losses = asInPaper(ofMany(rows))
    .filter((row) => isHybrid(row) && row.weighted.skip === skips)
    .flatMap((hybrid) => {
      const best = fastestLike(rows, hybrid);
      return best === null ? [] : [{ hybrid, best, factor: hybrid.gbps / best.gbps }];
    });
  const worst = losses.toSorted((a, b) => a.factor - b.factor)[0];
  if (worst === undefined) return null;
  const { hybrid, best } = worst;
  const chosen = [...new Set(hybrid.weighted.plans.map((plan) => plan.split(":")[0]))].join(" and ");
  return `With ${digits(hybrid.bins)} bins the hybrid chose ${chosen} and reaches ${digits(hybrid.gbps)} GB/s, while ${best.algorithm} reaches ${digits(best.gbps)} GB/s.`;
}

const GAIN = "skipping over not skipping";

/** The median gain of both methods from skipping zeros. */
function gains(rows: readonly SumsRow[]): Point[] {
  const points = pointsOf(asInPaper(ofMany(rows)), byBins);
  return [collision, reduced].flatMap((x) => {
    const factors = points.flatMap((point) => {
      const plain = points.find(({ series, x: bins }) => series === x && bins === point.x)?.y;
      return point.series === skipped(x) && plain !== undefined ? [point.y / plain] : [];
    });
    return factors.length === 0 ? [] : [{ series: GAIN, x, y: median(factors) }];
  });
}

const panel = (name: string, title: string, label: string, ours: Panel["ours"]): Panel => ({
  id: name,
  title,
  mark: "bar",
  x: { label, scale: "category" },
  y: { label: "GB/s of values", scale: "linear" },
  paper: [],
  wanted: [],
  ours,
});
const both = [collision, reduced].flatMap((series) => [series, skipped(series)]);

export const figure11: Figure = {
  paper,
  id,
  title: "Figure 11: methods for many bins, with and without skipping zeros",
  source: "6.2.5 and Figure 11; 4.4.2",
  lost: "all columns. The text gives factors",
  needs: "gpu",
  command: "run bench weighted-hybrid weighted-parameters",
  panels: [
    {
      ...panel("bins", "Throughput by bins, 80% zeros", "bins", (measured) =>
        withHybrid(hybridCells(measured).filter(isUsual)),
      ),
      wanted: [...both, HYBRID, skipped(HYBRID)].flatMap((series) => BINS.map((x) => ({ series, x }))),
    },
    {
      ...panel("mixed", "Throughput by bins, the features of Figure 10 in one table", "bins", (measured) =>
        withHybrid(hybridCells(measured).filter(isMixed)),
      ),
      wanted: [...both, HYBRID, skipped(HYBRID)].flatMap((series) => BINS.map((x) => ({ series, x }))),
    },
    {
      ...panel("zeros", "Throughput by the share of zeros, 1,024 bins", "share of zeros", (measured) =>
        pointsOf(
          asInPaper(ofMany(cells(measured))).filter(
            ({ weighted, bins }) => bins === 1024 && SHARES.includes(weighted.zeroShare ?? -1),
          ),
          ({ weighted }) => weighted.zeroShare!,
        ),
      ),
      wanted: both.flatMap((series) => SHARES.map((x) => ({ series, x }))),
    },
    {
      ...panel(
        "gains",
        "The median gain from skipping zeros over the numbers of bins",
        "method",
        (measured) => gains(cells(measured).filter(isUsual)),
      ),
      wanted: [collision, reduced].map((x) => ({ series: GAIN, x })),
    },
  ],
  rules: [
    rule(
      "bins",
      "Collision-reduced over collision, at least",
      "6.2.5",
      ratios("least", reduced, collision),
      claim("reduced over collision, least"),
    ),
    rule(
      "bins",
      "Collision-reduced over collision, at most",
      "6.2.5",
      ratios("most", reduced, collision),
      claim("reduced over collision, most"),
    ),
    because(
      rule(
        "bins",
        "Gain of the collision method from skipping zeros",
        "4.4.2",
        ratios("median", skipped(collision), collision),
        claim("skipping gains"),
      ),
      floatAtomics,
    ),
    rule(
      "bins",
      "Gain of the collision-reduced method from skipping zeros",
      "4.4.2",
      ratios("median", skipped(reduced), reduced),
      claim("skipping gains"),
    ),
    rule(
      "mixed",
      "Features of different kinds: collision-reduced over collision",
      "6.2.5",
      ratios("median", reduced, collision),
      claim("reduced over collision, least"),
    ),
    ...[["", HYBRID, BEST] as const, [", zeros skipped", skipped(HYBRID), skipped(BEST)] as const].flatMap(
      ([what, hybrid, best]) => [
        because(
          rule(
            "mixed",
            `Features of different kinds: the hybrid over the best of its methods${what}`,
            "6.2.5",
            ratios("median", hybrid, best),
            1 + claim("hybrid gains, least %") / 100,
          ),
          (measured) => worseChoice(measured, hybrid === skipped(HYBRID), isMixed),
        ),
        ...(
          [
            ["bins", "", isUsual],
            ["mixed", ", features of different kinds", isMixed],
          ] as const
        ).map(([place, on, isShown]) =>
          because(
            rule(
              place,
              `The hybrid is nowhere slower than the best of its methods${on}${what}`,
              "4.5",
              ratiosFrom(hybrid, best, NOISE),
              1,
              "the best performance",
            ),
            (measured) => worseChoice(measured, hybrid === skipped(HYBRID), isShown),
          ),
        ),
      ],
    ),
    rule(
      "gains",
      "Skipping zeros helps the collision method more than the collision-reduced one",
      "6.2.5",
      ratioSide({ series: GAIN, x: collision }, { series: GAIN, x: reduced }),
      { side: "above 1" },
      "more beneficial",
    ),
  ],
  notes: [
    OUR_FEATURES,
    HYBRID_NOTE,
    "If all features are alike, the hybrid can only be as good as the best of its methods. Its gain comes from the table of different features.",
    "The paper's hybrid chooses from two methods for many bins. Ours also times the collision-free method, so the best of its methods can be that one.",
  ],
};

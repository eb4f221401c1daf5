import { median } from "../../src/runner/statistics.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits, value } from "../readings/index.ts";
import { asInPaper, byBins, INTEGERS, integersOf, ofIntegers, pointsOf } from "./rows.ts";

const BINS = [128, 256, 512, 1024];
const TWO = ["weighted-collision", "weighted-collision-reduced"];
const OURS = "weighted-hybrid";
const MANY = [...TWO, OURS];
/** The methods that the hybrid chooses from. */
const CHOICE = ["weighted-collision-free", ...TWO];
const BEST = "best of its methods";
const skipped = (series: string) => `${series}, zeros skipped`;
/** The usual share of zeros in 6.2.5, also used by Tables 6 and 7. */
const USUAL = 0.8;
const MIXED = "features of all kinds";
const isUsual = ({ weighted }: SumsRow): boolean => weighted.zeroShare === USUAL;
const isMixed = ({ distribution }: SumsRow): boolean => distribution === MIXED;
/** The features that a panel shows. */
const SHOWN: Readonly<Record<"usual" | "mixed", (row: SumsRow) => boolean>> = {
  usual: isUsual,
  mixed: isMixed,
};

/** The cells of the suite that measures the hybrid next to its methods, and those of the other suites on other tables. */
function hybridCells(measured: Measured): SumsRow[] {
  const own = measured
    .rows("weighted-hybrid")
    .filter((row): row is SumsRow => row.weighted !== undefined && BINS.includes(row.bins))
    .filter(isOurs);
  const measuredHere = new Set(own.map(cellOf));
  return [...own, ...cells(measured).filter((row) => !measuredHere.has(cellOf(row)))];
}

const cellOf = ({ algorithm, bins, distribution, weighted: { precision, skip } }: SumsRow): string =>
  [algorithm, bins, distribution, precision, skip].join();

function cells(measured: Measured): SumsRow[] {
  // Cells of 128 bins without skipping come from Table 7. Those of Table 6 have one method only.
  const rows = [...measured.sums("Figure 11"), ...measured.sums("Table 7")];
  return rows.filter((row) => isOurs(row) && BINS.includes(row.bins));
}

const isOurs = ({ algorithm }: SumsRow): boolean => [...CHOICE, OURS].includes(algorithm!);

/** Leaves out the collision-free method, which the paper's figure does not have. */
const ofMany = (rows: readonly SumsRow[]) => rows.filter(({ algorithm }) => MANY.includes(algorithm!));

/** Lists the methods for many bins by bins, and the best of all methods of the hybrid. */
export function withHybrid(measured: Measured, features: keyof typeof SHOWN): Point[] {
  const rows = hybridCells(measured).filter(SHOWN[features]);
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
 * or not. Null if a method for many bins was not measured, or one that the hybrid chose.
 */
function fastestLike(rows: readonly SumsRow[], hybrid: SumsRow): SumsRow | null {
  const { bins, weighted } = hybrid;
  const { precision, skip } = weighted;
  const like = rows.filter(
    ({ algorithm, weighted, bins: of }) =>
      of === bins &&
      CHOICE.includes(algorithm!) &&
      weighted.precision === precision &&
      weighted.skip === skip,
  );
  const needed = [...TWO, ...choicesOf(hybrid)];
  if (!needed.every((name) => like.some(({ algorithm }) => algorithm === name))) return null;
  return like.toSorted((a, b) => b.gbps - a.gbps)[0]!;
}

/** The methods that the hybrid chose, as its plans name them. */
const choicesOf = ({ weighted: { plans } }: SumsRow): string[] => [
  ...new Set(plans.map((plan) => plan.split(":")[0]!)),
];

/** Names the number of bins at which the hybrid loses most, and its choice there. */
export function worseChoice(measured: Measured, skips: boolean, features: keyof typeof SHOWN): string | null {
  const rows = hybridCells(measured).filter(SHOWN[features]);
  const losses = asInPaper(ofMany(rows))
    .filter((row) => isHybrid(row) && row.weighted.skip === skips)
    .flatMap((hybrid) => {
      const best = fastestLike(rows, hybrid);
      return best === null ? [] : [{ hybrid, best, factor: hybrid.gbps / best.gbps }];
    });
  const worst = losses.toSorted((a, b) => a.factor - b.factor)[0];
  if (worst === undefined) return null;
  const { hybrid, best } = worst;
  const chosen = choicesOf(hybrid).join(" and ");
  return `With ${digits(hybrid.bins)} bins the hybrid chose ${chosen} and reaches ${digits(hybrid.gbps)} GB/s, while ${best.algorithm} reaches ${digits(best.gbps)} GB/s.`;
}

const GAIN = "skipping over not skipping";

/** The median gain of both methods from skipping zeros, over all numbers of bins. */
export function gainsOfSkipping(measured: Measured): Point[] {
  const points = pointsOf(asInPaper(ofMany(cells(measured).filter(isUsual))), byBins);
  return ["collision", "collision-reduced"].flatMap((x) => {
    const factors = BINS.flatMap((bins) => {
      const [skips, plain] = [skipped(x), x].map((series) => value(points, { series, x: bins }));
      return skips == null || plain == null ? [] : [skips / plain];
    });
    return factors.length < BINS.length ? [] : [{ series: GAIN, x, y: median(factors) }];
  });
}

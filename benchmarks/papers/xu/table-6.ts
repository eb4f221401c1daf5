import { numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, best, digits, lowest, ratio, rule, trend } from "../readings/index.ts";
import { COUNTERS_COMMAND, counterPoints, countersOf } from "./counters.ts";
import { asInPaper, fastestByBins, OUR_FEATURES } from "./rows.ts";

const [paper, id] = ["xu", "table-6"] as const;
const BINS = [128, 256, 512, 1024];
const [collision, reduced] = ["collision", "collision-reduced"] as const;

function bestOf(
  measured: Measured,
  series: string,
  parameter: (row: SumsRow) => number | undefined,
): Point[] {
  const rows = measured.sums("Table 6").filter(({ algorithm }) => algorithm === `weighted-${series}`);
  // Only a number of bins with all its cells counts. Otherwise the best of a few cells would pass for the best of all.
  const most = Math.max(...[...Map.groupBy(rows, ({ bins }) => bins).values()].map((of) => of.length));
  const whole = rows.filter(({ bins }) => rows.filter((row) => row.bins === bins).length === most);
  return fastestByBins(asInPaper(whole)).flatMap((row) => {
    const y = parameter(row);
    return y === undefined ? [] : [{ series, x: row.bins, y }];
  });
}

/** Share of our best from which on other parameters count as good. */
const AS_GOOD = 0.95;

/** The row with the paper's parameters, and our fastest, for each number of bins. */
function pairs(measured: Measured, series: string) {
  const rows = asInPaper(
    measured.sums("Table 6").filter(({ algorithm }) => algorithm === `weighted-${series}`),
  );
  const theirs = (panel: string, bins: number) =>
    numbersOf(paper, id, panel).find((number) => number.series === series && number.x === bins)?.y;
  return fastestByBins(rows).flatMap((best) => {
    const [warps, buffer] = ["warps", "buffer"].map((panel) => theirs(panel, best.bins));
    const same = rows.find(
      ({ bins, weighted }) => bins === best.bins && weighted.warps === warps && weighted.buffer === buffer,
    );
    return same === undefined ? [] : [{ best, same }];
  });
}

function shares(measured: Measured, series: string): Point[] {
  return pairs(measured, series).map(({ best, same }) => ({
    series,
    x: best.bins,
    y: same.gbps / best.gbps,
  }));
}

/** Names the parameters that gain most over the paper's. */
function betterElsewhere(series: string): (measured: Measured) => string | null {
  return (measured) => {
    const worst = pairs(measured, series).toSorted(
      (a, b) => a.same.gbps / a.best.gbps - b.same.gbps / b.best.gbps,
    )[0];
    if (worst === undefined) return null;
    const parameters = ({ weighted: { warps, buffer } }: SumsRow) =>
      `N_warp = ${warps}${buffer === undefined ? "" : ` and N_buffer = ${buffer}`}`;
    const { best, same } = worst;
    return `With ${digits(best.bins)} bins ${parameters(best)} reaches ${digits(best.gbps)} GB/s, and the paper's ${parameters(same)} ${digits(same.gbps)} GB/s.`;
  };
}

export const table6: Figure = {
  paper,
  id,
  title: "Table 6: the best parameters of the methods for many bins",
  source: "6.2.5 and Table 6",
  lost: null,
  needs: "gpu",
  command: "run bench weighted-parameters",
  panels: [
    {
      id: "warps",
      title: "The best N_warp by bins",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "N_warp", scale: "linear" },
      paper: numbersOf(paper, id, "warps"),
      wanted: [reduced, collision].flatMap((series) => BINS.map((x) => ({ series, x }))),
      ours: (measured) =>
        [reduced, collision].flatMap((series) => bestOf(measured, series, ({ weighted }) => weighted.warps)),
    },
    {
      id: "buffer",
      title: "The best N_buffer by bins",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "N_buffer", scale: "linear" },
      paper: numbersOf(paper, id, "buffer"),
      wanted: BINS.map((x) => ({ series: reduced, x })),
      ours: (measured) => bestOf(measured, reduced, ({ weighted }) => weighted.buffer),
    },
    {
      id: "share",
      title: "Throughput with the paper's parameters, as a share of our best",
      mark: "bar",
      x: { label: "bins", scale: "category" },
      y: { label: "share", scale: "linear" },
      paper: [],
      wanted: [reduced, collision].flatMap((series) => BINS.map((x) => ({ series, x }))),
      ours: (measured) => [reduced, collision].flatMap((series) => shares(measured, series)),
    },
    {
      id: "occupancy",
      title: "Occupancy with the paper's parameters, %",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "%", scale: "linear" },
      paper: numbersOf(paper, id, "occupancy"),
      wanted: BINS.map((x) => ({ series: reduced, x })),
      command: COUNTERS_COMMAND,
      ours: (measured) =>
        counterPoints(
          countersOf(measured, "Table 6"),
          reduced,
          ({ bins }) => bins,
          ({ values }) => values.occupancyMost,
        ),
    },
  ],
  rules: [
    rule("warps", "More bins need more warps, collision-reduced", "Table 6", trend(reduced)),
    because(
      rule(
        "warps",
        "1,024 bins over 128, collision",
        "Table 6",
        ratio({ series: collision, x: 1024 }, { series: collision, x: 128 }),
      ),
      betterElsewhere(collision),
    ),
    ...[reduced, collision].map((series) =>
      because(
        rule(
          "share",
          `The paper's parameters are the best: throughput with them over our best, ${series}`,
          "Table 6",
          lowest(series, AS_GOOD),
          1,
        ),
        betterElsewhere(series),
      ),
    ),
    rule("occupancy", "The number of bins with the highest occupancy", "Table 6", best(reduced)),
  ],
  notes: [OUR_FEATURES],
};

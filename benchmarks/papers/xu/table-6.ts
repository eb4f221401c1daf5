import { numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { ratio, rule, trend } from "../readings/index.ts";
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
  ],
  rules: [
    rule("warps", "More bins need more warps, collision-reduced", "Table 6", trend(reduced)),
    rule(
      "warps",
      "1,024 bins over 128, collision",
      "Table 6",
      ratio({ series: collision, x: 1024 }, { series: collision, x: 128 }),
    ),
    rule(
      "buffer",
      "1,024 bins over 512",
      "Table 6",
      ratio({ series: reduced, x: 1024 }, { series: reduced, x: 512 }),
    ),
  ],
  notes: [OUR_FEATURES, "The paper's occupancy comes from a profiler. It is not measured here."],
};

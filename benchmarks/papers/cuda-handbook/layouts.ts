import type { Figure } from "../model.ts";
import { ratioSide, rule } from "../readings/index.ts";

const WHERE = "Layout Considerations";
/** Figures 4, 5 and 6. */
const LAYOUTS = ["row", "column", "interleaved"];
const MERGES = ["periodic", "avoid", "check-shared", "check-global"];

export const layouts: Figure = {
  paper: "cuda-handbook",
  id: "layouts",
  title: "Figures 4 to 6 and Listing 8: layouts and merges of privatized histograms",
  source: `${WHERE}; Managing Overflow`,
  lost: "all numbers. The text only says which is faster",
  needs: "gpu",
  command: "run bench algorithms",
  panels: ["uniform", "zeros"].map((distribution) => ({
    id: distribution,
    title: `Throughput by layout, ${distribution === "zeros" ? "all zeros" : "uniform bytes"}`,
    mark: "bar",
    x: { label: "layout", scale: "category" },
    y: { label: "GB/s", scale: "linear" },
    paper: [],
    wanted: MERGES.flatMap((series) => LAYOUTS.map((x) => ({ series, x }))),
    ours: (measured) =>
      measured.rows("algorithms").flatMap((row) => {
        const [series, x] = row.variant?.split(" ") ?? [];
        const is = row.algorithm === "privatized" && row.distribution === distribution;
        return is && series !== undefined && x !== undefined ? [{ series, x, y: row.gbps }] : [];
      }),
  })),
  rules: [
    ...["row", "column"].map((layout) =>
      rule(
        "uniform",
        `Interleaved bytes in words (Figure 6) are faster than a ${layout} of bytes`,
        WHERE,
        ratioSide({ series: "periodic", x: "interleaved" }, { series: "periodic", x: layout }),
        { side: "above 1" },
        "faster",
      ),
    ),
    rule(
      "zeros",
      "Neighbouring words separate degenerate data: interleaved over a row of bytes",
      WHERE,
      ratioSide({ series: "periodic", x: "interleaved" }, { series: "periodic", x: "row" }),
      { side: "above 1" },
      "faster",
    ),
    rule(
      "uniform",
      "Periodic merging is faster than launching enough blocks to avoid overflow",
      "Managing Overflow",
      ratioSide({ series: "periodic", x: "interleaved" }, { series: "avoid", x: "interleaved" }),
      { side: "above 1" },
      "measurably faster",
    ),
    ...(["shared", "global"] as const).map((to) =>
      rule(
        "uniform",
        `Checking every increment for overflow is slower than periodic merging (atomics into ${to} memory)`,
        "Managing Overflow",
        ratioSide({ series: `check-${to}`, x: "interleaved" }, { series: "periodic", x: "interleaved" }),
        { side: "below 1" },
        "too slow",
      ),
    ),
  ],
  notes: [],
};

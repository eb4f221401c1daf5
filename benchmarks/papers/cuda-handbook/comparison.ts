import { DISTRIBUTIONS } from "../../src/data/distributions.ts";
import type { Figure } from "../model.ts";
import { ratio, ratioSide, rule, steadier } from "../readings/index.ts";

const [paper, id] = ["cuda-handbook", "comparison"] as const;
const MAGNITUDE = 10;
const WHERE = "Privatized (Per Thread) Histograms";

/** The Handbook's kernels, and ours. */
const KERNELS: Readonly<Record<string, string>> = {
  global: "global",
  "per-block": "per-block",
  "privatized periodic interleaved": "privatized",
  "per-lane": "per-lane (ours)",
};
const THEIRS = ["global", "per-block", "privatized"];
const loss = (series: string) => ratio({ series, x: "uniform" }, { series, x: "zeros" });

export const comparison: Figure = {
  paper,
  id,
  title: "One histogram per grid, per block, per thread",
  source: `${WHERE}, Performance`,
  lost: "the section Performance with all its numbers, which the excerpt lacks. The excerpt has its claims about the data",
  needs: "gpu",
  command: "run bench algorithms",
  panels: [
    {
      id: "distributions",
      title: "Throughput by distribution",
      mark: "bar",
      x: { label: "bytes", scale: "category" },
      y: { label: "GB/s", scale: "log" },
      paper: [],
      wanted: THEIRS.flatMap((series) => DISTRIBUTIONS.map((x) => ({ series, x }))),
      ours: (measured) =>
        measured.rows("algorithms").flatMap(({ algorithm, variant, distribution, gbps }) => {
          const series = KERNELS[[algorithm, variant].filter(Boolean).join(" ")];
          return series === undefined ? [] : [{ series, x: distribution, y: gbps }];
        }),
    },
  ],
  rules: [
    rule(
      "distributions",
      "Global atomics lose an order of magnitude on degenerate data: uniform over zeros",
      WHERE,
      loss("global"),
      MAGNITUDE,
      "an order of magnitude",
    ),
    rule(
      "distributions",
      "Shared atomics lose an order of magnitude on degenerate data: uniform over zeros",
      WHERE,
      loss("per-block"),
      MAGNITUDE,
      "an order of magnitude",
    ),
    rule(
      "distributions",
      "Privatized histograms depend less on the data than one histogram per block",
      WHERE,
      steadier("privatized", "per-block"),
      { side: "above 1" },
      "the aim",
    ),
    rule(
      "distributions",
      "One histogram per thread is slower than one per block on scattered data",
      WHERE,
      ratioSide({ series: "privatized", x: "uniform" }, { series: "per-block", x: "uniform" }),
      { side: "below 1" },
      "some performance given up",
    ),
  ],
  notes: [
    "`global` is measured on 64 MiB and the others on 1 GiB, because `global` is two orders of magnitude slower.",
  ],
};

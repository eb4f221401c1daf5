import { claimOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, ratioSide, ratiosMagnitude, rule, winsShare } from "../readings/index.ts";
import { floatAtomics } from "./causes.ts";
import { deviationsOf } from "./deviations.ts";
import { asInPaper, pointsOf } from "./rows.ts";

const [paper, id] = ["xu", "figure-10"] as const;
const [collision, reduced] = ["collision", "collision-reduced"] as const;
const AHEAD = claimOf(paper, id, "reduced ahead of, %") / 100;

const FEATURES = [0, 50, 90].flatMap((zeros) => [1, 4, 16, 64, 256].map((run) => `${zeros}%, ${run}`));
/** Extracts a feature's share of zeros and length of runs from its name. */
const kindOf = (name: string) => name.replace(" zeros, runs of ", ", ");

/** Sorts features by the collision method's time, the slowest first, as in the paper. */
function sorted(measured: Measured): Point[] {
  const points = pointsOf(asInPaper(measured.sums("Figure 10")), ({ distribution }) => kindOf(distribution));
  const features = points.filter(({ series }) => series === collision).toSorted((a, b) => a.y - b.y);
  return features.flatMap(({ x }) => points.filter((point) => point.x === x));
}

export const figure10: Figure = {
  paper,
  id,
  title: "Figure 10: both methods on single features, 1,024 bins",
  source: "6.2.4 and Figure 10",
  lost: "all points. The text gives shares of features",
  needs: "gpu",
  command: "run bench weighted-shapes",
  panels: [
    {
      id: "features",
      title: "Throughput by feature, the collision method's slowest first",
      mark: "bar",
      x: { label: "share of zeros, length of runs", scale: "category" },
      y: { label: "GB/s of values", scale: "log" },
      paper: [],
      wanted: [collision, reduced].flatMap((series) => FEATURES.map((x) => ({ series, x }))),
      ours: sorted,
    },
    {
      id: "deviations",
      title: "Deviation of the same features, in bins",
      mark: "bar",
      x: { label: "share of zeros, length of runs", scale: "category" },
      y: { label: "sigma", scale: "linear" },
      paper: [],
      wanted: [],
      on: "formula",
      ours: () => deviationsOf().map(({ name, sigma }) => ({ series: "sigma", x: kindOf(name), y: sigma })),
    },
  ],
  rules: [
    rule(
      "features",
      "Collision-reduced is ahead on most features",
      "6.2.4",
      winsShare(reduced, collision),
      AHEAD,
    ),
    because(
      rule(
        "features",
        "Collision-reduced is ahead by an order of magnitude on half of them: the median factor",
        "6.2.4",
        ratiosMagnitude("median", reduced, collision),
        10,
        "about one order of magnitude",
      ),
      floatAtomics,
    ),
    rule(
      "features",
      "Equal values slow the collision method down although their deviation is above 10: 90% zeros over none",
      "6.2.4",
      ratioSide({ series: collision, x: "90%, 1" }, { series: collision, x: "0%, 1" }),
      { side: "below 1" },
      "performs poor",
    ),
  ],
  notes: [
    "All features have a deviation above 10, from which on the collision method is ahead in Figure 9. The second panel has the deviations, computed from the values.",
    "The paper's features are not public. Ours cover the paper's description: shares of zeros, and equal values that follow one another in runs.",
  ],
};

import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { deviationsOf } from "./deviations.ts";
import { asInPaper, pointsOf } from "./rows.ts";

/** Extracts a feature's share of zeros and length of runs from its name. */
const kindOf = (name: string) => name.replace(" zeros, runs of ", ", ");

/** Sorts features by the collision method's time, the slowest first, as in the paper. */
export function byFeature(measured: Measured): Point[] {
  const points = pointsOf(asInPaper(measured.sums("Figure 10")), ({ distribution }) => kindOf(distribution));
  const features = points.filter(({ series }) => series === "collision").toSorted((a, b) => a.y - b.y);
  return features.flatMap(({ x }) => points.filter((point) => point.x === x));
}

/** The deviation of each of these features. */
export function deviationsByFeature(): Point[] {
  return deviationsOf().map(({ name, sigma }) => ({ series: "sigma", x: kindOf(name), y: sigma }));
}

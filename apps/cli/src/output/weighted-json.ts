import type { FeatureResult, WeightedResult } from "../weighted.ts";
import { write } from "./write.ts";

/** Prints the result as `--json` does: one object on one line, feature by feature, however many there are. */
export async function writeWeightedJson(result: WeightedResult): Promise<void> {
  const { documents, weights, quantum, backend, device, features, timings } = result;
  const head = {
    input: {
      name: documents.name,
      kind: "libsvm",
      documents: documents.labels.length,
      features: documents.features.length,
      values: documents.features.reduce((sum, { values }) => sum + values.length, 0),
    },
    weights: weights.name ?? "labels",
    backend,
    device,
    algorithm: algorithmOf(features),
    plans: [...new Set(features.map(({ plan }) => plan))],
    precision: features[0]!.plan.precision,
    quantum,
  };
  await write(`${JSON.stringify(head).slice(0, -1)},"features":[`);
  for (const [i, feature] of features.entries()) {
    await write(`${i > 0 ? "," : ""}${JSON.stringify(printed(feature))}`);
  }
  const { readMs, uploadMs, kernelMs, totalMs } = timings;
  await write(`],"timings":${JSON.stringify({ readMs, uploadMs, kernelMs, totalMs })}}\n`);
}

/** The algorithm of all features, or the hybrid, which alone chooses several. */
export function algorithmOf(features: readonly FeatureResult[]): string {
  const slugs = new Set(features.map(({ plan }) => plan.algorithm));
  return slugs.size === 1 ? [...slugs][0]! : "weighted-hybrid";
}

function printed({ index, edges, counts, sums, sumsOfSquares }: FeatureResult) {
  return {
    index,
    bins: counts.length,
    edges,
    counts: [...counts],
    sums: [...sums],
    ...(sumsOfSquares === null ? {} : { sumsOfSquares: [...sumsOfSquares] }),
  };
}

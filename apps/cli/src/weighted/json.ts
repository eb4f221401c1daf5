import { printable } from "../base/index.ts";
import { timingsJson } from "../output/index.ts";
import { writeParts } from "../terminal/index.ts";
import type { FeatureList, WeightedResult } from "./add-up.ts";
import type { FeatureResult } from "./feature-sums.ts";

/** Writes the result as one object on one line, feature by feature. */
export async function writeWeightedJson(result: WeightedResult): Promise<void> {
  const { name, documents, values, weights, precision, quantum, backend, device, features } = result;
  const head = {
    input: {
      name,
      kind: "libsvm",
      documents,
      features: features.length,
      values,
    },
    weights: weights.name ?? "labels",
    backend,
    device,
    algorithm: algorithmOf(features),
    plans: features.plans,
    precision,
    quantum,
  };
  await writeParts(textOf(head, result));
}

function* textOf(head: object, { features, timings }: WeightedResult): Generator<string> {
  yield `${printable(JSON.stringify(head)).slice(0, -1)},"features":[`;
  let comma = "";
  for (const feature of features) {
    yield comma + JSON.stringify(printed(feature));
    comma = ",";
  }
  yield `],"timings":${JSON.stringify(timingsJson(timings))}}\n`;
}

/** The algorithm of all features, or the hybrid, the only one that chooses several. */
export function algorithmOf({ plans }: FeatureList): string {
  const slugs = new Set(plans.map(({ algorithm }) => algorithm));
  return slugs.size === 1 ? [...slugs][0]! : "weighted-hybrid";
}

function printed({ index, edges, counts, sums, sumsOfSquares }: FeatureResult) {
  return {
    index,
    bins: counts.length,
    edges: [...edges],
    counts: [...counts],
    sums: [...sums],
    ...(sumsOfSquares === null ? {} : { sumsOfSquares: [...sumsOfSquares] }),
  };
}

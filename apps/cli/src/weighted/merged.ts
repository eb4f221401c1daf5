import { PolybinError } from "@polybin/core";
import type { Target } from "../output/index.ts";
import { write } from "../terminal/index.ts";
import type { WeightedResult } from "./add-up.ts";
import type { FeatureResult } from "./feature-sums.ts";
import { writeWeightedJson } from "./json.ts";
import { type PartFeature, readWeightedPart, type WeightedPart, writeWeightedPart } from "./part.ts";

/** How merged sums are shown. */
export interface Merging {
  /** The file of the merged part. Null to print the result. */
  readonly target: Target | null;
  readonly json: boolean;
}

/** Merges the parts of files. Their features do not overlap, so nothing is added up. */
export async function merged(paths: readonly string[], { target, json }: Merging): Promise<void> {
  const start = performance.now();
  let all = await readWeightedPart(paths[0]!);
  for (const path of paths.slice(1)) {
    const next = await readWeightedPart(path);
    checkAlike(path, all, next);
    all = joined(all, next);
  }
  if (target !== null) return writeWeightedPart(target, all);
  checkWhole(all);
  const result = resultOf(all, performance.now() - start);
  if (json) return writeWeightedJson(result);
  const { toTable } = await import("./table.ts");
  await write(toTable(result, false));
}

/** @throws ERR_INPUT for parts of two runs, and for a shard that is given twice */
function checkAlike(path: string, all: WeightedPart, { task, covered }: WeightedPart): void {
  if (JSON.stringify(task) !== JSON.stringify(all.task)) {
    throw new PolybinError(
      "ERR_INPUT",
      `${path}: expected a part of the same run but its file, weights, options or number of shards are others`,
    );
  }
  const twice = covered.filter((shard) => all.covered.includes(shard));
  if (twice.length > 0)
    throw new PolybinError(
      "ERR_INPUT",
      `${path}: expected every shard once but received ${twice.join(", ")} twice`,
    );
}

function joined(a: WeightedPart, b: WeightedPart): WeightedPart {
  const moved = b.features.map((feature) => ({ ...feature, plan: feature.plan + a.plans.length }));
  return {
    task: a.task,
    covered: [...a.covered, ...b.covered].sort((x, y) => x - y),
    values: a.values + b.values,
    quantum: a.quantum ?? b.quantum,
    plans: [...a.plans, ...b.plans],
    features: [...a.features, ...moved].sort((x, y) => x.index - y.index),
  };
}

/** Shards that a message lists at most. */
const LISTED = 10;

/** @throws ERR_INPUT if a shard is missing */
function checkWhole({ task: { of }, covered }: WeightedPart): void {
  if (covered.length === of) return;
  const held = new Set(covered);
  const missing = Array.from({ length: of }, (_, shard) => shard).filter((shard) => !held.has(shard));
  const more = missing.length > LISTED ? ` and ${missing.length - LISTED} more` : "";
  throw new PolybinError(
    "ERR_INPUT",
    `expected all shards from 0 to ${of - 1} but some are missing: ${missing.slice(0, LISTED).join(", ")}${more}; count them and merge again`,
  );
}

function resultOf({ task, values, quantum, plans, features }: WeightedPart, totalMs: number): WeightedResult {
  const { name, documents, weights, precision } = task;
  // Shards repeat the plans of one another.
  const texts = plans.map((plan) => JSON.stringify(plan));
  const different = plans.filter((_, i) => texts.indexOf(texts[i]!) === i);
  const planOf = (plan: number) => plans[texts.indexOf(texts[plan]!)]!;
  return {
    ...{ name, documents, values, weights, precision, quantum },
    ...{ backend: null, device: null },
    features: {
      length: features.length,
      plans: different,
      *[Symbol.iterator]() {
        for (const feature of features) yield resultOfFeature(feature, planOf(feature.plan));
      },
    },
    timings: { readMs: totalMs, uploadMs: 0, kernelMs: 0, totalMs },
  };
}

function resultOfFeature(
  { index, edges, counts, sums, sumsOfSquares }: PartFeature,
  plan: FeatureResult["plan"],
): FeatureResult {
  return {
    ...{ index, plan },
    edges: Float64Array.from(edges),
    counts: Float64Array.from(counts),
    sums: Float64Array.from(sums),
    sumsOfSquares: sumsOfSquares && Float64Array.from(sumsOfSquares),
  };
}

import type { Engine, Timings } from "@polybin/core";
import type { Precision } from "@polybin/core/backend";
import type { Watch } from "../terminal/index.ts";
import { type FeatureResult, FeatureSums } from "./feature-sums.ts";
import type { Documents } from "./input/libsvm.ts";
import type { NamedWeights } from "./input/weights-file.ts";
import { tablesOf } from "./quantized.ts";
import type { WeightedRequest } from "./request.ts";

/** The files of a request. */
export interface WeightedInputs {
  readonly documents: Documents;
  readonly weights: NamedWeights;
  /** Milliseconds of reading them. */
  readonly readMs: number;
}

/** The weights as a whole. */
export interface WeightsSummary {
  /** The name of their file. Null if they are the labels. */
  readonly name: string | null;
  readonly least: number;
  readonly largest: number;
  readonly mean: number;
  /** The sum of squared deviations from the mean, which is what splits can explain. */
  readonly spread: number;
}

/** The sums of features, in the order of their indices. */
export type FeatureList = Pick<FeatureSums, "length" | "plans"> & Iterable<FeatureResult>;

/** All data that the outputs show. */
export interface WeightedResult {
  readonly name: string;
  /** Number of documents. */
  readonly documents: number;
  /** Values that the file names. */
  readonly values: number;
  readonly weights: WeightsSummary;
  readonly precision: Precision;
  /** Every sum is a multiple of it. Null for the precision "fast". */
  readonly quantum: number | null;
  /** Null if shards were merged. */
  readonly backend: string | null;
  readonly device: string | null;
  readonly features: FeatureList;
  readonly timings: Timings;
}

/** Cuts features into bins and adds up weights over them, one table at a time. */
export async function addUp(
  { documents, weights, readMs }: WeightedInputs,
  { bins, algorithm, precision, limbs, squares }: WeightedRequest,
  engine: Engine,
  signal: AbortSignal,
  watch: Watch,
): Promise<WeightedResult> {
  const start = performance.now();
  const values = documents.labels.length;
  const found = new FeatureSums(documents.features, values, bins, squares);
  const total = documents.features.length * values;
  const timings = { readMs, uploadMs: 0, kernelMs: 0 };
  let quantum: number | null = null;
  for (const { features, init } of tablesOf(documents, bins)) {
    signal.throwIfAborted();
    const before = found.length * values;
    const uploading = performance.now();
    await using table = await engine.table(init, { signal });
    timings.uploadMs += performance.now() - uploading;
    const sums = await table.sums(weights.values, {
      algorithm,
      precision,
      limbs,
      squares,
      signal,
      onProgress: ({ done }) => watch({ done: before + done, total }),
    });
    quantum = sums.quantum;
    timings.uploadMs += sums.timings.uploadMs;
    timings.kernelMs += sums.timings.kernelMs;
    for (const [i, feature] of features.entries()) {
      found.push(feature, {
        counts: sums.counts[i]!,
        sums: sums.sums[i]!,
        sumsOfSquares: sums.sumsOfSquares && sums.sumsOfSquares[i]!,
        plan: sums.plans[i]!,
      });
    }
  }
  const { backend, device } = engine;
  const totalMs = readMs + performance.now() - start;
  return {
    name: documents.name,
    documents: values,
    values: documents.features.values,
    weights: summaryOf(weights),
    ...{ precision, quantum, backend, device, features: found },
    timings: { ...timings, totalMs },
  };
}

function summaryOf({ name, values }: NamedWeights): WeightsSummary {
  let [least, largest, sum, spread] = [Infinity, -Infinity, 0, 0];
  for (const value of values) {
    least = Math.min(least, value);
    largest = Math.max(largest, value);
    sum += value;
  }
  const mean = sum / values.length;
  for (const value of values) spread += (value - mean) ** 2;
  return { name, least, largest, mean, spread };
}

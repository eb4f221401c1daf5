import type { Engine, Timings } from "@polybin/core";
import type { Watch } from "../terminal/index.ts";
import { FeatureSums } from "./feature-sums.ts";
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

/** All data that the outputs show. */
export interface WeightedResult extends Omit<WeightedInputs, "readMs"> {
  /** Every sum is a multiple of it. Null for the precision "fast". */
  readonly quantum: number | null;
  readonly backend: string;
  readonly device: string;
  /** In the order of the indices. */
  readonly features: FeatureSums;
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
  return { documents, weights, quantum, backend, device, features: found, timings: { ...timings, totalMs } };
}

import { type WeightedMethod, weightedReferences } from "../algorithms/index.ts";
import type { FeatureGroup, RunOptions, SumsJob, SumsPart, SumsWeights } from "../backend/index.ts";
import { STEP_BYTES, Turns } from "../base/index.ts";
import type { TableValues } from "../input/index.ts";
import { tableValuesOf, valuesOf } from "../input/index.ts";
import type { WeightedAlgorithm, WeightedInput } from "../plan/index.ts";
import type { FeatureSums } from "../result/index.ts";
import { addSums, noSums } from "../weights/index.ts";

/** Adds up weights feature by feature: weighted-sequential as a plain loop, other algorithms as simulations. */
export async function sumOnHost(
  { table, groups, timed }: SumsJob,
  algorithms: readonly WeightedAlgorithm[],
  job: SumsWeights,
  { signal, onProgress }: RunOptions,
): Promise<SumsPart> {
  const start = performance.now();
  const turns = new Turns(signal);
  const features: FeatureSums[] = [];
  let done = 0;
  const of = tableValuesOf(table);
  const algorithmOf = ({ plan }: FeatureGroup) => algorithms.find(({ slug }) => slug === plan.algorithm)!;
  const weighed = groups.some((group) => algorithmOf(group).plain) ? doublesOf(job) : job;
  for (const group of groups) {
    const { plan, features: wanted, skip } = group;
    const {
      slug,
      plain = false,
      reference = weightedReferences[slug as WeightedMethod],
    } = algorithmOf(group);
    // A simulation needs all documents at once. The plain loop yields the thread between steps.
    const step = plain ? STEP_BYTES : job.weights.length;
    for (const [i, feature] of wanted.entries()) {
      const since = performance.now();
      const totals = noSums(plan.bins, plan);
      for (let from = 0; from < job.weights.length; from += step) {
        const to = Math.min(job.weights.length, from + step);
        const input = { ...inputOf(of, weighed, feature, from, to), bins: plan.bins, skip: skip[i]! };
        addSums(totals, reference(input, plan));
        done += to - from;
        onProgress?.(done);
        await turns.next();
      }
      features.push({ ...totals, ms: timed ? performance.now() - since : null });
    }
  }
  return { features, timings: { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start } };
}

/** The documents that are added up, with weights in any form. */
type Weighed = Pick<WeightedInput, "weights" | "squares"> & Pick<SumsWeights, "documents">;

/** Returns the documents [from, to) of those that are added up. */
function inputOf(
  of: TableValues,
  { weights, squares, documents }: Weighed,
  feature: number,
  from: number,
  to: number,
): Omit<WeightedInput, "bins" | "skip"> {
  const weighed = { weights: weights.subarray(from, to), squares: squares?.subarray(from, to) ?? null };
  if (documents === null) return { values: valuesOf(of, feature, from, to), ...weighed };
  const all = valuesOf(of, feature);
  const values = new Uint16Array(to - from);
  for (let i = from; i < to; i++) values[i - from] = all[documents[i]!]!;
  return { values, ...weighed };
}

/** Converts the weights to doubles for the plain loop, once for all features. */
function doublesOf({ weights, squares, documents }: SumsWeights): Weighed {
  return { weights: new Float64Array(weights), squares: squares && new Float64Array(squares), documents };
}

import {
  addSums,
  type BinSums,
  type FeatureGroup,
  type FeatureSums,
  type PreparedSums,
  type RunOptions,
  type SumsJob,
  type SumsPart,
  type SumsPlan,
  type SumsWeights,
  tableValuesOf,
} from "@polybin/core/backend";
import { sharedSumsAt, sumOfPairs, weightedKernelOf } from "../kernels/index.ts";
import { inShared, poolLimits } from "../platform/index.ts";
import { newControl, type SumsGroup } from "../task/index.ts";
import type { Pool } from "./pool.ts";

/** Prepares weighted sums on a pool. The launches run one after the other. */
export function prepareSums(pool: Pool, shape: SumsJob): PreparedSums {
  const launches = launchesOf(shape);
  return {
    launch: Object.freeze({
      workers: pool.threads,
      launches: Object.freeze(
        launches.map((groups) =>
          Object.freeze(
            groups.map(({ plan, features }) =>
              Object.freeze({ kernel: plan.algorithm, features: features.length }),
            ),
          ),
        ),
      ),
    }),
    count: (weights, options) => addUp(pool, shape, launches, weights, options),
  };
}

async function addUp(
  pool: Pool,
  { table: resident, documents, timed }: SumsJob,
  launches: readonly FeatureGroup[][],
  job: SumsWeights,
  options: RunOptions,
): Promise<SumsPart> {
  const start = performance.now();
  const table = tableValuesOf(resident);
  const common = {
    table,
    weights: inShared(job.weights),
    squares: job.squares && inShared(job.squares),
    documents: job.documents && inShared(job.documents),
  };
  const uploadMs = performance.now() - start;
  const features: FeatureSums[] = [];
  let before = 0;
  for (const launch of launches) {
    const groups = launch.map((group) => ({ ...group, shared: sharedFor(group) }));
    const control = newControl();
    const blocks = launch.reduce((sum, { plan, features: of }) => sum + blocksOf(plan, of.length), 0);
    const tasks = Array.from({ length: Math.min(pool.threads, blocks) }, (_, worker) => ({
      ...common,
      control,
      worker,
      groups,
    }));
    const onProgress = options.onProgress && ((done: number) => options.onProgress?.(before + done));
    const answers = await pool.run(tasks, control, { signal: options.signal, onProgress });
    const totals = totalsOf(groups);
    const ms = new Float64Array(totals.length);
    for (const answer of answers) {
      if (answer.kind !== "sums") continue;
      // All workers take blocks at the same time.
      for (const [place, time] of answer.ms) ms[place]! += time / answers.length;
      for (const [place, sums] of answer.sums) addSums(totals[place]!, sums);
    }
    for (const [place, sums] of totals.entries()) features.push({ ...sums, ms: timed ? ms[place]! : null });
    before += totals.length * documents;
    options.onProgress?.(before);
  }
  return { features, timings: { readMs: 0, uploadMs, kernelMs: performance.now() - start - uploadMs } };
}

/** Returns the groups of each launch. A launch has all groups, as far as tables in shared memory fit a fixed size. */
export function launchesOf({ groups }: Pick<SumsJob, "groups">): FeatureGroup[][] {
  const launches: FeatureGroup[][] = [];
  let bytes = 0;
  for (const { plan, features, skip } of groups) {
    const tableBytes = sharedWords(plan) * plan.bins * Int32Array.BYTES_PER_ELEMENT;
    for (let from = 0; from < features.length; ) {
      const fit =
        tableBytes === 0 ? features.length : Math.floor((poolLimits.sharedSumsBytes - bytes) / tableBytes);
      const isNew = fit < 1 || launches.length === 0;
      if (isNew) {
        launches.push([]);
        bytes = 0;
        if (fit < 1) continue;
      }
      const to = Math.min(features.length, from + fit);
      launches.at(-1)!.push({ plan, features: features.slice(from, to), skip: skip.slice(from, to) });
      bytes += (to - from) * tableBytes;
      from = to;
    }
  }
  return launches.filter((launch) => launch.length > 0);
}

function blocksOf({ featuresPerBlock, segments }: SumsPlan, features: number): number {
  return Math.ceil(features / featuresPerBlock) * segments;
}

function sharedWords({ algorithm, squares }: SumsPlan): number {
  return weightedKernelOf({ algorithm }).sharedWords?.[squares ? "squares" : "plain"] ?? 0;
}

function sharedFor({ plan, features }: FeatureGroup): Int32Array | null {
  const words = features.length * sharedWords(plan) * plan.bins;
  return words === 0 ? null : new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT));
}

/** Returns the sums in the shared tables, or zeros if the workers have their own tables. */
function totalsOf(groups: readonly SumsGroup[]): BinSums[] {
  return groups.flatMap(({ plan, features, shared }) =>
    features.map((_, i) => {
      if (shared !== null) {
        const of = sharedSumsAt(shared, plan, i);
        return {
          counts: Float64Array.from(of.counts, (count) => count >>> 0),
          sums: sumOfPairs(of.sums),
          squares: of.squares && sumOfPairs(of.squares),
        };
      }
      const none = () => new Float64Array(plan.bins);
      return { counts: none(), sums: none(), squares: plan.squares ? none() : null };
    }),
  );
}

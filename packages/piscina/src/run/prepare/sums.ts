import {
  addSums,
  type BinSums,
  type FeatureGroup,
  type FeatureSums,
  limits,
  type PreparedSums,
  type RunOptions,
  type SumsJob,
  type SumsPart,
  type SumsPlan,
  type SumsWeights,
  tableValuesOf,
} from "@polybin/core/backend";
import { blocksOf, newControl, type SumsGroup } from "../../counting/index.ts";
import { sharedSumsAt, sumOfPairs, weightedKernelOf } from "../../kernels/index.ts";
import { inShared, poolLimits } from "../../platform/index.ts";
import { timingsOf } from "../deliver/timings.ts";
import type { Pool } from "../dispatch/pool.ts";

/** Prepares weighted sums on a pool. The launches run one after the other. */
export function prepareSums(pool: Pool, job: SumsJob): PreparedSums {
  const launches = launchesOf(job);
  const kernels = launches.map((groups) => {
    const all = groups.map(({ plan, features }) => ({ kernel: plan.algorithm, features: features.length }));
    return Object.freeze(all.map((one) => Object.freeze(one)));
  });
  return {
    launch: Object.freeze({ workers: pool.threads, launches: Object.freeze(kernels) }),
    count: (weights, options) => addUp(pool, job, launches, weights, options),
  };
}

async function addUp(
  pool: Pool,
  { table, documents, timed }: SumsJob,
  launches: readonly FeatureGroup[][],
  given: SumsWeights,
  { signal, onProgress }: RunOptions,
): Promise<SumsPart> {
  const start = performance.now();
  const common = {
    kind: "sums",
    table: tableValuesOf(table),
    weights: inShared(given.weights),
    squares: given.squares && inShared(given.squares),
    documents: given.documents && inShared(given.documents),
  } as const;
  const uploadMs = performance.now() - start;
  const features: FeatureSums[] = [];
  let before = 0;
  for (const launch of launches) {
    const groups = launch.map((group) => ({ ...group, shared: sharedFor(group) }));
    const control = newControl();
    const blocks = groups.reduce((sum, group) => sum + blocksOf(group), 0);
    const length = Math.min(pool.threads, blocks);
    const tasks = Array.from({ length }, (_, worker) => ({ ...common, control, worker, groups }));
    const answers = await pool.run(tasks, control, {
      signal,
      onProgress: onProgress && ((done) => onProgress(before + done)),
    });
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
    onProgress?.(before);
  }
  return { features, timings: timingsOf(start, uploadMs, true) };
}

/** Returns the groups of each launch. A launch has all groups, as far as tables in shared memory fit a fixed size. */
export function launchesOf({ groups }: Pick<SumsJob, "groups">): FeatureGroup[][] {
  const launches: FeatureGroup[][] = [];
  let left = 0;
  for (const { plan, features, skip } of groups) {
    const tableBytes = sharedWords(plan) * plan.bins * limits.WORD_BYTES;
    for (let from = 0, to = 0; from < features.length; from = to) {
      if (launches.length === 0 || left < tableBytes) {
        launches.push([]);
        left = poolLimits.sharedSumsBytes;
      }
      to =
        tableBytes === 0 ? features.length : Math.min(features.length, from + Math.floor(left / tableBytes));
      launches.at(-1)!.push({ plan, features: features.slice(from, to), skip: skip.slice(from, to) });
      left -= (to - from) * tableBytes;
    }
  }
  return launches;
}

function sharedWords({ algorithm, squares }: SumsPlan): number {
  return weightedKernelOf({ algorithm }).sharedWords?.[squares ? "squares" : "plain"] ?? 0;
}

function sharedFor({ plan, features }: FeatureGroup): Int32Array | null {
  const words = features.length * sharedWords(plan) * plan.bins;
  return words === 0 ? null : new Int32Array(new SharedArrayBuffer(words * limits.WORD_BYTES));
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

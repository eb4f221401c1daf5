import { type FeatureGroup, limits, type SumsJob, type WeightedPlan } from "@polybin/core/backend";
import type { WebgpuLimits } from "./capabilities.ts";
import { roundUnits, UNITS, WEIGHTED_KERNELS, weightedKernel } from "./kernels/weighted.ts";
import type { SumsParams } from "./params.ts";
import type { Kernel } from "./pipelines.ts";
import { gridOf } from "./program.ts";
import type { TablePart } from "./table.ts";

/** A skip that no value has. */
const NO_SKIP: number = limits.U32_MAX;

/** One dispatch: some features of a group, whose rows are in one part of the table. */
export interface SumsLaunch {
  readonly plan: WeightedPlan;
  readonly kernel: Kernel;
  readonly part: TablePart;
  /** For each feature where its sums go in the job's result. */
  readonly places: readonly number[];
  /** For each feature its row in the part, and the value that is passed over. */
  readonly features: readonly (readonly [row: number, skip: number])[];
  /** Where they begin among those of all launches. */
  readonly firstFeature: number;
  /** Values: documents times features. */
  readonly values: number;
  /** Words of a feature's totals. */
  readonly featureWords: number;
  readonly grid: readonly [x: number, y: number];
}

/** A sentence on why the kernels cannot do what a plan says; null where they can. */
export function refusesSums(plan: WeightedPlan, of: WebgpuLimits): string | null {
  const { algorithm, threads, type, flushDocuments, featuresPerBlock } = plan;
  if (WEIGHTED_KERNELS[algorithm] === undefined) return `webgpu has no kernel for ${algorithm}`;
  if (roundUnits(plan, of) === null) {
    return `webgpu adds ${threads * UNITS[type].documents} documents a block between two flushes, and ${flushDocuments} are allowed`;
  }
  const bytes = featuresPerBlock * featureWordsOf(plan, of) * limits.WORD_BYTES;
  return bytes > of.chunkBytes
    ? `webgpu reads ${bytes} bytes of flushed tables back, and this device binds ${of.chunkBytes}`
    : null;
}

/** Rounds of a block between two flushes, and flushes of a block. */
function flushesOf(
  plan: WeightedPlan,
  of: WebgpuLimits,
): { readonly rounds: number; readonly flushes: number } {
  const { flushDocuments, segmentDocuments, threads } = plan;
  if (flushDocuments === null) return { rounds: limits.U32_MAX, flushes: 1 };
  const roundDocuments = threads * roundUnits(plan, of)! * UNITS[plan.type].documents;
  const rounds = Math.floor(flushDocuments / roundDocuments);
  return { rounds, flushes: limits.divideCeiling(segmentDocuments, rounds * roundDocuments) };
}

/** Words of a feature's totals (kernels/lib/sums.wgsl). */
function featureWordsOf(plan: WeightedPlan, of: WebgpuLimits): number {
  const kinds = plan.squares ? 2 : 1;
  const words = plan.precision === "fast" ? plan.segments * flushesOf(plan, of).flushes : 2;
  return plan.bins * (Number(plan.counts) + words * kinds);
}

/** The launches of a job. */
export function launchesFor(
  { groups, weights, documents, timed }: Pick<SumsJob, "groups" | "weights" | "documents" | "timed">,
  parts: readonly TablePart[],
  of: WebgpuLimits,
): SumsLaunch[] {
  const launches: SumsLaunch[] = [];
  const listed = documents !== null;
  let index = 0;
  let firstFeature = 0;
  for (const { plan, features, skip } of groups) {
    const featureWords = featureWordsOf(plan, of);
    const step = timed ? 1 : featuresPerLaunch(plan, weights.length, featureWords, of);
    const kernel = weightedKernel(plan, { listed, skips: skip.some((value) => value !== null) }, of);
    for (const part of parts) {
      const own = rowsOf({ features, skip }, part, index);
      for (let at = 0; at < own.length; at += step) {
        const some = own.slice(at, at + step);
        const blocks = limits.divideCeiling(some.length, plan.featuresPerBlock) * plan.segments * plan.passes;
        launches.push({
          plan,
          kernel,
          part,
          places: some.map(({ place }) => place),
          features: some.map(({ row, skip: value }) => [row, value]),
          firstFeature,
          values: some.length * weights.length,
          featureWords,
          grid: gridOf(blocks, of),
        });
        firstFeature += some.length;
      }
    }
    index += features.length;
  }
  return launches;
}

/** The features of a group whose rows a part has. */
function rowsOf(
  { features, skip }: Pick<FeatureGroup, "features" | "skip">,
  { first, rows }: TablePart,
  index: number,
): { readonly row: number; readonly skip: number; readonly place: number }[] {
  return features
    .map((feature, i) => ({ row: feature - first, skip: skip[i] ?? NO_SKIP, place: index + i }))
    .filter(({ row }) => row >= 0 && row < rows);
}

/**
 * Features of a launch: a millisecond's work, but blocks enough to fill a device; and no more than their totals have
 * room for.
 */
function featuresPerLaunch(
  { featuresPerBlock, segments }: WeightedPlan,
  documents: number,
  featureWords: number,
  { sumsValues, sumsBlocks, chunkBytes }: WebgpuLimits,
): number {
  const blocks = Math.max(
    1,
    Math.floor(sumsValues / (documents * featuresPerBlock)),
    limits.divideCeiling(sumsBlocks, segments),
  );
  const room = Math.floor(
    Math.min(chunkBytes, limits.WEBGPU_TOTALS_BYTES) / (featureWords * limits.WORD_BYTES * featuresPerBlock),
  );
  return Math.max(1, Math.min(blocks, room)) * featuresPerBlock;
}

/** Launches whose totals are read back at once, in submissions; and where in the totals each one's begin. */
export interface Batch {
  readonly submissions: readonly (readonly { readonly launch: SumsLaunch; readonly to: number }[])[];
  /** Words of all totals. */
  readonly words: number;
}

/**
 * Deals launches out: a submission has a millisecond's work or, of a timed job, one launch; a batch has as many of them
 * as there is room for totals and for timestamps.
 */
export function batchesOf(
  launches: readonly SumsLaunch[],
  timed: boolean,
  { sumsValues, chunkBytes }: Pick<WebgpuLimits, "sumsValues" | "chunkBytes">,
): Batch[] {
  const batches: { submissions: { launch: SumsLaunch; to: number }[][]; words: number }[] = [];
  const most = Math.min(chunkBytes, limits.WEBGPU_TOTALS_BYTES) / limits.WORD_BYTES;
  let values = 0;
  for (const launch of launches) {
    const words = launch.places.length * launch.featureWords;
    let batch = batches.at(-1);
    let isNew = timed || values + launch.values > sumsValues;
    const isFull = isNew && batch?.submissions.length === limits.WEBGPU_TIMED;
    if (batch === undefined || isFull || batch.words + words > most) {
      batch = { submissions: [], words: 0 };
      batches.push(batch);
      isNew = true;
    }
    if (isNew) {
      batch.submissions.push([]);
      values = 0;
    }
    batch.submissions.at(-1)!.push({ launch, to: batch.words });
    batch.words += words;
    values += launch.values;
  }
  return batches;
}

/** What a launch's kernel is told; its totals begin at word `to`. */
export function paramsOf(
  { plan, features, featureWords, firstFeature }: SumsLaunch,
  { weights, documents }: Pick<SumsJob, "weights" | "documents">,
  pitch: number,
  to: number,
  of: WebgpuLimits,
): SumsParams {
  const { rounds, flushes } = flushesOf(plan, of);
  return {
    documents: weights.length,
    segments: plan.segments,
    segmentDocuments: plan.segmentDocuments,
    features: features.length,
    firstFeature,
    pitch: pitch / UNITS[plan.type].bytes,
    bins: plan.bins,
    binsPerPass: plan.binsPerPass,
    to,
    featureWords,
    flushRounds: rounds,
    flushes,
    listed: Number(documents !== null),
  };
}

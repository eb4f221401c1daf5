import {
  type DeviceLaunch,
  type FeatureGroup,
  limits,
  type SumsJob,
  type SumsPlan,
} from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import { type Catalog, type Grid, gridOf, type SumsValues, sumsKernel, UNITS } from "../../kernels/index.ts";
import { type Kernel, own } from "../../platform/index.ts";
import { featureWordsOf, flushesOf } from "./flushes.ts";
import { described, frozen } from "./launch.ts";

/** A skip value that no sample has. */
const NO_SKIP: number = limits.U32_MAX;

/** The layout of a table's rows: its parts, and the bytes from one row to the next. */
export interface TableShape {
  readonly pitch: number;
  readonly parts: readonly { readonly first: number; readonly rows: number }[];
}

/** One dispatch: some features of a group whose rows lie in one part of the table. */
export interface SumsLaunch {
  readonly plan: SumsPlan;
  readonly kernel: Kernel;
  /** Index of the table's part. */
  readonly part: number;
  /** The index of each feature's sums in the job's result. */
  readonly places: readonly number[];
  /** Values: documents times features. */
  readonly values: number;
  /** Words of a feature's totals. */
  readonly featureWords: number;
  readonly grid: Grid;
  readonly params: Omit<SumsValues, "to">;
}

/** A launch and the first word of its totals in the batch's totals. */
export interface BatchedLaunch extends SumsLaunch {
  readonly to: number;
}

/** Launches whose totals are read back together, grouped into submissions. */
export interface Batch {
  readonly submissions: readonly (readonly BatchedLaunch[])[];
  /** Words of all totals. */
  readonly words: number;
}

/** A prepared job on this device: numbers and texts. Nothing is compiled or allocated yet. */
export interface SumsSteps {
  readonly timed: boolean;
  readonly kernels: readonly Kernel[];
  readonly batches: readonly Batch[];
  /** The row in the part and the skipped value, for each feature of each launch. */
  readonly features: Uint32Array<ArrayBuffer>;
  /** A description for people. */
  readonly launch: DeviceLaunch;
}

/** Prepares a job, independent of the table's place. @throws ERR_UNSUPPORTED without a kernel */
export function prepareSums(
  { groups, documents, listed, timed }: Omit<SumsJob, "kind" | "table">,
  table: TableShape,
  catalog: Catalog,
  of: WebgpuLimits,
): SumsSteps {
  const launches: SumsLaunch[] = [];
  const features: number[] = [];
  let index = 0;
  for (const group of groups) {
    const { plan, skip } = group;
    const counting = catalog.sums(plan.algorithm)!;
    const { flushRounds, flushes } = flushesOf(counting, plan, of);
    const featureWords = featureWordsOf(plan, flushes);
    const skips = skip.some((value) => value !== null);
    const kernel = sumsKernel(counting, plan, { listed, skips }, of);
    const { segments, segmentDocuments, bins, binsPerPass } = plan;
    const common = {
      ...{ documents, listed, segments, segmentDocuments, bins, binsPerPass, featureWords },
      ...{ flushRounds, flushes, pitch: table.pitch / UNITS[plan.type].bytes },
      ...counting.params?.(plan),
    };
    const step = featuresPerLaunch(plan, featureWords, documents, of);
    for (const [part, rows] of table.parts.entries()) {
      const found = rowsOf(group, rows, index);
      for (let at = 0; at < found.length; at += step) {
        const some = found.slice(at, at + step);
        const blocks = limits.divideCeiling(some.length, plan.featuresPerBlock) * segments * plan.passes;
        launches.push({
          ...{ plan, kernel, part, featureWords, grid: gridOf(blocks, of) },
          places: some.map(({ place }) => place),
          values: some.length * documents,
          params: { ...common, features: some.length, firstFeature: features.length / 2 },
        });
        for (const { row, skip } of some) features.push(row, skip);
      }
    }
    index += group.features.length;
  }
  const batches = batchesOf(launches, timed, of);
  const byKernel = Map.groupBy(launches, ({ kernel }) => kernel);
  return {
    timed,
    kernels: [...byKernel.keys()],
    batches,
    features: Uint32Array.from(features),
    launch: frozen({
      kernels: Array.from(byKernel, ([kernel, its]) => ({
        // The grid of the first launch. The last launch of a part may have fewer features.
        ...described(kernel, its[0]!.grid),
        features: its.reduce((sum, { places }) => sum + places.length, 0),
        dispatches: its.length,
      })),
      submissions: batches.map(({ submissions }) => submissions.length),
      totalsBytes: batches.map(({ words }) => words * limits.WORD_BYTES),
    }),
  };
}

/** Returns the features of a group whose rows lie in a part, with their places in the result from `index` on. */
function rowsOf({ features, skip }: FeatureGroup, of: TableShape["parts"][number], index: number) {
  return features
    .map((feature, i) => ({ row: feature - of.first, skip: skip[i] ?? NO_SKIP, place: index + i }))
    .filter(({ row }) => row >= 0 && row < of.rows);
}

/**
 * Returns the features of a launch: about a millisecond's work, but enough blocks to fill a device, and not more than
 * their totals have room for.
 */
function featuresPerLaunch(
  { featuresPerBlock, segments }: SumsPlan,
  featureWords: number,
  documents: number,
  { sumsValues, sumsBlocks, chunkBytes }: WebgpuLimits,
): number {
  const blocks = Math.max(
    1,
    Math.floor(sumsValues / (documents * featuresPerBlock)),
    limits.divideCeiling(sumsBlocks, segments),
  );
  const bytes = featureWords * limits.WORD_BYTES * featuresPerBlock;
  const room = Math.floor(Math.min(chunkBytes, own.TOTALS_BYTES) / bytes);
  return Math.max(1, Math.min(blocks, room)) * featuresPerBlock;
}

/**
 * Distributes launches. A submission has about a millisecond's work; a submission of a timed job has one launch. A
 * batch has as many submissions as there is room for totals and for timestamps.
 */
function batchesOf(
  launches: readonly SumsLaunch[],
  timed: boolean,
  { sumsValues, chunkBytes }: Pick<WebgpuLimits, "sumsValues" | "chunkBytes">,
): Batch[] {
  const batches: { submissions: BatchedLaunch[][]; words: number }[] = [];
  const most = Math.min(chunkBytes, own.TOTALS_BYTES) / limits.WORD_BYTES;
  let values = 0;
  for (const launch of launches) {
    const words = launch.places.length * launch.featureWords;
    let batch = batches.at(-1);
    let isNew = timed || values + launch.values > sumsValues;
    const isFull = isNew && batch?.submissions.length === own.TIMED;
    if (batch === undefined || isFull || batch.words + words > most) {
      batch = { submissions: [], words: 0 };
      batches.push(batch);
      isNew = true;
    }
    if (isNew) {
      batch.submissions.push([]);
      values = 0;
    }
    batch.submissions.at(-1)!.push({ ...launch, to: batch.words });
    batch.words += words;
    values += launch.values;
  }
  return batches;
}

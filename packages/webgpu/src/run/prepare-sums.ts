import {
  type DeviceLaunch,
  type FeatureGroup,
  limits,
  type SumsJob,
  type SumsPlan,
} from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import {
  type Catalog,
  gridOf,
  packed,
  roundUnits,
  type SumsKernel,
  type SumsValues,
  sumsKernel,
  UNITS,
} from "../kernels/index.ts";
import { type Kernel, own } from "../platform/index.ts";
import { described, frozen } from "./frozen.ts";

/** A skip value that no sample has. */
const NO_SKIP: number = limits.U32_MAX;

/** A description of the sums, without the weights and independent of the table's place. */
export type SumsRequest = Omit<SumsJob, "table">;

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
  readonly grid: readonly [x: number, y: number];
  /** The kernel's params. Its totals begin at word `params.to` of its batch. */
  readonly params: Omit<SumsValues, "to">;
}

/** Launches whose totals are read back together, grouped into submissions. */
export interface Batch {
  readonly submissions: readonly (readonly BatchedLaunch[])[];
  /** Returns the params of all launches, in order. */
  params(): Uint32Array<ArrayBuffer>;
  /** Words of all totals. */
  readonly words: number;
}

/** A launch and the first word of its totals in the batch's totals. */
export interface BatchedLaunch {
  readonly launch: SumsLaunch;
  readonly to: number;
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

/** A group, and what all of its launches have in common. */
interface Work extends Pick<SumsLaunch, "plan" | "kernel" | "featureWords"> {
  readonly counting: SumsKernel;
  /** Rounds of a block between two flushes, and flushes of a block. */
  readonly rounds: number;
  readonly flushes: number;
}

/** Returns a sentence on why the kernels cannot run a plan, or null if they can. */
export function refusesSums(plan: SumsPlan, catalog: Catalog, of: WebgpuLimits): string | null {
  const { algorithm, threads, type, flushDocuments, featuresPerBlock } = plan;
  const kernel = catalog.sums(algorithm);
  if (kernel === null) return `webgpu has no kernel for ${algorithm}`;
  const refused = kernel.refuses?.(plan) ?? null;
  if (refused !== null) return refused;
  if (roundUnits(kernel, plan, of) === null) {
    return `webgpu adds ${threads * UNITS[type].documents} documents per block between two flushes, but at most ${flushDocuments} are allowed`;
  }
  const bytes =
    featuresPerBlock * featureWordsOf(plan, flushesOf(kernel, plan, of).flushes) * limits.WORD_BYTES;
  return bytes > of.chunkBytes
    ? `webgpu would read back ${bytes} bytes of flushed tables, but this device can bind only ${of.chunkBytes}`
    : null;
}

/** Prepares a job. @throws ERR_UNSUPPORTED without a kernel */
export function prepareSums(
  request: SumsRequest,
  table: TableShape,
  catalog: Catalog,
  of: WebgpuLimits,
): SumsSteps {
  const { timed } = request;
  const launches: SumsLaunch[] = [];
  const features: number[] = [];
  let index = 0;
  for (const group of request.groups) {
    const work = workOf(group, request, catalog, of);
    const step = featuresPerLaunch(work, request.documents, of);
    for (const [part, rows] of table.parts.entries()) {
      const found = rowsOf(group, rows, index);
      for (let at = 0; at < found.length; at += step) {
        const some = found.slice(at, at + step);
        launches.push(launchOf(work, some, part, features.length / 2, request, table, of));
        for (const { row, skip } of some) features.push(row, skip);
      }
    }
    index += group.features.length;
  }
  const batches = batchesOf(launches, timed, of);
  const byKernel = Map.groupBy(launches, ({ kernel }) => kernel);
  const kernels = [...byKernel.keys()];
  return {
    timed,
    kernels,
    batches,
    features: Uint32Array.from(features),
    launch: frozen({
      kernels: kernels.map((kernel) => {
        const its = byKernel.get(kernel)!;
        const [first] = its as [SumsLaunch];
        return {
          ...described(kernel),
          features: its.reduce((sum, { places }) => sum + places.length, 0),
          dispatches: its.length,
          // The grid of the first launch. The last launch of a part may have fewer features.
          grid: [...first.grid],
        };
      }),
      submissions: batches.map(({ submissions }) => submissions.length),
      totalsBytes: batches.map(({ words }) => words * limits.WORD_BYTES),
    }),
  };
}

function workOf(
  { plan, skip }: FeatureGroup,
  { listed }: SumsRequest,
  catalog: Catalog,
  of: WebgpuLimits,
): Work {
  const counting = catalog.sums(plan.algorithm)!;
  const { rounds, flushes } = flushesOf(counting, plan, of);
  return {
    plan,
    counting,
    kernel: sumsKernel(counting, plan, { listed, skips: skip.some((value) => value !== null) }, of),
    rounds,
    flushes,
    featureWords: featureWordsOf(plan, flushes),
  };
}

/** Returns the rounds of a block between two flushes, and the flushes of a block. */
function flushesOf(kernel: SumsKernel, plan: SumsPlan, of: WebgpuLimits): Pick<Work, "rounds" | "flushes"> {
  const { flushDocuments, segmentDocuments, threads } = plan;
  if (flushDocuments === null) return { rounds: limits.U32_MAX, flushes: 1 };
  const roundDocuments = threads * roundUnits(kernel, plan, of)! * UNITS[plan.type].documents;
  const rounds = Math.floor(flushDocuments / roundDocuments);
  return { rounds, flushes: limits.divideCeiling(segmentDocuments, rounds * roundDocuments) };
}

/** Returns the words of a feature's totals (kernels/lib/sums.wgsl). */
function featureWordsOf(plan: SumsPlan, flushes: number): number {
  const kinds = plan.squares ? 2 : 1;
  const words = plan.precision === "fast" ? plan.segments * flushes : 2;
  return plan.bins * (Number(plan.counts) + words * kinds);
}

interface Row {
  readonly row: number;
  readonly skip: number;
  readonly place: number;
}

/** Returns the features of a group whose rows lie in a part. */
function rowsOf(
  { features, skip }: FeatureGroup,
  { first, rows }: TableShape["parts"][number],
  index: number,
): Row[] {
  return features
    .map((feature, i) => ({ row: feature - first, skip: skip[i] ?? NO_SKIP, place: index + i }))
    .filter(({ row }) => row >= 0 && row < rows);
}

/**
 * Returns the features of a launch: about a millisecond's work, but enough blocks to fill a device, and not more than
 * their totals have room for.
 */
function featuresPerLaunch(
  { plan: { featuresPerBlock, segments }, featureWords }: Work,
  documents: number,
  { sumsValues, sumsBlocks, chunkBytes }: WebgpuLimits,
): number {
  const blocks = Math.max(
    1,
    Math.floor(sumsValues / (documents * featuresPerBlock)),
    limits.divideCeiling(sumsBlocks, segments),
  );
  const room = Math.floor(
    Math.min(chunkBytes, own.TOTALS_BYTES) / (featureWords * limits.WORD_BYTES * featuresPerBlock),
  );
  return Math.max(1, Math.min(blocks, room)) * featuresPerBlock;
}

function launchOf(
  { plan, kernel, counting, rounds, flushes, featureWords }: Work,
  rows: readonly Row[],
  part: number,
  firstFeature: number,
  { documents, listed }: SumsRequest,
  { pitch }: TableShape,
  of: WebgpuLimits,
): SumsLaunch {
  const blocks = limits.divideCeiling(rows.length, plan.featuresPerBlock) * plan.segments * plan.passes;
  return {
    plan,
    kernel,
    part,
    places: rows.map(({ place }) => place),
    values: rows.length * documents,
    featureWords,
    grid: gridOf(blocks, of),
    params: {
      documents,
      segments: plan.segments,
      segmentDocuments: plan.segmentDocuments,
      features: rows.length,
      firstFeature,
      pitch: pitch / UNITS[plan.type].bytes,
      bins: plan.bins,
      binsPerPass: plan.binsPerPass,
      featureWords,
      flushRounds: rounds,
      flushes,
      listed,
      ...counting.params?.(plan),
    },
  };
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
    batch.submissions.at(-1)!.push({ launch, to: batch.words });
    batch.words += words;
    values += launch.values;
  }
  return batches.map((batch) => ({
    ...batch,
    params: () =>
      packed(
        batch.submissions
          .flat()
          .map(({ launch: { kernel, params }, to }) => ({ kernel, params: { ...params, to } })),
      ),
  }));
}

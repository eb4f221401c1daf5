import { type FeatureSums, limits, type SumsJob, type SumsPlan } from "@polybin/core/backend";
import {
  type NativeSums,
  type NativeSumsLaunch,
  WeightedPlan as PlanNumbers,
  packed,
} from "../border/index.ts";
import { sumsKernel, sumsKernelOrNull } from "../kernels/index.ts";
import type { TablePart } from "../memory/index.ts";

/** A skip value that no sample has. */
export const NO_SKIP: number = limits.U32_MAX;

/** Returns a sentence on why the kernels cannot run a plan, or null if they can. */
export function refusesSums(plan: SumsPlan): string | null {
  const kernel = sumsKernelOrNull(plan.algorithm);
  return kernel === null ? `cuda has no kernel for ${plan.algorithm}` : kernel.refuses(plan);
}

/** The parts of a job that launches depend on. */
type Asked = Pick<SumsJob, "groups" | "documents">;

/** One launch, printable. */
export type SumsLaunch = {
  readonly device: number;
  readonly kernel: string;
  readonly features: number;
  /** Blocks: over features, over segments of the documents, over windows of bins. */
  readonly grid: readonly [features: number, segments: number, passes: number];
  readonly threads: number;
  readonly sharedBytes: number;
  /** The algorithm's own numbers. */
  readonly own: Readonly<Record<string, number | boolean | string>>;
};

/** A feature's place in a job's result, and its plan. */
interface Place {
  readonly index: number;
  readonly plan: SumsPlan;
}

/** The sums of a device's part of a table. */
export interface DeviceSums {
  readonly launches: readonly NativeSumsLaunch[];
  /** The places of the features of each launch in the job's result. */
  readonly places: readonly (readonly Place[])[];
}

export interface PreparedSums<P extends TablePart> {
  readonly launch: { readonly documents: number; readonly launches: readonly SumsLaunch[] };
  /** One part for each device that has a requested feature. */
  readonly parts: readonly (P & DeviceSums)[];
}

/**
 * Prepares the devices' work, each with the rows that it has. This is a pure function: numbers in, frozen objects out.
 */
export function prepareSums<P extends TablePart>(job: Asked, parts: readonly P[]): PreparedSums<P> {
  const prepared = parts
    .map((part) => ({ ...part, ...launchesFor(job, part) }))
    .filter(({ launches }) => launches.length > 0);
  return Object.freeze({
    launch: Object.freeze({
      documents: job.documents,
      launches: Object.freeze(
        prepared.flatMap(({ device, places }) => places.map((some) => printed(device, some))),
      ),
    }),
    parts: Object.freeze(prepared),
  });
}

function printed(device: number, places: readonly Place[]): SumsLaunch {
  const { plan } = places[0]!;
  const { threads, sharedBytes, segments, passes } = plan;
  const blocks = limits.divideCeiling(places.length, plan.featuresPerBlock);
  return Object.freeze({
    device,
    kernel: plan.algorithm,
    features: places.length,
    grid: Object.freeze([blocks, segments, passes] as const),
    threads,
    sharedBytes,
    own: Object.freeze(sumsKernel(plan.algorithm).of(plan)),
  });
}

/** Returns the launches for the features whose rows a part has. */
function launchesFor({ groups, documents }: Asked, part: TablePart): DeviceSums {
  const launches: NativeSumsLaunch[] = [];
  const places: Place[][] = [];
  let index = 0;
  for (const { plan, features, skip } of groups) {
    const rows = features
      .map((feature, i) => ({ row: feature - part.first, skip: skip[i] ?? NO_SKIP, index: index + i }))
      .filter(({ row }) => row >= 0 && row < part.rows);
    index += features.length;
    if (rows.length === 0) continue;
    const kernel = sumsKernel(plan.algorithm);
    const same = {
      algorithm: plan.algorithm,
      plan: nativeWeightedPlan(plan),
      own: packed(kernel.own, kernel.of(plan)),
    };
    const step = featuresPerLaunch(plan, documents);
    for (let at = 0; at < rows.length; at += step) {
      const some = rows.slice(at, at + step);
      launches.push({
        ...same,
        rows: Uint32Array.from(some, ({ row }) => row),
        skip: Uint32Array.from(some, ({ skip: value }) => value),
      });
      places.push(some.map(({ index: place }) => ({ index: place, plan })));
    }
  }
  return { launches, places };
}

/**
 * Returns the features of a launch: about a millisecond's work, but enough blocks to fill a device, and no more than the
 * memory of their sub-histograms allows.
 */
export function featuresPerLaunch(
  {
    featuresPerBlock,
    segments,
    passes,
    subHistogramBytes,
  }: Pick<SumsPlan, "featuresPerBlock" | "segments" | "passes" | "subHistogramBytes">,
  documents: number,
): number {
  const blocks = Math.max(
    Math.floor(limits.GPU_SUMS_VALUES / (documents * featuresPerBlock)),
    limits.divideCeiling(limits.GPU_SUMS_BLOCKS, segments),
  );
  const blockBytes = segments * passes * subHistogramBytes;
  const room = blockBytes === 0 ? blocks : Math.floor(limits.SUB_HISTOGRAM_BYTES / blockBytes);
  return Math.max(1, Math.min(blocks, room)) * featuresPerBlock;
}

/** Packs the parts of a plan that every kernel receives. */
export function nativeWeightedPlan(plan: SumsPlan): Uint8Array {
  const { type, precision, sumBits, counts, squares, bins, binsPerPass, passes, threads, replicas } = plan;
  const { featuresPerBlock, sharedBytes, segments, segmentDocuments, flushDocuments, subHistogramBytes } =
    plan;
  return packed(PlanNumbers, {
    type,
    fast: precision === "fast",
    wide: sumBits === 64,
    counts,
    squares,
    bins,
    binsPerPass,
    passes,
    threads,
    replicas,
    featuresPerBlock,
    sharedBytes,
    segments,
    segmentDocuments,
    flushDocuments: flushDocuments ?? 0,
    subHistogramBytes,
  });
}

/** Stores a device's sums at their places in a job's result. */
export function placeSums(into: FeatureSums[], { places }: DeviceSums, { totals, ms }: NativeSums): void {
  let at = 0;
  const next = (bins: number) => {
    at += bins;
    return totals.slice(at - bins, at);
  };
  for (const [number, { index, plan }] of places.flat().entries()) {
    into[index] = {
      counts: plan.counts ? next(plan.bins) : null,
      sums: next(plan.bins),
      squares: plan.squares ? next(plan.bins) : null,
      ms: ms[number] ?? null,
    };
  }
}

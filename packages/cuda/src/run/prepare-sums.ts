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

/** A feature of a launch: its row in the part of the table, and its place in the job's result. */
interface Feature {
  readonly row: number;
  readonly skip: number;
  readonly index: number;
}

/** Features that a device adds up together. */
interface Launch {
  readonly plan: SumsPlan;
  readonly features: readonly Feature[];
}

export interface PreparedSums<P extends TablePart> {
  readonly launch: { readonly documents: number; readonly launches: readonly SumsLaunch[] };
  /** One part for each device that has a requested feature. */
  readonly parts: readonly (P & {
    readonly plans: readonly Launch[];
    readonly launches: NativeSumsLaunch[];
  })[];
}

/**
 * Prepares the devices' work, each with the rows that it has. This is a pure function: numbers in, frozen objects out.
 */
export function prepareSums<P extends TablePart>(job: Asked, parts: readonly P[]): PreparedSums<P> {
  const prepared = parts
    .map((part) => ({ ...part, plans: launchesFor(job, part) }))
    .filter(({ plans }) => plans.length > 0);
  const launches = prepared.flatMap(({ device, plans }) => plans.map((launch) => printed(device, launch)));
  return Object.freeze({
    launch: Object.freeze({ documents: job.documents, launches: Object.freeze(launches) }),
    parts: Object.freeze(prepared.map((part) => ({ ...part, launches: part.plans.map(nativeLaunch) }))),
  });
}

/** Returns the launches for the features whose rows a part has. */
function launchesFor({ groups, documents }: Asked, part: TablePart): Launch[] {
  let index = 0;
  return groups.flatMap(({ plan, features, skip }) => {
    const all = features
      .map((feature, i) => ({ row: feature - part.first, skip: skip[i] ?? NO_SKIP, index: index + i }))
      .filter(({ row }) => row >= 0 && row < part.rows);
    index += features.length;
    const step = featuresPerLaunch(plan, documents);
    const launches = limits.divideCeiling(all.length, step);
    return Array.from({ length: launches }, (_, i) => ({
      plan,
      features: all.slice(i * step, (i + 1) * step),
    }));
  });
}

function printed(device: number, { plan, features }: Launch): SumsLaunch {
  const { threads, sharedBytes, segments, passes } = plan;
  const blocks = limits.divideCeiling(features.length, plan.featuresPerBlock);
  return Object.freeze({
    device,
    kernel: plan.algorithm,
    features: features.length,
    grid: Object.freeze([blocks, segments, passes] as const),
    threads,
    sharedBytes,
    own: Object.freeze(sumsKernel(plan.algorithm).of(plan)),
  });
}

function nativeLaunch({ plan, features }: Launch): NativeSumsLaunch {
  const kernel = sumsKernel(plan.algorithm);
  return {
    algorithm: plan.algorithm,
    plan: nativeWeightedPlan(plan),
    own: packed(kernel.own, kernel.of(plan)),
    rows: Uint32Array.from(features, ({ row }) => row),
    skip: Uint32Array.from(features, ({ skip }) => skip),
  };
}

/**
 * Returns the features of a launch: about a millisecond's work, but enough blocks to fill a device, and no more than the
 * memory of their sub-histograms allows.
 */
export function featuresPerLaunch(
  plan: Pick<SumsPlan, "featuresPerBlock" | "segments" | "passes" | "subHistogramBytes">,
  documents: number,
): number {
  const { featuresPerBlock, segments, passes, subHistogramBytes } = plan;
  const blocks = Math.max(
    Math.floor(limits.GPU_SUMS_VALUES / (Math.max(1, documents) * featuresPerBlock)),
    limits.divideCeiling(limits.GPU_SUMS_BLOCKS, segments),
  );
  const blockBytes = segments * passes * subHistogramBytes;
  const room = blockBytes === 0 ? blocks : Math.floor(limits.SUB_HISTOGRAM_BYTES / blockBytes);
  return Math.max(1, Math.min(blocks, room)) * featuresPerBlock;
}

/** Packs the parts of a plan that every kernel receives. */
export function nativeWeightedPlan(plan: SumsPlan): Uint8Array {
  return packed(PlanNumbers, {
    ...plan,
    fast: plan.precision === "fast",
    wide: plan.sumBits === 64,
    flushDocuments: plan.flushDocuments ?? 0,
  });
}

/** Stores a device's sums at their places in a job's result. */
export function placeSums(into: FeatureSums[], plans: readonly Launch[], { totals, ms }: NativeSums): void {
  let at = 0;
  let number = 0;
  const next = (bins: number) => {
    at += bins;
    return totals.slice(at - bins, at);
  };
  for (const { plan, features } of plans) {
    for (const { index } of features) {
      into[index] = {
        counts: plan.counts ? next(plan.bins) : null,
        sums: next(plan.bins),
        squares: plan.squares ? next(plan.bins) : null,
        ms: ms[number++] ?? null,
      };
    }
  }
}

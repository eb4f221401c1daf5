import { PolybinError, type WeightedSlug } from "@polybin/core";
import {
  type FeatureSums,
  limits,
  type ResidentTable,
  type SumsJob,
  VALUE_TYPES,
  type WeightedPlan,
} from "@polybin/core/backend";
import type { NativeSums, NativeSumsLaunch, NativeWeightedPlan } from "./native.ts";

/** The weighted methods that have a kernel in native/kernels, and the hybrid of three of them. */
export const WEIGHTED_KERNELS: readonly WeightedSlug[] = [
  "weighted-fixed-point",
  "weighted-collision-free",
  "weighted-collision",
  "weighted-collision-reduced",
  "weighted-hybrid",
];

/** A skip that no value has. */
export const NO_SKIP: number = limits.U32_MAX;

/** Rows [first, first + rows) of a table in the memory of one device. */
export interface TablePart {
  /** Which of the devices, counted from 0. */
  readonly device: number;
  readonly first: number;
  readonly rows: number;
}

/** The features in near-equal parts for so many devices, in order; a device for which none is left has no part. */
export function splitFeatures(features: number, devices: number): TablePart[] {
  const start = (device: number) => Math.floor((device * features) / devices);
  return Array.from({ length: devices }, (_, device) => ({
    device,
    first: start(device),
    rows: start(device + 1) - start(device),
  })).filter(({ rows }) => rows > 0);
}

/** The same with its memory's number, of the device's context. */
export interface ResidentTablePart extends TablePart {
  readonly id: number;
}

/** A feature table in the memory of one or several devices. */
export class CudaTable implements ResidentTable {
  #parts: readonly ResidentTablePart[] | null;
  readonly #free: (of: CudaTable, parts: readonly ResidentTablePart[]) => Promise<void>;

  constructor(
    parts: readonly ResidentTablePart[],
    free: (of: CudaTable, parts: readonly ResidentTablePart[]) => Promise<void>,
  ) {
    this.#parts = parts;
    this.#free = free;
  }

  /** @throws ERR_INPUT after `free`. */
  get parts(): readonly ResidentTablePart[] {
    if (this.#parts !== null) return this.#parts;
    throw new PolybinError("ERR_INPUT", "expected a feature table but it was freed", { backend: "cuda" });
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) await this.#free(this, parts);
  }
}

/** A sentence on why the kernels cannot do what a plan says; null where they can. */
export function refusesSums(plan: WeightedPlan): string | null {
  const { algorithm, flushDocuments, sumBits, threads, featuresPerBlock, binsPerPass, type } = plan;
  if (!WEIGHTED_KERNELS.includes(algorithm)) return `cuda has no kernel for ${algorithm}`;
  if (algorithm !== "weighted-fixed-point") return null;
  if (sumBits === 64) {
    return type === "u16" ? null : `cuda keeps sums of ${type} values in 32 bits, and the plan has 64`;
  }
  const round = limits.WEIGHTED_IN_FLIGHT * limits.WEIGHTED_UNIT * threads;
  if (flushDocuments === null || flushDocuments < round) {
    return `cuda adds ${round} documents a block between two flushes, and ${flushDocuments ?? "no"} are allowed`;
  }
  const rows = featuresPerBlock * binsPerPass;
  const most = limits.WEIGHTED_ROWS * threads;
  return rows <= most ? null : `cuda keeps the totals of ${most} bins a block, and the plan has ${rows}`;
}

/** A feature's place in a job's result, and its milliseconds' launch. */
interface Place {
  readonly index: number;
  readonly plan: WeightedPlan;
}

/** What one device adds up of a job, and where in the job's result it goes. */
export interface DeviceSums {
  readonly launches: readonly NativeSumsLaunch[];
  /** For each launch its features. */
  readonly places: readonly (readonly Place[])[];
}

/** The launches for the features of a job whose rows a part has. */
export function launchesFor(
  { groups, weights, timed }: Pick<SumsJob, "groups" | "weights" | "timed">,
  { first, rows }: TablePart,
): DeviceSums {
  const launches: NativeSumsLaunch[] = [];
  const places: Place[][] = [];
  let index = 0;
  for (const { plan, features, skip } of groups) {
    const own = features
      .map((feature, i) => ({ row: feature - first, skip: skip[i] ?? NO_SKIP, index: index + i }))
      .filter(({ row }) => row >= 0 && row < rows);
    index += features.length;
    const step = timed ? 1 : featuresPerLaunch(plan, weights.length);
    for (let at = 0; at < own.length; at += step) {
      const some = own.slice(at, at + step);
      launches.push({
        algorithm: plan.algorithm,
        plan: nativeWeightedPlan(plan),
        rows: Uint32Array.from(some, ({ row }) => row),
        skip: Uint32Array.from(some, ({ skip: value }) => value),
      });
      places.push(some.map(({ index: place }) => ({ index: place, plan })));
    }
  }
  return { launches, places };
}

/** Features of a launch: a millisecond's work, but blocks enough to fill a device. */
export function featuresPerLaunch(
  { featuresPerBlock, segments }: Pick<WeightedPlan, "featuresPerBlock" | "segments">,
  documents: number,
): number {
  const blocks = Math.max(
    Math.floor(limits.GPU_SUMS_VALUES / (documents * featuresPerBlock)),
    limits.divideCeiling(limits.GPU_SUMS_BLOCKS, segments),
  );
  return blocks * featuresPerBlock;
}

/** A plan in the form that native/boundary/jobs.cc reads. */
export function nativeWeightedPlan(plan: WeightedPlan): NativeWeightedPlan {
  return {
    type: VALUE_TYPES.indexOf(plan.type),
    fast: plan.precision === "fast",
    wide: plan.sumBits === 64,
    counts: plan.counts,
    squares: plan.squares,
    bins: plan.bins,
    binsPerPass: plan.binsPerPass,
    passes: plan.passes,
    threads: plan.threads,
    replicas: plan.replicas,
    featuresPerBlock: plan.featuresPerBlock,
    sharedBytes: plan.sharedBytes,
    segments: plan.segments,
    segmentDocuments: plan.segmentDocuments,
    flushDocuments: plan.flushDocuments ?? 0,
    unroll: plan.unroll ?? 0,
    buffer: plan.buffer ?? 0,
  };
}

/** Puts what a device added up where it belongs in a job's result. */
export function placeSums(
  into: FeatureSums[],
  { places }: DeviceSums,
  { totals, ms }: NativeSums,
  timed: boolean,
): void {
  let at = 0;
  const next = (bins: number) => {
    at += bins;
    return totals.slice(at - bins, at);
  };
  for (const [launch, some] of places.entries()) {
    for (const { index, plan } of some) {
      into[index] = {
        counts: plan.counts ? next(plan.bins) : null,
        sums: next(plan.bins),
        squares: plan.squares ? next(plan.bins) : null,
        ms: timed ? (ms[launch] ?? null) : null,
      };
    }
  }
}

import type { ChannelsPlan } from "@polybin/core";
import {
  type CountJob,
  type Launch,
  type Lowering,
  limits,
  rawShift,
  SAMPLE_TYPES,
} from "@polybin/core/backend";
import { type NativeShape, Plan as PlanNumbers, packed } from "../border/index.ts";
import { type CountPlan, countKernel } from "../kernels/index.ts";
import { nativeLowering, rawLowering } from "./lowering.ts";

/** A device's work on a plan that counts: frozen and printable. */
export type CountsLaunch = {
  /** Each device counts a part of the samples. */
  readonly devices: number;
  /** Kernels in order. */
  readonly kernels: readonly string[];
  readonly threads: number;
  readonly blocks: number;
  readonly sharedBytes: number;
};

export function countsLaunch(
  devices: number,
  kernels: readonly string[],
  { threads, blocks, sharedBytes }: Launch,
): CountsLaunch {
  return { devices, kernels: Object.freeze(kernels), threads, blocks, sharedBytes };
}

/** Returns everything about a count except its samples. It crosses to the addon once. */
export function nativeShape(
  of: Pick<CountJob, "type" | "interleaved" | "channels" | "lowering">,
  plan: CountPlan,
): NativeShape {
  return Object.freeze({
    wanted: wantedOf(of),
    ...nativePlan(of.lowering, plan),
    launchPixels: plan.chunkSamples,
  });
}

/** Returns the samples of a pixel that are counted. */
export function wantedOf({
  type,
  interleaved,
  channels,
}: Pick<CountJob, "type" | "interleaved" | "channels">): NativeShape["wanted"] {
  return Object.freeze({ type: SAMPLE_TYPES.indexOf(type), interleaved, channels });
}

/** Returns the bytes of a code: a byte also needs room for the code of flow, which is no cell. */
export function codeBytes(plan: CountPlan): number {
  return isRaw(plan) || plan.cells < limits.BYTE_VALUES ? 1 : limits.WORD_BYTES;
}

function isRaw(plan: CountPlan): plan is ChannelsPlan {
  return plan.kind === "channels" && plan.raw;
}

/** Converts a plan and its lowering to the form that a kernel receives. */
export function nativePlan(
  lowering: Lowering,
  plan: CountPlan,
): Pick<NativeShape, "algorithm" | "lowering" | "plan" | "own"> {
  const { algorithm, cells, partials } = plan;
  const kernel = countKernel(algorithm);
  return {
    algorithm,
    lowering: isRaw(plan) ? rawLowering(lowering.type, cells, rawShift(plan)) : nativeLowering(lowering),
    plan: packed(PlanNumbers, {
      ...plan,
      wordsPerThread: plan.wordsPerThread ?? 0,
      codeBytes: codeBytes(plan),
      partials: partials?.tables ?? 0,
      mergeThreads: partials?.threads ?? 0,
      mergeBlocks: partials?.blocks ?? 0,
    }),
    own: packed(kernel.own, kernel.of(plan)),
  };
}

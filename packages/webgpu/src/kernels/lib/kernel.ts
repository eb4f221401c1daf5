import type { Plan } from "@polybin/core";
import type {
  Algorithm,
  ComposedAlgorithm,
  Fields,
  FieldValues,
  WeightedAlgorithm,
  WeightedPlan,
} from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import type { Grid } from "./grid.ts";
import type { DeviceLowering } from "./lowering.ts";

/** What is to be counted, as far as a kernel depends on it. */
export interface CountShape {
  readonly plan: Plan;
  /** Positions in the pixel that are counted, of so many. */
  readonly channels: readonly number[];
  readonly interleaved: number;
  /** How a sample's row is found. */
  readonly lowering: DeviceLowering;
  /** Can a sample fall outside the bins? */
  readonly flow: boolean;
  /** Are codes bytes, the samples themselves? Else they are 32-bit words that another kernel wrote. */
  readonly bytes: boolean;
  readonly limits: WebgpuLimits;
}

/** One of an algorithm's dispatches. */
export interface Stage {
  /** What people, and a driver's messages, call it. */
  readonly label: string;
  /**
   * WGSL texts, behind the bindings (lib/bindings.wgsl). Give each text as one string that lives as long as the program:
   * pipelines are found again by them.
   */
  readonly parts: readonly string[];
  readonly entry: string;
  /** Values of its `override`s. */
  readonly constants: Readonly<Record<string, number>>;
  /** Values of `const`s that no override can be, since they are the length of an inner array. */
  readonly consts?: Readonly<Record<string, number>>;
  /**
   * Of a kernel that reads codes: it declares and reads `data` itself, or not at all. Default no: it has a function
   * `step`, which `eachWord` calls with the codes (lib/codes.wgsl).
   */
  readonly ownReads?: boolean;
  readonly grid: Grid;
  /** What binding 3 is: blocks' histograms, of `histogramsBytes`. Default none. */
  readonly scratch?: "none" | "histograms";
}

/** How an algorithm counts here: what the folder of its slug exports as `kernel`, and what `webgpu({ kernels })` takes. */
export interface CountKernel<Own extends Fields = Fields> {
  readonly kind: "count";
  /** What it is, and how it is planned; core has those of the folders here. */
  readonly algorithm: Algorithm;
  /**
   * `codes`: those of one channel, pass by pass, found by a kernel before it where they are not the samples' bytes.
   * `samples`: all channels at once, in one dispatch; it finds rows itself.
   */
  readonly reads: "codes" | "samples";
  /** Params that only its own texts read, behind those of all. */
  readonly own?: Own;
  /** Their values; there where `own` is. */
  params?(plan: Plan): FieldValues<Own>;
  /** A sentence on why a plan cannot run here although its limits allow it; null where it can. */
  refuses?(plan: Plan): string | null;
  /** Its dispatches over a chunk, or over a pass of one: in this order. */
  stages(shape: CountShape): readonly Stage[];
  /**
   * Of one that reads samples: its dispatch over segments of a channel, each of which has a row of counts; its own params
   * then have SEGMENT_FIELDS (lib/segments.ts). Default: it counts none.
   */
  segments?(shape: CountShape): Stage;
  /** Bytes of `scratch` that its stages hand on. Default 0. */
  histogramsBytes?(plan: Plan): number;
}

/** What a kernel of weighted sums must know of the device. */
export type Room = Pick<WebgpuLimits, "sharedBytes" | "generic">;

/** The same of an algorithm that adds weights up: texts that lib/segment.wgsl calls. */
export interface SumsKernel<Own extends Fields = Fields> {
  readonly kind: "sums";
  readonly algorithm: WeightedAlgorithm;
  /** WGSL texts, with `prepare`, `add`, `flush` and `finish`. */
  readonly parts: readonly string[];
  readonly own?: Own;
  params?(plan: WeightedPlan): FieldValues<Own>;
  /** Documents that a thread should read before it adds the first. */
  unroll(plan: WeightedPlan): number;
  /** Values of `const`s that no override can be. */
  consts?(plan: WeightedPlan): Readonly<Record<string, number>>;
  /** Values of its `override`s. */
  constants(plan: WeightedPlan, of: Room): Readonly<Record<string, number>>;
}

/** An algorithm without a kernel: core deals it out to the kernels of others, whose times `sums` tells. */
export interface Composed {
  readonly kind: "composed";
  readonly algorithm: ComposedAlgorithm;
}

export type WebgpuKernel = CountKernel | SumsKernel | Composed;

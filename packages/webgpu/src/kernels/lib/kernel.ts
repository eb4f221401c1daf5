import type { ChannelsPlan } from "@polybin/core";
import type {
  Algorithm,
  ComposedAlgorithm,
  Fields,
  FieldValues,
  SumsPlan,
  WeightedAlgorithm,
} from "@polybin/core/backend";
import type { ShaderText, WebgpuLimits } from "../../base/index.ts";
import type { Grid } from "./grid.ts";
import type { DeviceLowering } from "./lowering.ts";

/** The parts of a counting job that a kernel depends on. */
export interface CountShape {
  readonly plan: ChannelsPlan;
  /** The counted positions in the pixel, of `interleaved` positions. */
  readonly channels: readonly number[];
  readonly interleaved: number;
  /** How a sample's row is found. */
  readonly lowering: DeviceLowering;
  /** Whether a sample can fall outside the bins. */
  readonly flow: boolean;
  /**
   * Whether codes are bytes, which are the samples themselves. Otherwise they are 32-bit words that another kernel
   * wrote.
   */
  readonly bytes: boolean;
  readonly limits: WebgpuLimits;
}

/** One of an algorithm's dispatches. */
export interface Stage {
  /** Its name for people and in a driver's messages. */
  readonly label: string;
  /**
   * WGSL texts, which follow the bindings (lib/bindings.wgsl). Give each text as one string that lives as long as the
   * program, because pipelines are looked up by their texts.
   */
  readonly parts: readonly ShaderText[];
  readonly entry: string;
  /** Values of its `override`s. */
  readonly constants: Readonly<Record<string, number>>;
  /** Values of `const`s that cannot be overrides, because they are lengths of inner arrays. */
  readonly consts?: Readonly<Record<string, number>>;
  /**
   * For a kernel that reads codes: whether it declares and reads `data` itself, or does not read it at all. Otherwise
   * it has a function `step`, which `eachWord` calls with the codes (lib/codes.wgsl). Default: false.
   */
  readonly ownReads?: boolean;
  readonly grid: Grid;
}

/**
 * How an algorithm counts on WebGPU. The folder of its slug exports this as `kernel`, and `webgpu({ kernels })` accepts
 * it.
 */
export interface CountKernel<Own extends Fields = Fields> {
  readonly kind: "count";
  /** The algorithm and its planning. Core has those of the built-in folders. */
  readonly algorithm: Algorithm;
  /**
   * `codes`: the codes of one channel, pass by pass. If they are not the samples' bytes, an earlier kernel finds them.
   * `samples`: all channels at once, in one dispatch; the kernel finds rows itself.
   */
  readonly reads: "codes" | "samples";
  /** Params that only its own texts read. They follow the common ones. */
  readonly own?: Own;
  /** Returns their values. It is required if `own` is given. */
  params?(plan: ChannelsPlan): FieldValues<Own>;
  /** Returns a sentence on why a plan cannot run although the limits allow it, or null if it can. */
  refuses?(plan: ChannelsPlan): string | null;
  /**
   * Returns its dispatches over a chunk, or over a pass of one, in this order. If the plan has partial tables, the blocks
   * write them by `addSum` (lib/sum-tables.wgsl), and a dispatch follows that merges them.
   */
  stages(shape: CountShape): readonly Stage[];
  /**
   * Returns its dispatch over segments of a channel, each with a row of counts. This is for kernels that read samples.
   * Their own params then include SEGMENT_FIELDS (lib/segments.ts). Default: the kernel does not count segments.
   */
  segments?(shape: CountShape): Stage;
  /**
   * Returns a faster dispatch over segments of one length (CUTS.every), or null. It is used for segments that begin at
   * whole vectors and consist of them, that lie entirely in a chunk, and whose 256 bins are the bytes themselves. It stores
   * each row at once and reads only the params `parts`, `firstRow`, `start` and `every`. Default: there is none.
   */
  evenSegments?(shape: CountShape): Stage | null;
}

/** The limits of the device that a kernel of weighted sums depends on. */
export type Room = Pick<WebgpuLimits, "sharedBytes" | "generic">;

/** The same for an algorithm that adds weights up. lib/segment.wgsl calls its texts. */
export interface SumsKernel<Own extends Fields = Fields> {
  readonly kind: "sums";
  readonly algorithm: WeightedAlgorithm;
  /** WGSL texts with `prepare`, `add`, `flush` and `finish`. */
  readonly parts: readonly ShaderText[];
  readonly own?: Own;
  params?(plan: SumsPlan): FieldValues<Own>;
  /** Returns a sentence on why WGSL cannot run a plan, or null if it can. Default: it can run any plan. */
  refuses?(plan: SumsPlan): string | null;
  /** Returns the documents that a thread should read before it adds the first. */
  unroll(plan: SumsPlan): number;
  /** Returns values of `const`s that cannot be overrides. */
  consts?(plan: SumsPlan): Readonly<Record<string, number>>;
  /** Returns values of its `override`s. */
  constants(plan: SumsPlan, of: Room): Readonly<Record<string, number>>;
}

/**
 * An algorithm without a kernel of its own. Core distributes its features over the kernels of others by the times that
 * `sums` measures.
 */
export interface Composed {
  readonly kind: "composed";
  readonly algorithm: ComposedAlgorithm;
}

export type WebgpuKernel = CountKernel | SumsKernel | Composed;

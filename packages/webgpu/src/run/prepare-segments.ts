import { PolybinError } from "@polybin/core";
import type { CountJob, DeviceLaunch, Lowering } from "@polybin/core/backend";
import { limits, type SegmentGrid } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import {
  type Catalog,
  COUNT_FIELDS,
  type CountShape,
  codesTexts,
  deviceLowering,
  paramsOf,
  type Stage,
  type Values,
} from "../kernels/index.ts";
import { type Hardware, type Kernel, own } from "../platform/index.ts";
import { described, frozen } from "./frozen.ts";

/** A prepared job over segments on this device: numbers and texts. Nothing is compiled or allocated yet. */
export interface SegmentsSteps {
  readonly kernel: Kernel;
  /** The kernel for even segments. Null if there is none, or if these segments cannot be even. */
  readonly even: Kernel | null;
  readonly grid: Stage["grid"];
  readonly interleaved: number;
  /** Position of the counted channel in a pixel. */
  readonly channel: number;
  /** Values of the lowering and the plan for every dispatch. */
  readonly params: Values;
  /** The content of binding 1, if it has any: a lowering's lookup, or the codes of raw values. */
  readonly lookup: { readonly key: Lowering; readonly words: () => Uint32Array<ArrayBuffer> } | null;
  /** Whether these codes sort raw values into bins. */
  readonly coded: boolean;
  readonly bins: number;
  readonly flow: boolean;
  /** Samples of a part. A longer segment has several parts. */
  readonly partSamples: number;
  /** Rows that one readback copies to the host. */
  readonly rangeSegments: number;
  readonly launch: DeviceLaunch;
}

/** Prepares a job. @throws ERR_UNSUPPORTED without a kernel */
export function prepareSegments(
  {
    plan,
    channels,
    lowering: given,
    interleaved,
  }: Pick<CountJob, "channels" | "plan" | "lowering" | "interleaved">,
  catalog: Catalog,
  of: WebgpuLimits,
): SegmentsSteps {
  const counting = catalog.count(plan.algorithm);
  if (counting.segments === undefined) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected an algorithm that counts segments but received ${plan.algorithm}, which webgpu cannot use for them`,
      {
        backend: "webgpu",
      },
    );
  }
  const lowering = deviceLowering(given, plan, of);
  const { bins, flow } = given;
  const shape: CountShape = { plan, channels, interleaved, lowering, flow, bytes: false, limits: of };
  const stage = counting.segments(shape);
  const params = paramsOf(COUNT_FIELDS, lowering.fields, counting.own ?? {});
  const kernel = kernelOf(stage, params);
  const codes = plan.raw && given.kind === "table" && !isIdentity(given) ? given : null;
  const areBytes = plan.raw && interleaved === 1 && codes === null && bins === limits.BYTE_VALUES && !flow;
  const canBeEven = areBytes && (plan.segments?.longest ?? 0) % limits.VECTOR_BYTES === 0;
  const evenStage = canBeEven ? (counting.evenSegments?.(shape) ?? null) : null;
  const even = evenStage && kernelOf(evenStage, params);
  const { partSamples } = plan.own as unknown as SegmentGrid;
  const rowBytes = (bins + (flow ? limits.FLOW_ROWS : 0)) * limits.WORD_BYTES;
  const rangeSegments = Math.max(1, Math.floor(own.ROWS_BYTES / rowBytes));
  return {
    kernel,
    even,
    grid: stage.grid,
    interleaved,
    channel: channels[0]!,
    params: { ...lowering.params, ...counting.params?.(plan), cells: plan.cells, first: 0, to: 0 },
    // The key is a copy, because the same lowering has another lookup if values are not counted raw.
    lookup: codes
      ? { key: { ...codes }, words: () => Uint32Array.from(codes.table) }
      : lowering.lookup && { key: given, words: lowering.lookup },
    coded: codes !== null,
    bins,
    flow,
    partSamples,
    rangeSegments,
    launch: frozen({
      kernels: [kernel, ...(even === null ? [] : [even])].map((one) => ({
        ...described(one),
        grid: stage.grid.map((size) => size ?? 1),
      })),
      params: lowering.params,
      partSamples,
      rangeSegments,
      samplesBytesAtOnce: of.partBytes,
    }),
  };
}

/** The compiled kernels of prepared steps. */
export interface SegmentsPipelines {
  readonly any: GPUComputePipeline;
  readonly even: GPUComputePipeline | null;
}

export async function compileSegments(
  { pipelines }: Hardware,
  { kernel, even }: SegmentsSteps,
): Promise<SegmentsPipelines> {
  const compiled = [pipelines.of(kernel), even && pipelines.of(even)] as const;
  const [any, other] = await Promise.all(compiled);
  return { any, even: other };
}

function kernelOf({ label, parts, entry, consts, constants }: Stage, params: Kernel["params"]): Kernel {
  return {
    label,
    params,
    ...(consts !== undefined && { consts }),
    parts: [...codesTexts("own"), ...parts],
    entry,
    constants,
  };
}

function isIdentity({ bins, table }: { readonly bins: number; readonly table: Uint32Array }): boolean {
  return bins === limits.BYTE_VALUES && table.every((code, value) => code === value);
}

import { type DeviceLaunch, limits, type SegmentGrid, type TableLowering } from "@polybin/core/backend";
import { failure, type WebgpuLimits } from "../../base/index.ts";
import {
  type Catalog,
  COUNT_FIELDS,
  type CountShape,
  codesTexts,
  deviceLowering,
  paramsOf,
  type Stage,
  type Values,
} from "../../kernels/index.ts";
import type { Lookup } from "../../memory/index.ts";
import { type Kernel, own } from "../../platform/index.ts";
import { kernelOf, type ShapeOfJob } from "./channels.ts";
import { described, frozen } from "./launch.ts";

/** A prepared job over segments on this device: numbers and texts. Nothing is compiled or allocated yet. */
export interface SegmentsSteps {
  /** The kernel for any segments, and the one for even segments, if there is one and these segments can be even. */
  readonly kernels: readonly Kernel[];
  readonly grid: Stage["grid"];
  readonly interleaved: number;
  /** Position of the counted channel in a pixel. */
  readonly channel: number;
  /** Values of the lowering and the plan for every dispatch. */
  readonly params: Values;
  /** The content of binding 1, if it has any: a lowering's lookup, or the codes of raw values. */
  readonly lookup: Lookup | null;
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
export function prepareSegments(job: ShapeOfJob, catalog: Catalog, of: WebgpuLimits): SegmentsSteps {
  const { plan, channels, lowering: given, interleaved } = job;
  const counting = catalog.count(plan.algorithm);
  if (counting.segments === undefined) {
    throw failure(
      "ERR_UNSUPPORTED",
      `expected an algorithm that counts segments but received ${plan.algorithm}, which webgpu cannot use for them`,
    );
  }
  const lowering = deviceLowering(given, plan, of);
  const { bins, flow } = given;
  const shape: CountShape = { plan, channels, interleaved, lowering, flow, bytes: false, limits: of };
  const stage = counting.segments(shape);
  const params = paramsOf(COUNT_FIELDS, lowering.fields, counting.own ?? {});
  const codes = plan.raw && given.kind === "table" && !isIdentity(given) ? given : null;
  const areBytes = plan.raw && interleaved === 1 && codes === null && bins === limits.BYTE_VALUES && !flow;
  const canBeEven = areBytes && (plan.segments?.longest ?? 0) % limits.VECTOR_BYTES === 0;
  const even = canBeEven ? (counting.evenSegments?.(shape) ?? null) : null;
  const compiled = (one: Stage) => kernelOf(one, codesTexts("own"), params);
  const kernels = [stage, ...(even ? [even] : [])].map(compiled);
  const { partSamples } = plan.own as unknown as SegmentGrid;
  const rowBytes = (bins + (flow ? limits.FLOW_ROWS : 0)) * limits.WORD_BYTES;
  const rangeSegments = Math.max(1, Math.floor(own.ROWS_BYTES / rowBytes));
  return {
    ...{ kernels, grid: stage.grid, interleaved, bins, flow, partSamples, rangeSegments },
    channel: channels[0]!,
    params: { ...lowering.params, ...counting.params?.(plan), cells: plan.cells, first: 0, to: 0 },
    // The key is a copy, because the same lowering has another lookup if values are not counted raw.
    lookup: codes
      ? { key: { ...codes }, words: () => Uint32Array.from(codes.table) }
      : lowering.lookup && { key: given, words: lowering.lookup },
    coded: codes !== null,
    launch: frozen({
      kernels: kernels.map((kernel) => described(kernel, stage.grid)),
      ...{ params: lowering.params, partSamples, rangeSegments, samplesBytesAtOnce: of.partBytes },
    }),
  };
}

function isIdentity({ bins, table }: Pick<TableLowering, "bins" | "table">): boolean {
  return bins === limits.BYTE_VALUES && table.every((code, value) => code === value);
}

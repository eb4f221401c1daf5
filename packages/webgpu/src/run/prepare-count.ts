import type { ChannelsPlan } from "@polybin/core";
import { type CountJob, type DeviceLaunch, type Lowering, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import {
  type Catalog,
  COUNT_FIELDS,
  type CountKernel,
  type CountShape,
  codesTexts,
  deviceLowering,
  gridFor,
  lower,
  merge,
  PARTIAL_FIELDS,
  paramsOf,
  plainThreads,
  type Stage,
  sumTexts,
  type Values,
} from "../kernels/index.ts";
import type { Kernel } from "../platform/index.ts";
import { described, frozen } from "./frozen.ts";

/** One of a kernel's dispatches. */
export interface CountStage extends Pick<Stage, "grid"> {
  readonly kernel: Kernel;
  /** Binding 3: the blocks' partial tables if the plan has them. */
  readonly scratch: "none" | "histograms";
}

/** A prepared job on this device: numbers and texts. Nothing is compiled or allocated yet. */
export interface CountSteps extends Pick<CountShape, "plan" | "channels" | "interleaved" | "lowering"> {
  readonly reads: CountKernel["reads"];
  readonly stages: readonly CountStage[];
  /** Values for the algorithm's own texts only. */
  readonly own: Values;
  /** The step that first writes codes, if the samples' bytes are not codes already, and its grid. */
  readonly lower: { readonly kernel: Kernel; readonly grid: (codes: number) => number } | null;
  /** Codes of a channel that are written, and then counted, at a time. */
  readonly codes: number;
  /** The content of binding 1, if it has any. It is created on first use. */
  readonly lookup: { readonly key: Lowering; readonly words: () => Uint32Array<ArrayBuffer> } | null;
  /** Bytes of the blocks' partial tables. */
  readonly histogramsBytes: number;
  /** A description for people. */
  readonly launch: DeviceLaunch;
}

/** Returns the number of a channel's counts: its cells and three of flow. */
export function countsOf({ cells }: Pick<ChannelsPlan, "cells">): number {
  return cells + limits.FLOW_ROWS;
}

/** Prepares a job. `of` are the limits that its plan was made for. @throws ERR_UNSUPPORTED without a kernel */
export function prepareCount(
  request: Pick<CountJob, "channels" | "plan" | "lowering" | "interleaved">,
  catalog: Catalog,
  of: WebgpuLimits,
): CountSteps {
  const { plan, channels, interleaved, lowering: given } = request;
  const counting = catalog.count(plan.algorithm);
  const { reads } = counting;
  const lowering = deviceLowering(given, plan, of);
  const bytes = plan.raw && interleaved === 1;
  const shape: CountShape = { plan, channels, interleaved, lowering, flow: given.flow, bytes, limits: of };
  const { partials } = plan;
  const stages = [...counting.stages(shape), ...(partials ? [merge(partials)] : [])].map((stage) =>
    stageOf(stage, counting, shape),
  );
  const threads = plainThreads(of);
  const lowers = reads === "codes" && !bytes ? lower(threads, lowering, interleaved) : null;
  const codes = Math.min(limits.GPU_CODES, Math.floor(of.chunkBytes / Uint32Array.BYTES_PER_ELEMENT));
  const histogramsBytes = (partials?.tables ?? 0) * plan.cellsPerPass * limits.WORD_BYTES;
  return {
    plan,
    channels,
    interleaved,
    lowering,
    reads,
    stages,
    own: counting.params?.(plan) ?? {},
    lower: lowers && { kernel: lowers, grid: (size) => gridFor(size, threads, of) },
    codes,
    lookup: lowering.lookup && { key: given, words: lowering.lookup },
    histogramsBytes,
    launch: frozen({
      reads,
      passes: reads === "samples" ? 1 : plan.passes,
      kernels: [
        ...(lowers === null ? [] : [described(lowers)]),
        ...stages.map(({ kernel, grid }) => ({ ...described(kernel), grid: grid.map((size) => size ?? 1) })),
      ],
      params: lowering.params,
      own: counting.params?.(plan) ?? {},
      lookup: lowering.lookup !== null,
      codesAtOnce: lowers === null ? 0 : codes,
      histogramsBytes,
      samplesBytesAtOnce: of.partBytes,
    }),
  };
}

function stageOf(stage: Stage, { reads, own = {} }: CountKernel, shape: CountShape): CountStage {
  const { label, parts, entry, consts, ownReads = reads === "samples", grid } = stage;
  const { lowering, bytes, plan } = shape;
  const partialFields = plan.partials ? PARTIAL_FIELDS : {};
  const texts = codesTexts(ownReads ? "own" : bytes ? "bytes" : "words");
  return {
    kernel: {
      label,
      params:
        reads === "samples"
          ? paramsOf(COUNT_FIELDS, lowering.fields, own)
          : paramsOf(COUNT_FIELDS, partialFields, own),
      ...(consts !== undefined && { consts }),
      parts: [...texts, ...(reads === "codes" ? sumTexts(plan.partials) : []), ...parts],
      entry,
      constants: stage.constants,
    },
    grid,
    scratch: plan.partials ? "histograms" : "none",
  };
}

import type { ChannelsPlan } from "@polybin/core";
import { type CountJob, type DeviceLaunch, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import {
  type Catalog,
  COUNT_FIELDS,
  type CountKernel,
  type CountShape,
  codesTexts,
  type Dispatch,
  deviceLowering,
  type Grid,
  gridFor,
  lower,
  merge,
  PARTIAL_FIELDS,
  paramsOf,
  plainThreads,
  type Stage,
  sumTexts,
  type Values,
} from "../../kernels/index.ts";
import type { Lookup } from "../../memory/index.ts";
import type { Kernel } from "../../platform/index.ts";
import { described, frozen } from "./launch.ts";

/** One of a kernel's dispatches. Its scratch memory are the blocks' partial tables if the plan has them. */
export type CountStage = Pick<Dispatch, "kernel" | "grid" | "scratch">;

/** A prepared job on this device: numbers and texts. Nothing is compiled or allocated yet. */
export interface ChannelsSteps extends Pick<CountShape, "plan" | "channels" | "interleaved" | "lowering"> {
  readonly reads: CountKernel["reads"];
  readonly stages: readonly CountStage[];
  /** Values for the algorithm's own texts only. */
  readonly own: Values;
  /** The step that first writes codes, if the samples' bytes are not codes already, and its grid. */
  readonly lower: { readonly kernel: Kernel; readonly grid: (codes: number) => Grid } | null;
  /** The kernels of all of these. */
  readonly kernels: readonly Kernel[];
  /** Codes of a channel that are written, and then counted, at a time. */
  readonly codes: number;
  /** The content of binding 1, if it has any. It is created on first use. */
  readonly lookup: Lookup | null;
  /** Bytes of the blocks' partial tables. */
  readonly histogramsBytes: number;
  /** A description for people. */
  readonly launch: DeviceLaunch;
}

/** Returns the number of a channel's counts: its cells and three of flow. */
export function countsOf({ cells }: Pick<ChannelsPlan, "cells">): number {
  return cells + limits.FLOW_ROWS;
}

/** Returns the bytes of the counts of all channels. */
export function countsBytes({ channels, plan }: Pick<ChannelsSteps, "channels" | "plan">): number {
  return channels.length * countsOf(plan) * limits.WORD_BYTES;
}

/** The properties of a job over one axis that its kernels depend on. */
export type ShapeOfJob = Pick<CountJob, "channels" | "plan" | "lowering" | "interleaved">;

/** Prepares a job. `of` are the limits that its plan was made for. @throws ERR_UNSUPPORTED without a kernel */
export function prepareChannels(job: ShapeOfJob, catalog: Catalog, of: WebgpuLimits): ChannelsSteps {
  const { plan, channels, interleaved, lowering: given } = job;
  const counting = catalog.count(plan.algorithm);
  const { reads } = counting;
  const own = counting.params?.(plan) ?? {};
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
  const first = lowers === null ? [] : [lowers];
  return {
    ...{ plan, channels, interleaved, lowering, reads, stages, own, codes, histogramsBytes },
    lower: lowers && { kernel: lowers, grid: (size) => [gridFor(size, threads, of)] },
    kernels: [...first, ...stages.map(({ kernel }) => kernel)],
    lookup: lowering.lookup && { key: given, words: lowering.lookup },
    launch: frozen({
      reads,
      passes: reads === "samples" ? 1 : plan.passes,
      kernels: [
        ...first.map((kernel) => described(kernel)),
        ...stages.map(({ kernel, grid }) => described(kernel, grid)),
      ],
      ...{ params: lowering.params, own, lookup: lowering.lookup !== null, histogramsBytes },
      codesAtOnce: lowers === null ? 0 : codes,
      samplesBytesAtOnce: of.partBytes,
    }),
  };
}

function stageOf(stage: Stage, { reads, own = {} }: CountKernel, shape: CountShape): CountStage {
  const { ownReads = reads === "samples" } = stage;
  const { lowering, bytes, plan } = shape;
  const fields = reads === "samples" ? lowering.fields : plan.partials ? PARTIAL_FIELDS : {};
  const texts = codesTexts(ownReads ? "own" : bytes ? "bytes" : "words");
  const sums = reads === "codes" ? sumTexts(plan.partials) : [];
  return {
    kernel: kernelOf(stage, [...texts, ...sums], paramsOf(COUNT_FIELDS, fields, own)),
    grid: stage.grid,
    scratch: plan.partials ? "histograms" : "none",
  };
}

/** Returns the kernel of a stage. `texts` come before its own. */
export function kernelOf(
  { label, parts, entry, consts = {}, constants }: Stage,
  texts: Kernel["parts"],
  params: Kernel["params"],
): Kernel {
  return { label, params, consts, parts: [...texts, ...parts], entry, constants };
}

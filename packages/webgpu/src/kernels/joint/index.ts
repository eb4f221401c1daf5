import { type JointJob, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import { type Kernel, own } from "../../platform/index.ts";
import { fusedText } from "../fused/tables.ts";
import { SHADERS } from "../generated/shaders.ts";
import { type Grid, gridFor, plainThreads } from "../lib/grid.ts";
import { type DeviceLowering, deviceLowering } from "../lib/lowering.ts";
import { paramsOf, type Values } from "../lib/params.ts";
import { columnTexts, type DeviceColumn } from "./columns.ts";
import { stepsOf } from "./steps.ts";

/** Params of every kernel over several columns. The fields of the columns follow them. */
const FIELDS = {
  /** Samples of this part of the columns. */
  count: "u32",
  /** Samples, or entries of the list, to visit, and the first of them. */
  entries: "u32",
  firstEntry: "u32",
  /** The index of this part's first sample, for a list. */
  base: "u32",
  /** The first sample in the mask. */
  firstMask: "u32",
  /** Number of cells. */
  cells: "u32",
  /** Steps of whole vectors, which the kernel counts before the other samples. */
  steps: "u32",
} as const;

/** A kernel over some of the columns. */
export interface ColumnsKernel {
  readonly kernel: Kernel;
  /** The columns that it binds, by their numbers. */
  readonly columns: readonly number[];
  /** The params that do not depend on the samples. */
  readonly params: Values;
  readonly grid: (entries: number) => Grid;
  /** Samples of a step, or 0 if the kernel has none. */
  readonly stepSamples: number;
  /** Bytes of each bound column's pixels. */
  readonly pixelBytes: readonly number[];
}

const MASKS = {
  none: SHADERS["joint/mask-none"],
  bytes: SHADERS["joint/mask-bytes"],
  bits: SHADERS["joint/mask-bits"],
} as const;

/** Returns the columns of a job as kernels read them. */
export function deviceColumns({ columns, plan }: JointJob, of: WebgpuLimits): readonly DeviceColumn[] {
  return columns.map(({ lowering, interleaved, channel }, k): DeviceColumn => {
    const column = plan.columns[k]!;
    const { bins, flow } = lowering;
    const found = deviceLowering(lowering, { raw: column.by === "raw" }, of);
    return { plan: column, lowering: found, bins, flow, interleaved, channel };
  });
}

/** Returns the kernels that write the cells of samples, in their order. The last one applies the mask. */
export function cellsKernels(
  { plan }: JointJob,
  columns: readonly DeviceColumn[],
  of: WebgpuLimits,
): readonly ColumnsKernel[] {
  // A fallback adapter takes long to compile. Kernels of one column are then shared by many plans.
  const most = of.generic ? 1 : own.BOUND_COLUMNS;
  const threads = plainThreads(of);
  return Array.from({ length: limits.divideCeiling(columns.length, most) }, (_, i) => {
    const bound = columns.slice(i * most, (i + 1) * most);
    const isLast = (i + 1) * most >= columns.length;
    const form = { compiled: !of.generic, lookupReplicas: 0 };
    const texts = columnTexts(bound, i === 0 ? plan.offset : 0, form);
    return {
      kernel: {
        label: "cells",
        params: paramsOf(FIELDS, texts.fields),
        parts: [
          SHADERS["joint/bindings"],
          ...texts.parts,
          MASKS[isLast ? plan.mask : "none"],
          SHADERS["joint/cells"],
        ],
        entry: "writeCells",
        bindings: "joint",
        constants: {
          ...texts.constants,
          ...{ THREADS: threads, IS_FIRST: Number(i === 0), LISTED: Number(plan.listed) },
        },
      },
      columns: bound.map((_column, k) => i * most + k),
      params: { ...texts.params, cells: plan.cells },
      grid: (entries) => [gridFor(entries, threads, of)],
      stepSamples: 0,
      pixelBytes: pixelBytesOf(bound),
    };
  });
}

/** Returns whether one kernel finds and counts the cells of all columns. */
export function isFused({ plan }: JointJob, { generic }: WebgpuLimits): boolean {
  return !plan.staged && !generic && plan.columns.length <= own.BOUND_COLUMNS;
}

/**
 * Returns the kernel that finds and counts cells.
 * @param sources the column whose samples each column reads: itself, or an earlier one that is a channel of the same
 * pixels
 */
export function fusedKernel(
  { plan }: JointJob,
  columns: readonly DeviceColumn[],
  sources: readonly number[],
  of: WebgpuLimits,
): ColumnsKernel {
  const lookupReplicas = lookupReplicasOf(
    columns,
    of.sharedBytes - plan.sharedBytes - limits.FUSED_RESERVED_BYTES,
  );
  const texts = columnTexts(columns, plan.offset, { compiled: true, lookupReplicas });
  const steps = plan.listed ? null : stepsOf(columns, sources, plan.mask);
  const table = fusedText(plan, plan.passes > 1);
  return {
    kernel: {
      label: "fused",
      params: paramsOf(FIELDS, texts.fields),
      consts: { ...table.consts, ...lookupConsts(lookupReplicas) },
      parts: [
        SHADERS["joint/bindings"],
        ...texts.parts,
        MASKS[plan.mask],
        table.text,
        SHADERS["fused/columns"],
        steps?.text ?? SHADERS["fused/no-steps"],
      ],
      entry: "count",
      bindings: "joint",
      constants: {
        ...texts.constants,
        ...table.constants,
        ...{ THREADS: plan.threads, LISTED: Number(plan.listed) },
        ...{ CELLS_PER_PASS: plan.cellsPerPass, PASSES: plan.passes },
        STEP_SAMPLES: steps?.samples ?? 1,
      },
    },
    columns: columns.map((_, k) => k),
    params: { ...texts.params, cells: plan.cells },
    grid: () => [plan.blocks * plan.passes],
    stepSamples: steps?.samples ?? 0,
    pixelBytes: pixelBytesOf(columns),
  };
}

/**
 * Returns the copies of lookups in workgroup memory, so that lanes seldom meet in a bank: as many as fit, or 0. They
 * are a power of two.
 */
function lookupReplicasOf(columns: readonly DeviceColumn[], bytes: number): number {
  const words = (replicas: number) =>
    columns.reduce((sum, { lowering }) => sum + sharedWords(lowering, replicas), 0);
  let replicas: number = own.LOOKUP_REPLICAS;
  while (replicas >= 1 && words(replicas) * limits.WORD_BYTES > bytes) replicas /= 2;
  return replicas >= 1 && words(1) > 0 ? replicas : 0;
}

function sharedWords(
  { lookupParts, sampleBytes, sharedConstants }: DeviceLowering,
  replicas: number,
): number {
  if (lookupParts.shared === null) return 0;
  const { THRESHOLDS = 0, STARTS = 0 } = sharedConstants ?? {};
  const keyWords = Math.max(1, sampleBytes / limits.WORD_BYTES);
  return THRESHOLDS * replicas * keyWords + STARTS * startCopies(replicas);
}

function lookupConsts(replicas: number): Readonly<Record<string, number>> {
  return replicas === 0 ? {} : { LOOKUP_REPLICAS: replicas, START_COPIES: startCopies(replicas) };
}

function startCopies(replicas: number): number {
  return Math.max(1, Math.floor(replicas / 2));
}

function pixelBytesOf(columns: readonly DeviceColumn[]): readonly number[] {
  return columns.map(({ lowering, interleaved }) => lowering.sampleBytes * interleaved);
}

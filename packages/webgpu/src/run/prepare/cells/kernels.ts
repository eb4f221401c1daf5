import { type CellsJob, limits } from "@polybin/core/backend";
import type { ShaderText, WebgpuLimits } from "../../../base/index.ts";
import {
  type DeviceLowering,
  deviceLowering,
  fusedText,
  type Grid,
  gridFor,
  lookupConsts,
  paramsOf,
  plainThreads,
  SHADERS,
  startCopies,
  type Values,
} from "../../../kernels/index.ts";
import { type Kernel, own } from "../../../platform/index.ts";
import { type ColumnTexts, columnTexts, type DeviceColumn } from "./columns.ts";
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
  none: SHADERS["lib/mask-none"],
  bytes: SHADERS["lib/mask-bytes"],
  bits: SHADERS["lib/mask-bits"],
} as const;

/** Returns the columns of a job as kernels read them. */
export function deviceColumns({ columns, plan }: CellsJob, of: WebgpuLimits): readonly DeviceColumn[] {
  return columns.map(({ lowering, interleaved, channel }, k): DeviceColumn => {
    const column = plan.columns[k]!;
    const { bins, flow } = lowering;
    const found = deviceLowering(lowering, { raw: column.by === "raw" }, of);
    return { plan: column, lowering: found, bins, flow, interleaved, channel };
  });
}

/** Returns the kernels that write the cells of samples, in their order. The last one applies the mask. */
export function cellsKernels(
  { plan }: CellsJob,
  columns: readonly DeviceColumn[],
  of: WebgpuLimits,
): readonly ColumnsKernel[] {
  // A fallback adapter takes long to compile. Kernels of one column are then shared by many plans.
  const most = of.generic ? 1 : own.BOUND_COLUMNS;
  const threads = plainThreads(of);
  return Array.from({ length: limits.divideCeiling(columns.length, most) }, (_, i) => {
    const first = i * most;
    const bound = columns.slice(first, first + most);
    const isLast = first + most >= columns.length;
    const form = { compiled: !of.generic, lookupReplicas: 0 };
    const texts = columnTexts(bound, i === 0 ? plan.offset : 0, form);
    return {
      ...columnsKernel(bound, first, texts, plan.cells, {
        label: "cells",
        parts: [MASKS[isLast ? plan.mask : "none"], SHADERS["steps/cells"]],
        entry: "writeCells",
        constants: { THREADS: threads, IS_FIRST: Number(i === 0), LISTED: Number(plan.listed) },
      }),
      grid: (entries) => [gridFor(entries, threads, of)],
      stepSamples: 0,
    };
  });
}

/** Returns whether one kernel finds and counts the cells of all columns. */
export function isFused({ plan }: CellsJob, { generic }: WebgpuLimits): boolean {
  return !plan.staged && !generic && plan.columns.length <= own.BOUND_COLUMNS;
}

/**
 * Returns the kernel that finds and counts cells.
 * @param sources the column whose samples each column reads: itself, or an earlier one that is a channel of the same
 * pixels
 */
export function fusedKernel(
  { plan }: CellsJob,
  columns: readonly DeviceColumn[],
  sources: readonly number[],
  of: WebgpuLimits,
): ColumnsKernel {
  const { cells, mask, listed, threads, passes, cellsPerPass } = plan;
  const room = of.sharedBytes - plan.sharedBytes - limits.FUSED_RESERVED_BYTES;
  const lookupReplicas = lookupReplicasOf(columns, room);
  const texts = columnTexts(columns, plan.offset, { compiled: true, lookupReplicas });
  const steps = listed ? null : stepsOf(columns, sources, mask);
  const table = fusedText(plan, passes > 1 || mask !== "none");
  return {
    ...columnsKernel(columns, 0, texts, cells, {
      label: "fused",
      consts: { ...table.consts, ...lookupConsts(lookupReplicas) },
      parts: [
        ...[MASKS[mask], table.text, SHADERS["fused/columns"]],
        steps?.text ?? SHADERS["fused/no-steps"],
      ],
      entry: "count",
      constants: {
        ...table.constants,
        ...{ THREADS: threads, LISTED: Number(listed), CELLS_PER_PASS: cellsPerPass, PASSES: passes },
        STEP_SAMPLES: steps?.samples ?? 1,
      },
    }),
    grid: () => [plan.blocks * passes],
    stepSamples: steps?.samples ?? 0,
  };
}

/** Returns a kernel over the columns from number `first` on. Their texts come before its own. */
function columnsKernel(
  bound: readonly DeviceColumn[],
  first: number,
  texts: ColumnTexts,
  cells: number,
  of: Omit<Kernel, "params" | "bindings"> & { readonly parts: readonly ShaderText[] },
): Pick<ColumnsKernel, "kernel" | "columns" | "params" | "pixelBytes"> {
  return {
    kernel: {
      ...of,
      params: paramsOf(FIELDS, texts.fields),
      parts: [SHADERS["lib/joint-bindings"], ...texts.parts, ...of.parts],
      bindings: "joint",
      constants: { ...texts.constants, ...of.constants },
    },
    columns: bound.map((_column, k) => first + k),
    params: { ...texts.params, cells },
    pixelBytes: bound.map(({ lowering, interleaved }) => lowering.sampleBytes * interleaved),
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
  const { THRESHOLDS = 0, STARTS = 0, ENTRIES = 0 } = sharedConstants ?? {};
  const keyWords = Math.max(1, sampleBytes / limits.WORD_BYTES);
  return (THRESHOLDS * keyWords + ENTRIES) * replicas + STARTS * startCopies(replicas);
}

import { BYTE_VALUES, type DeviceLimits, divideCeiling, U32_MAX } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import type { Lowering } from "../lowering/index.ts";
import type { Algorithm } from "./algorithm.ts";
import type { Launch } from "./launch.ts";
import type { ParameterValues } from "./parameters.ts";
import type { PlanRequest, SegmentShape } from "./request.ts";

/**
 * Everything that a kernel needs to know, computed before it runs: frozen, comparable, printable. A kernel that
 * receives a plan chooses no numbers and does not check them again.
 */
export interface ChannelsPlan extends Launch {
  readonly kind: "channels";
  readonly algorithm: string;
  readonly type: SampleType;
  readonly lowering: Lowering["kind"];
  /**
   * Whether the kernel counts the values of 8-bit samples directly, or their upper bits. The merge then maps them to
   * the bins, so the axis costs no time per sample.
   */
  readonly raw: boolean;
  /** Number of bins of the axis. */
  readonly bins: number;
  /** Number of cells of a table: `bins`. If raw, 256, or the number of values that the upper bits have. */
  readonly cells: number;
  /** Passes over the samples. Each counts the next `cellsPerPass` cells. */
  readonly passes: number;
  readonly samples: number;
  readonly channels: number;
  /** Samples per launch, at most, so that no 32-bit partial count can overflow. */
  readonly chunkSamples: number;
  /** Segments, each counted into its own table. Absent: all samples form one segment. */
  readonly segments?: SegmentShape;
}

/**
 * Returns the plan of an algorithm on a device, or a sentence that states why there is none.
 * @param parameters the algorithm's own, checked
 */
export function planBy(
  algorithm: Algorithm,
  parameters: ParameterValues,
  request: PlanRequest,
  limits: DeviceLimits,
): ChannelsPlan | string {
  const { segments } = request;
  if (segments && request.channels > 1) {
    return `segments are counted one channel at a time and the request has ${request.channels}: choose one channel`;
  }
  if (segments && algorithm.segments !== true) {
    return `${algorithm.slug} cannot count segments: leave the algorithm out`;
  }
  const { type, lowering, lookup } = request.column;
  const { bins } = lowering;
  if (algorithm.maxBins !== null && bins > algorithm.maxBins) {
    return `${algorithm.slug} counts at most ${algorithm.maxBins} bins and the request has ${bins}`;
  }
  const rawCells = SAMPLE_TRAITS[type].bytes === 1 ? rawCellsOf(algorithm, lowering.table) : null;
  const raw = rawCells !== null;
  const cells = rawCells ?? bins;
  const chunkSamples = Math.min(limits.chunkSamples, U32_MAX);
  const launch = algorithm.launch(
    {
      parameters,
      cells,
      samples: Math.min(request.samples, chunkSamples),
      sampleBytes: SAMPLE_TRAITS[type].bytes,
      flow: !raw && lowering.flow,
      channels: request.channels,
      lookup: raw ? null : (lookup ?? null),
      ...(segments && { segments }),
    },
    limits,
  );
  if (typeof launch === "string") return launch;
  return Object.freeze({
    kind: "channels",
    algorithm: algorithm.slug,
    type,
    lowering: lowering.kind,
    raw,
    bins,
    cells,
    passes: divideCeiling(cells, launch.cellsPerPass),
    samples: request.samples,
    channels: request.channels,
    chunkSamples,
    ...(segments && { segments: Object.freeze({ count: segments.count, longest: segments.longest }) }),
    parameters,
    ...launch,
  });
}

/**
 * Returns the cells that an algorithm counts 8-bit samples into as they are: one for each value. An algorithm for fewer
 * cells counts the values' upper bits, if samples that share them also share a code. Null: it needs codes.
 */
function rawCellsOf({ maxBins }: Algorithm, table: Uint32Array | undefined): number | null {
  if (maxBins === null || maxBins >= BYTE_VALUES) return BYTE_VALUES;
  const values = BYTE_VALUES / maxBins;
  // The divisors of 256 are powers of two, so a shift finds the cell.
  if (table === undefined || !Number.isInteger(values)) return null;
  return table.every((code, value) => code === table[value - (value % values)]) ? maxBins : null;
}

/** Returns how far a raw sample is shifted to the right to find its cell. 0: every value has its own cell. */
export function rawShift({ raw, cells }: Pick<ChannelsPlan, "raw" | "cells">): number {
  return raw ? Math.log2(BYTE_VALUES / cells) : 0;
}

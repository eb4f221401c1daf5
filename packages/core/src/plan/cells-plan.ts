import { type DeviceLimits, divideCeiling, U32_MAX } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { type CellColumn, cellsOf, type Lowering, type Placed } from "../lowering/index.ts";
import type { Algorithm } from "./algorithm.ts";
import type { JointLaunchRule, JointTable } from "./joint-rule.ts";
import type { Launch, LaunchRule } from "./launch.ts";
import { JOINT_RAW_CELLS } from "./limits.ts";
import type { GivenParameters, ParameterValues } from "./parameters.ts";

const HALF_BYTES: number = Uint16Array.BYTES_PER_ELEMENT;

/** How a mask says which samples are counted: a byte or a bit per sample that is not 0. */
export type MaskKind = "none" | "bytes" | "bits";

/** How one column of a joint histogram is counted. */
export interface JointColumnPlan extends CellColumn {
  readonly type: SampleType;
  readonly lowering: Lowering["kind"];
}

/** Everything that a kernel over several columns needs to know: frozen, comparable, printable. */
export interface CellsPlan extends Launch {
  readonly kind: "cells";
  readonly algorithm: string;
  /** The columns, the slowest first. */
  readonly columns: readonly JointColumnPlan[];
  readonly mask: MaskKind;
  /** Whether a list of indices selects the samples. */
  readonly listed: boolean;
  /** Number of cells, flow included. */
  readonly cells: number;
  /** Subtracted from the sum of places and strides. */
  readonly offset: number;
  /** Passes over the samples. Each counts the next `cellsPerPass` cells. */
  readonly passes: number;
  readonly samples: number;
  /** Samples per launch, at most, so that no 32-bit partial count can overflow. */
  readonly chunkSamples: number;
  readonly table: JointTable;
  /**
   * Whether a first pass writes the cell of every sample as u32, and `cells` for one that the mask leaves out. The
   * algorithm then counts these like the samples of one column.
   */
  readonly staged: boolean;
}

/** The properties of a joint count that a plan depends on. */
export interface JointRequest {
  /** The algorithm's parameters. Missing ones have their defaults. */
  readonly parameters?: GivenParameters | undefined;
  /** How the samples of each column find their codes, the slowest column first. */
  readonly columns: readonly Placed[];
  /** Number of samples of each column. */
  readonly samples: number;
  readonly mask: MaskKind;
  /** Whether a list of indices selects the samples. */
  readonly listed: boolean;
}

/**
 * Returns the plan of an algorithm over several columns, or a sentence that states why there is none.
 * @param parameters the algorithm's own, checked
 */
export function jointPlanBy(
  algorithm: Algorithm,
  parameters: ParameterValues,
  request: JointRequest,
  limits: DeviceLimits,
): CellsPlan | string {
  const { samples, mask, listed } = request;
  // More cells than 16-bit counters in shared memory would take passes, which cost more than a lookup.
  const rawCells = Math.min(JOINT_RAW_CELLS, Math.floor(limits.sharedBytes / HALF_BYTES));
  const { columns, offset, cells } = cellsOf(request.columns, limits.kind, rawCells);
  const { slug, maxBins, joint } = algorithm;
  if (joint === undefined && maxBins !== null && cells > maxBins) {
    return `${slug} counts at most ${maxBins} cells and the request has ${cells}`;
  }
  const chunkSamples = Math.min(limits.chunkSamples, U32_MAX);
  const asked = { parameters, cells, samples: Math.min(samples, chunkSamples) };
  const launch =
    joint === undefined
      ? staged(algorithm.launch({ ...asked, sampleBytes: 4, flow: mask !== "none" || listed }, limits))
      : joint.launch({ ...asked, sampleBytes: bytesOf(request), columns }, limits);
  if (typeof launch === "string") return launch;
  return Object.freeze({
    kind: "cells",
    algorithm: slug,
    columns: Object.freeze(
      columns.map((column, k) => {
        const { type, kind } = request.columns[k]!;
        return Object.freeze({ type, lowering: kind, ...column });
      }),
    ),
    mask,
    listed,
    cells,
    offset,
    passes: divideCeiling(cells, launch.cellsPerPass),
    samples,
    chunkSamples,
    staged: joint === undefined,
    parameters,
    ...launch,
  });
}

/** Adds the place of the counters to the launch of an algorithm that counts cells as samples. */
function staged(launch: LaunchRule | string): JointLaunchRule | string {
  if (typeof launch === "string") return launch;
  return { ...launch, table: launch.sharedBytes > 0 ? "replicas" : "global" };
}

function bytesOf({ columns, mask }: JointRequest): number {
  const bytes = columns.reduce((sum, { type }) => sum + SAMPLE_TRAITS[type].bytes, 0);
  return bytes + { none: 0, bytes: 1, bits: 1 / 8 }[mask];
}

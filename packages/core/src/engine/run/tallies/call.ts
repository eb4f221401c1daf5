import type { Axis, CountedAs } from "../../../axis/index.ts";
import type { RunOptions } from "../../../backend/index.ts";
import type { Input, SampleType, Segments } from "../../../input/index.ts";
import type { MaskKind } from "../../../plan/index.ts";
import type { CellsJobs, ColumnShape } from "../../jobs/cells-jobs.ts";
import type { Choice, Jobs } from "../../jobs/prepare.ts";
import type { OpenBackend } from "../../opened/open-backend.ts";
import type { WeightingOptions } from "../../options/weighting-options.ts";
import { deviceInput } from "../../samples/device-input.ts";
import type { OpenInput } from "../inputs/inputs.ts";
import { type OpenMask, type Piece, whereIn } from "../inputs/selection.ts";
import type { OpenWeights } from "../inputs/weights.ts";

/** The open engine, as a call sees it. */
export interface CallParts {
  readonly opened: OpenBackend;
  readonly jobs: Jobs;
  readonly cellsJobs: CellsJobs;
}

/** The parts that all results of a call share: the selection of samples, and their weights. */
export interface Call extends CallParts {
  readonly mask: OpenMask | null;
  /** Indices of the samples to count, in order if the call has pieces. Null: all. */
  readonly where: Uint32Array | null;
  readonly segments: Segments | null;
  /** One or more columns; null: samples are counted. */
  readonly weights: readonly OpenWeights[] | null;
  /** Whether the caller receives a list of results, one for each column of weights. */
  readonly isWeightList: boolean;
  readonly weighting: WeightingOptions;
  /** The algorithm and its parameters, for counts. */
  readonly choice: Choice;
  /** Number of samples to plan for. */
  readonly planned: number;
  /** Number of pixels; null if it is not known. */
  readonly total: number | null;
  /** Number of groups, which are the first column; null: no groups. */
  readonly groups: number | null;
}

/** A column of a call: one channel of an input, and its axis. */
export interface Column extends ColumnShape {
  readonly input: OpenInput;
  /** The samples and the axis that a device counts for it. */
  readonly counted: CountedAs;
}

/** Counts pieces of samples into one result. */
export interface Tally {
  /** Adds a piece. Progress is reported in samples of the piece. */
  add(piece: Piece, options: RunOptions): Promise<void>;
}

/** Returns the axes and the types of columns. */
export function axesOf(columns: readonly Column[]): {
  readonly axes: readonly Axis[];
  readonly types: readonly SampleType[];
} {
  return { axes: columns.map(({ axis }) => axis), types: columns.map(({ type }) => type) };
}

/** Returns the kind of a mask in a piece: next to a stream it has bytes. */
export function maskKind({ mask }: Pick<Call, "mask">, { isWhole }: Pick<Piece, "isWhole">): MaskKind {
  return mask === null ? "none" : isWhole ? mask.kind : "bytes";
}

/** The samples of a piece as a device counts them. */
export interface PieceInputs {
  readonly columns: readonly Input[];
  readonly mask: Input | null;
  readonly where: Uint32Array | null;
  /** Number of samples that are counted or masked. */
  readonly samples: number;
}

/** @throws ERR_INPUT, ERR_UNSUPPORTED for samples that cannot be converted */
export function inputsOf(call: Call, columns: readonly Column[], piece: Piece): PieceInputs {
  const { opened } = call;
  const where = call.where && whereIn(call.where, piece);
  return {
    columns: columns.map(({ input, counted }) => deviceInput(opened, piece.of(input), counted)),
    mask: call.mask && piece.of(call.mask.input).input,
    where,
    samples: where?.length ?? piece.pixels,
  };
}

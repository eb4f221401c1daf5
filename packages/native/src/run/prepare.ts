import {
  type CellsColumn,
  type CellsJob,
  type ChannelsJob,
  type DeviceLaunch,
  type JointColumnPlan,
  type KeysLowering,
  type Lowering,
  limits,
  type OrderedAxis,
  SAMPLE_TRAITS,
  type Samples,
  type SegmentsJob,
} from "@polybin/core/backend";
import { CELLS, JOB, type JobValues, type PackedJob, packed } from "../border/index.ts";
import { kernelOf } from "../kernels/index.ts";
import {
  EXTENT_BYTES,
  ONE_TABLE_CELLS,
  PIECE_BYTES,
  PIECE_SAMPLES,
  SEGMENT_TABLES,
  SEGMENT_TABLES_FROM,
  SHARE_BYTES,
  SHARE_BYTES_WIDE,
  SHARE_SAMPLES,
  TABLE_WORDS,
  TABLES_LEAST,
  TABLES_MOST,
} from "../platform/index.ts";

/** A job as the addon takes it. */
export interface NativeJob {
  readonly packed: PackedJob;
  /** Counts of all channels: those of the bins, or of 256 bytes. */
  readonly counts: number;
  readonly launch: DeviceLaunch;
}

const NONE = new Uint32Array(0);

/** Choices of the addon, unless a test makes them. */
const CHOSEN: Pick<JobValues, "instructions" | "pairing"> = { instructions: "best", pairing: "measured" };

/**
 * Returns what the addon needs to know to count channels on up to `threads` threads.
 * @param chosen the instructions that kernels use, and whether they count pairs. Default: what is fastest
 */
export function nativeJob(job: ChannelsJob, threads: number, chosen: Partial<typeof CHOSEN> = {}): NativeJob {
  const { plan, lowering, channels, interleaved, type, axis } = job;
  const kernel = kernelOf(plan);
  const { name, tables } = kernel;
  const rows = plan.raw ? limits.BYTE_VALUES : lowering.bins + limits.FLOW_ROWS;
  const replicas = tables === "one" ? 1 : replicasOf(rows);
  const samplesShare = SAMPLE_TRAITS[type].bytes < limits.WORD_BYTES ? SHARE_BYTES : SHARE_BYTES_WIDE;
  const shareBytes = samplesShare + replicas * rows * channels.length * limits.WORD_BYTES;
  const values: JobValues = {
    type,
    kind: plan.raw ? "raw" : lowering.kind,
    algorithm: name,
    interleaved,
    channels: maskOf(channels),
    bins: lowering.bins,
    rows,
    tables: replicas,
    threads,
    shareBytes,
    pieceBytes: PIECE_BYTES,
    ...PLAIN,
    ...chosen,
    ...kernel.numbers?.(plan, threads),
    ...(plan.raw ? NO_LOOKUP : lookupNumbers(lowering, axis)),
  };
  return {
    packed: packedJob(values, plan.raw ? null : lowering),
    counts: (plan.raw ? limits.BYTE_VALUES : lowering.bins) * channels.length,
    launch: Object.freeze({ kernel: plan.algorithm, threads, tables: replicas, rows, shareBytes }),
  };
}

/** The numbers that most jobs do not need. */
const PLAIN = {
  ...CHOSEN,
  ...{ group: 0, contiguous: false, words: 0, pairs: false, shift: 0, stride: 0 },
} as const;

/** Packs a job. @param lowering null: bytes are counted as they are */
function packedJob(values: JobValues, lowering: Lowering | null): PackedJob {
  const high = lowering?.kind === "keys" ? lowering.thresholdsHigh : null;
  return [packed(JOB, values), lowering === null ? NONE : lowOf(lowering), high ?? NONE];
}

/** Returns what the addon needs to know to count segments. The codes of raw bytes sort them into the bins of rows. */
export function nativeSegments(job: SegmentsJob, threads: number): Omit<NativeJob, "counts"> {
  const { plan, lowering, channels, interleaved, type, axis } = job;
  const rows = plan.raw ? limits.BYTE_VALUES : lowering.bins + limits.FLOW_ROWS;
  const tables = plan.segments!.longest < rows * SEGMENT_TABLES_FROM ? 1 : SEGMENT_TABLES;
  const values: JobValues = {
    ...PLAIN,
    type,
    kind: plan.raw ? "raw" : lowering.kind,
    algorithm: "perSegment",
    interleaved,
    channels: maskOf(channels),
    bins: lowering.bins,
    rows,
    tables,
    threads,
    shareBytes: SHARE_BYTES,
    pieceBytes: PIECE_BYTES,
    ...(plan.raw ? NO_LOOKUP : lookupNumbers(lowering, axis)),
  };
  return {
    packed: packedJob(values, lowering),
    launch: Object.freeze({ kernel: plan.algorithm, threads, tables, rows, pieceBytes: PIECE_BYTES }),
  };
}

/** Returns a job that finds the extent of channels. */
export function nativeExtent(
  { type, channels: interleaved }: Pick<Samples, "type" | "channels">,
  channels: readonly number[],
  threads: number,
): PackedJob {
  return packedJob(
    {
      ...PLAIN,
      ...NO_LOOKUP,
      type,
      kind: "raw",
      algorithm: "perThread",
      interleaved,
      channels: maskOf(channels),
      bins: 1,
      rows: 1,
      tables: 1,
      threads,
      shareBytes: EXTENT_BYTES,
      pieceBytes: PIECE_BYTES,
    },
    null,
  );
}

/** Returns a bit for each channel. */
export function maskOf(channels: readonly number[]): number {
  return channels.reduce((mask, channel) => mask | (1 << channel), 0);
}

/**
 * Returns what the addon needs to know to count cells, or to add up their weights, on up to `threads` threads.
 * @param chosen as for `nativeJob`
 */
export function nativeCells(
  { columns, plan }: Pick<CellsJob, "columns" | "plan">,
  threads: number,
  chosen: Partial<typeof CHOSEN> = {},
): NativeCellsJob {
  const tables = plan.cells < ONE_TABLE_CELLS ? replicasOf(plan.cells) : 1;
  const shareSamples = SHARE_SAMPLES + tables * plan.cells;
  const numbers = packed(CELLS, {
    cells: plan.cells,
    mask: plan.mask,
    shared: plan.table === "global",
    tables: plan.table === "global" ? 1 : tables,
    threads,
    shareSamples,
    pieceSamples: PIECE_SAMPLES,
  });
  return {
    numbers,
    columns: columns.map((column, k) => packedColumn(column, plan.columns[k]!, chosen)),
    launch: Object.freeze({ kernel: plan.algorithm, threads, tables, cells: plan.cells, shareSamples }),
  };
}

/** A count of cells as the addon takes it. */
export interface NativeCellsJob {
  readonly numbers: Uint8Array;
  readonly columns: readonly PackedJob[];
  readonly launch: DeviceLaunch;
}

function packedColumn(
  { type, interleaved, channel, axis, lowering }: CellsColumn,
  { by, shift, stride }: JointColumnPlan,
  chosen: Partial<typeof CHOSEN>,
): PackedJob {
  const isRaw = by === "raw";
  const values: JobValues = {
    type,
    kind: isRaw ? "raw" : lowering.kind,
    algorithm: "perLane",
    interleaved,
    channels: 1 << channel,
    bins: lowering.bins,
    rows: lowering.bins + limits.FLOW_ROWS,
    tables: 1,
    threads: 1,
    shareBytes: SHARE_BYTES,
    pieceBytes: PIECE_BYTES,
    ...PLAIN,
    ...chosen,
    shift: shift ?? 0,
    stride,
    ...(isRaw ? NO_LOOKUP : lookupNumbers(lowering, axis)),
  };
  return packedJob(values, isRaw ? null : lowering);
}

/** Returns the tables that leave half of a first-level cache to the samples, a power of two. */
function replicasOf(rows: number): number {
  let tables = TABLES_MOST;
  while (tables > TABLES_LEAST && tables * rows > TABLE_WORDS) tables /= 2;
  return tables;
}

type LookupNumbers = Pick<JobValues, "lastLow" | "lastHigh" | "linear" | "start" | "lo" | "scale" | "step">;

const NO_LOOKUP: LookupNumbers = {
  lastLow: 0,
  lastHigh: 0,
  linear: false,
  start: 0,
  lo: 0,
  scale: 0,
  step: 0,
};

function lookupNumbers(lowering: Lowering, axis: OrderedAxis): LookupNumbers {
  if (lowering.kind === "direct") return { ...NO_LOOKUP, start: lowering.start };
  // Codes of 16-bit samples over an even axis are found faster by arithmetic than in a table.
  if (lowering.kind === "table" && axis.type === "regular") {
    const { bins, lo, hi } = axis;
    return { ...NO_LOOKUP, linear: lowering.table.length > limits.BYTE_VALUES, lo, scale: bins / (hi - lo) };
  }
  if (lowering.kind !== "keys") return NO_LOOKUP;
  const step = axis.type === "regular" ? (axis.hi - axis.lo) / axis.bins : 1;
  return { ...NO_LOOKUP, ...keysNumbers(lowering), step };
}

function keysNumbers({ last, guess }: KeysLowering): Omit<LookupNumbers, "start" | "step"> {
  const words = { lastLow: last.low, lastHigh: last.high };
  if (guess.kind !== "linear") return { ...words, linear: false, lo: 0, scale: 0 };
  return { ...words, linear: true, lo: guess.lo, scale: guess.scale };
}

function lowOf(lowering: Lowering): Uint32Array {
  if (lowering.kind === "table") return lowering.table;
  return lowering.kind === "keys" ? lowering.thresholds : NONE;
}

import {
  type CellsColumn,
  type CellsJob,
  type CellsPlan,
  type JointColumnPlan,
  type Lowering,
  limits,
  ranksOf,
  SAMPLE_TYPES,
} from "@polybin/core/backend";
import { MaskKind, type NativeJointShape } from "../border/index.ts";
import { countKernel } from "../kernels/index.ts";
import { nativeLowering, rawLowering } from "./lowering.ts";
import { nativePlan } from "./prepare.ts";

/** A device's work on a plan for several columns, frozen and printable. */
export type JointLaunch = {
  /** Each device counts a part of the samples. */
  readonly devices: number;
  /** Kernels in order. If the last does not read the columns, the first writes the cells of samples. */
  readonly kernels: readonly string[];
  readonly threads: number;
  readonly blocks: number;
  readonly sharedBytes: number;
  /** The most samples of a launch. */
  readonly launchPixels: number;
  /** The most bytes of device memory for the cells of samples. */
  readonly cellsBytes: number;
};

/** A job of the addon, without the parts that differ between calls. */
export interface PreparedColumns {
  readonly launch: JointLaunch;
  readonly shape: NativeJointShape;
  /** The same for columns that are channels of one input, which the kernel may read in one go. */
  readonly pictureShape: NativeJointShape;
  readonly cells: number;
}

/** The type of cells that a kernel wrote. */
const CELL_TYPE = "u32";

/**
 * Prepares the devices' work. This is a pure function: numbers in, frozen objects out.
 * @param cellsAtOnce the most cells that are written at a time
 */
export function prepareJoint(
  { columns, plan }: CellsJob,
  devices: number,
  cellsAtOnce: number,
): PreparedColumns {
  const { algorithm, threads, blocks, sharedBytes, cells, offset, mask, chunkSamples: launchPixels } = plan;
  const direct = isDirect(columns, plan);
  const picture = direct || isPicture(columns, plan);
  const shape = Object.freeze({
    columns: columns.map((column, k) => nativeColumn(column, plan.columns[k]!)),
    offset,
    mask: MaskKind.values.indexOf(mask),
    direct,
    count: countShape(plan),
  });
  return Object.freeze({
    launch: Object.freeze({
      devices,
      kernels: Object.freeze([...(picture ? [] : ["cells"]), algorithm, ...(plan.partials ? ["merge"] : [])]),
      threads,
      blocks,
      sharedBytes,
      launchPixels,
      cellsBytes: picture ? 0 : Math.min(cellsAtOnce, launchPixels) * limits.WORD_BYTES,
    }),
    shape,
    pictureShape: Object.freeze({ ...shape, direct: picture }),
    cells,
  });
}

function nativeColumn(
  { type, interleaved, channel, lowering }: CellsColumn,
  { by, shift, extent, stride }: JointColumnPlan,
): NativeJointShape["columns"][number] {
  return Object.freeze({
    wanted: Object.freeze({ type: SAMPLE_TYPES.indexOf(type), interleaved, channels: [channel] }),
    lowering: by === "raw" ? rawLowering(type, extent, shift!) : nativeLowering(lowering),
    extent,
    stride,
  });
}

/** Returns how the cells of samples are counted, as samples of one column. A masked one overflows. */
function countShape(plan: CellsPlan): NativeJointShape["count"] {
  const { cells, mask, chunkSamples: launchPixels, samples } = plan;
  const flow = mask !== "none";
  const lowering = { kind: "direct", type: CELL_TYPE, bins: cells, flow, start: 0 } as const;
  const count = {
    ...plan,
    kind: "channels",
    type: CELL_TYPE,
    lowering: "direct",
    raw: false,
    bins: cells,
    channels: 1,
    samples,
  } as const;
  return Object.freeze({
    wanted: Object.freeze({ type: SAMPLE_TYPES.indexOf(CELL_TYPE), interleaved: 1, channels: [0] }),
    ...nativePlan(lowering, count),
    launchPixels,
  });
}

/** Kinds of columns that the kernel of `fused` reads directly, each with a letter, and their combinations. */
type Letter = "b" | "h" | "f";
const DIRECT: readonly string[] = ["b", "h", "f", "bb", "bbb", "hb", "hf", "ff"];

/** Samples per pixel of a picture that it reads directly, whatever channels are counted. */
const PICTURES: readonly number[] = [3, 4];

/** Whether the algorithm's kernel reads these columns. It then needs no pass that writes cells. */
function isDirect(columns: readonly CellsColumn[], plan: CellsPlan): boolean {
  return (
    reads(plan) && DIRECT.includes(columns.map((column, k) => letterOf(column, plan.columns[k]!)).join(""))
  );
}

/** Whether it reads them if they are channels of one picture. It adds each channel of a pixel to one column at most. */
function isPicture(columns: readonly CellsColumn[], plan: CellsPlan): boolean {
  const { interleaved } = columns[0]!;
  return (
    reads(plan) &&
    PICTURES.includes(interleaved) &&
    columns.every((column) => column.interleaved === interleaved) &&
    new Set(columns.map(({ channel }) => channel)).size === columns.length &&
    plan.columns.every(({ by }) => by === "raw")
  );
}

/** Whether a plan's kernel reads columns at all. */
function reads({ algorithm, staged, listed, table }: CellsPlan): boolean {
  const kernel = countKernel(algorithm);
  return kernel.reads === "codes" && kernel.columns === true && !staged && !listed && table !== "global";
}

function letterOf({ type, interleaved, lowering }: CellsColumn, { by }: JointColumnPlan): Letter | "?" {
  if (interleaved > 1) return "?";
  if (by === "raw") return "b";
  if (lowering.kind === "direct" && (type === "u16" || type === "i16")) return "h";
  return type === "f32" && isEven(lowering) ? "f" : "?";
}

/** Whether a rank is the guess's cell or one more. */
function isEven(lowering: Lowering): boolean {
  const guess = ranksOf(lowering)?.guess;
  return guess?.kind === "line" && guess.starts === null;
}

import {
  type CellsColumn,
  type CellsJob,
  type CellsPlan,
  type JointColumnPlan,
  type Lowering,
  limits,
  ranksOf,
} from "@polybin/core/backend";
import { JOINT_CELLS } from "../base/index.ts";
import { MaskKind, type NativeJointShape } from "../border/index.ts";
import { countKernel } from "../kernels/index.ts";
import { nativeLowering, rawLowering } from "./lowering.ts";
import { type CountsLaunch, countsLaunch, nativeShape, wantedOf } from "./shape.ts";

/** The number of no mask in the addon. */
const NO_MASK = MaskKind.values.indexOf("none");

/**
 * A device's work on a plan for several columns, frozen and printable. If the last kernel does not read the columns, the
 * first writes the cells of samples.
 */
export type CellsLaunch = CountsLaunch & {
  /** The most samples of a launch. */
  readonly launchPixels: number;
  /** The most bytes of device memory for the cells of samples. */
  readonly cellsBytes: number;
};

/** Each crosses to the addon once. */
export interface Shapes {
  readonly masked: NativeJointShape;
  /** The same for a call without a mask. */
  readonly unmasked: NativeJointShape;
}

/** A job of the addon, without the parts that differ between calls. */
export interface PreparedColumns {
  readonly launch: CellsLaunch;
  readonly apart: Shapes;
  /** The same for columns that are channels of one input, which the kernel may read in one go. */
  readonly picture: Shapes;
  readonly cells: number;
}

/** Prepares the devices' work. This is a pure function: numbers in, frozen objects out. */
export function prepareCells({ columns, plan }: CellsJob, devices: number): PreparedColumns {
  const { algorithm, cells, offset, mask, chunkSamples: launchPixels } = plan;
  const direct = isDirect(columns, plan);
  const picture = direct || isPicture(columns, plan);
  const kernels = [...(picture ? [] : ["cells"]), algorithm, ...(plan.partials ? ["merge"] : [])];
  // Cells that a kernel wrote are samples of one column. A masked one, or one whose index is too large, overflows.
  const flow = mask !== "none" || plan.listed;
  const lowering = { kind: "direct", type: "u32", bins: cells, flow, start: 0 } as const;
  const shape = {
    columns: columns.map((column, k) => nativeColumn(column, plan.columns[k]!)),
    offset,
    mask: MaskKind.values.indexOf(mask),
    count: nativeShape({ type: "u32", interleaved: 1, channels: [0], lowering }, plan),
  };
  const shapes = (direct: boolean): Shapes => ({
    masked: Object.freeze({ ...shape, direct }),
    unmasked: Object.freeze({ ...shape, direct, mask: NO_MASK }),
  });
  return Object.freeze({
    launch: Object.freeze({
      ...countsLaunch(devices, kernels, plan),
      launchPixels,
      cellsBytes: picture ? 0 : Math.min(JOINT_CELLS, launchPixels) * limits.WORD_BYTES,
    }),
    apart: shapes(direct),
    picture: shapes(picture),
    cells,
  });
}

function nativeColumn(
  { type, interleaved, channel, lowering }: CellsColumn,
  { by, shift, extent, stride }: JointColumnPlan,
): NativeJointShape["columns"][number] {
  return Object.freeze({
    wanted: wantedOf({ type, interleaved, channels: [channel] }),
    lowering: by === "raw" ? rawLowering(type, extent, shift!) : nativeLowering(lowering),
    extent,
    stride,
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

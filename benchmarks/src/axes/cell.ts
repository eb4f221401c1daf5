import { type Axis, regular } from "@polybin/core";
import { wholeRange } from "@polybin/core/backend";
import type { Distribution } from "../data/distributions.ts";
import { pixelBytes, type Shape } from "../data/tile.ts";
import type { Cell as Counting } from "../runner/count.ts";
import type { Row } from "../runner/row.ts";

/** Sample types with generated data. */
export const TYPES: readonly Shape["type"][] = ["u8", "u16", "u32", "f32", "f64"];
/** Kinds of call that are measured one by one. */
export const CALLS: readonly ("count" | "countSync")[] = ["count", "countSync"];
export const RESIDENCES: readonly Row["residence"][] = ["resident", "upload", "file"];

/** The data of a cell. */
export interface Data {
  readonly type: Shape["type"];
  readonly bins: number;
  /** Number of samples. */
  readonly n: number;
  readonly distribution: Distribution;
}

/** The contestant of a cell, ours or a peer, and the location of its data. */
export interface Contestant {
  readonly backend: string | null;
  readonly algorithm: string | null;
  readonly peer: string | null;
  readonly residence: Row["residence"];
  readonly variant?: string;
  /** trish: words that a thread bins before its rows are summed. */
  readonly k?: number;
  /** Number of threads of a backend on the CPU. */
  readonly threads?: number;
  /** The kind of call, if calls are measured one by one. */
  readonly call?: (typeof CALLS)[number];
}

/** One cell of the axes. */
export interface Cell extends Data, Contestant {
  /** The line through the axes that it belongs to. */
  readonly sweep: string;
}

const SPANS = {
  u8: [0, 2 ** 8],
  u16: [0, 2 ** 16],
  i16: [-(2 ** 15), 2 ** 15],
  u32: [0, 2 ** 32],
  i32: [-(2 ** 31), 2 ** 31],
  f32: [0, 1],
  f64: [0, 1],
} as const;

/** Samples cover the type's range, and floats cover [0, 1). */
export function shapeOf(type: Data["type"]): Shape {
  const [low, top] = SPANS[type];
  return { type, low, top, channels: 1 };
}

export function bytesOf({ type, n }: Pick<Data, "type" | "n">): number {
  return n * pixelBytes(shapeOf(type));
}

/** Makes equal bins over the whole range. */
export function axisOf({ type, bins }: Pick<Data, "type" | "bins">): Axis {
  return type === "f32" || type === "f64" ? regular(bins, ...SPANS[type]) : wholeRange(type, bins);
}

/** The options of a call that counts a cell. */
export function optionsOf(cell: Cell): Counting {
  return { algorithm: cell.algorithm!, axis: axisOf(cell), ...(cell.k !== undefined && { k: cell.k }) };
}

/** The part of a row that describes a cell. */
export function headOf({
  sweep: _sweep,
  k: _k,
  call: _call,
  ...head
}: Cell): Omit<Cell, "sweep" | "k" | "call"> {
  return head;
}

/** Makes a key that distinguishes the data of two cells. */
export function dataKey({ type, bins, n, distribution }: Data): string {
  return [type, bins, n, distribution].join();
}

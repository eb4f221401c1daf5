import { type Axis, regular } from "@polybin/core";
import { wholeRange } from "@polybin/core/backend";
import type { Distribution } from "../data/distributions.ts";
import { pixelBytes, type Shape } from "../data/tile.ts";
import type { Row } from "../runner/row.ts";

/** Types that there are data of. */
export const TYPES: readonly Shape["type"][] = ["u8", "u16", "u32", "f32", "f64"];
/** Ways to call that are measured call by call. */
export const CALLS: readonly ("count" | "countSync")[] = ["count", "countSync"];
export const RESIDENCES: readonly Row["residence"][] = ["resident", "upload", "file"];

/** What is counted. */
export interface Data {
  readonly type: Shape["type"];
  readonly bins: number;
  /** Samples. */
  readonly n: number;
  readonly distribution: Distribution;
}

/** Who counts it, ours or a peer, and from where. */
export interface Contestant {
  readonly backend: string | null;
  readonly algorithm: string | null;
  readonly peer: string | null;
  readonly residence: Row["residence"];
  readonly variant?: string;
  /** trish: words a thread bins before its rows are summed. */
  readonly k?: number;
  /** Threads at work, of a backend on the CPU. */
  readonly threads?: number;
  /** How it is called, where calls are measured one by one. */
  readonly call?: (typeof CALLS)[number];
}

/** One cell of the axes. */
export interface Cell extends Data, Contestant {
  /** Which line through the axes it was planned for. */
  readonly sweep: string;
}

const TOPS = { u8: 2 ** 8, u16: 2 ** 16, u32: 2 ** 32, f32: 1, f64: 1 } as const;

/** Samples lie anywhere in the type's range, floats in [0, 1). */
export function shapeOf(type: Data["type"]): Shape {
  return { type, top: TOPS[type], channels: 1 };
}

export function bytesOf({ type, n }: Pick<Data, "type" | "n">): number {
  return n * pixelBytes(shapeOf(type));
}

/** Equal bins over all of it. */
export function axisOf({ type, bins }: Pick<Data, "type" | "bins">): Axis {
  return type === "f32" || type === "f64" ? regular(bins, 0, TOPS[type]) : wholeRange(type, bins);
}

/** What tells the data of two cells apart. */
export function dataKey({ type, bins, n, distribution }: Data): string {
  return [type, bins, n, distribution].join();
}

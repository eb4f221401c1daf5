import { type Axis, regular, type Slug, wholeRange } from "@polybin/core";
import type { Distribution } from "../data/distributions.ts";
import { pixelBytes, type Shape } from "../data/tile.ts";
import type { Row } from "../runner/row.ts";

/** Types that there are data of. */
export const TYPES: readonly Shape["type"][] = ["u8", "u16", "u32", "f32", "f64"];
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
  readonly algorithm: Slug | null;
  readonly peer: string | null;
  readonly residence: Row["residence"];
  readonly variant?: string;
  /** trish: words a thread bins before its rows are summed. */
  readonly k?: number;
  /** Threads at work, of a backend on the CPU. */
  readonly threads?: number;
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

/** What tells two cells of any result file apart. */
export function cellKey(row: Omit<Row, "ms" | "gbps" | "exact" | "ceilingPercent">): string {
  const { backend, algorithm, peer, variant, threads, devices, memory } = row;
  const { type, bins, n, distribution, residence, weighted } = row;
  const { plans: _plans, figures: _figures, ...asked } = weighted ?? {};
  const who = [backend, algorithm, peer, variant, threads, devices, memory];
  return JSON.stringify([...who, type, bins, n, distribution, residence, asked]);
}

/** A contestant in words: "piscina per-lane, 2 threads". */
export function nameOf({
  backend,
  algorithm,
  peer,
  variant,
  threads,
}: Pick<Row, "backend" | "algorithm" | "peer" | "variant" | "threads">): string {
  const name = peer ?? [backend, algorithm].filter(Boolean).join(" ");
  const count = threads === undefined ? undefined : `${threads} thread${threads === 1 ? "" : "s"}`;
  return [name, variant, count].filter(Boolean).join(", ");
}

/** Data in words: "u8 gauss, 256 bins, n = 2^22". */
export function dataName({
  type,
  bins,
  n,
  distribution,
}: Pick<Row, "type" | "bins" | "n" | "distribution">): string {
  return `${type} ${distribution}, ${bins} bins, n = ${powerName(n)}`;
}

/** A cell in words: "cpu sequential, 1 thread: u8 gauss, 256 bins, n = 2^22, resident". */
export function cellName(
  cell: Parameters<typeof nameOf>[0] & Parameters<typeof dataName>[0] & Pick<Row, "residence">,
): string {
  return `${nameOf(cell)}: ${dataName(cell)}, ${cell.residence}`;
}

/** What a result file says of a cell that there was no time for; a comparison knows by it that the cell is not lost. */
export function lateLine(cell: Parameters<typeof cellName>[0]): string {
  return `${cellName(cell)}: the time was used up`;
}

/** 2^22 where it is a power of two. */
export function powerName(n: number): string {
  const exponent = Math.log2(n);
  return Number.isInteger(exponent) && exponent >= 10 ? `2^${exponent}` : String(n);
}

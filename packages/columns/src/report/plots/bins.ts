import type { HistogramJson } from "../../profile/index.ts";
import type { LogicalType } from "../../table/index.ts";
import { placeOf } from "../text/values.ts";

/** Whether a plot can show the range. That of the largest doubles is wider than any number. */
export function isDrawable(edges: readonly number[]): boolean {
  return edges.length > 1 && Number.isFinite(edges.at(-1)! - edges[0]!);
}

/** The bins of a drawing. Several bins of the histogram may be added up in one of them. */
export interface Bins {
  /** One more than counts, as places on the axis. */
  readonly places: readonly number[];
  /** Indices of the histogram's edges. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly binsEach: number;
}

/** How far the bins of integers are shifted, so that an integer is in the middle of its bin. */
const HALF = 0.5;

/** The places of edges on their axis. */
export function placesOf(
  { type, edges }: Pick<HistogramJson, "type" | "edges">,
  logical: LogicalType,
): number[] {
  const shift = type === "integer" ? HALF : 0;
  return edges.map((edge) => placeOf(edge - shift, logical));
}

/** Adds up neighbours so that at most `most` bins are drawn. */
export function binsOf(histogram: HistogramJson, logical: LogicalType, most: number): Bins {
  const { counts } = histogram;
  const binsEach = Math.max(1, Math.ceil(counts.length / most));
  const sums: number[] = [];
  const at: number[] = [0];
  for (let first = 0; first < counts.length; first += binsEach) {
    const end = Math.min(first + binsEach, counts.length);
    sums.push(counts.slice(first, end).reduce((sum, count) => sum + count, 0));
    at.push(end);
  }
  const all = placesOf(histogram, logical);
  return { places: at.map((edge) => all[edge]!), edges: at, counts: sums, binsEach };
}

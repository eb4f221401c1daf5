import {
  earthMovers,
  type Counted as Histogram,
  jensenShannon,
  kolmogorovSmirnov,
  totalVariation,
} from "@polybin/analysis";
import type { ColumnJson, HistogramJson, TopJson } from "../profile/index.ts";
import type { DistanceJson } from "./json.ts";
import type { Side } from "./side.ts";
import type { Both } from "./values.ts";

/**
 * The distance between the values of two columns of one type. Null if a side has no values, or they are not known.
 * @param both the values of both sides, or null if they are not known
 */
export function distanceOf(a: Side, b: Side, both: readonly Both[] | null): DistanceJson | null {
  const { kind } = a.json.logical;
  const isOrdered = kind !== "string" && kind !== "boolean";
  if (both !== null) return overValues(both, isOrdered ? shannonOf(a.json, b.json) : undefined);
  if (kind === "string") return overFrequent(a.json, b.json);
  if (a.bins === null || b.bins === null || totalOf(a.bins) === 0 || totalOf(b.bins) === 0) return null;
  const shannon = shannonOf(a.json, b.json);
  if (!isOrdered) return exactly(totalVariation(a.bins, b.bins), shannon, "bins");
  const { value, low, high } = kolmogorovSmirnov(a.bins, b.bins);
  const hasFlow = [a.bins, b.bins].some(({ underflow, overflow }) => underflow! + overflow! > 0);
  return {
    method: "kolmogorov-smirnov",
    over: "bins",
    value,
    low,
    high,
    jensenShannon: shannon,
    wasserstein: hasFlow ? null : finite(earthMovers(a.bins, b.bins)),
  };
}

const BITS = { base: 2 };

/** The Jensen-Shannon distance over the bins of the result. Measured values are hardly ever equal, so they need bins. */
function shannonOf({ histogram: a }: ColumnJson, { histogram: b }: ColumnJson): number | null {
  if (a === null || b === null || totalOf(a) === 0 || totalOf(b) === 0) return null;
  return sameEdges(a, b) ? jensenShannon(a, b, BITS) : null;
}

/**
 * Each value is a bin of its own, so that the distance is that of the values.
 * @param binned the Jensen-Shannon distance over bins of values that have an order
 */
function overValues(both: readonly Both[], binned: number | null | undefined): DistanceJson | null {
  const side = (of: "a" | "b"): Histogram => ({
    counts: both.map((one) => one[of]),
    edges: Array.from({ length: both.length + 1 }, (_, i) => i),
    type: "u32",
    axis: { type: "integer" },
  });
  if (both.length === 0) return null;
  const [a, b] = [side("a"), side("b")];
  if (totalOf(a) === 0 || totalOf(b) === 0) return null;
  if (binned === undefined) return exactly(totalVariation(a, b), jensenShannon(a, b, BITS), "values");
  const { value } = kolmogorovSmirnov(a, b);
  return {
    method: "kolmogorov-smirnov",
    over: "values",
    value,
    low: value,
    high: value,
    jensenShannon: binned,
    wasserstein: wassersteinOf(both, totalOf(a), totalOf(b)),
  };
}

function exactly(value: number, shannon: number | null, over: DistanceJson["over"]): DistanceJson {
  return {
    method: "total-variation",
    over,
    value,
    low: value,
    high: value,
    jensenShannon: shannon,
    wasserstein: null,
  };
}

/** The area between the two cumulative distributions. */
function wassersteinOf(both: readonly Both[], allOfA: number, allOfB: number): number | null {
  let [belowA, belowB, area] = [0, 0, 0];
  for (const [i, { value, a, b }] of both.entries()) {
    belowA += a;
    belowB += b;
    const next = both[i + 1];
    if (next !== undefined) {
      area += Math.abs(belowA / allOfA - belowB / allOfB) * Number(differenceOf(next.value, value));
    }
  }
  return finite(area);
}

function differenceOf(next: Both["value"], value: Both["value"]): number | bigint {
  return typeof next === "bigint" && typeof value === "bigint" ? next - value : Number(next) - Number(value);
}

/** The values that both sides list, or that one lists and the other one certainly does not have; the others as one sum. */
function overFrequent(a: ColumnJson, b: ColumnJson): DistanceJson | null {
  const [allOfA, allOfB] = [countOf(a), countOf(b)];
  if (allOfA === 0 || allOfB === 0) return null;
  const [inA, inB] = [a, b].map(({ top }) => new Map(top.map(({ value, count }) => [keyOf(value), count])));
  const shares: (readonly [number, number])[] = [];
  for (const { value, clipped } of [...a.top, ...b.top.filter((one) => !inA!.has(keyOf(one.value)))]) {
    if (clipped === true) continue;
    const [x, y] = [countIn(inA!, a, value), countIn(inB!, b, value)];
    if (x !== null && y !== null) shares.push([x / allOfA, y / allOfB]);
  }
  const [restA, restB] = [0, 1].map((side) =>
    Math.max(0, 1 - shares.reduce((sum, share) => sum + share[side]!, 0)),
  ) as [number, number];
  const listed = shares.reduce((sum, [x, y]) => sum + Math.abs(x - y), 0);
  const low = (listed + Math.abs(restA - restB)) / 2;
  const high = Math.max(low, (listed + restA + restB) / 2);
  if (shares.length === 0) return null;
  return {
    method: "total-variation",
    over: "frequent values",
    value: low,
    low,
    high,
    jensenShannon: null,
    wasserstein: null,
  };
}

const keyOf = (value: TopJson["value"]): string => String(value);

/** How often a side has a value. Null if it is not known. */
function countIn(
  listed: ReadonlyMap<string, number>,
  { topBound }: ColumnJson,
  value: TopJson["value"],
): number | null {
  return listed.get(keyOf(value)) ?? (topBound === 0 ? 0 : null);
}

const countOf = ({ rows, nulls }: ColumnJson): number => rows - (nulls ?? 0);

function totalOf({
  counts,
  underflow,
  overflow,
}: Pick<Histogram, "counts" | "underflow" | "overflow">): number {
  return Array.from(counts!).reduce((sum, count) => sum + count, (underflow ?? 0) + (overflow ?? 0));
}

function sameEdges(a: HistogramJson, b: HistogramJson): boolean {
  if (a.edges.length !== b.edges.length) return false;
  return a.edges.every((edge, i) => edge === b.edges[i]);
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

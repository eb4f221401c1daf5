import type { Axis, SampleType } from "../src/index.ts";
import { neighbour, random } from "./helpers.ts";

/** Exact arithmetic in integers, from the definitions in docs/reference/library.md alone: this file imports none of core's code. */

/** A sample: a number, or an integer of 64 bits. */
export type Sample = number | bigint;

/** Returns a finite number as an integer: multiples of the smallest f64. */
export function unitsOf(x: Sample): bigint {
  if (typeof x === "bigint") return x << 1074n;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 2047n;
  const fraction = bits & (2n ** 52n - 1n);
  const size = exponent === 0n ? fraction : (fraction | (2n ** 52n)) << (exponent - 1n);
  return bits >> 63n ? -size : size;
}

/** Returns the function from a sample to its code: its bin, then underflow, overflow and NaN. */
export function exactCodes(axis: Axis, type: SampleType): (x: Sample) => number {
  const { bins } = axis;
  const [underflow, overflow, nan] = [bins, bins + 1, bins + 2];
  if (axis.type === "boolean") return (x) => (Number.isNaN(x) ? nan : Number(x) === 0 ? 0 : 1);
  if (axis.type === "category") {
    const { values, firstCode = 0 } = axis;
    const codes = values.map((value, i) => unitsOf(typeof value === "string" ? firstCode + i : value));
    return (x) => {
      const bin = Number.isFinite(Number(x)) ? codes.indexOf(unitsOf(x)) : -1;
      return bin < 0 ? overflow : bin;
    };
  }
  const edges = definedEdges(axis, type).map((edge) => (Math.abs(edge) === Infinity ? edge : unitsOf(edge)));
  const inside = (at: bigint | number): number => edges.slice(0, bins).findLastIndex((edge) => edge <= at);
  const isClosed = axis.type !== "integer" && axis.type !== "circular" && axis.closed !== false;
  const isTurned =
    axis.type === "circular" ? ([unitsOf(axis.lo), unitsOf(axis.hi - axis.lo)] as const) : null;
  return (x) => {
    if (Number.isNaN(x)) return nan;
    // JavaScript compares a bigint with an infinity exactly.
    const at = Math.abs(Number(x)) === Infinity ? Number(x) : unitsOf(x);
    if (isTurned !== null) {
      if (typeof at === "number") return at < 0 ? underflow : overflow;
      const [lo, period] = isTurned;
      return inside(lo + ((((at - lo) % period) + period) % period));
    }
    const end = edges[bins]!;
    if (at < edges[0]!) return underflow;
    return at > end || (at === end && !isClosed) ? overflow : inside(at);
  };
}

function definedEdges(axis: Exclude<Axis, { type: "category" | "boolean" }>, type: SampleType): number[] {
  if (axis.type === "variable") return [...axis.edges];
  const count = axis.bins + 1;
  if (axis.type === "integer") return Array.from({ length: count }, (_, i) => axis.start + i);
  const { bins, lo, hi } = axis;
  const edges = Array.from({ length: count }, (_, i) => (i === bins ? hi : lo + i * ((hi - lo) / bins)));
  return type === "f32" && axis.type === "regular" ? edges.map(Math.fround) : edges;
}

/** Returns samples of a type at the edges of an axis, next to them, whole periods away and at the ends of the type. */
export function samplesNear(axis: Axis, type: SampleType, seed: number): Sample[] {
  const next = random(seed);
  const edges =
    axis.type === "category"
      ? axis.values.map((value, i) => (typeof value === "string" ? i : value))
      : axis.type === "boolean"
        ? [0, 1]
        : definedEdges(axis, type);
  const period = axis.type === "circular" ? axis.hi - axis.lo : 0;
  const picked =
    edges.length <= 40 ? edges : Array.from({ length: 40 }, () => edges[Math.floor(next() * edges.length)]!);
  const turns =
    period === 0
      ? [0]
      : [0, -1, 1, -2, 3, Math.round((next() - 0.5) * 1000), Math.round((next() - 0.5) * 2 ** 40)];
  const near = picked.flatMap((edge) => turns.map((turn) => edge + turn * period)).filter(Number.isFinite);
  if (type === "i64" || type === "u64") {
    const [min, max] = type === "i64" ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
    const whole = near.map((x) => BigInt(Math.floor(x)));
    const random64 = Array.from(
      { length: 60 },
      () =>
        BigInt(Math.floor(next() * 2 ** 50)) * 2n ** 14n -
        (type === "i64" ? 2n ** 63n : 0n) +
        BigInt(Math.floor(next() * 2 ** 14)),
    );
    return [...whole, ...random64, min, max, 0n]
      .flatMap((x) => [-1025n, -2n, -1n, 0n, 1n, 2n, 1024n].map((by) => x + by))
      .filter((x) => x >= min && x <= max);
  }
  const float = { f64: "f64", f32: "f32", f16: "f32" }[type as string] as "f64" | "f32" | undefined;
  if (float === undefined) return near.flatMap((x) => [-1, 0, 1].map((by) => Math.floor(x) + by));
  const all = near.flatMap((x) => {
    const at = float === "f32" ? Math.fround(x) : x;
    return [at, neighbour(float, at, true), neighbour(float, at, false)];
  });
  const random53 = Array.from({ length: 60 }, () => (next() - 0.5) * 2 ** Math.floor((next() - 0.5) * 400));
  return [
    ...all,
    ...random53,
    0,
    -0,
    5e-324,
    -5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Infinity,
    -Infinity,
    Number.NaN,
  ];
}

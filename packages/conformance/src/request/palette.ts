import type { Axis, SampleType } from "@polybin/core";
import { edgesOf, SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Value } from "../oracle/codes.ts";
import { halfOf, halvesAround, neighbour } from "../oracle/floats.ts";
import { Random } from "../random.ts";

/**
 * The numbers of samples. They are a few common ones, sometimes with the edges of an axis and their neighbours. Or they are
 * whole numbers below another, bytes that are often 0, or weights.
 */
export type Content =
  | "common"
  | "mask"
  | "eighths"
  | "all sizes"
  | { readonly below: number }
  | { readonly around: Axis };

const COMMON: readonly number[] = [0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 100];
const SIGNED: readonly number[] = [-1, -2, -3, -16];
const FLOATS: readonly number[] = [0.5, 1.5, 2.25, -0, 2 ** -24, 65_504, Infinity, -Infinity, Number.NaN];
const WIDE: readonly bigint[] = [2n ** 53n + 1n, 2n ** 62n + 1n];
/** Some of these as halves, by their bits. */
const HALVES: readonly number[] = [
  ...[0x0000, 0x3c00, 0x4000, 0x4200, 0x4500, 0x4800, 0x4b80, 0x4c00, 0x4c40, 0x5640, 0xbc00, 0xc200],
  ...[0x3800, 0x4080, 0x8000, 0x0001, 0x7bff, 0x7c00, 0xfc00, 0x7e00],
];
/** Edges of an axis that samples lie around. An axis with more has some of them. */
const EDGES = 48;
/** Weights of different sizes. */
const WEIGHTS = 200;

const isWide = (type: SampleType): boolean => type === "i64" || type === "u64";

/** Returns the few values that samples of a type have, as they are stored: halves as bits. */
export function storedValues(type: SampleType, content: Content): readonly Value[] {
  if (content === "common") return common(type);
  if (content === "mask") return [0, 1, 0, 255, 0, 128, 0, 2];
  if (content === "eighths")
    return stored(
      type,
      Array.from({ length: 129 }, (_, k) => (k - 64) / 8),
    );
  if (content === "all sizes") return stored(type, weights());
  if ("below" in content)
    return stored(
      type,
      Array.from({ length: content.below }, (_, k) => k),
    );
  return [...common(type), ...targets(content.around).flatMap((x) => near(type, x))];
}

/** Returns the number of a stored value. */
export const meaningOf = (type: SampleType, value: Value): Value =>
  type === "f16" ? halfOf(Number(value)) : type === "f32" ? Math.fround(Number(value)) : value;

function common(type: SampleType): readonly Value[] {
  if (type === "f16") return HALVES;
  const { integer, min, max } = SAMPLE_TRAITS[type];
  const all = [...COMMON, ...(min < 0 ? SIGNED : [])];
  if (!integer) return [...all, ...FLOATS];
  if (!isWide(type)) return [...all, min, max];
  const bound = type === "i64" ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
  return [...all.map(BigInt), ...WIDE, ...bound];
}

/** Returns numbers that the type has, or nearly has. */
function stored(type: SampleType, values: readonly number[]): readonly Value[] {
  const { integer, min, max } = SAMPLE_TRAITS[type];
  if (type === "f16") return values.map((x) => halvesAround(x)[1]!);
  if (!integer) return values;
  const whole = values.filter((x) => Number.isInteger(x) && x >= min && x <= max);
  return isWide(type) ? whole.map(BigInt) : whole;
}

/** Numbers of very different sizes and signs, whose sums depend on the order in plain floats. */
function weights(): number[] {
  const random = new Random(9);
  return Array.from({ length: WEIGHTS }, () => (random.unit() - 0.5) * 2 ** (random.below(60) - 30));
}

/** The numbers at which an axis is most easily wrong. */
function targets(axis: Axis): readonly number[] {
  if (axis.type === "category") return axis.values.filter((value) => typeof value === "number");
  if (axis.type === "boolean") return [];
  const edges = [...edgesOf(axis, "f64")].filter(Number.isFinite);
  const step = Math.max(1, Math.ceil(edges.length / EDGES));
  const some = edges.filter((_, i) => i % step === 0 || i === edges.length - 1);
  const width = some.at(-1)! - some[0]!;
  const inside = some.map((edge) => edge + width / 7);
  if (axis.type !== "circular") return [...some, ...inside, some[0]! - width, some.at(-1)! + width];
  return [-2, -1, 0, 1, 3].flatMap((turn) => some.map((edge) => edge + turn * (axis.hi - axis.lo)));
}

/** Returns values of a type around a number. */
function near(type: SampleType, x: number): readonly Value[] {
  if (type === "f16") return halvesAround(x);
  if (!SAMPLE_TRAITS[type].integer) {
    const float = type === "f32" ? Math.fround(x) : x;
    const of = type === "f32" ? "f32" : "f64";
    return [neighbour(of, float, -1), float, neighbour(of, float, 1)];
  }
  const { min, max } = SAMPLE_TRAITS[type];
  const all = [-1, 0, 1].map((step) => Math.ceil(x) + step).filter((value) => value >= min && value <= max);
  // The largest double of a 64-bit type is above its largest integer.
  return isWide(type) ? all.filter((value) => value < max).map(BigInt) : all;
}

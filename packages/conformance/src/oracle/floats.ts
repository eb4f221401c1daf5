import type { SampleType } from "@polybin/core";
import type { SampleArray } from "@polybin/core/backend";

/** The two float types. */
export type FloatType = Extract<SampleType, "f32" | "f64">;

const view = new DataView(new ArrayBuffer(8));

/**
 * Returns the next number of a float type above (1) or below (-1) a number. Infinities have no neighbour beyond them.
 */
export function neighbour(type: FloatType, value: number, direction: 1 | -1): number {
  if (Number.isNaN(value) || value === direction * Infinity) return value;
  const step = value === 0 ? 1 : value > 0 === direction > 0 ? 1 : -1;
  if (type === "f32") {
    view.setFloat32(0, value === 0 ? direction * 0 : value);
    view.setInt32(0, view.getInt32(0) + step);
    return view.getFloat32(0);
  }
  view.setFloat64(0, value === 0 ? direction * 0 : value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(step));
  return view.getFloat64(0);
}

/**
 * Returns all special values of a float type, as bits: both zeros, both infinities, the extremes, the smallest and
 * largest denormals, and NaN of both signs, quiet and signalling, with several payloads.
 */
export function floatSpecials(type: FloatType): SampleArray {
  return type === "f32"
    ? new Float32Array(Uint32Array.from(bothSigns(SPECIALS_32, 1n << 31n), Number).buffer)
    : new Float64Array(BigUint64Array.from(bothSigns(SPECIALS_64, 1n << 63n)).buffer);
}

function bothSigns(bits: readonly bigint[], sign: bigint): bigint[] {
  return [...bits, ...bits.map((word) => word | sign)];
}

/** Zero, denormals (smallest, largest), normals (smallest, 1 and its neighbours, largest), infinity, NaN. */
const SPECIALS_32 = [
  0n,
  0x0000_0001n,
  0x007f_ffffn,
  0x0080_0000n,
  0x3f7f_ffffn,
  0x3f80_0000n,
  0x3f80_0001n,
  0x7f7f_ffffn,
  0x7f80_0000n,
  0x7f80_0001n,
  0x7fc0_0000n,
  0x7fd5_5555n,
  0x7fff_ffffn,
];

/** The special values of f64, including values that differ only in their low words. */
const SPECIALS_64 = [
  0n,
  0x0000_0000_0000_0001n,
  0x0000_0001_0000_0000n,
  0x000f_ffff_ffff_ffffn,
  0x0010_0000_0000_0000n,
  0x3fef_ffff_ffff_ffffn,
  0x3ff0_0000_0000_0000n,
  0x3ff0_0000_0000_0001n,
  0x7fef_ffff_ffff_ffffn,
  0x7ff0_0000_0000_0000n,
  0x7ff0_0000_0000_0001n,
  0x7ff8_0000_0000_0000n,
  0x7ffa_aaaa_aaaa_aaaan,
  0x7fff_ffff_ffff_ffffn,
];

/** Returns the number of the bits of an f16: sign, five bits of exponent, ten of fraction. */
export function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign / 0 : Number.NaN;
  return sign * (exponent === 0 ? fraction / 2 ** 24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

let halves: readonly number[] | null = null;

/** Returns the bits of the largest f16 that is at most x, of its neighbours, and of x if it is one. */
export function halvesAround(x: number): number[] {
  // Ascending: the negative ones from -Infinity to -0, then the others from 0 to Infinity.
  halves ??= Array.from({ length: 2 * 0x7c01 }, (_, i) => (i <= 0x7c00 ? 0xfc00 - i : i - 0x7c01));
  const at = Math.max(
    0,
    halves.findLastIndex((bits) => halfOf(bits) <= x),
  );
  return halves.slice(Math.max(0, at - 1), at + 2);
}

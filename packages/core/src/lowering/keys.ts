import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";

/**
 * Sample types with order-preserving keys. Keys are unsigned integers with a < b as samples iff key(a) < key(b), for
 * all samples except NaN and the two zeros (key(-0) + 1 = key(+0)). A kernel only compares integers, so a device's
 * handling of NaN, infinity and denormals cannot move a sample to another bin.
 *
 *   unsigned   the value
 *   signed     sign bit flipped
 *   float      negative: all bits flipped; otherwise: sign bit set
 *
 *   keys of a float:  [-NaN | -inf … -0 | +0 … +inf | +NaN]
 */
export type WideType = Extract<SampleType, "u32" | "i32" | "f32" | "f64">;

const scratch = new DataView(new ArrayBuffer(8));
const SIGN_32 = 0x8000_0000;
const SIGN_64 = 1n << 63n;
const MASK_64 = (1n << 64n) - 1n;

/** Returns the key of a 32-bit sample from its bits as an unsigned integer. */
export function key32(type: "u32" | "i32" | "f32", bits: number): number {
  if (type === "u32") return bits;
  if (type === "i32") return (bits ^ SIGN_32) >>> 0;
  return (bits & SIGN_32 ? ~bits : bits | SIGN_32) >>> 0;
}

/** Returns the key of a value that `type` represents exactly. */
export function keyOf(type: WideType, value: number): bigint {
  if (type === "f64") {
    scratch.setFloat64(0, value);
    const bits = scratch.getBigUint64(0);
    return bits & SIGN_64 ? ~bits & MASK_64 : bits | SIGN_64;
  }
  if (type === "f32") {
    scratch.setFloat32(0, value);
    return BigInt(key32("f32", scratch.getUint32(0)));
  }
  return BigInt(key32(type, type === "u32" ? value : value >>> 0));
}

/** Returns the sample with this key, for any type. Keys of 8 and 16 bits are made like those of 32 bits. */
export function valueOfKey(type: SampleType, key: bigint): number {
  const { integer, min } = SAMPLE_TRAITS[type];
  if (integer) return Number(key) + min;
  if (type === "f64") {
    scratch.setBigUint64(0, key & SIGN_64 ? key ^ SIGN_64 : ~key & MASK_64);
    return scratch.getFloat64(0);
  }
  const k = Number(key);
  scratch.setUint32(0, (k & SIGN_32 ? k ^ SIGN_32 : ~k) >>> 0);
  return scratch.getFloat32(0);
}

/**
 * Returns the smallest key whose sample is >= edge. For an edge at zero it is the key of -0. Null: no finite or
 * infinite sample of the type reaches the edge.
 */
export function firstKeyAtLeast(type: WideType, edge: number): bigint | null {
  if (type === "f64") return keyOf(type, edge === 0 ? -0 : edge);
  if (type === "f32") {
    const near = Math.fround(edge === 0 ? -0 : edge);
    return keyOf(type, near) + (near < edge ? 1n : 0n);
  }
  const low = Math.ceil(edge);
  const [min, max] = type === "u32" ? [0, 0xffff_ffff] : [-0x8000_0000, 0x7fff_ffff];
  return low > max ? null : keyOf(type, Math.max(low, min));
}

/** Returns the largest key whose sample is <= edge (or < edge if `open`), or null if there is none. */
export function lastKeyAtMost(type: WideType, edge: number, open: boolean): bigint | null {
  if (open) {
    const next = firstKeyAtLeast(type, edge);
    if (next === null) return keyOf(type, type === "u32" ? 0xffff_ffff : 0x7fff_ffff);
    return next === 0n ? null : next - 1n;
  }
  if (type === "f64") return keyOf(type, edge === 0 ? 0 : edge);
  if (type === "f32") {
    const near = Math.fround(edge === 0 ? 0 : edge);
    return keyOf(type, near) - (near > edge ? 1n : 0n);
  }
  const high = Math.floor(edge);
  const [min, max] = type === "u32" ? [0, 0xffff_ffff] : [-0x8000_0000, 0x7fff_ffff];
  return high < min ? null : keyOf(type, Math.min(high, max));
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  firstKeyAtLeast,
  key32,
  keyOf,
  lastKeyAtMost,
  valueOfKey,
  type WideType,
} from "../src/lowering/keys.ts";
import { neighbour } from "./helpers.ts";

const FLOAT_SPECIALS = [
  -Infinity,
  -1e300,
  -3.4028234663852886e38,
  -1,
  -(2 ** -126),
  -(2 ** -149),
  -5e-324,
  -0,
  0,
  5e-324,
  2 ** -149,
  2 ** -126,
  0.1,
  1,
  3.4028234663852886e38,
  1e300,
  Number.MAX_VALUE,
  Infinity,
];
const SPECIALS: Readonly<Record<WideType, readonly number[]>> = {
  u32: [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff],
  i32: [-0x8000_0000, -0x7fff_ffff, -2, -1, 0, 1, 2, 0x7fff_fffe, 0x7fff_ffff],
  f32: [...new Set(FLOAT_SPECIALS.map(Math.fround))],
  f64: FLOAT_SPECIALS,
};
const TYPES = ["u32", "i32", "f32", "f64"] as const;

const arbitrary: Readonly<Record<WideType, fc.Arbitrary<number>>> = {
  u32: fc.integer({ min: 0, max: 0xffff_ffff }),
  i32: fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
  f32: fc.float({ noNaN: true }),
  f64: fc.double({ noNaN: true }),
};

/** The sample of a key: what keyOf does, the other way round. */
function sampleOf(type: WideType, key: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  if (type === "f64") {
    view.setBigUint64(0, key >> 63n ? key ^ (1n << 63n) : ~key & ((1n << 64n) - 1n));
    return view.getFloat64(0);
  }
  if (type === "u32") return Number(key);
  if (type === "i32") return Number(key) - 0x8000_0000;
  view.setUint32(0, Number(key >> 31n ? key ^ (1n << 31n) : ~key & 0xffff_ffffn));
  return view.getFloat32(0);
}

const top = (type: WideType): bigint => (type === "f64" ? 1n << 64n : 1n << 32n) - 1n;

/** Lowest and highest key that is a sample and not NaN. */
function range(type: WideType): readonly [low: bigint, high: bigint] {
  if (type === "u32" || type === "i32") return [0n, top(type)];
  return [keyOf(type, -Infinity), keyOf(type, Infinity)];
}

describe.each(TYPES)("keys of %s", (type) => {
  it("ascend with the values", () => {
    const keys = SPECIALS[type].map((value) => keyOf(type, value));
    for (let i = 1; i < keys.length; i++) expect(keys[i - 1]! < keys[i]!).toBe(true);
  });

  it("ascend for any two values, and convert back", () => {
    fc.assert(
      fc.property(arbitrary[type], arbitrary[type], (a, b) => {
        expect(sampleOf(type, keyOf(type, a))).toBe(a);
        if (a < b) expect(keyOf(type, a) < keyOf(type, b)).toBe(true);
        if (Object.is(a, b)) expect(keyOf(type, a)).toBe(keyOf(type, b));
      }),
    );
  });

  // Every edge, wherever it lies between two samples: the key found and the one before it decide.
  const edges = fc.oneof(
    arbitrary[type],
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(...FLOAT_SPECIALS.filter(Number.isFinite)),
    fc.constantFrom(-0.5, 0.5, 2 ** 32 - 0.5, 2 ** 32, 2 ** 31, 2 ** 31 - 0.5, -(2 ** 31) - 0.5, 1e39, -1e39),
    arbitrary[type].map((value) => neighbour("f64", value, true)),
    arbitrary[type].map((value) => neighbour("f64", value, false)),
  );
  const finite = edges.filter(Number.isFinite);

  it("firstKeyAtLeast is the first sample at or above the edge", () => {
    const [low, high] = range(type);
    fc.assert(
      fc.property(finite, (edge) => {
        const key = firstKeyAtLeast(type, edge);
        if (key === null) {
          expect(sampleOf(type, high) < edge).toBe(true);
          return;
        }
        expect(key >= low && key <= high).toBe(true);
        expect(sampleOf(type, key) >= edge).toBe(true);
        if (key > low) expect(sampleOf(type, key - 1n) < edge).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("lastKeyAtMost is the last sample up to the edge, excluding the edge if open", () => {
    const [low, high] = range(type);
    fc.assert(
      fc.property(finite, fc.boolean(), (edge, open) => {
        const inside = (value: number) => (open ? value < edge : value <= edge);
        const key = lastKeyAtMost(type, edge, open);
        if (key === null) {
          expect(inside(sampleOf(type, low))).toBe(false);
          return;
        }
        expect(key >= low && key <= high).toBe(true);
        expect(inside(sampleOf(type, key))).toBe(true);
        if (key < high) expect(inside(sampleOf(type, key + 1n))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("zeros and NaN", () => {
  it.each(["f32", "f64"] as const)("%s: the key of +0 follows that of -0", (type) => {
    expect(keyOf(type, 0) - keyOf(type, -0)).toBe(1n);
    for (const edge of [0, -0]) {
      expect(firstKeyAtLeast(type, edge)).toBe(keyOf(type, -0));
      expect(lastKeyAtMost(type, edge, false)).toBe(keyOf(type, 0));
      expect(lastKeyAtMost(type, edge, true)).toBe(keyOf(type, -0) - 1n);
    }
  });

  it("NaN of either sign lies outside the infinities", () => {
    for (const bits of [0x7fc0_0000, 0x7f80_0001, 0x7fff_ffff]) {
      expect(BigInt(key32("f32", bits)) > keyOf("f32", Infinity)).toBe(true);
      expect(BigInt(key32("f32", (bits | 0x8000_0000) >>> 0)) < keyOf("f32", -Infinity)).toBe(true);
    }
  });

  it("edges above f32's range leave only infinity above them", () => {
    expect(firstKeyAtLeast("f32", 1e39)).toBe(keyOf("f32", Infinity));
    expect(firstKeyAtLeast("f32", -1e39)).toBe(keyOf("f32", -3.4028234663852886e38));
    expect(lastKeyAtMost("f32", 1e39, false)).toBe(keyOf("f32", 3.4028234663852886e38));
    expect(lastKeyAtMost("f32", -1e39, false)).toBe(keyOf("f32", -Infinity));
  });
});

it("converts a key back to its sample", () => {
  for (const type of Object.keys(SPECIALS) as WideType[]) {
    for (const value of SPECIALS[type])
      expect(Object.is(valueOfKey(type, keyOf(type, value)), value)).toBe(true);
  }
  expect(["u8", "i8", "u16", "i16"].map((type) => valueOfKey(type as "u8", 5n))).toEqual([
    5, -123, 5, -32_763,
  ]);
});

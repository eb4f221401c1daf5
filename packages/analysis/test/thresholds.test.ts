import { describe, expect, test } from "vitest";
import type { Bounded, Counted } from "../src/cells.ts";
import { isodata, li, minimum, multiOtsu, otsu, triangle, yen } from "../src/index.ts";
import { bytes, codeOf, range, stored, vectors } from "./vectors.ts";

type Name = "otsu" | "yen" | "isodata" | "minimum" | "triangle" | "li";
/** A number, numbers, or the name of Python's error. */
type Found = number | readonly number[] | string;
type Case = { readonly name: string } & { readonly [threshold: string]: Found };

const SINGLE: { readonly [name in Name]: (histogram: Counted) => Bounded } = {
  otsu,
  yen,
  isodata,
  minimum,
  triangle,
  li,
};
const { cases } = vectors<{ readonly cases: readonly Case[] }>("thresholds");

describe.for(cases)("$name, as scikit-image", (one) => {
  const histogram = stored(one.name);

  // threshold_li takes no histogram, and threshold_minimum takes a minute for 16 bits.
  const given = (Object.keys(SINGLE) as Name[]).filter((name) => one[name] !== undefined);
  expect(given.length).toBeGreaterThanOrEqual(5);

  test.for(given)("%s", (name) => {
    const found = one[name]!;
    if (typeof found === "string") {
      expect(codeOf(() => SINGLE[name](histogram))).toBe("ERR_INPUT");
      return;
    }
    const { value, low, high } = SINGLE[name](histogram);
    // The last bits of a logarithm differ between C libraries.
    if (name === "li") expect(Math.abs(value - (found as number))).toBeLessThanOrEqual(1e-14 * value);
    else expect(value).toBe(found);
    expect(low).toBeLessThanOrEqual(value);
    expect(high).toBeGreaterThanOrEqual(value);
    if (one.name.startsWith("floats")) expect(low).toBeLessThan(high);
    else expect([low, high]).toEqual([value, value]);
  });

  const classes = [2, 3, 4].filter((n) => one[`multiOtsu${n}`] !== undefined);
  test.for(classes)("multiOtsu of %i classes", (n) => {
    const found = one[`multiOtsu${n}`]!;
    if (typeof found === "string") {
      expect(codeOf(() => multiOtsu(histogram, { classes: n }))).toBe("ERR_INPUT");
      return;
    }
    expect(multiOtsu(histogram, { classes: n }).map(({ value }) => value)).toEqual(found);
  });
});

const ALL = { ...SINGLE, multiOtsu };

test("a single value is the threshold, except where two peaks are needed", () => {
  const one = bytes({ 9: 5 });
  for (const name of ["otsu", "yen", "isodata", "triangle", "li"] as const) {
    expect(SINGLE[name](one), name).toEqual({ value: 9, low: 9, high: 9 });
  }
  expect(codeOf(() => minimum(one))).toBe("ERR_INPUT");
  expect(codeOf(() => multiOtsu(one))).toBe("ERR_INPUT");
});

test("empty bins have no threshold, and samples outside the bins take no part", () => {
  for (const [name, call] of Object.entries(ALL)) {
    expect(
      codeOf(() => call(bytes({}))),
      name,
    ).toBe("ERR_INPUT");
    expect(
      codeOf(() => call({ ...bytes({}), underflow: 7 })),
      name,
    ).toBe("ERR_INPUT");
  }
  const scene = stored("scene");
  expect(otsu({ ...scene, underflow: 1e6, overflow: 1e6 })).toEqual(otsu(scene));
});

test("multiOtsu: as many classes as values, and the limits", () => {
  const three = bytes({ 3: 1, 7: 2, 200: 3 });
  expect(multiOtsu(three).map(({ value }) => value)).toEqual([3, 7]);
  expect(codeOf(() => multiOtsu(three, { classes: 1 }))).toBe("ERR_INPUT");
  expect(codeOf(() => multiOtsu(three, { classes: 6 }))).toBe("ERR_INPUT");
  expect(codeOf(() => multiOtsu(three, { classs: 3 } as object))).toBe("ERR_INPUT");
  const many = { counts: range(40_000).map(() => 1), edges: range(40_001) };
  expect(codeOf(() => multiOtsu(many))).toBe("ERR_LIMIT");
});

test("li's bounds hold for samples anywhere in their bins", () => {
  const wide: Counted = { counts: [40, 10, 0, 5, 30], edges: [0, 10, 20, 30, 40, 50] };
  const { value, low, high } = li(wide);
  expect(low).toBeLessThan(value);
  expect(high).toBeGreaterThan(value);
});

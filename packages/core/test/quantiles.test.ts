import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { regular } from "../src/axis/axis.ts";
import { quantiles } from "../src/axis/quantiles.ts";
import { indices } from "../src/lowering/indices.ts";
import { expectError } from "./helpers.ts";

const edges = (bins: number, values: number[], zeros?: number) => [...quantiles(bins, values, zeros).edges];

/** How many values each bin holds. */
function counts(bins: number, values: readonly number[]): number[] {
  const axis = quantiles(bins, values);
  const found = new Array<number>(axis.bins).fill(0);
  for (const bin of indices(axis, values)) found[bin]! += 1;
  return found;
}

describe("quantiles", () => {
  it("one bin per value if there are enough bins, cut halfway between", () => {
    expect(edges(4, [8, 1, 2, 2, 4])).toEqual([1, 1.5, 3, 6, 8]);
    expect(edges(256, [1, 0, 1])).toEqual([0, 0.5, 1]);
  });

  it("about the same number of values per bin", () => {
    const values = Array.from({ length: 100 }, (_, i) => (i * 37) % 100);
    expect(edges(4, values)).toEqual([0, 24.5, 49.5, 74.5, 99]);
    // 100 / 3, 67 / 2, 34: of 33 and 34 the nearer, and of what is left the half.
    expect(counts(3, values)).toEqual([33, 33, 34]);
  });

  it("a frequent value costs the others no bins", () => {
    const values = [...new Array<number>(1000).fill(0), -1, -2, 1, 2, 3, 4, 5, 6];
    expect(counts(4, values)).toEqual([2, 1000, 3, 3]);
    expect(
      counts(
        4,
        values.map((value) => value - 10),
      ),
    ).toEqual([2, 1000, 3, 3]);
  });

  it("a tie chooses the cut with fewer values", () => {
    // A share is 3 of 6: 2 and 4 are as near.
    expect(counts(2, [1, 1, 2, 2, 3, 3])).toEqual([2, 4]);
  });

  it("always leaves one value for each remaining bin", () => {
    expect(counts(3, [1, 2, 3, 3, 3, 3, 3, 3])).toEqual([1, 1, 6]);
    expect(counts(3, [1, 1, 1, 1, 1, 1, 2, 3])).toEqual([6, 1, 1]);
  });

  it("additional zeros are counted as zeros", () => {
    const written = [3, -1, 0, 7, 7, 2];
    expect(edges(3, written, 4)).toEqual(edges(3, [...written, 0, 0, 0, 0]));
    expect(edges(3, [5, 6], 1)).toEqual([0, 2.5, 5.5, 6]);
    expect(edges(3, [], 9)).toEqual([-0.5, 0.5]);
  });

  it("all values equal: one bin, widened by 0.5 in each direction as in NumPy", () => {
    expect(edges(8, [3, 3])).toEqual([2.5, 3.5]);
    expect(edges(8, [-0, 0])).toEqual([-0.5, 0.5]);
    expect(Object.is(edges(2, [-0, 1])[0], 0)).toBe(true);
    for (const value of [2 ** 53, -(2 ** 60), Number.MAX_VALUE, -Number.MAX_VALUE]) {
      const axis = quantiles(2, [value, value]);
      expect(axis.bins).toBe(1);
      expect([...indices(axis, [value])]).toEqual([0]);
    }
    expect(edges(5, [])).toEqual([0, 1]);
  });

  it("neighbours with no double between them share a bin", () => {
    const next = 1 + Number.EPSILON;
    expect(edges(4, [1, next, 2])).toEqual([1, next / 2 + 1, 2]);
    expect(quantiles(4, [1, next]).bins).toBe(1);
    expect(edges(4, [0, Number.MIN_VALUE, 1])).toEqual([0, 0.5, 1]);
  });

  it("cut at the double nearest to the middle, also between the smallest", () => {
    const least = Number.MIN_VALUE;
    expect(edges(2, [3 * least, 6 * least])).toEqual([3 * least, 4 * least, 6 * least]);
    expect(edges(2, [-5 * least, -2 * least])).toEqual([-5 * least, -4 * least, -2 * least]);
  });

  it("the largest doubles", () => {
    expect(edges(2, [-Number.MAX_VALUE, Number.MAX_VALUE])).toEqual([-Number.MAX_VALUE, 0, Number.MAX_VALUE]);
    expect(quantiles(3, [1e308, 1.5e308, 1.7e308]).bins).toBe(3);
  });

  it("refuses invalid numbers of bins, and values that are not finite", () => {
    expectError(() => quantiles(0, [1]), "ERR_AXIS", "bins");
    expectError(() => quantiles(65_537, [1]), "ERR_LIMIT", "bins");
    expectError(() => quantiles(2, [1, Number.NaN]), "ERR_INPUT", "values[1]");
    expectError(() => quantiles(2, Float32Array.of(Infinity)), "ERR_INPUT", "values[0]");
    for (const none of [
      null,
      undefined,
      "12",
      { length: 1 },
      new Set([1]),
      3,
      new DataView(new ArrayBuffer(1)),
    ]) {
      expectError(() => quantiles(2, none as never), "ERR_INPUT", "values");
    }
    for (const wide of [BigInt64Array.of(1n), BigUint64Array.of(1n)]) {
      expectError(() => quantiles(2, wide as never), "ERR_INPUT", "pass Float64Array.from(array, Number)");
    }
    for (const mixed of [["1"], [1n], [null], [true], [[1]]]) {
      expectError(() => quantiles(2, mixed as never), "ERR_INPUT", "values");
    }
    expectError(() => quantiles(2, [1], -1), "ERR_INPUT", "zeros");
    expectError(() => quantiles(2, [1], 0.5), "ERR_INPUT", "zeros");
  });

  it("any values: as many bins as distinct values, none empty, each as near to its share as possible", () => {
    const value = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ min: -9, max: 9, noNaN: true }));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(value, { minLength: 1, maxLength: 60 }),
        (bins, values) => {
          const ascending = [...values].sort((a, b) => a - b);
          const different = [...new Set(ascending.map((x) => x + 0))];
          fc.pre(different.every((x, i) => i === 0 || (x + different[i - 1]!) / 2 < x));
          fc.pre(different.every((x, i) => i === 0 || (x + different[i - 1]!) / 2 > different[i - 1]!));
          const found = counts(bins, values);
          expect(found).toHaveLength(Math.min(bins, different.length));
          let first = 0;
          for (const [bin, count] of found.entries()) {
            const share = (values.length - first) / (found.length - bin);
            // Every cut that there could be here: behind a group of equal values, with enough groups behind it.
            const cuts = different
              .map((x) => ascending.lastIndexOf(x) + 1)
              .filter((cut) => cut > first && new Set(ascending.slice(cut)).size >= found.length - bin - 1)
              .filter((cut) => bin < found.length - 1 || cut === values.length);
            const nearest = Math.min(...cuts.map((cut) => Math.abs(cut - first - share)));
            expect(Math.abs(count - share)).toBeCloseTo(nearest, 9);
            first += count;
          }
        },
      ),
    );
  });
});

describe("indices", () => {
  it("are the bins that a histogram counts, and codes for values outside all bins", () => {
    const axis = regular(4, 0, 1);
    expect([...indices(axis, [0, 0.25, 0.3, 1, -1, 2, Number.NaN])]).toEqual([0, 1, 1, 3, 4, 5, 6]);
    expect([...indices(axis, Uint8Array.of(0, 1, 2))]).toEqual([0, 3, 5]);
    expect([...indices(axis, Float32Array.of(0.5))]).toEqual([2]);
    expect([...indices(axis, [])]).toEqual([]);
  });

  it("refuses invalid axes and values", () => {
    expectError(() => indices({ type: "log" } as never, [1]), "ERR_AXIS", "axis");
    expectError(() => indices(regular(4, 0, 1), ["1"] as never), "ERR_INPUT", "samples[0]");
  });
});

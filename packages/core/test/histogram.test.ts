import { describe, expect, it } from "vitest";
import { plan } from "../src/algorithms/choice/planning.ts";
import { type Axis, integer, regular, variable } from "../src/axis/axis.ts";
import type { SampleType } from "../src/input/sample-types.ts";
import { lower } from "../src/lowering/lowering.ts";
import { addCode, cellsAreBins, countsFrom, mergeChannel, noCounts } from "../src/result/merge.ts";
import { ReadableHistogram as Histogram } from "../src/result/reading.ts";
import { errorOf, expectError, gpu, planRequest } from "./helpers.ts";

function histogram(axis: Axis, type: SampleType, counts: readonly number[], flow = [0, 0, 0]): Histogram {
  const [underflow = 0, overflow = 0, nan = 0] = flow;
  return new Histogram(axis, type, { counts: Float64Array.from(counts), underflow, overflow, nan });
}

describe("a histogram", () => {
  const h = histogram(variable([0, 1, 3, 4]), "f64", [2, 6, 0], [1, 2, 4]);

  it("has counts, edges and flow", () => {
    expect(h).toMatchObject({ bins: 3, underflow: 1, overflow: 2, nan: 4, type: "f64" });
    expect([...h.edges]).toEqual([0, 1, 3, 4]);
  });

  it("sums", () => {
    expect(h.sum()).toBe(8);
    expect(h.sum({ flow: false })).toBe(8);
    expect(h.sum({ flow: true })).toBe(15);
    expectError(() => h.sum({ flwo: true } as never), "ERR_INPUT", "flow", "flwo");
  });

  it("sums beyond 2^53 to the nearest double", () => {
    const most = 2 ** 53 - 1;
    // 2^53 + 1 is no double: adding from the left, each of the last ones would be rounded off.
    expect(histogram(integer(0, 4), "u8", [most, 1, 1, 1]).sum()).toBe(2 ** 53 + 2);
  });

  it("has a density whose integral is 1", () => {
    expect([...h.density()]).toEqual([2 / 8, 6 / 2 / 8, 0]);
    const density = histogram(regular(7, -0.3, 2), "f64", [5, 0, 1, 9, 9, 2, 4]).density();
    const { edges } = histogram(regular(7, -0.3, 2), "f64", [0, 0, 0, 0, 0, 0, 0]);
    const integral = density.reduce((sum, d, i) => sum + d * (edges[i + 1]! - edges[i]!), 0);
    expect(integral).toBeCloseTo(1, 14);
    expect(histogram(integer(0, 2), "u8", [0, 0]).density()).toEqual(Float64Array.of(Number.NaN, Number.NaN));
  });

  it("has running sums", () => {
    expect([...h.cumulative()]).toEqual([2, 8, 8]);
    expect([...h.counts]).toEqual([2, 6, 0]);
  });

  it("has no provenance unless it is given", () => {
    for (const name of ["backend", "device", "algorithm", "plan", "timings"] as const)
      expect(h[name]).toBeNull();
    const timings = { readMs: 1, uploadMs: 2, kernelMs: 3, totalMs: 9 };
    const told = new Histogram(integer(0, 1), "u8", noCounts(1), {
      backend: "b",
      device: "d",
      algorithm: "trish",
      plan: null,
      timings,
    });
    expect(told).toMatchObject({ backend: "b", device: "d", algorithm: "trish", plan: null, timings });
  });
});

describe("merge", () => {
  it("adds everything and changes neither", () => {
    const a = histogram(regular(2, 0, 1), "f32", [1, 2], [3, 4, 5]);
    const b = histogram(regular(2, 0, 1), "f64", [10, 20], [30, 40, 50]);
    const both = a.merge(b);
    expect([...both.counts]).toEqual([11, 22]);
    expect(both).toMatchObject({ underflow: 33, overflow: 44, nan: 55, backend: null });
    expect([...a.counts]).toEqual([1, 2]);
    expect([...b.counts]).toEqual([10, 20]);
  });

  it.each([
    [histogram(regular(2, 0, 2), "u8", [0, 0]), "regular with 2 bins over [0, 2]"],
    [histogram(regular(3, 0, 1), "u8", [0, 0, 0]), "regular with 3 bins"],
    [histogram(integer(0, 2), "u8", [0, 0]), "integer with 2 bins over [0, 2)"],
    [histogram(variable([0, 0.5, 1]), "u8", [0, 0]), "variable with 2 bins over [0, 1]"],
  ])("refuses another axis %#", (other, described) => {
    const one = histogram(regular(2, 0, 1), "u8", [0, 0]);
    expectError(() => one.merge(other), "ERR_AXIS", "regular with 2 bins over [0, 1]", described);
  });

  it("refuses edges that differ only by rounding", () => {
    const f32 = histogram(regular(10, 0, 1), "f32", new Array(10).fill(0));
    const f64 = histogram(regular(10, 0, 1), "f64", new Array(10).fill(0));
    expectError(() => f32.merge(f64), "ERR_AXIS");
  });

  it("refuses sums that would not be exact", () => {
    const axis = integer(0, 2);
    const most = 2 ** 53 - 1;
    const full = histogram(axis, "u8", [0, most], [most, most, most]);
    expect([...full.merge(histogram(axis, "u8", [1, 0])).counts]).toEqual([1, most]);
    for (const one of [
      histogram(axis, "u8", [0, 1]),
      histogram(axis, "u8", [0, 0], [1, 0, 0]),
      histogram(axis, "u8", [0, 0], [0, 1, 0]),
      histogram(axis, "u8", [0, 0], [0, 0, 1]),
      full,
    ]) {
      expectError(() => full.merge(one), "ERR_LIMIT", "at most 9007199254740991", "9007199254740991 + ");
    }
  });

  it("compares the axes, not arrays that may have been modified", () => {
    const one = histogram(regular(2, 0, 1), "u8", [1, 2]);
    one.edges.fill(7);
    expect([...one.merge(histogram(regular(2, 0, 1), "f64", [1, 2])).edges]).toEqual([0, 0.5, 1]);
    expectError(() => one.merge(histogram(regular(2, 6, 7), "u8", [0, 0])), "ERR_AXIS", "over [0, 1]");
  });

  it("refuses other values", () => {
    const one = histogram(integer(0, 1), "u8", [0]);
    expectError(() => one.merge({ counts: [] } as never), "ERR_INPUT", "a Histogram for other", "Object");
  });
});

describe("merging a device's counts", () => {
  const lowering = lower(variable([0, 100, 200]), "u8");
  const raw = plan(planRequest("global", { type: "u8", lowering, samples: 9 }), gpu());

  it("maps the values of bytes to bins", () => {
    const cells = new Float64Array(256);
    for (const [value, count] of [
      [0, 1],
      [99, 2],
      [100, 4],
      [200, 8],
      [201, 16],
    ] as const) {
      cells[value] = count;
    }
    const to = noCounts(2);
    mergeChannel(to, { cells, flow: new Float64Array(3) }, raw, lowering, 31);
    expect(to).toEqual({ counts: Float64Array.of(3, 12), underflow: 0, overflow: 16, nan: 0 });
  });

  it("adds bins and flow directly for other types, and to existing counts", () => {
    const wide = lower(variable([0, 100, 200]), "f32");
    const of = plan(planRequest("global", { type: "f32", lowering: wide, samples: 9 }), gpu());
    const to = noCounts(2);
    for (let i = 1; i <= 2; i++) {
      mergeChannel(to, { cells: Float64Array.of(1, 2), flow: Float64Array.of(3, 4, 5) }, of, wide, 15);
      expect(to).toEqual({
        counts: Float64Array.of(i, 2 * i),
        underflow: 3 * i,
        overflow: 4 * i,
        nan: 5 * i,
      });
    }
  });

  it.each([
    ["one too few", 8, 0],
    ["one too many", 10, 0],
    ["not a number", Number.NaN, 0],
    ["flow too many", 9, 1],
  ])("discards the result if the device returned %s", (_, count, overflow) => {
    const cells = new Float64Array(256);
    cells[5] = count;
    const flow = Float64Array.of(0, overflow, 0);
    const error = errorOf(() => mergeChannel(noCounts(2), { cells, flow }, raw, lowering, 9));
    expect(error).toMatchObject({ code: "ERR_MISCOUNT", algorithm: "global" });
    expect(error.message).toContain("expected counts of 9 samples");
  });

  it("discards negative counts even if the sum is right", () => {
    const cells = new Float64Array(256);
    cells.set([-1, 10]);
    const flow = new Float64Array(3);
    expectError(() => mergeChannel(noCounts(2), { cells, flow }, raw, lowering, 9), "ERR_MISCOUNT");
    cells.set([5, 5]);
    flow[2] = -1;
    expectError(() => mergeChannel(noCounts(2), { cells, flow }, raw, lowering, 9), "ERR_MISCOUNT");
  });

  it("discards a table that is too short", () => {
    const short = { cells: Float64Array.of(9), flow: new Float64Array(3) };
    expectError(() => mergeChannel(noCounts(2), short, raw, lowering, 9), "ERR_MISCOUNT", "NaN");
  });

  it("uses cells that are the bins without a copy, unless they are a view of a larger buffer", () => {
    const bytes = lower(integer(0, 256), "u8");
    const of = plan(planRequest("global", { lowering: bytes, samples: 9 }), gpu());
    const three = lower(variable([0, 1, 2, 3]), "f32");
    const wide = plan(planRequest("global", { type: "f32", lowering: three, samples: 9 }), gpu());
    expect([of, wide].map((one, i) => cellsAreBins(one, [bytes, three][i]!))).toEqual([true, true]);
    expect(cellsAreBins(raw, lowering)).toBe(false);
    expect(cellsAreBins(of, lower(integer(1, 257), "u8"))).toBe(false);
    for (const [one, how] of [
      [of, bytes],
      [wide, three],
    ] as const) {
      const cells = new Float64Array(one.cells);
      cells.set([4, 0, 2]);
      const flow = Float64Array.of(1, 2, 0);
      const right = { counts: cells, underflow: 1, overflow: 2, nan: 0 };
      const taken = countsFrom({ cells, flow }, one, how, true, 9);
      expect(taken).toEqual(right);
      expect(taken.counts).toBe(cells);
      const room = new Float64Array([...cells, ...flow]);
      const part = room.subarray(0, one.cells);
      const copied = countsFrom({ cells: part, flow: room.subarray(one.cells) }, one, how, true, 9);
      expect(copied).toEqual(right);
      expect(copied.counts.buffer.byteLength).toBe(cells.byteLength);
      for (const at of [0, one.cells - 1]) {
        for (const wrong of [Number.NaN, -1, 5]) {
          const lost = cells.slice();
          lost[at] = wrong;
          if (wrong === -1) lost[1] = 9 - 3 - lost.reduce((sum, count) => sum + count);
          expectError(() => countsFrom({ cells: lost, flow }, one, how, true, 9), "ERR_MISCOUNT");
        }
      }
      const negative = { cells, flow: Float64Array.of(1, 3, -1) };
      expectError(() => countsFrom(negative, one, how, true, 9), "ERR_MISCOUNT");
      expect(countsFrom({ cells, flow, total: 9 }, one, how, true, 9)).toEqual(right);
      for (const total of [8, 10, Number.NaN]) {
        expectError(() => countsFrom({ cells, flow, total }, one, how, true, 9), "ERR_MISCOUNT");
      }
      const long = { cells: new Float64Array([...cells, 1]), flow };
      expect(countsFrom(long, one, how, true, 9).counts).toHaveLength(one.cells);
    }
  });

  it("knows the codes", () => {
    const to = noCounts(2);
    for (let code = 0; code < 5; code++) addCode(to, code, code + 1);
    expect(to).toEqual({ counts: Float64Array.of(1, 2), underflow: 3, overflow: 4, nan: 5 });
  });
});

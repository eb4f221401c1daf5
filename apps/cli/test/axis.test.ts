import { integer, regular, variable } from "@polybin/core";
import { edgesOf } from "@polybin/core/backend";
import { expect, test } from "vitest";
import { axisLines, countAxis, valueTicks } from "../src/output/charts/axis.ts";

/** Is a number 1, 2, 2.5 or 5 times a power of ten, or a multiple of that as labels are? */
const isRound = (step: number) =>
  [1, 2, 2.5, 5].includes(Number((step / 10 ** Math.floor(Math.log10(step))).toPrecision(6)));

test.each([7, 10])("a linear axis of %i rows ends above every count, each row at a round one", (most) => {
  for (const tallest of [1, 2, 3, 7, 9, 10, 11, 20, 99, 100, 101, 20_253, 307_200, 999_999, 2 ** 40]) {
    const { rows, foot, top, ticks } = countAxis(tallest, most, null);
    const row = top / rows;
    expect(foot).toBe(0);
    expect(rows).toBeLessThanOrEqual(most);
    expect(isRound(row), `${tallest}: ${row}`).toBe(true);
    expect(top).toBeGreaterThanOrEqual(tallest);
    // No row above the tallest is empty.
    expect(top - row).toBeLessThan(tallest);
    expect(ticks.length).toBeGreaterThan(0);
    for (const { value, at } of ticks) {
      expect(value).toBe(at * row);
      expect(Number.isInteger(value)).toBe(true);
    }
  }
  expect(countAxis(0, most, null)).toEqual({ rows: 1, foot: 0, top: 1, ticks: [{ value: 1, at: 1 }] });
});

test("a logarithmic axis has powers of ten, each at the end of a row", () => {
  expect(countAxis(20_253, 10, 10)).toMatchObject({
    rows: 10,
    foot: 10,
    ticks: [
      { value: 100, at: 3 },
      { value: 1000, at: 6 },
      { value: expect.closeTo(10_000, 6), at: 9 },
    ],
  });
  for (const foot of [1, 10, 1000]) {
    for (const tallest of [foot, 2 * foot, 10 * foot, 1000 * foot, 12_345 * foot, 2 ** 53]) {
      const { rows, top, ticks } = countAxis(tallest, 7, foot);
      expect(rows).toBeLessThanOrEqual(7);
      expect(top).toBeGreaterThanOrEqual(tallest * (1 - 1e-8));
      expect(ticks.length).toBeGreaterThan(0);
      for (const { value, at } of ticks) {
        expect(Number.isInteger(at)).toBe(true);
        expect(Math.log10(value) % 1, String(value)).toBeCloseTo(0, 9);
      }
    }
  }
});

test("values along the bins are round, and lie where they belong", () => {
  const of = (axis: Parameters<typeof valueTicks>[0], columns: number) =>
    valueTicks(axis, edgesOf(axis, "f64"), columns);
  expect(of(regular(100, -3.14, 3.07), 62.1).map(({ value }) => value)).toEqual([-3, -2, -1, 0, 1, 2, 3]);
  expect(of(regular(100, -3.14, 3.07), 62.1)[3]!.at).toBeCloseTo(31.4, 9);
  expect(of(integer(0, 256), 64).map(({ value }) => value)).toEqual([0, 64, 128, 192, 256]);
  expect(of(integer(0, 256), 128)).toHaveLength(9);
  expect(of(integer(0, 256), 32).map(({ at }) => at)).toEqual([0, 16, 32]);
  expect(of(regular(50, 0, 1e9), 50).map(({ value }) => value)).toEqual([0, 2e8, 4e8, 6e8, 8e8, 1e9]);
  // Columns of variable bins are equally wide whatever the bins are.
  const edges = Array.from({ length: 31 }, (_, i) => i * i);
  expect(of(variable(edges), 60)).toEqual([
    { value: 0, at: 0 },
    { value: 25, at: 10 },
    { value: 100, at: 20 },
    { value: 225, at: 30 },
    { value: 400, at: 40 },
    { value: 625, at: 50 },
    { value: 900, at: 60 },
  ]);
});

test("the rule and its labels fit the chart, and labels do not touch", () => {
  const ticks = [0, 50, 52, 100].map((value) => ({ value, at: value / 4 }));
  expect(axisLines(ticks, 25)).toEqual(["┬───────────┬───────────┬", "0          50         100"]);
});

import { Histogram, integer } from "@polybin/core";
import { expect, test } from "vitest";
import { agree } from "../src/demo/agree.ts";

const of = (
  counts: number[],
  flow: Partial<Record<"underflow" | "overflow" | "nan", number>> = {},
  start = 0,
) =>
  new Histogram(integer(start, start + counts.length), "u8", {
    counts: Float64Array.from(counts),
    ...{ underflow: 0, overflow: 0, nan: 0, ...flow },
  });

test("the demonstration sees any difference between two backends", () => {
  expect(agree([of([1, 2])], [of([1, 2])])).toBe(true);
  for (const other of [
    of([1, 3]),
    of([1, 2, 0]),
    of([1, 2], {}, 1),
    of([1, 2], { underflow: 1 }),
    of([1, 2], { overflow: 1 }),
    of([1, 2], { nan: 1 }),
  ]) {
    expect(agree([of([1, 2])], [other])).toBe(false);
  }
  expect(agree([of([1, 2])], [])).toBe(false);
});

import { expect, it } from "vitest";
import { medianInterval } from "../src/runner/statistics.ts";

const upTo = (n: number) => Array.from({ length: n }, (_, i) => n - i);

it("takes the interval of a median from the ranks of the binomial distribution", () => {
  expect(medianInterval(upTo(5))).toBeNull();
  expect(medianInterval([])).toBeNull();
  // The ranks of the usual tables for 95%.
  expect(medianInterval(upTo(6))).toEqual([1, 6]);
  expect(medianInterval(upTo(9))).toEqual([2, 8]);
  expect(medianInterval(upTo(21))).toEqual([6, 16]);
  expect(medianInterval(upTo(100))).toEqual([40, 61]);
  expect(medianInterval(Array(11).fill(3))).toEqual([3, 3]);
});

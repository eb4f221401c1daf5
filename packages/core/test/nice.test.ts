import { nice as d3Nice } from "d3-array";
import { expect, it } from "vitest";
import { nice } from "../src/index.ts";
import { random } from "./helpers.ts";

/** Returns ranges of all widths and signs, and a number of steps that is often 1. */
function triples(count: number, decades: number): [lo: number, hi: number, count: number][] {
  const next = random(decades);
  const any = (): number => (next() - 0.5) * 10 ** ((2 * next() - 1) * decades);
  return Array.from({ length: count }, (_, i) => {
    const lo = i % 5 === 0 ? Math.round(any()) : i % 7 === 0 ? Math.round(100 * any()) / 100 : any();
    const near = lo + Math.abs(lo) * next() * 10 ** (-6 * next());
    const [first, last] = [lo, i % 3 === 0 ? near : any()].sort((a, b) => a - b) as [number, number];
    const steps = i % 4 === 0 ? 1 : 1 + Math.floor(300 * next() ** 3);
    // d3's ends of one step around 0 take two thousand rounds.
    return [first, last, steps === 1 && first < 0 && last > 0 && i % 100 > 0 ? 2 : steps];
  });
}

it("is d3-array's on 200,000 random triples", () => {
  const wrong: unknown[] = [];
  for (const [lo, hi, count] of [...triples(160_000, 8), ...triples(40_000, 40)]) {
    const [found, wanted] = [nice(lo, hi, count), d3Nice(lo, hi, count)];
    if (found[0] !== wanted[0] || found[1] !== wanted[1]) wrong.push([lo, hi, count, found, wanted]);
  }
  expect(wrong).toEqual([]);
});

it("halves a single step that holds no round number", () => {
  expect(nice(11, 14.5, 1)).toEqual([10, 20]);
  expect(nice(1.1, 1.45, 1)).toEqual([1, 2]);
  expect(d3Nice(11, 14.5, 1)).toEqual([10, 20]);
});

it("ends where rounding moves an end to and fro", () => {
  for (const [lo, hi] of [
    [-1.793164548117985e-60, -1.7931645412999525e-60],
    [2.4810543452724627e-145, 2.481067405840286e-145],
  ] as const) {
    expect(nice(lo, hi, 1)).toEqual(d3Nice(lo, hi, 1));
  }
});

import { openEngine, regular } from "@polybin/core";
import { expect, test } from "vitest";
import { PieceCounter } from "../../src/profile/pass/piece-counter.ts";

test("arrays of any length are counted in pieces of one size", async () => {
  await using engine = await openEngine();
  const axis = regular(10, 0, 1);
  for (const type of ["f64", "i64"] as const) {
    const sizes: number[] = [];
    const counter = await engine.prepare({ type, axis });
    const own = counter.accumulate.bind(counter);
    counter.accumulate = (input, options) => {
      sizes.push((input as Float64Array).length);
      return own(input, options);
    };
    const pieces = new PieceCounter(counter, 64);
    const values = Array.from({ length: 100 }, (_, i) => (i % 13) / 12);
    const all =
      type === "f64"
        ? Float64Array.from(values)
        : BigInt64Array.from(values, (value) => BigInt(Math.round(value)));
    let from = 0;
    for (const length of [3, 0, 5, 1, 30, 7, 8, 16, 29, 1]) {
      await pieces.add(all.slice(from, from + length), undefined);
      from += length;
    }
    expect(from).toBe(100);
    const { counts, overflow } = await pieces.take();
    const { counts: wanted } = await engine.histogram(all, { axis });
    expect([[...counts], overflow]).toEqual([[...wanted], 0]);
    expect(sizes).toEqual([...new Array<number>(12).fill(8), 4]);
  }
});

import { openEngine, PolybinError, regular } from "@polybin/core";
import { expect, test } from "vitest";
import { Bins } from "../../src/profile/partial/bins.ts";
import { PieceCounter } from "../../src/profile/pass/piece-counter.ts";

test.each([true, false])(
  "arrays of any length are counted in pieces of one size (synchronously: %s)",
  async (isSync) => {
    await using engine = await openEngine();
    const axis = regular(10, 0, 1);
    for (const type of ["f64", "i64"] as const) {
      const sizes: number[] = [];
      const prepare = async () => {
        const counter = await engine.prepare({ type, axis });
        const own = counter.countSync.bind(counter);
        counter.countSync = (input) => {
          sizes.push((input as Float64Array).length);
          if (!isSync) throw new PolybinError("ERR_UNSUPPORTED", "no synchronous calls");
          return own(input);
        };
        return counter;
      };
      const bins = new Bins(axis, type);
      const pieces = new PieceCounter(prepare, bins, 64);
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
      await pieces.end();
      await pieces.free();
      const { counts, overflow } = bins;
      const { counts: wanted } = await engine.histogram(all, { axis });
      expect([[...counts], overflow]).toEqual([[...wanted], 0]);
      expect(sizes).toEqual(isSync ? [...new Array<number>(12).fill(8), 4] : [8]);
    }
  },
);

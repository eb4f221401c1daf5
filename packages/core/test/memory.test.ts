import { describe, expect, it } from "vitest";
import { Memory } from "../src/base/index.ts";
import { type Axis, boolean, category, circular, cpu, integer, openEngine, variable } from "../src/index.ts";

/** Axes over which devices count the same intervals, although their bins differ. */
const alike: readonly (readonly [Axis, Axis])[] = [
  [category([2, 1]), integer(1, 3)],
  [integer(1, 3), category([2, 1])],
  [category([1, 2]), category([2, 1])],
  [category(["a", "b", "c"]), category([0, 1, 2])],
  [category([2, 0, 1]), category(["a", "b", "c"])],
  [circular(3, 3), circular(3, 1, 4)],
  [boolean(), category([0, 1])],
];

const values = [0, 1, 1, 1, 2, 3, 5, 0];
const inputs = {
  u8: Uint8Array.from(values),
  i32: Int32Array.from(values),
  f64: Float64Array.from(values),
  i64: BigInt64Array.from(values, BigInt),
  u64: BigUint64Array.from(values, BigInt),
};

const plain = (of: { counts: ArrayLike<number>; underflow: unknown; overflow: unknown; nan: unknown }) => [
  [...(of.counts as Float64Array)],
  Number(of.underflow),
  Number(of.overflow),
  Number(of.nan),
];

describe("an engine that counted over one axis", () => {
  for (const [before, axis] of alike) {
    for (const [type, input] of Object.entries(inputs)) {
      it(`counts ${type} over ${JSON.stringify(axis)} after ${JSON.stringify(before)}`, async () => {
        await using used = await openEngine({ backend: cpu() });
        await using fresh = await openEngine({ backend: cpu() });
        for (const engine of [used]) {
          await engine.histogram(input, { axis: before });
          await engine.segments(input, { every: 8 }, { axis: before }).catch(() => null);
          await (await engine.prepare({ axis: before, type: type as "u8" })).count(input);
          await engine.joint([input, input], { axes: [before, before] });
        }
        const found = async (engine: typeof used) => [
          plain(await engine.histogram(input, { axis })),
          plain((await engine.histograms(input, { axis }))[0]!),
          plain(await (await engine.prepare({ axis, type: type as "u8" })).count(input)),
          [...(await engine.joint([input, input], { axes: [axis, axis] })).cells],
          await engine.segments(input, { every: 8 }, { axis }).then(
            ({ counts }) => [...counts],
            (error: Error) => error.message,
          ),
        ];
        expect(await found(used)).toEqual(await found(fresh));
      });
    }
  }

  it("keeps variable axes with other ends apart", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const closed = variable([0, 1, 2]);
    const open = variable([0, 1, 2], { closed: false });
    for (const axis of [closed, open, closed]) {
      const { overflow } = await engine.histogram(Float64Array.of(2), { axis });
      expect(overflow).toBe(axis === open ? 1 : 0);
    }
  });
});

describe("Memory", () => {
  it("makes a value once per key, and forgets the one that was not used for the longest time", () => {
    const memory = new Memory<{ readonly n: number }>(2);
    let made = 0;
    const of = (key: string) => memory.of(key, () => ({ n: ++made })).n;
    expect(["a", "b", "a", "c", "a", "b"].map(of)).toEqual([1, 2, 1, 3, 1, 4]);
  });

  it("does not keep a failure", () => {
    const memory = new Memory<object>(2);
    expect(() =>
      memory.of("a", () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    const value = {};
    expect(memory.of("a", () => value)).toBe(value);
  });
});

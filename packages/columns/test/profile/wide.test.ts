import { openEngine, regular } from "@polybin/core";
import { expect, it } from "vitest";
import type { PassPlan } from "../../src/profile/partial/plan.ts";
import { PassCounting } from "../../src/profile/pass/counting.ts";

/** A pass over this number of columns, each with the bins that a profile counts by default. */
function planOf(columns: number, type: "i32" | "i64"): PassPlan {
  const axis = regular(4096, 0, 4096);
  const plan = { moments: true, distinctLimit: null, axis, joined: 16, whole: false, heavy: null };
  return {
    columns: Array.from({ length: columns }, (_, i) => ({
      name: `c${i}`,
      logical: { kind: "number", type },
      ...plan,
    })),
    joint: [],
    pairs: null,
    over: null,
    sample: null,
    rowLimit: null,
  };
}

it.each([
  [8193, "i32"],
  // 64-bit integers have two counters.
  [4097, "i64"],
] as const)("refuses the bins of %i columns of %s before it prepares counters", async (columns, type) => {
  await using engine = await openEngine();
  let prepared = 0;
  const counted = new Proxy(engine, {
    get(target, name) {
      if (name === "prepare") prepared++;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await expect(PassCounting.open(counted, planOf(columns, type))).rejects.toMatchObject({
    code: "ERR_LIMIT",
    message: expect.stringMatching(/33554432 counted bins .*fewer bins, or profile the columns in groups/),
  });
  expect(prepared).toBe(0);
  // Counters are prepared for values that fill a piece.
  for (const rows of [10, 2 ** 17]) {
    const counting = await PassCounting.open(counted, planOf(3, type));
    const values = type === "i64" ? new BigInt64Array(rows).fill(7n) : new Int32Array(rows).fill(7);
    const columns = [0, 1, 2].map((i) => ({ name: `c${i}`, rows, nulls: 0, validity: null, values }));
    await counting.add({ rows, part: 0, columns });
    const { columns: found } = await counting.take();
    expect(found.map(({ bins }) => bins!.counts[7])).toEqual([rows, rows, rows]);
    expect(prepared).toBe(rows === 10 ? 0 : 3);
  }
});

import { openEngine } from "@polybin/core";
import { describe, expect, test } from "vitest";
import { type ComparisonJson, compare, compareProfiles } from "../../src/compare/index.ts";
import { profile } from "../../src/profile/index.ts";
import type { LogicalType } from "../../src/table/index.ts";
import { type Given, stated, tableOf } from "../profile/tables.ts";

const engine = await openEngine();
const F64: LogicalType = { kind: "number", type: "f64" };
const I64: LogicalType = { kind: "number", type: "i64" };
const U8: LogicalType = { kind: "number", type: "u8" };
const TEXT: LogicalType = { kind: "string" };
const BOOLEAN: LogicalType = { kind: "boolean" };

const column = (
  name: string,
  type: LogicalType,
  values: Given["values"],
  more: Partial<Given> = {},
): Given => ({
  name,
  type,
  values,
  ...more,
});

const of = (a: Given[], b: Given[], options = {}): Promise<ComparisonJson> =>
  compare(engine, [tableOf(a)], [tableOf(b)], options);

/** The distances by their definitions, over all values. */
function plain(a: readonly number[], b: readonly number[]): { ks: number; wasserstein: number } {
  const all = [...new Set([...a, ...b])].sort((x, y) => x - y);
  const share = (side: readonly number[], x: number): number =>
    side.filter((value) => value <= x).length / side.length;
  let [ks, wasserstein] = [0, 0];
  for (const [i, x] of all.entries()) {
    const difference = Math.abs(share(a, x) - share(b, x));
    ks = Math.max(ks, difference);
    wasserstein += difference * ((all[i + 1] ?? x) - x);
  }
  return { ks, wasserstein };
}

describe("columns of numbers", () => {
  const a = Array.from({ length: 300 }, (_, i) => Math.sin(i) * 10);
  const b = Array.from({ length: 200 }, (_, i) => Math.cos(i) * 12 + 1);

  test("the distance is that of the values if all are known", async () => {
    const { columns } = await of([column("x", F64, a)], [column("x", F64, b)]);
    const { ks, wasserstein } = plain(a, b);
    const { distance, gained, lost } = columns[0]!;
    expect(distance).toMatchObject({ method: "kolmogorov-smirnov", over: "values" });
    for (const one of ["value", "low", "high"] as const) expect(distance![one]).toBeCloseTo(ks, 12);
    expect(distance!.wasserstein).toBeCloseTo(wasserstein, 10);
    expect([gained!.distinct, lost!.distinct]).toEqual([200, 300]);
  });

  test("beyond the limit it has bounds, and both sides have the same bins", async () => {
    for (const more of [{}, { a: { statistics: stated(a) }, b: { statistics: stated(b) } }] as {
      a?: Partial<Given>;
      b?: Partial<Given>;
    }[]) {
      const result = await of([column("x", F64, a, more.a)], [column("x", F64, b, more.b)], {
        distinctLimit: 10,
      });
      const [x, y] = [result.a, result.b].map(({ columns }) => columns[0]!.histogram!);
      expect(x!.edges).toEqual(y!.edges);
      const { distance, gained } = result.columns[0]!;
      const { ks, wasserstein } = plain(a, b);
      expect(distance).toMatchObject({ over: "bins" });
      expect(gained).toBeNull();
      expect(distance!.low).toBeLessThanOrEqual(ks);
      expect(distance!.high).toBeGreaterThanOrEqual(ks);
      expect(distance!.high - distance!.low).toBeLessThan(0.03);
      expect(distance!.wasserstein).toBeCloseTo(wasserstein, 1);
    }
  });

  test("a table and itself have distance 0, and samples apart 1", async () => {
    for (const distinctLimit of [0, 3, 1000]) {
      const same = await of([column("x", F64, a)], [column("x", F64, a)], { distinctLimit });
      expect(same.columns[0]!.distance).toMatchObject({ value: 0, low: 0, jensenShannon: 0, wasserstein: 0 });
      const far = await of([column("x", F64, [1, 2, 3, 4])], [column("x", F64, [11, 12, 13, 14])], {
        distinctLimit,
      });
      expect(far.columns[0]!.distance).toMatchObject({ value: 1, low: 1, high: 1 });
      expect(far.columns[0]!.distance!.wasserstein).toBeCloseTo(10, 1);
    }
  });

  test("64-bit integers are told apart where doubles are not", async () => {
    const big = 2n ** 60n;
    const { columns } = await of(
      [column("id", I64, [big, big + 1n])],
      [column("id", I64, [big + 1n, big + 2n])],
    );
    expect(columns[0]!.distance).toMatchObject({ value: 0.5, wasserstein: 1 });
    expect(columns[0]!.gained).toEqual({
      distinct: 1,
      rows: 1,
      top: [{ value: String(big + 2n), count: 1 }],
    });
  });

  test("NaN takes no part, infinities leave no area, and nulls alone have no distance", async () => {
    const odd = await of([column("x", F64, [1, NaN, 2])], [column("x", F64, [1, Infinity, 2, null])]);
    expect(odd.columns[0]!.distance).toMatchObject({ value: expect.closeTo(1 / 3, 12), wasserstein: null });
    const none = await of([column("x", F64, [null])], [column("x", F64, [1])]);
    expect(none.columns[0]!.distance).toBeNull();
    expect((await of([column("x", F64, [])], [column("x", F64, [])])).columns[0]!.distance).toBeNull();
  });

  test("bins that hold one integer each give the values", async () => {
    const [x, y] = [
      [1, 1, 2],
      [2, 3, 3],
    ];
    const { columns } = await of(
      [column("x", U8, x, { statistics: stated(x) })],
      [column("x", U8, y, { statistics: stated(y) })],
    );
    expect(columns[0]!.distance).toMatchObject({ over: "values", value: expect.closeTo(2 / 3, 12) });
    expect(columns[0]!.lost!.top).toEqual([{ value: 1, count: 2 }]);
  });
});

describe("columns of text and booleans", () => {
  const a = ["a", "a", "b", null, "c"];
  const b = ["a", "b", "d", "d"];

  test("the distance is the total variation, and new and lost values are listed", async () => {
    const { columns } = await of([column("t", TEXT, a)], [column("t", TEXT, b)]);
    expect(columns[0]).toMatchObject({
      distance: { method: "total-variation", over: "values", value: 0.5, wasserstein: null },
      gained: { distinct: 1, rows: 2, top: [{ value: "d", count: 2 }] },
      lost: { distinct: 1, rows: 1, top: [{ value: "c", count: 1 }] },
    });
  });

  test("beyond the limit, frequent values give bounds", async () => {
    const text = (often: string, length: number) =>
      Array.from({ length }, (_, i) => (i % 2 === 0 ? often : `${often}${i}`));
    const { columns } = await of([column("t", TEXT, text("x", 400))], [column("t", TEXT, text("x", 100))], {
      distinctLimit: 10,
    });
    const { over, low, high } = columns[0]!.distance!;
    expect(over).toBe("frequent values");
    // 150 of the values of a are not in b.
    expect(low).toBeLessThanOrEqual(0.375);
    expect(high).toBeGreaterThanOrEqual(0.375);
  });

  test("booleans are compared without their values, too", async () => {
    for (const distinctLimit of [0, 10]) {
      const { columns } = await of([column("f", BOOLEAN, [1, 1, 0, 1])], [column("f", BOOLEAN, [0, 1])], {
        distinctLimit,
      });
      expect(columns[0]!.distance).toMatchObject({
        method: "total-variation",
        value: 0.25,
        low: 0.25,
        high: 0.25,
      });
    }
    const { columns } = await of([column("f", BOOLEAN, [1, 1])], [column("f", BOOLEAN, [0, 1])]);
    expect(columns[0]!.gained!.top).toEqual([{ value: false, count: 1 }]);
  });
});

test("numbers of different types are compared, and other types are not", async () => {
  for (const distinctLimit of [0, 10]) {
    const { columns } = await of([column("x", I64, [1n, 2n, 2n, 9n])], [column("x", F64, [2, 3, 3, 4])], {
      distinctLimit,
    });
    expect(columns[0]!.distance!.low).toBeLessThanOrEqual(0.5);
    expect(columns[0]!.distance!.high).toBeGreaterThanOrEqual(0.5);
    if (distinctLimit > 0)
      expect(columns[0]!.distance).toMatchObject({ over: "values", value: 0.5, wasserstein: 2 });
  }
});

test("columns come and go, and change their types", async () => {
  const { columns } = await of(
    [column("gone", F64, [1]), column("typed", F64, [1])],
    [column("typed", TEXT, ["1"]), column("new", F64, [1])],
  );
  expect(columns).toEqual([
    { name: "gone", a: 0, b: null, distance: null, gained: null, lost: null },
    { name: "typed", a: 1, b: 0, distance: null, gained: null, lost: null },
    { name: "new", a: null, b: 1, distance: null, gained: null, lost: null },
  ]);
});

test("chosen columns may be on one side alone, and unknown ones are refused", async () => {
  const [a, b] = [
    [column("x", F64, [1]), column("y", F64, [1])],
    [column("x", F64, [1]), column("z", F64, [2])],
  ];
  const { columns } = await of(a, b, { columns: ["z", "x"] });
  expect(columns.map(({ name }) => name)).toEqual(["x", "z"]);
  await expect(of(a, b, { columns: ["w"] })).rejects.toThrow('"w"');
  await expect(of(a, b, { joint: [["x", "y"]] })).rejects.toThrow("joint");
});

test("each side is profiled as on its own, except for the bins", async () => {
  const [x, y] = [
    [5, 1, null, 3.5],
    [9, -2, 4],
  ];
  const result = await of([column("x", F64, x)], [column("x", F64, y)]);
  const [alone] = (await profile(engine, [tableOf([column("x", F64, x)])])).columns;
  const { histogram: ours, ...rest } = result.a.columns[0]!;
  const { histogram, ...expected } = alone!;
  expect(rest).toEqual(expected);
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count);
  expect(total(ours!.counts)).toBe(total(histogram!.counts));
  expect([ours!.edges[0], ours!.edges.at(-1)]).toEqual([-2, 9]);
});

describe("profiles", () => {
  test("profiles over common bins have the same distances as far as they list all values", async () => {
    const result = await of(
      [column("x", U8, [1, 2, 2]), column("t", TEXT, ["a", "b"]), column("i", I64, [2n ** 60n, null])],
      [column("x", U8, [2, 3, 3]), column("t", TEXT, ["b", "c"]), column("i", I64, [2n ** 60n, 1n])],
    );
    const again = compareProfiles(JSON.parse(JSON.stringify(result.a)), JSON.parse(JSON.stringify(result.b)));
    expect(again.columns).toEqual(result.columns);
  });

  test("other bins widen the bounds", async () => {
    const [x, y] = [0, 0.3].map((shift) =>
      Array.from({ length: 500 }, (_, i) => ((i * 37) % 500) / 500 + shift),
    );
    const [a, b] = await Promise.all(
      [x!, y!].map((values) => profile(engine, [tableOf([column("x", F64, values)])], { bins: 16 })),
    );
    const { distance } = compareProfiles(a!, b!).columns[0]!;
    const { ks, wasserstein } = plain(x!, y!);
    expect(distance!.low).toBeLessThanOrEqual(ks);
    expect(distance!.high).toBeGreaterThanOrEqual(ks);
    expect(distance!.value).toBeCloseTo(ks, 1);
    expect([distance!.jensenShannon, distance!.over]).toEqual([null, "bins"]);
    expect(distance!.wasserstein).toBeCloseTo(wasserstein, 2);
  });

  test("anything else is refused", () => {
    expect(() => compareProfiles({} as never, {} as never)).toThrow("a.version");
    expect(() => compareProfiles(null as never, {} as never)).toThrow("for a");
  });
});

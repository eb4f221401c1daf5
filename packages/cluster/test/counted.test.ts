import type { CountsChunk, ValueArray } from "@polybin/columns";
import { type Axis, boolean, integer, openEngine, regular, variable } from "@polybin/core";
import { expect, it } from "vitest";
import { BinsCounter } from "../src/shards/run/bins.ts";
import { StringsCounter } from "../src/shards/run/strings.ts";

const NULLS = 3;
const DOUBLES = [-0, 0, 1, 1, 0.1, 0.3, 2.5, 9.999, 10, 10.001, -1e-9, Number.NaN, Infinity, -Infinity, 7, 7];
const LARGE = [0n, 1n, 10n, 10n, 9n, -1n, 2n ** 53n + 1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n, 7n, 7n];
const AXES: readonly Axis[] = [
  regular(10, 0, 10),
  regular(7, 0, 10, { closed: false }),
  integer(0, 10),
  variable([0, 0.1, 0.3, 10]),
  variable([-Infinity, 1, 7, 2 ** 53, Infinity], { closed: false }),
  boolean(),
];
const ARRAYS: readonly (readonly [string, ValueArray])[] = [
  ["f64", Float64Array.from(DOUBLES)],
  ["f32", Float32Array.from(DOUBLES)],
  ["i32", Int32Array.from(DOUBLES.filter(Number.isFinite))],
  ["u8", Uint8Array.from([0, 1, 1, 7, 10, 11, 255])],
  ["i64", BigInt64Array.from(LARGE)],
];
const cases = ARRAYS.flatMap(([type, values]) => AXES.map((axis) => ({ type, values, axis })));

it.each(cases)(
  "values with counts of $type lie in the bins of their rows: $axis.type",
  async ({ values, axis }) => {
    await using engine = await openEngine({ backends: [] });
    const counting = { engine, options: {}, everyRow: false, signal: undefined, onCounted: undefined };
    const [rows, counted] = [new BinsCounter(axis, counting), new BinsCounter(axis, counting)];
    const half = values.length >> 1;
    const counts = Uint32Array.from({ length: half }, (_, i) => 1 + (i % 4));
    const all = Array.from(values as ArrayLike<number>).flatMap((value, i) =>
      new Array<number>(counts[i] ?? 1).fill(value),
    );
    const Type = values.constructor as unknown as { from(values: readonly number[]): ValueArray };
    const length = all.length;
    for (let batch = 0; batch < 2; batch++) {
      await rows.add({ name: "x", rows: length, nulls: 0, validity: null, values: Type.from(all) }, null);
      await counted.addCounted({ name: "x", rows: length + NULLS, nulls: NULLS, values, counts });
    }
    const nulls: CountsChunk = {
      name: "x",
      rows: NULLS,
      nulls: NULLS,
      values: Type.from([]),
      counts: new Uint32Array(0),
    };
    await counted.addCounted(nulls);
    const validity = { bits: Uint8Array.of(0) };
    const missing = {
      name: "x",
      rows: NULLS,
      nulls: NULLS,
      validity,
      values: Type.from(all.slice(0, NULLS)),
    };
    for (let batch = 0; batch < 3; batch++) await rows.add(missing, null);
    expect(counted.take()).toEqual(rows.take());
  },
);

it("strings with counts are those of their rows", async () => {
  const [rows, counted] = [new StringsCounter(), new StringsCounter()];
  const strings = ["b", "a", "b", null, "b"];
  const validity = { bits: Uint8Array.of(0b10111) };
  await rows.add({ name: "x", rows: 5, nulls: 1, validity, strings }, null);
  await counted.addCounted({
    name: "x",
    rows: 3,
    nulls: 1,
    values: ["a", "b"],
    counts: Uint32Array.of(1, 1),
  });
  await counted.addCounted({ name: "x", rows: 2, nulls: 0, values: ["b"], counts: Uint32Array.of(2) });
  expect(counted.take()).toEqual(rows.take());
});

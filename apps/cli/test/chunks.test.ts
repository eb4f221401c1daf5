import { totalmem } from "node:os";
import { expect, test } from "vitest";
import { Chunks } from "../src/weighted/input/chunks.ts";
import { memoryForValues } from "../src/weighted/input/memory.ts";
import { SparseRows } from "../src/weighted/input/sparse.ts";

const MANY = 2 ** 20 + 3;

test("more numbers than a chunk has", () => {
  const of = new Chunks(Uint32Array);
  expect(of.gathered()).toEqual(new Uint32Array(0));
  for (let i = 0; i < MANY; i++) of.push(i);
  expect(of.length).toBe(MANY);
  for (const place of [0, 2 ** 20 - 1, 2 ** 20, MANY - 1]) expect(of.at(place)).toBe(place);
  expect(
    Buffer.from(of.gathered().buffer).equals(
      Buffer.from(Uint32Array.from({ length: MANY }, (_, i) => i).buffer),
    ),
  ).toBe(true);
});

test("values of several chunks find their features", () => {
  const rows = new SparseRows();
  // Two documents have all features, one has every third.
  for (const step of [1, 3, 1]) {
    rows.begin();
    for (let index = 0; index < MANY / 2; index += step) rows.push(2 * index, index + step);
  }
  const features = rows.features();
  expect(features.length).toBe(Math.ceil(MANY / 2));
  for (const feature of [0, 1, 2, 3, 300_000, features.length - 1]) {
    const third = feature % 3 === 0;
    expect(features.at(feature)).toEqual({
      index: 2 * feature,
      documents: Uint32Array.from(third ? [0, 1, 2] : [0, 2]),
      values: Float64Array.from(third ? [feature + 1, feature + 3, feature + 1] : [feature + 1, feature + 1]),
    });
  }
});

test("three quarters of the memory there is are for values", () => {
  const container = process.constrainedMemory();
  const all = container > 0 ? Math.min(container, totalmem()) : totalmem();
  expect(memoryForValues()).toBe(Math.floor(0.75 * all));
});

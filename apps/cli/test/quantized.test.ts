import { rowBytes } from "@polybin/core";
import { expect, test } from "vitest";
import type { Documents } from "../src/input/libsvm.ts";
import { tablesOf } from "../src/quantized.ts";
import { noise } from "./command.ts";

/** Seven features of 101 documents, more and more of them written down. */
const documents: Documents = {
  name: "x",
  labels: new Float32Array(101),
  features: Array.from({ length: 7 }, (_, f) => {
    const which = Uint32Array.from({ length: 101 }, (_, d) => d).filter((d) => d % 7 <= f);
    return { index: 3 * f, documents: which, values: Float64Array.from(noise(which.length, f + 1)) };
  }),
};

test.for([
  [9, "u4"],
  [100, "u8"],
  [1000, "u16"],
] as const)("features in tables of few bytes are those of one table: %i bins, %s", ([bins, type]) => {
  const [whole, ...more] = tablesOf(documents, bins);
  expect(more).toEqual([]);
  expect(whole!.features.map(({ index }) => index)).toEqual([0, 3, 6, 9, 12, 15, 18]);
  const row = rowBytes(type, 101);
  const bytesOf = ({ values }: { values: ArrayBufferView }) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  for (const [tableBytes, sizes] of [
    [3 * row, [3, 3, 1]],
    [4 * row - 1, [3, 3, 1]],
    [1, [1, 1, 1, 1, 1, 1, 1]],
  ] as const) {
    const parts = [...tablesOf(documents, bins, tableBytes)];
    expect(parts.map(({ init }) => init.features)).toEqual(sizes);
    expect(parts.flatMap(({ features }) => features)).toEqual(whole!.features);
    expect(parts.flatMap(({ init }) => init.bins as number[])).toEqual(whole!.init.bins);
    expect(Buffer.concat(parts.map(({ init }) => bytesOf(init)))).toEqual(bytesOf(whole!.init));
    for (const { init } of parts) expect(init).toMatchObject({ type, documents: 101 });
  }
});

test("a table has no more bins than weights are added up over in one call", () => {
  const feature = { index: 0, documents: Uint32Array.of(0), values: Float64Array.of(1) };
  const many = { name: "x", labels: new Float32Array(1), features: Array(2049).fill(feature) };
  const sizes = [...tablesOf(many, 65_536)].map(({ features }) => features.length);
  expect(sizes).toEqual([2048, 1]);
});

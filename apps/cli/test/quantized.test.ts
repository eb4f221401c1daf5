import { limits, rowBytes } from "@polybin/core/backend";
import { expect, test } from "vitest";
import type { Source } from "../src/input/source.ts";
import { type Documents, readLibsvm } from "../src/weighted/input/libsvm.ts";
import { tablesOf } from "../src/weighted/quantized.ts";
import { noise } from "./command.ts";

/** Seven features of 101 documents, more and more of them written down. */
const lines = Array.from({ length: 101 }, (_, d) => {
  const pairs = [0, 1, 2, 3, 4, 5, 6]
    .filter((f) => d % 7 <= f)
    .map((f) => `${3 * f}:${noise(101, f + 1)[d]}`);
  return `${d} ${pairs.join(" ")}`;
});

const signal = new AbortController().signal;

/** A file, or a pipe, of text in chunks of a few bytes. */
function source(text: string, isFile = true): Source & { readonly streams: () => number } {
  const bytes = new TextEncoder().encode(text);
  let streams = 0;
  return {
    name: "x",
    path: "x",
    file: isFile ? { path: "x", bytes: bytes.length, check: async () => {} } : null,
    bytesUpTo: async () => bytes.length,
    head: bytes.subarray(0, 32),
    streams: () => streams,
    async *stream() {
      streams += 1;
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    },
  };
}

function read(text: string, memory?: number): Promise<Documents> {
  return readLibsvm(source(text), signal, () => {}, { memory });
}

test.for([
  [9, "u4"],
  [100, "u8"],
  [1000, "u16"],
] as const)("features in tables of few bytes are those of one table: %i bins, %s", async ([bins, type]) => {
  const documents = await read(lines.join("\n"));
  const [whole, ...more] = tablesOf(documents, bins);
  expect(more).toEqual([]);
  expect(whole!.features.map(({ index }) => index)).toEqual([0, 3, 6, 9, 12, 15, 18]);
  const row = rowBytes(type, 101);
  const bytesOf = ({ values }: { values: ArrayBufferView }) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  for (const [tableBytes, tableFeatures, sizes] of [
    [3 * row, 100, [3, 3, 1]],
    [4 * row - 1, 100, [3, 3, 1]],
    [1, 100, [1, 1, 1, 1, 1, 1, 1]],
    [4 * row - 1, 2, [2, 2, 2, 1]],
    [100 * row, 6, [6, 1]],
  ] as const) {
    const parts = [...tablesOf(documents, bins, tableBytes, tableFeatures)];
    expect(parts.map(({ init }) => init.features)).toEqual(sizes);
    expect(parts.flatMap(({ features }) => features)).toEqual(whole!.features);
    expect(parts.flatMap(({ init }) => init.bins as number[])).toEqual(whole!.init.bins);
    expect(Buffer.concat(parts.map(({ init }) => bytesOf(init)))).toEqual(bytesOf(whole!.init));
    for (const { init } of parts) expect(init).toMatchObject({ type, documents: 101, keepCounts: false });
  }
});

test("tables have 4,096 features at the most", async () => {
  const pairs = Array.from({ length: 4097 }, (_, f) => `${f}:1`);
  const sizes = [...tablesOf(await read(`1 ${pairs.join(" ")}`), 4)].map(({ init }) => init.features);
  expect(sizes).toEqual([4096, 1]);
});

test("a value takes 12 bytes of memory and a feature 8, whatever their indices", async () => {
  const { features } = await read("1 7:1 9:2 4294967295:3\n2 9:4\n3\n4 8:5 9:6");
  expect(features.bytes).toBe(12 * 6 + 8 * 4 + 4);
  expect(Array.from({ length: features.length }, (_, i) => features.at(i))).toEqual([
    { index: 7, documents: Uint32Array.of(0), values: Float64Array.of(1) },
    { index: 8, documents: Uint32Array.of(3), values: Float64Array.of(5) },
    { index: 9, documents: Uint32Array.of(0, 1, 3), values: Float64Array.of(2, 4, 6) },
    { index: limits.U32_MAX, documents: Uint32Array.of(0), values: Float64Array.of(3) },
  ]);
});

test("as many values and documents as fit are read, 36 bytes each; more are refused before any is kept", async () => {
  const text = "# 1:1 2:2\n\n1 qid:7 3:4 5:6 # 7:8\n  \n2 3:4\n3 # nothing";
  const entries = 3 + 3;
  const fits = await readLibsvm(source(text), signal, () => {}, { memory: 36 * entries });
  expect(fits).toMatchObject({ labels: Float32Array.of(1, 2, 3), features: { length: 2, values: 3 } });
  for (const isFile of [true, false]) {
    const from = source(text, isFile);
    await expect(readLibsvm(from, signal, () => {}, { memory: 36 * entries - 1 })).rejects.toMatchObject({
      code: "ERR_LIMIT",
      message: expect.stringMatching(
        /^expected at most 5 values and documents, 36 bytes each .* x has more; /,
      ),
    });
    expect(from.streams()).toBe(1);
  }
  // What is wrong in a file that is too large is not looked at.
  await expect(read(`1 1:2\nwrong ${"1:2 ".repeat(9)}`, 100)).rejects.toMatchObject({ code: "ERR_LIMIT" });
  // What surely fits is gone through once.
  const small = source(text);
  await readLibsvm(small, signal, () => {});
  expect(small.streams()).toBe(1);
});

test("a table has no more bins than weights are added up over in one call", async () => {
  const pairs = Array.from({ length: 2049 }, (_, f) => `${f}:1`);
  const sizes = [...tablesOf(await read(`1 ${pairs.join(" ")}`), 65_536)].map(({ init }) => init.features);
  expect(sizes).toEqual([2048, 1]);
});

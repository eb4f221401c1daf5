import { readFileSync } from "node:fs";
import { integer, isPolybinError, regular, type SampleType, variable } from "@polybin/core";
import {
  arrayOver,
  codeOfValue,
  edgesOf,
  type Lowering,
  lower,
  type OrderedAxis,
  SAMPLE_TRAITS,
  type SampleArray,
} from "@polybin/core/backend";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelOf } from "../src/kernels/index.ts";
import { setupOf } from "../src/kernels/lib/rows/setup.ts";
import { instantiate } from "../src/platform/index.ts";

const module = new WebAssembly.Module(readFileSync(new URL("../dist/kernels.wasm", import.meta.url)));
const wasm = instantiate(module);
const fused = kernelOf({ algorithm: "per-lane" }).fused!;

/** NaN, underflow, the bins and overflow, as the kernel counts them. */
function counted(lowering: Lowering, array: SampleArray): number[] {
  const setup = fused.setup(lowering);
  fused.load(wasm, setup);
  fused.begin(wasm, setup);
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  // Odd addresses must work as well.
  const at = wasm.chunk + (bytes.length % 7);
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
  fused.count(wasm, setup, at, array.length);
  fused.finish(wasm);
  return [...wasm.sums.subarray(0, lowering.bins + 3)];
}

/** The same counts from the definition. */
function defined(axis: OrderedAxis, type: SampleType, array: SampleArray): number[] {
  const edges = edgesOf(axis, type);
  const rows = new Array<number>(axis.bins + 3).fill(0);
  for (const value of array) {
    const code = codeOfValue(axis, edges, value);
    const row = code < axis.bins ? code + 2 : [1, axis.bins + 2, 0][code - axis.bins]!;
    rows[row]! += 1;
  }
  return rows;
}

const TYPES = ["u16", "i16", "u32", "i32", "f32", "f64"] as const;

/** Edges, their neighbours among the type's values, random bits, and a few values that are often wrong. */
function samplesOf(type: SampleType, edges: ArrayLike<number>, seed: number, count: number): SampleArray {
  const { bytes } = SAMPLE_TRAITS[type];
  const raw = new Uint8Array(count * bytes);
  const array = arrayOver(type, raw);
  let state = seed | 1;
  const random = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const special = [0, -0, Number.NaN, Infinity, -Infinity, 1e-310, -1e-44, 2 ** 31, -(2 ** 31), 2 ** 32 - 1];
  const [first, end] = [edges[0]!, edges[edges.length - 1]!];
  for (let i = 0; i < count; i++) {
    const kind = random(8);
    if (kind < 3) array[i] = edges[random(edges.length)]!;
    else if (kind < 5) array[i] = first + (end - first) * (random(1400) / 1000 - 0.2);
    else if (kind === 5) array[i] = special[random(special.length)]!;
    else for (let byte = 0; byte < bytes; byte++) raw[i * bytes + byte] = random(256);
    if (random(3) === 0) raw[i * bytes]! += random(2) * 2 - 1;
  }
  return array;
}

function check(axis: OrderedAxis, type: SampleType, seed: number, count: number): string | null {
  let lowering: Lowering;
  try {
    lowering = lower(axis, type);
  } catch (error) {
    // Edges that coincide in the samples' precision.
    if (isPolybinError(error) && error.code === "ERR_AXIS") return null;
    throw error;
  }
  if (lowering.kind === "constant") return null;
  const array = samplesOf(type, edgesOf(axis, type), seed, count);
  expect(counted(lowering, array)).toEqual(defined(axis, type, array));
  return setupOf(lowering).kernel;
}

const bins = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(1, 2, 255, 256, 257, 1024, 1025, 4096),
);
const number = fc.oneof(
  fc.integer({ min: -70_000, max: 70_000 }),
  fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e9, max: 1e9 }),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
);
const axes = fc.oneof(
  fc.tuple(bins, number, number).map(
    ([count, a, b]) =>
      () =>
        regular(count, Math.min(a, b), Math.max(a, b)),
  ),
  fc.tuple(bins, fc.integer({ min: -(2 ** 31), max: 2 ** 32 })).map(
    ([count, start]) =>
      () =>
        integer(start, start + count),
  ),
  fc.array(number, { minLength: 2, maxLength: 60 }).map((edges) => () => {
    return variable([...new Set(edges.map((edge) => edge + 0))].sort((a, b) => a - b));
  }),
);

describe("samples are counted where they lie exactly as the axis says", () => {
  for (const type of TYPES) {
    it(`${type}, over any axis`, () => {
      fc.assert(
        fc.property(axes, fc.integer({ min: 1 }), fc.integer({ min: 1, max: 600 }), (make, seed, count) => {
          let axis: OrderedAxis;
          try {
            axis = make();
          } catch (error) {
            if (isPolybinError(error) && error.code === "ERR_AXIS") return;
            throw error;
          }
          check(axis, type, seed, count);
        }),
        { seed: Number(process.env.POLYBIN_SEED ?? 1), numRuns: 150 * Number(process.env.POLYBIN_RUNS ?? 1) },
      );
    });
  }

  const squares = variable(Float64Array.from({ length: 257 }, (_, i) => (i / 256) ** 2));
  const octaves = variable(Float64Array.from({ length: 40 }, (_, i) => 2 ** (i - 20)));
  // All samples fall into one cell, whatever the cells are.
  const crowded = variable([-1e30, ...Array.from({ length: 900 }, (_, i) => 1 + i * 2 ** -40), 1e30]);
  it.each([
    ["f32", regular(256, 0, 1), "exact_f32"],
    ["f64", regular(256, 0, 1), "exact_f64"],
    ["u32", regular(256, 0, 2 ** 32), "exact_u32"],
    ["i32", regular(1000, -(2 ** 31), 2 ** 31), "exact_i32"],
    ["f32", regular(100, 0, 1), "nearest_f32"],
    ["f64", regular(100, -3, 3), "nearest_f64"],
    ["f64", regular(65_536, 0.1, 0.7), "nearest_f64"],
    ["u16", regular(100, 0.5, 700), "table_16"],
    ["i16", regular(65_536, -1000, 1000), "table_32"],
    ["u16", integer(0, 65_536), "direct_u16"],
    ["i16", integer(-32_768, 32_768), "direct_i16"],
    ["u32", integer(2 ** 32 - 50, 2 ** 32), "direct_u32"],
    ["i32", integer(-(2 ** 31), -(2 ** 31) + 9), "direct_i32"],
    ["f32", squares, "line_f32"],
    ["f64", squares, "line_f64"],
    ["u32", variable([0, 1, 2, 3.5, 9]), "line_u32"],
    ["i32", variable([-9, 0.5, 3.5, 9]), "line_i32"],
    ["f32", octaves, "keys_f32"],
    ["f64", octaves, "keys_f64"],
    ["u32", octaves, "keys_u32"],
    ["i32", variable([-(2 ** 30), -1, 0, 1, 2, 3, 2 ** 31 - 1]), "keys_i32"],
    ["f64", crowded, "line_f64"],
    // Edges that are further apart than the largest float.
    ["f32", regular(64, -(2 ** 127), 2 ** 127), "keys_f32"],
    ["f64", regular(64, -Number.MAX_VALUE / 2, Number.MAX_VALUE / 2), "keys_f64"],
    // Bins whose width has no inverse, and edges at the ends of the float range.
    ["f64", regular(3, 0, 2 ** -1070), "keys_f64"],
    ["f32", variable([-3.4028234663852886e38, 0, 3.4028234663852886e38]), "keys_f32"],
    ["f64", variable([-Number.MAX_VALUE, 0, Number.MAX_VALUE]), "keys_f64"],
  ] as const)("%s over %o: %s", (type, axis, kernel) => {
    expect([1, 2, 3, 4, 5].map((i) => check(axis, type, i * 77, 4000 + i))).toEqual(
      new Array(5).fill(kernel),
    );
  });

  it("forgets a job that was not finished", () => {
    const setup = fused.setup(lower(regular(9, 0, 1), "f32"));
    fused.load(wasm, setup);
    fused.begin(wasm, setup);
    fused.count(wasm, setup, wasm.chunk, 100);
    fused.clear(wasm);
    expect(counted(lower(regular(9, 0, 1), "f32"), new Float32Array(0))).toEqual(new Array(12).fill(0));
  });
});

import { cpu, type Engine, integer, openEngine, regular, type SampleType, variable } from "@polybin/core";
import type { OrderedAxis } from "@polybin/core/backend";
import { afterAll, beforeAll, expect, it } from "vitest";
import { absence, backend } from "./shared.ts";

// The ways from a sample to its row in per-lane: the computation of the guesses, and the selection of channels.

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

let right: Engine;
let engine: Engine;
beforeAll(async () => {
  right = await openEngine({ backend: cpu() });
  if (reason === null) engine = await openEngine({ backend: backend() });
});
afterAll(async () => {
  await engine?.close();
  await right.close();
});

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
};
type Type = keyof typeof ARRAYS & SampleType;

const WRONG = [
  Number.NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  5e-324,
  -5e-324,
  1e-40,
  -1e-40,
  3.4e38,
  -3.4e38,
  1e300,
  -1e300,
];

function edgesOf(axis: OrderedAxis): readonly number[] {
  if (axis.type === "variable") return axis.edges;
  const [lo, hi] = axis.type === "integer" ? [axis.start, axis.stop] : [axis.lo, axis.hi];
  return Array.from({ length: axis.bins + 1 }, (_, i) => lo + (i * (hi - lo)) / axis.bins);
}

/** Samples around the edges, and special floats. */
function samplesOf(type: Type, axis: OrderedAxis, length = 3001) {
  const edges = edgesOf(axis);
  const array = new ARRAYS[type](length);
  const isFloat = type === "f32" || type === "f64";
  for (let i = 0; i < length; i++) {
    const edge = edges[(i * 7) % edges.length]!;
    const by = isFloat ? (i % 5) * 2 ** (type === "f32" ? -24 : -52) * Math.abs(edge || 1) : i % 3;
    array[i] = i % 11 === 0 && isFloat ? WRONG[(i / 11) % WRONG.length]! : i % 2 ? edge + by : edge - by;
  }
  return array;
}

const AXES: readonly (readonly [name: string, type: Type, axis: OrderedAxis])[] = [
  ["one product", "u16", regular(1024, 0, 65_536)],
  ["a product of two words", "u16", regular(1000, 100, 60_000)],
  ["negative integers", "i16", regular(700, -20_000, 20_000)],
  ["coarse bins", "u16", regular(16, 3, 500)],
  ["a line", "f32", regular(256, 0, 1)],
  ["a line on both sides of zero", "f32", regular(200, -1, 3)],
  ["a line with starts", "f32", variable(Array.from({ length: 60 }, (_, i) => (i / 50) ** 2))],
  ["magnitudes", "f32", variable(Array.from({ length: 65 }, (_, i) => 2 ** (-20 + i / 3)))],
  ["few halvings", "f32", variable([-7, -6.5, 0, 1e-3, 5, 5.25, 5.5, 60_000])],
  ["the largest integer", "u32", regular(100, 0, 2 ** 32)],
  ["doubles on a line", "f64", regular(256, 0, 1)],
  ["doubles below zero", "f64", regular(300, -2, -1)],
  ["doubles whose high words are one", "f64", regular(64, 1, 1 + 2 ** -30)],
  ["doubles of any size", "f64", variable([-1e200, -5, -1e-200, 0, 1e-310, 1, 7, 1e250])],
];

for (const [name, type, axis] of AXES) {
  needsDevice(`${type}, ${name}`, async () => {
    const samples = samplesOf(type, axis);
    // Short and long inputs have different numbers of replicas.
    const found = await engine.histogram(samples, { axis, algorithm: "per-lane" });
    const wanted = await right.histogram(samples, { axis });
    expect(found.counts).toEqual(wanted.counts);
    for (const flow of ["underflow", "overflow", "nan"] as const) expect(found[flow]).toBe(wanted[flow]);
  });
}

needsDevice("channels of pixels, whole and parts, whatever a vector begins with", async () => {
  for (const [type, channels, which] of [
    ["u8", 4, [0, 1, 2]],
    ["u8", 4, [3, 1]],
    ["u8", 3, [0, 1, 2]],
    ["u8", 2, [1]],
    ["u16", 4, [2, 0]],
    ["f32", 3, [1, 2]],
    ["f64", 4, [3, 0]],
    ["f64", 2, [0, 1]],
  ] as const) {
    const axis = type === "u8" ? integer(0, 256) : regular(50, 0, type === "u16" ? 60_000 : 1);
    const data = samplesOf(type, axis, channels * 1001);
    const options = { axis, channels: which, algorithm: "per-lane" as const };
    const found = await engine.histograms({ data, channels }, options);
    const wanted = await right.histograms({ data, channels }, { axis, channels: which });
    expect(
      found.map(({ counts }) => counts),
      `${type} ${channels}`,
    ).toEqual(wanted.map(({ counts }) => counts));
    expect(found.map(({ nan }) => nan)).toEqual(wanted.map(({ nan }) => nan));
  }
});

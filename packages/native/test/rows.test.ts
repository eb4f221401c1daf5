import { createRequire } from "node:module";
import { integer, regular, type SampleType, variable } from "@polybin/core";
import {
  arrayOver,
  limits,
  lower,
  lowerInto,
  type OrderedAxis,
  planOrReason,
  SAMPLE_TRAITS,
} from "@polybin/core/backend";
import { native } from "@polybin/native";
import { beforeEach, expect, it, type TestContext } from "vitest";
import type { Native } from "../src/border/index.ts";
import { kernels } from "../src/kernels/index.ts";
import { deviceLimits } from "../src/platform/index.ts";
import { nativeJob } from "../src/run/prepare.ts";

const probe = await native().probe();

beforeEach((test: TestContext) => {
  if (!probe.available) test.skip(probe.reason);
});

/** The sets of instructions by name, in the addon's order. */
const NAMES = ["best", "plain", "avx2", "avx512"];

/** Numbers next to an edge, on it, and everything that is no ordinary number. */
function hard(type: SampleType, axis: OrderedAxis): number[] {
  const edges = lowerEdges(axis).flatMap((edge) => [next(type, edge, -1), edge, next(type, edge, 1)]);
  return [0, -0, Number.NaN, Infinity, -Infinity, 5e-324, -5e-324, 1e-45, -1e-45, 3.4e38, -3.4e38, ...edges];
}

/** The number whose bits are one more or less. */
function next(type: SampleType, of: number, by: 1 | -1): number {
  if (type === "f32") {
    const float = Float32Array.of(of);
    new Int32Array(float.buffer)[0]! += by;
    return float[0]!;
  }
  const double = Float64Array.of(of);
  new BigInt64Array(double.buffer)[0]! += BigInt(by);
  return double[0]!;
}

function lowerEdges(axis: OrderedAxis): number[] {
  if (axis.type === "variable") return [...axis.edges];
  if (axis.type === "integer") return [axis.start, axis.stop];
  const { bins, lo, hi } = axis;
  return Array.from({ length: bins + 1 }, (_, i) => (i === bins ? hi : lo + i * ((hi - lo) / bins)));
}

const AXES: Record<string, OrderedAxis> = {
  "100 even bins": regular(100, 0, 1),
  "a power of two of bins": regular(256, 0, 1),
  "all 16-bit integers": regular(256, 0, 2 ** 16),
  "all signed 16-bit integers": regular(128, -(2 ** 15), 2 ** 15),
  "all 32-bit integers": regular(512, 0, 2 ** 32),
  "all signed 32-bit integers": regular(64, -(2 ** 31), 2 ** 31),
  "even bins around 0": regular(77, -1.5, 0.25),
  "bins that f32 hardly tells apart": regular(10, 1e6, 1e6 + 1),
  "very wide bins": regular(3, -8e307, 8e307),
  "a very wide bin above 16 bits": regular(1, 65_535.000_000_000_01, 9e18),
  "denormal bins": regular(4, 0, 2e-323),
  "even bins of whole numbers": regular(100, 0, 30_000),
  "even bins of a few whole numbers": regular(7, -20, 1),
  "5000 bins": regular(5000, -3, 3),
  "uneven bins": variable([-1e30, -4, -1e-40, 0, 1e-300, 1, 1.0000001, 2, 1e20]),
  "exponential bins": variable(Array.from({ length: 90 }, (_, i) => 1.5 ** (i - 40))),
  "bins up to infinity": variable([-Infinity, 0, 1, Infinity]),
  integers: integer(-5, 300),
};

const CASES: { name: string; axis: OrderedAxis; type: SampleType }[] = [
  ...Object.entries(AXES).flatMap(([name, axis]) =>
    (["u16", "i16", "u32", "i32", "f32", "f64"] as const).map((type) => ({ name, axis, type })),
  ),
  { name: "a bin for each value", axis: integer(0, 65_536), type: "u16" },
  { name: "a bin for each value", axis: integer(-32_768, 32_768), type: "i16" },
];

const TITLE = "finds the rows of $type over $name with every set of instructions";
it.each(CASES)(TITLE, { timeout: 60_000 }, ({ axis, type }) => {
  const addon = createRequire(import.meta.url)("../dist/polybin_native.node") as Native;
  const lowering = safeLowering(axis, type);
  if (lowering === null || lowering.kind === "constant") return;
  const bytes = new Uint8Array(16_008).map((_, i) => (i * 2_654_435_761) >>> (7 + (i % 5)));
  const random = arrayOver(type, bytes);
  const isFloat = !SAMPLE_TRAITS[type].integer;
  const near = isFloat
    ? hard(type, axis)
    : lowerEdges(axis).flatMap((edge) => (Number.isFinite(edge) ? [edge - 1, edge, edge + 1] : []));
  const inside = Array.from({ length: 3000 }, (_, i) => spread(axis, i / 2999));
  // A typed array of integers keeps the low bits of what it is given.
  const samples = new (random.constructor as Float64ArrayConstructor)([...random, ...near, ...inside]);
  const codes = new Uint32Array(samples.length);
  lowerInto(lowering, samples as never, 0, 1, codes);
  const wanted = new Float64Array(lowering.bins + limits.FLOW_ROWS);
  for (const code of codes) wanted[code]! += 1;
  const plan = planOrReason(
    { algorithm: "per-lane", column: { type, lowering }, samples: samples.length, channels: 1 },
    deviceLimits(1),
    kernels.map(({ algorithm }) => algorithm),
  );
  if (typeof plan === "string") throw new Error(plan);
  for (const instructions of NAMES.slice(0, addon.instructions + 1)) {
    const job = { kind: "channels", type, interleaved: 1, channels: [0], axis, lowering, plan } as const;
    const counter = new addon.Counter(...nativeJob(job, 1, { instructions }).packed);
    const found = new Float64Array(lowering.bins);
    const all = new Uint8Array(samples.buffer);
    const told = counter.countSync(all, samples.length, 1, all.byteLength, found);
    const [total, ...flow] = typeof told === "number" ? [told, 0, 0, 0] : told;
    expect([total, ...flow], instructions).toEqual([samples.length, ...wanted.subarray(lowering.bins)]);
    expect(found, instructions).toEqual(wanted.subarray(0, lowering.bins));
  }
});

/** A number of the axis' range, or a little outside. */
function spread(axis: OrderedAxis, share: number): number {
  const edges = lowerEdges(axis).filter(Number.isFinite);
  const [lo, hi] = [edges[0]!, edges.at(-1)!];
  return lo + (hi / 2 - lo / 2) * 2 * (share * 1.1 - 0.05);
}

/** Core refuses regular edges that are equal in the samples' precision. */
function safeLowering(axis: OrderedAxis, type: SampleType): ReturnType<typeof lower> | null {
  try {
    return lower(axis, type);
  } catch {
    return null;
  }
}

import { describeBackend } from "@polybin/conformance";
import type { Backend } from "@polybin/core";
import {
  algorithms,
  type DeviceLimits,
  type GivenParameters,
  limits,
  rowBytes,
  type SumsPlan,
  type ValueType,
  type WeightedInput,
  type WeightedMethod,
  weightedPlan,
  weightedReferences,
} from "@polybin/core/backend";
import { afterAll, describe, expect, it } from "vitest";
import { type Context, packed } from "../src/border/index.ts";
import { CudaDevice } from "../src/device.ts";
import type { SumsKernel } from "../src/kernels/index.ts";
import { NO_SKIP, nativeWeightedPlan } from "../src/run/index.ts";
import { EMULATED, EmulatedContext } from "./emulated/context.ts";
import { emulatedProgram } from "./emulated/program.ts";

// The real weighted kernels, compiled for the host. The tests check their sums and their memory accesses without a GPU.

const found = emulatedProgram();
const program = "program" in found ? found.program : "";

/** One unit, so that one block has all documents and an accumulator takes the maximum number. */
const host: DeviceLimits = {
  kind: "gpu",
  units: 1,
  warp: limits.WARP_THREADS,
  banks: limits.WARP_THREADS,
  sharedBytes: 49_152,
  blockThreads: 1024,
  chunkSamples: limits.U32_MAX,
};

const backend = (): Backend => ({
  id: "emulated",
  algorithms: [algorithms["per-lane"]],
  weighted: EMULATED.map(({ algorithm }) => algorithm),
  probe: async () =>
    "program" in found ? { available: true, device: "the host" } : { available: false, ...found },
  open: async () => new CudaDevice("the host", host, [new EmulatedContext(program) as unknown as Context]),
});

describeBackend(
  backend,
  { describe, it, afterAll },
  {
    filter: ({ topic, name }) =>
      topic === "weighted" && EMULATED.some(({ algorithm }) => name.startsWith(`${algorithm.slug}: `)),
  },
);

/** Parameters that are not divisors, and the limits of their ranges. */
const PARAMETERS: Readonly<Record<string, readonly GivenParameters[]>> = {
  "weighted-collision-free": [
    {},
    { unroll: 1 },
    { unroll: 1, fetch: "value" },
    { unroll: 3, fetch: "value" },
    { unroll: 13 },
    { unroll: limits.UNROLL_MAX },
  ],
  "weighted-collision": [
    { warps: 1, unroll: 3 },
    { warps: 1, unroll: 3, fetch: "value" },
    { warps: 32 },
    { warps: 5, unroll: limits.UNROLL_MAX },
  ],
  "weighted-collision-reduced": [
    { buffer: 1, warps: 32 },
    { buffer: 7, warps: 5 },
    { buffer: 7, warps: 5, fetch: "value" },
    { buffer: 7, warps: 5, reduce: "tables" },
    { buffer: 3, warps: 2, reduce: "tables", fetch: "value" },
    { buffer: limits.BUFFER_MAX, warps: 1 },
  ],
  "weighted-fixed-point": [{}],
};
const SHAPES: readonly { readonly type: ValueType; readonly bins: number }[] = [
  { type: "u4", bins: 3 },
  { type: "u4", bins: limits.NIBBLE_VALUES },
  { type: "u8", bins: 101 },
  { type: "u16", bins: 1201 },
];
/** Several rounds per segment for all parameters. A round of weighted-fixed-point is longer. */
const documentsFor = (slug: string) => (slug === "weighted-fixed-point" ? 60_001 : 9001);

describe.each(EMULATED.map((kernel) => ({ kernel, slug: kernel.algorithm.slug as WeightedMethod })))(
  "$slug beside core's reference",
  ({ kernel, slug }) => {
    for (const precision of ["reproducible", "fast"] as const) {
      if (precision === "fast" && slug === "weighted-fixed-point") continue;
      for (const { type, bins } of SHAPES) {
        it(`${precision}, ${type}, ${bins} bins, flushed as often as can be`, {
          timeout: 60_000,
        }, async (test) => {
          if ("reason" in found) return test.skip(found.reason);
          const documents = documentsFor(slug);
          const plans = PARAMETERS[slug]!.flatMap((parameters) =>
            [
              { counts: true, squares: true },
              { counts: false, squares: false },
            ].map((kept) =>
              flushedOften(
                weightedPlan(
                  slug,
                  {
                    type,
                    bins,
                    features: 2,
                    documents,
                    precision,
                    ...kept,
                    parameters,
                  },
                  // The largest buffers have little room left for bins, so there are several passes.
                  { ...host, units: 3, sharedBytes: 100_000 },
                ),
              ),
            ),
          );
          const list = Uint32Array.from({ length: documents >> 1 }, (_, i) => 2 * i + (i % 7 > 2 ? 1 : 0));
          await compare(kernel, plans, null);
          await compare(kernel, plans, list);
        });
      }
    }
  },
);

/** Flushes after every round if the kernel flushes at all. */
function flushedOften(plan: SumsPlan): SumsPlan {
  if (plan.flushDocuments === null) return plan;
  const { buffer, unroll } = plan.parameters;
  const round = Number(buffer ?? unroll ?? limits.WEIGHTED_UNIT * limits.WEIGHTED_IN_FLIGHT);
  return {
    ...plan,
    flushDocuments: plan.threads * round,
  };
}

const context = new EmulatedContext(program);
afterAll(() => context.close());

/** All plans in one job with two features. The second skips a value. */
async function compare(
  kernel: SumsKernel,
  plans: readonly SumsPlan[],
  list: Uint32Array | null,
): Promise<void> {
  const { type, bins, precision, documents } = plans[0]!;
  const rows = [0, 1].map((feature) =>
    Uint16Array.from({ length: documents }, (_, i) => (i % 3 === feature ? 1 : (i * i + 5 * i) % bins)),
  );
  const control = { stop: new Int32Array(1), done: new BigInt64Array(1) };
  const row = rowBytes(type, documents);
  const table = await context.uploadTable({
    bytes: bytesOf(type, rows, row),
    rowBytes: row,
    control,
  });
  // The largest integers carry and borrow constantly. The floats are eighths, whose sums are exact in any order.
  const most = Math.floor(limits.S32_MAX / limits.WEIGHT_ADDENDS);
  const numbers = Array.from({ length: list?.length ?? documents }, (_, i) =>
    precision === "fast" ? ((i % 15) - 7) / 8 : i % 5 === 0 ? -most : most - (i % 3),
  );
  const weights = precision === "fast" ? Float32Array.from(numbers) : Int32Array.from(numbers);
  const squares = weights.map(Math.abs);
  const skips = [null, 1];
  const { totals } = await context.sums({
    table,
    documents: weights.length,
    weights,
    squares,
    list,
    launches: plans.map((plan) => ({
      algorithm: plan.algorithm,
      plan: nativeWeightedPlan(plan),
      own: packed(kernel.own, kernel.of(plan)),
      rows: Uint32Array.of(0, 1),
      skip: Uint32Array.from(skips, (skip) => skip ?? NO_SKIP),
    })),
    timed: false,
    control,
  });
  await context.free(table);
  let at = 0;
  for (const plan of plans) {
    for (const [feature, values] of rows.entries()) {
      const input: WeightedInput = {
        values: list === null ? values : Uint16Array.from(list, (document) => values[document]!),
        weights,
        squares: plan.squares ? squares : null,
        bins,
        skip: skips[feature]!,
      };
      const expected = weightedReferences[kernel.algorithm.slug as WeightedMethod](input, plan);
      for (const kind of ["counts", "sums", "squares"] as const) {
        const numbers = expected[kind];
        if (numbers === null) continue;
        const name = `${kind} of feature ${feature}, ${JSON.stringify(plan)}`;
        expect(totals.subarray(at, at + bins), name).toEqual(numbers);
        at += bins;
      }
    }
  }
  expect(at).toBe(totals.length);
}

/** Rows in a table's layout: an odd document of a half byte is in the upper half. */
function bytesOf(type: ValueType, rows: readonly Uint16Array[], row: number): Uint8Array {
  const bytes = new Uint8Array(rows.length * row);
  for (const [feature, values] of rows.entries()) {
    const own = bytes.subarray(feature * row, (feature + 1) * row);
    if (type === "u16") own.set(new Uint8Array(values.buffer));
    else if (type === "u8") own.set(values);
    else for (const [i, value] of values.entries()) own[i >>> 1]! |= value << (4 * (i & 1));
  }
  return bytes;
}

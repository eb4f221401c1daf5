import { describe, expect, it } from "vitest";
import { weightedPlan, weightedPlanOrReason } from "../src/algorithms/choice/weighted-planning.ts";
import { selectWeightedPlan } from "../src/algorithms/choice/weighted-select.ts";
import { type WeightedMethod, weightedAlgorithms } from "../src/algorithms/generated/registry.ts";
import { weightedReferences } from "../src/algorithms/generated/weighted-references.ts";
import { Accumulators } from "../src/algorithms/lib/accumulators.ts";
import { choicesOf, describeChoice, type HybridChoice } from "../src/algorithms/lib/hybrid-choice.ts";
import { FAST_ADDENDS, WORKER_WEIGHTED_DOCUMENTS } from "../src/algorithms/lib/limits.ts";
import { algorithm as weightedHybrid } from "../src/algorithms/weighted-hybrid.ts";
import type { DeviceLimits } from "../src/base/device.ts";
import { describePlan } from "../src/plan/index.ts";
import type { GivenParameters } from "../src/plan/parameters.ts";
import type { WeightedInput } from "../src/plan/weighted-algorithm.ts";
import type { SumsPlan, WeightedRequest } from "../src/plan/weighted-launch.ts";
import { FAST_TOLERANCE, S32_MAX, WEIGHT_ADDENDS } from "../src/weights/limits.ts";
import { scaledWeights } from "../src/weights/scale.ts";
import { largestInteger } from "../src/weights/weights.ts";
import { errorOf, expectError, gpu, random, workers } from "./helpers.ts";

const METHODS = Object.keys(weightedAlgorithms) as WeightedMethod[];
const cpu = gpu({ kind: "cpu", units: 2 });
/** A device as large as an H200, as far as plans know it. */
const h200 = gpu({
  units: 132,
  sharedBytes: 227 * 1024,
  unit: { threads: 2048, blocks: 32, sharedBytes: 228 * 1024, reservedBytes: 1024 },
});

function request(bins: number, documents: number, changes: Partial<WeightedRequest> = {}): WeightedRequest {
  return {
    type: "u16",
    bins,
    documents,
    features: 1,
    precision: "reproducible",
    counts: true,
    squares: false,
    ...changes,
  };
}

/** Values, weights as integers, and what must come of them, in integers without any bound. */
function problem(bins: number, documents: number, changes: Partial<WeightedInput> = {}, seed = 1) {
  const next = random(seed);
  const values = Uint16Array.from({ length: documents }, () => Math.floor(next() ** 2 * bins));
  const floats = Float32Array.from({ length: documents }, () => (next() - 0.3) * 100);
  const weights = scaledWeights(floats, "reproducible", 1).values;
  const squares = scaledWeights(floats, "reproducible", 2).values;
  const input: WeightedInput = { values, weights, squares, bins, skip: null, ...changes };
  return { input, want: exactly(input) };
}

function exactly({ values, weights, squares, bins, skip }: WeightedInput) {
  const counts = new Array<bigint>(bins).fill(0n);
  const [sums, squared] = [[...counts], [...counts]];
  values.forEach((value, i) => {
    if (value === skip) return;
    counts[value]! += 1n;
    sums[value]! += BigInt(weights[i]!);
    if (squares !== null) squared[value]! += BigInt(squares[i]!);
  });
  return { counts, sums, squares: squares === null ? null : squared };
}

const big = (of: Float64Array | null) => of && Array.from(of, BigInt);

function expectExact(input: WeightedInput, plan: SumsPlan, want = exactly(input)) {
  const got = weightedReferences[plan.algorithm as WeightedMethod](input, plan);
  expect(big(got.counts)).toEqual(plan.counts ? want.counts : null);
  expect(big(got.sums)).toEqual(want.sums);
  expect(big(got.squares)).toEqual(want.squares);
}

/** Devices on which a plan is something else: segments, passes, few lanes, workers. */
const DEVICES: readonly (readonly [name: string, limits: DeviceLimits])[] = [
  ["the simulated machine", cpu],
  ["a large GPU", h200],
  ["a GPU of little shared memory", gpu({ sharedBytes: 12_000 })],
  ["a GPU of small blocks", gpu({ sharedBytes: 16_384, blockThreads: 64 })],
  ["workers", workers()],
];

describe.each(METHODS)("%s", (method) => {
  it.each(DEVICES)("adds integers up exactly on %s", (_, limits) => {
    for (const [bins, documents] of [
      [2, 1],
      [7, 31],
      [16, 4097],
      [256, 3001],
      [1023, 2500],
    ] as const) {
      for (const squares of [false, true]) {
        const of = problem(bins, documents, squares ? {} : { squares: null });
        const found = weightedPlanOrReason(method, request(bins, documents, { squares }), limits);
        if (typeof found === "string") expect(found).toContain(method);
        else expectExact(of.input, found, of.want);
      }
    }
  });

  it("skips a value", () => {
    const { input } = problem(40, 2000, { skip: 0 });
    const plan = weightedPlan(method, request(40, 2000, { squares: true }), cpu);
    expectExact(input, plan);
    expect(weightedReferences[method](input, plan).counts![0]).toBe(0);
  });

  it.each(DEVICES)("adds only sums on %s, in no more memory", (_, limits) => {
    for (const squares of [false, true]) {
      const { input, want } = problem(200, 3001, squares ? {} : { squares: null });
      const plans = [true, false].map((counts) =>
        weightedPlanOrReason(method, request(200, 3001, { counts, squares }), limits),
      );
      const [counted, alone] = plans;
      if (typeof counted === "string" || typeof alone === "string") {
        expect(typeof counted).toBe(typeof alone);
        continue;
      }
      expectExact(input, alone!, want);
      const bytesOf = ({ sharedBytes, replicas, featuresPerBlock, binsPerPass }: SumsPlan) =>
        sharedBytes / (replicas * featuresPerBlock * binsPerPass);
      expect(bytesOf(alone!)).toBeLessThanOrEqual(bytesOf(counted!));
    }
  });

  it("reaches 65,536 bins", () => {
    const { input, want } = problem(65_536, 300);
    expectExact(
      input,
      weightedPlan(
        method,
        request(65_536, 300, { squares: true }),
        method === "weighted-sequential" ? cpu : h200,
      ),
      want,
    );
  });

  it("never overflows, not even when every weight is the largest and every document in one bin", () => {
    const documents = 5 * WEIGHT_ADDENDS + 3;
    const most = largestInteger(documents);
    for (const sign of [1, -1]) {
      const values = new Uint16Array(documents).fill(3);
      const weights = new Int32Array(documents).fill(sign * most);
      const input = { values, weights, squares: weights, bins: 5, skip: null };
      for (const [, limits] of DEVICES.slice(0, method === "weighted-sequential" ? 1 : 5)) {
        expectExact(input, weightedPlan(method, request(5, documents, { squares: true }), limits));
      }
    }
  });

  it("adds floats within the tolerance, or refuses them", () => {
    const documents = 2 * FAST_ADDENDS + 77;
    const next = random(9);
    const values = Uint16Array.from({ length: documents }, () =>
      next() < 0.7 ? 0 : Math.floor(next() * 50),
    );
    const floats = Float32Array.from({ length: documents }, (_, i) => (i === 70 ? 3e5 : next()));
    const { values: weights } = scaledWeights(floats, "fast", 1);
    const found = weightedPlanOrReason(method, request(50, documents, { precision: "fast" }), cpu);
    if (typeof found === "string") {
      expect(method).toBe("weighted-fixed-point");
      expect(found).toMatch(/adds integers/);
      return;
    }
    const got = weightedReferences[method]({ values, weights, squares: null, bins: 50, skip: null }, found);
    const want = new Float64Array(50);
    for (const [i, value] of values.entries()) want[value]! += weights[i]!;
    got.sums.forEach((sum, bin) => {
      expect(Math.abs(sum - want[bin]!)).toBeLessThanOrEqual(want[bin]! * FAST_TOLERANCE);
    });
  });

  it("has a title and a source", () => {
    const { slug, title, source } = weightedAlgorithms[method];
    expect(slug).toBe(method);
    expect(title.length).toBeGreaterThan(10);
    expect(source).toMatch(/Xu et al\.|polybin/);
  });
});

describe("an accumulator that is too narrow is found", () => {
  const documents = 3 * WEIGHT_ADDENDS * 32;
  const most = largestInteger(documents);
  const input: WeightedInput = {
    values: new Uint16Array(documents),
    weights: new Int32Array(documents).fill(most),
    squares: null,
    bins: 4,
    skip: null,
  };

  it.each(["weighted-collision-free", "weighted-fixed-point"] as const)("%s, flushed too late", (method) => {
    const limits = gpu({ units: 1, sharedBytes: 2048, blockThreads: 32 });
    const plan = weightedPlan(method, request(4, documents, { counts: false }), limits);
    expectExact(input, plan);
    expect(plan.flushDocuments! / plan.replicas).toBe(WEIGHT_ADDENDS);
    const late = { ...plan, flushDocuments: plan.flushDocuments! + 16 * plan.threads };
    const error = errorOf(() => weightedReferences[method](input, late));
    expect(error).toMatchObject({ code: "ERR_LIMIT" });
  });

  it("a counter that shares its word with a sum's upper bits", () => {
    const limits = gpu({ units: 1, sharedBytes: 65_536 });
    const plan = weightedPlan("weighted-fixed-point", request(4, documents), limits);
    expect(plan).toMatchObject({ counterBits: 14, sumBits: 50, replicas: 16, flushDocuments: 261_632 });
    // Twice so many documents give every replica twice what its counter holds.
    const many = 2 * plan.flushDocuments!;
    for (const weight of [most, -most, 0, -1]) {
      const full = { ...input, values: new Uint16Array(many), weights: new Int32Array(many).fill(weight) };
      expectExact(full, { ...plan, segmentDocuments: many });
      const late = { ...plan, segmentDocuments: many, flushDocuments: many };
      expect(errorOf(() => weightedReferences["weighted-fixed-point"](full, late))).toMatchObject({
        code: "ERR_LIMIT",
      });
    }
    // Of few documents weights are larger.
    const few = { ...input, values: new Uint16Array(3), weights: Int32Array.of(S32_MAX, -S32_MAX, -S32_MAX) };
    expectExact(few, plan);
  });

  it("weights that are scaled for fewer documents", () => {
    const alone = request(4, documents, { counts: false });
    const plan = weightedPlan("weighted-fixed-point", alone, gpu({ units: 1 }));
    const weights = new Int32Array(documents).fill(2 * most + 2);
    expectError(() => weightedReferences["weighted-fixed-point"]({ ...input, weights }, plan), "ERR_LIMIT");
  });

  it("a 16-bit counter", () => {
    const narrow = new Accumulators(1, {
      counterBits: 16,
      sumBits: 32,
      precision: "fast",
      counts: true,
      squares: false,
    });
    narrow.add(0, 0, 0, 65_535);
    expectError(() => narrow.add(0, 0, 0), "ERR_LIMIT", "counter");
  });

  it("the 18 bits of a 50-bit sum that share a word with a counter", () => {
    // Each amount adds 8,191 to them, or -8,192: within 131,071 that is 16 times, or 15 times.
    for (const [amount, times] of [
      [S32_MAX, 16],
      [-S32_MAX, 15],
    ] as const) {
      const split = new Accumulators(1, {
        counterBits: 14,
        sumBits: 50,
        precision: "reproducible",
        counts: true,
        squares: false,
      });
      for (let i = 0; i < times; i++) split.add(0, amount, 0);
      expectError(() => split.add(0, amount, 0), "ERR_LIMIT", "a 50-bit sum would overflow");
    }
  });

  it("but two words carry at exactly 2^32, and borrow only below zero", () => {
    const sumOf = (...amounts: readonly number[]) => {
      const pair = new Accumulators(1, {
        counterBits: 32,
        sumBits: 64,
        precision: "reproducible",
        counts: true,
        squares: false,
      });
      for (const amount of amounts) pair.add(0, amount, 0);
      const totals = { counts: new Float64Array(1), sums: new Float64Array(1), squares: null };
      pair.flushInto(totals, () => 0);
      return totals.sums[0];
    };
    expect(sumOf(7, -7)).toBe(0);
    expect(sumOf(-7, 7)).toBe(0);
    expect(sumOf(0)).toBe(0);
    expect(sumOf(S32_MAX, S32_MAX, 1)).toBe(2 ** 32 - 1);
    expect(sumOf(S32_MAX, S32_MAX, 2)).toBe(2 ** 32);
    expect(sumOf(-S32_MAX, -S32_MAX, -2, -1)).toBe(-(2 ** 32) - 1);
  });

  it("and through every sign", () => {
    const pair = new Accumulators(1, {
      counterBits: 32,
      sumBits: 64,
      precision: "reproducible",
      counts: true,
      squares: true,
    });
    const next = random(4);
    let want = 0n;
    for (let i = 0; i < 20_000; i++) {
      const amount = Math.trunc((next() - (i < 10_000 ? 0.4 : 0.6)) * 2 * S32_MAX);
      want += BigInt(amount);
      pair.add(0, amount, -amount);
    }
    const totals = { counts: new Float64Array(1), sums: new Float64Array(1), squares: new Float64Array(1) };
    pair.flushInto(totals, () => 0);
    expect(BigInt(totals.sums[0]!)).toBe(want);
    expect(BigInt(totals.squares[0]!)).toBe(-want);
    expect(totals.counts[0]).toBe(20_000);
  });
});

describe("plans", () => {
  it("name known methods only", () => {
    for (const method of ["weighted", "toString", "auto", ""]) {
      expectError(
        () => weightedPlanOrReason(method, request(4, 100), gpu()),
        "ERR_UNSUPPORTED",
        `${method} is not the name of a weighted algorithm`,
      );
    }
  });

  const printed = (method: WeightedMethod, bins: number, limits: DeviceLimits, changes = {}) =>
    describePlan(weightedPlan(method, request(bins, 100_000, { features: 1000, ...changes }), limits));

  it("are Table 5's, for few bins", () => {
    const unrolls = (changes: Partial<WeightedRequest>) =>
      [2, 4, 8, 16, 32, 64, 128].map(
        (bins) =>
          weightedPlan("weighted-collision-free", request(bins, 100_000, changes), gpu()).parameters.unroll,
      );
    expect(unrolls({ parameters: { fetch: "value" } })).toEqual([1, 2, 4, 16, 16, 16, 16]);
    // A word of half bytes has eight documents.
    expect(unrolls({ type: "u4" })).toEqual([8, 8, 8, 16, 16, 16, 16]);
    for (const [bins, bytes] of [
      [2, 384],
      [4, 768],
      [8, 1536],
      [16, 3072],
      [32, 6144],
      [64, 12_288],
      [128, 24_576],
    ] as const) {
      const { sharedBytes, threads } = weightedPlan("weighted-collision-free", request(bins, 100_000), gpu());
      expect(sharedBytes / (threads / 32)).toBe(bytes);
    }
  });

  it("are Table 6's, for many bins", () => {
    const row = (bins: number) => {
      const values = { parameters: { fetch: "value" } };
      const reduced = weightedPlan("weighted-collision-reduced", request(bins, 100_000, values), gpu());
      const { warps } = weightedPlan("weighted-collision", request(bins, 100_000), gpu()).parameters;
      return [reduced.parameters.warps, reduced.parameters.buffer, warps];
    };
    expect([128, 256, 512, 1024, 65_536].map(row)).toEqual([
      [2, 10, 2],
      [2, 8, 2],
      [3, 5, 2],
      [6, 10, 4],
      [6, 10, 4],
    ]);
    // 6.2.2: 32 * 6 * 10 units of 8 bytes and 1024 bins of 8 make 23 kB; integer sums of two words add 4 bytes a bin.
    const fast = weightedPlan(
      "weighted-collision-reduced",
      request(1024, 100_000, { precision: "fast" }),
      gpu(),
    );
    expect(fast.sharedBytes).toBe(32 * 6 * 10 * 8 + 1024 * 8);
  });

  it("are printed", () => {
    expect(printed("weighted-collision-free", 64, gpu())).toBe(
      "weighted-collision-free: 1000 features of 64 bins, 1000 x 128 threads, 128 tables per feature, " +
        "counters of 16 bits, sums of 32 bits, 49152 bytes per block, flushed every 262144 documents, fetch word, unroll 16",
    );
    expect(printed("weighted-fixed-point", 256, h200)).toBe(
      "weighted-fixed-point: 1000 features of 256 bins, 501 x 512 threads, 3 segments, 16 tables per feature, " +
        "counters of 14 bits, sums of 50 bits, 196608 bytes per block, flushed every 261632 documents",
    );
    expect(printed("weighted-collision-reduced", 1024, gpu({ sharedBytes: 32_000 }), { squares: true })).toBe(
      "weighted-collision-reduced: 1000 features of 1024 bins, 1000 x 192 threads, 1 tables per feature, counters of " +
        "32 bits, sums of 64 bits and squares, 32000 bytes per block, 3 passes, fetch word, buffer 10, warps 6, reduce atomic",
    );
  });

  it("a buffer's units hold their value, whether documents are counted or not", () => {
    const plan = (counts: boolean) =>
      weightedPlan("weighted-collision-reduced", request(100, 1000, { counts }), h200);
    const [{ threads, parameters, sharedBytes }, alone] = [plan(true), plan(false)];
    const buffer = Number(parameters.buffer);
    expect(sharedBytes).toBe(threads * buffer * 8 + 100 * 12);
    expect(alone.sharedBytes).toBe(threads * buffer * 8 + 100 * 8);
  });

  it("are frozen, and equal for equal requests", () => {
    const plan = weightedPlan("weighted-fixed-point", request(256, 1000), h200);
    expect(Object.isFrozen(plan)).toBe(true);
    expect(weightedPlan("weighted-fixed-point", request(256, 1000), h200)).toEqual(plan);
  });

  it("split the documents of few features into segments, so that the device is full", () => {
    const one = weightedPlan("weighted-fixed-point", request(256, 2 ** 24), h200);
    expect(one.segments).toBeGreaterThanOrEqual(132);
    expect(one.segmentDocuments % 32).toBe(0);
    expect(one.segmentDocuments * one.segments).toBeGreaterThanOrEqual(2 ** 24);
    const many = weightedPlan("weighted-fixed-point", request(256, 2 ** 24, { features: 5000 }), h200);
    expect(many.segments).toBe(1);
    // 17 blocks of six features on 132 multiprocessors: seven segments leave 13 places empty.
    const some = weightedPlan("weighted-fixed-point", request(256, 2 ** 20, { features: 100 }), h200);
    expect(some.segments).toBe(7);
    // Three features on five workers: one block, so that weights are read once, and a segment a worker.
    const few = weightedPlan("weighted-fixed-point", request(9, 9999, { features: 3 }), workers());
    expect(few).toMatchObject({ featuresPerBlock: 3, segments: 5 });
    // 48 features: three blocks of sixteen, and nine of ten places.
    const more = weightedPlan("weighted-fixed-point", request(9, 9999, { features: 48 }), workers());
    expect(more).toMatchObject({ featuresPerBlock: 16, segments: 3 });
    // Totals of many bins take more than a block's share: a feature a block.
    const wide = weightedPlan("weighted-fixed-point", request(65_536, 2 ** 20, { features: 48 }), workers());
    expect(wide).toMatchObject({ featuresPerBlock: 1 });
    expect(weightedPlan("weighted-fixed-point", request(256, 100), h200).segments).toBe(1);
    expect(weightedPlan("weighted-fixed-point", request(256, 0), h200)).toMatchObject({ segments: 1 });
  });

  it("fit the device they are for", () => {
    for (const method of METHODS) {
      for (const [, limits] of DEVICES) {
        for (const bins of [2, 3, 16, 200, 512, 513, 1024, 65_536]) {
          for (const squares of [false, true]) {
            const found = weightedPlanOrReason(method, request(bins, 99_999, { squares }), limits);
            if (typeof found === "string") continue;
            if (limits.kind === "gpu") {
              expect(found.sharedBytes).toBeLessThanOrEqual(limits.sharedBytes);
              expect(found.threads).toBeLessThanOrEqual(limits.blockThreads);
            }
            expect(found.threads % found.replicas === 0 || limits.kind !== "gpu").toBe(true);
            expect(found.binsPerPass * found.passes).toBeGreaterThanOrEqual(bins);
            if (found.sumBits === 32) {
              expect(found.flushDocuments! / found.replicas).toBeLessThanOrEqual(WEIGHT_ADDENDS);
              expect(found.flushDocuments! % found.threads).toBe(0);
            } else if (found.sumBits === 50) {
              expect(found.flushDocuments! / found.replicas).toBeLessThan(2 ** 14);
            } else if (limits.kind !== "workers") expect(found.flushDocuments).toBeNull();
          }
        }
      }
    }
  });

  it("accept their own parameters, and all values give the same sums", () => {
    const { input, want } = problem(300, 3000);
    const given: readonly (readonly [WeightedMethod, GivenParameters])[] = [
      ["weighted-collision-free", { unroll: 1, fetch: "value" }],
      ["weighted-collision-free", { unroll: 32, fetch: "word" }],
      ["weighted-collision", { warps: 1, unroll: 3, fetch: "value" }],
      ["weighted-collision", { warps: 1, unroll: 2, fetch: "word" }],
      ["weighted-collision", { warps: 32 }],
      ["weighted-collision-reduced", { buffer: 1, fetch: "value" }],
      ["weighted-collision-reduced", { buffer: 64, warps: 1 }],
      ["weighted-collision-reduced", { buffer: 7, warps: 5, fetch: "value" }],
      ["weighted-collision-reduced", { buffer: 7, warps: 5, fetch: "value", reduce: "tables" }],
      ["weighted-collision-reduced", { buffer: 8, reduce: "tables" }],
    ];
    for (const [method, parameters] of given) {
      const plan = weightedPlan(method, request(300, 3000, { squares: true, parameters }), cpu);
      expect(plan.parameters).toMatchObject(parameters);
      expectExact(input, plan, want);
    }
  });

  it("round what a thread takes at a time up to whole words", () => {
    const taken = (method: WeightedMethod, type: WeightedRequest["type"], parameters: GivenParameters) => {
      const { unroll, buffer } = weightedPlan(
        method,
        request(16, 3000, { type, parameters }),
        h200,
      ).parameters;
      return unroll ?? buffer;
    };
    for (const [type, documents] of [
      ["u4", 8],
      ["u8", 4],
      ["u16", 2],
    ] as const) {
      expect(taken("weighted-collision-free", type, { unroll: 1 })).toBe(documents);
      expect(taken("weighted-collision", type, { unroll: 1 })).toBe(documents);
      expect(taken("weighted-collision-reduced", type, { buffer: 9 })).toBe(
        Math.ceil(9 / documents) * documents,
      );
      expect(taken("weighted-collision-reduced", type, { buffer: 9, fetch: "value" })).toBe(9);
    }
  });

  it("have one block per filling of the buffers, if these are stored as sub-histograms", () => {
    const tables = (documents: number, changes: Partial<WeightedRequest> = {}) =>
      weightedPlanOrReason(
        "weighted-collision-reduced",
        request(1024, documents, { parameters: { reduce: "tables" }, ...changes }),
        h200,
      );
    const plan = tables(100_000) as SumsPlan;
    // Algorithm 2, line 1: 10 units, 6 warps.
    expect(plan.segmentDocuments).toBe(10 * 6 * 32);
    expect(plan.segments).toBe(Math.ceil(100_000 / 1920));
    // A count and a sum of two words.
    expect(plan.subHistogramBytes).toBe(1024 * 12);
    expect(describePlan(plan)).toContain("53 segments");
    expect(describePlan(plan)).toContain("sub-histograms of 12288 bytes");
    expect(tables(2 ** 26)).toMatch(/sub-histograms .* use reduce atomic/);
    expect(weightedPlan("weighted-collision-reduced", request(9, 99), h200).subHistogramBytes).toBe(0);
  });

  it.each([
    ["weighted-fixed-point", { buffer: 3 }, "expected no buffer for weighted-fixed-point"],
    ["weighted-collision", { buffer: 3 }, "it is a parameter of weighted-collision-reduced"],
    ["weighted-collision-reduced", { unroll: 3 }, "weighted-collision, weighted-collision-free"],
    ["weighted-collision-reduced", { buffer: 0 }, "a whole number from 1 to 64 for buffer"],
    ["weighted-collision-reduced", { buffer: 65 }, "received 65"],
    ["weighted-collision", { warps: 33 }, "from 1 to 32"],
    ["weighted-collision-free", { unroll: 1.5 }, "unroll"],
    ["weighted-collision-free", { unroll: "2" }, "of type string"],
  ] as const)("refuse wrong ones: %s %j", (method, parameters, says) => {
    const of = request(10, 10, { parameters: parameters as GivenParameters });
    expectError(() => weightedPlan(method, of, gpu()), "ERR_INPUT", says);
  });

  it("of workers fit the memory that a worker has for tables", () => {
    for (const squares of [false, true]) {
      for (const bins of [2, 1024, 1025, 65_536]) {
        for (const method of ["weighted-fixed-point", "weighted-collision-free"] as const) {
          const found = weightedPlan(method, request(bins, 10_000, { squares }), workers());
          expect(found.sharedBytes).toBeLessThanOrEqual(2 ** 20);
          expect(found.sharedBytes).toBe(bins * found.replicas * (squares ? 16 : 8));
          expect(found.flushDocuments).toBe(WORKER_WEIGHTED_DOCUMENTS);
        }
      }
    }
    const fixed = (bins: number, squares: boolean) =>
      weightedPlan("weighted-fixed-point", request(bins, 10_000, { squares }), workers());
    expect(fixed(1024, false)).toMatchObject({ replicas: 4, passes: 1, threads: 1, sumBits: 64 });
    expect(fixed(1025, false)).toMatchObject({ replicas: 1, passes: 1 });
    expect(fixed(65_536, true)).toMatchObject({ replicas: 1, passes: 1 });
    expect(weightedPlan("weighted-collision", request(9, 99), workers())).toMatchObject({ sharedBytes: 0 });
    const reduced = weightedPlan("weighted-collision-reduced", request(9, 99, { squares: true }), workers());
    expect(reduced.sharedBytes).toBe(10 * (4 + 4 + 4));
    for (const method of ["weighted-fixed-point", "weighted-collision-free"] as const) {
      expect(weightedPlanOrReason(method, request(9, 99), workers({ sharedBytes: 11 }))).toBe(
        `${method} needs 72 bytes of shared memory per block and this device has 11`,
      );
    }
  });

  it("of workers flush before the sum next to a count is full, whatever the weights", () => {
    for (const documents of [1, 2, 1000, 2047, 2048, 2049, 65_535, 65_536, 65_537, 2 ** 31, 2 ** 32 - 1]) {
      const added = Math.min(documents, WORKER_WEIGHTED_DOCUMENTS);
      expect(added * largestInteger(documents)).toBeLessThan(2 ** (40 - 1));
    }
    expect(WORKER_WEIGHTED_DOCUMENTS).toBeLessThan(2 ** (64 - 40 - 1));
  });

  it("state why a device cannot run a method", () => {
    for (const method of METHODS.filter((one) => one !== "weighted-sequential")) {
      expect(weightedPlanOrReason(method, request(10, 10), gpu({ sharedBytes: 3 }))).toMatch(
        /shared memory per block/,
      );
    }
    expect(weightedPlanOrReason("weighted-sequential", request(10, 10), gpu())).toMatch(/one CPU thread/);
    const wide = request(10, 10, { precision: "fast", parameters: { buffer: 64, warps: 32 } });
    expect(weightedPlanOrReason("weighted-collision-reduced", wide, h200)).toMatch(/at most 16384 floats/);
    expectError(() => weightedPlan("weighted-sequential", request(10, 10), gpu()), "ERR_UNSUPPORTED");
    // What a thread reads at once is added before the next flush.
    const deep = request(10, 10, { precision: "fast", parameters: { unroll: 32, warps: 32 } });
    const { parameters, threads, flushDocuments } = weightedPlan("weighted-collision", deep, h200);
    expect(Number(parameters.unroll) * threads).toBeLessThanOrEqual(flushDocuments!);
  });
});

describe("auto", () => {
  const any = () => null;

  it("uses one table per bank for integers, the bins for floats, and one table on one thread", () => {
    const chosen = (limits: DeviceLimits, bins: number, precision: WeightedRequest["precision"]) =>
      selectWeightedPlan(request(bins, 100, { precision }), limits, Object.values(weightedAlgorithms), any)
        .algorithm;
    expect(chosen(h200, 256, "reproducible")).toBe("weighted-fixed-point");
    expect(chosen(workers(), 256, "reproducible")).toBe("weighted-fixed-point");
    expect(chosen(cpu, 256, "fast")).toBe("weighted-sequential");
    expect(chosen(h200, 128, "fast")).toBe("weighted-collision-free");
    expect(chosen(h200, 129, "fast")).toBe("weighted-collision-reduced");
  });

  it("uses the available methods, and states why if none can run", () => {
    const of = request(8, 100);
    expect(selectWeightedPlan(of, h200, [weightedAlgorithms["weighted-collision"]], any).algorithm).toBe(
      "weighted-collision",
    );
    const refuses = () => "not today";
    expectError(
      () => selectWeightedPlan(of, h200, [weightedAlgorithms["weighted-collision"]], refuses),
      "ERR_UNSUPPORTED",
      "not today",
    );
  });
});

describe("the hybrid", () => {
  it("tries all three methods, whatever the bins (Tables 1 and 7)", () => {
    for (const bins of [2, 128, 1024]) {
      expect(weightedHybrid.candidates(bins)).toEqual([
        "weighted-collision-free",
        "weighted-collision",
        "weighted-collision-reduced",
      ]);
    }
  });

  const GENERAL = { bins: 300, precision: "fast", skip: false } as const;
  const chosen = (...all: readonly HybridChoice["ms"][]) =>
    choicesOf(
      ["a", "b", "c"],
      all.map((ms, feature) => ({ feature, ...GENERAL, ms })),
    ).map(({ algorithm }) => algorithm);

  it("takes what is fastest for all features together, unless another one is clearly faster for one", () => {
    expect(chosen({ a: 1, b: 0.9 }, { a: 9, b: 10.1 })).toEqual(["a", "a"]);
    expect(chosen({ a: 1, b: 0.9 }, { a: 9, b: 8 })).toEqual(["b", "b"]);
    expect(chosen({ a: 1, b: 0.8 }, { a: 9, b: 10.2 })).toEqual(["b", "a"]);
    expect(chosen({ a: 0.5, b: 1 }, { a: 9.5, b: 8 })).toEqual(["a", "b"]);
    // A method that could not run for all features.
    expect(chosen({ b: 5 }, { a: 10, b: 11 })).toEqual(["b", "a"]);
  });

  it("moves features to another method only if they gain more together than a launch costs", () => {
    const slow = { a: 10, b: 20, c: 20 };
    const gaining = (ms: number) => ({ a: 2 * ms, b: ms, c: 3 * ms });
    expect(chosen(slow, gaining(0.03))).toEqual(["a", "a"]);
    expect(chosen(slow, gaining(0.05))).toEqual(["a", "b"]);
    expect(chosen(slow, gaining(0.03), gaining(0.03))).toEqual(["a", "b", "b"]);
    // Two methods need two launches.
    expect(chosen(slow, gaining(0.03), { a: 0.06, b: 0.09, c: 0.03 })).toEqual(["a", "a", "a"]);
  });

  it("uses the faster one and reports by how much", () => {
    const KIND = { precision: "reproducible", skip: false } as const;
    const choose = (of: Omit<HybridChoice, "algorithm" | "ms">, ms: HybridChoice["ms"]) =>
      choicesOf(weightedHybrid.candidates(of.bins), [{ ...of, ms }])[0]!;
    const slow = choose(
      { feature: 17, bins: 1024, ...KIND },
      { "weighted-collision": 6.2, "weighted-collision-reduced": 2 },
    );
    expect(slow.algorithm).toBe("weighted-collision-reduced");
    expect(describeChoice(slow)).toBe("feature 17: 1024 bins, collision-reduced, 3.1x collision");
    const fast = choose(
      { feature: 2, bins: 256, ...KIND },
      { "weighted-collision": 1, "weighted-collision-reduced": 1 },
    );
    expect(fast.algorithm).toBe("weighted-collision");
    const [alone] = choicesOf(["weighted-collision-free"], [{ feature: 0, bins: 16, ...KIND, ms: {} }]);
    expect(describeChoice(alone!)).toBe("feature 0: 16 bins, collision-free");
  });
});

import { describe, expect, it } from "vitest";
import { WEIGHTED_SLUGS } from "../src/algorithms/choice/slugs.ts";
import { edgesOf, integer, type OrderedAxis, regular, variable } from "../src/axis/axis.ts";
import { cpu } from "../src/cpu/cpu.ts";
import { openEngine } from "../src/engine/open.ts";
import type { WeightedHistogramOptions } from "../src/engine/options/selection-options.ts";
import type { SampleArray } from "../src/input/sample-types.ts";
import { codeOfValue } from "../src/lowering/lowering.ts";
import { FAST_TOLERANCE, WEIGHED_SAMPLES } from "../src/weights/limits.ts";
import { arrayOf, FakeBackend, random, rejectionOf, weighing } from "./helpers.ts";

const engine = await openEngine();

const weightsOf = (n: number) => {
  const next = random(n);
  return Float32Array.from({ length: n }, () => (next() - 0.4) * 7);
};

/** What NumPy's histogram adds up, in f64, by the bins of the definition; flow behind. */
function definition(
  samples: ArrayLike<number>,
  axis: OrderedAxis,
  type: "u8" | "f32" | "i16" | "f64",
  weights: ArrayLike<number>,
) {
  const edges = edgesOf(axis, type);
  const of = () => new Float64Array(axis.bins + 3);
  const [counts, sums, squares, sizes] = [of(), of(), of(), of()];
  for (let i = 0; i < samples.length; i++) {
    const code = codeOfValue(axis, edges, samples[i]!);
    counts[code]!++;
    sums[code]! += weights[i]!;
    squares[code]! += weights[i]! ** 2;
    sizes[code]! += Math.abs(weights[i]!);
  }
  return { counts, sums, squares, sizes };
}

/** Samples in and around an axis, and what is no number. */
function around(type: "u8" | "f32" | "i16" | "f64", n: number): SampleArray {
  const next = random(n + type.length);
  const floats = type.startsWith("f");
  const out = arrayOf(
    type,
    Array.from({ length: n }, () => (floats ? next() * 3 - 1 : Math.floor(next() * 256))),
  );
  if (floats) out.set([NaN, Infinity, -Infinity, -0, 1].slice(0, n));
  return out;
}

describe("a weighted histogram", () => {
  it.each([
    ["u8", integer(0, 256)],
    ["u8", regular(7, 20, 200)],
    ["u8", integer(3, 4)],
    ["i16", integer(10, 90)],
    ["i16", variable([-5, 0, 17, 300])],
    ["f32", regular(100, 0, 1)],
    ["f32", regular(1, 0, 1)],
    ["f64", variable([-0.5, 0, 0.1, 1])],
    ["f64", regular(65_536, 0, 1)],
    ["u8", integer(300, 400)],
  ] as const)("%s over an axis, number %#: counts and sums, flow included", async (type, axis) => {
    for (const n of [0, 1, 5, 3001]) {
      const samples = around(type, n);
      const weights = weightsOf(n);
      const got = await engine.histogram(samples, { weights, axis, squares: true });
      const want = definition(samples, axis, type, weights);
      const { bins } = axis;
      const all = (inside: Float64Array, flow: { underflow: number; overflow: number; nan: number }) =>
        Float64Array.of(...inside, flow.underflow, flow.overflow, flow.nan);
      expect(all(got.counts, got.flow)).toEqual(want.counts);
      // One expectation for all bins: there may be 65,536.
      const wrong = [...all(got.sums, got.flowSums)].findIndex(
        (sum, i) => !(Math.abs(sum - want.sums[i]!) <= want.sizes[i]! * 2 ** -40),
      );
      expect(wrong).toBe(-1);
      const wrongSquare = [...all(got.sumsOfSquares!, got.flowSumsOfSquares!)].findIndex(
        (sum, i) => !(Math.abs(sum - want.squares[i]!) <= want.squares[i]! * 2 ** -40),
      );
      expect(wrongSquare).toBe(-1);
      expect(got.edges).toEqual(edgesOf(axis, type));
      expect(got.counts).toHaveLength(bins);
      expect(got).toMatchObject({ axis, type, backend: "cpu" });
      expect(got.plan.algorithm).toBe("weighted-sequential");
    }
  });

  it.each(WEIGHTED_SLUGS.filter((slug) => slug !== "weighted-hybrid"))(
    "%s gives the same bits",
    async (algorithm) => {
      const samples = around("f32", 2001);
      const axis = regular(300, -0.5, 1.5);
      const options = { axis, weights: weightsOf(2001), squares: true };
      const want = await engine.histogram(samples, options);
      const got = await engine.histogram(samples, { ...options, algorithm });
      expect(got.plan.algorithm).toBe(algorithm);
      for (const name of [
        "counts",
        "sums",
        "sumsOfSquares",
        "flow",
        "flowSums",
        "flowSumsOfSquares",
      ] as const) {
        expect(got[name]).toEqual(want[name]);
      }
    },
  );

  it("is NumPy's example: sums and bins by hand", async () => {
    // np.histogram([1, 2, 1, 4], bins=[0, 2, 3, 4], weights=[0.5, 2, 0.25, 8])
    const axis = variable([0, 2, 3, 4]);
    const got = await engine.histogram([1, 2, 1, 4], { axis, weights: [0.5, 2, 0.25, 8] });
    expect([...got.sums]).toEqual([0.75, 2, 8]);
    expect([...got.counts]).toEqual([2, 1, 1]);
    expect(got.sumsOfSquares).toBeNull();
    expect(got.flowSumsOfSquares).toBeNull();
  });

  it("supports an axis from the data, one of several channels, and padded rows", async () => {
    const data = Float32Array.of(0, 9, 1, 8, 99, 99, 2, 7, 4, 6, 99, 99);
    const weights = [1, 2, 4, 8];
    const input = { data, channels: 2, width: 2, height: 2, rowPitch: 24 };
    const got = await engine.histogram(input, { weights, channel: 0, bins: 4 });
    expect([...got.edges]).toEqual([0, 1, 2, 3, 4]);
    expect([...got.sums]).toEqual([1, 2, 4, 8]);
    const other = await engine.histogram(input, { weights, channel: 1, axis: integer(6, 10) });
    expect([...other.sums]).toEqual([8, 4, 2, 1]);
    expect((await rejectionOf(engine.histogram(input, { weights, bins: 4 }))).message).toContain("2");
  });

  it("counts in pieces, with progress", { timeout: 60_000 }, async () => {
    const n = 2 * WEIGHED_SAMPLES + 12_345;
    const samples = new Uint8Array(n);
    for (let i = 0; i < n; i++) samples[i] = i % 251;
    const weights = new Float32Array(n);
    const want = new Float64Array(256);
    for (let i = 0; i < n; i++) {
      weights[i] = (i % 7) / 2;
      want[i % 251]! += weights[i]!;
    }
    const told: number[] = [];
    const got = await engine.histogram(samples, { weights, onProgress: ({ done }) => told.push(done) });
    got.counts.forEach((count, bin) => {
      expect(count).toBe(bin < 251 ? Math.floor(n / 251) + (bin < n % 251 ? 1 : 0) : 0);
      expect(got.sums[bin]).toBe(want[bin]);
    });
    expect(told.at(-1)).toBe(n);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    const reason = new Error("enough");
    const control = new AbortController();
    const running = engine.histogram(samples, {
      weights,
      signal: control.signal,
      onProgress: () => control.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
  });

  it("of precision fast are floats within the tolerance", async () => {
    const samples = around("f32", 4001);
    const weights = weightsOf(4001).map((weight) => weight * 1e30);
    const axis = regular(9, 0, 1);
    const want = definition(samples, axis, "f32", weights);
    for (const algorithm of ["auto", "weighted-collision", "weighted-collision-free"] as const) {
      const got = await engine.histogram(samples, { weights, axis, precision: "fast", algorithm });
      expect(got.limbs).toBeNull();
      [...got.sums, got.flowSums.underflow, got.flowSums.overflow, got.flowSums.nan].forEach((sum, i) => {
        expect(Math.abs(sum - want.sums[i]!)).toBeLessThanOrEqual(want.sizes[i]! * FAST_TOLERANCE);
      });
    }
  });

  const wrong: readonly (readonly [object, string, string])[] = [
    [{ weights: [1, 2] }, "ERR_INPUT", "weights.length"],
    [{ weights: [1, 2, Infinity] }, "ERR_INPUT", "weights[2]"],
    [{ weights: "123" }, "ERR_INPUT", "weights"],
    [{ weights: [1, 2, 3], algorithm: "per-lane" }, "ERR_UNSUPPORTED", "weighted algorithm"],
    [{ weights: [1, 2, 3], algorithm: "weighted-hybrid" }, "ERR_UNSUPPORTED", "before it chooses"],
    [{ weights: [1, 2, 3], k: 3 }, "ERR_INPUT", "received k"],
    [{ weights: [1, 2, 3], axis: integer(0, 9), bins: 3 }, "ERR_INPUT", "both"],
    [{ weights: [1, 2, 3], channel: 1 }, "ERR_INPUT", "channel"],
  ];
  it.each(wrong)("%j is refused", async (options, code, says) => {
    const error = await rejectionOf(
      engine.histogram(Uint8Array.of(1, 2, 3), options as WeightedHistogramOptions),
    );
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
  });

  it("has samples and weights of any input, on any backend", async () => {
    const own = new Float32Array([2.5, -1]);
    await using resident = await engine.upload(Uint8Array.of(1, 3));
    await using weights = await engine.upload(own);
    for (const input of [Uint8Array.of(1, 3), resident, new Blob([Uint8Array.of(1, 3)])]) {
      const others = [own, [2.5, -1], weights, { input: new Blob([own]), type: "f32" } as const];
      for (const given of others) {
        const { sums } = await engine.histogram(input, { weights: given });
        expect([sums[1], sums[3]]).toEqual([2.5, -1]);
      }
    }
    await using without = await openEngine({ backend: new FakeBackend() });
    expect((await without.histogram(Uint8Array.of(1), { weights: [1.5] })).sums[1]).toBe(1.5);
    const named = without.histogram(Uint8Array.of(1), { weights: [1], algorithm: "weighted-fixed-point" });
    expect(await rejectionOf(named)).toMatchObject({ code: "ERR_UNSUPPORTED", backend: "fake" });
    await using few = await openEngine({ backend: { ...cpu(), weighted: weighing("weighted-collision") } });
    expect((await few.histogram(Uint8Array.of(1), { weights: [3] })).sums[1]).toBe(3);
  });
});

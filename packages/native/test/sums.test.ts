import { createRequire } from "node:module";
import { type Engine, integer, openEngine, regular } from "@polybin/core";
import { jointPlanOrReason, lower } from "@polybin/core/backend";
import { native } from "@polybin/native";
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from "vitest";
import type { Native } from "../src/border/index.ts";
import { kernels } from "../src/kernels/index.ts";
import { deviceLimits } from "../src/platform/index.ts";
import { nativeCells } from "../src/run/prepare.ts";

const probe = await native().probe();

/** Returns numbers from 0 to 1, the same in every run. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 + ((state ^ 0x9e3779b9) >>> 0) / 2 ** 53;
  };
}

/** Weights that a scale holds, and those that it does not. */
const WEIGHTS: Record<string, (next: () => number, i: number) => number> = {
  uniform: (next) => next(),
  "around 0": (next) => Math.sqrt(-2 * Math.log(next() + 1e-300)) * Math.cos(6.28 * next()),
  "of all sizes": (next) => (next() - 0.5) * 2 ** Math.floor(next() * 600 - 300),
  denormal: (next) => (next() - 0.5) * 2 ** -1040,
  "the lowest bit": (next) => (next() < 0.5 ? 5e-324 : -5e-324),
  "next to the largest": (next) => (next() - 0.5) * 2 ** 990,
  "that cancel": (_, i) => (i % 2 === 0 ? 1e300 : -1e300) + (i % 3 === 0 ? 1 : 0),
  "-0": () => -0,
  "whole numbers": (next) => Math.floor(next() * 1e6),
  "small, then large": (next, i) => next() * (i < 1000 ? 2 ** -200 : 2 ** 200),
  "half of a double's bits more": (next, i) => (i % 2 === 0 ? 1 : 2 ** -53) * (next() < 0.5 ? 1 : -1),
};

const LENGTHS = [0, 1, 7, 255, 257, 3000, 300_007];

describe.each([1, 7])("sums of weights on %i threads", (threads) => {
  let engine: Engine;
  let oracle: Engine;
  beforeAll(async () => {
    oracle = await openEngine();
    if (probe.available) engine = await openEngine({ backend: native({ threads }) });
  });
  beforeEach((test: TestContext) => {
    if (!probe.available) test.skip(probe.reason);
  });
  afterAll(async () => {
    await engine?.close();
    await oracle.close();
  });

  it.each(Object.keys(WEIGHTS))("have the oracle's bits: %s", { timeout: 60_000 }, async (name) => {
    for (const length of LENGTHS) {
      for (const Weights of [Float64Array, Float32Array]) {
        const next = random(length);
        const samples = Float32Array.from({ length }, () => next() * 1.2 - 0.1);
        if (length > 5) samples[3] = Number.NaN;
        const all = new Weights(Array.from({ length }, (_, i) => WEIGHTS[name]!(next, i)));
        const weights = all.map((weight) => (Number.isFinite(weight) ? weight : 0));
        const mask = Uint8Array.from(samples, () => Number(next() < 0.7));
        const where = Uint32Array.from({ length: length >> 1 }, () => Math.floor(next() * length));
        const by = { codes: Uint8Array.from(samples, () => next() * 5), groups: 5 };
        const squares = name === "uniform" || name === "whole numbers";
        for (const selection of [{}, { mask }, { where }, { mask, where }, { by }]) {
          const options = { axis: regular(100, 0, 1), weights, squares, ...selection };
          const [found, wanted] = await Promise.all([
            engine.histogram(samples, options),
            oracle.histogram(samples, options),
          ]);
          expect(numbersOf(found), `${length} ${Object.keys(selection)}`).toBe(numbersOf(wanted));
        }
      }
    }
  });

  it("go into the rows of segments", async () => {
    const next = random(1);
    const samples = Uint8Array.from({ length: 60_000 }, () => next() * 256);
    const weights = Float64Array.from(samples, () => next() - 0.5);
    const image = { data: samples, width: 300, height: 200 };
    for (const how of [
      { every: 7001 },
      { offsets: [10, 10, 5000, 59_000] },
      { tiles: { width: 70, height: 33 } },
    ]) {
      for (const selection of [{}, { mask: samples.map((byte) => byte & 1) }]) {
        const options = { axis: integer(20, 90), weights, ...selection };
        const [found, wanted] = await Promise.all([
          engine.segments(image, how, options),
          oracle.segments(image, how, options),
        ]);
        expect(numbersOf(found), Object.keys(how)[0]).toBe(numbersOf(wanted));
      }
    }
  });

  it("of several columns, and over many cells", async () => {
    const next = random(2);
    const x = Float64Array.from({ length: 100_000 }, () => next());
    const columns = [x, x.map((value) => value * value)];
    const weights = x.map(() => next());
    for (const bins of [10, 300]) {
      const options = { axes: [regular(bins, 0, 1), regular(bins, 0, 0.9)], weights };
      const [found, wanted] = await Promise.all([
        engine.joint(columns, options),
        oracle.joint(columns, options),
      ]);
      expect(numbersOf(found)).toBe(numbersOf(wanted));
    }
  });

  it("survive an abort", async () => {
    const samples = new Uint8Array(4_000_000).map((_, i) => i % 5);
    const weights = Float64Array.from(samples, (byte) => byte + 0.25);
    const options = { axis: integer(0, 4), weights };
    const wanted = await engine.histogram(samples, options);
    const control = new AbortController();
    const stopped = engine.histogram(samples, { ...options, signal: control.signal });
    control.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    expect(numbersOf(await engine.histogram(samples, options))).toBe(numbersOf(wanted));
    expect(wanted.sums[3]).toBe(800_000 * 3.25);
    expect(wanted.flowSums.overflow).toBe(800_000 * 4.25);
  });

  it("refuse a weight that is not finite, and name it", async () => {
    for (const [at, bad] of [
      [0, Number.NaN],
      [3, Infinity],
      [299_999, -Infinity],
    ] as const) {
      const samples = new Float32Array(300_000).fill(0.5);
      const weights = new Float64Array(300_000).fill(1);
      weights[at] = bad;
      const options = { axis: regular(3, 0, 1), mask: new Uint8Array(300_000), weights };
      await expect(engine.histogram(samples, options)).rejects.toMatchObject({
        code: "ERR_INPUT",
        message: expect.stringContaining(`weights[${at}]`),
      });
      const list = { axis: regular(3, 0, 1), where: Uint32Array.of(1, 2), weights };
      await expect(engine.histogram(samples, list)).rejects.toMatchObject({ code: "ERR_INPUT" });
    }
    const h = await engine.histogram(Float32Array.of(0.5), { axis: regular(3, 0, 1), weights: [2] });
    expect(h.sums[1]).toBe(2);
  });

  it("refuse one among weights that a list or offsets leave out", async () => {
    const x = Int32Array.of(1, 2, 3);
    const weights = Float64Array.of(1, 1, Number.NaN);
    const refused = { code: "ERR_INPUT", message: expect.stringContaining("weights[2]") };
    const axis = integer(0, 5);
    for (const where of [Uint32Array.of(), Uint32Array.of(0)]) {
      await expect(engine.histogram(x, { axis, weights, where })).rejects.toMatchObject(refused);
    }
    const offsets = { offsets: [0, 2] };
    await expect(engine.segments(x, offsets, { axis, weights })).rejects.toMatchObject(refused);
  });

  it("accumulate exactly over calls", async () => {
    const counter = await engine.prepare({ columns: [{ type: "u8", axis: integer(0, 4) }], weights: "f64" });
    const columns = [Uint8Array.of(1, 1, 3)];
    await counter.accumulate({ columns, weights: Float64Array.of(1e300, 1, 2 ** -1074) });
    await counter.accumulate({ columns, weights: Float64Array.of(-1e300, 2 ** -60, 2 ** -1074) });
    const { sums } = (await counter.take()) as unknown as { sums: Float64Array };
    expect([sums[1], sums[3]]).toEqual([1, 2 ** -1073]);
  });
});

/** The numbers of a result, without what says how they were made. */
function numbersOf(of: unknown): string {
  const made = ["backend", "device", "algorithm", "plan", "limbs", "limbsOfSquares", "timings"];
  return JSON.stringify(of, (name, value) => (made.includes(name) ? undefined : value));
}

it("the same limbs with every set of instructions", async (test) => {
  if (!probe.available) test.skip(probe.reason);
  const addon = createRequire(import.meta.url)("../dist/polybin_native.node") as Native;
  const axis = regular(50, 0, 1);
  const lowering = lower(axis, "f32");
  if (lowering.kind === "constant") throw new Error("expected another lowering");
  const request = { columns: [lowering], samples: 10_001, mask: "none", listed: false } as const;
  const plan = jointPlanOrReason(
    "fused",
    request,
    deviceLimits(1),
    kernels.map(({ algorithm }) => algorithm),
  );
  if (typeof plan === "string") throw new Error(plan);
  const column = { type: "f32", interleaved: 1, channel: 0, axis, lowering } as const;
  for (const make of Object.values(WEIGHTS)) {
    const next = random(3);
    const samples = Float32Array.from({ length: 10_001 }, () => next() * 1.1);
    const weights = Float64Array.from(samples, (_, i) => make(next, i));
    const found = [];
    for (const instructions of ["plain", "avx2", "avx512"].slice(0, addon.instructions)) {
      const { numbers, columns } = nativeCells({ columns: [column], plan }, 1, { instructions });
      const counts = new Float64Array(plan.cells + 2);
      const input = [
        [new Uint8Array(samples.buffer)],
        Float64Array.of(10_001, 1, 40_004),
        null,
        null,
        10_001,
      ] as const;
      const limbs = await new addon.Cells(numbers, columns).sums(
        ...input,
        counts,
        null,
        [weights],
        true,
        null,
        new Float64Array(0),
        0,
      );
      found.push([...limbs, ...counts]);
    }
    for (const other of found) expect(other).toEqual(found[0]);
  }
});

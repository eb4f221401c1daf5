import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type BinRule,
  cpu,
  nice,
  openEngine,
  regular,
  type SamplesInit,
  type SampleType,
} from "../src/index.ts";
import { valueOfHalf } from "../src/input/index.ts";
import { arrayOf, errorOf, rejectionOf } from "./helpers.ts";

/** Numbers of bins that NumPy picks for an input (vectors/rules.py). */
interface Vector {
  readonly type: SampleType;
  readonly source: Readonly<Record<"n" | "seed" | "mask" | "offset" | "scale" | "terms", number>>;
  readonly range: readonly [number, number] | null;
  readonly bins: Readonly<Record<BinRule, number>>;
}

const { vectors }: { vectors: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("./vectors/rules.json", import.meta.url), "utf8"),
);

const engine = await openEngine({ backends: [cpu()] });

function inputOf({ type, source: { n, seed, mask, offset, scale, terms } }: Vector) {
  let x = seed;
  const values = Array.from({ length: n }, () => {
    let sum = 0;
    for (let term = 0; term < terms; term++) {
      x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
      sum += ((x >>> 8) & mask) - offset;
    }
    return sum * scale;
  });
  return arrayOf(type, values);
}

describe("a rule picks NumPy's number of bins", () => {
  for (const [i, vector] of vectors.entries()) {
    it(`vector ${i}, ${vector.source.n} ${vector.type}`, async () => {
      const samples = inputOf(vector);
      const range = vector.range === null ? {} : { range: vector.range };
      for (const rule of Object.keys(vector.bins) as BinRule[]) {
        const found = await engine.histogram(samples, { bins: rule, ...range });
        expect([rule, found.bins]).toEqual([rule, vector.bins[rule]]);
        expect(found.axis.type).toBe("regular");
        expect(found.sum({ flow: true })).toBe(vector.source.n);
      }
    });
  }

  it("of f16 samples as of the same values in f32", async () => {
    // Finite bits of both signs. The distance of the extremes of the second list needs more digits than f32 has.
    const spread = Uint16Array.from(
      { length: 999 },
      (_, i) => 0x3c00 + ((i * 7919) % 2048) + (i % 2) * 0x8000,
    );
    const far = Uint16Array.of(0x0401, 0x7800, 0x7801, 0x7900, 0x4700, 0x4701, 0xbc01);
    for (const bits of [spread, far]) {
      const half = { data: new Uint8Array(bits.buffer), type: "f16" } as const satisfies SamplesInit;
      const single = Float32Array.from(bits, valueOfHalf);
      for (const rule of ["auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"] as const) {
        const { bins } = await engine.histogram(single, { bins: rule });
        expect([rule, (await engine.histogram(half, { bins: rule })).bins]).toEqual([rule, bins]);
      }
    }
  });

  it("from the finite samples, of all channels", async () => {
    const finite = Float64Array.from({ length: 300 }, (_, i) => Math.sin(i));
    const holes = Float64Array.from([Number.NaN, Infinity, -Infinity, ...finite]);
    const whole = await engine.histogram(finite, { bins: "fd" });
    expect((await engine.histogram(holes, { bins: "fd" })).axis).toEqual(whole.axis);
    const picture = { data: finite, channels: 2 };
    const [first] = await engine.histograms(picture, { bins: "fd" });
    expect(first!.bins).toBe(whole.bins);
    const second = await engine.histogram(picture, { bins: "fd", channel: 1 });
    const odd = finite.filter((_, i) => i % 2 === 1);
    expect(second.axis).toEqual((await engine.histogram(odd, { bins: "fd" })).axis);
    const resident = await engine.upload(finite);
    expect((await engine.histogram(resident, { bins: "fd" })).axis).toEqual(whole.axis);
  });

  it("over all values of a type", async () => {
    const found = await engine.histogram(Uint8Array.of(1, 2, 3, 4), { bins: "sqrt", range: "type" });
    expect(found.axis).toEqual(regular(Math.ceil(256 / (3 / 2)), 0, 256));
  });

  it("for segments too", async () => {
    const samples = Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7);
    const rows = await engine.segments(samples, { every: 4 }, { bins: "sturges" });
    expect([rows.bins, rows.at(1).sum()]).toEqual([4, 4]);
  });
});

describe("what a rule cannot do", () => {
  it("is refused", async () => {
    const samples = new Float32Array(4);
    const code = async (work: Promise<unknown>) => (await rejectionOf(work)).code;
    expect(await code(engine.histogram(samples, { bins: "FD" as never }))).toBe("ERR_AXIS");
    expect(await code(engine.histogram(samples, { nice: 1 as never }))).toBe("ERR_INPUT");
    // @ts-expect-error TypeScript refuses it, too
    expect(await code(engine.histogram(samples, { axis: regular(1, 0, 1), nice: true }))).toBe("ERR_INPUT");
    // @ts-expect-error TypeScript refuses it, too
    expect(await code(engine.histogram(samples, { axis: regular(1, 0, 1), bins: "fd" }))).toBe("ERR_INPUT");
    const weights = new Float32Array(4);
    const rule = { bins: "fd", weights } as const;
    const mask = new Uint8Array(4);
    const by = { codes: new Uint8Array(4), groups: 1 };
    for (const selection of [{}, { mask }, { where: new Uint32Array(1) }, { by }]) {
      const { code: refusal, message } = await rejectionOf(
        engine.histogram(samples, { ...rule, ...selection } as never),
      );
      expect([refusal, message]).toEqual([
        "ERR_UNSUPPORTED",
        expect.stringContaining("which ignores weights"),
      ]);
    }
    const axes = [{ bins: 2 }, { bins: "fd" }] as const;
    expect(await code(engine.joint([samples, samples], { axes, weights }))).toBe("ERR_UNSUPPORTED");
    for (const options of [{ bins: "fd" }, { bins: 2, nice: true }] as const) {
      const { code: refusal, message } = await rejectionOf(
        engine.histogram(samples, { ...options, range: "type" }),
      );
      expect([refusal, message]).toEqual([
        "ERR_INPUT",
        expect.stringContaining("no finite range of its own"),
      ]);
    }
    const stream = new Blob([samples]).stream();
    const error = await rejectionOf(engine.histogram(stream, { type: "f32", bins: "fd", range: [0, 1] }));
    expect([error.code, error.message]).toEqual([
      "ERR_AXIS",
      expect.stringContaining("received a rule or nice"),
    ]);
    expect(await code(engine.prepare({ type: "f32", bins: "fd" }))).toBe("ERR_AXIS");
    const asked = await rejectionOf(engine.supports({ type: "u8", samples: 3, bins: "fd" }));
    expect([asked.code, asked.message]).toEqual(["ERR_AXIS", expect.stringContaining("rule")]);
    const far = new Float64Array(1000).map((_, i) => (i === 0 ? 1e12 : i % 7));
    expect(await code(engine.histogram(far, { bins: "fd" }))).toBe("ERR_LIMIT");
  });
});

describe("nice", () => {
  // The values of d3-array 3.2.4.
  it.each([
    [0.132, 0.876, 10, 0.1, 0.9],
    [0, 9.6, 10, 0, 10],
    [-0.5, 0.5, 3, -0.5, 0.5],
    [1.1, 10.9, 10, 1, 11],
    [132, 876, 1000, 132, 876],
    [12, 87, 5, 0, 100],
    [1e-7, 3.3e-7, 4, 1e-7, 3.5e-7],
    [5, 5, 10, 5, 5],
    [-1_234_567, 7_654_321, 7, -2e6, 8e6],
    [0, 1, 65_536, 0, 1],
  ])("of [%d, %d] in %d steps is d3's", (lo, hi, count, first, last) => {
    expect(nice(lo, hi, count)).toEqual([first, last]);
  });

  it("refuses what has no range", () => {
    expect(errorOf(() => nice(Number.NaN, 1, 2)).code).toBe("ERR_AXIS");
    expect(errorOf(() => nice(0, Infinity, 2)).code).toBe("ERR_AXIS");
    expect(errorOf(() => nice(2, 1, 2)).code).toBe("ERR_AXIS");
    expect(errorOf(() => nice(0, 1, 0)).code).toBe("ERR_AXIS");
  });

  it("extends the range of a call", async () => {
    const samples = Float32Array.of(0.132, 0.5, 0.876);
    const found = await engine.histogram(samples, { bins: 10, nice: true });
    expect(found.axis).toEqual(regular(10, 0.1, 0.9));
    const given = await engine.histogram(samples, { bins: 5, range: [0.12, 0.93], nice: true });
    expect(given.axis).toEqual(regular(5, 0, 1));
    const byRule = await engine.histogram(samples, { bins: "sturges", nice: true });
    expect(byRule.axis).toEqual(regular(3, 0, 1));
    const bytes = await engine.histogram(Uint8Array.of(3), { bins: 10, nice: true });
    expect(bytes.axis).toEqual(regular(10, 0, 260));
    const empty = await engine.histogram(new Float32Array(0), { bins: 4, nice: true });
    expect(empty.axis).toEqual(regular(4, 0, 1));
  });
});

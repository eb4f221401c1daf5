import { describe, expect, it } from "vitest";
import { type Axis, edgesOf, integer, regular, regularSpaced, wholeRange } from "../src/axis/axis.ts";
import { type AxisOptions, axisBeforehand, type BinRange } from "../src/axis/range.ts";
import type { Engine } from "../src/engine/engine/engine.ts";
import { openEngine } from "../src/engine/open.ts";
import { SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray, type SampleType } from "../src/input/sample-types.ts";
import { arrayOf, expectError, FakeBackend, random, rejectionOf } from "./helpers.ts";

const NARROW: readonly SampleType[] = ["u8", "i8", "u16", "i16"];
const WIDE: readonly SampleType[] = ["u32", "i32", "f32", "f64"];
const FLOATS: readonly SampleType[] = ["f32", "f64"];

describe("the axis that is known before the data", () => {
  it("8- and 16-bit integers cover their type, other types the range of the data", () => {
    for (const type of NARROW) expect(axisBeforehand(type, {})).toEqual(wholeRange(type, 256));
    for (const type of WIDE) expect(axisBeforehand(type, {})).toBeNull();
    for (const type of SAMPLE_TYPES) expect(axisBeforehand(type, { bins: 7, range: "data" })).toBeNull();
  });

  it('range: "type" is all values of an integer type', () => {
    for (const type of SAMPLE_TYPES) {
      if (FLOATS.includes(type)) {
        const message = `"data" or [lo, hi] (${type} has no finite range of its own) for range but received "type"`;
        expectError(() => axisBeforehand(type, { range: "type" }), "ERR_INPUT", message);
      } else {
        expect(axisBeforehand(type, { range: "type", bins: 5 })).toEqual(wholeRange(type, 5));
      }
    }
  });

  it("range: [lo, hi] is NumPy's, regular(bins, lo, hi), for every type", () => {
    for (const type of SAMPLE_TYPES) {
      expect(axisBeforehand(type, { range: [-1, 3.5] })).toEqual(regular(256, -1, 3.5));
      expect(axisBeforehand(type, { range: [0, 10], bins: 3 })).toEqual(regular(3, 0, 10));
    }
  });

  it("invalid bins are refused before the data is read", () => {
    for (const range of [undefined, "data", "type", [0, 1]] as const) {
      expectError(() => axisBeforehand("u32", { bins: 0, range }), "ERR_AXIS", "for bins");
      expectError(() => axisBeforehand("u32", { bins: 65_537, range }), "ERR_LIMIT", "for bins");
    }
  });
});

/** NumPy's range of data, by its definition: least and greatest, a half to each side of a single value, [0, 1] of none. */
function numpyRange(values: readonly number[]): [number, number] {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [0, 1];
  const [lo, hi] = [Math.min(...finite), Math.max(...finite)];
  return lo === hi ? [lo - 0.5, hi + 0.5] : [lo, hi];
}

/** Values one by one into the edges; the last bin is closed. */
function counted(edges: Float64Array, values: readonly number[]): number[] {
  const bins = edges.length - 1;
  const out = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = value === edges[bins] ? bins - 1 : edges.findLastIndex((edge) => edge <= value);
    if (bin >= 0 && bin < bins) out[bin]!++;
  }
  return out;
}

async function checkData(engine: Engine, samples: SampleArray, type: SampleType, options: AxisOptions) {
  const values = Array.from<number>(samples);
  const bins = (options.bins as number | undefined) ?? 256;
  const [lo, hi] = numpyRange(values);
  const h = await engine.histogram(samples, options);
  const spacing = type === "f32" && values.some(Number.isFinite) ? "f32" : "f64";
  const axis: Axis = regularSpaced(bins, lo, hi, spacing);
  expect(h.axis).toEqual(axis);
  expect([...h.edges]).toEqual([...edgesOf(axis, type)]);
  expect([...h.counts]).toEqual(counted(h.edges, values));
  expect(h.sum({ flow: true })).toBe(values.length);
}

describe("a histogram over the range of the data", () => {
  it.each(["u32", "i32"] as const)("is the default of %s, as in NumPy", async (type) => {
    await using engine = await openEngine();
    const { min, max } = SAMPLE_TRAITS[type];
    const next = random(5);
    for (const values of [
      Array.from({ length: 999 }, () => Math.floor(next() * 100)),
      Array.from({ length: 999 }, () => min + Math.floor(next() * (max - min + 1))),
      [min, max],
      [min, min + 1],
      [max - 1, max],
      [min],
      [max, max],
      [7, 7, 7],
      [],
    ]) {
      for (const bins of [undefined, 1, 2, 7, 255, 1000]) {
        await checkData(engine, arrayOf(type, values), type, { bins });
        await checkData(engine, arrayOf(type, values), type, { bins, range: "data" });
      }
    }
  });

  it("ages from 0 to 99 fill all bins from 0 to 99", async () => {
    await using engine = await openEngine();
    const ages = Int32Array.from({ length: 1000 }, (_, i) => i % 100);
    const h = await engine.histogram(ages, { bins: 99 });
    expect([h.edges[0], h.edges[99]]).toEqual([0, 99]);
    expect([...h.counts]).toEqual([...new Array(98).fill(10), 20]);
  });

  it.each(SAMPLE_TYPES)('range: "data" for %s', async (type) => {
    await using engine = await openEngine();
    for (const values of [[3, 9, 9, 100], [5], []]) {
      for (const bins of [undefined, 1, 4, 97]) {
        await checkData(engine, arrayOf(type, values), type, { bins, range: "data" });
      }
    }
    const picture = arrayOf(type, [1, 50, 2, 60, 3, 70]);
    const both = await engine.histograms({ data: picture, channels: 2 }, { bins: 3, range: "data" });
    expect(both.map(({ axis }) => axis)).toMatchObject(Array(2).fill({ lo: 1, hi: 70 }));
    const one = await engine.histogram(
      { data: picture, channels: 2 },
      { bins: 3, range: "data", channel: 1 },
    );
    expect(one.axis).toMatchObject({ lo: 50, hi: 70 });
  });

  it("all values of the type, or a given range, if requested", async () => {
    await using engine = await openEngine();
    const ages = Int32Array.of(1, 2, 3, 250);
    const whole = await engine.histogram(ages, { range: "type", bins: 2 });
    expect([...whole.edges]).toEqual([-(2 ** 31), 0, 2 ** 31]);
    const own = await engine.histogram(ages, { range: [0, 100], bins: 10 });
    expect(own.axis).toEqual(regular(10, 0, 100));
    expect([own.counts[0], own.overflow]).toEqual([3, 1]);
    const of8 = await engine.histogram(Uint8Array.of(1), { range: "type" });
    expect(of8.axis).toEqual(integer(0, 256));
  });

  it("the same with weights", async () => {
    await using engine = await openEngine();
    const ages = Int32Array.of(10, 20, 20, 50);
    const weights = [1, 2, 4, 8];
    for (const [options, lo, hi, sums] of [
      [{}, 10, 50, [7, 8]],
      [{ range: "data" }, 10, 50, [7, 8]],
      [{ range: [0, 100] }, 0, 100, [7, 8]],
      [{ range: "type" }, -(2 ** 31), 2 ** 31, [0, 15]],
    ] as const) {
      const h = await engine.histogram(ages, { weights, bins: 2, ...options });
      expect(h.axis).toMatchObject({ lo, hi });
      expect([...h.sums]).toEqual(sums);
    }
    const message = "either axis or range";
    // @ts-expect-error TypeScript refuses it, too
    const error = await rejectionOf(engine.histogram(ages, { weights, axis: integer(0, 9), range: "data" }));
    expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining(message) });
  });
});

describe("an invalid range", () => {
  it.each([
    [{ axis: integer(0, 2), range: [0, 1] }, "ERR_INPUT", "either axis or range but received both"],
    [{ axis: integer(0, 2), range: "data" }, "ERR_INPUT", "either axis or range but received both"],
    [{ range: "dta" }, "ERR_INPUT", 'two numbers [lo, hi], "data" or "type" for range but received "dta"'],
    [{ range: null }, "ERR_INPUT", "for range but received null"],
    [{ range: 5 }, "ERR_INPUT", "for range but received 5"],
    [{ range: [1] }, "ERR_INPUT", "for range but received a list of 1"],
    [{ range: [0, 1, 50] }, "ERR_INPUT", "for range"],
    [{ range: [2, 1] }, "ERR_AXIS", "above lo (2) for hi but received 1"],
    [{ range: [0, Number.NaN] }, "ERR_AXIS", "a finite number for hi"],
    [{ range: ["0", 1] }, "ERR_AXIS", "a finite number for lo"],
  ])("is refused: %#", async (options, code, message) => {
    const backend = new FakeBackend();
    await using engine = await openEngine({ backend });
    for (const data of [Uint8Array.of(1), Int32Array.of(1), Float32Array.of(1)]) {
      const error = await rejectionOf(engine.histogram(data, options as AxisOptions));
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    }
    expect(backend.record).not.toContain("count");
  });
});

describe("a stream, which is read only once,", () => {
  const stream = (samples: SampleArray): Blob => new Blob([samples as Int32Array<ArrayBuffer>]);

  it.each(WIDE)("of %s needs an axis or a range", async (type) => {
    await using engine = await openEngine();
    const samples = arrayOf(type, [1, 2, 3]);
    for (const range of [undefined, "data"] as const) {
      const error = await rejectionOf(engine.histogram(stream(samples), { type, range }));
      expect(error.code).toBe("ERR_AXIS");
      expect(error.message).toContain(`an axis for a stream of ${type}`);
      expect(error.message).toContain("give an axis or range: [lo, hi]");
      expect(error.message.includes('range: "type"')).toBe(!FLOATS.includes(type));
    }
    const h = await engine.histogram(stream(samples), { type, range: [0, 4], bins: 4 });
    expect([...h.counts]).toEqual([0, 1, 1, 1]);
  });

  it("covers the type if requested, or if the type is narrow", async () => {
    await using engine = await openEngine();
    for (const [type, options] of [
      ["i32", { range: "type" }],
      ["u32", { range: "type" }],
      ["i16", {}],
      ["u8", { range: "type" }],
    ] as readonly [SampleType, { range?: BinRange }][]) {
      const h = await engine.histogram(stream(arrayOf(type, [1, 2])), { type, bins: 2, ...options });
      expect(h.axis).toEqual(wholeRange(type, 2));
      expect(h.sum()).toBe(2);
    }
    const error = await rejectionOf(engine.histogram(stream(Uint8Array.of(1)), { range: "data" }));
    expect(error).toMatchObject({ code: "ERR_AXIS" });
  });
});

it.each([
  ["one value as far as doubles go", Float64Array.of(1e300)],
  ["32-bit floats that are further apart than those go", Float32Array.of(3e38, -3e38)],
])("the range of %s is refused with the data's range", async (_, data) => {
  await using engine = await openEngine();
  const error = await rejectionOf(engine.histogram(data));
  expect(error.code).toBe("ERR_AXIS");
  expect(error.message).toMatch(/^expected data with a range .*; give range: \[lo, hi\]$/);
});

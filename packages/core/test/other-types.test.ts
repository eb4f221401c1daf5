import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  circular,
  cpu,
  type Histogram,
  indices,
  integer,
  openEngine,
  regular,
  type SampleType,
  variable,
} from "../src/index.ts";
import { valueOfHalf } from "../src/input/index.ts";
import { rejectionOf } from "./helpers.ts";

/** Counts by NumPy and by exact integers (vectors/types.py). */
interface Vector {
  readonly type: "f16" | "i64" | "u64";
  readonly samples: "every" | "few" | Words;
  readonly edges: readonly number[];
  readonly closed: boolean;
  readonly counts: readonly number[];
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
}

interface Words {
  readonly seed: number;
  readonly shift: number;
  readonly offset: string;
  readonly near: readonly string[];
}

const { vectors }: { vectors: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("./vectors/types.json", import.meta.url), "utf8"),
);

const engine = await openEngine({ backends: [cpu()] });

function* words(count: number, seed: number): Generator<bigint> {
  let x = BigInt(seed);
  for (let i = 0; i < count; i++) {
    x = BigInt.asUintN(64, 6_364_136_223_846_793_005n * x + 1_442_695_040_888_963_407n);
    yield x;
  }
}

/** Samples of a vector as an array, or as bytes with a type. */
function inputOf({ type, samples }: Vector) {
  if (samples === "every") return halves(Uint16Array.from({ length: 65_536 }, (_, i) => i));
  if (samples === "few") return halves(Uint16Array.from(words(3000, 5), (x) => Number(x >> 48n)));
  const { seed, shift, offset, near } = samples as Words;
  const Integers = type === "i64" ? BigInt64Array : BigUint64Array;
  const all = [...words(2000, seed)].map((x) => (x >> BigInt(shift)) + BigInt(offset));
  return { data: Integers.from([...all, ...near.map(BigInt)]) };
}

const halves = (bits: Uint16Array) => ({ data: new Uint8Array(bits.buffer), type: "f16" as const });

/** The runtime's own array. Node 24 and newer have it. */
const Halves = (
  globalThis as unknown as { Float16Array?: new (of: ArrayBuffer | readonly number[]) => ArrayLike<number> }
).Float16Array;

const numbers = (of: Histogram): number[] => [...of.counts, of.underflow, of.overflow, of.nan];

describe("samples of types that devices do not know", () => {
  for (const [i, vector] of vectors.entries()) {
    it(`vector ${i}, ${vector.type}`, async () => {
      const axis = variable(vector.edges, { closed: vector.closed });
      const input = inputOf(vector);
      const expected = [...vector.counts, vector.underflow, vector.overflow, vector.nan];
      const found = await engine.histogram(input, { axis });
      expect(numbers(found)).toEqual(expected);
      expect([found.type, [...found.edges]]).toEqual([vector.type, vector.edges]);
      const bytes = new Blob([input.data as Uint8Array<ArrayBuffer>]).stream();
      expect(numbers(await engine.histogram(bytes, { axis, type: vector.type }))).toEqual(expected);
      const rows = indices(axis, vector.type === "f16" ? (input as never) : input.data);
      const tally = new Array<number>(expected.length).fill(0);
      for (const row of rows) tally[row]!++;
      expect(tally).toEqual(expected);
    });
  }

  it("f16 comes in the runtime's own array, if it has one", async ({ skip }) => {
    if (Halves === undefined) return skip("this runtime has no Float16Array");
    const samples = new Halves([0.5, 1, 1.5, Number.NaN]) as unknown as Float32Array;
    const found = await engine.histogram(samples, { axis: regular(2, 0, 2) });
    expect([numbers(found), found.type]).toEqual([[1, 2, 0, 0, 1], "f16"]);
  });

  it("f16 has the values of the runtime's own array, if it has one", ({ skip }) => {
    if (Halves === undefined) return skip("this runtime has no Float16Array");
    const own = new Halves(Uint16Array.from({ length: 65_536 }, (_, i) => i).buffer);
    for (let bits = 0; bits < 65_536; bits++) expect(Object.is(valueOfHalf(bits), own[bits])).toBe(true);
  });
});

describe("f16", () => {
  const bits = Uint16Array.of(0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x0001, 0x4200);
  const input = halves(bits); // 0 -0 1 -1 inf -inf NaN NaN 2^-24 3

  it("is counted over every kind of axis", async () => {
    const over = async (axis: Axis) => numbers(await engine.histogram(input, { axis }));
    expect(await over(integer(0, 2))).toEqual([3, 1, 2, 2, 2]);
    expect(await over(regular(2, -1, 3))).toEqual([4, 2, 1, 1, 2]);
    expect(await over(category([3, 0, -1]))).toEqual([1, 2, 1, 0, 6, 0]);
    expect(await over(boolean())).toEqual([2, 6, 0, 0, 2]);
    expect(await over(circular(2, 2))).toEqual([3, 3, 1, 1, 2]);
    expect(await over(variable([-Infinity, 0, Infinity]))).toEqual([2, 6, 0, 0, 2]);
  });

  it("has the range of its finite values by default, in every call", async () => {
    const found = await engine.histogram(input, { bins: 4 });
    expect([...found.edges]).toEqual([-1, 0, 1, 2, 3]);
    expect(numbers(found)).toEqual([1, 3, 1, 1, 1, 1, 2]);
    expect(await engine.extent(input)).toEqual({ min: -1, max: 3 });
    expect((await engine.histogram(input, { bins: "sqrt" })).bins).toBe(3);
    const axis = regular(4, -1, 3);
    const all = [1, 3, 1, 1, 1, 1, 2];
    const resident = await engine.upload(input);
    const ofResident = await engine.histogram(resident, { bins: 4 });
    expect([ofResident.type, numbers(ofResident)]).toEqual(["f16", all]);
    await resident.free();
    await using counter = await engine.prepare({ type: "f16", axis });
    expect(numbers(counter.countSync(input))).toEqual(all);
    await counter.accumulate(input);
    expect(numbers(await counter.take())).toEqual(all);
    const weighed = await engine.histogram(input, { axis, weights: new Float64Array(10).fill(2) });
    expect([...weighed.sums, weighed.nan, weighed.type]).toEqual([2, 6, 2, 2, 2, "f16"]);
    const rows = await engine.segments(input, { every: 5 }, { axis });
    expect([...rows.counts].map(Number)).toEqual([1, 2, 1, 0, 0, 1, 0, 1]);
    expect([rows.type, rows.at(1).nan]).toEqual(["f16", 2]);
    const joint = await engine.joint([input, bits], { axes: [axis, integer(0, 2)] });
    expect([joint.at(1, 0), joint.at(1, 1)]).toEqual([1, 1]);
    const streams = [new Blob([bits]).stream(), input] as const;
    const [first, second] = [{ input: streams[0], type: "f16" as const }, streams[1]];
    const streamed = await engine.joint([first, second], { axes: [axis, axis] });
    expect([streamed.at(1, 1), streamed.at(0, 0), streamed.sum()]).toEqual([3, 1, 6]);
    const mask = Uint8Array.of(1, 1, 0, 0, 0, 0, 0, 0, 1, 0);
    expect(numbers(await engine.histogram(input, { axis, mask }))).toEqual([0, 3, 0, 0, 0, 0, 0]);
  });
});

describe("64-bit integers", () => {
  const big = BigInt64Array.of(0n, -1n, 2n ** 62n, -(2n ** 63n), 2n ** 63n - 1n, 5n, 2n ** 53n + 1n);

  it("are counted exactly over every kind of axis", async () => {
    const over = async (axis: Axis) => numbers(await engine.histogram(big, { axis }));
    expect(await over(integer(-1, 1))).toEqual([1, 1, 1, 4, 0]);
    expect(await over(category([5, 0, -1]))).toEqual([1, 1, 1, 0, 4, 0]);
    expect(await over(boolean())).toEqual([1, 6, 0, 0, 0]);
    expect(await over(circular(4, 4))).toEqual([3, 2, 0, 2, 0, 0, 0]);
    expect(await over(circular(2, 0, 2.5))).toEqual(expect.arrayContaining([0, 0, 0]));
    expect(await over(regular(1, 0, 2 ** 53))).toEqual([2, 2, 3, 0]);
    const all = await engine.histogram(big, { bins: 2 });
    expect(numbers(all)).toEqual([2, 5, 0, 0, 0]);
    expect(await engine.extent(big)).toEqual({ min: -(2 ** 63), max: 2 ** 63 });
    expect(await engine.extent(new BigInt64Array(0))).toEqual({ min: Infinity, max: -Infinity });
    const whole = await engine.histogram(big, { bins: 4, range: "type" });
    expect(numbers(whole)).toEqual([1, 1, 3, 2, 0, 0, 0]);
  });

  it("turn by any period as fractions do", async () => {
    const period = 2.5;
    const axis = circular(5, period);
    const found = await engine.histogram(big, { axis });
    const expected = [0, 0, 0, 0, 0];
    for (const x of big) expected[Number((((2n * x) % 5n) + 5n) % 5n)]!++;
    expect([...found.counts]).toEqual(expected);
  });

  it("go through counters, weights and channels", async () => {
    const axis = regular(2, -10, 10);
    await using counter = await engine.prepare({ type: "i64", axis });
    expect(numbers(await counter.count(big))).toEqual([1, 2, 1, 3, 0]);
    await counter.accumulate(big);
    expect(numbers(await counter.take())).toEqual([1, 2, 1, 3, 0]);
    const weighed = await engine.histogram(big, { axis, weights: [1, 2, 4, 8, 16, 32, 64] });
    expect([...weighed.sums, weighed.flowSums.underflow, weighed.flowSums.overflow]).toEqual([2, 33, 8, 84]);
    const both = await engine.histograms({ data: big.subarray(0, 6), channels: 2 }, { axis });
    expect(both.map(numbers)).toEqual([
      [0, 1, 0, 2, 0],
      [1, 1, 1, 0, 0],
    ]);
    expect((await engine.histogram(big, { bins: "sqrt" })).bins).toBe(3);
  });

  it("go through segments, joint histograms and synchronous calls", async () => {
    const axis = regular(2, -10, 10);
    const rows = await engine.segments(big, { offsets: [0, 3, 7] }, { axis });
    expect([...rows.counts].map(Number)).toEqual([1, 1, 0, 1]);
    expect([...rows.overflow].map(Number)).toEqual([1, 2]);
    const joint = await engine.joint([big, big], { axes: [axis, boolean()] });
    expect([...joint.counts]).toEqual([0, 1, 1, 1]);
    const masked = await engine.histogram(big, { axis, mask: Uint8Array.of(1, 0, 0, 0, 0, 1, 0) });
    expect(numbers(masked)).toEqual([0, 2, 0, 0, 0]);
    const counter = await engine.prepare({ type: "i64", axis });
    expect(numbers(counter.countSync(big))).toEqual([1, 2, 1, 3, 0]);
  });

  it("are rounded down when they are uploaded, which the engine takes into account", async () => {
    const axis = regular(2, -10, 10);
    const resident = await engine.upload(big);
    const found = await engine.histogram(resident, { axis });
    expect([numbers(found), found.type, resident.type]).toEqual([[1, 2, 1, 3, 0], "i64", "f64"]);
    expect(await engine.extent(resident)).toMatchObject({ min: -(2 ** 63) });
    const rows = await engine.segments(resident, { offsets: [0, 3, 7] }, { axis });
    expect([...rows.counts].map(Number)).toEqual([1, 1, 0, 1]);
    const byRule = { bins: "sqrt", range: [-10, 10] } as const;
    expect((await engine.histogram(resident, byRule)).bins).toBe((await engine.histogram(big, byRule)).bins);
    const far = variable([0, 2 ** 53], { closed: false });
    expect(numbers(await engine.histogram(resident, { axis: far }))).toEqual([2, 2, 3, 0]);
    const code = async (over: Axis) => (await rejectionOf(engine.histogram(resident, { axis: over }))).code;
    expect(await code(variable([0, 2 ** 53]))).toBe("ERR_UNSUPPORTED");
    expect(await code(circular(4, 4))).toBe("ERR_UNSUPPORTED");
    await resident.free();
  });

  it("have no range on a device if it ends where f64 loses integers", async () => {
    const resident = await engine.upload(BigUint64Array.of(6_688_210_938_069_926_404n));
    for (const bins of [1, "sqrt"] as const)
      expect(await rejectionOf(engine.histogram(resident, { bins, range: "data" }))).toMatchObject({
        code: "ERR_UNSUPPORTED",
        message: expect.stringContaining("integers were rounded to f64"),
      });
    const empty = await engine.upload(new BigUint64Array(0));
    expect([...(await engine.histogram(empty, { bins: 1, range: "data" })).edges]).toEqual([0, 1]);
    await Promise.all([resident.free(), empty.free()]);
  });

  it("have one range of the data, with a number of bins and with a rule", async () => {
    for (const samples of [
      BigInt64Array.of(0n, 2n ** 60n + 1n),
      BigInt64Array.of(2_881_612_407_397_049_338n),
    ]) {
      const byRule = await engine.histogram(samples, { bins: "sqrt" });
      const byNumber = await engine.histogram(samples, { bins: byRule.bins });
      expect(byRule.overflow).toBe(0);
      expect([[...byRule.edges], numbers(byRule)]).toEqual([[...byNumber.edges], numbers(byNumber)]);
    }
  });
});

it("a type is checked by its name", async () => {
  const wrong = { data: new Uint8Array(8), type: "f8" as SampleType };
  const error = await rejectionOf(engine.histogram(wrong));
  expect(error.message).toContain("u8, i8, u16, i16, u32, i32, f32, f64, f16, i64, u64");
});

it.each([
  ["f64", "i64"],
  ["i64", "f64"],
  ["u64", "i64"],
] as const)("counts %s and then %s over equal axes of one engine", async (...types) => {
  await using engine = await openEngine({ backends: [] });
  for (const type of types) {
    const data =
      type === "f64"
        ? Float64Array.of(1, 5, 9)
        : type === "i64"
          ? BigInt64Array.of(1n, 5n, 9n)
          : BigUint64Array.of(1n, 5n, 9n);
    expect([...(await engine.histogram(data, { axis: regular(3, 0, 9) })).counts], type).toEqual([1, 1, 1]);
    const rows = await engine.segments(data, { every: 1 }, { axis: regular(3, 0, 9) });
    expect([...rows.counts], type).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  }
});

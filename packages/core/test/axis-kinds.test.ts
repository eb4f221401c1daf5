import { describe, expect, it } from "vitest";
import { checkedAxis } from "../src/axis/axis.ts";
import { countedAs, edgesOf, isClosed, isSameAxis } from "../src/axis/index.ts";
import {
  type Axis,
  boolean,
  category,
  circular,
  cpu,
  Histogram,
  indices,
  integer,
  log,
  openEngine,
  power,
  quantiles,
  regular,
  variable,
} from "../src/index.ts";
import { expectError } from "./helpers.ts";

const engine = await openEngine({ backends: [cpu()] });

const KINDS: readonly (readonly [name: string, axis: Axis])[] = [
  ["category of integers", category([7, -3, 0])],
  ["category of strings", category(["a", "b"])],
  ["boolean", boolean()],
  ["circular", circular(5, -1, 2.5)],
  ["circular to -0", circular(4, -1, -0)],
  ["circular from -0", circular(4, -0, 1)],
  ["regular to -0", regular(4, -1, -0)],
  ["variable at -0", variable([-1, -0, 1])],
  ["log", log(4, 1, 16)],
  ["power", power(4, 0, 16, 0.5)],
  ["open regular", regular(3, 0, 1, { closed: false })],
  ["open variable", variable([0, 1, 3], { closed: false })],
  ["infinite variable", variable([-Infinity, 0, Infinity])],
];

describe("kinds of axes", () => {
  it.each(KINDS)("%s survives JSON", (_, axis) => {
    const again = checkedAxis(JSON.parse(JSON.stringify(axis)));
    expect(again).toEqual(axis);
    expect(isSameAxis(again, axis)).toBe(true);
    expect(Object.isFrozen(again)).toBe(true);
    const others = [...KINDS.map(([, other]) => other), integer(0, 3), regular(3, 0, 1), variable([0, 1, 3])];
    for (const other of others) if (other !== axis) expect(isSameAxis(axis, other)).toBe(false);
  });

  it("only the closed last bin is not written", () => {
    expect(regular(1, 0, 1, { closed: true })).toEqual(regular(1, 0, 1));
    expect("closed" in variable([0, 1], { closed: true })).toBe(false);
    expect([regular(1, 0, 1), variable([0, 1]), integer(0, 1)].map(isClosed)).toEqual([true, true, false]);
  });

  it.each([
    [() => category([]), "ERR_AXIS", "at least one integer or string for values"],
    [() => category(null as never), "ERR_AXIS", "at least one integer or string"],
    [() => category([1, 2, 1]), "ERR_AXIS", "an integer that is not listed before for values[2]"],
    [() => category([0, -0]), "ERR_AXIS", "values[1]"],
    [() => category([0.5]), "ERR_AXIS", "an integer that is not listed before for values[0]"],
    [() => category(["a", "a"]), "ERR_AXIS", "a string that is not listed before for values[1]"],
    [() => category(["a", 1] as never), "ERR_AXIS", "a string"],
    [() => category({ length: 65_537 }), "ERR_LIMIT", "at most 65536 bins"],
    [() => circular(0, 1), "ERR_AXIS", "a whole number of at least 1 for bins"],
    [() => circular(32_768, 1), "ERR_LIMIT", "at most 32767 bins of a circular axis"],
    [() => circular(4, 0), "ERR_AXIS", "a number above lo (0) for hi"],
    [() => circular(4, 1, Infinity), "ERR_AXIS", "a finite number for hi"],
    [() => circular(4, 1e16, 1e16 + 2), "ERR_AXIS", "distinct edges"],
    [() => log(2, 0, 1), "ERR_AXIS", "a finite number above 0 for lo"],
    [() => log(2, 1, Infinity), "ERR_AXIS", "a finite number above 0 for hi"],
    [() => log(2, 2, 1), "ERR_AXIS", "a number above lo (2) for hi"],
    [() => log(0, 1, 2), "ERR_AXIS", "for bins"],
    [() => log(65_537, 1, 2), "ERR_LIMIT", "at most 65536"],
    [() => log(3, 1, 1 + 2 ** -52), "ERR_AXIS", "a number above the edge before it"],
    [() => power(2, -1, 1, 2), "ERR_AXIS", "a finite number of at least 0 for lo"],
    [() => power(2, 0, 1, -1), "ERR_AXIS", "a finite number above 0 for a negative exponent for lo"],
    [() => power(2, 0, 1, 0), "ERR_AXIS", "a number with a magnitude from 0.001 to 1000 for exponent"],
    [() => power(2, 0, 1, Number.NaN), "ERR_AXIS", "for exponent"],
    [() => power(2, 0, 1, 1001), "ERR_AXIS", "for exponent"],
    [() => regular(2, 0, 1, { closed: 1 as never }), "ERR_AXIS", "true or false for closed"],
    [() => variable([0, 1], { close: false } as never), "ERR_AXIS", "did you mean closed?"],
    [
      () => checkedAxis({ type: "variable", edges: [0, null, 1] }),
      "ERR_AXIS",
      "a finite number for edges[1]",
    ],
    [() => checkedAxis({ type: "variable", edges: [null, null, 1] }), "ERR_AXIS", "edges[1]"],
    [() => checkedAxis({ type: "category", values: [1], bins: 2 }), "ERR_AXIS", "1, the number"],
    [() => checkedAxis({ type: "boolean", values: [1] }), "ERR_AXIS", "an axis of type boolean"],
    [() => checkedAxis({ type: "log" }), "ERR_AXIS", "import and call the function that creates"],
    [() => checkedAxis({ type: "logs" }), "ERR_AXIS", "variable, category, boolean or circular"],
  ] as const)("wrong argument %# is refused", (make, code, what) => {
    expectError(make, code, what);
  });
});

describe("spaced edges", () => {
  it("are exact where the exact edge is a double", () => {
    expect(log(10, 1, 1024).edges).toEqual(Array.from({ length: 11 }, (_, i) => 2 ** i));
    expect(power(8, 0, 64, 0.5).edges).toEqual(Array.from({ length: 9 }, (_, i) => i * i));
    expect(power(3, 1, 4, 2).edges).toEqual([1, Math.sqrt(6), Math.sqrt(11), 4]);
    expect(power(3, 1, 4, -1).edges).toEqual([1, 4 / 3, 2, 4]);
    expect(log(1, 0.1, 0.3).edges).toEqual([0.1, 0.3]);
  });

  it("round exact ties to even", () => {
    expect(power(4, 0, 0.00001, 1).edges[3]).toBe(0.000007500000000000001);
    expect(power(2, 1, 1 + 3 * 2 ** -52, 1).edges[1]).toBe(1 + 2 ** -51);
    expect(power(4, 1000, 1e300, 0.5).edges[3]).toBe(5.625000000000001e299);
  });

  it("that lie next to a tie by less than any computation shows are no ties", () => {
    // 3 / 4 of it is the middle of two doubles, and the lower one is even.
    const hi = 1 + 3 * 2 ** -52;
    const [even, above] = [0.75 + 2 ** -51, 0.75 + 5 * 2 ** -53];
    const third = (lo: number) => power(4, lo, hi, 1).edges[3];
    expect([0, 2 ** -900, 2 ** -150, 2 ** -140, 2 ** -60].map(third)).toEqual([
      even,
      above,
      above,
      above,
      above,
    ]);
    // 5 / 4 of the low end is the middle of two doubles, and the upper one is even.
    expect(power(5, 1 + 6 * 2 ** -52, 2 ** 900, -1).edges[1]).toBe(1.25 + 7 * 2 ** -52);
  });

  it("reach from the smallest to the largest double", () => {
    const { edges } = log(2098, 2 ** -1074, Number.MAX_VALUE);
    expect(edges).toHaveLength(2099);
    expect(power(5, 2 ** -1074, Number.MAX_VALUE, 0.001).edges.at(-1)).toBe(Number.MAX_VALUE);
  });

  it("of the maximum number of bins ascend", () => {
    expect(log(65_536, 1e-6, 1e6).bins).toBe(65_536);
    expect(power(4096, 0, 1, 1 / 2.2).bins).toBe(4096);
  });
});

describe("an axis that is counted as an ordered one", () => {
  it("of categories has one interval per value and one per gap", () => {
    const axis = category([7, 3, 4]);
    expect(countedAs(axis, "i32")).toEqual({
      axis: variable([3, 4, 5, 7, 8], { closed: false }),
      // 3 | 4 | gap | 7, then underflow, overflow and NaN.
      codes: Uint32Array.of(1, 2, 4, 0, 4, 4, 4),
      type: "i32",
      reduction: null,
    });
    expect(countedAs(axis, "f32").axis.bins).toBe(5);
    expect(countedAs(category([5, 3, 4]), "u32").axis).toEqual(integer(3, 6));
    expect(countedAs(category(["x", "y"]), "u8").axis).toEqual(integer(0, 2));
    expect([...edgesOf(axis, "u8")]).toEqual([0, 1, 2, 3]);
  });

  it("of categories is refused if the intervals are too many for a device", () => {
    const every3rd = category(Uint32Array.from({ length: 40_000 }, (_, i) => 3 * i));
    expectError(() => countedAs(every3rd, "u32"), "ERR_LIMIT", "at most 25536 gaps", "39999");
    expect(countedAs(category(Uint32Array.from({ length: 65_536 }, (_, i) => i)), "u32").axis.bins).toBe(
      65_536,
    );
  });

  it("is itself if it is ordered", () => {
    const axis = regular(3, 0, 1);
    expect(countedAs(axis, "f32")).toEqual({ axis, type: "f32", codes: null, reduction: null });
    expect(countedAs(axis, "f32").axis).toBe(axis);
  });
});

const PIXELS = Uint16Array.of(3, 7, 7, 9, 4, 65_535, 3, 7, 1, 1);

describe("counts over categories", () => {
  const axis = category([7, 3, 1]);

  it("report unknown values as overflow", async () => {
    const found = await engine.histogram(PIXELS, { axis });
    expect([...found.counts, found.underflow, found.overflow, found.nan]).toEqual([3, 2, 2, 0, 3, 0]);
    expect(found.axis).toBe(axis);
    expect([...found.edges]).toEqual([0, 1, 2, 3]);
    expect([...found.density()]).toEqual([3 / 7, 2 / 7, 2 / 7]);
    expect([...indices(axis, PIXELS)]).toEqual([1, 0, 0, 4, 4, 4, 1, 0, 2, 2]);
  });

  it("merge with the same categories only", async () => {
    const one = await engine.histogram(PIXELS, { axis });
    expect([...one.merge(await engine.histogram(PIXELS, { axis: category([7, 3, 1]) })).counts]).toEqual([
      6, 4, 4,
    ]);
    const other = await engine.histogram(PIXELS, { axis: category([7, 3, 2]) });
    expectError(() => one.merge(other), "ERR_AXIS", "the same axis");
    const open = await engine.histogram(PIXELS, { axis: regular(3, 0, 9, { closed: false }) });
    const closed = await engine.histogram(PIXELS, { axis: regular(3, 0, 9) });
    expect([open.overflow, closed.overflow]).toEqual([2, 1]);
    expectError(() => open.merge(closed), "ERR_AXIS", "the same axis");
    expect(Histogram.fromJSON(open.toJSON()).merge(open).overflow).toBe(4);
  });

  it("of segments are grouped too, wherever the rows go", async () => {
    const into = new Uint32Array(9).fill(9);
    const how = { offsets: [0, 3, 8, 10] };
    for (const options of [{ axis }, { axis, into }]) {
      const found = await engine.segments(PIXELS, how, options);
      expect([...found.counts].map(Number)).toEqual([2, 1, 0, 1, 1, 0, 0, 0, 2]);
      expect([...found.overflow].map(Number)).toEqual([0, 3, 0]);
      expect(found.at(1).overflow).toBe(3);
    }
    expect([...into]).toEqual([2, 1, 0, 1, 1, 0, 0, 0, 2]);
    const left = await engine.segments(PIXELS, how, { axis, leave: true });
    const part = await left.read(1, 2);
    expect([...part.counts].map(Number)).toEqual([1, 1, 0, 0, 0, 2]);
    expect([...part.overflow].map(Number)).toEqual([3, 0]);
    await left.read(1, 2, { into: into.subarray(3) });
    expect([...into.subarray(3)]).toEqual([1, 1, 0, 0, 0, 2]);
    await left.free();
  });

  it("of streams, counters and weights are grouped too", async () => {
    const stream = new Blob([PIXELS]).stream();
    const streamed = await engine.histogram(stream, { axis, type: "u16" });
    expect([...streamed.counts, streamed.overflow]).toEqual([3, 2, 2, 3]);
    await using counter = await engine.prepare({ type: "u16", axis });
    await counter.accumulate(PIXELS);
    await counter.accumulate(PIXELS.subarray(0, 3));
    const taken = await counter.take();
    expect([...taken.counts, taken.overflow]).toEqual([5, 3, 2, 3]);
    const [first] = await counter.countAll([PIXELS, PIXELS]);
    expect([...first!.counts, counter.countSync(PIXELS).overflow]).toEqual([3, 2, 2, 3]);
    const weights = Float64Array.from(PIXELS, (_, i) => 2 ** i);
    const weighed = await engine.histogram(PIXELS, { axis, weights });
    expect([...weighed.sums, weighed.flowSums.overflow]).toEqual([
      2 + 4 + 128,
      1 + 64,
      256 + 512,
      8 + 16 + 32,
    ]);
    expect(weighed.overflow).toBe(3);
  });
});

describe("counts around a circle", () => {
  const angles = Float32Array.of(0, 90, -90, 450, 359.99, -0.01, 720, Number.NaN, Infinity, -Infinity);
  const axis = circular(4, -45, 315);
  const expected = [4, 2, 0, 1];

  it("of floats are found in any form", async () => {
    const numbers = (of: Histogram): number[] => [...of.counts, of.underflow, of.overflow, of.nan];
    const all = [4, 2, 0, 1, 1, 1, 1];
    const found = await engine.histogram(angles, { axis });
    expect(numbers(found)).toEqual(all);
    expect([found.type, found.axis]).toEqual(["f32", axis]);
    expect(numbers(await engine.histogram(new Blob([angles]).stream(), { axis, type: "f32" }))).toEqual(all);
    const resident = await engine.upload(angles);
    expect(numbers(await engine.histogram(resident, { axis }))).toEqual(all);
    await resident.free();
    const pixels = { data: Float64Array.from([...angles, ...angles]), channels: 2 };
    const both = await engine.histograms(pixels, { axis });
    expect(both[0]!.sum({ flow: true }) + both[1]!.sum({ flow: true })).toBe(20);
    expect([...both[0]!.counts].map((count, i) => count + both[1]!.counts[i]!)).toEqual(
      expected.map((n) => 2 * n),
    );
    await using counter = await engine.prepare({ type: "f32", axis });
    await counter.accumulate(angles);
    expect(numbers(await counter.count(angles))).toEqual(all);
    expect((await counter.countAll([angles, angles])).map(numbers)).toEqual([all, all]);
    expect(numbers(await counter.take())).toEqual(all);
    expect(numbers(counter.countSync(angles))).toEqual(all);
    const weighed = await engine.histogram(angles, { axis, weights: new Float32Array(10).fill(0.5) });
    expect([...weighed.sums, weighed.nan]).toEqual([2, 1, 0, 0.5, 1]);
    expect([...indices(axis, angles)]).toEqual([0, 1, 3, 1, 0, 0, 0, 6, 5, 4]);
  });

  it("of segments are found too", async () => {
    const rows = await engine.segments(angles, { offsets: [0, 5, 10] }, { axis });
    expect([...rows.counts].map(Number)).toEqual([2, 2, 0, 1, 2, 0, 0, 0]);
    expect([...rows.nan].map(Number)).toEqual([0, 1]);
    const hours = await engine.segments(
      Uint16Array.of(0, 3600, 25, 49),
      { every: 2 },
      { axis: circular(24, 24) },
    );
    expect([hours.at(0).counts[0], hours.at(1).counts[1]]).toEqual([2, 2]);
  });

  it("report progress and abort", async () => {
    const many = new Float64Array(3_000_000);
    const done: number[] = [];
    const found = await engine.histogram(many, { axis, onProgress: (progress) => done.push(progress.done) });
    expect(found.counts[0]).toBe(3_000_000);
    expect(done.at(-1)).toBe(3_000_000);
    const controller = new AbortController();
    const call = engine.histogram(many, {
      axis,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error("enough")),
    });
    await expect(call).rejects.toThrow("enough");
  });

  it("of nothing are empty", async () => {
    const found = await engine.histogram(new Float32Array(0), { axis });
    expect([...found.counts, found.sum({ flow: true })]).toEqual([0, 0, 0, 0, 0]);
  });
});

it("quantiles are closed, and explain shows the caller's axis", async () => {
  expect(isClosed(quantiles(2, [1, 2, 3]))).toBe(true);
  const { axes, plan } = await engine.explain({ type: "u16", samples: 10, axis: category([7, 3]) });
  expect([axes, plan.cells]).toEqual([[category([7, 3])], 3]);
});

describe("joint counts over categories and circles", () => {
  const words = Uint16Array.of(2, 0, 1, 7, 2, 2);
  const hours = Int16Array.of(25, -1, 47, 3, 1, 1);
  const values = Float32Array.of(0, 1, Number.NaN, 5, Infinity, 0.5);
  const axes = [category(["a", "b", "c"]), circular(4, 24), regular(2, 0, 1, { closed: false })];

  it("project to the histograms of their columns", async () => {
    const columns = [words, hours, values];
    const joint = await engine.joint(columns, { axes });
    expect(joint.shape).toEqual([3, 4, 2]);
    for (const [k, axis] of axes.entries()) {
      const one = await engine.histogram(columns[k]!, { axis });
      const projected = joint.project(k) as Histogram;
      expect([...projected.counts]).toEqual([...one.counts]);
      const flow = (of: Histogram) => [of.underflow, of.overflow, of.nan];
      expect(flow(projected)).toEqual(flow(one));
    }
    expect([joint.at(2, 0, 0), joint.at(2, 0, 1), joint.at(0, 3, 1)]).toEqual([1, 1, 0]);
  });

  it("go with masks", async () => {
    const mask = Uint8Array.of(1, 1, 1, 1, 0, 0);
    const found = await engine.histogram(words, { axis: axes[0]!, mask });
    expect([...found.counts, found.overflow, found.masked]).toEqual([1, 1, 1, 1, 2]);
  });

  it("go with a circle of floats, and with weights", async () => {
    const turns = circular(4, 24);
    const joint = await engine.joint([values, words], { axes: [turns, axes[0]!] });
    const one = await engine.histogram(values, { axis: turns });
    expect([...(joint.project(0) as Histogram).counts]).toEqual([...one.counts]);
    const weights = [1, 2, 4, 8, 16, 32];
    const weighed = await engine.joint([values, words], { axes: [turns, axes[0]!], weights });
    expect([...weighed.sums]).toEqual([2, 0, 1 + 32, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("a category axis over floats", () => {
  it.each([[[0, -3]], [[3, -3, -2, -4]], [[5, 6, 7]]])(
    "counts %s and nothing between them",
    async (values) => {
      const samples = [...values, ...values.map((value) => value + 0.5), Number.NaN, -0];
      const h = await engine.histogram(Float32Array.from(samples), { axis: category(values) });
      expect([...h.counts]).toEqual(values.map((value) => (value === 0 ? 2 : 1)));
      expect(h.sum({ flow: true })).toBe(samples.length);
    },
  );
});

import { describe, expect, it } from "vitest";
import {
  type Histogram,
  integer,
  JointHistogram,
  openEngine,
  regular,
  WeightedHistogram,
  WeightedJointHistogram,
} from "../src/index.ts";
import { expectError, rejectionOf } from "./helpers.ts";

const engine = await openEngine();
const n = 101;
const x = Uint8Array.from({ length: n }, (_, i) => (i * 7) % 10);
const weights = Float64Array.from({ length: n }, (_, i) => (i % 5) + 0.25);
const mask = Uint8Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 0 : i));
const codes = Uint8Array.from({ length: n }, (_, i) => i % 4);
const where = Uint32Array.from([0, 5, 5, 100, 7, 1]);
const bits = Uint8Array.from({ length: Math.ceil(n / 8) }, (_, at) => {
  let byte = 0;
  for (let bit = 0; bit < 8; bit++) if (mask[8 * at + bit]) byte |= 1 << bit;
  return byte;
});
const axis = integer(0, 10);

/** Adds up what a plain loop finds, in the order of the samples. */
function expectedOf(selected: readonly number[], add: (i: number) => number): number[] {
  const bins = new Array<number>(10).fill(0);
  for (const i of selected) bins[x[i]!]! += add(i);
  return bins;
}

const all = Array.from({ length: n }, (_, i) => i);
const kept = all.filter((i) => mask[i] !== 0);

describe("a histogram of selected samples", () => {
  it.each([
    ["bytes", mask],
    ["bits", { bits }],
  ])("leaves out what a mask of %s leaves out", async (_, given) => {
    const h = await engine.histogram(x, { axis, mask: given });
    expect([...h.counts]).toEqual(expectedOf(kept, () => 1));
    expect(h.masked).toBe(n - kept.length);
  });

  it("counts a listed sample as often as it is listed, and masks it too", async () => {
    const listed = [...where].filter((i) => mask[i] !== 0);
    const h = await engine.histogram(x, { axis, mask, where });
    expect([...h.counts]).toEqual(expectedOf(listed, () => 1));
    expect(h.masked).toBe(where.length - listed.length);
  });

  it("counts the channels of a picture with one mask", async () => {
    const data = Uint8Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? x[i / 2]! : 9));
    const picture = { data, channels: 2 };
    const done: number[] = [];
    const both = await engine.histograms(picture, { axis, mask, onProgress: (at) => done.push(at.done) });
    expect([...(both[0] as Histogram).counts]).toEqual(expectedOf(kept, () => 1));
    expect((both[1] as Histogram).counts[9]).toBe(kept.length);
    expect(done.every((at) => at <= n)).toBe(true);
  });

  it("adds up the weights of selected samples", async () => {
    const h = await engine.histogram(x, { axis, mask, weights, squares: true });
    expect([...h.sums]).toEqual(expectedOf(kept, (i) => weights[i]!));
    expect([...h.counts!]).toEqual(expectedOf(kept, () => 1));
  });

  it("returns the groups of weighted samples as those of counted ones", async () => {
    const by = { codes, groups: 4 };
    const grouped = await engine.histogram(x, { axis, weights, mask, squares: true, by });
    const counted = await engine.histogram(x, { axis, mask, by });
    expect(grouped.groups).toBe(4);
    expect(grouped.masked).toBe(counted.masked);
    expect(grouped.counts).toEqual(counted.counts);
    for (const [group, one] of [...grouped].entries()) {
      const own = kept.filter((i) => codes[i] === group);
      expect(one).toBeInstanceOf(WeightedHistogram);
      expect(one.counts).toEqual(counted.at(group).counts);
      expect([...one.sums]).toEqual(expectedOf(own, (i) => weights[i]!));
      expect([...one.sumsOfSquares!]).toEqual(expectedOf(own, (i) => weights[i]! ** 2));
      expect([...grouped.joint.sums].slice(10 * group, 10 * group + 10)).toEqual([...one.sums]);
    }
    const all = await engine.histogram(x, { axis, weights, mask });
    expect(grouped.total().sums).toEqual(all.sums);
    expect(grouped.merge(grouped).at(1).sums).toEqual(grouped.at(1).sums.map((sum) => 2 * sum));
    expectError(() => grouped.merge(counted as never), "ERR_INPUT", "a WeightedJointHistogram");
    expectError(() => counted.merge(grouped as never), "ERR_INPUT", "a JointHistogram");
    expect((JointHistogram.fromJSON(grouped.toJSON()) as WeightedJointHistogram).sums).toEqual(
      grouped.joint.sums,
    );
  });

  it("returns the groups of several weighted columns as joint histograms", async () => {
    const by = { codes, groups: 4 };
    const axes = [axis, axis];
    const grouped = await engine.joint([x, x], { axes, weights, by });
    const one = grouped.at(2);
    expect(one).toBeInstanceOf(WeightedJointHistogram);
    expect(one.project(1).sums).toEqual((await engine.histogram(x, { axis, weights, by })).at(2).sums);
    expect(one.sumsOfSquares).toBeNull();
    expect(grouped.total().sums).toEqual((await engine.joint([x, x], { axes, weights })).sums);
  });

  it("takes groups from a plain array, as from a typed one", async () => {
    const plain = await engine.histogram(x, { axis, by: { codes: [...codes], groups: 4 } });
    const typed = await engine.histogram(x, { axis, by: { codes, groups: 4 } });
    expect(plain.counts).toEqual(typed.counts);
  });

  it("adds up weights over more cells than a table of features has", async () => {
    const wide = regular(300, 0, 300);
    const y = Float32Array.from(x, (value) => value * 30);
    const joint = await engine.joint([y, y], { axes: [wide, wide], weights, mask, squares: true });
    expect(joint.plan).toBeNull();
    const sums = expectedOf(kept, (i) => weights[i]!);
    for (const [bin, sum] of sums.entries()) {
      expect(joint.sums[30 * bin * 300 + 30 * bin]).toBe(sum);
    }
    expect(joint.masked).toBe(n - kept.length);
  });
});

describe("a wrong selection", () => {
  const wrong: readonly (readonly [what: string, options: object])[] = [
    ["a mask of the wrong length", { mask: mask.subarray(1) }],
    ["bits of the wrong length", { mask: { bits: bits.subarray(1) } }],
    ["bits that are not bytes", { mask: { bits: new Uint16Array(bits.length) } }],
    ["a mask that is an array", { mask: [1] }],
    ["a mask of floats", { mask: new Float32Array(n) }],
    ["indices that are floats", { where: new Float32Array(1) }],
    ["an index past the end", { where: Uint32Array.of(n) }],
    ["groups without codes", { by: { groups: 2 } }],
    ["codes of the wrong length", { by: { codes: codes.subarray(1), groups: 4 } }],
    ["codes that are floats", { by: { codes: new Float32Array(n), groups: 4 } }],
    ["codes out of range", { by: { codes, groups: 3 } }],
    ["an array with a code that is no integer", { by: { codes: [...codes.slice(1), 0.5], groups: 4 } }],
    ["an array with a code out of range", { by: { codes: [...codes.slice(1), 4], groups: 4 } }],
  ];
  it.each(wrong)("%s is refused, and nothing is counted", async (_, options) => {
    const error = await rejectionOf(engine.histogram(x, { axis, ...options }));
    expect(error).toMatchObject({ code: "ERR_INPUT" });
    expect((error as Error).message).not.toContain("\n");
  });

  it("a misspelled mask gets the name that it may have meant", async () => {
    const misspelled = engine.histogram(x, { axis, mask: { bit: bits } as never });
    expect(await rejectionOf(misspelled)).toMatchObject({
      code: "ERR_INPUT",
      message: "did you mean bits? received bit but expected one of bits, data in mask",
    });
  });

  it("more groups than cells may be are refused", async () => {
    const request = engine.histogram(x, { axis, by: { codes, groups: 2 ** 27 } });
    expect(await rejectionOf(request)).toMatchObject({ code: "ERR_LIMIT" });
  });
});

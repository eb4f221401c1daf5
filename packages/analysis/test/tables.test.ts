import { describe, expect, test } from "vitest";
import type { Levels, Table } from "../src/index.ts";
import { applyTable, equalize, gamma, match, stretch } from "../src/index.ts";
import { bytes, codeOf, range, sha256, stored, vectors } from "./vectors.ts";

/** Pairs of a value and what it becomes. */
type Pairs = readonly number[];

interface Case {
  readonly name: string;
  readonly reference: string;
  readonly equalize: Pairs;
  readonly match: Pairs;
  readonly "stretch 0 100": Pairs;
  readonly "stretch 1 99": Pairs;
  readonly "stretch 2.5 80": Pairs;
}
interface Powers {
  readonly gamma: number;
  readonly u8: readonly number[];
  readonly half: readonly number[];
  readonly u16: { readonly sha256: string; readonly every257: readonly number[] };
}

const { cases, gamma: powers } = vectors<{
  readonly cases: readonly Case[];
  readonly gamma: readonly Powers[];
}>("tables");

/** The entries of the values that the vectors have. */
function entries(table: Table, pairs: Pairs): number[] {
  return pairs.map((number, i) => (i % 2 === 0 ? number : table[pairs[i - 1]!]!));
}

describe.for(cases)("$name", (one) => {
  const histogram = stored(one.name);

  test("equalize, as OpenCV", () => {
    expect(entries(equalize(histogram), one.equalize)).toEqual(one.equalize);
  });

  test.for([
    [0, 100],
    [1, 99],
    [2.5, 80],
  ] as const)("stretch %d to %d, as scikit-image", ([low, high]) => {
    const pairs = one[`stretch ${low} ${high}` as "stretch 0 100"];
    expect(entries(stretch(histogram, { low, high }), pairs)).toEqual(pairs);
  });

  test("match, as scikit-image", () => {
    expect(entries(match(histogram, stored(one.reference)), one.match)).toEqual(one.match);
  });
});

test.for(powers)("gamma $gamma, as scikit-image", (one) => {
  expect([...gamma(one.gamma)]).toEqual(one.u8);
  expect([...gamma(one.gamma, { gain: 0.5 })]).toEqual(one.half);
  const wide = gamma(one.gamma, { bits: 16 }) as Uint16Array;
  expect(range(256).map((i) => wide[i * 257])).toEqual(one.u16.every257);
  expect(sha256(wide)).toBe(one.u16.sha256);
});

test("gamma: gains above 1 end at the largest value", () => {
  expect(gamma(1, { gain: 3 })[255]).toBe(255);
  expect(gamma(1, { gain: 3, bits: 16 })[65_535]).toBe(65_535);
  for (const call of [
    () => gamma(-1),
    () => gamma(Number.NaN),
    () => gamma(1, { bits: 12 as 8 }),
    () => gamma(1, { gain: -1 }),
    () => gamma(1, { depth: 8 } as object),
  ]) {
    expect(codeOf(call)).toBe("ERR_INPUT");
  }
});

test("a picture of one value keeps it", () => {
  const one = bytes({ 77: 12 });
  expect(equalize(one)[77]).toBe(77);
  expect(stretch(one)[77]).toBe(77);
});

test("more samples than 32 bits hold", () => {
  const many = bytes({ 0: 2 ** 40, 128: 2 ** 40, 255: 2 ** 40 });
  expect([0, 128, 255].map((value) => equalize(many)[value])).toEqual([0, 128, 255]);
  expect([0, 128, 255].map((value) => stretch(many)[value])).toEqual([0, 128, 255]);
  expect([0, 128, 255].map((value) => match(many, many)[value])).toEqual([0, 128, 255]);
});

test("only bins with one value each have tables", () => {
  const other = { counts: [1, 2], edges: [0, 128, 256] };
  const shifted = { counts: new Float64Array(256).fill(1), edges: range(257).map((edge) => edge - 128) };
  const named = { ...bytes({ 1: 1 }), axis: { type: "category" } };
  for (const wrong of [other, shifted, named]) {
    for (const call of [equalize, stretch, (h: Levels) => match(h, bytes({ 1: 1 }))]) {
      expect(codeOf(() => call(wrong))).toBe("ERR_AXIS");
    }
  }
  expect(codeOf(() => match(bytes({ 1: 1 }), stored("16 bits, tail")))).toBe("ERR_AXIS");
  for (const call of [equalize, stretch]) expect(codeOf(() => call(bytes({})))).toBe("ERR_INPUT");
  expect(codeOf(() => equalize(bytes({ 3: -1 })))).toBe("ERR_INPUT");
  expect(codeOf(() => stretch(bytes({ 3: 1 }), { low: 50, high: 50 }))).toBe("ERR_INPUT");
  expect(codeOf(() => stretch(bytes({ 3: 1 }), { high: 101 }))).toBe("ERR_INPUT");
});

describe("applyTable", () => {
  const negative = Uint8Array.from(range(256), (value) => 255 - value);

  test("all channels, or one, into a new array or an old one", () => {
    const pixels = Uint8Array.of(0, 1, 2, 250, 251, 252);
    expect([...applyTable(pixels, negative)]).toEqual([255, 254, 253, 5, 4, 3]);
    expect([...applyTable(pixels, negative, { channels: 3, channel: 1 })]).toEqual([0, 254, 2, 250, 4, 252]);
    const into = new Uint8Array(6);
    expect(applyTable(pixels, negative, { into })).toBe(into);
    expect([...into]).toEqual([255, 254, 253, 5, 4, 3]);
    expect(applyTable(pixels, negative, { into: pixels })).toBe(pixels);
    expect([...pixels]).toEqual([255, 254, 253, 5, 4, 3]);
  });

  test("16 bits, views and nothing", () => {
    const wide = gamma(2, { bits: 16 }) as Uint16Array;
    const samples = Uint16Array.of(9, 0, 65_535).subarray(1);
    expect([...applyTable(samples, wide)]).toEqual([0, 65_535]);
    expect(applyTable(new Uint8Array(0), negative).length).toBe(0);
  });

  test("wrong input", () => {
    const pixels = new Uint8Array(6);
    const wide = new Uint16Array(65_536);
    for (const call of [
      () => applyTable(pixels as Table, wide),
      () => applyTable(pixels, negative.subarray(1)),
      () => applyTable(new Float32Array(3) as unknown as Uint8Array, negative),
      () => applyTable(pixels, negative, { channels: 3, channel: 3 }),
      () => applyTable(pixels, negative, { into: new Uint8Array(5) }),
      () => applyTable(pixels, negative, { channel: 0.5 }),
    ]) {
      expect(codeOf(call)).toBe("ERR_INPUT");
    }
  });
});

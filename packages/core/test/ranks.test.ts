import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { integer, type OrderedAxis, regular, variable } from "../src/axis/axis.ts";
import { arrayOver, bitsOf, SAMPLE_TRAITS, type SampleArray } from "../src/input/sample-types.ts";
import { affineOf, affineRank } from "../src/lowering/affine.ts";
import { type Lowering, lower, lowerInto } from "../src/lowering/lowering.ts";
import { lookupSizeOf, type RankedType, type Ranks, rankOf, ranksOf } from "../src/lowering/ranks.ts";

const TYPES: readonly RankedType[] = ["u16", "i16", "u32", "i32", "f32", "f64"];

/** Order-preserving keys of samples, straight from their bits. */
function keysOf(type: RankedType, array: SampleArray): bigint[] {
  const { bytes, integer: isInteger, min } = SAMPLE_TRAITS[type];
  const bits = bitsOf(array);
  const sign = 1n << BigInt(8 * bytes - 1);
  return Array.from({ length: array.length }, (_, i) => {
    const raw = bytes === 8 ? (BigInt(bits[2 * i + 1]!) << 32n) | BigInt(bits[2 * i]!) : BigInt(bits[i]!);
    if (isInteger) return min < 0 ? raw ^ sign : raw;
    return raw & sign ? raw ^ (2n * sign - 1n) : raw | sign;
  });
}

/** The code that a rank stands for; NaN is told by the sample. */
function codesOf(lowering: Lowering, ranks: Ranks, array: SampleArray): number[] {
  const { bins } = lowering;
  return keysOf(ranks.type, array).map((key, i) => {
    if (Number.isNaN(array[i])) return bins + 2;
    const rank = rankOf(ranks, key);
    return rank === 0 ? bins : rank <= bins ? rank - 1 : bins + 1;
  });
}

function expectSameCodes(axis: OrderedAxis, type: RankedType, values: readonly number[]): void {
  const lowering = lower(axis, type);
  if (ranksOf(lowering) === null) {
    // Codes are found without ranks.
    expect(lowering.kind).not.toBe("keys");
    return;
  }
  const array = arrayOver(type, new Uint8Array(values.length * SAMPLE_TRAITS[type].bytes));
  values.forEach((value, i) => {
    array[i] = value;
  });
  const codes = new Uint32Array(values.length);
  lowerInto(lowering, array, 0, 1, codes);
  for (const doubles of [true, false]) {
    expect(codesOf(lowering, ranksOf(lowering, { doubles })!, array)).toEqual([...codes]);
  }
}

it("f64 samples are guessed by their keys on a device without 64-bit floats, and other types as usual", () => {
  const axis = regular(100, -1, 1);
  const wide = lower(axis, "f64");
  expect(ranksOf(wide)!.guess.kind).toBe("line");
  // By the high words, made into 32-bit floats where these tell the edges apart.
  expect(ranksOf(wide, { doubles: false })).toMatchObject({
    steps: 1,
    guess: { kind: "line", narrow: true },
  });
  expect(ranksOf(wide)!.guess).toMatchObject({ narrow: false });
  expect(lookupSizeOf(wide, { doubles: false })!.starts).toBe(0);
  const close = lower(regular(100, 1, 1 + 2 ** -30), "f64");
  expect(ranksOf(close, { doubles: false })!.guess.kind).toBe("keys");
  expect(lookupSizeOf(close, { doubles: false })!.starts).toBeGreaterThan(0);
  const single = lower(axis, "f32");
  expect(ranksOf(single, { doubles: false })).toBe(ranksOf(single));
});

/** Values on, beside and between edges, at the ends of the type, and what is no number. */
function interesting(axis: OrderedAxis, type: RankedType): number[] {
  const { integer: isInteger, min, max } = SAMPLE_TRAITS[type];
  const edges =
    axis.type === "variable"
      ? axis.edges
      : axis.type === "integer"
        ? [axis.start, axis.stop]
        : Array.from({ length: axis.bins + 1 }, (_, i) => axis.lo + (i * (axis.hi - axis.lo)) / axis.bins);
  const near = edges.flatMap((edge) => [
    edge,
    edge - 1,
    edge + 1,
    edge * (1 + 2 ** -23),
    edge * (1 - 2 ** -23),
  ]);
  if (isInteger) return [...near.map(Math.round), min, max, 0].filter((x) => x >= min && x <= max);
  return [
    ...near,
    0,
    -0,
    Infinity,
    -Infinity,
    Number.NaN,
    Number.MIN_VALUE,
    -Number.MIN_VALUE,
    1e-40,
    3e38,
    -3e38,
  ];
}

const AXES: readonly OrderedAxis[] = [
  integer(0, 256),
  integer(-5, 3),
  integer(65_000, 70_000),
  regular(1, 0, 1),
  regular(10, 0, 1),
  regular(10, 0, 10),
  regular(256, 0, 65_536),
  regular(1024, 0, 65_536),
  regular(1000, 100, 60_000),
  regular(100, -1000.5, 1000.25),
  regular(256, -1, 1),
  regular(4, -3e38, 3e38),
  regular(65_536, 0, 65_536),
  variable([0, 1]),
  variable([0, 1, 10, 100, 1000, 1e4, 1e5, 1e6]),
  variable([-7, -6.5, 0, 1e-3, 5, 5.25, 5.5, 60_000]),
  variable(Array.from({ length: 257 }, (_, i) => 2 ** (-20 + (20 * i) / 256))),
  variable(Array.from({ length: 301 }, (_, i) => (i / 300) ** 3 * 50_000)),
  variable([...Array.from({ length: 600 }, (_, i) => 1 + i * 2 ** -20), 1e6]),
];

describe("ranks equal codes", () => {
  for (const type of TYPES) {
    it.each(AXES.map((axis, i) => [i, axis] as const))(`${type}, axis %i`, (_, axis) => {
      try {
        lower(axis, type);
      } catch {
        return expect(type).toBe("f32");
      }
      expectSameCodes(axis, type, interesting(axis, type));
    });
  }

  it("every 16-bit sample, evenly spaced edges of any width", () => {
    const all = Array.from({ length: 65_536 }, (_, i) => i);
    for (const [bins, lo, hi] of [
      [7, 0, 65_536],
      [1000, 100, 60_000],
      [1000, 0, 1001],
      [333, 1.5, 64_000.75],
      [100, 0, 1000],
    ] as const) {
      expectSameCodes(regular(bins, lo, hi), "u16", all);
      expectSameCodes(
        regular(bins, lo - 32_768, hi - 32_768),
        "i16",
        all.map((x) => x - 32_768),
      );
    }
  });

  it("one multiplication and one shift give the same, including flow, if there is a scale", () => {
    const axes = [
      [1024, 0, 65_536],
      [1000, 100, 60_000],
      [100, 0, 1000],
      [700, 10, 65_000],
      [4096, 0, 65_536],
      [20_000, 0, 65_535],
      [1024, 0, 4096],
    ] as const;
    for (const [bins, lo, hi] of axes) {
      for (const [type, by] of [
        ["u16", 0],
        ["i16", 32_768],
      ] as const) {
        const ranks = ranksOf(lower(regular(bins, lo - by, hi - by), type))!;
        expect(ranks.scale).not.toBeNull();
        const affine = affineOf(ranks)!;
        expect(affine, `${bins}, ${lo}, ${hi}`).not.toBeNull();
        expect(affine.top - affine.base).toBeLessThan(2 ** 16);
        const most = (affine.top - affine.base) * affine.scale + affine.offset;
        expect(most).toBeLessThan(affine.shift === 32 ? 2 ** 48 : 2 ** 32);
        let wrong = 0;
        for (let key = 0; key < 65_536; key++) {
          wrong += Number(affineRank(affine, key) !== rankOf(ranks, BigInt(key)));
        }
        expect(wrong, `${bins}, ${lo}, ${hi}`).toBe(0);
      }
    }
    expect(affineOf(ranksOf(lower(regular(1024, 0, 65_536), "u16"))!)!.shift).toBeLessThan(32);
    expect(affineOf(ranksOf(lower(variable([0, 1, 10, 100]), "u16"))!)).toBeNull();
  });

  it("any edges, any floats", () => {
    const edge = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        fc.uniqueArray(edge, { minLength: 2, maxLength: 40 }),
        fc.array(fc.double()),
        (given, values) => {
          for (const [type, round] of [
            ["f64", (x: number) => x],
            ["f32", Math.fround],
          ] as const) {
            const rounded = given.map(round).filter(Number.isFinite);
            // A Set takes both zeros for one.
            const edges = [...new Set(rounded)].sort((a, b) => a - b);
            if (edges.length > 1) expectSameCodes(variable(edges), type, [...values, ...edges]);
          }
        },
      ),
    );
  });
});

describe("the search for ranks", () => {
  const of = (axis: OrderedAxis, type: RankedType) => ranksOf(lower(axis, type))!;

  it("evenly spaced edges: the cell is the rank or one less, also for variable edges", () => {
    const even = variable(Array.from({ length: 257 }, (_, i) => i / 256));
    for (const axis of [regular(256, 0, 1), even]) {
      expect(of(axis, "f32")).toMatchObject({ steps: 1, guess: { kind: "line", starts: null, cells: 256 } });
    }
  });

  it("edges of equal ratios are searched by magnitude, others along a line", () => {
    const ratios = variable(Array.from({ length: 257 }, (_, i) => 2 ** (-20 + (20 * i) / 256)));
    expect(of(ratios, "f32").guess.kind).toBe("keys");
    const squares = variable(Array.from({ length: 257 }, (_, i) => (i / 256) ** 2));
    expect(of(squares, "f32")).toMatchObject({ guess: { kind: "line" } });
    expect(of(squares, "f32").guess.starts).not.toBeNull();
  });

  it("a range too wide or too narrow for 32-bit arithmetic does not use a line", () => {
    expect(of(regular(4, -3e38, 3e38), "f32").guess.kind).toBe("keys");
    expect(of(regular(4, 0, 1e-35), "f64").guess.kind).toBe("keys");
  });

  it("16-bit samples and evenly spaced edges need no lookup, closed ends do", () => {
    expect(of(regular(1024, 0, 65_536), "u16").scale).toBe(2 ** 26);
    expect(lookupSizeOf(lower(regular(1024, 0, 65_536), "u16"))).toBeNull();
    expect(of(regular(1000, -20_000, 20_000), "i16").scale).not.toBeNull();
    expect(of(variable([0, 1, 10, 100]), "u16").scale).toBeNull();
  });

  it("8-bit samples and integers counted directly have no ranks", () => {
    expect(ranksOf(lower(regular(3, 0, 256), "u8"))).toBeNull();
    expect(ranksOf(lower(integer(0, 1024), "u16"))).toBeNull();
  });

  it("lookup size: keys, thresholds and starts", () => {
    expect(lookupSizeOf(lower(regular(256, 0, 1), "f64"))).toEqual({
      keyBytes: 8,
      thresholds: 257,
      starts: 0,
    });
    expect(lookupSizeOf(lower(variable([0, 1, 10, 100]), "u32"))).toEqual({
      keyBytes: 4,
      thresholds: 4,
      starts: 513,
    });
  });
});

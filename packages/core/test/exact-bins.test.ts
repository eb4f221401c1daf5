import { describe, expect, it } from "vitest";
import { countedAs } from "../src/axis/index.ts";
import {
  type Axis,
  boolean,
  category,
  circular,
  indices,
  integer,
  isPolybinError,
  log,
  power,
  regular,
  type SampleType,
  variable,
} from "../src/index.ts";
import { arrayOver, INPUT_TYPES, type SampleArray } from "../src/input/index.ts";
import { lower, lowerInto, reduced } from "../src/lowering/index.ts";
import { exactCodes, type Sample, samplesNear, unitsOf } from "./exact-bins.ts";
import { random } from "./helpers.ts";

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/** Converts samples to the type, as an assignment to its array does, and returns the array and what it holds. */
function held(
  type: SampleType,
  given: readonly Sample[],
): { readonly array: SampleArray; readonly samples: Sample[] } {
  if (type === "i64" || type === "u64") {
    const array = (type === "i64" ? BigInt64Array : BigUint64Array).from(given as bigint[]);
    return { array: array as unknown as SampleArray, samples: [...array] };
  }
  if (type === "f16") {
    const array = Uint16Array.from({ length: 65_536 }, (_, bits) => bits);
    return { array, samples: [...arrayOver("f16", new Uint8Array(array.buffer))] };
  }
  const array = ARRAYS[type].from(given as number[]);
  return { array, samples: [...array] };
}

/** The codes of samples by the lowering that devices count with. */
function loweredCodes(axis: Axis, type: SampleType, array: SampleArray): Uint32Array {
  const of = countedAs(axis, type);
  const run = of.reduction === null ? array : reduced(array, of.reduction);
  const out = new Uint32Array(run.length);
  lowerInto(lower(of.axis, of.type), run, 0, 1, out);
  return of.codes === null ? out : out.map((code) => of.codes![code]!);
}

function wrongCodes(axis: Axis, type: SampleType, seed: number): unknown[] {
  const { array, samples } = held(type, samplesNear(axis, type, seed));
  const direct = type === "f16" ? null : indices(axis, array);
  const exactCode = exactCodes(axis, type);
  const wrong: unknown[] = [];
  for (const [i, code] of loweredCodes(axis, type, array).entries()) {
    // All bits of f16 take long with large integers.
    if (type === "f16" && i % 61 !== seed % 61) continue;
    const exact = exactCode(samples[i]!);
    if (code !== exact || (direct !== null && direct[i] !== exact))
      wrong.push([String(samples[i]), code, direct?.[i], exact]);
  }
  return wrong.slice(0, 3);
}

const any = (next: () => number, decades: number): number =>
  (next() - 0.5) * 10 ** ((next() - 0.5) * decades);
const sorted = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const KINDS: Readonly<Record<string, (next: () => number) => Axis>> = {
  integer: (next) => {
    const start = Math.round(any(next, 30) % 2 ** 52);
    return integer(start, start + 1 + Math.floor(300 * next()));
  },
  regular: (next) => {
    const [lo, hi] = sorted([any(next, 40), any(next, 40)]);
    return regular(1 + Math.floor(50 * next()), lo!, hi!, { closed: next() < 0.5 });
  },
  variable: (next) => {
    const ends = [next() < 0.3 ? -Infinity : any(next, 20), next() < 0.3 ? Infinity : any(next, 20)];
    return variable(sorted([...ends, ...Array.from({ length: 9 }, () => any(next, 20))]), {
      closed: next() < 0.5,
    });
  },
  log: (next) => log(1 + Math.floor(20 * next()), 10 ** -(300 * next()), 10 ** (300 * next())),
  power: (next) =>
    power(
      1 + Math.floor(20 * next()),
      0,
      10 ** (40 * next() - 20),
      [1, 2, 0.5, 100, 0.01][Math.floor(5 * next())]!,
    ),
  category: (next) =>
    category(sorted(Array.from({ length: 9 }, () => Math.round(any(next, 12)))).sort(() => next() - 0.5)),
  "category of strings": (next) => category(["a", "b", "c", "d"].slice(0, 1 + Math.floor(4 * next()))),
  boolean: () => boolean(),
  "circular from 0": (next) => circular(1 + Math.floor(20 * next()), 2 ** (126 * next() - 40)),
  "circular with an offset": (next) => {
    const [lo, hi] = sorted([any(next, 12), any(next, 12)]);
    return circular(1 + Math.floor(20 * next()), lo!, hi!);
  },
  "circular of extreme periods": (next) =>
    circular(1 + Math.floor(5 * next()), 10 ** (next() < 0.5 ? -300 - 20 * next() : 15 + 290 * next())),
  "circular of powers of two": (next) =>
    circular(1 + Math.floor(8 * next()), 2 ** Math.round(45 + 20 * next())),
};

describe.each(Object.entries(KINDS))("%s", (_, make) => {
  it.each(INPUT_TYPES)("%s samples at and next to the edges have the exact bin", (type) => {
    for (let seed = 0; seed < 3; seed++) {
      const axis = valid(make, seed, type);
      expect({ axis, wrong: wrongCodes(axis, type, seed) }).toEqual({ axis, wrong: [] });
    }
  });
});

/** Makes axes until one has distinct edges in the precision of the samples. */
function valid(make: (next: () => number) => Axis, seed: number, type: SampleType): Axis {
  const next = random(seed);
  for (;;) {
    try {
      const axis = make(next);
      const of = countedAs(axis, type);
      lower(of.axis, of.type);
      return axis;
    } catch (error) {
      if (!isPolybinError(error) || (error.code !== "ERR_AXIS" && error.code !== "ERR_LIMIT")) throw error;
    }
  }
}

describe("spaced edges are the f64s nearest to the exact ones", () => {
  /** Whether an exact ratio lies between the middles to the neighbours of an edge, compared after `of`. */
  function isNearest(edge: number, of: (x: bigint) => readonly [bigint, bigint]): boolean {
    const at = unitsOf(edge) * 2n;
    const up = new Float64Array([edge]);
    new BigInt64Array(up.buffer)[0]! += 1n;
    const down = new Float64Array([edge]);
    new BigInt64Array(down.buffer)[0]! -= 1n;
    const [low, high] = [(at + unitsOf(down[0]!) * 2n) / 2n, (at + unitsOf(up[0]!) * 2n) / 2n];
    const [below, exact] = of(low);
    const [above] = of(high);
    return below <= exact && exact <= above;
  }

  it.each([1, 2, 3])("of power %d", (exponent) => {
    const p = BigInt(exponent);
    for (let seed = 0; seed < 40; seed++) {
      const next = random(seed);
      const decades = seed % 2 ? 5 : 150;
      const hi = 10 ** ((2 * next() - 1) * decades);
      const lo = seed % 3 === 0 ? 0 : hi * next();
      const bins = 2 + Math.floor(9 * next());
      const { edges } = power(bins, lo, hi, exponent);
      for (let i = 1; i < bins; i++) {
        const exact = (2n * unitsOf(lo)) ** p * BigInt(bins - i) + (2n * unitsOf(hi)) ** p * BigInt(i);
        expect([lo, hi, bins, i, isNearest(edges[i]!, (x) => [x ** p * BigInt(bins), exact])]).toEqual([
          lo,
          hi,
          bins,
          i,
          true,
        ]);
      }
    }
  });

  it("of the square root, from 0 on", () => {
    for (const hi of [3e-300, 1e-136, 1e-20, 0.7, 12, 1e20, 1e300]) {
      const { edges } = power(6, 0, hi, 0.5);
      for (let i = 1; i < 6; i++) {
        const exact = 2n * unitsOf(hi) * BigInt(i) ** 2n;
        expect(isNearest(edges[i]!, (x) => [x * 36n, exact])).toBe(true);
      }
    }
  });

  it("of the logarithm", () => {
    for (const [lo, hi] of [
      [5e-324, Number.MAX_VALUE],
      [1e-300, 1e-299],
      [0.1, 1e9],
      [1e300, 1.7e308],
    ] as const) {
      const { edges } = log(5, lo, hi);
      for (let i = 1; i < 5; i++) {
        const exact = (2n * unitsOf(lo)) ** BigInt(5 - i) * (2n * unitsOf(hi)) ** BigInt(i);
        expect(isNearest(edges[i]!, (x) => [x ** 5n, exact])).toBe(true);
      }
    }
  });

  it.each([
    [1e-136, 1],
    [0.01, 100],
    [1e-134, 1],
    [1e-300, 3],
    [0.5, 1000],
    [1e-300, 1000],
    [1e300, 1000],
    [5e-324 * 64, 1],
  ])("of power(4, 0, %d, %d), which returns", (hi, exponent) => {
    const { edges } = power(4, 0, hi, exponent);
    // Beside the end, a power of a fraction of it: hi (i / 4)^(1 / exponent).
    for (const i of [1, 2, 3]) expect(edges[i]! / (hi * (i / 4) ** (1 / exponent))).toBeCloseTo(1, 9);
  });
});

it("a circle of the largest period puts samples next to an edge into their bins", () => {
  const near = [
    [circular(16, 0, Number.MAX_VALUE), -1.2359140302178422e308, 4],
    [circular(7, 0, Number.MAX_VALUE), -1.0272532199213233e308, 2],
  ] as const;
  for (const [axis, sample, bin] of near) {
    expect(exactCodes(axis, "f64")(sample)).toBe(bin);
    expect([...indices(axis, Float64Array.of(sample))]).toEqual([bin]);
  }
});

describe("circular axes over 64-bit integers", () => {
  it("of a tiny period return", () => {
    expect([...indices(circular(1, 2.3e-308), BigInt64Array.of(5n, -(2n ** 62n) - 1n))]).toEqual([0, 0]);
    expect([...indices(circular(1, 5e-324), BigUint64Array.of(2n ** 64n - 1n))]).toEqual([0]);
  });

  it("of a period past 2^53 put samples into their bins", () => {
    const axis = circular(4, 2 ** 62);
    const samples = [
      0n,
      2n ** 60n - 1n,
      2n ** 60n,
      2n ** 62n - 1n,
      2n ** 62n,
      -1n,
      -(2n ** 60n),
      2n ** 63n - 1n,
    ];
    expect([...indices(axis, BigInt64Array.from(samples))]).toEqual([0, 0, 1, 3, 0, 3, 3, 3]);
  });
});

import { describe, expect, it } from "vitest";
import { WEIGHTED_SLUGS } from "../src/algorithms/choice/slugs.ts";
import { cpu } from "../src/cpu/cpu.ts";
import type { Engine } from "../src/engine/engine/engine.ts";
import { openEngine } from "../src/engine/open.ts";
import type { SumsOptions } from "../src/engine/options/weighting-options.ts";
import { WEIGHT_LOSS } from "../src/weights/limits.ts";
import type { Weights } from "../src/weights/weights.ts";
import { random, rejectionOf, weighing } from "./helpers.ts";

const engine = await openEngine();

/** A double as a whole number of 2^-1074. */
function unitsOf(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
  const exponent = (bits >> 52n) & 2047n;
  const fraction = bits & (2n ** 52n - 1n);
  const size = exponent === 0n ? fraction : (fraction | (2n ** 52n)) << (exponent - 1n);
  return bits >> 63n ? -size : size;
}

/** Exact sums of some documents, in units of 2^-1074; of squares in units of 2^-2148. */
function exact(
  row: ArrayLike<number>,
  bins: number,
  weights: Weights,
  power: 1 | 2,
  documents: Iterable<number>,
) {
  const out = new Array<bigint>(bins).fill(0n);
  for (const i of documents) out[row[i]!]! += unitsOf(weights[i]!) ** BigInt(power);
  return out;
}

const DOCUMENTS = 5003;
const BINS = [3, 40];

async function made(on: Engine = engine, documents: number = DOCUMENTS) {
  const next = random(documents);
  const rows = BINS.map((bins) =>
    Uint8Array.from({ length: documents }, () => Math.floor(next() ** 2 * bins)),
  );
  const values = new Uint8Array(BINS.length * documents);
  rows.forEach((row, i) => {
    values.set(row, i * documents);
  });
  return { rows, table: await on.table({ values, features: BINS.length, documents, bins: BINS }) };
}

const weightsOf = (n: number, size: (next: () => number) => number) => {
  const next = random(n);
  return Float64Array.from({ length: n }, () => size(next));
};
const gauss = weightsOf(DOCUMENTS, (next) => next() + next() + next() - 1.5);
const WEIGHTS: Readonly<Record<string, Weights>> = {
  "32-bit floats": new Float32Array(gauss),
  "doubles, which become 32-bit floats": gauss,
  "numbers that are such": [...new Float32Array(gauss)],
  "large and small": new Float32Array(weightsOf(DOCUMENTS, (next) => (next() - 0.5) * 10 ** (3 * next()))),
  ones: new Float32Array(DOCUMENTS).fill(1),
  denormals: new Float32Array(weightsOf(DOCUMENTS, (next) => next() * 1e-42)),
};
const thirds = Uint32Array.from({ length: 1600 }, (_, i) => 3 * i + 1);
const CALLS: readonly SumsOptions[] = [
  {},
  { limbs: 1 },
  { limbs: 2 },
  { limbs: 2, documents: thirds },
  { documents: thirds },
  { limbs: 2, counts: false },
  { counts: false },
  { limbs: 2, skip: true },
  { limbs: 2, skip: true, documents: thirds },
];

describe("maxError", () => {
  for (const [what, weights] of Object.entries(WEIGHTS)) {
    it(`is a bound of the sums of ${what}`, async () => {
      const { rows, table } = await made();
      for (const options of CALLS) {
        const got = await table.sums(weights, { ...options, squares: true });
        const documents = options.documents ?? Array.from(weights, (_, i) => i);
        for (const [i, row] of rows.entries()) {
          for (const [power, sums, bounds] of [
            [1, got.sums[i]!, got.maxError![i]!],
            [2, got.sumsOfSquares![i]!, got.maxErrorOfSquares![i]!],
          ] as const) {
            const units = 2n ** (1074n * BigInt(power - 1));
            const wrong = exact(row, BINS[i]!, weights, power, documents).findIndex((sum, bin) => {
              const off = unitsOf(sums[bin]!) * units - sum;
              return (off < 0n ? -off : off) > unitsOf(bounds[bin]!) * units;
            });
            expect(wrong).toBe(-1);
            // And no idle one: what was counted bounds a bin, and all that was lost together.
            const counts = got.counts?.[i];
            bounds.forEach((bound, bin) => {
              const quantum = power === 1 ? got.quantum! : got.quantumOfSquares!;
              if (!what.startsWith("doubles")) {
                expect(bound).toBeLessThanOrEqual(((counts?.[bin] ?? got.documents) * quantum) / 2);
              }
            });
          }
        }
      }
    });
  }

  it("is 0 if rounding moves no weight, and null for floats", async () => {
    const { table } = await made();
    const got = await table.sums(new Float32Array(DOCUMENTS).fill(0.25), { squares: true });
    for (const bounds of [...got.maxError!, ...got.maxErrorOfSquares!]) expect(Math.max(...bounds)).toBe(0);
    expect(got.maxError).toBe(got.maxError);
    const fast = await table.sums(gauss, { squares: true, precision: "fast" });
    expect([fast.maxError, fast.maxErrorOfSquares, fast.limbs, fast.quantum]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect((await table.sums(gauss)).maxErrorOfSquares).toBeNull();
  });
});

describe("two limbs", () => {
  it("are 2^20 times finer, or as fine as 2^53 quanta of all weights allow", async () => {
    const { table } = await made();
    const [one, two] = [
      await table.sums(gauss, { squares: true }),
      await table.sums(gauss, { squares: true, limbs: 2 }),
    ];
    expect(one.quantum! / two.quantum!).toBe(2 ** 20);
    expect([one.limbs, two.limbs]).toEqual([1, 2]);
    expect(two.counts).toEqual(one.counts);
    const n = 2 ** 16;
    const many = await engine.table({ values: new Uint8Array(n), features: 1, documents: n, bins: 2 });
    const equal = new Float32Array(n).fill(1 - 2 ** -24);
    const [coarse, fine] = [await many.sums(equal), await many.sums(equal, { limbs: 2 })];
    expect(coarse.quantum! / fine.quantum!).toBe(2 ** 17);
    expect(fine.sums[0]![0]).toBe(n * (1 - 2 ** -24));
  });

  it("give sums of parts that add up to the whole, bit for bit", async () => {
    const { table } = await made();
    const weights = WEIGHTS["large and small"]!;
    const mask = Uint8Array.from(weights, (weight) => (weight > 1 ? 1 : 0));
    for (const squares of [false, true]) {
      const options = { limbs: 2, squares } as const;
      const [whole, left, right] = await Promise.all([
        table.sums(weights, options),
        table.sums(weights, { ...options, documents: mask }),
        table.sums(weights, { ...options, documents: mask.map((byte) => 1 - byte) }),
      ]);
      expect(left.quantum).toBe(whole.quantum);
      for (const name of squares ? (["sums", "sumsOfSquares"] as const) : (["sums"] as const)) {
        whole[name]!.forEach((sums, i) => {
          expect(sums.map((sum, bin) => sum - left[name]![i]![bin]!)).toEqual(right[name]![i]);
        });
      }
    }
  });

  it.each(WEIGHTED_SLUGS)("%s gives the same bits, with every option", async (algorithm) => {
    const { table } = await made();
    for (const options of CALLS) {
      const want = await table.sums(gauss, { ...options, squares: true, algorithm: "weighted-sequential" });
      const got = await table.sums(gauss, { ...options, squares: true, algorithm });
      expect(got.sums).toEqual(want.sums);
      expect(got.sumsOfSquares).toEqual(want.sumsOfSquares);
    }
  });

  it("report progress once, from the start to the end", async () => {
    const { table } = await made();
    const told: { done: number; total: number | null }[] = [];
    await table.sums(gauss, { limbs: 2, onProgress: (now) => told.push(now) });
    const total = 2 * BINS.length * DOCUMENTS;
    expect(new Set(told.map((now) => now.total))).toEqual(new Set([total]));
    expect(told.at(-1)!.done).toBe(total);
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).sort((a, b) => a - b));
    expect(told.some(({ done }) => done === total / 2)).toBe(true);
  });

  it("are 1 or 2, for integers only", async () => {
    const { table } = await made();
    for (const limbs of [0, 3, 1.5, "2", null]) {
      const error = await rejectionOf(table.sums(gauss, { limbs } as unknown as SumsOptions));
      expect(error).toMatchObject({ code: "ERR_INPUT" });
      expect(error.message).toContain("1 or 2 for limbs");
    }
    const error = await rejectionOf(table.sums(gauss, { limbs: 2, precision: "fast" }));
    expect(error).toMatchObject({ code: "ERR_INPUT" });
    expect(await rejectionOf(engine.histogram([1], { weights: [1], limbs: 2 } as never))).toMatchObject({
      code: "ERR_INPUT",
    });
  });

  it("of no documents, of zeros only, of an empty table", async () => {
    const { table } = await made();
    const none = await table.sums(gauss, { limbs: 2, documents: new Uint32Array(0) });
    expect([...none.sums[0]!, ...none.maxError![0]!]).toEqual([0, 0, 0, 0, 0, 0]);
    const zeros = await table.sums(new Float32Array(DOCUMENTS), { limbs: 2, squares: true });
    expect([...zeros.sums[0]!, ...zeros.maxError![0]!]).toEqual([0, 0, 0, 0, 0, 0]);
    const empty = await engine.table({ values: new Uint8Array(0), features: 1, documents: 0, bins: 2 });
    expect([...(await empty.sums([], { limbs: 2, squares: true })).sums[0]!]).toEqual([0, 0]);
  });
});

describe("weights that rounding would lose", () => {
  const n = 100_000;
  const some = new Float32Array(n).fill(0.1).fill(1e6, 77, 78);
  const table = () => engine.table({ values: new Uint8Array(n), features: 1, documents: n, bins: 2 });

  it("are refused with the lost share and with suggestions, which work", async () => {
    const of = await table();
    const error = await rejectionOf(of.sums(some));
    expect(error.code).toBe("ERR_LIMIT");
    for (const part of ["0.99%", "1/1024", "sum of |weight|", "limbs: 2", '"fast"', "clip"]) {
      expect(error.message).toContain(part);
    }
    const exactly = some.reduce((sum, weight) => sum + weight, 0);
    const two = await of.sums(some, { limbs: 2 });
    expect(Math.abs(two.sums[0]![0]! - exactly)).toBeLessThanOrEqual(two.maxError![0]![0]! + 1e-6);
    expect(two.maxError![0]![0]!).toBeLessThan(exactly * 2 ** -20);
    const fast = await of.sums(some, { precision: "fast" });
    expect(Math.abs(fast.sums[0]![0]! - exactly)).toBeLessThanOrEqual(exactly * 2 ** -9);
    const clipped = some.map((weight) => Math.min(1, weight));
    expect(Math.abs((await of.sums(clipped)).sums[0]![0]! - n / 10)).toBeLessThan(2);
  });

  it("are judged over all documents, so that all parts are refused or none", async () => {
    const of = await table();
    const part = { documents: Uint32Array.of(1, 2, 3) };
    expect(await rejectionOf(of.sums(some, part))).toMatchObject({ code: "ERR_LIMIT" });
    // A part that rounds to nothing of weights that are kept altogether: the bound tells.
    const kept = new Float32Array(n).fill(1).fill(1e-9, 1, 4);
    const { sums, maxError } = await of.sums(kept, part);
    expect(sums[0]![0]).toBe(0);
    expect(maxError![0]![0]).toBeGreaterThanOrEqual(3 * Math.fround(1e-9));
  });

  it("are measured, so that a few small ones, or many zeros, are accepted", async () => {
    const of = await table();
    const sparse = new Float32Array(n).fill(2 ** 127, 5, 6).fill(1, 8, 20);
    expect((await of.sums(sparse)).sums[0]![0]).toBe(2 ** 127);
    const limit = (share: number) => {
      // The largest has 2^20 - 1 quanta, the others a quarter of one each.
      const out = new Float32Array(n).fill(2 ** 20 - 1, 0, 1);
      return out.fill(1 / 4, 1, 1 + Math.floor(4 * 2 ** 20 * share));
    };
    await of.sums(limit(WEIGHT_LOSS * 0.99));
    expect(await rejectionOf(of.sums(limit(WEIGHT_LOSS * 1.01)))).toMatchObject({ code: "ERR_LIMIT" });
  });

  it("may be only the squares; two limbs accept any", async () => {
    const of = await table();
    const squares = new Float32Array(n).fill(1).fill(4000, 0, 1);
    await of.sums(squares);
    const error = await rejectionOf(of.sums(squares, { squares: true }));
    expect(error.message).toContain("|weight^2|");
    const two = await of.sums(squares, { squares: true, limbs: 2 });
    expect(two.sumsOfSquares![0]![0]).toBe(n - 1 + 4000 ** 2);
    const wide = new Float32Array(n).fill(1).fill(1e13, 0, 1);
    expect((await of.sums(wide, { limbs: 2, squares: true })).counts[0]![0]).toBe(n);
  });

  it("are refused on a backend with any algorithms", async () => {
    await using few = await openEngine({ backend: { ...cpu(), weighted: weighing("weighted-fixed-point") } });
    const of = await few.table({ values: new Uint8Array(n), features: 1, documents: n, bins: 2 });
    expect(await rejectionOf(of.sums(some))).toMatchObject({ code: "ERR_LIMIT" });
    expect((await of.sums(some, { limbs: 2 })).plans[0]!.algorithm).toBe("weighted-fixed-point");
  });
});

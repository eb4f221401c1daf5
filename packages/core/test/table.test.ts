import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { WEIGHTED_SLUGS } from "../src/algorithms/choice/slugs.ts";
import {
  type Backend,
  type JobOf,
  type Kind,
  type Plan,
  type PreparedOf,
  preparedBy,
  type SumsJob,
  type SumsPart,
  type SumsWeights,
} from "../src/backend/index.ts";
import { cpu } from "../src/cpu/cpu.ts";
import type { Engine } from "../src/engine/engine/engine.ts";
import { openEngine } from "../src/engine/open.ts";
import type { SumsOptions } from "../src/engine/options/weighting-options.ts";
import type { FeatureTable } from "../src/engine/table/table.ts";
import { MAX_DOCUMENTS } from "../src/input/limits.ts";
import {
  checkedTable,
  type FeatureTableInit,
  HostTable,
  tableValuesOf,
  valuesOf,
} from "../src/input/table.ts";
import { rowBytes, VALUE_TRAITS, VALUE_TYPES, type ValueType } from "../src/input/value-types.ts";
import { describePlan } from "../src/plan/index.ts";
import type { FeatureSums } from "../src/result/counted.ts";
import type { TableSums } from "../src/result/table-sums.ts";
import { FAST_TOLERANCE, WEIGHT_ADDENDS } from "../src/weights/limits.ts";
import type { Weights } from "../src/weights/weights.ts";
import { expectError, FakeBackend, gpu, random, rejectionOf, weighing } from "./helpers.ts";

const engine = await openEngine();

/** Values of a table as numbers, packed as its type wants them. */
function packed(type: ValueType, rows: readonly ArrayLike<number>[]): FeatureTableInit["values"] {
  const documents = rows[0]!.length;
  if (type === "u16") return Uint16Array.from(rows.flatMap((row) => Array.from(row)));
  const out = new Uint8Array(rows.length * rowBytes(type, documents));
  rows.forEach((row, feature) => {
    for (let i = 0; i < documents; i++) {
      const at = feature * rowBytes(type, documents) + (type === "u4" ? i >>> 1 : i);
      out[at] = out[at]! | (row[i]! << (type === "u4" ? 4 * (i % 2) : 0));
    }
  });
  return out;
}

interface Made {
  readonly table: FeatureTable;
  readonly rows: readonly Uint16Array[];
}

async function make(
  type: ValueType,
  bins: readonly number[],
  documents: number,
  on: Engine = engine,
): Promise<Made> {
  const next = random(documents + bins.length);
  const rows = bins.map((of) => Uint16Array.from({ length: documents }, () => Math.floor(next() ** 3 * of)));
  const table = await on.table({ values: packed(type, rows), type, features: bins.length, documents, bins });
  return { table, rows };
}

interface Rounding {
  readonly quantum: number;
  /** Weights or their squares. */
  readonly power: 1 | 2;
}

/** The sums of the weights rounded to whole quanta, in integers without bound; and what they are without rounding. */
function definition(
  row: ArrayLike<number>,
  bins: number,
  weights: ArrayLike<number>,
  { quantum, power }: Rounding,
  documents?: readonly number[],
) {
  const counts = new Float64Array(bins);
  const integers = new Array<bigint>(bins).fill(0n);
  const floats = new Float64Array(bins);
  const sizes = new Float64Array(bins);
  for (const i of documents ?? Array.from({ length: row.length }, (_, at) => at)) {
    const bin = row[i]!;
    const weight = Math.fround(weights[i]!) ** power;
    const scaled = weight / quantum;
    const floor = Math.floor(scaled);
    const up = scaled - floor > 0.5 || (scaled - floor === 0.5 && floor % 2 !== 0);
    counts[bin]!++;
    integers[bin]! += BigInt(floor + (up ? 1 : 0));
    floats[bin]! += weight;
    sizes[bin]! += Math.abs(weight);
  }
  return { counts, sums: Float64Array.from(integers, (sum) => Number(sum) * quantum), floats, sizes };
}

function expectSums(
  got: TableSums,
  { table, rows }: Made,
  weights: ArrayLike<number>,
  documents?: readonly number[],
) {
  got.features.forEach((feature, i) => {
    const bins = table.bins[feature]!;
    const want = definition(rows[feature]!, bins, weights, { quantum: got.quantum!, power: 1 }, documents);
    expect(got.counts[i]).toEqual(want.counts);
    expect(got.sums[i]).toEqual(want.sums);
    got.sums[i]!.forEach((sum, bin) => {
      // Half a quantum a document; what f64 itself rounds away is far below that.
      const bound = (want.counts[bin]! * got.quantum!) / 2 + want.sizes[bin]! * 2 ** -40;
      expect(Math.abs(sum - want.floats[bin]!)).toBeLessThanOrEqual(bound);
    });
  });
}

const gauss = (n: number, seed = 1) => {
  const next = random(seed);
  return Float32Array.from({ length: n }, () => next() + next() + next() - 1.5);
};

/** Weights that are hard for a scale. */
const DISTRIBUTIONS: Readonly<Record<string, (n: number) => Float32Array>> = {
  gauss,
  "all equal": (n) => new Float32Array(n).fill(0.1),
  "all zero": (n) => new Float32Array(n).fill(-0),
  "one huge among tiny": (n) => gauss(n).map((w, i) => (i === n >> 1 ? 3e38 : w * 1e-30)),
  denormals: (n) => gauss(n).map((w) => w * 1e-40),
  "the largest floats": (n) => gauss(n).map((w) => Math.sign(w) * 3.4028234663852886e38),
  "both zeros and ones": (n) => Float32Array.from({ length: n }, (_, i) => [0, -0, 1, -1][i % 4]!),
  "hardly below a power of two": (n) => new Float32Array(n).fill(1 - 2 ** -24),
};

describe("sums of a table", () => {
  it.each(VALUE_TYPES)("%s: every bin of every feature, of any size", async (type) => {
    const most = VALUE_TRAITS[type].values;
    const bins = [2, 3, 10, 16, 200, 1024].filter((of) => of <= most).concat(most === 65_536 ? [] : [most]);
    for (const documents of [1, 2, 3, 1001]) {
      const made = await make(type, bins, documents);
      const weights = gauss(documents);
      expectSums(await made.table.sums(weights), made, weights);
    }
  });

  it.each(Object.keys(DISTRIBUTIONS))(
    "are multiples of the quantum and within the bound: %s",
    async (name) => {
      for (const n of [
        1,
        2,
        7,
        8,
        9,
        1023,
        1024,
        1025,
        WEIGHT_ADDENDS - 1,
        WEIGHT_ADDENDS,
        WEIGHT_ADDENDS + 1,
        5000,
      ]) {
        const made = await make("u8", [5, 256], n);
        const weights = DISTRIBUTIONS[name]!(n);
        const got = await made.table.sums(weights, { squares: true });
        expectSums(got, made, weights);
        got.sumsOfSquares!.forEach((squares, i) => {
          const row = made.rows[i]!;
          const { floats, sizes, counts } = definition(row, made.table.bins[i]!, weights, {
            quantum: 1,
            power: 2,
          });
          const most = weights.reduce((top, weight) => Math.max(top, weight * weight), 0);
          squares.forEach((sum, bin) => {
            expect(Math.abs(sum - floats[bin]!)).toBeLessThanOrEqual(
              counts[bin]! * most * 2 ** -19 + sizes[bin]! * 2 ** -40,
            );
            expect(sum).toBeGreaterThanOrEqual(0);
          });
        });
        for (const sums of got.sums) expect(sums.some((sum) => Object.is(sum, -0))).toBe(false);
      }
    },
  );

  it.each(WEIGHTED_SLUGS)(
    "%s: the same bits as any other, with squares, parts and skips",
    async (algorithm) => {
      const made = await make("u16", [4, 130, 256, 1000], 2500);
      const weights = gauss(2500, 5);
      const documents = Uint32Array.from({ length: 700 }, (_, i) => 3 * i + 1);
      for (const options of [
        {},
        { documents },
        { squares: true },
        { skip: true },
        { documents, skip: true },
      ] as const) {
        const want = await made.table.sums(weights, { ...options, algorithm: "weighted-sequential" });
        const got = await made.table.sums(weights, { ...options, algorithm });
        expect(got.counts).toEqual(want.counts);
        expect(got.sums).toEqual(want.sums);
        expect(got.sumsOfSquares).toEqual(want.sumsOfSquares);
        expect(got.quantum).toBe(want.quantum);
        for (const plan of got.plans) {
          if (algorithm !== "weighted-hybrid") expect(plan.algorithm).toBe(algorithm);
        }
      }
    },
  );

  it("do not depend on the order of the documents", async () => {
    const made = await make("u8", [100], 3000);
    const weights = gauss(3000, 2);
    const backwards = await engine.table({
      values: Uint8Array.from(made.rows[0]!).reverse(),
      features: 1,
      documents: 3000,
      bins: 100,
    });
    const [one, other] = await Promise.all([
      made.table.sums(weights),
      backwards.sums(weights.slice().reverse()),
    ]);
    expect(one.sums).toEqual(other.sums);
  });

  it("of chosen features are in their order; features with the same number of bins share a plan", async () => {
    const made = await make("u8", [10, 20, 10, 30], 500);
    const weights = gauss(500);
    const got = await made.table.sums(weights, { features: [3, 2, 0] });
    expect(got.features).toEqual([3, 2, 0]);
    expectSums(got, made, weights);
    expect(got.plans[1]).toBe(got.plans[2]);
    expect(got.plans[0]).not.toBe(got.plans[1]);
    expect(describePlan(got.plans[1]!)).toContain("2 features of 10 bins");
    expect(got).toMatchObject({ backend: "cpu", documents: 500, sumsOfSquares: null });
    expect(got.timings.totalMs).toBeGreaterThanOrEqual(got.timings.kernelMs);
  });

  it("of parts of the documents: a list or a mask, and a sibling is its parent minus the other child", async () => {
    for (const type of VALUE_TYPES) {
      const made = await make(type, [16, 7], 4001);
      const weights = gauss(4001).map((w) => w * 1e5);
      const mask = Uint8Array.from({ length: 4001 }, (_, i) => (i % 3 === 1 ? 1 + (i % 255) : 0));
      const left = Array.from(mask.keys()).filter((i) => mask[i] !== 0);
      const parent = await made.table.sums(weights);
      const child = await made.table.sums(weights, { documents: Uint32Array.from(left), squares: true });
      expect(child.quantum).toBe(parent.quantum);
      expect(child.documents).toBe(left.length);
      expectSums(child, made, weights, left);
      expect((await made.table.sums(weights, { documents: mask })).sums).toEqual(child.sums);
      const sibling = await made.table.sums(weights, { documents: mask.map((byte) => (byte === 0 ? 1 : 0)) });
      sibling.sums.forEach((sums, f) => {
        expect(sums).toEqual(parent.sums[f]!.map((sum, bin) => sum - child.sums[f]![bin]!));
        expect(sibling.counts[f]).toEqual(
          parent.counts[f]!.map((count, bin) => count - child.counts[f]![bin]!),
        );
      });
    }
  });

  it("of a part have the scale of all weights, wherever the largest weight is", async () => {
    const { table } = await make("u8", [5], 3000);
    const weights = gauss(3000);
    weights[2999] = 1e6;
    const parent = await table.sums(weights);
    const [left, right] = await Promise.all([
      table.sums(weights, { documents: Uint32Array.from({ length: 2999 }, (_, i) => i) }),
      table.sums(weights, { documents: Uint32Array.of(2999) }),
    ]);
    expect([left.quantum, right.quantum]).toEqual([parent.quantum, parent.quantum]);
    expect(left.sums[0]!.map((sum, bin) => sum + right.sums[0]![bin]!)).toEqual(parent.sums[0]);
  });

  it("of concurrent calls use each call's weights and documents at the time of the call", async () => {
    const { table } = await make("u8", [7, 7], 2500);
    const options = { algorithm: "weighted-collision", squares: true } as const;
    const cases = Array.from({ length: 6 }, (_, i) => ({
      weights: gauss(2500, i + 1),
      documents: Uint32Array.from({ length: 2500 - 100 * i }, (__, at) => at),
    }));
    const want = [];
    for (const { weights, documents } of cases)
      want.push((await table.sums(weights, { ...options, documents })).sums);
    const running = cases.map(async ({ weights, documents }) => {
      const sums = table.sums(weights, { ...options, documents });
      weights.fill(Number.NaN);
      documents.fill(0);
      return (await sums).sums;
    });
    expect(await Promise.all(running)).toEqual(want);
  });

  it("of no documents are zeros", async () => {
    const made = await make("u8", [4], 9);
    const none = await made.table.sums(gauss(9), {
      documents: new Uint32Array(0),
      algorithm: "weighted-hybrid",
    });
    expect(none).toMatchObject({ documents: 0, counts: [new Float64Array(4)], sums: [new Float64Array(4)] });
    const empty = await engine.table({ values: new Uint8Array(0), features: 3, documents: 0, bins: 2 });
    expect((await empty.sums([], { squares: true })).sumsOfSquares).toHaveLength(3);
  });

  it("skip the most frequent value from the second call on, without changing a bit", async () => {
    const jobs: Summing[] = [];
    await using watched = await openEngine({ backend: altered({ job: (job) => jobs.push(job) }) });
    const values = Uint8Array.from({ length: 3000 }, (_, i) => (i % 5 === 0 ? i % 7 : 4));
    const table = await watched.table({ values, features: 2, documents: 1500, bins: [7, 9] });
    const weights = gauss(1500, 8);
    const plain = await table.sums(weights, { squares: true });
    const results = [1, 2, 3].map(() => table.sums(weights, { squares: true, skip: true }));
    for (const got of await Promise.all(results)) expect(got.sums).toEqual(plain.sums);
    const again = await table.sums(weights, { squares: true, skip: true });
    expect(again.sums).toEqual(plain.sums);
    expect(again.sumsOfSquares).toEqual(plain.sumsOfSquares);
    expect(again.counts).toEqual(plain.counts);
    expect(jobs.map(({ groups }) => groups.flatMap(({ skip }) => skip))).toEqual([
      ...new Array(4).fill([null, null]),
      [4, 4],
    ]);
  });

  it("without counts", async () => {
    const { table } = await make("u8", [9, 200], 500);
    const weights = gauss(500);
    const all = await table.sums(weights, { squares: true });
    for (const documents of [undefined, Uint32Array.of(3, 7, 499)]) {
      const want = await table.sums(weights, { documents, squares: true });
      const alone = await table.sums(weights, { documents, squares: true, counts: false });
      expect(alone.counts).toBeNull();
      expect(alone.sums).toEqual(want.sums);
      expect(alone.sumsOfSquares).toEqual(want.sumsOfSquares);
      expect(alone.plans.map(({ counts }) => counts)).toEqual([false, false]);
      expect(describePlan(alone.plans[0]!)).toContain("no counters");
    }
    // What the first call with `skip` needs it counts, though nobody sees it.
    const { table: other } = await make("u8", [9, 200], 500);
    const documents = Uint32Array.from({ length: 500 }, (_, i) => i);
    const skips = [];
    for (let call = 0; call < 2; call++) {
      const skipping = await other.sums(weights, { documents, skip: true, counts: false });
      expect(skipping.counts).toBeNull();
      expect(skipping.sums).toEqual(all.sums);
      skips.push(skipping.plans[0]!.counts);
    }
    expect(skips).toEqual([true, false]);
  });

  it("without counts, with skip, if the most frequent value is known and the counts are not", async () => {
    const weights = gauss(500);
    const values = Uint8Array.from(weights, (_, i) => (i % 3 === 0 ? i % 9 : 2));
    const shape = { values, features: 1, documents: 500, bins: 9 };
    const { sums } = await (await engine.table(shape)).sums(weights);
    for (const [keepCounts, documents] of [
      [false, undefined],
      [true, Uint32Array.of(1, 2)],
    ] as const) {
      const table = await engine.table({ ...shape, keepCounts });
      await table.sums(weights, { skip: true, documents });
      const alone = await table.sums(weights, { skip: true, counts: false });
      expect(alone).toMatchObject({ counts: null, sums, plans: [{ counts: false }] });
    }
  });

  it("of all documents count once; later calls reuse the counts", async () => {
    const { table, rows } = await make("u8", [9, 200], 900);
    const countsOf = (row: ArrayLike<number>, bins: number) => {
      const counts = new Array<number>(bins).fill(0);
      for (const value of Array.from(row)) counts[value]!++;
      return counts;
    };
    const want = [countsOf(rows[0]!, 9), countsOf(rows[1]!, 200)];
    const planned = [];
    for (const features of [[1], undefined, [0, 1]]) {
      const got = await table.sums(gauss(900), { features });
      expect(got.counts.map((of) => [...of])).toEqual(got.features.map((feature) => want[feature]));
      planned.push(got.plans.map(({ counts }) => counts));
      // What a caller does with its counts is its own affair.
      got.counts[0]!.fill(-1);
    }
    expect(planned).toEqual([[true], [true, false], [false, false]]);
    // A part has counts of its own.
    const part = await table.sums(gauss(900), { documents: Uint32Array.of(5) });
    expect(part.plans[0]!.counts).toBe(true);
    expect(part.counts[0]!.reduce((sum, count) => sum + count)).toBe(1);
  });

  it("count every time if counts are not kept, or would take more memory than the values", async () => {
    const values = new Uint8Array(40);
    await using forgetful = await engine.table({
      values,
      features: 1,
      documents: 40,
      bins: 4,
      keepCounts: false,
    });
    await using wide = await engine.table({ values, features: 1, documents: 40, bins: 11 });
    await using narrow = await engine.table({ values, features: 1, documents: 40, bins: 10 });
    const second = async (table: FeatureTable) => {
      await table.sums(gauss(40));
      return (await table.sums(gauss(40))).plans[0]!.counts;
    };
    expect(await Promise.all([forgetful, wide, narrow].map(second))).toEqual([true, true, false]);
  });

  it("of precision fast are floats within the tolerance", async () => {
    for (const algorithm of WEIGHTED_SLUGS.filter((slug) => slug !== "weighted-fixed-point")) {
      const made = await make("u16", [20, 300], 3000);
      const weights = gauss(3000, 3).map((w) => w * 1e-38);
      const got = await made.table.sums(weights, { algorithm, precision: "fast", squares: true });
      expect(got.quantum).toBeNull();
      got.sums.forEach((sums, f) => {
        const want = definition(made.rows[f]!, made.table.bins[f]!, weights, {
          quantum: 2 ** -149,
          power: 1,
        });
        expect(got.counts[f]).toEqual(want.counts);
        sums.forEach((sum, bin) => {
          expect(Math.abs(sum - want.floats[bin]!)).toBeLessThanOrEqual(want.sizes[bin]! * FAST_TOLERANCE);
        });
      });
    }
  });
});

describe("a table", () => {
  it("holds the values at the time of the call, and is freed with the engine", async () => {
    const own = await openEngine();
    const values = Uint8Array.of(0, 1, 1, 2);
    const making = own.table({ values, features: 1, documents: 4, bins: 3 });
    values.fill(0);
    const table = await making;
    expect((await table.sums([1, 1, 1, 1])).counts[0]).toEqual(Float64Array.of(1, 2, 1));
    expect(table).toMatchObject({ type: "u8", features: 1, documents: 4, bins: [3], freed: false });
    await own.close();
    expect(table.freed).toBe(true);
    expect(await rejectionOf(table.sums([1, 1, 1, 1]))).toMatchObject({ code: "ERR_UNAVAILABLE" });
    expect(await rejectionOf(own.table({ values, features: 1, documents: 4, bins: 3 }))).toMatchObject({
      code: "ERR_UNAVAILABLE",
    });
  });

  it("is freed after running calls; later calls are ERR_INPUT", async () => {
    const { table } = await make("u8", [256], 100_000);
    const running = table.sums(gauss(100_000));
    const freeing = table.free();
    expect((await running).documents).toBe(100_000);
    await freeing;
    await table.free();
    await table[Symbol.asyncDispose]();
    const error = await rejectionOf(table.sums(gauss(100_000)));
    expect(error).toMatchObject({ code: "ERR_INPUT", backend: "cpu" });
    expect(error.message).toContain("freed");
  });

  it("in host memory holds nothing after free; other objects are not tables", async () => {
    const init = { values: Uint8Array.of(1), features: 1, documents: 1, bins: 2 };
    const values = await checkedTable(init, undefined);
    const host = new HostTable(values);
    expect(tableValuesOf(host)).toBe(values);
    await host.free();
    expectError(() => tableValuesOf(host), "ERR_INPUT", "it was freed");
    expectError(
      () => tableValuesOf({ free: async () => {} }),
      "ERR_INPUT",
      "expected a table of this engine",
    );
  });

  it("is freed after all earlier calls, including those that wait for their turn", async () => {
    const { table } = await make("u8", [4], 1000);
    const calls = Array.from({ length: 50 }, () => table.sums(gauss(1000)));
    await table.free();
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  it("is never freed while the device adds up", async () => {
    const record: string[] = [];
    await using watched = await openEngine({
      backend: altered({
        job: () => record.push("begin"),
        part: () => record.push("end"),
        free: () => record.push("free"),
      }),
    });
    const { table } = await make("u8", [256], 300_000, watched);
    const running = [
      table.sums(gauss(300_000)),
      table.sums(gauss(300_000), { algorithm: "weighted-collision" }),
    ];
    await table.free();
    expect(record).toEqual(["begin", "begin", "end", "end", "free"]);
    await Promise.all(running);
  });

  it("unpacks 4-bit values, the lower half first", () => {
    const table = {
      type: "u4",
      features: 2,
      documents: 3,
      bins: [16, 16],
      bytes: Uint8Array.of(0x21, 0xf3, 0x54, 6),
    } as const;
    expect([...valuesOf(table, 0)]).toEqual([1, 2, 3]);
    expect([...valuesOf(table, 1)]).toEqual([4, 5, 6]);
    expect([...valuesOf(table, 1, 2, 3)]).toEqual([6]);
    expect(rowBytes("u4", 5)).toBe(3);
  });

  const bytes = new Uint8Array(8);
  it.each<readonly [init: unknown, code: string, ...says: string[]]>([
    [
      { values: Uint8Array.of(0, 1, 2, 9), features: 2, documents: 2, bins: [2, 9] },
      "ERR_INPUT",
      "below 9",
      "feature 1",
      "document 1 has 9",
    ],
    [
      { values: Uint8Array.of(0x10, 0xa9), type: "u4", features: 1, documents: 3, bins: 9 },
      "ERR_INPUT",
      "document 2 has 9",
    ],
    [
      { values: Uint16Array.of(0, 700), features: 1, documents: 2, bins: 700 },
      "ERR_INPUT",
      "document 1 has 700",
    ],
    [{ values: bytes, features: 3, documents: 3, bins: 3 }, "ERR_INPUT", "9 bytes", "received 8"],
    [{ values: bytes, type: "u4", features: 2, documents: 9, bins: 3 }, "ERR_INPUT", "10 bytes"],
    [{ values: bytes, features: 1, documents: 8, bins: 1 }, "ERR_INPUT", "from 2 to 256", "bins"],
    [{ values: bytes, features: 1, documents: 8, bins: 257 }, "ERR_INPUT", "from 2 to 256"],
    [{ values: bytes, type: "u4", features: 1, documents: 16, bins: 17 }, "ERR_INPUT", "from 2 to 16"],
    [{ values: bytes, features: 2, documents: 4, bins: [5, 1.5] }, "ERR_INPUT", "bins[1]"],
    [{ values: bytes, features: 2, documents: 4, bins: [5] }, "ERR_INPUT", "2 numbers, one per feature"],
    [{ values: bytes, features: 0, documents: 4, bins: 5 }, "ERR_INPUT", "features"],
    [{ values: bytes, features: 1, documents: -1, bins: 5 }, "ERR_INPUT", "documents"],
    [{ values: bytes, features: 1, documents: MAX_DOCUMENTS + 1, bins: 5 }, "ERR_LIMIT", "4294967295"],
    [{ values: new Float32Array(2), features: 1, documents: 2, bins: 5 }, "ERR_INPUT", "Float32Array"],
    [{ values: [1, 2], features: 1, documents: 2, bins: 5 }, "ERR_INPUT", "values"],
    [{ values: new Uint16Array(2), type: "u8", features: 1, documents: 4, bins: 5 }, "ERR_INPUT", "type"],
    [{ values: bytes, type: "f32", features: 1, documents: 2, bins: 5 }, "ERR_INPUT", "u4 or u8 or u16"],
    [{ values: bytes, features: 1, documents: 8, bins: 5, pitch: 8 }, "ERR_INPUT", "pitch"],
    [null, "ERR_INPUT", "object"],
  ])("%# is refused", async (init, code, ...says) => {
    const error = await rejectionOf(engine.table(init as FeatureTableInit));
    expect(error.code).toBe(code);
    for (const part of says) expect(error.message).toContain(part);
  });

  it("and its weights may come from another realm, and be in shared memory", async () => {
    const foreign = (code: string) => runInNewContext(code);
    const values = foreign("Uint8Array.of(0, 1, 1)");
    const table = await engine.table({ values, features: 1, documents: 3, bins: 2 });
    const documents = foreign("Uint32Array.of(1, 2)");
    expect((await table.sums(foreign("Float32Array.of(1, 2, 4)"), { documents })).sums[0]![1]).toBe(6);
    expect(
      (await table.sums(foreign("[1, 2, 4]"), { documents: foreign("Uint8Array.of(1, 0, 1)") })).documents,
    ).toBe(2);
    const shared = new Float32Array(new SharedArrayBuffer(12)).fill(3);
    expect((await table.sums(shared)).sums[0]).toEqual(Float64Array.of(3, 6));
  });

  it("u16 may come as bytes", async () => {
    const values = new Uint8Array(Uint16Array.of(1, 300, 300).buffer);
    const table = await engine.table({ values, type: "u16", features: 1, documents: 3, bins: 301 });
    expect((await table.sums([1, 2, 4])).sums[0]![300]).toBe(6);
  });

  it("needs a backend with sums, and states so", async () => {
    await using without = await openEngine({ backend: new FakeBackend() });
    const error = await rejectionOf(without.table({ values: bytes, features: 1, documents: 8, bins: 5 }));
    expect(error).toMatchObject({ code: "ERR_UNSUPPORTED", backend: "fake" });
    expect(error.message).toMatch(/^fake has no weighted sums/);
    expect(without.weighted).toEqual([]);
    expect(engine.weighted).toEqual(WEIGHTED_SLUGS);
  });
});

describe("a call", () => {
  const wrong: readonly (readonly [SumsOptions, string, ...string[]])[] = [
    [{ features: [] }, "ERR_INPUT", "at least one"],
    [{ features: [0, 0] }, "ERR_INPUT", "each only once"],
    [{ features: [2] }, "ERR_INPUT", "features[0]", "0 to 1"],
    [{ features: new Array<number>(1) }, "ERR_INPUT", "features[0]", "0 to 1"],
    [{ features: 1 as never }, "ERR_INPUT", "an array of features"],
    [{ documents: Uint32Array.of(3, 9) }, "ERR_INPUT", "documents[1]"],
    [{ documents: Uint32Array.of(3, 3) }, "ERR_INPUT", "ascending", "3 follows 3 at index 1"],
    [{ documents: Uint32Array.of(4, 3) }, "ERR_INPUT", "ascending"],
    [{ documents: new Uint8Array(8) }, "ERR_INPUT", "documents.length", "9"],
    [{ documents: [1] as never }, "ERR_INPUT", "Uint32Array"],
    [{ precision: "exact" as never }, "ERR_INPUT", "reproducible or fast"],
    [{ squares: 1 as never }, "ERR_INPUT", "squares"],
    [{ skip: "zero" as never }, "ERR_INPUT", "skip"],
    [{ algorithm: "per-lane" as never }, "ERR_UNSUPPORTED", "weighted algorithm"],
    [{ algorithm: "weighted-fixed-point", precision: "fast" }, "ERR_UNSUPPORTED", "adds integers"],
    [{ algorithm: "weighted-hybrid", buffer: 0 }, "ERR_INPUT", "buffer"],
    [{ algorithm: "weighted-sequential", warps: 2 }, "ERR_INPUT", "no warps"],
    [{ onProgress: 1 as never }, "ERR_INPUT", "onProgress"],
    [{ bins: 3 } as never, "ERR_INPUT", "bins"],
    [{ signal: {} as never }, "ERR_INPUT", "signal"],
  ];
  it.each(wrong.map(([options, code, ...says]) => ({ options, code, says })))(
    "$options is refused",
    async ({ options, code, says }) => {
      const { table } = await make("u8", [4, 5], 9);
      const error = await rejectionOf(table.sums(gauss(9), options));
      expect(error.code).toBe(code);
      for (const part of says) expect(error.message).toContain(part);
    },
  );

  it("refuses invalid weights", async () => {
    const { table } = await make("u8", [4], 3);
    for (const weights of [[1, 2], [1, 2, Number.NaN], Float32Array.of(1, 2, Infinity), "123"]) {
      expect(await rejectionOf(table.sums(weights as Weights))).toMatchObject({ code: "ERR_INPUT" });
    }
  });

  it("reads its weights and documents immediately", async () => {
    const { table, rows } = await make("u8", [4], 9);
    const weights = new Float32Array(9).fill(1);
    const documents = Uint32Array.of(1, 2);
    const running = table.sums(weights, { documents });
    weights.fill(5);
    documents.fill(0);
    const { sums } = await running;
    const want = new Float64Array(4);
    for (const i of [1, 2]) want[rows[0]![i]!]! += 1;
    expect(sums[0]).toEqual(want);
  });

  it("reports progress in values up to the total, including the hybrid's first round", async () => {
    const { table } = await make("u16", [4, 300], 1000);
    for (const algorithm of ["auto", "weighted-hybrid", "weighted-hybrid"] as const) {
      const told: number[] = [];
      await table.sums(gauss(1000), { algorithm, onProgress: ({ done, total }) => told.push(done, total!) });
      const done = told.filter((_, i) => i % 2 === 0);
      expect(done).toEqual([...done].sort((a, b) => a - b));
      expect(done.at(-1)).toBe(2000);
      expect(new Set(told.filter((_, i) => i % 2 === 1))).toEqual(new Set([2000]));
    }
    const error = new Error("mine");
    const throwing = table.sums(gauss(1000), {
      onProgress: () => {
        throw error;
      },
    });
    await expect(throwing).rejects.toBe(error);
    expect((await table.sums(gauss(1000))).documents).toBe(1000);
  });

  it("aborts with the signal's reason, and the table still works", async () => {
    const { table } = await make("u8", [4, 256, 256], 400_000);
    const reason = new Error("gone home");
    await expect(table.sums(gauss(400_000), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const control = new AbortController();
    const running = table.sums(gauss(400_000), {
      signal: control.signal,
      algorithm: "weighted-fixed-point",
      onProgress: () => control.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
    expect((await table.sums(gauss(400_000))).documents).toBe(400_000);
    const made = engine.table(
      { values: new Uint8Array(9), features: 1, documents: 9, bins: 3 },
      { signal: AbortSignal.abort(reason) },
    );
    await expect(made).rejects.toBe(reason);
  });

  it("of the hybrid measures each feature once, caches the choice, and describes it", async () => {
    const jobs: Summing[] = [];
    await using watched = await openEngine({ backend: altered({ job: (job) => jobs.push(job) }) });
    const { table } = await make("u16", [4, 300, 1024], 200, watched);
    const weights = gauss(200);
    expect(table.choices).toEqual([]);
    await table.sums(weights, { algorithm: "weighted-hybrid", features: [2, 0], buffer: 4, unroll: 2 });
    // Feature 2 has too many bins for tables of its own, which would take four passes. Two rounds.
    const first = [
      [2, "weighted-collision", 0, "weighted-collision-free"],
      [2, "weighted-collision-reduced", 0, "weighted-collision"],
      [0, "weighted-collision-reduced"],
    ];
    expect(jobs.every(({ timed }) => timed)).toBe(true);
    expect(
      jobs.map(({ groups }) => groups.flatMap(({ features, plan }) => [...features, plan.algorithm])),
    ).toEqual([...first, ...first]);
    expect(jobs[1]!.groups[0]!.plan.parameters.buffer).toBe(4);
    expect(table.choices.map(({ feature }) => feature)).toEqual([0, 2]);
    jobs.length = 0;
    const again = await table.sums(weights, { algorithm: "weighted-hybrid" });
    // Feature 1 is new, and has three candidates.
    expect(jobs.map(({ timed }) => timed)).toEqual([...new Array(6).fill(true), false]);
    expect(again.plans[2]!.algorithm).toBe(table.choices[2]!.algorithm);
    jobs.length = 0;
    await table.sums(weights, { algorithm: "weighted-hybrid" });
    expect(jobs.map(({ timed }) => timed)).toEqual([false]);
    expect(table.describeChoices().split("\n")).toEqual([
      expect.stringMatching(/^feature 0: 4 bins, [a-z-]+, \d+\.\dx [a-z-]+, \d+\.\dx [a-z-]+$/),
      expect.stringMatching(/^feature 1: 300 bins, [a-z-]+, \d+\.\dx [a-z-]+, \d+\.\dx [a-z-]+$/),
      expect.stringMatching(/^feature 2: 1024 bins, collision(-reduced)?, \d+\.\dx collision(-reduced)?$/),
    ]);
  });
});

const METHODS_OF_HYBRID = [
  "weighted-collision-free",
  "weighted-collision",
  "weighted-collision-reduced",
] as const;

describe("the hybrid", () => {
  it("measures again for floats and for skipped values, and keeps these choices separate", async () => {
    const jobs: Summing[] = [];
    await using watched = await openEngine({ backend: altered({ job: (job) => jobs.push(job) }) });
    const { table } = await make("u16", [300], 200, watched);
    const timed = async (options: SumsOptions) => {
      jobs.length = 0;
      await table.sums(gauss(200), { algorithm: "weighted-hybrid", ...options });
      return jobs.map((job) => job.timed);
    };
    const trials = new Array<boolean>(6).fill(true);
    expect(await timed({})).toEqual(trials);
    expect(await timed({ precision: "fast" })).toEqual(trials);
    expect(await timed({ precision: "fast" })).toEqual([false]);
    // The value to skip is found before anything is timed.
    expect(await timed({ skip: true })).toEqual([false, ...trials]);
    expect(jobs.map(({ groups }) => groups[0]!.skip?.[0] !== null)).toEqual([false, ...trials]);
    expect(await timed({ skip: true })).toEqual([false]);
    expect(await timed({ skip: true, precision: "fast" })).toEqual(trials);
    expect(await timed({})).toEqual([false]);
    expect(table.choices.map(({ precision, skip }) => [precision, skip])).toEqual([
      ["reproducible", false],
      ["fast", false],
      ["reproducible", true],
      ["fast", true],
    ]);
    const lines = table.describeChoices().split("\n");
    expect(lines[0]).toMatch(/^feature 0: 300 bins, collision/);
    expect(lines[3]).toMatch(/^feature 0: 300 bins, fast, skip, collision/);
  });

  it("uses the candidates that can run, and measures again when another one can", async () => {
    const { table } = await make("u16", [1024, 9], 700);
    const weights = gauss(700);
    const want = await table.sums(weights);
    // So many buffers leave no room for a table.
    const narrow = await table.sums(weights, { algorithm: "weighted-hybrid", buffer: 64, warps: 32 });
    expect(narrow.plans[0]!.algorithm).toBe("weighted-collision");
    expect(narrow.sums).toEqual(want.sums);
    const triedOf = (feature: number) =>
      Object.keys(table.choices.find((choice) => choice.feature === feature)?.ms ?? {});
    const [free, collision, reduced] = METHODS_OF_HYBRID;
    expect([triedOf(0), triedOf(1)]).toEqual([[], [free, collision]]);
    const wide = await table.sums(weights, { algorithm: "weighted-hybrid" });
    expect(wide.sums).toEqual(want.sums);
    expect([triedOf(0), triedOf(1)]).toEqual([
      [collision, reduced],
      [free, collision, reduced],
    ]);
  });
});

it("squares have a quantum of their own", async () => {
  const { table } = await make("u8", [4], 3000);
  const weights = gauss(3000);
  const { quantum, quantumOfSquares, sumsOfSquares } = await table.sums(weights, { squares: true });
  expect(quantumOfSquares).not.toBe(quantum);
  for (const sum of sumsOfSquares![0]!) expect(sum % quantumOfSquares!).toBe(0);
  const squares = weights.reduce((sum, weight) => sum + weight ** 2, 0);
  const total = sumsOfSquares![0]!.reduce((sum, of) => sum + of);
  expect(Math.abs(total - squares)).toBeLessThanOrEqual((3000 * quantumOfSquares!) / 2);
  expect((await table.sums(weights)).quantumOfSquares).toBeNull();
  const fast = await table.sums(weights, {
    squares: true,
    precision: "fast",
    algorithm: "weighted-collision",
  });
  expect(fast.quantumOfSquares).toBeNull();
});

describe("the results of a device are checked", () => {
  type Changed = { -readonly [name in keyof FeatureSums]: FeatureSums[name] };
  /** What is done to the sums of two features. */
  const faults: Readonly<Record<string, (one: Changed, other: Changed, all: FeatureSums[]) => void>> = {
    "a document is lost": (one) => {
      one.counts![0]!--;
    },
    "a document came twice": (_, other) => {
      other.counts![2]!++;
    },
    "negative counts make up for others": ({ counts }) => {
      counts![0]! -= 500;
      counts![1]! += 500;
    },
    "a weight is off by a unit": (one) => {
      one.sums[1]!++;
    },
    "a square is": (_, other) => {
      other.squares![1]!++;
    },
    "a sum is no number": (one) => {
      one.sums[1] = Number.NaN;
    },
    "a feature is missing": (_one, _other, all) => {
      all.pop();
    },
    "bins are missing": (one) => {
      one.counts = one.counts!.slice(1);
    },
    "squares are missing": (one) => {
      one.squares = null;
    },
    "no time is told": (one) => {
      one.ms = null;
    },
  };
  it.each(Object.entries(faults))("%s", async (name, fault) => {
    const part = ({ features }: SumsPart) =>
      fault(features[0] as Changed, features[1] as Changed, features as FeatureSums[]);
    await using broken = await openEngine({ backend: altered({ part }) });
    const { table } = await make("u16", [200, 200], 300, broken);
    const options: SumsOptions = {
      ...(name === "no time is told" ? { algorithm: "weighted-hybrid" } : {}),
      ...(name === "a sum is no number" ? { precision: "fast" } : {}),
    };
    const error = await rejectionOf(table.sums(gauss(300), { squares: true, ...options }));
    const code = name === "no time is told" ? "ERR_INTERNAL" : "ERR_MISCOUNT";
    expect(error).toMatchObject({ code, backend: "cpu" });
  });

  it("a plan that the device refuses is not run", async () => {
    await using refusing = await openEngine({ backend: altered({ refuses: "not on Sundays" }) });
    const { table } = await make("u8", [6], 30, refusing);
    for (const algorithm of ["auto", "weighted-collision", "weighted-hybrid"] as const) {
      const error = await rejectionOf(table.sums(gauss(30), { algorithm }));
      expect(error).toMatchObject({ code: "ERR_UNSUPPORTED" });
      expect(error.message).toContain("not on Sundays");
    }
  });

  it("a slug that the backend does not claim is refused by name", async () => {
    await using few = await openEngine({ backend: { ...cpu(), weighted: weighing("weighted-collision") } });
    const { table } = await make("u8", [6], 30, few);
    for (const algorithm of ["weighted-hybrid", "weighted-fixed-point"] as const) {
      const error = await rejectionOf(table.sums(gauss(30), { algorithm }));
      expect(error.message).toBe(`cpu has no kernel for ${algorithm}; it has weighted-collision`);
    }
    expect((await table.sums(gauss(30))).plans[0]!.algorithm).toBe("weighted-collision");
    const composed = weighing("weighted-hybrid", "weighted-collision");
    await using both = await openEngine({ backend: { ...cpu(), weighted: composed } });
    const made = await make("u8", [6], 30, both);
    expect((await made.table.sums(gauss(30))).plans[0]!.algorithm).toBe("weighted-collision");
  });

  it("plans for a GPU go to the GPU", async () => {
    await using device = await openEngine({ backend: altered({ limits: gpu() }) });
    const { table, rows } = await make("u8", [6, 256], 3000, device);
    const got = await table.sums(gauss(3000));
    expect(got.plans[0]!.algorithm).toBe("weighted-fixed-point");
    expectSums(got, { table, rows }, gauss(3000));
  });
});

/** A shape and what was added up by it. */
interface Summing extends Omit<SumsJob, keyof SumsWeights>, SumsWeights {}

interface Altered {
  readonly job?: (job: Summing) => unknown;
  readonly part?: (part: SumsPart) => unknown;
  readonly free?: () => unknown;
  readonly refuses?: string;
  readonly limits?: ReturnType<typeof gpu>;
}

/** Core's CPU, watched or broken. */
function altered({ job, part, free, refuses, limits }: Altered): Backend {
  const sound = cpu();
  return {
    ...sound,
    open: async () => {
      const device = await sound.open();
      return {
        name: device.name,
        limits: limits ?? device.limits,
        readsFiles: false,
        upload: (of, run) => device.upload(of, run),
        extent: (input, channels, run) => device.extent(input, channels, run),
        close: () => device.close(),
        async uploadTable(values, run) {
          const table = await device.uploadTable!(values, run);
          const freeing = table.free.bind(table);
          table.free = () => {
            free?.();
            return freeing();
          };
          return table;
        },
        kinds: device.kinds!,
        prepare<K extends Kind>(of: JobOf<K>): PreparedOf<K> {
          return preparedBy(
            {
              channels: (of) => device.prepare(of),
              async sums(of) {
                const { launch, count } = await device.prepare(of);
                return {
                  launch,
                  async count(weights, run) {
                    job?.({ ...of, ...weights });
                    const found = await count(weights, run);
                    part?.(found);
                    return found;
                  },
                };
              },
            },
            of,
          );
        },
        ...(refuses === undefined ? {} : { refuses: ({ kind }: Plan) => (kind === "sums" ? refuses : null) }),
      };
    },
  };
}

it("a table with too many features is refused before it is processed", async () => {
  for (const features of [4e9, 2 ** 53 - 1]) {
    for (const bins of [2, 256]) {
      const init = { values: new Uint8Array(0), features, documents: 0, bins };
      const error = await rejectionOf(engine.table(init));
      expect(error).toMatchObject({ code: "ERR_LIMIT", message: expect.stringContaining("for features") });
    }
  }
});

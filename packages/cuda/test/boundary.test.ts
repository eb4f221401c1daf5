import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { type Context, type Native, type NativePrepared, packed } from "../src/border/index.ts";
import { countKernel } from "../src/kernels/index.ts";
import { hosted, NOT_BUILT } from "./host/backend.ts";
import {
  control,
  counted,
  countJob,
  NUMBERS,
  packedCount,
  packedSums,
  readableCount,
  readableSums,
  sumsJob,
} from "./host/jobs.ts";

// Tests of the boundary to native code, on the real addon and on the same boundary over a runtime that needs no GPU.
// Both are built together. If they are not built, every test is skipped.

const built = fileURLToPath(new URL("../dist/polybin_cuda.node", import.meta.url));
const addons: readonly (readonly [string, Native | null])[] = [
  ["the addon", existsSync(built) ? (createRequire(import.meta.url)(built) as Native) : null],
  ["the boundary alone", hosted()],
];
const host = hosted();
beforeEach(({ skip }) => {
  if (addons.some(([, native]) => native === null)) skip(NOT_BUILT);
});

const bytes = new Uint8Array(1000).map((_, i) => i * 7);

/** A deep copy of a job with another value at a path. Typed arrays are shared. */
function changed(job: object, path: string, value: unknown): never {
  const [key = "", ...rest] = path.split(".");
  const of = job as Record<string, unknown>;
  const inner = rest.length === 0 ? value : changed(of[key] as object, rest.join("."), value);
  const copy = Array.isArray(job) ? [...job] : { ...job };
  (copy as Record<string, unknown>)[key] = inner;
  return copy as never;
}

const RANKS = {
  numbers: {
    ...NUMBERS,
    ...{ kind: "ranks", type: "f32", bins: 256, flow: true, steps: 1, cells: 255, line: true, inverse: 1 },
  },
  low: new Uint32Array(256),
  high: new Uint32Array(0),
  starts: new Uint32Array(0),
};

const TABLE = { ...NUMBERS, kind: "table", type: "u8", bins: 256, flow: true };

/** Changes to a valid job, and a part of the expected error message. */
const COUNTS: readonly (readonly [path: string, value: unknown, words: string, code?: string])[] = [
  ["source.bytes", bytes.subarray(1), "1000 bytes of samples but received 999", "ERR_INPUT"],
  ["source.bytes", new Uint8Array(0), "received 0: the ArrayBuffer may have been transferred", "ERR_INPUT"],
  ["source.pixels", 1001, "expected 1001 bytes of samples", "ERR_INPUT"],
  ["source.first", 1, "expected 1001 bytes", "ERR_INPUT"],
  ["source.first", 2 ** 53 - 1, "bytes of samples", "ERR_INPUT"],
  ["source.width", 0, "for source.width but received 0"],
  ["source.rowPitch", 999, "for source.rowPitch but received 999"],
  ["source.pixelBytes", 0, "1 to 32 for source.pixelBytes"],
  ["source.pixels", -1, "a whole number from 0 to 9007199254740991 for job.source.pixels but received -1"],
  ["source.pixels", 1.5, "job.source.pixels but received 1.5"],
  ["source.pixels", "1000", 'job.source.pixels but received "1000"'],
  ["source.pixels", 10n, "job.source.pixels but received a bigint"],
  ["source.bytes", [1, 2], "a Uint8Array for job.source.bytes but received an array"],
  [
    "source.bytes",
    new Int8Array(1000),
    "a Uint8Array for job.source.bytes but received a typed array of another",
  ],
  ["source", null, "an object for job.source but received null"],
  ["source.resident", 2 ** 32, "job.source.resident"],
  ["wanted.type", 8, "0 to 7 for job.wanted.type but received 8"],
  ["wanted.interleaved", 5, "1 to 4 for wanted.interleaved but received 5"],
  ["wanted.channels", [], "for wanted.channels.length but received 0"],
  ["wanted.channels", [0, 1, 2, 3, 4, 5, 6, 7, 8], "for wanted.channels.length but received 9"],
  ["wanted.channels", [1], "0 to 0 for wanted.channels but received 1"],
  ["wanted.channels", { length: 1 }, "an array for job.wanted.channels"],
  ["lowering.numbers.kind", "sorted", "u32 for LoweringNumbers.kind but received -1"],
  ["lowering.numbers.bins", 2 ** 31, "1 to 65536 for lowering.bins"],
  ["lowering.numbers.flow", 1, "bool for LoweringNumbers.flow but received 1"],
  ["lowering", { numbers: TABLE, table: new Uint32Array(255) }, "256 for lowering.table.length"],
  ["lowering", { numbers: TABLE, table: new Float64Array(256) }, "a Uint32Array for job.lowering.table"],
  ["lowering", { numbers: { ...TABLE, kind: "direct" } }, "integers of 16 or 32 bits for lowering.type"],
  ["lowering.numbers.shift", 2, "256 for lowering.bins but received 1024"],
  ["lowering.numbers.shift", 8, "0 to 7 for lowering.shift"],
  ["plan.cells", 65_539, "256 for plan.cells but received 65539"],
  ["plan.threads", 0, "1 to 1024 for job.plan.threads"],
  ["plan.blocks", 0, "for job.plan.blocks"],
  ["plan.replicas", 33, "a power of two up to 32 for plan.replicas"],
  ["own.rowsPerBlock", 0, "1 to 256 for own.rowsPerBlock"],
  ["plan.passes", 2, "1 for plan.passes but received 2"],
  ["own.channelsPerBlock", 2, "1 or all for own.channelsPerBlock"],
  ["own.counterBytes", 32_752, "32768 for own.counterBytes"],
  ["plan.sharedBytes", 32_767, "32768 to 4294967295 for plan.sharedBytes"],
  ["own.lookupReplicas", 32, "0 for own.lookupReplicas"],
  ["own.inFlight", 5, "1 to 4 for own.inFlight but received 5"],
  ["plan", undefined, "a Uint8Array for job.plan but received undefined"],
  ["plan", new Uint8Array(47), "48 bytes for job.plan but received 47"],
  ["plan.partials", 264, "0 for plan.partials but received 264"],
  ["own", new Uint8Array(28), "24 for own.length but received 28"],
  ["own", new Uint8Array(1000), "64 bytes for job.own but received 1000"],
  ["algorithm", "nothing", "no kernel for nothing", "ERR_UNSUPPORTED"],
  ["algorithm", 7, "a string for job.algorithm but received 7"],
  ["algorithm", "trish", "64 to 64 for plan.threads but received 1024"],
  ["launchPixels", 0, "1 to 4294967295 for launchPixels"],
  ["launchPixels", 2 ** 32, "for launchPixels but received 4294967296"],
  ["control.stop", new Int32Array(1), "an element in shared memory for job.control.stop"],
  [
    "control.done",
    new BigInt64Array(new SharedArrayBuffer(0)),
    "an element in shared memory for job.control.done",
  ],
  ["control.done", new Int32Array(new SharedArrayBuffer(8)), "a BigInt64Array for job.control.done"],
];

/** The same for a lookup over floats. */
const LOOKUPS: typeof COUNTS = [
  ["lowering.low", new Uint32Array(0), "for lowering.low.length but received 0"],
  ["lowering.low", new Uint32Array(258), "1 to 257 for lowering.low.length"],
  ["lowering.high", new Uint32Array(1), "0 for lowering.high.length but received 1"],
  ["lowering.numbers.cells", 257, "0 to 256 for lowering.cells"],
  ["lowering.numbers.steps", 32, "0 to 31 for job.lowering.numbers.steps"],
  ["lowering.starts", new Uint32Array(255), "256 for lowering.starts.length but received 255"],
  ["lowering.starts", new Uint32Array(256).fill(257), "0 to 256 for lowering.starts but received 257"],
  ["lowering.numbers.origin", "0", "f64 for LoweringNumbers.origin"],
  ["own.lookupReplicas", 32, "for plan.sharedBytes"],
];

/** The same for partial tables. */
const PARTIALS: typeof COUNTS = [
  ["plan.partials", 263, "264 for plan.partials but received 263"],
  ["plan.mergeThreads", 16, "32 to 1024 for plan.mergeThreads"],
  ["plan.mergeThreads", 2048, "32 to 1024 for plan.mergeThreads"],
  ["plan.mergeThreads", 48, "0 for plan.mergeThreads but received 16"],
  ["plan.mergeBlocks", 31, "32 for plan.mergeBlocks but received 31"],
  ["algorithm", "global", "0 for plan.partials but received 264"],
  ["plan.codeBytes", 2, "1 or 4 for plan.codeBytes but received 2"],
];

const SUMS: typeof COUNTS = [
  ["weights", new Int32Array(3), "16 for weights.length but received 12"],
  ["weights", new Float32Array(4), "1 for plan.fast but received 0"],
  ["weights", new Float64Array(4), "an Int32Array or a Float32Array for job.weights"],
  ["squares", new Int32Array(5), "16 for squares.length but received 20"],
  ["squares", new Float32Array(4), "0 for squares.floats but received 1"],
  ["list", Uint32Array.of(0, 1, 2), "4 for list.length but received 3"],
  ["list", Uint32Array.of(0, 1, 2, 7), "0 to 7 for documents but received 8"],
  ["documents", 5, "20 for weights.length but received 16"],
  ["documents", 2 ** 33, "for documents"],
  ["launches.0.rows", Uint32Array.of(2), "0 to 1 for rows but received 2"],
  ["launches.0.rows", Uint32Array.of(0, 1), "2 for skip.length but received 1"],
  ["launches.0.algorithm", "weighted-hybrid", "no kernel for weighted-hybrid", "ERR_UNSUPPORTED"],
  ["launches.0.plan.type", "u64", "u32 for WeightedPlan.type but received -1"],
  ["launches.0.plan.type", "u16", "0 to 7 for documents but received 8"],
  ["launches.0.plan.bins", 65_537, "1 to 65536 for job.launches[0].plan.bins"],
  ["launches.0.plan.binsPerPass", 4, "1 to 3 for plan.binsPerPass"],
  ["launches.0.plan.passes", 2, "1 for plan.passes"],
  ["launches.0.plan.squares", true, "for plan.sharedBytes"],
  ["launches.0.own.unroll", 0, "1 to 32 for own.unroll but received 0"],
  ["launches.0.own.unroll", 33, "1 to 32 for own.unroll"],
  ["launches.0.own.unroll", 6, "0 for own.unroll but received 2"],
  ["launches.0.plan.flushDocuments", 511, "512 to"],
  ["launches.0.plan.subHistogramBytes", 36, "0 for plan.subHistogramBytes"],
  ["launches.0.own", new Uint8Array(0), "8 for own.length but received 0"],
  ["launches.0.plan.threads", 130, "0 for plan.threads but received 2"],
  ["launches.0.plan.segmentDocuments", 33, "0 for plan.segmentDocuments but received 1"],
  ["launches.0.plan.segmentDocuments", 0, "for plan.segmentDocuments but received 0"],
  ["launches.0.plan.featuresPerBlock", 7, "1 for plan.featuresPerBlock but received 7"],
  ["launches.0.plan.featuresPerBlock", 0, "plan.featuresPerBlock but received 0"],
  ["launches.0.plan.sharedBytes", 35, "36 to 4294967295 for plan.sharedBytes"],
  ["table", 0.5, "for job.table but received 0.5"],
  ["table", 99, "a feature table but it was freed", "ERR_INPUT"],
];

const titled = (of: typeof COUNTS) => of.map(([path, value, words, code]) => ({ path, value, words, code }));
const refusalOf = (code: string | undefined, words: string) => ({
  code: code ?? "ERR_INTERNAL",
  message: expect.stringContaining(words),
});

describe.each(addons)("%s refuses, before it asks any device,", (_, native) => {
  const open = () => new native!.Context(0, false);

  it.each(titled(COUNTS))("a count with $path: $words", async ({ path, value, words, code }) => {
    const call = async () => counted(open(), packedCount(changed(readableCount(bytes), path, value)));
    await expect(call()).rejects.toMatchObject(refusalOf(code, words));
  });

  it.each(titled(LOOKUPS))("a lookup with $path: $words", async ({ path, value, words, code }) => {
    const floats = readableCount(bytes);
    const job = {
      ...floats,
      source: { ...floats.source, pixels: 250, pixelBytes: 4, width: 250 },
      wanted: { ...floats.wanted, type: 6 },
      lowering: RANKS,
      plan: { ...floats.plan, sharedBytes: 33_152 },
      own: { ...floats.own, rows: 259, rowsPerBlock: 259, counterBytes: 33_152 },
    };
    const call = async () => counted(open(), packedCount(changed(job, path, value)));
    await expect(call()).rejects.toMatchObject(refusalOf(code, words));
  });

  it.each(titled(PARTIALS))("partial tables with $path: $words", async ({ path, value, words, code }) => {
    const raw = readableCount(bytes);
    const merged = { partials: 264, mergeThreads: 1024, mergeBlocks: 32 };
    const job = {
      ...raw,
      algorithm: "trish",
      plan: { ...raw.plan, threads: 64, sharedBytes: 16_384, ...merged },
      own: packed(countKernel("trish").own, { k: 31, rowSums: "pairs" }) as never,
    };
    const call = async () => counted(open(), packedCount(changed(job, path, value)));
    await expect(call()).rejects.toMatchObject(refusalOf(code, words));
  });

  it.each([
    ["periodic", 16_383, 16_384],
    ["checkGlobal", 16_383, 16_384],
    ["checkShared", 17_407, 17_408],
  ] as const)("privatized counters with %s in %i bytes", async (merge, sharedBytes, needed) => {
    const raw = readableCount(bytes);
    const own = packed(countKernel("privatized").own, { merge, layout: "row" }) as never;
    const plan = { ...raw.plan, threads: 64, sharedBytes };
    const call = async () => counted(open(), packedCount({ ...raw, algorithm: "privatized", plan, own }));
    await expect(call()).rejects.toMatchObject(
      refusalOf(undefined, `${needed} to 4294967295 for plan.sharedBytes`),
    );
  });

  it.each([
    ["device", () => new native!.Context(-1, false)],
    ["device", () => new native!.Context("0" as never, false)],
    ["exactTimings", () => new native!.Context(0, 1 as never)],
    ["bytes", () => native!.pinned(Number.NaN)],
  ])("a wrong %s", (name, call) => {
    expect(call).toThrow(expect.objectContaining(refusalOf(undefined, `for ${name} but received`)));
  });

  it.each<[string, () => Promise<unknown>]>([
    ["for job", () => open().free(-1)],
    ["for job.source", () => open().upload({} as never)],
    ["0 for bytes.length", () => open().uploadTable({ bytes, rowBytes: 3, control: control() })],
    ["0 for bytes.length", () => open().uploadTable({ bytes, rowBytes: 0, control: control() })],
    ["for job.bytes", () => open().uploadTable({ bytes: null as never, rowBytes: 1, control: control() })],
    ["2 for source.pixelBytes", () => open().extent(changed(countJob(bytes), "wanted.type", 2))],
    ["for device", () => native!.memory(2 ** 31)],
  ])("%s", async (words, call) => {
    await expect(call()).rejects.toMatchObject(refusalOf(undefined, words));
  });
});

describe("the boundary, over a table", () => {
  const withTable = async (use: (context: Context, table: number) => Promise<void>) => {
    const context = new host!.Context(0, false);
    const table = await context.uploadTable({
      bytes: Uint8Array.of(0, 1, 2, 1, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2),
      rowBytes: 7,
      control: control(),
    });
    await use(context, table);
    await context.close();
  };

  it("adds up the requested features", async () => {
    await withTable(async (context, table) => {
      const { totals } = await context.sums(sumsJob(table));
      expect([...totals]).toEqual([1, 2, 1, 1, 6, 3]);
      const listed = await context.sums({ ...sumsJob(table), list: Uint32Array.of(0, 1, 2, 6) });
      expect([...listed.totals]).toEqual([2, 1, 1, 1 + 4, 2, 3]);
    });
  });

  it("divides the duration of a timed launch by the cycles of its features", async () => {
    await withTable(async (context, table) => {
      const [{ launches, ...rest }, both] = [readableSums(table), [0, 1]];
      const launch = launches[0]!;
      const job = packedSums({
        ...rest,
        timed: true,
        launches: [
          launch,
          { ...launch, rows: Uint32Array.from(both), skip: new Uint32Array(2).fill(2 ** 32 - 1) },
        ],
      });
      // The fake runtime's launches take 1 ms, and feature f takes f + 1 cycles.
      const { ms, totals } = await context.sums(job);
      expect(ms[0]).toBe(1);
      expect(ms[1]! + ms[2]!).toBeCloseTo(1);
      expect(ms[2]! / ms[1]!).toBeCloseTo(2);
      expect(totals).toHaveLength(3 * 6);
      expect((await context.sums(sumsJob(table))).ms).toEqual([]);
    });
  });

  it.each(titled(SUMS))("refuses sums with $path: $words", async ({ path, value, words, code }) => {
    await withTable(async (context, table) => {
      const call = async () => context.sums(packedSums(changed(readableSums(table), path, value)));
      await expect(call()).rejects.toMatchObject(refusalOf(code, words));
    });
  });

  it("refuses more pixels than a resident has, and a freed resident", async () => {
    const context = new host!.Context(0, false);
    const { source, control: talk } = countJob(bytes);
    const resident = await context.upload({ source, control: talk });
    const job = countJob(bytes);
    const ofResident = { ...job, source: { ...source, bytes: undefined, resident } } as never;
    const { counts } = await counted(context, ofResident);
    expect(counts.reduce((a, b) => a + b)).toBe(1000);
    for (const [path, value] of [
      ["source.pixels", 1001],
      ["source.first", 1],
    ] as const) {
      await expect(counted(context, changed(ofResident, path, value))).rejects.toMatchObject(
        refusalOf(undefined, "0 to 1000 for source.pixels but received 1001"),
      );
    }
    await context.free(resident);
    await expect(counted(context, ofResident)).rejects.toMatchObject(
      refusalOf("ERR_INPUT", "they were freed"),
    );
    await context.close();
  });
});

describe("an immediate count over the boundary", () => {
  const shape = () => countJob(bytes);
  const few = Uint8Array.of(1, 2, 2, 3, 3, 3);
  const cells = (counts: Float64Array, at = 0) => [...counts.subarray(at * 259, at * 259 + 5)];
  const open = async (
    use: (context: Context, prepared: NativePrepared, resident: number) => Promise<void>,
  ) => {
    const context = new host!.Context(0, false);
    const { source, control: talk } = countJob(few);
    const resident = await context.upload({ source, control: talk });
    await use(context, context.prepare(shape()), resident);
    await context.close();
  };

  it("counts a resident and small inputs, many at once and in one call", async () => {
    await open(async (context, prepared, resident) => {
      const of = (i: number) => (i % 2 === 0 ? resident : few.subarray(0, 3));
      const found = (i: number) => (i % 2 === 0 ? [0, 1, 2, 3, 0] : [0, 1, 2, 0, 0]);
      const all = await Promise.all(
        Array.from({ length: 1500 }, (_, i) => context.launch(prepared, of(i), i % 2 === 0 ? 6 : 3)),
      );
      expect(all.every((counts, i) => `${cells(counts)}` === `${found(i)}`)).toBe(true);
      const inputs = Array.from({ length: 3000 }, (_, i) => of(i));
      const together = await context.launch(
        prepared,
        inputs,
        inputs.map((_, i) => (i % 2 === 0 ? 6 : 3)),
      );
      expect(together).toHaveLength(3000 * 259);
      expect(inputs.every((_, i) => `${cells(together, i)}` === `${found(i)}`)).toBe(true);
      expect(await context.launch(prepared, [], [])).toHaveLength(0);
    });
  });

  it("finishes before the call returns, while others are under way", async () => {
    await open(async (context, prepared, resident) => {
      const into = new Float64Array(259);
      const others = Array.from({ length: 100 }, () => context.launch(prepared, resident, 6));
      for (let i = 0; i < 100; i++) {
        context.countNow(prepared, i % 2 === 0 ? resident : few, 6, into);
        expect(cells(into)).toEqual([0, 1, 2, 3, 0]);
      }
      for (const counts of await Promise.all(others)) expect(cells(counts)).toEqual([0, 1, 2, 3, 0]);
      const { kernelMs } = context.countSource(prepared, { source: countJob(few).source, timed: true }, into);
      expect(cells(into)).toEqual([0, 1, 2, 3, 0]);
      expect(kernelMs).toBeGreaterThan(0);
    });
  });

  it("adds to counts that stay on the device until they are taken", async () => {
    await open(async (context, prepared, resident) => {
      const total = context.total(prepared);
      expect(cells(await context.take(total, prepared))).toEqual([0, 0, 0, 0, 0]);
      await Promise.all(Array.from({ length: 50 }, () => context.launch(prepared, resident, 6, total)));
      await context.count({ ...countJob(few), timed: false }, prepared, total);
      expect(() => context.launch(prepared, few, 7, total)).toThrow(/7 bytes of samples/);
      expect(cells(await context.take(total, prepared))).toEqual([0, 51, 102, 153, 0]);
      expect(cells(await context.take(total, prepared))).toEqual([0, 0, 0, 0, 0]);
      await context.freeTotal(total);
      expect(() => context.launch(prepared, few, 6, total)).toThrow(/total.size/);
    });
  });

  it("counts piece by piece in calls that cannot be stopped, some longer than a piece", async () => {
    await open(async (context, prepared) => {
      // One piece, one without its tail, and several with an odd end, in page-locked and in ordinary memory.
      const all = [2 ** 20 + 3, 17 * 2 ** 20 + 1, 37 * 2 ** 20 + 5].flatMap((length) =>
        [new ArrayBuffer(length), host!.pinned(length)].map((buffer) => new Uint8Array(buffer).fill(2)),
      );
      for (const of of all) of[of.length - 1] = 4;
      const calls = all.map((of) => context.count({ source: countJob(of).source, timed: false }, prepared));
      for (const [i, { counts }] of (await Promise.all(calls)).entries()) {
        expect(cells(counts)).toEqual([0, 0, all[i]!.length - 1, 0, 1]);
      }
    });
  });

  it("settles when the caller looks, without the event loop", async () => {
    await open(async (context, prepared, resident) => {
      expect(context.look()).toBe(false);
      host!.closeGate();
      const call = context.count({ source: countJob(few).source, timed: false }, prepared);
      expect(context.look()).toBe(true);
      host!.openGate();
      const another = context.launch(prepared, resident, 6);
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (let i = 0; i < 10_000 && context.look(); i++) Atomics.wait(pause, 0, 0, 1);
      expect(context.look()).toBe(false);
      expect(cells((await call).counts)).toEqual([0, 1, 2, 3, 0]);
      expect(cells(await another)).toEqual([0, 1, 2, 3, 0]);
    });
  });

  it("keeps a resident that is freed meanwhile until it is counted", async () => {
    await open(async (context, prepared, resident) => {
      const calls = Array.from({ length: 20 }, () => context.launch(prepared, resident, 6));
      await context.free(resident);
      for (const counts of await Promise.all(calls)) expect(cells(counts)).toEqual([0, 1, 2, 3, 0]);
      expect(() => context.launch(prepared, resident, 6)).toThrow(/they were freed/);
    });
  });

  it("refuses invalid arguments", async () => {
    await open(async (context, prepared, resident) => {
      const total = context.total(prepared);
      const into = new Float64Array(259);
      const refused: readonly (() => unknown)[] = [
        () => context.launch({} as never, resident, 6),
        () => context.launch(total as never, resident, 6),
        () => context.launch(prepared, resident, 7),
        () => context.launch(prepared, resident, -1),
        () => context.launch(prepared, resident, 1.5),
        () => context.launch(prepared, resident, Number.NaN),
        () => context.launch(prepared, resident, 2 ** 53),
        () => context.launch(prepared, 0, 6),
        () => context.launch(prepared, 99, 6),
        () => context.launch(prepared, few, 7),
        () => context.launch(prepared, new Uint16Array(6) as never, 6),
        () => context.launch(prepared, new Uint8Array(65_537), 65_537),
        () => context.launch(prepared, undefined as never, 6),
        () => context.launch(prepared, [resident, 99], [6, 6]),
        () => context.launch(prepared, [resident], []),
        () => context.launch(prepared, 1 as never, []),
        () => context.countNow(prepared, resident, 6, new Float64Array(258)),
        () => context.countNow(prepared, resident, 6, new Float32Array(259) as never),
        () => context.countSource(prepared, {} as never, into),
        () => context.total(total as never),
        () => context.launch(prepared, resident, 6, prepared as never),
        () => context.take(prepared as never, prepared),
        () => context.prepare(null as never),
      ];
      for (const call of refused) {
        expect(call).toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^ERR_(INTERNAL|INPUT)$/) }),
        );
      }
      expect(cells(await context.launch(prepared, resident, 6))).toEqual([0, 1, 2, 3, 0]);
    });
  });
});

/** Long enough for a process on a busy machine. */
const PROCESS = { timeout: 60_000 };

const HOSTILE = [
  ...[Number.NaN, -1, 0, 1.5, 3, 257, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 60, Number.POSITIVE_INFINITY],
  ...["", "per-lane", null, undefined, {}, [], [0], true, false, 10n, Symbol("s"), () => 1],
  ...[new Uint8Array(3), new Uint32Array(300), new Float64Array(1), new Int32Array(new SharedArrayBuffer(4))],
];

/** The path of every leaf of a job. */
function leaves(of: unknown, path = ""): string[] {
  if (typeof of !== "object" || of === null || ArrayBuffer.isView(of)) return [path];
  return Object.entries(of).flatMap(([key, value]) => leaves(value, path === "" ? key : `${path}.${key}`));
}

const WORDS = [0, 1, 2, 3, 5, 31, 257, 65_537, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

/** The structs of a job by their paths. */
function structsOf(job: object): Record<string, Uint8Array> {
  const paths = leaves(job).filter((path) => /(^|\.)(numbers|plan|own)$/.test(path));
  const at = (path: string) =>
    path.split(".").reduce<unknown>((of, key) => (of as Record<string, unknown>)[key], job);
  return Object.fromEntries(paths.map((path) => [path, at(path) as Uint8Array]));
}

function withWord(of: Uint8Array, at: number, word: number): Uint8Array {
  const copy = of.slice();
  new DataView(copy.buffer).setUint32(at, word, true);
  return copy;
}

/** Wrong words of a struct that was not packed. */
it.each([
  ["lowering.numbers", 0, 5, "0 to 4 for job.lowering.numbers.kind but received 5"],
  ["lowering.numbers", 4, 8, "0 to 7 for job.lowering.numbers.type but received 8"],
  ["lowering.numbers", 12, 2, "0 to 1 for job.lowering.numbers.flow but received 2"],
  ["own", 20, 0, "1 to 4 for own.inFlight but received 0"],
])("a word of %s at %i that is %i is refused", async (path, at, word, words) => {
  const of = structsOf(countJob(bytes))[path]!;
  const job = changed(countJob(bytes), path, withWord(of, at, word));
  await expect(counted(new host!.Context(0, false), job)).rejects.toMatchObject(refusalOf(undefined, words));
});

it("a job with any content is counted or refused with a code", { timeout: 60_000 }, async () => {
  const context = new host!.Context(0, false);
  const table = await context.uploadTable({ bytes, rowBytes: 100, control: control() });
  const outcomes = { counted: 0, refused: 0 };
  const attempt = async (call: () => Promise<unknown>, what: string) => {
    const error = await (async () => call())().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error === null) outcomes.counted++;
    else {
      outcomes.refused++;
      expect(error, what).toMatchObject({ code: expect.stringMatching(/^ERR_/) });
    }
  };
  for (const value of HOSTILE) {
    const shown = String(value);
    for (const path of leaves(readableCount(bytes))) {
      const readable = changed(readableCount(bytes), path, value);
      await attempt(() => counted(context, packedCount(readable)), `count, ${path}: ${shown}`);
      await attempt(() => context.extent(packedCount(readable)), `extent, ${path}: ${shown}`);
    }
    for (const path of leaves(countJob(bytes))) {
      const job = changed(countJob(bytes), path, value);
      await attempt(() => counted(context, job), `count, ${path}: ${shown}`);
    }
    for (const path of leaves(readableSums(table))) {
      const readable = changed(readableSums(table), path, value);
      await attempt(() => context.sums(packedSums(readable)), `sums, ${path}: ${shown}`);
    }
    for (const path of leaves(sumsJob(table))) {
      await attempt(() => context.sums(changed(sumsJob(table), path, value)), `sums, ${path}: ${shown}`);
    }
    await attempt(() => counted(context, value as never), `count: ${shown}`);
    await attempt(() => context.uploadTable(value as never), `uploadTable: ${shown}`);
    await attempt(() => context.free(value as never), `free: ${shown}`);
  }
  // Packing refuses these, so any word of a struct is changed after packing.
  for (const word of WORDS) {
    for (const [path, of] of Object.entries(structsOf(countJob(bytes)))) {
      for (let at = 0; at < of.length; at += 4) {
        const job = changed(countJob(bytes), path, withWord(of, at, word));
        await attempt(() => counted(context, job), `count, ${path} + ${at}: ${word}`);
      }
    }
    for (const [path, of] of Object.entries(structsOf(sumsJob(table)))) {
      for (let at = 0; at < of.length; at += 4) {
        const job = changed(sumsJob(table), path, withWord(of, at, word));
        await attempt(() => context.sums(job), `sums, ${path} + ${at}: ${word}`);
      }
    }
  }
  expect(outcomes.counted).toBeGreaterThan(100);
  expect(outcomes.refused).toBeGreaterThan(1000);
  await context.close();
});

describe("every promise is settled, once", () => {
  it("with the result", async () => {
    expect(await host!.settle("", "")).toBe("fine");
  });

  it.each([
    ["", "an error of JavaScript's", { name: "RangeError", message: "too long" }],
    ["a failure", "", { code: "ERR_LIMIT", message: "too much" }],
    ["", "a failure", { code: "ERR_LIMIT", message: "too much" }],
    ["no memory", "", { code: "ERR_OUT_OF_MEMORY" }],
    ["", "no memory", { code: "ERR_OUT_OF_MEMORY" }],
    ["an exception", "", { code: "ERR_INTERNAL", message: "odd" }],
    ["", "an exception", { code: "ERR_INTERNAL", message: "odd" }],
    ["something else", "", { code: "ERR_INTERNAL" }],
    ["", "something else", { code: "ERR_INTERNAL" }],
  ])("where the work throws %s, and what makes its result %s", async (work, result, error) => {
    await expect(host!.settle(work, result)).rejects.toMatchObject(error);
  });

  it("the process continues if a thread ends during a call", PROCESS, async () => {
    expect(await output("closing.ts")).toBe("goes on\n");
  });
});

describe.each(["held", "copied"])("memory that is taken away in the middle of a call, %s", (how) => {
  it.each([
    "transfer",
    "transfer of another length",
    "structuredClone",
    "postMessage",
    "resize",
    "page-locked memory",
  ])("by %s: what was there is counted", PROCESS, async (way) => {
    const counts = [0, 0, 0, 0, 0, 0, 0, 8 * 2 ** 20];
    expect(JSON.parse(await output("transfer.ts", way, how))).toEqual({ left: 0, counts });
  });
});

describe("finding devices", () => {
  it("does not block the main thread", async () => {
    const before = host!.onMainThread();
    await host!.devices();
    await host!.memory(0);
    expect(host!.onMainThread()).toBe(before);
  });

  it.each(addons)("is a promise of %s", async (_, native) => {
    expect(native!.devices()).toBeInstanceOf(Promise);
  });
});

/** The output of a program in test/host, which must not end with a signal. */
async function output(program: string, ...args: string[]): Promise<string> {
  const path = fileURLToPath(new URL(`./host/${program}`, import.meta.url));
  return (await promisify(execFile)(process.execPath, [path, ...args])).stdout;
}

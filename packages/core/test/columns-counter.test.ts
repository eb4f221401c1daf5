import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { integer, regular } from "../src/axis/index.ts";
import { openEngine } from "../src/engine/open.ts";
import { fileSamples } from "../src/input/file.ts";
import { expectError, rejectionOf } from "./helpers.ts";

// Counters of columns, whose results must be those of the engine's own calls.

const N = 700;
const x = Float32Array.from({ length: N }, (_, i) => ((i * 37) % 130) / 100 - 0.1);
const y = Uint8Array.from({ length: N }, (_, i) => (i * i) % 7);
const codes = Uint8Array.from({ length: N }, (_, i) => i % 3);
const mask = Uint8Array.from({ length: N }, (_, i) => Number(i % 5 !== 0));
const where = Uint32Array.from({ length: N / 2 }, (_, i) => 2 * i);
const weights = Float64Array.from({ length: N }, (_, i) => ((i * 13) % 17) / 4 - 1);
const axes = [regular(5, 0, 1), integer(1, 5)] as const;
const columns = [
  { type: "f32", axis: axes[0] },
  { type: "u8", axis: axes[1] },
] as const;
const by = { type: "u8", groups: 3 } as const;

const halves = (values: Float32Array | Uint8Array | Float64Array) => [
  values.subarray(0, 300),
  values.subarray(300),
];
const streamOf = (values: ArrayBufferView) =>
  new Blob([values as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>;

describe("count, countSync and countAll are the engine's calls", () => {
  it("of columns, with a mask, a list or groups", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns });
    const given = [x, y];
    const plain = await engine.joint(given, { axes });
    expect((await counter.count(given)).cells).toEqual(plain.cells);
    expect(counter.countSync(given).cells).toEqual(plain.cells);
    for (const select of [
      { mask },
      { where },
      { mask, where },
      { mask: { bits: Uint8Array.of(0x5a, 0x0f) } },
    ]) {
      const n = "bits" in (select.mask ?? {}) ? 16 : N;
      const some = [x.subarray(0, n), y.subarray(0, n)];
      const wanted = await engine.joint(some, { axes, ...select });
      const input = { columns: some, ...select };
      const all = [
        await counter.count(input),
        counter.countSync(input),
        (await counter.countAll([input]))[0]!,
      ];
      for (const found of all) expect([found.cells, found.masked]).toEqual([wanted.cells, wanted.masked]);
    }
    await using grouped = await engine.prepare({ columns: [columns[0]], by });
    const wanted = await engine.histogram(x, { axis: axes[0], by: { codes, groups: 3 } });
    for (const found of [
      await grouped.count({ columns: [x], by: codes }),
      grouped.countSync({ columns: [x], by: codes }),
    ]) {
      expect(found.at(2).counts).toEqual(wanted.at(2).counts);
    }
  });

  it("of no samples, of a column of no cells on the device, and of times on request", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns, timings: true });
    const none = [new Float32Array(0), new Uint8Array(0)];
    for (const found of [counter.countSync(none), await counter.count(none)]) {
      expect(found.sum({ flow: true })).toBe(0);
      expect(found.timings!.totalMs).toBeGreaterThanOrEqual(0);
    }
  });

  it("of simulated algorithms, which count synchronously as soon as they are loaded", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns, algorithm: "per-block" });
    const wanted = await counter.count([x, y]);
    expect(wanted.algorithm).toBe("per-block");
    expect(counter.countSync([x, y]).cells).toEqual(wanted.cells);
  });

  it("of streams and files", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns });
    const path = join(tmpdir(), `polybin-columns-${process.pid}.f32`);
    await writeFile(path, x);
    const wanted = await engine.joint([x, y], { axes, mask });
    const file = fileSamples({ path, type: "f32", bytes: x.byteLength });
    expect((await counter.count([file, y])).cells).toEqual((await engine.joint([x, y], { axes })).cells);
    await rm(path);
    const found = await counter.count({ columns: [streamOf(x), streamOf(y)], mask: streamOf(mask) as never });
    expect([found.cells, found.masked]).toEqual([wanted.cells, wanted.masked]);
    expectError(() => counter.countSync([streamOf(x), y] as never), "ERR_UNSUPPORTED");
  });
});

describe("accumulate and take", () => {
  it("give what one call over all samples gives", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns });
    const [x1, x2] = halves(x);
    const [y1, y2] = halves(y);
    const [m1, m2] = halves(mask);
    await counter.accumulate({ columns: [x1!, y1!], mask: m1 as Uint8Array });
    await counter.accumulate({ columns: [x2!, y2!], mask: m2 as Uint8Array });
    const wanted = await engine.joint([x, y], { axes, mask });
    const taken = await counter.take();
    expect([taken.cells, taken.masked]).toEqual([wanted.cells, wanted.masked]);
    expect((await counter.take()).sum({ flow: true })).toBe(0);
  });

  it("of groups, with a mask", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns: [columns[0]], by, timings: true });
    for (let i = 0; i < 3; i++) await counter.accumulate({ columns: [x], by: codes, mask });
    const wanted = await engine.histogram(x, { axis: axes[0], by: { codes, groups: 3 }, mask });
    const taken = await counter.take();
    for (const group of [0, 1, 2]) {
      expect([...taken.at(group).counts]).toEqual([...wanted.at(group).counts].map((count) => 3 * count));
    }
    expect(taken.joint.masked).toBe(3 * wanted.joint.masked);
  });

  it("of weights are exact over all calls, in any order", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns: [columns[1]], weights: "f64", squares: true });
    const tiny = Float64Array.from(weights, (weight, i) => (i % 2 === 0 ? 1e16 : -1e16) + weight / 3);
    const wanted = await engine.histogram(y, { axis: axes[1], weights: tiny, squares: true });
    const parts = [0, 1, 2, 3, 4, 5, 6].map((i) => ({
      columns: [y.subarray(100 * i, 100 * i + 100)],
      weights: tiny.subarray(100 * i, 100 * i + 100),
    }));
    for (const order of [parts, parts.toReversed()]) {
      await Promise.all(order.map((part) => counter.accumulate(part)));
      const taken = await counter.take();
      expect([taken.sums, taken.sumsOfSquares, taken.counts]).toEqual([
        wanted.sums,
        wanted.sumsOfSquares,
        wanted.counts,
      ]);
    }
    expectError(() => counter.countSync(parts[0]!), "ERR_UNSUPPORTED", "await count");
    expect([...(await counter.take()).sums]).toEqual([0, 0, 0, 0]);
  });

  it("a call that rejects adds nothing, and a take that rejects keeps everything", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ columns: [columns[0]], by });
    await counter.accumulate({ columns: [x], by: codes });
    const wrong = Uint8Array.from(codes, (code, i) => (i === N - 1 ? 9 : code));
    await counter.accumulate({ columns: [x], by: wrong }).catch(() => {});
    const aborted = AbortSignal.abort(new Error("stop"));
    await expect(counter.take({ signal: aborted })).rejects.toThrow("stop");
    const wanted = await engine.histogram(x, { axis: axes[0], by: { codes, groups: 3 } });
    const taken = await counter.take();
    expect(taken.joint.cells).toEqual(wanted.joint.cells);
  });

  it("a freed counter refuses, and other inputs than it was prepared for", async () => {
    await using engine = await openEngine();
    const counter = await engine.prepare({ columns });
    expect(await rejectionOf(counter.count([x]))).toMatchObject({ code: "ERR_INPUT" });
    expect(await rejectionOf(counter.count([y, y]))).toMatchObject({ code: "ERR_INPUT" });
    const pairs = { data: new Uint8Array(2 * N), channels: 2 };
    expect(await rejectionOf(counter.count([x, pairs]))).toMatchObject({ code: "ERR_INPUT" });
    expect(await rejectionOf(counter.count({ columns: [x, y], by: codes }))).toMatchObject({
      code: "ERR_INPUT",
    });
    expect(await rejectionOf(counter.countAll(x as never))).toMatchObject({ code: "ERR_INPUT" });
    await counter.free();
    expect(await rejectionOf(counter.count([x, y]))).toMatchObject({ code: "ERR_INPUT" });
    expectError(() => counter.countSync([x, y]), "ERR_INPUT", "freed");
  });
});

describe("a stream next to samples in memory", () => {
  it("with a mask of bits, or a list in any order", async () => {
    await using engine = await openEngine();
    const big = Uint8Array.from({ length: 2 ** 20 }, (_, i) => (i * i) % 251);
    const bits = Uint8Array.from({ length: 2 ** 17 }, (_, i) => (i * 7) % 256);
    const list = Uint32Array.from({ length: 5000 }, (_, i) => (i * 7_919_111) % 2 ** 20);
    const options = { axis: integer(0, 251) };
    for (const select of [{ mask: { bits } }, { where: list }]) {
      const wanted = await engine.histogram(big, { ...options, ...select });
      const found = await engine.histogram(streamOf(big) as never, { ...options, ...select, type: "u8" });
      expect([found.counts, found.masked]).toEqual([wanted.counts, wanted.masked]);
    }
    const short = engine.histogram(streamOf(big) as never, {
      ...{ ...options, type: "u8", mask: { bits: bits.subarray(1) } },
    });
    expect(await rejectionOf(short)).toMatchObject({ code: "ERR_INPUT" });
  });
});

describe("segments of samples that are read once", () => {
  it("have the rows of samples in memory", async () => {
    await using engine = await openEngine();
    const big = Float32Array.from({ length: 1_500_000 }, (_, i) => ((i * 37) % 130) / 100 - 0.1);
    const offsets = [5, 20, 20, 700_000, 1_499_990];
    for (const how of [{ every: 33_333 }, { offsets }] as const) {
      const wanted = await engine.segments(big, how as { every: number }, { axis: axes[0] });
      const found = await engine.segments(streamOf(big) as never, how as { every: number }, {
        ...{ axis: axes[0], type: "f32", bytes: big.byteLength },
      });
      expect(found.counts).toEqual(wanted.counts);
      const into = new Uint32Array(wanted.counts.length);
      await engine.segments(streamOf(big) as never, how as { every: number }, {
        ...{ axis: axes[0], type: "f32", bytes: big.byteLength, into },
      });
      expect(into).toEqual(wanted.counts);
    }
  });

  it("with weights and a mask are groups, for every way to cut", async () => {
    await using engine = await openEngine();
    const cuts = [{ every: 9 }, { offsets: [3, 10, 10, 650] }] as const;
    for (const how of cuts) {
      const found = await engine.segments(x, how as { every: number }, { axis: axes[0], weights, mask });
      const offsets =
        "every" in how
          ? Array.from({ length: Math.ceil(N / 9) + 1 }, (_, i) => Math.min(N, 9 * i))
          : how.offsets;
      for (let i = 0; i + 1 < offsets.length; i++) {
        const [from, to] = [offsets[i]!, offsets[i + 1]!];
        if (from === to) continue;
        const wanted = await engine.histogram(x.subarray(from, to), {
          ...{ axis: axes[0], weights: weights.subarray(from, to), mask: mask.subarray(from, to) },
        });
        expect(found.at(i).sums).toEqual(wanted.sums);
        expect(found.at(i).counts).toEqual(wanted.counts);
      }
    }
    const picture = { data: Uint8Array.from({ length: 60 }, (_, i) => i % 7), width: 10, height: 6 };
    const tiles = { tiles: { width: 4, height: 3 } };
    const wanted = await engine.segments(picture, tiles, { axis: axes[1] });
    const found = await engine.segments(picture, tiles, { axis: axes[1], mask: new Uint8Array(60).fill(1) });
    expect(found.counts).toEqual(wanted.counts);
  });
});

import { expect, it } from "vitest";
import { references } from "../src/algorithms/generated/references.ts";
import { algorithms } from "../src/algorithms/generated/registry.ts";
import { integer, regular } from "../src/axis/axis.ts";
import { cpu } from "../src/cpu/cpu.ts";
import { openEngine } from "../src/engine/open.ts";
import { eachSegmentRun, pixelsBefore, segmentAt, segmentPixels } from "../src/input/segment-order.ts";
import { type Segments, segmentsOf } from "../src/input/segments.ts";
import { multithreaded } from "../src/multithreaded/index.ts";
import type { Algorithm } from "../src/plan/algorithm.ts";
import { checkRow, newRows, rowsOfCode } from "../src/result/rows.ts";
import { errorOf, expectError, FakeBackend, rejectionOf } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

const IMAGE = { pixels: 35, image: { width: 7, height: 5 } };

/** The pixels of each segment, as the order tells them. */
function pixelsOf(of: Segments): number[][] {
  return Array.from({ length: of.count }, (_, i) => {
    const found: number[] = [];
    const first = pixelsBefore(of, i);
    eachSegmentRun(of, first, first + segmentPixels(of, i), (pixel, count) => {
      for (let at = pixel; at < pixel + count; at++) found.push(at);
    });
    return found;
  });
}

it("cuts segments of equal length, the last one shorter", () => {
  expect(segmentsOf({ every: 10 }, IMAGE)).toMatchObject({ count: 4, longest: 10, pixels: 35 });
  expect(segmentsOf({ every: 100 }, IMAGE)).toMatchObject({ count: 1, longest: 35 });
  expect(segmentsOf({ every: 5 }, { pixels: 0, image: null })).toMatchObject({ count: 0, longest: 0 });
  expect(pixelsOf(segmentsOf({ every: 16 }, IMAGE)).map((all) => all.length)).toEqual([16, 16, 3]);
});

it("cuts at offsets, also equal ones, and copies the offsets", () => {
  const given = [2, 5, 5, 5, 9];
  const found = segmentsOf({ offsets: given }, IMAGE);
  given[1] = 99;
  expect(found).toMatchObject({ kind: "offsets", count: 4, longest: 4 });
  expect(pixelsOf(found)).toEqual([[2, 3, 4], [], [], [5, 6, 7, 8]]);
  expect(segmentAt(found, 2)).toBe(0);
  expect(segmentAt(found, 3)).toBe(3);
  expect(segmentsOf({ offsets: Uint32Array.of(35) }, IMAGE)).toMatchObject({ count: 0, longest: 0 });
  expect(segmentsOf({ offsets: [35, 35] }, IMAGE)).toMatchObject({ count: 1, longest: 0 });
});

it("cuts tiles, whose order contains each pixel once", () => {
  const found = segmentsOf({ tiles: { width: 3, height: 2 } }, IMAGE);
  expect(found).toMatchObject({ columns: 3, rows: 3, count: 9, longest: 6 });
  const all = pixelsOf(found);
  expect(all[0]).toEqual([0, 1, 2, 7, 8, 9]);
  expect(all[2]).toEqual([6, 13]);
  expect(all[8]).toEqual([34]);
  expect(all.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 35 }, (_, i) => i));
  for (const [width, height] of [
    [1, 1],
    [7, 5],
    [7, 2],
    [1, 5],
    [100, 100],
    [2, 3],
  ] as const) {
    const of = segmentsOf({ tiles: { width, height } }, IMAGE);
    expect(pixelsBefore(of, of.count)).toBe(35);
    // Any part of the order is a part of the whole.
    const order = pixelsOf(of).flat();
    for (let from = 0; from < 35; from += 4) {
      const part: number[] = [];
      eachSegmentRun(of, from, Math.min(35, from + 9), (pixel, count) => {
        for (let i = 0; i < count; i++) part.push(pixel + i);
      });
      expect(part).toEqual(order.slice(from, from + 9));
      const segment = segmentAt(of, from);
      expect(pixelsBefore(of, segment)).toBeLessThanOrEqual(from);
      expect(pixelsBefore(of, segment + 1)).toBeGreaterThan(from);
    }
  }
  const none = segmentsOf({ tiles: { width: 3, height: 2 } }, { pixels: 0, image: { width: 0, height: 5 } });
  expect(none.count).toBe(0);
  expect(pixelsBefore(none, 0)).toBe(0);
});

it.each<[string, Anything, string]>([
  ["nothing", undefined, "an object for segments"],
  ["an array", [1, 2], "an object for segments"],
  ["no kind", {}, "either every, offsets or tiles in segments but received none"],
  ["two kinds", { every: 1, offsets: [0] }, "but received every and offsets"],
  ["another name", { evry: 1 }, "did you mean every?"],
  ["none each", { every: 0 }, "a whole number of at least 1 for segments.every but received 0"],
  ["fewer than none", { every: -1 }, "for segments.every"],
  ["a part", { every: 1.5 }, "for segments.every"],
  ["a text", { every: "8" }, "for segments.every"],
  ["no offsets", { offsets: [] }, "at least one, for segments.offsets"],
  [
    "descending",
    { offsets: [0, 5, 4] },
    "not below the offset before it (5) for segments.offsets[2] but received 4",
  ],
  ["past the end", { offsets: [0, 36] }, "up to 35"],
  ["before the start", { offsets: [-1, 4] }, "for segments.offsets[0] but received -1"],
  ["parts", { offsets: [0, 0.5] }, "for segments.offsets[1]"],
  ["texts", { offsets: ["0", "5"] }, "for segments.offsets[0]"],
  ["no number", { offsets: [0, undefined, 5] }, "for segments.offsets[1]"],
  ["offsets of 64 bits", { offsets: BigInt64Array.of(0n, 5n) }, "an array of numbers for segments.offsets"],
  ["a number of offsets", { offsets: 5 }, "an array of numbers"],
  ["tiles of no height", { tiles: { width: 3 } }, "for segments.tiles.height"],
  ["tiles of no width", { tiles: { width: 0, height: 1 } }, "for segments.tiles.width"],
  ["no tiles", { tiles: 5 }, "an object for segments.tiles"],
])("refuses %s", (_, how, says) => {
  expectError(() => segmentsOf(how, IMAGE), "ERR_INPUT", says);
});

it("refuses tiles of samples without rows", () => {
  expectError(
    () => segmentsOf({ tiles: { width: 1, height: 1 } }, { pixels: 4, image: null }),
    "ERR_INPUT",
    "samples with a width for segments.tiles",
  );
});

it("counts rows, copied to the host and left on the device", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const data = Float32Array.of(0, 1, 2, 3, Number.NaN, -5, 9, 1, 1, 1);
  const axis = regular(2, 0, 4);
  const found = await engine.segments(data, { every: 4 }, { axis, timings: true });
  expect(JSON.parse(JSON.stringify(found))).toEqual({
    axis: { ...axis, edges: [0, 2, 4] },
    type: "f32",
    segments: 3,
    counts: [
      [2, 2],
      [1, 0],
      [2, 0],
    ],
    underflow: [0, 1, 0],
    overflow: [0, 1, 0],
    nan: [0, 1, 0],
  });
  expect(found).toMatchObject({ bins: 2, backend: "cpu", algorithm: "per-segment", type: "f32" });
  expect(found.device).toBe(engine.device);
  expect(found.plan).toMatchObject({ segments: { count: 3, longest: 4 }, samples: 10 });
  expect(found.timings!.totalMs).toBeGreaterThan(0);
  const second = found.at(1);
  expect(second).toMatchObject({ underflow: 1, overflow: 1, nan: 1, axis });
  expect([...second.counts]).toEqual([1, 0]);
  for (const segment of [-1, 3, 0.5, "0" as Anything]) {
    expectError(() => found.at(segment), "ERR_INPUT", "a whole number below 3 for segment");
  }

  const left = await engine.segments(data, { every: 4 }, { axis, leave: true });
  expect(left).toMatchObject({ segments: 3, bins: 2, freed: false });
  const into = new Uint32Array(4);
  const some = await left.read(1, 2, { into });
  expect(some.counts).toBe(into);
  expect([...into]).toEqual([1, 0, 2, 0]);
  expect([...some.nan]).toEqual([1, 0]);
  expect(some.timings).toBeNull();
  expect((await left.read(3)).counts).toHaveLength(0);
  for (const [first, count] of [
    [4, 0],
    [0, 4],
    [-1, 1],
    [1.5, 1],
  ] as const) {
    expect(await rejectionOf(left.read(first, count))).toMatchObject({ code: "ERR_INPUT" });
  }
  expect(await rejectionOf(left.read(0, 3, { into }))).toMatchObject({ code: "ERR_INPUT" });
  await left.free();
  await left.free();
  expect(left.freed).toBe(true);
  expect(await rejectionOf(left.read())).toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("freed"),
  });
});

it("frees rows left on the device when it closes", async () => {
  const engine = await openEngine({ backend: cpu() });
  const left = await engine.segments(Uint8Array.of(1, 2), { every: 1 }, { leave: true });
  await engine.close();
  expect(left.freed).toBe(true);
  expect(await rejectionOf(left.read())).toMatchObject({ code: "ERR_UNAVAILABLE" });
  expect(await rejectionOf(engine.segments(Uint8Array.of(1), { every: 1 }))).toMatchObject({
    code: "ERR_UNAVAILABLE",
  });
});

it("needs no device for samples of one code, for empty segments and without segments", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const below = await engine.segments(Uint32Array.of(1, 2, 3), { every: 2 }, { axis: integer(-9, -5) });
  expect([...below.overflow]).toEqual([2, 1]);
  expect([...below.counts]).toEqual(new Array(8).fill(0));
  const none = await engine.segments(new Float32Array(3), { offsets: [3, 3, 3] }, { axis: regular(2, 0, 1) });
  expect([...none.counts]).toEqual([0, 0, 0, 0]);
  expect([...none.nan]).toEqual([0, 0]);
  const into = Uint32Array.of(7, 7);
  await engine.segments(new Uint8Array(3), { offsets: [1, 1] }, { axis: integer(0, 2), into });
  expect([...into]).toEqual([0, 0]);
  expect((await engine.segments(new Uint8Array(0), { every: 4 })).segments).toBe(0);
  await using left = await engine.segments(
    Uint32Array.of(1),
    { every: 1 },
    { axis: integer(-9, -5), leave: true },
  );
  expect([...(await left.read()).overflow]).toEqual([1]);
});

it.each<[string, Anything, Anything, Anything, [code: string, says: string]]>([
  ["a stream of any length", bytesOf(), { every: 1 }, {}, ["ERR_UNSUPPORTED", "pass its length as bytes"]],
  [
    "several channels",
    { data: new Uint8Array(4), channels: 2 },
    { every: 1 },
    {},
    ["ERR_INPUT", "choose a channel"],
  ],
  [
    "no such channel",
    { data: new Uint8Array(4), channels: 2 },
    { every: 1 },
    { channel: 2 },
    ["ERR_INPUT", "0 to 1"],
  ],
  ["channels", new Uint8Array(4), { every: 1 }, { channels: [0] }, ["ERR_INPUT", "did you mean channel?"]],
  [
    "into of another type",
    new Uint8Array(4),
    { every: 1 },
    { into: new Int32Array(1024) },
    ["ERR_INPUT", "a Uint32Array"],
  ],
  [
    "a short into",
    new Uint8Array(4),
    { every: 1 },
    { into: new Uint32Array(1023) },
    ["ERR_INPUT", "1024 numbers"],
  ],
  [
    "into and leave",
    new Uint8Array(4),
    { every: 1 },
    { into: new Uint32Array(1024), leave: true },
    ["ERR_INPUT", "both"],
  ],
  [
    "leave that is none",
    new Uint8Array(4),
    { every: 1 },
    { leave: 1 },
    ["ERR_INPUT", "true or false for leave"],
  ],
  ["timings that are none", new Uint8Array(4), { every: 1 }, { timings: 1 }, ["ERR_INPUT", "for timings"]],
  [
    "tiles without rows",
    new Uint8Array(4),
    { tiles: { width: 1, height: 1 } },
    {},
    ["ERR_INPUT", "with a width"],
  ],
  [
    "another algorithm",
    new Uint8Array(4),
    { every: 1 },
    { algorithm: "sequential" },
    ["ERR_UNSUPPORTED", "cannot count segments"],
  ],
  [
    "no algorithm",
    new Uint8Array(4),
    { every: 1 },
    { algorithm: "fast" },
    ["ERR_UNSUPPORTED", "the name of an algorithm"],
  ],
])("refuses %s", async (_, input, how, options, [code, says]) => {
  await using engine = await openEngine({ backend: cpu() });
  const error = await rejectionOf(engine.segments(input, how, options));
  expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
});

it("every algorithm without support for segments refuses them", async () => {
  await using engine = await openEngine({ backend: cpu() });
  for (const slug of engine.algorithms) {
    const found = await engine.supports({ samples: 100, segments: { every: 10 }, algorithm: slug });
    const { segments } = (algorithms as Readonly<Record<string, Algorithm>>)[slug]!;
    expect(typeof found).toBe(segments === true ? "object" : "string");
  }
  expect(await engine.supports({ samples: 100, segments: { every: 10 }, channels: 2 })).toContain(
    "one channel",
  );
  expect(await engine.supports({ samples: 100, segments: { every: 10 }, accumulate: true })).toContain(
    "add the rows of their results",
  );
  const { text, plan, launch } = await engine.explain({ samples: 100, segments: { offsets: [0, 60, 100] } });
  expect(plan.segments).toEqual({ count: 2, longest: 60 });
  expect(text).toContain("2 segments of up to 60");
  expect(launch).toEqual({ kernel: "rows" });
});

it("simulates a third-party algorithm step by step", async () => {
  const seen: number[] = [];
  const { "per-segment": own } = algorithms;
  const mine: Algorithm = {
    ...own,
    slug: "mine",
    reference(codes, launch, cells) {
      seen.push(codes.length);
      return references["per-segment"](codes, launch, cells);
    },
  };
  await using engine = await openEngine({ backend: cpu({ algorithms: [mine] }) });
  const data = Uint8Array.from({ length: 70 }, (_, i) => i);
  for (const axis of [integer(10, 40), regular(7, -3, 60.5)]) {
    const want = await engine.segments(data, { every: 30 }, { axis });
    const found = await engine.segments(data, { every: 30 }, { axis, algorithm: "mine" });
    expect(found.algorithm).toBe("mine");
    expect(found.toJSON()).toEqual(want.toJSON());
  }
  expect(seen).toEqual([30, 30, 10, 30, 30, 10]);
});

it("also runs on the multithreaded backend", async () => {
  await using engine = await openEngine({ backend: multithreaded({ threads: 2 }) });
  const found = await engine.segments(Uint8Array.of(1, 1, 2), { every: 2 }, { axis: integer(1, 3) });
  expect([...found.counts]).toEqual([2, 0, 0, 1]);
});

/** A stream that does not know its length. */
async function* bytesOf(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1, 2);
}

it("a device without kernels for segments counts cells that this thread finds; one that cannot leave rows states so", async () => {
  const engine = await openEngine({ backend: new FakeBackend() });
  const found = await engine.segments(Uint8Array.of(1, 2, 2), { every: 2 }, { axis: integer(1, 3) });
  expect([...found.counts]).toEqual([1, 1, 0, 1]);
  expect(found.plan).toMatchObject({ kind: "channels", type: "u32" });
  await engine.close();
  const rows = { counts: new Uint32Array(256), flow: null, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
  const backend = new FakeBackend({
    algorithms: [algorithms["per-segment"]],
    preparers: { segments: () => ({ launch: {}, count: async () => rows }) },
  });
  await using other = await openEngine({ backend });
  expect((await other.segments(Uint8Array.of(1), { every: 1 })).counts).toBe(rows.counts);
  expect(await rejectionOf(other.segments(Uint8Array.of(1), { every: 1 }, { leave: true }))).toMatchObject({
    code: "ERR_UNSUPPORTED",
    message: "fake cannot leave counts on its device: leave the option leave out",
  });
  // Too few numbers are no result.
  expect(await rejectionOf(other.segments(Uint8Array.of(1, 2), { every: 1 }))).toMatchObject({
    code: "ERR_MISCOUNT",
  });
  const axis = integer(0, 5);
  expect(await rejectionOf(other.segments(Uint8Array.of(1), { every: 1 }, { axis }))).toMatchObject({
    code: "ERR_MISCOUNT",
  });
});

it("this thread counts cells that it found if they are more than an axis has bins", async () => {
  await using engine = await openEngine({ backend: new FakeBackend() });
  const samples = Uint16Array.of(1, 2, 2);
  const axis = integer(0, 40_000);
  const found = await engine.segments(samples, { every: 2 }, { axis });
  expect([found.counts[1], found.counts[2], found.counts[40_002]]).toEqual([1, 1, 1]);
  expect(found.plan).toBeNull();
  const { plan, host } = await engine.explain({ type: "u16", axis, samples: 3, segments: { every: 2 } });
  expect(plan).toBeNull();
  expect(host).toMatchObject([expect.stringContaining("in its own memory")]);
});

it("rows are doubles if a segment has 2^32 samples or more", () => {
  const one = (pixels: number) => segmentsOf({ every: pixels }, { pixels, image: null });
  expect(newRows(one(2 ** 32 - 1), { bins: 1, flow: true }).counts).toBeInstanceOf(Uint32Array);
  const long = newRows(one(2 ** 32), { bins: 2, flow: true });
  expect(long.counts).toBeInstanceOf(Float64Array);
  expect(long.flow).toHaveLength(3);
  expect([...rowsOfCode(one(2 ** 33), 2, 1).counts]).toEqual([0, 2 ** 33]);
  expectError(() => checkRow(3, 8, 9, "x"), "ERR_MISCOUNT", "9 samples in segment 3", "counted 8");
  expect(errorOf(() => newRows({ count: 2 ** 40, longest: 1 }, { bins: 2, flow: false }))).toMatchObject({
    code: "ERR_OUT_OF_MEMORY",
  });
});

it("counts pixels in any layout: unaligned, padded, one channel", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const values = Float32Array.from({ length: 60 }, (_, i) => i);
  const data = new Uint8Array(6 * 43 + 1).subarray(1);
  // Six rows of five pixels of two channels, 43 bytes apart.
  for (let y = 0; y < 6; y++) data.set(new Uint8Array(values.buffer, y * 40, 40), y * 43);
  const picture = { data, type: "f32", channels: 2, width: 5, height: 6, rowPitch: 43 } as const;
  const axis = regular(4, 0, 60);
  const odd = (pixels: number[]) => pixels.map((pixel) => pixel * 2 + 1);
  const rows = (cut: number[][]) =>
    cut.flatMap((pixels) =>
      [0, 1, 2, 3].map((bin) => odd(pixels).filter((of) => Math.min(3, Math.floor(of / 15)) === bin).length),
    );
  const all = Array.from({ length: 30 }, (_, i) => i);
  const options = { axis, channel: 1 };
  const seven = await engine.segments(picture, { every: 7 }, options);
  expect([...seven.counts]).toEqual(rows([0, 7, 14, 21, 28].map((at) => all.slice(at, at + 7))));
  const region = { x: 1, y: 2, width: 3, height: 3 };
  const tiles = await engine.segments({ ...picture, region }, { tiles: { width: 2, height: 2 } }, options);
  expect([...tiles.counts]).toEqual(rows([[11, 12, 16, 17], [13, 18], [21, 22], [23]]));
});

it("yields the thread to others, and stops when it is aborted", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const data = new Uint8Array(2 ** 22 + 5).fill(7);
  const told: number[] = [];
  const onProgress = ({ done }: { readonly done: number }) => told.push(done);
  const found = await engine.segments(data, { every: 3_000_000 }, { onProgress });
  expect([found.counts[7], found.counts[256 + 7]]).toEqual([3_000_000, 2 ** 22 + 5 - 3_000_000]);
  const steps = [2 ** 20, 2 ** 21, 3 * 2 ** 20, 2 ** 22, 2 ** 22 + 5];
  expect(told.splice(0)).toEqual(steps);
  await engine.segments(data, { every: 3_000_000 }, { onProgress, leave: true });
  expect(told.splice(0)).toEqual(steps);
  const stop = new AbortController();
  const reason = new Error("enough");
  const running = engine.segments(
    data,
    { every: 100 },
    { signal: stop.signal, onProgress: () => stop.abort(reason) },
  );
  await expect(running).rejects.toBe(reason);
});

it("fails if memory was detached, and if a device miscounts", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const data = new ArrayBuffer(2 ** 21, { maxByteLength: 2 ** 21 });
  const running = engine.segments(data, { every: 1000 }, { onProgress: () => data.resize(10) });
  expect(await rejectionOf(running)).toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("memory"),
  });
  const { "per-segment": own } = algorithms;
  const losing: Algorithm = {
    ...own,
    slug: "losing",
    reference: (codes, launch, cells) => references["per-segment"](codes.subarray(1), launch, cells),
  };
  await using other = await openEngine({ backend: cpu({ algorithms: [losing] }) });
  expect(
    await rejectionOf(other.segments(Uint8Array.of(1, 2), { every: 2 }, { algorithm: "losing" })),
  ).toMatchObject({
    code: "ERR_MISCOUNT",
    algorithm: "losing",
  });
});

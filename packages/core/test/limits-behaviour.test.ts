import { describe, expect, it } from "vitest";
import { plan, planOrReason } from "../src/algorithms/choice/planning.ts";
import type { Slug } from "../src/algorithms/generated/registry.ts";
import { bytePairs, PackedCounters, PairSums } from "../src/algorithms/lib/counters.ts";
import { algorithm as perWarp } from "../src/algorithms/per-warp.ts";
import { addTagged, reference } from "../src/algorithms/references/per-warp.ts";
import { integer, regular, variable } from "../src/axis/axis.ts";
import { cpu } from "../src/cpu/cpu.ts";
import { openEngine } from "../src/engine/open.ts";
import { samples } from "../src/input/samples.ts";
import { type KeysLowering, lower } from "../src/lowering/lowering.ts";
import { rawShift } from "../src/plan/channels-plan.ts";
import type { PlanRequest } from "../src/plan/request.ts";
import { type ColumnOf, errorOf, expectError, gpu, planRequest, wholePixels, workers } from "./helpers.ts";

// Nothing here reads limits.ts: the papers' numbers stand here a second time, and the code must behave as they say.

function request(algorithm: Slug, changes: ColumnOf = {}): PlanRequest {
  return planRequest(algorithm, { lowering: { kind: "table", bins: 256, flow: false }, ...changes });
}

const few = { kind: "table", bins: 64, flow: false } as const;

describe("counters", () => {
  it.each([
    [8, 255],
    [16, 65_535],
  ] as const)("%i bits hold %i and not one more, in every slot", (bits, max) => {
    for (let slot = 0; slot < 32 / bits; slot++) {
      const counters = new PackedCounters(bits, 1);
      for (let i = 0; i < max; i++) counters.increment(0, slot);
      expect(counters.get(0, slot)).toBe(max);
      expectError(() => counters.increment(0, slot), "ERR_LIMIT", `a ${bits}-bit counter would overflow`);
      expect(counters.get(0, slot)).toBe(max);
      for (let other = 0; other < 32 / bits; other++) {
        if (other !== slot) expect(counters.get(0, other)).toBe(0);
      }
    }
  });

  it("32 bits hold 4,294,967,295 and not one more", () => {
    const counters = new PackedCounters(32, 2);
    counters.words[0] = 2 ** 32 - 2;
    counters.increment(0, 0);
    expect(counters.words[0]).toBe(4_294_967_295);
    expectError(() => counters.increment(0, 0), "ERR_LIMIT", "32-bit");
    expect([...counters.words]).toEqual([4_294_967_295, 0]);
  });

  it("a pair of 16-bit sums takes 257 full words and not one more count", () => {
    const pairs = new PairSums();
    for (let i = 0; i < 257; i++) pairs.add(0xffff_ffff);
    expect([...pairs.sums]).toEqual([65_535, 65_535, 65_535, 65_535]);
    pairs.add(0);
    for (const one of [1, 1 << 8, 1 << 16, 1 << 24]) {
      expectError(() => pairs.add(one), "ERR_LIMIT", "a 16-bit row sum would overflow");
    }
  });

  it("the pairs of a word are [2|0] and [3|1]", () => {
    expect(bytePairs(0xd3_c2_b1_a0)).toEqual([0x00c2_00a0, 0x00d3_00b1]);
  });

  it("a tagged counter holds 2^27 - 1 next to five bits of tag", () => {
    const counters = new PackedCounters(32, 2);
    counters.words[0] = 2 ** 27 - 2;
    addTagged(counters, [undefined, 0, 1]);
    expect(counters.words[0]).toBe(2 ** 27 - 1 + 2 ** 27);
    expect(counters.words[1]).toBe(1 + 2 * 2 ** 27);
    expectError(() => addTagged(counters, [0]), "ERR_LIMIT", "a tagged counter would overflow");
  });

  it("32 lanes that collide in a cell are all counted", () => {
    const counters = new PackedCounters(32, 1);
    addTagged(
      counters,
      Array.from({ length: 32 }, () => 0),
    );
    expect(counters.words[0]! & (2 ** 27 - 1)).toBe(32);
  });

  it("tags are refused if a warp has more lanes than five bits distinguish", () => {
    const tagged = { parameters: { collisions: "tag" } } as const;
    expect(plan(request("per-warp", tagged), gpu({ warp: 32 })).wordsPerThread).toBe(
      (2 ** 27 - 1 - 127) / 128,
    );
    expect(planOrReason(request("per-warp", tagged), gpu({ warp: 33 }))).toContain("distinguish 32 lanes");
    expect(typeof planOrReason(request("per-warp"), gpu({ warp: 64 }))).toBe("object");
  });

  it("tagged counters are flushed after the plan's words", () => {
    const parameters = { collisions: "tag", reduce: "tables" } as const;
    const rule = perWarp.launch({ cells: 4, samples: 4096, parameters }, gpu({ units: 1 }));
    if (typeof rule === "string") throw new Error(rule);
    const launch = { parameters, ...rule };
    const codes = new Uint32Array(4096 + 5).fill(3);
    for (const wordsPerThread of [1, 2, launch.wordsPerThread]) {
      expect([...reference(codes, { ...launch, wordsPerThread }, 4)]).toEqual([0, 0, 0, 4101]);
    }
  });
});

describe("launches", () => {
  it("trish: 64 threads, 256 bins, 63 words, 16 KiB, k = 31", () => {
    expect(plan(request("trish"), gpu())).toMatchObject({
      threads: 64,
      replicas: 64,
      cellsPerPass: 256,
      wordsPerThread: 63,
      sharedBytes: 16_384,
      parameters: { k: 31 },
    });
    expect(typeof planOrReason(request("trish"), gpu({ sharedBytes: 16_384 }))).toBe("object");
    expect(planOrReason(request("trish"), gpu({ sharedBytes: 16_383 }))).toContain("needs 16384 bytes");
    const wide = { type: "u16", lowering: { kind: "table", bins: 256, flow: true } } as const;
    expect(typeof planOrReason(request("trish", wide), gpu())).toBe("object");
    const wider = { ...wide, lowering: { ...wide.lowering, bins: 257 } };
    expect(planOrReason(request("trish", wider), gpu())).toContain(
      "at most 256 bins and the request has 257",
    );
  });

  it("trish takes k from 1 to 63", () => {
    for (const k of [1, 2, 31, 32, 62, 63])
      expect(plan(request("trish", { parameters: { k } }), gpu()).parameters.k).toBe(k);
    for (const k of [0, 64, 1.5, Number.NaN, -1]) {
      expectError(
        () => plan(request("trish", { parameters: { k } }), gpu()),
        "ERR_INPUT",
        "from 1 to 63",
        `${k}`,
      );
    }
  });

  it("per-warp: six warps of 32 and 6 KiB", () => {
    expect(plan(request("per-warp"), gpu())).toMatchObject({
      threads: 192,
      replicas: 6,
      sharedBytes: 6144,
    });
    // A thread a warp: then a block has as many warps as threads.
    const single = gpu({ warp: 1, sharedBytes: 2 ** 20 });
    expect(plan(request("per-warp"), single)).toMatchObject({ threads: 192, replicas: 192 });
  });

  it("per-thread-64: 192 threads at most, a multiple of four per bank, at most 64 bins, 63 words", () => {
    const paper = gpu({ banks: 16 });
    const found = plan(request("per-thread-64", { lowering: few, samples: 48_384 }), paper);
    expect(found).toMatchObject({ threads: 192, wordsPerThread: 63, blocks: 1, sharedBytes: 192 * 64 });
    expect(plan(request("per-thread-64", { lowering: few, samples: 48_385 }), paper).blocks).toBe(2);
    expect(plan(request("per-thread-64", { lowering: few }), gpu())).toMatchObject({
      threads: 128,
      sharedBytes: 128 * 64,
      own: { banks: 32 },
    });
    const one = { ...few, bins: 65 };
    expect(planOrReason(request("per-thread-64", { lowering: one }), gpu())).toContain("at most 64 bins");
    const less = (changes: Parameters<typeof gpu>[0]) =>
      planOrReason(request("per-thread-64", { lowering: few }), gpu({ banks: 16, ...changes }));
    expect(less({ blockThreads: 191 })).toMatchObject({ threads: 128 });
    expect(less({ sharedBytes: 4096 })).toMatchObject({ threads: 64 });
    expect(less({ sharedBytes: 4095 })).toContain("needs 4096 bytes");
  });

  it("per-thread: 32 threads, 16 KiB for 256 bins, 16,383 words", () => {
    expect(plan(request("per-thread"), gpu())).toMatchObject({
      threads: 32,
      replicas: 32,
      sharedBytes: 16_384,
      wordsPerThread: 16_383,
    });
  });

  it("a merge kernel: 1,024 threads add up the tables of all blocks, and a block of it owns 8 cells", () => {
    const large = gpu({ units: 132, sharedBytes: 232_448 });
    for (const algorithm of ["trish", "per-thread", "per-warp"] as const) {
      const found = plan(request(algorithm), large);
      expect(found.parameters.reduce).toBe("tables");
      expect(found.partials).toEqual({ tables: found.blocks, threads: 1024, blocks: 32 });
      expect(plan(request(algorithm, { parameters: { reduce: "atomic" } }), large).partials).toBeUndefined();
    }
    const wide = { kind: "table", bins: 1001, flow: true } as const;
    expect(plan(request("per-warp", { type: "u16", lowering: wide }), large).partials?.blocks).toBe(126);
    expect(plan(request("per-thread-64", { lowering: few, samples: 48_385 }), gpu()).partials).toEqual({
      tables: 2,
      threads: 32,
      blocks: 8,
    });
    // A power of two, with a row of threads for each table.
    const threads = (units: number, blockThreads: number) =>
      plan(request("trish"), gpu({ units, blockThreads })).partials?.threads;
    expect(threads(132, 1023)).toBe(512);
    expect([4, 5, 8, 9].map((units) => threads(units, 1024))).toEqual([32, 64, 64, 128]);
    // The Handbook adds with atomics.
    expect(plan(request("privatized"), gpu()).partials).toBeUndefined();
    const tables = { parameters: { reduce: "tables" } } as const;
    expect(plan(request("privatized", tables), gpu()).partials).toMatchObject({ tables: 3, blocks: 32 });
  });

  it("workers have a table each, and no atomics to add them up", () => {
    for (const algorithm of ["trish", "per-thread", "per-warp"] as const) {
      expect(plan(request(algorithm), workers()).partials).toBeUndefined();
      expect(planOrReason(request(algorithm, { parameters: { reduce: "atomic" } }), workers())).toContain(
        `${algorithm} has no global atomics on workers`,
      );
    }
  });

  it("privatized: 64 threads, 16 KiB, 63 words; avoid launches ceil(n / (64 * 252)) blocks", () => {
    expect(plan(request("privatized"), gpu())).toMatchObject({
      threads: 64,
      cellsPerPass: 256,
      sharedBytes: 16_384,
      wordsPerThread: 63,
      blocks: 3,
    });
    for (const [n, blocks] of [
      [0, 1],
      [1, 1],
      [16_128, 1],
      [16_129, 2],
      [10 ** 6, 63],
    ] as const) {
      expect(plan(request("privatized", { parameters: { merge: "avoid" }, samples: n }), gpu()).blocks).toBe(
        blocks,
      );
    }
    expect(planOrReason(request("privatized"), gpu({ sharedBytes: 16_383 }))).toContain("needs 16384");
  });

  it("privatized: a check needs no limit of words, and 1 KiB more if it spills into shared memory", () => {
    const checked = (to: string) => request("privatized", { parameters: { merge: `check-${to}` } });
    expect(plan(checked("global"), gpu())).toMatchObject({ sharedBytes: 16_384, wordsPerThread: null });
    expect(plan(checked("shared"), gpu())).toMatchObject({ sharedBytes: 17_408, wordsPerThread: null });
    expect(planOrReason(checked("shared"), gpu({ sharedBytes: 17_407 }))).toContain("needs 17408");
    expect(typeof planOrReason(checked("global"), gpu({ sharedBytes: 16_384 }))).toBe("object");
  });

  it("global and per-block: 256 threads; per-lane: 1,024", () => {
    expect(plan(request("global"), gpu()).threads).toBe(256);
    expect(plan(request("per-block"), gpu()).threads).toBe(256);
    expect(plan(request("per-lane"), gpu({ blockThreads: 2048 })).threads).toBe(1024);
    expect(plan(request("per-lane"), gpu({ blockThreads: 256 })).threads).toBe(256);
  });

  it("per-lane on workers: 16 tables of bytes, pairs where there are many, 4 tables of wider samples", () => {
    const lanes = (type: "u8" | "u16", bins: number, samples: number) => {
      const lowering = { kind: "table", bins, flow: true } as const;
      const found = plan(request("per-lane", { type, lowering, samples }), workers({ units: 2 }));
      return [found.replicas, found.counterBits, found.own?.grouping, found.sharedBytes];
    };
    expect(lanes("u8", 256, 2 ** 21 - 2)).toEqual([16, 16, 1, 8192]);
    expect(lanes("u8", 256, 2 ** 21 - 1)).toEqual([2, 32, 2, 2 ** 19]);
    expect(lanes("u16", 256, 2 ** 30)).toEqual([4, 32, 1, 256 * 16]);
    expect(lanes("u16", 1025, 2 ** 30)).toEqual([4, 32, 1, 1025 * 16]);
    expect(lanes("u16", 65_536, 2 ** 30)).toEqual([4, 32, 1, 2 ** 20]);
  });

  it("bank-owned: 32 threads, a tile of 32 x 32 words beside the table", () => {
    expect(plan(request("bank-owned"), gpu())).toMatchObject({ threads: 32, sharedBytes: 4096 + 1024 });
    expect(planOrReason(request("bank-owned"), gpu({ sharedBytes: 4099 }))).toContain("needs 4100 bytes");
    expect(plan(request("bank-owned"), gpu({ sharedBytes: 4100 })).passes).toBe(256);
  });

  it("8-bit samples are counted as their 256 values", () => {
    const found = plan(request("global", { lowering: few }), gpu());
    expect(found).toMatchObject({ raw: true, cells: 256, bins: 64 });
  });

  it("an algorithm for fewer cells counts their upper bits, if samples that share them share a code", () => {
    const found = (codeOf: (value: number) => number, bins: number) => {
      const lowering = {
        kind: "table" as const,
        bins,
        flow: true,
        table: Uint32Array.from({ length: 256 }, (_, v) => codeOf(v)),
      };
      return plan(request("per-thread-64", { lowering }), gpu());
    };
    for (const found64 of [
      found((value) => value >> 2, 64),
      found((value) => (value < 64 ? value >> 3 : 9), 8),
    ]) {
      expect(found64).toMatchObject({ raw: true, cells: 64 });
      expect(rawShift(found64)).toBe(2);
    }
    const codes = found((value) => (value < 63 ? value >> 2 : 16), 16);
    expect(codes).toMatchObject({ raw: false, cells: 16 });
    expect(rawShift(codes)).toBe(0);
    // Without the table there is no way to know.
    expect(plan(request("per-thread-64", { lowering: few }), gpu())).toMatchObject({ raw: false, cells: 64 });
  });

  it("a launch takes no more samples than a 32-bit counter holds", () => {
    expect(plan(request("global"), gpu({ chunkSamples: 2 ** 40 })).chunkSamples).toBe(4_294_967_295);
    expect(plan(request("global"), gpu({ chunkSamples: 2 ** 20 })).chunkSamples).toBe(2 ** 20);
  });
});

describe("limits of requests", () => {
  it("65,536 bins and not one more", () => {
    expect(integer(0, 65_536).bins).toBe(65_536);
    expect(regular(65_536, 0, 1).bins).toBe(65_536);
    const edges = Array.from({ length: 65_538 }, (_, i) => i);
    expect(variable(edges.slice(0, 65_537)).bins).toBe(65_536);
    for (const make of [() => integer(0, 65_537), () => regular(65_537, 0, 1), () => variable(edges)]) {
      expectError(make, "ERR_LIMIT", "at most 65536 bins", "65537");
    }
  });

  it("four channels and not one more", () => {
    const data = new Uint8Array(60);
    expect(samples({ data, channels: 4 }).pixels).toBe(15);
    expectError(() => samples({ data, channels: 5 }), "ERR_INPUT", "channels", "from 1 to 4", "5");
  });

  it("tables of 256 and of 65,536 entries", () => {
    for (const [type, entries] of [
      ["u8", 256],
      ["i8", 256],
      ["u16", 65_536],
      ["i16", 65_536],
    ] as const) {
      const lowered = lower(regular(3, -1, 9), type);
      expect(lowered.kind === "table" && lowered.table.length).toBe(entries);
    }
  });

  it("256 bins by default", async () => {
    await using engine = await openEngine();
    expect((await engine.histogram(new Uint8Array(1))).bins).toBe(256);
    expect((await engine.histogram(new Uint16Array(1))).bins).toBe(256);
    expect((await engine.histogram(new Float32Array(1))).bins).toBe(256);
  });
});

describe("sizes of work", () => {
  it("the first guess over variable edges has up to 2,048 cells", () => {
    const cells = (span: number) => {
      const { guess } = lower(variable([1, 2, 1 + span]), "u32") as KeysLowering;
      return guess.kind === "cells" && { shift: guess.shift, starts: guess.starts.length };
    };
    expect(cells(2047)).toEqual({ shift: 0, starts: 2049 });
    expect(cells(2048)).toEqual({ shift: 1, starts: 1026 });
  });

  it("the references simulate launches of 65,536 samples", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const done: number[] = [];
    await engine.histogram(new Uint8Array(65_537), {
      algorithm: "global",
      onProgress: (progress) => done.push(progress.done),
    });
    expect(done).toEqual([65_536, 65_537, 65_537]);
  });

  it("a table has at most 2^20 features, and a call at most 2^27 bins", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const none = { values: new Uint8Array(0), documents: 0, bins: 128 };
    const table = await engine.table({ ...none, features: 2 ** 20 });
    expect(table.features).toBe(1_048_576);
    const more = await engine.table({ ...none, features: 2 ** 20 + 1 }).catch((error) => error);
    expect(more).toMatchObject({ code: "ERR_LIMIT", message: expect.stringContaining("1048576 per table") });
    // 2^27 bins, and a feature more.
    const wide = [...Array<number>(2 ** 11).fill(2 ** 16), 2];
    const of = { values: new Uint16Array(0), documents: 0, features: wide.length, bins: wide };
    const widest = await engine.table(of);
    const features = Array.from({ length: 2 ** 11 }, (_, i) => i);
    const tooMany = await widest.sums(new Float32Array(0)).catch((error) => error);
    expect(tooMany).toMatchObject({
      code: "ERR_LIMIT",
      message: expect.stringContaining("at most 134217728"),
    });
    // What fits comes as far as its weights, of which there is one too many.
    const fitting = await widest.sums(new Float32Array(1), { features }).catch((error) => error);
    expect(fitting).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("weights.length") });
  });

  it("a stream is gathered into pieces of 8 MiB", async () => {
    const sizes: number[] = [];
    const chunks = async function* () {
      for (let i = 0; i < 9; i++) yield new Uint8Array(2 ** 20);
    };
    for await (const piece of wholePixels(chunks(), "u8", 1)) sizes.push(piece.length);
    expect(sizes).toEqual([8_388_608, 2 ** 20]);
  });

  it("overflows are reported as the plan's fault", () => {
    const counters = new PackedCounters(8, 1);
    counters.words[0] = 255;
    expect(errorOf(() => counters.increment(0, 0)).message).toContain("the plan is wrong");
  });
});

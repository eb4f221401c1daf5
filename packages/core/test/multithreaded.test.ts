import { describe, expect, it } from "vitest";
import { integer, regular } from "../src/axis/axis.ts";
import { checkedThreads } from "../src/base/threads.ts";
import { openEngine } from "../src/engine/open.ts";
import { runs, samples } from "../src/input/samples.ts";
import { multithreaded } from "../src/multithreaded/index.ts";
import { shares } from "../src/multithreaded/shares.ts";
import type { ChannelsPlan } from "../src/plan/index.ts";
import { expectError, random } from "./helpers.ts";

const next = random(11);
const algorithm = "multithreaded";
const data = Float32Array.from({ length: 30_003 }, () => next() * 4 - 1);

describe.each([1, 2, 3, 7])("%i threads", (threads) => {
  it("count the same as one thread, including flow", async () => {
    await using engine = await openEngine({ backend: multithreaded({ threads }) });
    await using plain = await openEngine();
    const axis = regular(33, 0, 2);
    const right = await plain.histograms({ data, channels: 3 }, { axis });
    const found = await engine.histograms({ data, channels: 3 }, { axis, algorithm });
    expect(found.map((h) => h.algorithm)).toEqual(Array(3).fill("multithreaded"));
    for (const [i, h] of found.entries()) {
      expect(h.counts).toEqual(right[i]!.counts);
      expect([h.underflow, h.overflow, h.nan]).toEqual([
        right[i]!.underflow,
        right[i]!.overflow,
        right[i]!.nan,
      ]);
    }
    expect(found[0]!.plan!.threads).toBe(threads);
    expect(engine.device).toBe(threads === 1 ? "1 JavaScript thread" : `${threads} JavaScript threads`);
  });
});

describe("the backend with threads", () => {
  it("counts padded rows, shared memory, and fewer samples than threads", async () => {
    await using engine = await openEngine({ backend: multithreaded({ threads: 3 }) });
    const rows = Uint8Array.from({ length: 40 }, (_, i) => i);
    const apart = await engine.histogram({ data: rows, width: 6, rowPitch: 10 }, { algorithm });
    expect([apart.sum(), apart.counts[5], apart.counts[6], apart.counts[35]]).toEqual([24, 1, 0, 1]);
    const shared = new Uint16Array(new SharedArrayBuffer(20));
    shared.set([1, 1, 1], 3);
    expect((await engine.histogram(shared, { axis: integer(0, 2), algorithm })).counts).toEqual(
      Float64Array.of(7, 3),
    );
    expect((await engine.histogram(Uint8Array.of(9), { algorithm })).counts[9]).toBe(1);
    expect((await engine.histogram(new Uint8Array(0), { algorithm })).sum()).toBe(0);
  });

  it("also has every other algorithm of the CPU", async () => {
    await using engine = await openEngine({ backend: multithreaded({ threads: 2 }) });
    for (const algorithm of ["sequential", "trish"] as const) {
      const h = await engine.histogram(new Uint8Array(70_000), { algorithm });
      expect([h.algorithm, h.counts[0]]).toEqual([algorithm, 70_000]);
    }
  });

  it("reports progress", async () => {
    await using engine = await openEngine({ backend: multithreaded({ threads: 2 }) });
    const seen: number[] = [];
    await engine.histogram(new Uint8Array(1000), { algorithm, onProgress: ({ done }) => seen.push(done) });
    expect(seen).toEqual([500, 1000, 1000]);
  });

  it("stops when the signal aborts", async () => {
    await using engine = await openEngine({ backend: multithreaded({ threads: 2 }) });
    const controller = new AbortController();
    const work = engine.histogram(new Uint8Array(1000), { algorithm, signal: controller.signal });
    controller.abort("enough");
    await expect(work).rejects.toBe("enough");
    const none = engine.histogram(new Uint8Array(1000), { algorithm, signal: AbortSignal.abort("before") });
    await expect(none).rejects.toBe("before");
  });

  it("rejects with the error of onProgress", async () => {
    await using engine = await openEngine({ backend: multithreaded({ threads: 2 }) });
    const mistake = new Error("a mistake of the caller");
    const onProgress = () => {
      throw mistake;
    };
    await expect(engine.histogram(new Uint8Array(99), { algorithm, onProgress })).rejects.toBe(mistake);
    expect((await engine.histogram(new Uint8Array(99))).sum()).toBe(99);
  });

  it("fails as a whole when a thread fails", async () => {
    const device = await multithreaded({ threads: 2 }).open();
    await using engine = await openEngine({ backend: multithreaded({ threads: 2 }) });
    const h = await engine.histogram(new Uint8Array(4), { algorithm });
    const job = {
      kind: "channels",
      type: "u8",
      interleaved: 1,
      channels: [0],
      axis: { ...regular(2, 0, 1), bins: -1 },
      lowering: { kind: "constant", type: "u8", bins: 256, flow: false, code: 0 } as const,
      plan: { ...(h.plan as ChannelsPlan), raw: false },
    } as const;
    const input = { kind: "samples", samples: samples(new Uint8Array(4)) } as const;
    const error = await device
      .prepare(job)
      .count(input, {})
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "ERR_WORKER", backend: "cpu", algorithm: "multithreaded" });
  });

  it("refuses invalid options and more than 256 threads", () => {
    expectError(() => multithreaded(null as never), "ERR_INPUT", "an object for options");
    expectError(() => multithreaded({ threads: 257 }), "ERR_LIMIT", "at most 256 for threads", "257");
    expect(() => multithreaded({ threads: 256 })).not.toThrow();
    expect(checkedThreads(undefined, 300)).toBe(256);
  });

  it.each([0, -1, 1.5, Number.NaN, "2", null])("refuses %j threads", (threads) => {
    expectError(() => multithreaded({ threads: threads as number }), "ERR_INPUT", "at least 1 for threads");
  });

  it("uses as many threads as the machine runs at once", async () => {
    await using engine = await openEngine({ backend: multithreaded() });
    expect(engine.device).toMatch(/^\d+ JavaScript threads?$/);
  });
});

it("refuses memory that was detached before it was split", () => {
  const buffer = new ArrayBuffer(16, { maxByteLength: 16 });
  const plain = samples(new Uint8Array(buffer));
  const apart = samples({ data: new Uint8Array(buffer), width: 3, height: 2, rowPitch: 8 });
  buffer.resize(4);
  for (const of of [plain, apart]) expectError(() => shares(of, 2), "ERR_INPUT", "memory");
});

describe("shares", () => {
  const all = (of: ReturnType<typeof samples>) => [...runs(of, 3)].flatMap((run) => Array.from<number>(run));

  it("cover everything once, in order, and none is empty", () => {
    const bytes = Uint8Array.from({ length: 60 }, (_, i) => i);
    for (const init of [
      { data: bytes },
      { data: bytes, channels: 4 },
      { data: bytes, width: 5 },
      { data: bytes, width: 5, channels: 2, rowPitch: 12 },
      { data: bytes.subarray(0, 28), width: 3, rowPitch: 7, type: "u16" as const, height: 4 },
      { data: bytes.subarray(0, 56), width: 8, height: 7, region: { x: 1, y: 2, width: 3, height: 5 } },
      { data: new Uint8Array(0) },
    ]) {
      const of = samples(init);
      for (const count of [1, 2, 3, 5, 100]) {
        const parts = shares(of, count);
        expect(parts.length).toBeLessThanOrEqual(count);
        expect(parts.flatMap(all)).toEqual(all(of));
        expect(parts.every((part) => part.pixels > 0)).toBe(true);
        expect(parts.reduce((sum, part) => sum + part.pixels, 0)).toBe(of.pixels);
      }
    }
  });
});

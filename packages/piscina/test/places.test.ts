import { readFileSync } from "node:fs";
import { cpu, type Engine, fileSamples, openEngine, regular, type SampleType } from "@polybin/core";
import {
  type ChannelsJob,
  type ChannelsPart,
  type Device,
  type Input,
  lower,
  plan,
  samples,
} from "@polybin/core/backend";
import { piscina } from "@polybin/piscina";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Thread } from "../src/counting/index.ts";
import { allocateVisible, giveRegions, poolLimits, takeRegions, visibleOf } from "../src/platform/index.ts";
import { BeltMemories } from "../src/run/dispatch/memories.ts";
import { RoundTrips } from "../src/run/dispatch/round-trips.ts";
import { type Pool, prepareChannels } from "../src/run/index.ts";

const N = 100_003;
const axis = regular(100, -0.5, 0.5);
let device: Device;
let oracle: Engine;

beforeAll(async () => {
  device = await piscina({ threads: 2 }).open();
  oracle = await openEngine({ backend: cpu() });
});
afterAll(async () => {
  await device.close();
  await oracle.close();
});

function jobOf(type: SampleType, pixels: number, interleaved = 1, algorithm = "per-lane"): ChannelsJob {
  const lowering = lower(axis, type);
  const channels = Array.from({ length: interleaved }, (_, channel) => channel);
  const request = { column: { type, lowering }, samples: pixels, channels: channels.length };
  return {
    kind: "channels",
    type,
    interleaved,
    channels,
    axis,
    lowering,
    plan: plan({ ...request, algorithm }, device.limits),
  };
}

function waves<T extends Float32Array | Float64Array>(into: T): T {
  for (let i = 0; i < into.length; i++) into[i] = i % 977 === 0 ? Number.NaN : Math.sin(i);
  return into;
}

const inputOf = (data: Float32Array | Float64Array, channels = 1): Input => ({
  kind: "samples",
  samples: samples({ data, channels }),
});

async function exact(found: ChannelsPart, data: Float32Array | Float64Array, channels = 1): Promise<void> {
  const want = await oracle.histograms({ data, channels }, { axis, algorithm: "sequential" });
  expect(found.channels.map(({ cells, flow }) => [...cells, ...flow])).toEqual(
    want.map(({ counts, underflow, overflow, nan }) => [...counts, underflow, overflow, nan]),
  );
}

const PLACES: readonly (readonly [string, (bytes: number) => ArrayBufferLike])[] = [
  ["ordinary memory", (bytes) => new ArrayBuffer(bytes)],
  ["shared memory", (bytes) => new SharedArrayBuffer(bytes)],
  ["memory of the device", (bytes) => device.allocate!(bytes)],
  ["memory of WebAssembly", (bytes) => allocateVisible(bytes, 9)],
];

describe.each(PLACES)("%s", (_, make) => {
  it.each([1, 3, 4])("is counted on the calling thread and on workers, %i channels", async (channels) => {
    for (const pixels of [0, 1, 7, 5000, N]) {
      const data = waves(new Float64Array(make(pixels * channels * 8 + 8), 8, pixels * channels));
      const prepared = device.prepare(jobOf("f64", pixels, channels));
      await exact(prepared.countSync!(inputOf(data, channels), {}), data, channels);
      await exact(await prepared.count(inputOf(data, channels), {}), data, channels);
    }
  });

  it("is counted by many calls at once", async () => {
    const data = waves(new Float32Array(make(N * 4), 0, N));
    const prepared = device.prepare(jobOf("f32", N));
    const calls = Array.from({ length: 9 }, () => prepared.count(inputOf(data), {}));
    const now = prepared.countSync!(inputOf(data), {});
    for (const found of [now, ...(await Promise.all(calls))]) await exact(found, data);
  });

  it.each(["per-lane", "per-thread", "per-warp", "global", "trish"])(
    "%s counts before it returns",
    async (algorithm) => {
      const data = waves(new Float32Array(make(N * 4), 0, N));
      for (const part of [data, data.subarray(3, 900)]) {
        const prepared = device.prepare(jobOf("f32", part.length, 1, algorithm));
        await exact(prepared.countSync!(inputOf(part), {}), part);
      }
    },
  );
});

it("counts small inputs without workers, and reports it", () => {
  const launch = (pixels: number) => device.prepare(jobOf("f32", pixels)).launch;
  expect(launch(10)).toMatchObject({ workers: 0, kernel: "per-lane" });
  expect(launch(poolLimits.aloneBytesMost)).toMatchObject({ workers: 2 });
});

describe("the size up to which the calling thread counts", () => {
  const { aloneBytes, aloneBytesLeast, aloneBytesMost, trips, tripsLeast } = poolLimits;
  const RATE = 2_000_000;
  const after = (times: readonly number[], threads: number): number => {
    const found = new RoundTrips(threads);
    for (const ms of times) found.add({ ms, bytesPerMs: RATE });
    return found.aloneBytes;
  };
  const few = Array.from({ length: tripsLeast }, () => 0.1);

  it("is fixed until some round trips are known", () => {
    expect(after([], 2)).toBe(aloneBytes);
    expect(after(few.slice(1), 2)).toBe(aloneBytes);
  });

  it("is what is counted in the time that workers cannot save", () => {
    expect(after(few, 1)).toBe(0.1 * RATE * 2);
    expect(after(few, 4)).toBe((0.1 * RATE * 5) / 4);
  });

  it("follows the median, and forgets what is long ago", () => {
    expect(after([50, ...few, 60], 2)).toBe(after(few, 2));
    expect(after([...few, ...Array.from({ length: trips }, () => 0.05)], 2)).toBe(after(few, 2) / 2);
  });

  it("is within limits", () => {
    expect(
      after(
        few.map(() => 0),
        2,
      ),
    ).toBe(aloneBytesLeast);
    expect(
      after(
        few.map(() => 100),
        2,
      ),
    ).toBe(aloneBytesMost);
  });

  it("is the device's", async () => {
    const fresh = await piscina({ threads: 1 }).open();
    expect(fresh.syncBytes).toBe(aloneBytes);
    const many = 2 ** 20;
    const data = waves(new Float32Array(many));
    await vi.waitFor(async () => {
      await fresh.prepare(jobOf("f32", many)).count(inputOf(data), {});
      expect(fresh.syncBytes).not.toBe(aloneBytes);
    }, 20_000);
    expect(fresh.syncBytes).toBeGreaterThanOrEqual(aloneBytesLeast);
    expect(fresh.syncBytes).toBeLessThanOrEqual(poolLimits.syncBytesMost);
    await fresh.close();
  });
});

it("reports times only if they are requested", async () => {
  const data = waves(new Float32Array(N));
  const prepared = device.prepare(jobOf("f32", N));
  const none = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  expect(prepared.countSync!(inputOf(data), {}).timings).toEqual(none);
  expect((await prepared.count(inputOf(data), {})).timings).toEqual(none);
  expect(prepared.countSync!(inputOf(data), { timed: true }).timings.kernelMs).toBeGreaterThan(0);
  expect((await prepared.count(inputOf(data), { timed: true })).timings.kernelMs).toBeGreaterThan(0);
});

describe("before it returns", () => {
  it("refuses files and aborted calls", async () => {
    const { countSync } = device.prepare(jobOf("f32", 1));
    const file = fileSamples({ path: "nowhere", bytes: 4, type: "f32" });
    await expect(async () => countSync!({ kind: "file", file } as never, {})).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
    });
    const signal = AbortSignal.abort("enough");
    await expect(async () => countSync!(inputOf(new Float32Array(1)), { signal })).rejects.toBe("enough");
  });

  it("gives an error and no counts if the memory no longer exists, and continues", async () => {
    const memory = new ArrayBuffer(N * 4, { maxByteLength: N * 4 });
    const input = inputOf(waves(new Float32Array(memory)));
    const prepared = device.prepare(jobOf("f32", N));
    // In the middle of a chunk.
    memory.resize(300_000);
    await expect(async () => prepared.countSync!(input, {})).rejects.toMatchObject({ code: "ERR_INPUT" });
    const data = waves(new Float32Array(N));
    await exact(prepared.countSync!(inputOf(data), {}), data);
  });
});

describe("memory of the device", () => {
  it("is copied like other samples if all tables are taken", async () => {
    const wasm = (name: string) =>
      new WebAssembly.Module(readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url)));
    const here = new Thread({ module: wasm("kernels"), where: wasm("where") });
    const prepared = prepareChannels({ threads: 1, here } as Pool, jobOf("f32", N));
    const memory = allocateVisible(N * 4, 3);
    const visible = visibleOf(memory)!;
    const data = waves(new Float32Array(memory, 0, N));
    const count = () => prepared.countSync!(inputOf(data), {});
    const taken = takeRegions(visible, 3);
    expect(taken).toEqual([0, 1, 2]);
    await exact(count(), data);
    giveRegions(visible, [1, 2]);
    // Small requests are not taken at all.
    expect(takeRegions(visible, 3)).toEqual([]);
    await exact(count(), data);
    expect(takeRegions(visible, 2)).toEqual([1, 2]);
    // Counts of the earlier call must not remain.
    giveRegions(visible, [0, 1, 2]);
    await exact(count(), data);
  });

  it("is only shared if it is too large for WebAssembly", () => {
    const memory = allocateVisible(10, 2 ** 20);
    expect(memory.byteLength).toBe(10);
    expect(visibleOf(memory)).toBe(null);
  });

  it("is kept for the next call if it is used for pieces, for as many calls as run at once", () => {
    const belts = new BeltMemories(3);
    const some = Array.from({ length: poolLimits.jobsAtOnce + 1 }, () => belts.take());
    expect(new Set(some).size).toBe(some.length);
    for (const belt of some) belts.give(belt);
    const again = some.map(() => belts.take());
    expect(again.filter((belt) => some.includes(belt))).toHaveLength(poolLimits.jobsAtOnce);
    expect(belts.take()).toHaveLength(3 * poolLimits.piecesPerThread * poolLimits.pieceBytes);
  });
});

it("the smallest inputs are counted by core's loops, and stop and report as the others", async () => {
  const data = waves(new Float32Array(200));
  const prepared = await device.prepare<"channels">(jobOf("f32", data.length));
  // The loops are loaded in the meantime.
  for (let call = 0; call < 3; call++) {
    await exact(prepared.countSync!(inputOf(data), {}), data);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const onProgress = vi.fn();
  prepared.countSync!(inputOf(data), { onProgress });
  expect(onProgress.mock.calls).toEqual([[data.length]]);
  const signal = AbortSignal.abort(new Error("no longer wanted"));
  expect(() => prepared.countSync!(inputOf(data), { signal })).toThrow("no longer wanted");
});

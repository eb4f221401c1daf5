import { integer, regular, type SampleType, variable } from "@polybin/core";
import { lower, plan, ranksOf, type SumsPlan, samples } from "@polybin/core/backend";
import { describe, expect, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { Catalog, deviceLowering, packed, paramsOf, SHADERS } from "../src/kernels/index.ts";
import { roomier } from "../src/kernels/lib/sums-tables.ts";
import { Filler } from "../src/memory/filler.ts";
import { JobBuffers, type JobNeeds } from "../src/memory/job-buffers.ts";
import { Readbacks } from "../src/memory/readbacks.ts";
import { Ring } from "../src/memory/ring.ts";
import { fillPixels } from "../src/memory/source.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { Pipelines } from "../src/platform/pipelines.ts";
import { Timer } from "../src/platform/timer.ts";
import { Context } from "../src/run/context.ts";
import { KeptCalls } from "../src/run/deliver/kept-calls.ts";
import { sumsOf } from "../src/run/deliver/totals.ts";
import { prepareChannels } from "../src/run/prepare/channels.ts";
import { prepareSums } from "../src/run/prepare/sums.ts";

// These tests do not read limits.ts. They repeat its numbers, and the code must behave accordingly. The devices are
// fakes that record the calls.

const MiB = 2 ** 20;
const GPU = { info: "NVIDIA", limits: { maxStorageBufferBindingSize: 2 ** 40, maxBufferSize: 2 ** 40 } };

function device(description = "", limits: Partial<GPUSupportedLimits> = GPU.limits) {
  const made: { size: number; destroyed: boolean; mappedAtCreation: boolean }[] = [];
  const log = { made, written: [] as number[], copies: [] as number[], compiled: 0 };
  const of = {
    lost: new Promise(() => {}),
    features: new Set(),
    adapterInfo: { vendor: "", architecture: "", device: "", description, isFallbackAdapter: false },
    limits: {
      maxComputeWorkgroupStorageSize: 49_152,
      maxComputeInvocationsPerWorkgroup: 1024,
      maxComputeWorkgroupSizeX: 1024,
      maxComputeWorkgroupsPerDimension: 65_535,
      minStorageBufferOffsetAlignment: 256,
      ...limits,
    },
    pushErrorScope() {},
    popErrorScope: async () => null,
    createBuffer: ({ size, mappedAtCreation = false }: GPUBufferDescriptor) => {
      const buffer = {
        size,
        mappedAtCreation,
        destroyed: false,
        getMappedRange: () => new ArrayBuffer(size),
        unmap() {},
        mapAsync: async () => {},
        destroy: () => (buffer.destroyed = true),
      };
      made.push(buffer);
      return buffer;
    },
    createQuerySet: ({ count }: GPUQuerySetDescriptor) => ({ count, destroy() {} }),
    createBindGroup: () => ({}),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createShaderModule: () => ({}),
    createComputePipelineAsync: async () => ({ number: log.compiled++ }),
    createCommandEncoder: () => ({
      copyBufferToBuffer: (_: unknown, __: number, ___: unknown, ____: number, size: number) =>
        log.copies.push(size),
      finish: () => ({}),
    }),
    queue: {
      submit() {},
      writeBuffer: (_: unknown, at: number, data: Uint8Array) => log.written.push(at + data.length),
    },
  };
  return { device: of as unknown as GPUDevice, log };
}

const hardwareOf = (of: GPUDevice) => new Hardware(of, () => {});

describe("the limits that plans receive", () => {
  it("of a GPU: an H200", () => {
    expect(deviceLimits(device().device)).toMatchObject({
      units: 132,
      unit: { threads: 2048, blocks: 32, sharedBytes: 228 * 1024, reservedBytes: 1024 },
      chunkBytes: 2048 * MiB,
      partBytes: 128 * MiB - 32,
    });
  });

  it("of a fallback adapter: two cores", () => {
    expect(deviceLimits(device("SwiftShader").device)).toMatchObject({
      units: 2,
      unit: { blocks: 1 },
      partBytes: 32 * MiB,
      sumsValues: 4 * MiB,
    });
  });
});

it("params of dispatches start 256 bytes apart and are at most 256 bytes long", () => {
  const words = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`word${i}`, "u32" as const]));
  expect(
    packed(new Array(2).fill({ kernel: { params: paramsOf(words(1)) }, params: { word0: 7 } })),
  ).toHaveLength(128);
  expect(paramsOf(words(64)).bytes).toBe(256);
  expect(() => paramsOf(words(65))).toThrow("at most 256 bytes but received 260");
});

it("256 pipelines are kept, and the oldest is dropped first", async () => {
  const { device: of, log } = device();
  const pipelines = new Pipelines(of);
  const compiled = (number: number) =>
    pipelines.of({
      label: "",
      params: paramsOf({}),
      parts: [SHADERS["lib/bindings"]],
      entry: "",
      constants: { number },
    });
  for (let i = 0; i < 256; i++) await compiled(i);
  await compiled(0);
  expect(log.compiled).toBe(256);
  await compiled(256);
  await compiled(0);
  expect(log.compiled).toBe(257);
  await compiled(1);
  expect(log.compiled).toBe(258);
});

it("2,048 texts have a number, and a pipeline whose text has lost its own is compiled again", async () => {
  const { device: of, log } = device();
  const pipelines = new Pipelines(of);
  const compiled = (parts: readonly string[]) =>
    pipelines.of({ label: "", params: paramsOf({}), parts, entry: "", constants: {} });
  const others = (count: number) => Array.from({ length: count }, (_, i) => `${count}: ${i}`);
  await compiled(["one"]);
  // The declarations of params and of constants are two texts that all have.
  await compiled(others(2045));
  await compiled(["one"]);
  expect(log.compiled).toBe(2);
  await compiled(others(2046));
  await compiled(["one"]);
  expect(log.compiled).toBe(4);
});

it("tables have eight sizes between two powers of two", () => {
  const rows = (of: number) => roomier(of, 4, { sharedBytes: 2 ** 20, generic: false });
  expect([64, 65, 127, 128, 129].map(rows)).toEqual([64, 72, 128, 128, 144]);
});

it("a device has timestamps of 1,024 passes between two readbacks", () => {
  const timer = new Timer(device().device);
  timer.start();
  for (let i = 0; i < 1023; i++) timer.pass();
  expect(timer.full).toBe(false);
  timer.pass();
  expect(timer.full).toBe(true);
  expect(timer.bytes).toBe(16_384);
});

it("float sums return 2^100 times as large", () => {
  const words = new Uint32Array(Float32Array.of(3 * 2 ** 100).buffer);
  const plan = { bins: 1, squares: false, precision: "fast", counts: false } as never;
  expect(sumsOf(words, 0, { plan, featureWords: 1 }).sums).toEqual(Float64Array.of(3));
});

describe("uploads of host memory", () => {
  const fill = async (bytes: number, piece: number) => {
    const { device: of, log } = device();
    await new Filler(hardwareOf(of)).fill({} as GPUBuffer, bytes, piece, undefined, () => {});
    return log;
  };

  it("up to 64 KiB go through the queue, and more through mapped memory", async () => {
    expect(await fill(65_536, MiB)).toMatchObject({ written: [65_536], copies: [] });
    expect(await fill(65_540, MiB)).toMatchObject({ written: [], copies: [65_540] });
  });

  it("four pieces are in flight", async () => {
    expect((await fill(4 * MiB, MiB)).made).toHaveLength(4);
    expect((await fill(9 * MiB, MiB)).made).toHaveLength(4);
    expect((await fill(3 * MiB, MiB)).made).toHaveLength(3);
  });

  it("pieces have 8 MiB, rounded to multiples of 256 pixels", async () => {
    const { device: of, log } = device();
    const filler = new Filler(hardwareOf(of));
    const bytes = new Uint8Array(3 * 8 * MiB);
    for (const channels of [1, 3]) {
      const part = { samples: samples({ data: bytes, channels }), first: 0, pixels: bytes.length / channels };
      await fillPixels(filler, part, {} as GPUBuffer, undefined);
    }
    const three = Math.floor((8 * MiB) / 3 / 256) * 256 * 3;
    expect(log.copies.slice(0, 4)).toEqual([8 * MiB, 8 * MiB, 8 * MiB, three]);
    expect(log.made.map(({ size }) => size)).toContain(8 * MiB);
  });
});

describe("calls over residents", () => {
  it("128 are submitted at once", () => {
    const { device: of } = device();
    expect(new WebgpuDevice(hardwareOf(of), deviceLimits(of)).callsAtOnce).toBe(128);
  });

  it("their counts lie in 1 MiB, 256 bytes apart, which is cleared when it is full", () => {
    const { device: of, log } = device();
    const ring = new Ring(of);
    const places = Array.from({ length: 820 }, () => {
      ring.buffer(1036);
      return ring.take(1036);
    });
    expect(log.made.map(({ size }) => size)).toEqual([MiB]);
    expect(places.map(({ offset }) => offset / 1280)).toEqual([...Array(819).keys(), 0]);
    expect(places.filter(({ clear }) => clear)).toEqual([places[819]]);
    ring.spoil();
    expect(ring.take(4)).toMatchObject({ offset: 0, clear: true });
    expect(ring.take(4)).toMatchObject({ offset: 256, clear: false });
    ring.buffer(MiB + 1);
    expect(ring.take(MiB + 1)).toMatchObject({ offset: 0, clear: false });
    expect(ring.take(MiB + 1)).toMatchObject({ offset: 0, clear: true });
    expect(log.made.map(({ size, destroyed }) => [size, destroyed])).toEqual([
      [MiB, true],
      [MiB + 16, false],
    ]);
  });

  it("a readback buffer has at least a page, and 16 MiB are kept", () => {
    const { device: of, log } = device();
    const readbacks = new Readbacks(hardwareOf(of));
    const made = Array.from({ length: 17 }, () => readbacks.make(MiB));
    readbacks.make(1);
    expect(log.made.map(({ size }) => size)).toEqual([...made.map(() => MiB), 4096]);
    for (const buffer of made) readbacks.give(buffer);
    // The last one has no room, so the others go.
    expect(log.made.map(({ destroyed }) => destroyed)).toEqual([...made.map((_, i) => i < 16), false]);
    expect(readbacks.idle(MiB)).toBe(made[16]);
    expect(readbacks.idle(MiB)).toBeNull();
    readbacks.give(made[16]!);
    readbacks.give(readbacks.make(16 * MiB + 1));
    expect(readbacks.idle(MiB)).toBeNull();
    expect(readbacks.idle(16 * MiB + 1)!.size).toBe(16 * MiB + 16);
    expect(readbacks.idle(4096)).toBeNull();
  });

  it("1,024 are kept, and the oldest is dropped first", () => {
    const { device: of } = device();
    const lowering = lower(integer(0, 256), "u8");
    const limits = deviceLimits(of);
    const request = { algorithm: "per-lane", column: { type: "u8" as const, lowering }, channels: 1 };
    const planned = plan({ ...request, samples: 8 }, limits);
    const shape = { plan: planned, channels: [0], interleaved: 1, lowering };
    const catalog = new Catalog();
    const kept = new KeptCalls(new Context(hardwareOf(of), limits, catalog));
    const steps = prepareChannels(shape, catalog, limits);
    const counts = {} as GPUBuffer;
    const compiled = new Map();
    const chunks = Array.from({ length: 1025 }, () => {
      const buffer = {} as GPUBuffer;
      return { buffer, data: { buffer }, pixels: 8 };
    });
    for (const chunk of chunks.slice(0, 1024)) kept.make(steps, compiled, chunk, counts);
    expect(kept.find(steps, chunks[0]!, counts)).not.toBeNull();
    expect(kept.find(steps, chunks[0]!, {} as GPUBuffer)).toBeNull();
    kept.make(steps, compiled, chunks[1024]!, counts);
    expect(kept.find(steps, chunks[1]!, counts)).toBeNull();
    expect(kept.find(steps, chunks[0]!, counts)).not.toBeNull();
  });
});

it("params of eight encoded jobs are kept", async () => {
  const { device: of, log } = device();
  const buffers = new JobBuffers(hardwareOf(of), deviceLimits(of));
  const job = (number: number): JobNeeds => ({
    lookup: null,
    table: null,
    params: Uint32Array.of(number),
    counts: 4,
    codesBytes: 0,
    histogramsBytes: 0,
    denseBytes: 0,
  });
  const made = async (number: number) => {
    const before = log.made.length;
    await buffers.of(job(number));
    return log.made.length - before;
  };
  for (let i = 0; i < 8; i++) await made(i);
  expect(await made(0)).toBe(0);
  expect(await made(8)).toBe(1);
  expect(await made(0)).toBe(0);
  expect(await made(1)).toBe(1);
});

it("up to three halvings of a search are unrolled", () => {
  const of = deviceLimits(device().device);
  const seen = new Set<number>();
  for (const type of ["f32", "f64"] as const satisfies readonly SampleType[]) {
    for (const power of [1, 2, 4, 8, 16, 32]) {
      for (const bins of [50, 1000, 5000]) {
        const edges = Array.from({ length: bins + 1 }, (_, i) => ((i + 1) / bins) ** power);
        const lowering = lower(power === 1 ? regular(bins, 0, 1) : variable(edges), type);
        const { steps } = ranksOf(lowering, of)!;
        seen.add(steps);
        const { HALVINGS } = deviceLowering(lowering, { raw: false } as never, of).constants;
        expect(HALVINGS).toBe(steps <= 3 ? steps : 0);
      }
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining([3, 4]));
});

it("totals of weighted sums have 64 MiB between two readbacks", () => {
  const plan = {
    algorithm: "weighted-collision",
    type: "u16",
    bins: 2 ** 16,
    binsPerPass: 2 ** 12,
    passes: 16,
    documents: 10,
    segments: 1,
    segmentDocuments: 32,
    featuresPerBlock: 1,
    threads: 64,
    replicas: 1,
    precision: "reproducible",
    counts: false,
    squares: false,
    flushDocuments: null,
    sumBits: 64,
    parameters: { unroll: 1, warps: 2 },
  } as unknown as SumsPlan;
  const features = Array.from({ length: 200 }, (_, i) => i);
  const groups = [{ plan, features, skip: features.map(() => null) }];
  const steps = prepareSums(
    { groups, documents: 10, listed: false, squares: false, timed: false },
    { pitch: 32, parts: [{ first: 0, rows: 200 }] },
    new Catalog(),
    deviceLimits(device().device),
  );
  // Half a MiB each: 65,536 sums of two words.
  expect(steps.batches.map(({ words }) => words / 2 ** 17)).toEqual([128, 72]);
});

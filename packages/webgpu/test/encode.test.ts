import {
  type Axis,
  boolean,
  category,
  circular,
  cpu,
  type Encoded,
  type EncodeOptions,
  type Engine,
  type External,
  type Histogram,
  integer,
  openEngine,
  type Resident,
  regular,
  type SampleType,
  variable,
} from "@polybin/core";
import { arrayOver, SAMPLE_TRAITS, SAMPLE_TYPES } from "@polybin/core/backend";
import { bufferSamples, textureSamples, webgpu } from "@polybin/webgpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collect } from "./collect.ts";
import { absence, userDevice } from "./shared.ts";
import { BUFFER, bytesOf, filledBuffer, filledTexture, TEXTURE } from "./user-memory.ts";

// Counts that stay on the device in a user's buffer, compared with core's cpu engine on the same bytes.

const reason = await absence();
let device: GPUDevice;
let engine: Engine;
let right: Engine;

beforeAll(async () => {
  right = await openEngine({ backend: cpu() });
  if (reason !== null) return;
  device = await userDevice();
  engine = await openEngine({ backend: webgpu({ device }) });
});
afterAll(async () => {
  await engine?.close();
  await right.close();
  device?.destroy();
});

/** A test that needs a device. It fails on any uncaptured error except `expected`. */
function onDevice(name: string, work: () => Promise<void>, expected: readonly RegExp[] = []): void {
  it(name, async ({ skip }) => {
    if (reason !== null) return skip(reason);
    const unnoticed: string[] = [];
    const listen = (event: GPUUncapturedErrorEvent) => {
      event.preventDefault();
      unnoticed.push(event.error.message);
    };
    device.addEventListener("uncapturederror", listen);
    await work();
    await device.queue.onSubmittedWorkDone();
    device.removeEventListener("uncapturederror", listen);
    expect(unnoticed).toEqual(expected.map((part) => expect.stringMatching(part)));
  });
}

const GUARD = 0xabad_cafe;

/** A user's buffer for counts. Every word shows whether it was written. */
function countsBuffer(bytes: number): GPUBuffer {
  const buffer = device.createBuffer({
    size: bytes,
    usage: BUFFER.STORAGE | BUFFER.COPY_SRC,
    mappedAtCreation: true,
  });
  new Uint32Array(buffer.getMappedRange()).fill(GUARD);
  buffer.unmap();
  return buffer;
}

async function read(buffer: GPUBuffer): Promise<number[]> {
  const to = device.createBuffer({ size: buffer.size, usage: BUFFER.MAP_READ | BUFFER.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, to, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await to.mapAsync(1);
  const words = [...new Uint32Array(to.getMappedRange())];
  to.destroy();
  return words;
}

/** A histogram in the layout of a user's buffer. */
const words = ({ counts, underflow, overflow, nan }: Histogram): number[] => [
  ...counts,
  underflow,
  overflow,
  nan,
];

type Unplaced<Options> = Options extends unknown ? Omit<Options, "into"> : never;

/** Encodes, submits and reads a user's buffer that has a guard on either side. */
async function counted(
  input: Resident | External,
  options: Unplaced<EncodeOptions>,
  bins: number,
  channels = 1,
): Promise<{ found: number[]; encoded: Encoded }> {
  const { offset = 0 } = options;
  const bytes = channels * (bins + 3) * 4;
  const into = countsBuffer(offset + bytes + 8);
  const encoder = device.createCommandEncoder();
  const encoded = await engine.encode(encoder, input, { ...options, into });
  device.queue.submit([encoder.finish()]);
  const found = await read(into);
  into.destroy();
  expect(found.splice(offset / 4 + bytes / 4)).toEqual([GUARD, GUARD]);
  expect(found.splice(0, offset / 4)).toEqual(Array(offset / 4).fill(GUARD));
  expect(encoded.layout.bytes).toBe(bytes);
  return { found, encoded };
}

function axesOf(type: SampleType): Axis[] {
  const { integer: isInteger, min, max } = SAMPLE_TRAITS[type];
  if (!isInteger) return [regular(16, -0.5, 0.5), variable([-0.7, -0.1, 0, 0.25, 0.3])];
  return [
    regular(16, min + (max - min) / 8, max - (max - min) / 8),
    variable([min + 1, min + 5, max / 2, max - 3]),
    integer(40, 90),
  ];
}

describe("counts are equal to the cpu engine's", () => {
  for (const type of SAMPLE_TYPES) {
    onDevice(`${type}: residents and buffers, every kind of axis, odd sizes`, async () => {
      const size = SAMPLE_TRAITS[type].bytes;
      for (const pixels of [1, 17, 1003]) {
        const bytes = bytesOf(type, pixels * size + 12, pixels);
        const buffer = filledBuffer(device, bytes);
        const data = bytes.subarray(4, 4 + pixels * size);
        const resident = await engine.upload({ data, type });
        for (const axis of axesOf(type)) {
          const expected = words(await right.histogram({ data, type }, { axis }));
          const name = `${pixels} ${type}, ${axis.type}`;
          const uploaded = await counted(resident, { axis }, axis.bins);
          expect(uploaded.found, name).toEqual(expected);
          expect(uploaded.encoded).toMatchObject({ backend: "webgpu", algorithm: "per-lane", axis });
          const own = bufferSamples(buffer, { type, offset: 4, pixels });
          expect((await counted(own, { axis }, axis.bins)).found, `${name}, gathered`).toEqual(expected);
        }
        await resident.free();
        buffer.destroy();
      }
    });
  }

  onDevice("every algorithm, for bytes through their table and for codes", async () => {
    const bytes = bytesOf("u8", 5001);
    const buffer = filledBuffer(device, bytes);
    const axis = regular(20, 10, 200);
    const expected = words(await right.histogram(bytes, { axis }));
    const floats = bytesOf("f32", 4004);
    const wide = filledBuffer(device, floats);
    const wideAxis = regular(20, -0.5, 0.5);
    const wideExpected = words(await right.histogram({ data: floats, type: "f32" }, { axis: wideAxis }));
    for (const algorithm of engine.algorithms) {
      const input = bufferSamples(buffer, { pixels: 5001 });
      const { found, encoded } = await counted(input, { axis, algorithm }, 20);
      expect(found, algorithm).toEqual(expected);
      expect(encoded.algorithm).toBe(algorithm);
      const second = await counted(bufferSamples(wide, { type: "f32" }), { axis: wideAxis, algorithm }, 20);
      expect(second.found, `${algorithm} of f32`).toEqual(wideExpected);
    }
  });

  onDevice("one axis for bytes by their values and by their upper six bits", async () => {
    const bytes = bytesOf("u8", 4000);
    const buffer = filledBuffer(device, bytes);
    const axis = regular(15, 16, 256);
    const pairs = { data: bytes, channels: 2 } as const;
    const expected = [
      await right.histogram(bytes, { axis }),
      ...(await right.histograms(pairs, { axis })),
    ].map(words);
    const cells = { "per-lane": 256, "per-thread-64": 64 };
    for (const [algorithm, most] of Object.entries(cells)) {
      const plan = await engine.supports({ algorithm, type: "u8", axis, samples: 4000 });
      expect(plan).toMatchObject({ raw: true, cells: most });
      const { found } = await counted(bufferSamples(buffer), { axis, algorithm }, 15);
      expect(found, algorithm).toEqual(expected[0]);
      const both = await counted(
        bufferSamples(buffer, { channels: 2 }),
        { axis, algorithm, channels: [0, 1] },
        15,
        2,
      );
      expect(both.found, `${algorithm}, channels`).toEqual(expected.slice(1).flat());
    }
    buffer.destroy();
  });

  onDevice("channels in the requested order, at any word of the buffer", async () => {
    const shape = { width: 33, height: 9, layers: 1, levels: 1 };
    const { texture, bytesAt } = filledTexture(device, "rgba8unorm", 4, shape, "u8");
    const data = bytesAt(0, 0);
    const axis = regular(7, 20, 250);
    const all = await right.histograms({ data, channels: 4 }, { axis });
    for (const offset of [0, 4, 252, 256, 1000]) {
      const channels = offset === 4 ? [3, 1] : [0, 1, 2, 3];
      const { found, encoded } = await counted(
        textureSamples(texture),
        { axis, channels, offset },
        7,
        channels.length,
      );
      expect(found).toEqual(channels.flatMap((channel) => words(all[channel]!)));
      expect(encoded.layout).toMatchObject({
        channels,
        offsets: channels.map((_, i) => offset + i * 40),
      });
    }
    texture.destroy();
  });

  onDevice("the default axes; 65,536 bins of bytes", async () => {
    const bytes = bytesOf("i8", 999);
    const resident = await engine.upload({ data: bytes, type: "i8" });
    const same = { data: bytes, type: "i8" } as const;
    expect((await counted(resident, {}, 256)).found).toEqual(words(await right.histogram(same)));
    const axis = integer(-300, 65_236);
    const expected = words(await right.histogram(same, { axis }));
    expect((await counted(resident, { axis }, 65_536)).found).toEqual(expected);
  });

  onDevice("axes that differ only in the positions of their edges", async () => {
    const bytes = bytesOf("u8", 777);
    const resident = await engine.upload(bytes);
    for (const axis of [
      regular(8, 0, 256),
      regular(8, 10, 100),
      variable([1, 2, 3, 5, 8, 13, 21, 34, 200]),
    ]) {
      const expected = words(await right.histogram(bytes, { axis }));
      expect((await counted(resident, { axis }, 8)).found, axis.type).toEqual(expected);
    }
  });

  onDevice("axes that no sample can reach, and inputs without samples", async () => {
    const buffer = filledBuffer(device, bytesOf("u32", 400));
    const input = bufferSamples(buffer, { type: "u32", channels: 2 });
    const above = await counted(input, { axis: regular(3, 2 ** 33, 2 ** 34) }, 3, 2);
    expect(above.found).toEqual([0, 0, 0, 50, 0, 0, 0, 0, 0, 50, 0, 0]);
    const below = await counted(input, { axis: regular(3, -9, -1), channels: [1] }, 3);
    expect(below.found).toEqual([0, 0, 0, 0, 50, 0]);
    const none = bufferSamples(buffer, { type: "u32", pixels: 0 });
    expect((await counted(none, { axis: regular(3, -9, -1) }, 3)).found).toEqual([0, 0, 0, 0, 0, 0]);
    expect((await counted(none, { axis: integer(0, 3) }, 3)).found).toEqual([0, 0, 0, 0, 0, 0]);
    const bytes = bufferSamples(buffer, { pixels: 0 });
    expect((await counted(bytes, { bins: 2 }, 2)).found).toEqual([0, 0, 0, 0, 0]);
    buffer.destroy();
  });

  /** Axes whose bins are no ascending intervals, with gaps between their values. */
  const groupedAxes = (type: SampleType): Axis[] => {
    const { integer: isInteger, min, max, bytes } = SAMPLE_TRAITS[type];
    const values = isInteger ? [7, 3, 4, 200, 9000, min, max - 1, -5] : [0, -3, 4, 7];
    const distinct = values.filter((value, i) => values.indexOf(value) === i);
    const turns = bytes <= 2 ? [circular(12, 24), circular(5, -100, 33.5)] : [];
    return [category(distinct), category([5]), boolean(), ...turns];
  };

  /** Bytes among which some values are frequent. */
  const groupedBytes = (type: SampleType, pixels: number): Uint8Array<ArrayBuffer> => {
    const size = SAMPLE_TRAITS[type].bytes;
    const bytes = bytesOf(type, pixels * size, pixels);
    const array = arrayOver(type, bytes);
    const frequent = [0, 3, 4, 7, 5, SAMPLE_TRAITS[type].integer ? 200 : -0];
    for (let i = 0; i < pixels; i += 3) array[i] = frequent[(i / 3) % frequent.length]!;
    return bytes;
  };

  for (const type of ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"] as const) {
    onDevice(`${type}: categories, true and false, circles`, async () => {
      for (const [pixels, channels] of [
        [1003, 1],
        [501, 3],
      ] as const) {
        const data = groupedBytes(type, pixels * channels);
        const resident = await engine.upload({ data, type, channels });
        for (const axis of groupedAxes(type)) {
          const name = `${channels} of ${type}, ${axis.type} of ${axis.bins}`;
          const expected = (await right.histograms({ data, type, channels }, { axis })).flatMap(words);
          for (const algorithm of ["per-lane", "global"] as const) {
            const { found, encoded } = await counted(resident, { axis, algorithm }, axis.bins, channels);
            expect(found, `${name}, ${algorithm}`).toEqual(expected);
            expect(encoded, name).toMatchObject({ algorithm, axis });
          }
        }
        await resident.free();
      }
    });
  }

  onDevice("categories by every algorithm, of bytes and of shorts", async () => {
    for (const type of ["u8", "u16"] as const) {
      const data = groupedBytes(type, 2001);
      const resident = await engine.upload({ data, type });
      const axis = category([200, 3, 77, 4]);
      const expected = words(await right.histogram({ data, type }, { axis }));
      for (const algorithm of engine.algorithms) {
        const { found } = await counted(resident, { axis, algorithm }, axis.bins);
        expect(found, `${algorithm} of ${type}`).toEqual(expected);
      }
      await resident.free();
    }
  });

  onDevice("16-bit floats over any axis, and 64-bit integers, as they were uploaded", async () => {
    const halves = { data: bytesOf("u16", 2002), type: "f16" } as const;
    const uploaded = await engine.upload(halves);
    for (const axis of [regular(9, -2, 2), boolean(), category([0, 1]), circular(6, 3)]) {
      const expected = words(await right.histogram(halves, { axis }));
      expect((await counted(uploaded, { axis }, axis.bins)).found, axis.type).toEqual(expected);
    }
    const wide = BigInt64Array.from({ length: 300 }, (_, i) => BigInt(i % 7) - 2n);
    const resident = await engine.upload(wide);
    for (const axis of [regular(3, 0, 4), category([3, 0, -2])]) {
      const expected = words(await right.histogram(wide, { axis }));
      expect((await counted(resident, { axis }, axis.bins)).found, axis.type).toEqual(expected);
    }
  });

  onDevice("many categories; categories in another order, whose tables are not confused", async () => {
    const wide = Uint32Array.from({ length: 9000 }, (_, i) => (i * 7919) % 140_000);
    const values = Array.from({ length: 32_768 }, (_, i) => 2 * ((i * 31) % 32_768));
    const many = category(values);
    const expected = words(await right.histogram(wide, { axis: many }));
    const resident = await engine.upload(wide);
    expect((await counted(resident, { axis: many }, many.bins)).found).toEqual(expected);
    for (const type of ["u8", "u16"] as const) {
      const data = groupedBytes(type, 600);
      const input = await engine.upload({ data, type });
      for (let turn = 0; turn < 2; turn++) {
        for (const order of [
          [3, 4, 7],
          [7, 3, 4],
          [4, 7, 3],
        ]) {
          const axis = category(order);
          const want = words(await right.histogram({ data, type }, { axis }));
          expect((await counted(input, { axis }, 3)).found, `${type}, ${order}`).toEqual(want);
        }
      }
    }
  });

  onDevice("categories that no sample can have, and no samples; added to existing counts", async () => {
    const data = groupedBytes("u16", 500);
    const buffer = filledBuffer(device, data);
    const input = bufferSamples(buffer, { type: "u16" });
    for (const axis of [category([-3]), category([1_000_000, -1])]) {
      const none = [...Array(axis.bins).fill(0), 0, 500, 0];
      expect((await counted(input, { axis }, axis.bins)).found).toEqual(none);
    }
    const empty = bufferSamples(buffer, { type: "u16", pixels: 0 });
    expect((await counted(empty, { axis: category([3, 4]) }, 2)).found).toEqual([0, 0, 0, 0, 0]);
    for (const [axis, first] of [
      [category([4, 0, 3]), input],
      [circular(8, 24), input],
      [category([-3]), input],
      [boolean(), bufferSamples(buffer)],
    ] as const) {
      const { type } = first;
      const once = words(await right.histogram({ data, type }, { axis }));
      const into = countsBuffer((axis.bins + 3) * 4);
      const encoder = device.createCommandEncoder();
      await engine.encode(encoder, first, { into, axis });
      await engine.encode(encoder, first, { into, axis, add: true });
      await engine.encode(encoder, first, { into, axis, add: true, algorithm: "global" });
      device.queue.submit([encoder.finish()]);
      expect(await read(into), axis.type).toEqual(once.map((count) => 3 * count));
    }
    buffer.destroy();
  });

  onDevice("added to existing counts if requested, also past 2^32", async () => {
    const buffer = filledBuffer(device, Uint8Array.of(0, 1, 1, 255));
    const into = countsBuffer(5 * 4);
    const encoder = device.createCommandEncoder();
    const options = { into, axis: integer(0, 2) } as const;
    await engine.encode(encoder, bufferSamples(buffer), options);
    await engine.encode(encoder, bufferSamples(buffer), { ...options, add: true });
    await engine.encode(encoder, bufferSamples(buffer, { pixels: 2 }), { ...options, add: true });
    device.queue.submit([encoder.finish()]);
    expect(await read(into)).toEqual([3, 5, 0, 2, 0]);
    const full = countsBuffer(5 * 4);
    const second = device.createCommandEncoder();
    await engine.encode(second, bufferSamples(buffer), { into: full, axis: integer(0, 2), add: true });
    device.queue.submit([second.finish()]);
    expect(await read(full)).toEqual([GUARD + 1, GUARD + 2, GUARD, GUARD + 1, GUARD]);
  });
});

describe("commands belong to the user", () => {
  /** Returns the names of the calls on the device and its queue while `work` ran. */
  async function callsDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const calls: Record<string, number> = {};
    const watch = (of: object, names: readonly string[]) => {
      for (const name of names) {
        const method = Reflect.get(of, name) as (...args: unknown[]) => unknown;
        Reflect.set(of, name, (...args: unknown[]) => {
          calls[name] = (calls[name] ?? 0) + 1;
          return method.apply(of, args);
        });
        undo.push(() => Reflect.set(of, name, method));
      }
    };
    const undo: (() => void)[] = [];
    watch(device, ["createBuffer", "createTexture", "createShaderModule", "createCommandEncoder"]);
    watch(device, ["createComputePipeline", "createComputePipelineAsync", "createQuerySet"]);
    watch(device.queue, ["submit", "writeBuffer", "writeTexture"]);
    try {
      await work();
    } finally {
      for (const back of undo) back();
    }
    return calls;
  }

  onDevice("nothing is submitted; a second frame creates no pipeline and no buffer", async () => {
    const usage = TEXTURE.TEXTURE_BINDING | TEXTURE.COPY_DST;
    const frame = (value: number) => {
      const texture = device.createTexture({ size: [16, 8], format: "rgba8unorm", usage });
      device.queue.writeTexture({ texture }, new Uint8Array(512).fill(value), { bytesPerRow: 64 }, [16, 8]);
      return texture;
    };
    const encode = async (texture: GPUTexture, into: GPUBuffer, check: boolean) => {
      const encoder = device.createCommandEncoder();
      const calls = await callsDuring(() =>
        engine.encode(encoder, textureSamples(texture), { into, check, bins: 9, algorithm: "global" }),
      );
      return { calls, commands: encoder.finish() };
    };
    const first = await encode(frame(3), countsBuffer(4 * 12 * 4), true);
    expect(first.calls).toMatchObject({
      createBuffer: expect.any(Number),
      createComputePipelineAsync: expect.any(Number),
    });
    for (const forbidden of ["submit", "writeBuffer", "writeTexture", "createCommandEncoder"]) {
      expect(first.calls).not.toHaveProperty(forbidden);
    }
    // The same job with another texture and another buffer.
    for (const check of [true, false]) {
      const texture = frame(200);
      const into = countsBuffer(4 * 12 * 4);
      const next = await encode(texture, into, check);
      expect(next.calls).toEqual({});
      device.queue.submit([next.commands]);
      const expected = words(await right.histogram(new Uint8Array(128).fill(200), { bins: 9 }));
      expect(await read(into)).toEqual([...expected, ...expected, ...expected, ...expected]);
    }
  });

  onDevice("without the check a frame is done before the event loop turns", async () => {
    const buffer = filledBuffer(device, new Uint8Array(256));
    const into = countsBuffer(300 * 4);
    const encoder = device.createCommandEncoder();
    await engine.encode(encoder, bufferSamples(buffer), { into });
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    await engine.encode(encoder, bufferSamples(buffer), { into, check: false, add: true });
    expect(turned).toBe(false);
    device.queue.submit([encoder.finish()]);
    expect((await read(into))[0]).toBe(512);
  });

  onDevice(
    "they stand behind the user's own, and may be submitted in any order, any time later",
    async () => {
      const all: { commands: GPUCommandBuffer; into: GPUBuffer; expected: number[]; resident: Resident }[] =
        [];
      // More kinds of job than are kept, each twice. Some go through codes and some are packed first.
      for (let i = 0; i < 24; i++) {
        const kind = i % 12;
        const data = bytesOf("u16", 2 * (100 + kind), i + 1);
        const resident = await engine.upload({ data, type: "u16" });
        const axis = regular(8, 1000 * kind, 60_000);
        const into = countsBuffer(11 * 4);
        const encoder = device.createCommandEncoder();
        const input =
          kind % 3 === 0
            ? bufferSamples(filledBuffer(device, data), { type: "u16", offset: 2, pixels: 98 })
            : resident;
        const algorithm = kind % 3 === 1 ? "global" : "per-lane";
        await engine.encode(encoder, input, { into, axis, algorithm });
        const counted = kind % 3 === 0 ? data.subarray(2, 2 + 2 * 98) : data;
        const expected = words(await right.histogram({ data: counted, type: "u16" }, { axis }));
        all.push({ commands: encoder.finish(), into, expected, resident });
      }
      // Later work of the engine must not touch the buffers of these jobs.
      await engine.histogram(bytesOf("u16", 100_000), { algorithm: "global" });
      device.queue.submit(all.toReversed().map(({ commands }) => commands));
      for (const { into, expected } of all) expect(await read(into)).toEqual(expected);
    },
  );

  onDevice("many jobs in one encoder, concurrently, with other commands between them", async () => {
    const bytes = bytesOf("u8", 3000);
    const buffer = filledBuffer(device, bytes);
    const into = countsBuffer(10 * 19 * 4);
    const encoder = device.createCommandEncoder();
    const axis = regular(16, 0, 256);
    const parts = Array.from({ length: 10 }, (_, i) => [i * 17, 500 + (i % 3)] as const);
    await Promise.all(
      parts.map(([offset, pixels], i) =>
        engine.encode(encoder, bufferSamples(buffer, { offset, pixels }), { into, axis, offset: i * 19 * 4 }),
      ),
    );
    encoder.copyBufferToBuffer(into, 0, device.createBuffer({ size: 4, usage: BUFFER.COPY_DST }), 0, 4);
    device.queue.submit([encoder.finish()]);
    const found = await read(into);
    for (const [i, [offset, pixels]] of parts.entries()) {
      const part = bytes.subarray(offset, offset + pixels);
      const expected = words(await right.histogram(part, { axis }));
      expect(found.slice(i * 19, (i + 1) * 19), `part ${i}`).toEqual(expected);
    }
  });

  /** Returns the buffers that were created while `work` ran, and those that are neither collected nor destroyed now. */
  async function madeDuring(work: () => Promise<void>) {
    const made: { buffer: WeakRef<GPUBuffer>; size: number; destroyed: boolean }[] = [];
    const { createBuffer } = device;
    device.createBuffer = (descriptor) => {
      const buffer = createBuffer.call(device, descriptor);
      const one = { buffer: new WeakRef(buffer), size: descriptor.size, destroyed: false };
      const { destroy } = buffer;
      buffer.destroy = () => {
        one.destroyed = true;
        destroy.call(buffer);
      };
      made.push(one);
      return buffer;
    };
    await work();
    device.createBuffer = createBuffer;
    const live = async () => {
      await collect();
      return made.filter(({ buffer, destroyed }) => !destroyed && buffer.deref() !== undefined).length;
    };
    return { live, bytes: made.reduce((sum, { size }) => sum + size, 0) };
  }

  onDevice(
    "300 frames of regions that move and grow take the room of one; none is left after close",
    async () => {
      const passing = await openEngine({ backend: webgpu({ device }) });
      const shape = { width: 700, height: 400, layers: 1, levels: 1 };
      const { texture, bytesAt } = filledTexture(device, "rgba8unorm", 4, shape, "u8");
      const data = bytesAt(0, 0);
      const axis = regular(16, 0, 256);
      const into = countsBuffer(4 * 19 * 4);
      // One job counts packed samples, one writes codes in between, and one also uses histograms of blocks.
      const algorithms = ["per-lane", "global", "trish"] as const;
      const { live, bytes } = await madeDuring(async () => {
        for (let i = 0; i < 300; i++) {
          const size = [380 + i, 300 + (i % 100)] as const;
          const options = { into, axis, algorithm: algorithms[i % 3]!, check: i % 2 === 0 };
          const encoder = device.createCommandEncoder();
          await passing.encode(encoder, textureSamples(texture, { origin: [i % 20, 0], size }), options);
          const commands = encoder.finish();
          if (i % 50 > 2) continue;
          device.queue.submit([commands]);
          const region = { x: i % 20, y: 0, width: size[0], height: size[1] };
          const same = { data, channels: 4, width: shape.width, height: shape.height, region };
          const expected = (await right.histograms(same, { axis })).flatMap(words);
          expect(await read(into), `frame ${i}`).toEqual(expected);
        }
      });
      // Texels of 1.1 MB and their codes, in buffers that grew twice, and 4 KiB of params per frame.
      expect(bytes / 2 ** 20).toBeLessThan(2 * (2 + 1 + 2 + 2) + 300 / 256);
      expect(await live()).toBeLessThanOrEqual(16 + 6);
      await passing.close();
      expect(await live()).toBe(0);
      expect(passing.backend).toBe("webgpu");
      texture.destroy();
    },
  );

  onDevice("they outlive the engine that encoded them", async () => {
    const passing = await openEngine({ backend: webgpu({ device }) });
    const buffer = filledBuffer(device, new Uint8Array(64).fill(9));
    const into = countsBuffer(259 * 4);
    const encoder = device.createCommandEncoder();
    await passing.encode(encoder, bufferSamples(buffer), { into });
    await passing.close();
    device.queue.submit([encoder.finish()]);
    expect((await read(into))[9]).toBe(64);
  });
});

describe("refusals", () => {
  const samplesOf = () => bufferSamples(filledBuffer(device, new Uint8Array(64)));

  async function refused(work: Promise<unknown>, code: string, ...parts: string[]): Promise<void> {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toMatchObject({ name: "PolybinError", code, backend: "webgpu" });
    for (const part of parts) expect(error!.message).toContain(part);
  }

  onDevice("an encoder with an open pass, and a finished encoder", async () => {
    const into = countsBuffer(259 * 4);
    const open = device.createCommandEncoder();
    open.beginComputePass();
    await refused(engine.encode(open, samplesOf(), { into }), "ERR_INPUT", "no open pass");
    const finished = device.createCommandEncoder();
    finished.finish();
    await refused(engine.encode(finished, samplesOf(), { into }), "ERR_INPUT", "must not be finished");
    await refused(engine.encode({}, samplesOf(), { into }), "ERR_INPUT", "a GPUCommandEncoder");
    const other = await userDevice();
    other.addEventListener("uncapturederror", (event) => event.preventDefault());
    const foreign = other.createCommandEncoder();
    await refused(engine.encode(foreign, samplesOf(), { into }), "ERR_INPUT", "the engine's own device");
    other.destroy();
    expect(await read(into)).toEqual(Array(259).fill(GUARD));
  });

  onDevice("a circle of samples that the host would convert", async () => {
    const into = countsBuffer(100);
    const wide = bufferSamples(filledBuffer(device, new Uint8Array(64)), { type: "f32" });
    const encoder = device.createCommandEncoder();
    const encoding = engine.encode(encoder, wide, { into, axis: circular(8, 24) });
    await refused(encoding, "ERR_UNSUPPORTED", "a circular axis", "f32 to f64");
  });

  onDevice("a buffer that cannot hold the counts", async () => {
    const encode = (into: object, options: object = {}) =>
      engine.encode(encoder, samplesOf(), { into, ...options });
    const encoder = device.createCommandEncoder();
    await refused(
      encode(countsBuffer(258 * 4)),
      "ERR_INPUT",
      "1036 bytes in into from byte 0 on",
      "it has 1032",
    );
    await refused(encode(countsBuffer(259 * 4), { offset: 4 }), "ERR_INPUT", "in into from byte 4 on");
    const plain = device.createBuffer({ size: 2000, usage: BUFFER.COPY_DST });
    await refused(encode(plain), "ERR_INPUT", "STORAGE usage of into");
    await refused(encode(new Uint32Array(300)), "ERR_INPUT", "a GPUBuffer for into");
    const usage = BUFFER.STORAGE;
    const mapped = device.createBuffer({ size: 2000, usage, mappedAtCreation: true });
    await refused(encode(mapped), "ERR_INPUT", "for into but it is mapped");
    // The job was refused before anything was recorded, so the encoder is unchanged.
    const into = countsBuffer(259 * 4);
    await encode(into);
    device.queue.submit([encoder.finish()]);
    expect((await read(into))[0]).toBe(64);
  });

  onDevice("memory of another device: the encoder stays unchanged", async () => {
    const other = await userDevice();
    const encoder = device.createCommandEncoder();
    const into = countsBuffer(259 * 4);
    const foreign = other.createBuffer({ size: 2000, usage: BUFFER.STORAGE });
    const texture = other.createTexture({ size: [4, 4], format: "r8unorm", usage: TEXTURE.TEXTURE_BINDING });
    for (const input of [
      bufferSamples(foreign),
      bufferSamples(foreign, { offset: 1 }),
      textureSamples(texture),
    ]) {
      await refused(engine.encode(encoder, input, { into }), "ERR_INPUT", "webgpu({ device })");
    }
    await refused(engine.encode(encoder, samplesOf(), { into: foreign }), "ERR_INPUT", "webgpu({ device })");
    await engine.encode(encoder, samplesOf(), { into });
    device.queue.submit([encoder.finish()]);
    expect((await read(into))[0]).toBe(64);
    other.destroy();
  });

  onDevice(
    "a buffer that the device refuses to make: one error, and the next encode makes it anew",
    async () => {
      const bytes = bytesOf("u16", 2002);
      const input = bufferSamples(filledBuffer(device, bytes), { type: "u16", offset: 2, pixels: 999 });
      const axis = regular(8, 1000, 60_000);
      const data = bytes.subarray(2, 2000);
      const expected = words(await right.histogram({ data, type: "u16" }, { axis }));
      const { createBuffer } = device;
      let made = 1;
      for (let refused = 0; refused < made; refused++) {
        const passing = await openEngine({ backend: webgpu({ device }) });
        const into = countsBuffer(11 * 4);
        const encode = async () => {
          const encoder = device.createCommandEncoder();
          await passing.encode(encoder, input, { into, axis, algorithm: "global" });
          device.queue.submit([encoder.finish()]);
        };
        made = 0;
        device.createBuffer = (descriptor) =>
          createBuffer.call(device, made++ === refused ? { ...descriptor, usage: 0x3 } : descriptor);
        const error = await encode().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        device.createBuffer = createBuffer;
        expect(error, `buffer ${refused}`).toMatchObject({ name: "PolybinError", backend: "webgpu" });
        await encode();
        expect(await read(into), `buffer ${refused}`).toEqual(expected);
        await passing.close();
      }
      // Params, codes, counts, packed samples, a table, and two placeholder buffers.
      expect(made).toBeGreaterThanOrEqual(6);
    },
  );

  onDevice("a texture whose creation the device refused: the encoder stays unchanged", async () => {
    device.pushErrorScope("validation");
    const size = [device.limits.maxTextureDimension2D + 1, 1];
    const texture = device.createTexture({ size, format: "r8unorm", usage: TEXTURE.TEXTURE_BINDING });
    expect(await device.popErrorScope()).not.toBeNull();
    const into = countsBuffer(259 * 4);
    const encoder = device.createCommandEncoder();
    const input = textureSamples(texture, { size: [8, 1] });
    await refused(
      engine.encode(encoder, input, { into }),
      "ERR_INPUT",
      "a buffer or texture of the engine's",
    );
    await engine.encode(encoder, samplesOf(), { into });
    device.queue.submit([encoder.finish()]);
    expect((await read(into))[0]).toBe(64);
  });

  onDevice("floats without an axis, samples of 2^32 pixels, a lost device", async () => {
    const encoder = device.createCommandEncoder();
    const into = countsBuffer(259 * 4);
    const floats = bufferSamples(filledBuffer(device, new Uint8Array(64)), { type: "f32" });
    await refused(engine.encode(encoder, floats, { into }), "ERR_AXIS", "an axis for f32 samples");
    const most = { ...samplesOf(), pixels: 2 ** 32 };
    await refused(engine.encode(encoder, most, { into }), "ERR_LIMIT");
    const dying = await userDevice();
    const last = await openEngine({ backend: webgpu({ device: dying }) });
    const buffer = filledBuffer(dying, new Uint8Array(64));
    const orphan = dying.createCommandEncoder();
    const theirs = dying.createBuffer({ size: 2000, usage: BUFFER.STORAGE });
    dying.destroy();
    await refused(last.encode(orphan, bufferSamples(buffer), { into: theirs }), "ERR_DEVICE_LOST");
    await last.close();
  });

  onDevice("memory that was destroyed, when the commands are submitted: no count is written", async () => {
    const into = countsBuffer(259 * 4);
    const buffer = filledBuffer(device, new Uint8Array(64));
    const resident = await engine.upload(new Uint8Array(64));
    const all = [];
    for (const input of [bufferSamples(buffer), resident]) {
      const encoder = device.createCommandEncoder();
      await engine.encode(encoder, input, { into });
      all.push(encoder.finish());
    }
    buffer.destroy();
    await resident.free();
    for (const commands of all) {
      device.queue.submit([commands]);
      expect(await read(into)).toEqual(Array(259).fill(GUARD));
    }
  }, [/[Dd]estroyed/, /[Dd]estroyed/]);

  onDevice("without the check, WebGPU's error when the encoder is finished", async () => {
    const into = countsBuffer(259 * 4);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    await engine.encode(encoder, samplesOf(), { into, check: false });
    pass.end();
    device.queue.submit([encoder.finish()]);
    expect(await read(into)).toEqual(Array(259).fill(GUARD));
  }, [/is locked while/, /Invalid CommandBuffer/]);
});

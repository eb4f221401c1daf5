import {
  type Axis,
  type Backend,
  cpu,
  type Engine,
  type External,
  type Histogram,
  openEngine,
  regular,
  type SampleType,
  variable,
} from "@polybin/core";
import { algorithms, SAMPLE_TRAITS, SAMPLE_TYPES } from "@polybin/core/backend";
import { bufferSamples, textureSamples, webgpu } from "@polybin/webgpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebgpuLimits } from "../src/base/webgpu-limits.ts";
import { absence, userDevice } from "./shared.ts";
import { BUFFER, bytesOf, filledBuffer, filledTexture, NAN_BITS, TEXTURE } from "./user-memory.ts";

// Samples in a program's own buffers and textures, compared with core's cpu engine on the same bytes.

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

/** A test that needs a device and fails on any uncaptured error. */
function onDevice(name: string, work: () => Promise<void>): void {
  it(name, async ({ skip }) => {
    if (reason !== null) return skip(reason);
    const unnoticed: string[] = [];
    const listen = ({ error }: GPUUncapturedErrorEvent) => unnoticed.push(error.message);
    device.addEventListener("uncapturederror", listen);
    await work();
    await device.queue.onSubmittedWorkDone();
    device.removeEventListener("uncapturederror", listen);
    expect(unnoticed).toEqual([]);
  });
}

const told = ({ counts, underflow, overflow, nan, edges }: Histogram) => ({
  counts,
  underflow,
  overflow,
  nan,
  edges,
});

/** An axis that has samples of the type inside and outside. */
function axisOf(type: SampleType): Axis {
  const { integer, min, max } = SAMPLE_TRAITS[type];
  return integer ? regular(16, min + (max - min) / 8, max - (max - min) / 8) : regular(16, -0.5, 0.5);
}

async function expectSame(
  input: External,
  same: Parameters<Engine["histograms"]>[0],
  axis: Axis | undefined,
  name: string,
): Promise<void> {
  const options = axis === undefined ? {} : { axis };
  const [found, expected] = [await engine.histograms(input, options), await right.histograms(same, options)];
  expect(found.map(told), name).toEqual(expected.map(told));
  expect(
    found.every(({ backend }) => backend === "webgpu"),
    name,
  ).toBe(true);
}

describe("buffers", () => {
  for (const type of SAMPLE_TYPES) {
    onDevice(`${type}: in place, with tails, at odd offsets, with pitch`, async () => {
      const size = SAMPLE_TRAITS[type].bytes;
      const bytes = bytesOf(type, 10_000);
      const buffer = filledBuffer(device, bytes);
      const axis = axisOf(type);
      const dense = [
        [0, 1],
        [0, 15 / size],
        [0, 1001],
        [256, 16],
        [256, 333],
        [512, Math.floor((10_000 - 512) / size)],
        [1, 100],
        [2, 101],
        [3, 1],
        [255, 555],
        [4, 64],
        [4 * size, Math.floor(10_000 / size) - 4],
      ] as const;
      for (const [offset, count] of dense) {
        const pixels = Math.max(1, Math.floor(count));
        const data = bytes.subarray(offset, offset + pixels * size);
        const input = bufferSamples(buffer, { type, offset, pixels });
        expect(input).toMatchObject({ type, channels: 1, pixels, backend: "webgpu" });
        await expectSame(input, { data, type }, axis, `${pixels} from ${offset} on`);
      }
      const pitched = [
        [0, 5, 7, 256],
        [256, 32, 3, 256 + 3],
        [3, 1, 20, 8 + 1],
        [0, 4, 11, 64],
        [9, 13, 1, 500],
      ] as const;
      for (const [offset, width, height, rowPitch] of pitched) {
        const used = (height - 1) * rowPitch + width * size;
        const data = bytes.subarray(offset, offset + used);
        const input = bufferSamples(buffer, { type, offset, width, height, rowPitch });
        expect(input.pixels).toBe(width * height);
        const name = `${width} x ${height}, ${rowPitch} apart, from ${offset} on`;
        await expectSame(input, { data, type, width, height, rowPitch }, axis, name);
      }
      buffer.destroy();
    });
  }

  onDevice("the last samples of a buffer with an incomplete last vector and word", async () => {
    for (const length of [4, 8, 12, 16, 20, 36, 44, 300]) {
      const bytes = bytesOf("u8", length);
      const buffer = filledBuffer(device, bytes);
      await expectSame(bufferSamples(buffer), bytes, undefined, `${length} bytes`);
      for (const left of [1, 2, 3]) {
        const input = bufferSamples(buffer, { pixels: length - left });
        await expectSame(input, bytes.subarray(0, length - left), undefined, `${length - left} of ${length}`);
      }
      buffer.destroy();
    }
    // The size is not a multiple of 4. Samples in its whole words are reachable.
    const bytes = bytesOf("u8", 60);
    const odd = device.createBuffer({ size: 63, usage: BUFFER.STORAGE | BUFFER.COPY_DST });
    device.queue.writeBuffer(odd, 0, bytes);
    await expectSame(bufferSamples(odd, { pixels: 60 }), bytes, undefined, "60 of 63");
    expect(() => bufferSamples(odd)).toThrow("make its size a multiple of 4");
    odd.destroy();
  });

  onDevice("interleaved channels, dense and with pitch; no samples", async () => {
    const bytes = bytesOf("u8", 3000);
    const buffer = filledBuffer(device, bytes);
    const three = bufferSamples(buffer, { channels: 3 });
    await expectSame(three, { data: bytes, channels: 3 }, undefined, "dense");
    const rows = { width: 13, height: 9, rowPitch: 128, channels: 3 };
    await expectSame(
      bufferSamples(buffer, { ...rows, offset: 5 }),
      { ...rows, data: bytes.subarray(5, 5 + 8 * 128 + 39) },
      undefined,
      "with pitch",
    );
    const one = await engine.histogram(three, { channel: 1, algorithm: "global" });
    expect(told(one)).toEqual(told(await right.histogram({ data: bytes, channels: 3 }, { channel: 1 })));
    for (const none of [{ pixels: 0 }, { width: 0, height: 3 }, { width: 3, height: 0 }, { offset: 3000 }]) {
      expect((await engine.histogram(bufferSamples(buffer, none))).sum({ flow: true })).toBe(0);
    }
    buffer.destroy();
  });

  onDevice("floats: their own range, without NaN and infinities", async () => {
    for (const type of ["f32", "f64"] as const) {
      const bytes = bytesOf(type, 4000);
      const buffer = filledBuffer(device, bytes);
      for (const offset of [0, 8, 12]) {
        const data = bytes.subarray(offset, offset + (3960 - (3960 % 8)));
        const pixels = data.byteLength / SAMPLE_TRAITS[type].bytes;
        const input = bufferSamples(buffer, { type, offset, pixels });
        await expectSame(input, { data, type }, undefined, `${type} from ${offset} on`);
        expect(await engine.extent(input)).toEqual(await right.extent({ data, type }));
      }
      buffer.destroy();
    }
  });

  onDevice("the content at the time of the count is counted", async () => {
    const buffer = filledBuffer(device, new Uint8Array(64));
    const input = bufferSamples(buffer);
    expect((await engine.histogram(input)).counts[0]).toBe(64);
    device.queue.writeBuffer(buffer, 0, new Uint8Array(64).fill(7));
    expect((await engine.histogram(input)).counts[7]).toBe(64);
    buffer.destroy();
  });

  onDevice("inputs that exceed a binding are counted in chunks", async () => {
    await using small = await openEngine({ backend: await withLimits(device, { chunkBytes: 16_384 }) });
    // The built package has its own classes.
    const { bufferSamples } = await import("../src/memory/buffer-samples.ts");
    const bytes = bytesOf("u8", 100_003 + 5);
    const buffer = filledBuffer(device, bytes);
    const cases = [
      [{ offset: 0, pixels: 100_003 }, bytes.subarray(0, 100_003), 1],
      [{ offset: 3, pixels: 100_001 }, bytes.subarray(3, 100_004), 1],
      [{ offset: 256, channels: 3, pixels: 33_000 }, bytes.subarray(256, 256 + 99_000), 3],
    ] as const;
    for (const [options, data, channels] of cases) {
      const found = await small.histograms(bufferSamples(buffer, options));
      expect(found.map(told)).toEqual((await right.histograms({ data, channels })).map(told));
    }
    // Rows that are longer than a piece, and rows so far apart that a piece has few of them.
    for (const rows of [
      { width: 40_001, height: 2, rowPitch: 50_000 },
      { width: 100, height: 14, rowPitch: 7000 },
      { width: 20, height: 4, rowPitch: 30_000 },
    ]) {
      const data = bytes.subarray(0, (rows.height - 1) * rows.rowPitch + rows.width);
      const found = await small.histogram(bufferSamples(buffer, rows));
      expect(told(found)).toEqual(told(await right.histogram({ ...rows, data })));
    }
    buffer.destroy();
  });

  onDevice("no part exceeds the size that a plan may count at once, whatever can be bound", async () => {
    const chunkSamples = 16_384;
    await using small = await openEngine({ backend: await withLimits(device, { chunkSamples }) });
    const { bufferSamples } = await import("../src/memory/buffer-samples.ts");
    const { textureSamples } = await import("../src/memory/texture-samples.ts");
    // The number of equal values overflows 8-bit counters if a block gets more samples than planned.
    const bytes = new Uint8Array(256 * 400).fill(7, 0, 90_000);
    const resident = await small.upload(bytes);
    const buffer = filledBuffer(device, bytes);
    const usage = TEXTURE.TEXTURE_BINDING | TEXTURE.COPY_DST;
    const texture = device.createTexture({ format: "r8unorm", size: [256, 400], usage });
    device.queue.writeTexture({ texture }, bytes, { bytesPerRow: 256 }, [256, 400]);
    const inputs = { resident, buffer: bufferSamples(buffer), texture: textureSamples(texture) };
    for (const [name, input] of Object.entries(inputs)) {
      for (const merge of ["avoid", "periodic"] as const) {
        const options = { algorithm: "privatized", merge } as const;
        const { counts, plan } = await small.histogram(input, options);
        expect(plan, name).toMatchObject({ algorithm: "privatized", parameters: { merge }, chunkSamples });
        expect([counts[0], counts[7]], `${name}, ${merge}`).toEqual([12_400, 90_000]);
      }
    }
    await resident.free();
    buffer.destroy();
    texture.destroy();
  });
});

/** A backend on a device that claims these limits for bindings and reads. */
async function withLimits(of: GPUDevice, less: Partial<WebgpuLimits>): Promise<Backend> {
  const { deviceLimits } = await import("../src/platform/capabilities.ts");
  const { WebgpuDevice } = await import("../src/device.ts");
  const { Hardware } = await import("../src/platform/hardware.ts");
  const limits = { ...deviceLimits(of), ...less };
  return {
    id: "webgpu",
    algorithms: [algorithms["per-lane"], algorithms.privatized],
    probe: async () => ({ available: true, device: "small" }),
    open: async () => new WebgpuDevice(new Hardware(of, () => {}), limits),
  };
}

describe("textures", () => {
  const formats = [
    ["rgba8unorm", "u8", 4],
    ["r8unorm", "u8", 1],
    ["r16uint", "u16", 1],
    ["r32float", "f32", 1],
  ] as const;
  for (const [format, type, channels] of formats) {
    onDevice(`${format}: whole, a region, mip levels, layers`, async () => {
      const texelBytes = SAMPLE_TRAITS[type].bytes * channels;
      const shape = { width: 37, height: 21, layers: 2, levels: 3 };
      const { texture, bytesAt } = filledTexture(device, format, texelBytes, shape, type);
      const axis = type === "u8" ? undefined : axisOf(type);
      for (const layer of [0, 1]) {
        for (const mipLevel of [0, 1, 2]) {
          const width = Math.floor(shape.width / 2 ** mipLevel);
          const height = Math.floor(shape.height / 2 ** mipLevel);
          const data = bytesAt(layer, mipLevel);
          const input = textureSamples(texture, { layer, mipLevel });
          expect(input).toMatchObject({ type, channels, pixels: width * height });
          const name = `layer ${layer}, level ${mipLevel}`;
          await expectSame(input, { data, type, channels, width, height }, axis, name);
          const origin = [1, 2] as const;
          const size = [width - 3, height - 3] as const;
          const region = { x: 1, y: 2, width: size[0], height: size[1] };
          const part = textureSamples(texture, { layer, mipLevel, origin, size });
          await expectSame(part, { data, type, channels, width, height, region }, axis, `a part of ${name}`);
        }
      }
      const none = textureSamples(texture, { size: [0, 5] });
      expect((await engine.histograms(none, { axis: regular(2, 0, 1) }))[0]!.sum({ flow: true })).toBe(0);
      texture.destroy();
    });
  }

  onDevice("every byte of rgba8unorm, and bgra8unorm's channels as red, green, blue, alpha", async () => {
    const bytes = Uint8Array.from({ length: 1024 }, (_, i) =>
      i % 4 === 3 ? 255 - (i >> 2) : (i >> 2) ^ (i % 4),
    );
    const usage = TEXTURE.TEXTURE_BINDING | TEXTURE.COPY_DST;
    for (const [format, order] of [
      ["rgba8unorm", [0, 1, 2, 3]],
      ["bgra8unorm", [2, 1, 0, 3]],
    ] as const) {
      const texture = device.createTexture({ format, size: [64, 4], usage });
      device.queue.writeTexture({ texture }, bytes, { bytesPerRow: 256 }, [64, 4]);
      const expected = await right.histograms({ data: bytes, channels: 4 });
      const found = await engine.histograms(textureSamples(texture));
      expect(found.map(told)).toEqual(order.map((channel) => told(expected[channel]!)));
      texture.destroy();
    }
  });

  onDevice("r32float bit for bit: every NaN, infinities, zeroes, denormals", async () => {
    const words = Uint32Array.of(
      ...NAN_BITS,
      0x7f80_0000,
      0xff80_0000,
      0,
      0x8000_0000,
      1,
      0x8000_0001,
      0x007f_ffff,
      0x0080_0000,
      0x7f7f_ffff,
      0x3f80_0000,
      0x3f80_0001,
    );
    const usage = TEXTURE.TEXTURE_BINDING | TEXTURE.COPY_DST;
    const size = [words.length, 1];
    const texture = device.createTexture({ format: "r32float", size, usage });
    device.queue.writeTexture({ texture }, words, {}, size);
    const denormal = 2 ** -149;
    const edges = [-2 * denormal, -denormal, 0, denormal, 2 * denormal, 2 ** -126, 1, 1 + 2 ** -23, 2];
    const data = new Float32Array(words.buffer);
    const input = textureSamples(texture);
    await expectSame(input, data, variable(edges), "around the denormals");
    const { nan, counts } = await engine.histogram(input, { axis: variable(edges) });
    expect(nan).toBe(NAN_BITS.length);
    expect([...counts]).toEqual([0, 1, 2, 1, 1, 1, 1, 1]);
    // The bits themselves are compared, too: the packed data must equal the stored data.
    expect(await packed(input)).toEqual(words);
    texture.destroy();
  });
});

/** Returns the packed data of a texture: it runs the commands of `encode` and reads the dense buffer. */
async function packed(input: External): Promise<Uint32Array> {
  // This engine has no buffers yet.
  await using engine = await openEngine({ backend: webgpu({ device }) });
  const made: GPUBuffer[] = [];
  const createBuffer = device.createBuffer;
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer.call(device, { ...descriptor, usage: descriptor.usage | BUFFER.COPY_SRC });
    made.push(buffer);
    return buffer;
  };
  const bytes = input.pixels * 4;
  const into = device.createBuffer({ size: 5 * 4, usage: BUFFER.STORAGE });
  const encoder = device.createCommandEncoder();
  made.length = 0;
  try {
    await engine.encode(encoder, input, { into, axis: regular(2, 0, 1) });
  } finally {
    device.createBuffer = createBuffer;
  }
  const to = device.createBuffer({ size: bytes, usage: BUFFER.MAP_READ | BUFFER.COPY_DST });
  // A job without codes creates the dense buffer last.
  encoder.copyBufferToBuffer(made.at(-1)!, 0, to, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await to.mapAsync(1);
  const words = new Uint32Array(to.getMappedRange().slice(0));
  to.destroy();
  return words;
}

describe("inputs that cannot be counted", () => {
  const refusal = async (work: () => unknown, ...parts: string[]) => {
    const error = await Promise.resolve()
      .then(work)
      .then(
        () => null,
        (thrown: unknown) => thrown as Error,
      );
    expect(error).toMatchObject({ name: "PolybinError", code: "ERR_INPUT" });
    for (const part of parts) expect(error!.message).toContain(part);
  };

  onDevice("buffers that do not fit their description", async () => {
    const buffer = device.createBuffer({ size: 100, usage: BUFFER.STORAGE });
    const plain = device.createBuffer({ size: 100, usage: BUFFER.COPY_DST });
    await refusal(() => bufferSamples(new Uint8Array(4) as never), "a GPUBuffer for buffer");
    await refusal(() => bufferSamples(plain), "STORAGE usage of buffer but it has 0x8");
    const wrong: [object, string][] = [
      [{ pixels: 101 }, "at least 101 bytes for 1 rows of 101 pixels from byte 0 on but the buffer has 100"],
      [{ offset: 101 }, "from 0 to 100 for offset"],
      [{ offset: -1 }, "for offset"],
      [{ type: "u16", offset: 1 }, "a whole number of pixels of 2 bytes"],
      [{ type: "u4" }, "for type"],
      [{ channels: 5 }, "for channels"],
      [{ width: 10, height: 10, rowPitch: 11 }, "at least 109 bytes"],
      [{ width: 10, height: 2, rowPitch: 9 }, "of at least 10 for rowPitch"],
      [{ height: 2 }, "width together with height"],
      [{ width: 2, pixels: 2 }, "either pixels or width"],
      [{ bytesPerRow: 256 }, "received bytesPerRow"],
    ];
    for (const [options, message] of wrong) await refusal(() => bufferSamples(buffer, options), message);
    buffer.destroy();
    plain.destroy();
  });

  onDevice("textures that do not fit their description", async () => {
    const usage = TEXTURE.TEXTURE_BINDING;
    const made = (descriptor: Partial<GPUTextureDescriptor>) =>
      device.createTexture({ size: [8, 6], format: "r8unorm", usage, ...descriptor });
    const texture = made({});
    await refusal(() => textureSamples({} as never), "a GPUTexture for texture");
    await refusal(() => textureSamples(made({ format: "rgba16float" })), "but received rgba16float");
    await refusal(() => textureSamples(made({ format: "rgba8unorm-srgb" })), "rgba8unorm-srgb");
    await refusal(() => textureSamples(made({ usage: TEXTURE.COPY_DST })), "TEXTURE_BINDING usage");
    await refusal(() => textureSamples(made({ dimension: "3d" })), "received 3d");
    const wrong: [object, string][] = [
      [{ origin: [9, 0] }, "from 0 to 8 for origin[0]"],
      [{ origin: [0, 7] }, "from 0 to 6 for origin[1]"],
      [{ origin: [2, 1], size: [7, 5] }, "from 0 to 6 for size[0]"],
      [{ size: [8, 6.5] }, "for size[1]"],
      [{ size: { width: 1, height: 1 } }, "an array of two whole numbers for size"],
      [{ mipLevel: 1 }, "from 0 to 0 for mipLevel"],
      [{ layer: 1 }, "from 0 to 0 for layer"],
      [{ level: 0 }, "received level"],
    ];
    for (const [options, message] of wrong) await refusal(() => textureSamples(texture, options), message);
  });

  onDevice("memory of another device or of the host, and destroyed memory: nothing is counted", async () => {
    const other = await userDevice();
    const strangers = [
      bufferSamples(filledBuffer(other, new Uint8Array(64))),
      bufferSamples(filledBuffer(other, new Uint8Array(64)), { offset: 1 }),
      textureSamples(
        other.createTexture({ size: [8, 8], format: "r32float", usage: TEXTURE.TEXTURE_BINDING }),
      ),
    ];
    const gone = filledBuffer(device, new Uint8Array(64));
    const texture = device.createTexture({ size: [8, 8], format: "r16uint", usage: TEXTURE.TEXTURE_BINDING });
    const destroyed = [bufferSamples(gone), bufferSamples(gone, { offset: 3 }), textureSamples(texture)];
    gone.destroy();
    texture.destroy();
    for (const input of [...strangers, ...destroyed]) {
      const options = input.type === "f32" ? { axis: regular(2, 0, 1) } : {};
      await refusal(() => engine.histogram(input, options), "not destroyed", "webgpu({ device })");
      await refusal(() => engine.extent(input), "webgpu({ device })");
    }
    const mapped = device.createBuffer({ size: 64, usage: BUFFER.STORAGE, mappedAtCreation: true });
    await refusal(() => engine.histogram(bufferSamples(mapped)), "it is mapped: unmap it");
    const forged = { kind: "external", backend: "webgpu", type: "u8", channels: 1, pixels: 4 } as const;
    await refusal(() => engine.histogram(forged), "bufferSamples or textureSamples");
    await refusal(() => right.histogram(bufferSamples(mapped)), "these are on a device of webgpu");
    other.destroy();
    // The engine can still count.
    expect((await engine.histogram(new Uint8Array(5))).counts[0]).toBe(5);
  });

  onDevice("memory that is destroyed during a count: one user error, or the counts", async () => {
    const usage = BUFFER.STORAGE | BUFFER.COPY_DST;
    const ends: ((turns: number) => [External, () => void])[] = [
      () => {
        const texture = device.createTexture({
          size: [100, 90],
          format: "r8unorm",
          usage: TEXTURE.TEXTURE_BINDING,
        });
        return [textureSamples(texture), () => texture.destroy()];
      },
      (turns) => {
        const buffer = device.createBuffer({ size: 9001 * 4, usage });
        return [bufferSamples(buffer, { offset: turns % 2, pixels: 9000 }), () => buffer.destroy()];
      },
    ];
    for (const begin of ends) {
      for (const turns of [0, 1, 2, 3, 4, 6, 9, 14, 20]) {
        const [input, end] = begin(turns);
        const found = engine.histogram(input).then(
          ({ counts }) => counts[0],
          ({ code }) => code,
        );
        for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
        end();
        expect([9000, "ERR_INPUT"]).toContain(await found);
        expect((await engine.histogram(new Uint8Array(5))).counts[0]).toBe(5);
        const [other, endOther] = begin(turns);
        const extent = engine.extent(other).then(
          ({ max }) => max,
          ({ code }) => code,
        );
        for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
        endOther();
        expect([0, "ERR_INPUT"]).toContain(await extent);
        expect(await engine.extent(Uint8Array.of(3, 4))).toEqual({ min: 3, max: 4 });
      }
    }
  });
});

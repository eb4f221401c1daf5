import type { External, Resident, SampleType } from "@polybin/core";
import { type DeviceInput, limits, SAMPLE_TRAITS, SAMPLE_TYPES, samples } from "@polybin/core/backend";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { bufferSamples } from "../src/memory/buffer-samples.ts";
import { textureSamples } from "../src/memory/texture-samples.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { absence, userDevice } from "./shared.ts";
import { bytesOf, filledBuffer, filledTexture } from "./user-memory.ts";

// Samples on the device, copied back to host memory.

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

let device: GPUDevice;
let of: WebgpuDevice;
/** A device that binds few bytes, so that residents have several buffers and users' samples several parts. */
let small: WebgpuDevice;
const unnoticed: string[] = [];
beforeAll(async () => {
  if (reason !== null) return;
  device = await userDevice();
  device.addEventListener("uncapturederror", ({ error }) => unnoticed.push(error.message));
  const [hardware, own] = [new Hardware(device, () => {}), deviceLimits(device)];
  of = new WebgpuDevice(hardware, own);
  small = new WebgpuDevice(hardware, { ...own, chunkBytes: 16_384, partBytes: 8192 });
});
afterAll(async () => {
  await of?.close();
  await small?.close();
  device?.destroy();
  expect(unnoticed).toEqual([]);
});

const residentIn = (resident: Resident): DeviceInput => ({ kind: "resident", resident });
const externalIn = (external: External): DeviceInput => ({ kind: "external", external });

/** Expects these bytes, as dense samples. */
async function expectBytes(
  from: WebgpuDevice,
  input: DeviceInput,
  bytes: Uint8Array,
  type: SampleType = "u8",
  channels = 1,
): Promise<void> {
  const found = await from.download(input, {});
  const pixels = bytes.length / SAMPLE_TRAITS[type].bytes / channels;
  expect(found).toMatchObject({ type, channels, pixels, width: pixels, height: 1, dense: true });
  expect(Buffer.compare(found.bytes, bytes)).toBe(0);
}

describe("residents", () => {
  needsDevice("of every type, with channels, in one buffer and in several", async () => {
    for (const type of SAMPLE_TYPES) {
      const pixelBytes = 3 * SAMPLE_TRAITS[type].bytes;
      for (const pixels of [0, 1, 9001]) {
        const bytes = bytesOf(type, pixels * pixelBytes);
        for (const from of [of, small]) {
          const resident = await from.upload(samples({ data: bytes, type, channels: 3 }), {});
          await expectBytes(from, residentIn(resident), bytes, type, 3);
          await resident.free();
        }
      }
    }
  });

  needsDevice("of a region, whose rows are next to one another on the device", async () => {
    const bytes = bytesOf("u16", 2 * 40 * 20);
    const region = { x: 3, y: 2, width: 17, height: 11 };
    const resident = await of.upload(
      samples({ data: bytes, type: "u16", width: 40, height: 20, region }),
      {},
    );
    const rows = Array.from({ length: 11 }, (_, y) => [
      ...bytes.subarray(((2 + y) * 40 + 3) * 2, ((2 + y) * 40 + 20) * 2),
    ]);
    await expectBytes(of, residentIn(resident), Uint8Array.from(rows.flat()), "u16");
    await resident.free();
  });

  needsDevice("in several copies; an abort between them, and progress", async () => {
    // One and a half times the bytes of a copy, in a buffer that is not a whole number of words long.
    const bytes = bytesOf("u8", 12_582_911);
    const resident = await of.upload(samples(bytes), {});
    await expectBytes(of, residentIn(resident), bytes);
    const done: number[] = [];
    await of.download(residentIn(resident), { onProgress: (count) => done.push(count) });
    expect(done).toEqual([bytes.length]);
    const stop = new AbortController();
    const downloading = small.download(
      residentIn(await small.upload(samples(bytes.subarray(0, 90_000)), {})),
      {
        signal: stop.signal,
        onProgress: () => stop.abort(new Error("enough")),
      },
    );
    await expect(downloading).rejects.toThrow("enough");
    await expect(of.download(residentIn(resident), { signal: stop.signal })).rejects.toThrow("enough");
    await resident.free();
    await expect(of.download(residentIn(resident), {})).rejects.toMatchObject({ code: "ERR_INPUT" });
  });
});

describe("a user's samples, whose buffers have STORAGE usage only", () => {
  needsDevice("of every type, in place or not, with pitch", async () => {
    for (const type of SAMPLE_TYPES) {
      const size = SAMPLE_TRAITS[type].bytes;
      const bytes = bytesOf(type, 40_000);
      const buffer = filledBuffer(device, bytes);
      for (const from of [of, small]) {
        for (const offset of [0, 256, 3]) {
          const pixels = Math.floor((bytes.length - offset) / size);
          const own = bytes.subarray(offset, offset + pixels * size);
          await expectBytes(from, externalIn(bufferSamples(buffer, { type, offset, pixels })), own, type);
        }
        const rows = { width: 13, height: 9, rowPitch: 13 * size + 7 };
        const dense = Array.from({ length: 9 }, (_, y) => [
          ...bytes.subarray(5 + y * rows.rowPitch, 5 + y * rows.rowPitch + 13 * size),
        ]);
        const pitched = bufferSamples(buffer, { type, offset: 5, ...rows });
        await expectBytes(from, externalIn(pitched), Uint8Array.from(dense.flat()), type);
      }
      await expectBytes(of, externalIn(bufferSamples(buffer, { type, pixels: 0 })), new Uint8Array(), type);
      buffer.destroy();
    }
  });

  needsDevice("in textures of every format", async () => {
    for (const [format, type, channels] of [
      ["rgba8unorm", "u8", 4],
      ["r8unorm", "u8", 1],
      ["r16uint", "u16", 1],
      ["r32float", "f32", 1],
    ] as const) {
      const texelBytes = SAMPLE_TRAITS[type].bytes * channels;
      const shape = { width: 131, height: 67, layers: 2, levels: 2 };
      const { texture, bytesAt } = filledTexture(device, format, texelBytes, shape, type);
      for (const from of [of, small]) {
        const input = externalIn(textureSamples(texture, { layer: 1, mipLevel: 1 }));
        await expectBytes(from, input, bytesAt(1, 1), type, channels);
      }
      texture.destroy();
    }
  });

  needsDevice("refused: those of another device, destroyed ones, and other backends'", async () => {
    const other = await userDevice();
    const foreign = bufferSamples(filledBuffer(other, new Uint8Array(64)));
    await expect(of.download(externalIn(foreign), {})).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("webgpu({ device })"),
    });
    other.destroy();
    const buffer = filledBuffer(device, new Uint8Array(64));
    const gone = bufferSamples(buffer);
    buffer.destroy();
    await expect(of.download(externalIn(gone), {})).rejects.toMatchObject({ code: "ERR_INPUT" });
    const theirs = { kind: "external", backend: "webgpu", type: "u8", channels: 1, pixels: 1 } as const;
    await expect(of.download(externalIn(theirs), {})).rejects.toMatchObject({ code: "ERR_INPUT" });
    // A call that failed leaves the next one unharmed.
    const bytes = bytesOf("u8", 100);
    const next = filledBuffer(device, bytes);
    await expectBytes(of, externalIn(bufferSamples(next)), bytes);
    next.destroy();
  });

  needsDevice("refused: more than this process can hold", async () => {
    const pixels = Number.MAX_SAFE_INTEGER - (Number.MAX_SAFE_INTEGER % limits.VECTOR_BYTES);
    const external = Object.create(bufferSamples(filledBuffer(device, new Uint8Array(64))), {
      pixels: { value: pixels },
    }) as External;
    await expect(of.download(externalIn(external), {})).rejects.toMatchObject({
      code: "ERR_OUT_OF_MEMORY",
      message: `expected memory of ${pixels} bytes but that much is not available`,
    });
  });
});

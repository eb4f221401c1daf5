import { setTimeout as sleep } from "node:timers/promises";
import type { SampleType } from "@polybin/core";
import { type Device, limits, type Samples, samples } from "@polybin/core/backend";
import { cuda } from "@polybin/cuda";
import { describe, expect, it } from "vitest";
import { CudaDevice } from "../src/device.ts";
import { H200, hosted, NOT_BUILT } from "./host/backend.ts";

// Samples that were uploaded come back as they were: through the whole addon over a runtime without a GPU, on one device
// and on two, and on a GPU if there is one.

const probe = await cuda().probe();

/** Each opens a device, or says why it cannot. */
const DEVICES: readonly (readonly [string, () => Promise<Device> | string])[] = [
  ...[1, 2].map(
    (count) =>
      [
        `${count} hosted`,
        () => {
          const native = hosted();
          if (native === null) return NOT_BUILT;
          const contexts = Array.from({ length: count }, () => new native.Context(0, false));
          return Promise.resolve(new CudaDevice("hosted", H200, contexts));
        },
      ] as const,
  ),
  ["a GPU", () => (probe.available ? cuda().open() : probe.reason)],
];

const PIECE = limits.GPU_PIECE_BYTES;

/** Bytes that differ from one place to the next, also across pieces. */
function picture(type: SampleType, channels: number, pixels: number): Samples {
  const bytes = new Uint8Array(pixels * channels * limits.WORD_BYTES);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 7 + (i >> 11)) & 255;
  const size = { u8: 1, u16: 2, f32: 4 }[type as "u8" | "u16" | "f32"];
  return samples({ data: bytes.subarray(0, pixels * channels * size), type, channels });
}

const PICTURES: readonly (readonly [string, () => Samples])[] = [
  ["nothing", () => picture("u8", 1, 0)],
  ["a byte", () => picture("u8", 1, 1)],
  ["pixels of three halves", () => picture("u16", 3, 1001)],
  ["pixels that pieces cut", () => picture("u8", 3, PIECE)],
  ["whole pieces", () => picture("f32", 1, PIECE / 2)],
];

describe.each(DEVICES)("on %s", (_, open) => {
  const opened = async (skip: (why: string) => never): Promise<Device> => {
    const device = open();
    return typeof device === "string" ? skip(device) : device;
  };

  it.for(PICTURES)("%s come back", { timeout: 60_000 }, async ([, of], { skip }) => {
    const device = await opened(skip);
    const given = of();
    const resident = await device.upload(given, {});
    const seen: number[] = [];
    const found = await device.download!(
      { kind: "resident", resident },
      { onProgress: (done) => seen.push(done) },
    );
    const { type, channels, pixels } = given;
    expect(found).toMatchObject({ type, channels, pixels, dense: true });
    expect(Buffer.compare(found.bytes, given.bytes)).toBe(0);
    expect(seen.every((done) => done <= pixels)).toBe(true);
    await resident.free();
    await device.close();
  });

  it("rows that were apart come back dense", async ({ skip }) => {
    const device = await opened(skip);
    const data = Uint8Array.from({ length: 1000 }, (_byte, i) => i * 7);
    const resident = await device.upload(samples({ data, width: 7, height: 10, rowPitch: 100 }), {});
    const { bytes } = await device.download!({ kind: "resident", resident }, {});
    expect([...bytes]).toEqual(
      Array.from({ length: 70 }, (_byte, i) => data[Math.floor(i / 7) * 100 + (i % 7)]),
    );
    await device.close();
  });

  it("a download stops when its signal aborts, and the next one is complete", async ({ skip }) => {
    const device = await opened(skip);
    const given = picture("f32", 1, PIECE);
    const resident = await device.upload(given, {});
    const controller = new AbortController();
    const running = device.download!({ kind: "resident", resident }, { signal: controller.signal });
    controller.abort("enough");
    await expect(running).rejects.toBe("enough");
    await sleep(1);
    const found = await device.download!({ kind: "resident", resident }, {});
    expect(Buffer.compare(found.bytes, given.bytes)).toBe(0);
    await device.close();
  });

  it("memory of others and freed samples are refused", async ({ skip }) => {
    const device = await opened(skip);
    const external = { kind: "external", external: {} } as never;
    await expect(device.download!(external, {})).rejects.toMatchObject({ code: "ERR_INPUT" });
    const resident = await device.upload(picture("u8", 1, 100), {});
    await resident.free();
    await expect(device.download!({ kind: "resident", resident }, {})).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: "expected resident samples but they were freed",
    });
    await device.close();
  });
});

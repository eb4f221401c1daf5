import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openEngine, regular } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { afterEach, expect, it } from "vitest";
import { absence, backend, userDevice as newDevice } from "./shared.ts";

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

const devices: GPUDevice[] = [];
afterEach(() => {
  for (const device of devices.splice(0)) device.destroy();
});

async function userDevice(): Promise<GPUDevice> {
  const device = await newDevice();
  devices.push(device);
  return device;
}

needsDevice("a process that opened, counted and closed ends by itself", async () => {
  const program = fileURLToPath(new URL("./close.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect(stdout).toBe("1000\n");
});

needsDevice("a device with the default limits counts with every algorithm", async () => {
  const device = await userDevice();
  expect(device.limits.maxComputeWorkgroupStorageSize).toBe(16_384);
  expect(device.limits.maxStorageBufferBindingSize).toBe(134_217_728);
  expect(device.limits.maxComputeInvocationsPerWorkgroup).toBe(256);
  const engine = await openEngine({ backend: webgpu({ device }) });
  const bytes = Uint8Array.from({ length: 10_001 }, (_, i) => (i * i) >> 5);
  const expected = new Float64Array(64);
  for (const byte of bytes) expected[byte >> 2]! += 1;
  for (const algorithm of engine.algorithms) {
    const { counts, plan } = await engine.histogram(bytes, { algorithm, axis: regular(64, 0, 256) });
    expect(counts, algorithm).toEqual(expected);
    expect(plan!.sharedBytes, algorithm).toBeLessThanOrEqual(16_384);
  }
  const floats = Float64Array.from(bytes, (byte) => byte / 4);
  const { counts } = await engine.histogram(floats, { axis: regular(64, 0, 64) });
  expect(counts).toEqual(expected);
  await engine.close();
  // It is the user's: closing the engine leaves it alone.
  const still = device.createBuffer({ size: 4, usage: 1 | 8 });
  await still.mapAsync(1);
  still.destroy();
});

needsDevice(
  "a device that is lost in the middle of a job: ERR_DEVICE_LOST, and another engine opens",
  async () => {
    const device = await userDevice();
    const engine = await openEngine({ backend: webgpu({ device }) });
    const samples = new Uint8Array(100_000_000);
    const count = () => engine.histogram(samples, { onProgress: () => device.destroy() });
    await expect(count()).rejects.toMatchObject({ code: "ERR_DEVICE_LOST", backend: "webgpu" });
    await expect(engine.histogram(new Uint8Array(9))).rejects.toMatchObject({ code: "ERR_DEVICE_LOST" });
    await expect(engine.upload(new Uint8Array(9))).rejects.toMatchObject({ code: "ERR_DEVICE_LOST" });
    await expect(engine.extent(new Float32Array(9))).rejects.toMatchObject({ code: "ERR_DEVICE_LOST" });
    await engine.close();
    await using another = await openEngine({ backend: backend() });
    expect((await another.histogram(new Uint8Array(9))).counts[0]).toBe(9);
  },
);

needsDevice("a device is lost at any moment of a job: an error, or the exact counts", async () => {
  for (const turns of [0, 1, 2, 4, 8, 16]) {
    const device = await userDevice();
    const engine = await openEngine({ backend: webgpu({ device }) });
    const found = engine.histogram(new Uint8Array(3_000_000), { algorithm: "global" }).then(
      ({ counts }) => counts[0],
      ({ code }) => code,
    );
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    device.destroy();
    expect([3_000_000, "ERR_DEVICE_LOST"]).toContain(await found);
    await engine.close();
  }
});

needsDevice("1,000 times open and closed: nothing is left", async () => {
  const rounds = async (n: number) => {
    for (let i = 0; i < n; i++) {
      const engine = await openEngine({ backend: backend() });
      await engine.close();
    }
    globalThis.gc?.();
    return process.memoryUsage().rss;
  };
  const before = await rounds(200);
  const after = await rounds(800);
  expect((after - before) / 2 ** 20).toBeLessThan(64);
});

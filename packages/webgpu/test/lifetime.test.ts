import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Engine, openEngine, regular, variable } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { afterEach, expect, it } from "vitest";
import { USAGE } from "../src/platform/flags.ts";
import { collect } from "./collect.ts";
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
  // The device belongs to the user, so closing the engine does not destroy it.
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

const BYTES = new Uint8Array(100_000);
const WIDE = new Uint16Array(BYTES.buffer);
/** The usage of samples, which `download` copies, and of counts. */
const COPIED = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
const READ = USAGE.MAP_READ | USAGE.COPY_DST;
const STAGED = USAGE.MAP_WRITE | USAGE.COPY_SRC;

/**
 * Buffers that a device may refuse: their usage, the size up to which or from which they are refused, and a call that
 * creates them.
 */
const REFUSED: readonly {
  readonly name: string;
  readonly usage: number;
  readonly most?: number;
  readonly least?: number;
  readonly call: (engine: Engine) => Promise<unknown>;
}[] = [
  { name: "samples", usage: COPIED, call: (of) => of.histogram(new Uint8Array(500)) },
  { name: "a resident", usage: COPIED, call: (of) => of.upload(BYTES) },
  { name: "staging", usage: STAGED, call: (of) => of.upload(BYTES) },
  {
    name: "codes",
    usage: USAGE.STORAGE,
    least: 1000,
    call: (of) => of.histogram(WIDE, { algorithm: "global" }),
  },
  {
    name: "histograms",
    usage: USAGE.STORAGE,
    least: 1000,
    call: (of) => of.histogram(BYTES, { algorithm: "trish" }),
  },
  {
    name: "a lookup",
    usage: USAGE.STORAGE | USAGE.COPY_DST,
    most: BYTES.length,
    call: (of) => of.histogram(WIDE, { axis: variable([1, 5, 7, 100, 1000]) }),
  },
  { name: "nothing", usage: USAGE.STORAGE, most: 64, call: (of) => of.histogram(BYTES) },
  {
    name: "counts",
    usage: COPIED,
    most: BYTES.length,
    call: (of) => of.histogram(BYTES),
  },
  { name: "params", usage: USAGE.UNIFORM | USAGE.COPY_DST, call: (of) => of.histogram(BYTES) },
  { name: "a readback", usage: READ, call: (of) => of.histogram(BYTES) },
  { name: "an extent's readback", usage: READ, call: (of) => of.extent(new Float32Array(9)) },
];

needsDevice("a buffer that the device refuses fails one call, and no other", async () => {
  for (const { name, usage, most = Number.POSITIVE_INFINITY, least = 0, call } of REFUSED) {
    const device = await userDevice();
    const unnoticed: string[] = [];
    device.addEventListener("uncapturederror", ({ error }) => unnoticed.push(error.message));
    await using engine = await openEngine({ backend: webgpu({ device }) });
    const { createBuffer } = device;
    let refused = 0;
    device.createBuffer = (made) => {
      const isIt = made.usage === usage && made.size >= least && made.size <= most;
      if (!isIt || refused > 0) return createBuffer.call(device, made);
      refused++;
      return createBuffer.call(device, { ...made, usage: USAGE.MAP_READ | USAGE.MAP_WRITE });
    };
    await expect(call(engine), name).rejects.toMatchObject({ name: "PolybinError", backend: "webgpu" });
    expect(refused, name).toBe(1);
    await expect(call(engine), name).resolves.toBeDefined();
    expect((await engine.histogram(new Uint8Array(10))).counts[0], name).toBe(10);
    expect(await engine.extent(Float32Array.of(1, 2)), name).toEqual({ min: 1, max: 2 });
    expect(unnoticed, name).toEqual([]);
  }
});

needsDevice("a copy that fails between two pieces of samples leaves nothing behind", async () => {
  const device = await userDevice();
  await using engine = await openEngine({ backend: webgpu({ device }) });
  /** More calls than there are alternating buffers. */
  const counts = async () => {
    for (let i = 0; i < 8; i++) expect((await engine.histogram(BYTES)).counts[0]).toBe(BYTES.length);
  };
  await counts();
  const { createCommandEncoder, createBuffer } = device;
  device.createCommandEncoder = () => {
    throw new Error("no commands");
  };
  await expect(engine.upload(BYTES)).rejects.toThrow("no commands");
  device.createCommandEncoder = createCommandEncoder;
  await counts();
  // Larger buffers replace smaller ones.
  device.createBuffer = (made) =>
    createBuffer.call(device, made.usage === STAGED ? { ...made, usage: READ | STAGED } : made);
  await expect(engine.upload(new Uint8Array(8 * BYTES.length))).rejects.toThrow("refused");
  device.createBuffer = createBuffer;
  await counts();
});

/** The files, sockets and other descriptors that this process has open, if the system reports them. */
async function handles(): Promise<number> {
  return process.platform === "linux" ? (await readdir("/proc/self/fd")).length : 0;
}

needsDevice("1,000 times open and closed: nothing is left", async () => {
  const rounds = async (n: number) => {
    for (let i = 0; i < n; i++) {
      const engine = await openEngine({ backend: backend() });
      await engine.close();
    }
    await collect();
    return { mebibytes: process.memoryUsage.rss() / 2 ** 20, handles: await handles() };
  };
  const before = await rounds(200);
  const after = await rounds(800);
  expect(after.mebibytes - before.mebibytes).toBeLessThan(64);
  expect(after.handles).toBeLessThanOrEqual(before.handles);
});

needsDevice("engines that were open on a user's device leave nothing on it", async () => {
  const device = await userDevice();
  const made: WeakRef<object>[] = [];
  const { createComputePipelineAsync } = device;
  device.createComputePipelineAsync = async (descriptor) => {
    const pipeline = await createComputePipelineAsync.call(device, descriptor);
    made.push(new WeakRef(pipeline));
    return pipeline;
  };
  const left = async () => {
    await collect();
    return made.filter((pipeline) => pipeline.deref() !== undefined).length;
  };
  const used = async () => {
    const engine = await openEngine({ backend: webgpu({ device }) });
    expect((await engine.histogram(new Uint8Array(100), { algorithm: "global" })).counts[0]).toBe(100);
    await engine.close();
    return engine;
  };
  for (let i = 0; i < 30; i++) await used();
  expect(made.length).toBeGreaterThanOrEqual(30);
  expect(await left()).toBe(0);
  // An engine that is closed but still referenced does not keep them either.
  const engine = await used();
  expect(await left()).toBe(0);
  await expect(engine.histogram(new Uint8Array(1))).rejects.toMatchObject({ code: "ERR_UNAVAILABLE" });
});

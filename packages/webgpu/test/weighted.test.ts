import { cpu, type Engine, type FeatureTableInit, openEngine, type SumsOptions } from "@polybin/core";
import {
  composedAlgorithms,
  limits,
  rowBytes,
  type ValueType,
  weightedAlgorithms,
  weightedPlan,
} from "@polybin/core/backend";
import { webgpu } from "@polybin/webgpu";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebgpuLimits } from "../src/base/webgpu-limits.ts";
import { WebgpuDevice } from "../src/device.ts";
import { Catalog } from "../src/kernels/lib/catalog.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { USAGE } from "../src/platform/flags.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { refusesSums } from "../src/run/prepare/flushes.ts";
import { collect } from "./collect.ts";
import { absence, userDevice } from "./shared.ts";

// Covers weighted sums that the conformance suite does not: kernels as on a GPU that is not a fallback adapter, tables
// and totals that exceed one buffer, the default limits, and the lifetime of buffers.

const reason = await absence();
const METHODS = [
  "weighted-fixed-point",
  "weighted-collision-free",
  "weighted-collision",
  "weighted-collision-reduced",
] as const;

let device: GPUDevice;
let right: Engine;
const unnoticed: string[] = [];

beforeEach(async ({ skip }) => {
  if (reason !== null) return skip(reason);
  device = await userDevice();
  unnoticed.length = 0;
  device.addEventListener("uncapturederror", ({ error }) => unnoticed.push(error.message));
  right = await openEngine({ backend: cpu() });
});
afterEach(async () => {
  await right?.close();
  device?.destroy();
  expect(unnoticed).toEqual([]);
});

/** An engine on the device that claims other limits. */
function engineWith(of: Partial<WebgpuLimits>): Promise<Engine> {
  return openEngine({
    backend: {
      id: "webgpu",
      algorithms: [],
      weighted: [...METHODS.map((slug) => weightedAlgorithms[slug]), composedAlgorithms["weighted-hybrid"]],
      probe: async () => ({ available: true, device: "one with other limits" }),
      open: async () => new WebgpuDevice(new Hardware(device, () => {}), { ...deviceLimits(device), ...of }),
    },
  });
}

/** Features with values in random order, many of them 0. */
function tableOf(type: ValueType, bins: readonly number[], documents: number): FeatureTableInit {
  const row = rowBytes(type, documents);
  const bytes = new Uint8Array(bins.length * row);
  const wide = type === "u16" ? new Uint16Array(bytes.buffer) : null;
  bins.forEach((most, feature) => {
    for (let i = 0; i < documents; i++) {
      const value = i % 3 === 0 ? 0 : (((i + feature) * 2_654_435_761) >>> 7) % most;
      if (wide !== null) wide[feature * documents + i] = value;
      else if (type === "u8") bytes[feature * row + i] = value;
      else bytes[feature * row + (i >> 1)]! |= value << (i % 2 ? 4 : 0);
    }
  });
  return { values: wide ?? bytes, type, features: bins.length, documents, bins };
}

const weightsOf = (documents: number) => Float32Array.from({ length: documents }, (_, i) => Math.sin(i) * 3);

/** Adds up and compares with core bit for bit. */
async function exact(
  engine: Engine,
  init: FeatureTableInit,
  options: SumsOptions[] = [{}],
  weights: Float32Array = weightsOf(init.documents),
): Promise<void> {
  await using table = await engine.table({ ...init, keepCounts: false });
  await using oracle = await right.table({ ...init, keepCounts: false });
  for (const { algorithm = "auto", unroll, warps, buffer, ...of } of options) {
    const got = await table.sums(weights, { ...of, algorithm, unroll, warps, buffer });
    const want = await oracle.sums(weights, of);
    const name = `${algorithm} of ${init.documents} ${init.type}, ${JSON.stringify({ ...of, unroll })}`;
    expect(got.counts, name).toEqual(want.counts);
    expect(got.sums, name).toEqual(want.sums);
    expect(got.sumsOfSquares, name).toEqual(want.sumsOfSquares);
  }
}

const every = (step: number, documents: number) =>
  Uint32Array.from({ length: Math.ceil(documents / step) }, (_, i) => i * step);

describe("kernels as on a GPU", () => {
  // One segment, so that its tables are flushed during the run.
  const gpu = { generic: false, units: 1 } as const;

  it("weighted-fixed-point: several features at once, banks shared by planes, flushed during the run", async () => {
    await using engine = await engineWith(gpu);
    const algorithm = "weighted-fixed-point";
    // Six features at once, and then one. A count shares a word with a sum, and the lanes alternate between the two
    // words.
    await exact(engine, tableOf("u8", new Array(7).fill(9), 9001), [{ algorithm }]);
    // At most as many rows as threads, so the threads keep their sums.
    await exact(engine, tableOf("u8", [128], 70_001), [
      { algorithm },
      { algorithm, counts: false },
      { algorithm, documents: every(2, 70_001) },
    ]);
    // Sums and squares alternate, and there are more rows than threads.
    await exact(engine, tableOf("u16", [128, 300], 9001), [
      { algorithm, counts: false, squares: true },
      { algorithm, squares: true },
    ]);
    await exact(engine, tableOf("u4", [16], 20_003), [
      { algorithm },
      { algorithm, skip: true },
      { algorithm, skip: true },
    ]);
    // Sums of 64 bits, and windows of bins.
    await exact(engine, tableOf("u16", [5000], 5003), [{ algorithm }]);
  });

  it("tables are flushed before the largest weights, all in one bin, overflow a sum", async () => {
    await using engine = await engineWith(gpu);
    // Slightly more documents than a block with this number of tables adds between two flushes.
    for (const [algorithm, counts, tables, addends] of [
      ["weighted-fixed-point", true, 16, limits.counterMax(limits.COUNT_BITS)],
      ["weighted-fixed-point", false, 32, limits.WEIGHT_ADDENDS],
      ["weighted-collision-free", true, 256, limits.WEIGHT_ADDENDS],
    ] as const) {
      const documents = tables * addends + 8192;
      const init = { values: new Uint8Array(documents), features: 1, documents, bins: 9 };
      const largest = new Float32Array(documents).fill(2 - 2 ** -19);
      await exact(engine, init, [{ algorithm, counts }], largest);
      await exact(engine, init, [{ algorithm, counts }], largest.fill(-2 + 2 ** -19));
    }
  });

  it("the others: every number of units in flight", async () => {
    await using engine = await engineWith(gpu);
    const init = tableOf("u8", [21], 40_001);
    for (const unroll of [4, 8, 16, 32]) {
      await exact(engine, init, [{ algorithm: "weighted-collision-free", unroll, squares: true }]);
    }
    await exact(engine, init, [
      { algorithm: "weighted-collision", unroll: 16 },
      { algorithm: "weighted-collision-reduced" },
    ]);
  });
});

it("a device with the default limits adds up with every method, and times features without timestamps", async () => {
  expect(device.limits.maxComputeWorkgroupStorageSize).toBe(16_384);
  expect(device.features.has("timestamp-query")).toBe(false);
  await using engine = await openEngine({ backend: webgpu({ device }) });
  const init = tableOf("u8", [3, 200], 10_001);
  await exact(
    engine,
    init,
    METHODS.map((algorithm) => ({ algorithm, squares: true })),
  );
  await using table = await engine.table(init);
  await table.sums(weightsOf(10_001), { algorithm: "weighted-hybrid" });
  expect(table.describeChoices()).toMatch(
    /^feature 0: 3 bins(, (\d+\.\dx )?collision(-free|-reduced)?){3}\nfeature 1: 200 bins, collision(-reduced)?, \d+\.\dx collision(-reduced)?$/,
  );
});

it("refuses single values and sub-histograms, which it does not have", async () => {
  await using engine = await engineWith({});
  await using table = await engine.table(tableOf("u8", [200], 1001));
  for (const given of [{ fetch: "value" }, { reduce: "tables" }] as const) {
    const sums = table.sums(weightsOf(1001), { algorithm: "weighted-collision-reduced", ...given });
    await expect(sums).rejects.toMatchObject({ code: "ERR_UNSUPPORTED", message: /webgpu has no weighted/ });
  }
});

it("tables and totals that exceed a buffer are distributed, and blocks past a dimension are folded", async () => {
  const of = { chunkBytes: 4096, gridBlocks: 5, sumsValues: 2000 };
  await using engine = await engineWith(of);
  const { createBuffer } = device;
  const sizes: number[] = [];
  device.createBuffer = (made) => {
    if ((made.usage & USAGE.STORAGE) !== 0) sizes.push(made.size);
    return createBuffer.call(device, made);
  };
  // Rows of 1,001 bytes: four per buffer. Totals of 100 bins: three features per readback.
  await exact(engine, tableOf("u8", new Array(11).fill(100), 1001));
  expect(sizes.filter((size) => size === 4 * 1008)).toHaveLength(2);
  expect(sizes.filter((size) => size === 3 * 1008)).toHaveLength(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(of.chunkBytes);
  await expect(engine.table(tableOf("u4", [2], 1025))).rejects.toMatchObject({
    code: "ERR_LIMIT",
    message: expect.stringContaining("at most 1024 documents"),
  });
});

it("fast: within the tolerance, with weights far apart, over several flushes", async () => {
  await using engine = await engineWith({ units: 1 });
  const documents = 40_003;
  const init = tableOf("u8", [50], documents);
  await using table = await engine.table(init);
  // The second half is so small that a device which flushes denormals would lose it next to the first.
  const size = (i: number) => (init.values[i]! < 25 ? 1 : 2 ** -130);
  const weights = Float32Array.from({ length: documents }, (_, i) => Math.cos(i) * size(i));
  const sums = new Float64Array(50);
  const sizes = new Float64Array(50);
  weights.forEach((weight, i) => {
    sums[init.values[i]!]! += weight;
    sizes[init.values[i]!]! += Math.abs(weight);
  });
  for (const algorithm of METHODS.slice(1)) {
    const got = await table.sums(weights, { algorithm, precision: "fast" });
    expect(got.plans[0]!.precision).toBe("fast");
    for (let bin = 0; bin < 50; bin++) {
      expect(Math.abs(got.sums[0]![bin]! - sums[bin]!), `${algorithm}, bin ${bin}`).toBeLessThanOrEqual(
        sizes[bin]! * limits.FAST_TOLERANCE,
      );
    }
  }
});

it("plans that cannot run are refused with a reason", () => {
  const of = { ...deviceLimits(device), chunkBytes: 2 ** 20 };
  const request = {
    type: "u8",
    bins: 100,
    features: 1,
    documents: 2 ** 18,
    counts: true,
    squares: false,
  } as const;
  const plan = weightedPlan("weighted-collision", { ...request, precision: "fast" }, of);
  expect(refusesSums(plan, new Catalog(), of)).toBeNull();
  expect(refusesSums({ ...plan, bins: 2 ** 16 }, new Catalog(), of)).toMatch(
    /^webgpu would read back \d+ bytes of flushed tables/,
  );
  expect(refusesSums({ ...plan, flushDocuments: 4 * plan.threads - 1 }, new Catalog(), of)).toBe(
    `webgpu adds ${4 * plan.threads} documents per block between two flushes, but at most ${4 * plan.threads - 1} are allowed`,
  );
  expect(refusesSums({ ...plan, algorithm: "weighted-sequential" }, new Catalog(), of)).toBe(
    "webgpu has no kernel for weighted-sequential",
  );
});

/** The storage buffers of at least this number of bytes that were created and not destroyed. */
function largeBuffers(least: number): Set<GPUBuffer> {
  const there = new Set<GPUBuffer>();
  const { createBuffer } = device;
  device.createBuffer = (made) => {
    const buffer = createBuffer.call(device, made);
    if (made.size < least || made.usage !== (USAGE.STORAGE | USAGE.COPY_DST)) return buffer;
    there.add(buffer);
    const { destroy } = buffer;
    buffer.destroy = () => {
      there.delete(buffer);
      destroy.call(buffer);
    };
    return buffer;
  };
  return there;
}

it("a table that is freed, that fails, or whose engine closes frees its buffers", async () => {
  const there = largeBuffers(500_000);
  const engine = await openEngine({ backend: webgpu({ device }) });
  const init = tableOf("u8", [9, 9], 300_001);
  const table = await engine.table(init);
  expect(there.size).toBe(1);
  await table.free();
  expect(there.size).toBe(0);
  const control = new AbortController();
  const failing = engine.table(init, { signal: control.signal });
  const aborted = expect(failing).rejects.toThrow("enough");
  while (there.size === 0) await new Promise((resolve) => setImmediate(resolve));
  control.abort(new Error("enough"));
  await aborted;
  expect(there.size).toBe(0);
  await engine.table(init);
  expect(there.size).toBe(1);
  await engine.close();
  expect(there.size).toBe(0);
});

it("an abort stops between two submissions, and the table can be added up again", async () => {
  await using engine = await engineWith({ sumsValues: 1 });
  await using table = await engine.table(tableOf("u8", new Array(40).fill(9), 501));
  const control = new AbortController();
  let told = 0;
  const work = table.sums(weightsOf(501), {
    signal: control.signal,
    onProgress: ({ done }) => {
      told = done;
      control.abort(new Error("enough"));
    },
  });
  await expect(work).rejects.toThrow("enough");
  expect(told).toBeLessThan(40 * 501);
  expect((await table.sums(weightsOf(501))).documents).toBe(501);
});

it("a device that is lost during the run: ERR_DEVICE_LOST", async () => {
  await using engine = await engineWith({ sumsValues: 1 });
  const init = tableOf("u8", new Array(40).fill(9), 501);
  const table = await engine.table(init);
  const lost = { code: "ERR_DEVICE_LOST", backend: "webgpu" };
  const work = table.sums(weightsOf(501), { onProgress: () => device.destroy() });
  await expect(work).rejects.toMatchObject(lost);
  await expect(table.sums(weightsOf(501))).rejects.toMatchObject(lost);
  await expect(engine.table(init)).rejects.toMatchObject(lost);
  await table.free();
});

it("a buffer that the device refuses fails only one call", async () => {
  await using engine = await openEngine({ backend: webgpu({ device }) });
  const init = tableOf("u8", [9], 30_001);
  await using table = await engine.table(init);
  const { createBuffer } = device;
  const calls = [
    ["a table", USAGE.STORAGE | USAGE.COPY_DST, () => engine.table(init)],
    ["weights", USAGE.STORAGE | USAGE.COPY_DST, () => table.sums(weightsOf(30_001))],
    ["totals", USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST, () => table.sums(weightsOf(30_001))],
    ["a readback", USAGE.MAP_READ | USAGE.COPY_DST, () => table.sums(weightsOf(30_001))],
  ] as const;
  for (const [name, usage, call] of calls) {
    let refused = 0;
    device.createBuffer = (made) => {
      if (made.usage !== usage || refused > 0) return createBuffer.call(device, made);
      refused++;
      return createBuffer.call(device, { ...made, usage: USAGE.MAP_READ | USAGE.MAP_WRITE });
    };
    await expect(call(), name).rejects.toMatchObject({ name: "PolybinError", backend: "webgpu" });
    expect(refused, name).toBe(1);
    await expect(call(), name).resolves.toBeDefined();
    // The next call then creates new buffers.
    device.createBuffer = () => {
      throw new Error("no buffer");
    };
    await expect(engine.table(init), name).rejects.toThrow("no buffer");
  }
  device.createBuffer = createBuffer;
  await exact(engine, init);
  await collect();
});

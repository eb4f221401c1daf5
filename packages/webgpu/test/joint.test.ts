import {
  type Backend,
  cpu,
  type Engine,
  integer,
  type JointHistogram,
  type JointOptions,
  openEngine,
  regular,
  variable,
} from "@polybin/core";
import { type CellsPlan, limits as core } from "@polybin/core/backend";
import { webgpu } from "@polybin/webgpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { bufferSamples } from "../src/memory/buffer-samples.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { absence, userDevice } from "./shared.ts";
import { filledBuffer } from "./user-memory.ts";

// Joint histograms whose inputs take several parts, compared with core's cpu engine on the same samples.

const KiB = 2 ** 10;
const reason = await absence();
let device: GPUDevice;
let engine: Engine;
let right: Engine;

/** The backend on a device that reads little at a time. */
const small = (): Backend => ({
  ...webgpu(),
  open: async () => {
    device = await userDevice();
    const limits = {
      ...deviceLimits(device),
      ...{ partBytes: 24 * KiB, chunkBytes: 64 * KiB, chunkSamples: 40 * KiB },
    };
    return new WebgpuDevice(new Hardware(device, () => device.destroy()), limits);
  },
});

beforeAll(async () => {
  right = await openEngine({ backend: cpu() });
  if (reason === null) engine = await openEngine({ backend: small(), fallback: true });
});
afterAll(async () => {
  await engine?.close();
  await right.close();
});

const told = (of: JointHistogram) => ({ counts: of.counts, flow: of.flow, masked: of.masked });

const N = 70_001;
const u8 = Uint8Array.from({ length: N }, (_, i) => (i * 7 + (i >> 9)) % 251);
const f32 = Float32Array.from({ length: N }, (_, i) => (i % 97 === 0 ? Number.NaN : Math.sin(i) * 3));
const f64 = Float64Array.from({ length: N }, (_, i) => ((i * 31) % 1000) / 10 - 20);
const mask = Uint8Array.from({ length: N }, (_, i) => (i % 5) * (i % 3));
const bits = Uint8Array.from({ length: Math.ceil(N / 8) }, (_, i) => (i * 37) % 256);
const where = Uint32Array.from({ length: 9001 }, (_, i) => (i * 7919) % N);
const axes = [integer(3, 240), regular(7, -2, 2), variable([-5, 0, 10, 60])];

describe.skipIf(reason !== null)("inputs of several parts", () => {
  const selections: readonly (readonly [string, Pick<JointOptions, "mask" | "where">])[] = [
    ["all samples", {}],
    ["a mask of bytes", { mask }],
    ["a mask of bits", { mask: { bits } }],
    ["a list", { where }],
    ["a list and a mask of bits", { where, mask: { bits } }],
  ];

  it.each(selections)("types of different sizes, %s", async (_, selection) => {
    const want = await right.joint([u8, f32, f64], { axes, ...selection });
    const got = await engine.joint([u8, f32, f64], { axes, ...selection });
    expect(told(got)).toEqual(told(want));
  });

  it("every algorithm counts the cells of all parts", async () => {
    const two = [axes[1]!, axes[2]!];
    const want = await right.joint([f32, f64], { axes: two, mask, where });
    for (const algorithm of ["fused", "global", "per-lane", "privatized"]) {
      const got = await engine.joint([f32, f64], { axes: two, mask, where, algorithm });
      expect(told(got), algorithm).toEqual(told(want));
    }
  });

  it("every pass of an algorithm that counts rows of flow, too", async () => {
    // Three rows of flow may need one pass more than the cells.
    const column = Uint16Array.from({ length: N }, (_, i) => (i * 13) % 4099);
    for (const cells of [1022, 1024, 2046, 2048, 4092, 4094, 4096, 8190, 8192]) {
      const over = [integer(0, cells / 2 - 2), regular(2, 0, 256)];
      const want = await right.joint([column, u8], { axes: over, mask });
      const got = await engine.joint([column, u8], { axes: over, mask, algorithm: "per-lane" });
      expect((got.plan as CellsPlan).cells).toBe(cells);
      expect(told(got), `${cells} cells`).toEqual(told(want));
    }
  });

  it("residents, which have chunks of their own, next to memory", async () => {
    await using resident = await engine.upload(f64);
    await using kept = await engine.upload(mask);
    const want = await right.joint([u8, f32, f64], { axes, mask });
    const got = await engine.joint([u8, f32, resident], { axes, mask: kept });
    expect(told(got)).toEqual(told(want));
  });

  it("a user's buffer, from an odd byte on", async () => {
    const bytes = new Uint8Array(N + 5);
    bytes.set(u8, 5);
    const buffer = filledBuffer(device, bytes);
    const input = bufferSamples(buffer, { offset: 5, pixels: N });
    const want = await right.joint([u8, f32], { axes: axes.slice(0, 2), mask: { bits } });
    const got = await engine.joint([input, f32], { axes: axes.slice(0, 2), mask: { bits } });
    expect(told(got)).toEqual(told(want));
    buffer.destroy();
  });

  it("an aborted call reports no result, and the next one is exact", async () => {
    const abort = new AbortController();
    const stop = new Error("enough");
    const counted: number[] = [];
    const call = engine.joint([u8, f64], {
      axes: [axes[0]!, axes[2]!],
      signal: abort.signal,
      onProgress: ({ done }) => {
        counted.push(done);
        abort.abort(stop);
      },
    });
    await expect(call).rejects.toBe(stop);
    expect(counted.every((done) => done < N)).toBe(true);
    const want = await right.joint([u8, f64], { axes: [axes[0]!, axes[2]!] });
    expect(told(await engine.joint([u8, f64], { axes: [axes[0]!, axes[2]!] }))).toEqual(told(want));
  });

  it("progress of a list counts its entries", async () => {
    const done: number[] = [];
    await engine.joint([f32, f64], {
      axes: [axes[1]!, axes[2]!],
      where,
      onProgress: (progress) => done.push(progress.done),
    });
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(where.length);
  });

  it("refuses cells that no binding holds", () => {
    const of = new WebgpuDevice(new Hardware(device, () => {}), deviceLimits(device));
    const plan = (cells: number) => ({ kind: "cells", algorithm: "fused", cells }) as CellsPlan;
    const most = of.limits.chunkBytes / core.WORD_BYTES - core.FLOW_ROWS - 1;
    expect(of.refuses(plan(most))).toBeNull();
    expect(of.refuses(plan(most + 1))).toBe(
      `this WebGPU device binds at most ${most} cells and the request has ${most + 1}`,
    );
  });
});

import { type ChannelsPlan, cpu, type Engine, openEngine } from "@polybin/core";
import { algorithms } from "@polybin/core/backend";
import { afterEach, expect, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { absence, userDevice } from "./shared.ts";

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

let engine: Engine | undefined;
afterEach(() => engine?.close());

needsDevice(
  "blocks past what one dimension holds lie in two, and those left over count nothing",
  async () => {
    const device = await userDevice();
    const of = { ...deviceLimits(device), gridBlocks: 7 };
    engine = await openEngine({
      backend: {
        id: "webgpu",
        algorithms: [algorithms.privatized],
        probe: async () => ({ available: true, device: "one of short dimensions" }),
        open: async () => new WebgpuDevice(new Hardware(device, () => device.destroy()), of),
      },
    });
    await using oracle = await openEngine({ backend: cpu() });
    const bytes = Uint8Array.from({ length: 200_003 }, (_, i) => (i * i) >> 7);
    const found = await engine.histogram(bytes, { algorithm: "privatized", merge: "avoid" });
    // More workgroups than one row of the grid, and not a multiple of a row.
    const { blocks } = found.plan as ChannelsPlan;
    expect(blocks).toBeGreaterThan(of.gridBlocks);
    expect(blocks % of.gridBlocks).not.toBe(0);
    expect(found.counts).toEqual((await oracle.histogram(bytes)).counts);
  },
);

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Backend } from "@polybin/core";
import { type DeviceLimits, limits } from "@polybin/core/backend";
import { cuda } from "@polybin/cuda";
import type { Native } from "../../src/border/index.ts";
import { CudaDevice } from "../../src/device.ts";

/** The exports of hosted.cc. */
export interface Hosted extends Native {
  /** Resolves with "fine" unless the work or the conversion of its result throws. See hosted.cc. */
  settle(work: string, result: string): Promise<string>;
  /** Makes calls wait before they read anything, until the gate opens. */
  closeGate(): void;
  openGate(): void;
  /** The number of waiting calls. */
  waiting(): number;
  /** Whether ArrayBuffers can be held. Default: true. */
  holdsMemory(yes: boolean): void;
  /** The number of CUDA calls that would have blocked the process's first thread. */
  onMainThread(): number;
}

/** Built by scripts/build.mjs; or by scripts/sanitize.mjs, with the sanitizers. */
const path = process.env.POLYBIN_SANITIZED
  ? `${process.env.POLYBIN_SANITIZED}/polybin_host.node`
  : fileURLToPath(new URL("../../dist/polybin_host.node", import.meta.url));

/** The addon over a runtime that needs no GPU, or null if it was not built. */
export function hosted(): Hosted | null {
  return existsSync(path) ? (createRequire(import.meta.url)(path) as Hosted) : null;
}

export const NOT_BUILT = "the addon is not built here: that needs Linux, nvcc and g++";

/** The limits of an H200. */
export const H200: DeviceLimits = {
  kind: "gpu",
  units: 132,
  warp: limits.WARP_THREADS,
  banks: limits.WARP_THREADS,
  sharedBytes: 232_448,
  blockThreads: 1024,
  unit: { threads: 2048, blocks: 32, sharedBytes: 233_472, reservedBytes: 1024 },
  chunkSamples: limits.U32_MAX,
};

/** A device with less shared memory has other plans: fewer replicas and more passes. */
export const SMALL: DeviceLimits = { ...H200, units: 3, sharedBytes: 49_152, unit: undefined };

export function hostedBackend(device: DeviceLimits = H200): Backend {
  const native = hosted();
  return {
    ...cuda(),
    id: device === SMALL ? "small" : "hosted",
    probe: async () =>
      native === null ? { available: false, reason: NOT_BUILT } : { available: true, device: "the host" },
    open: async () =>
      new CudaDevice("the host", device, [new native!.Context(0, false)], {
        pinned: (bytes) => native!.pinned(bytes),
      }),
  };
}

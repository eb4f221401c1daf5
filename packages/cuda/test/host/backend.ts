import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Backend } from "@polybin/core";
import { type DeviceLimits, limits } from "@polybin/core/backend";
import { cuda } from "@polybin/cuda";
import type { Native } from "../../src/border/index.ts";
import { CudaDevice } from "../../src/device.ts";

/** What hosted.cc exports. */
export interface Hosted extends Native {
  /** Kept with "fine", unless the work or what makes its result throws: hosted.cc says what. */
  settle(work: string, result: string): Promise<string>;
  /** Calls wait before they read anything, until the gate is open. */
  closeGate(): void;
  openGate(): void;
  /** Calls that wait. */
  waiting(): number;
  /** Can ArrayBuffers be held? At first they can. */
  holdsMemory(yes: boolean): void;
  /** Calls of CUDA's that would have held the process's first thread. */
  onMainThread(): number;
}

/** Built by scripts/build.mjs; or by scripts/sanitize.mjs, with the sanitizers. */
const path = process.env.POLYBIN_SANITIZED
  ? `${process.env.POLYBIN_SANITIZED}/polybin_host.node`
  : fileURLToPath(new URL("../../dist/polybin_host.node", import.meta.url));

/** The addon over a runtime that needs no GPU; null where it was not built. */
export function hosted(): Hosted | null {
  return existsSync(path) ? (createRequire(import.meta.url)(path) as Hosted) : null;
}

export const NOT_BUILT = "the addon is not built here: that needs Linux, nvcc and g++";

/** Limits of an H200. */
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

export function hostedBackend(device: DeviceLimits = H200): Backend {
  const native = hosted();
  return {
    ...cuda(),
    id: "hosted",
    probe: async () =>
      native === null ? { available: false, reason: NOT_BUILT } : { available: true, device: "the host" },
    open: async () =>
      new CudaDevice("the host", device, [new native!.Context(0, false)], {
        pinned: (bytes) => native!.pinned(bytes),
      }),
  };
}

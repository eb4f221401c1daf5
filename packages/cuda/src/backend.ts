import {
  type Backend,
  type Device,
  type DeviceLimits,
  type ErrorCode,
  limits,
  PolybinError,
  type Slug,
} from "@polybin/core";
import { CudaDevice } from "./device.ts";
import { load } from "./loader.ts";
import type { Native, NativeDevice } from "./native.ts";

export interface CudaOptions {
  /** Number of the device. Default 0. */
  readonly device?: number;
}

/** The slugs that have a kernel in native/kernels. */
const KERNELS: readonly Slug[] = [
  "per-lane",
  "trish",
  "per-warp",
  "per-thread-64",
  "per-thread",
  "privatized",
  "bank-owned",
  "global",
  "per-block",
];

/**
 * Kernels for NVIDIA GPUs in a Node addon. Importing it needs neither driver nor GPU; `probe` says what is
 * missing.
 * @throws ERR_INPUT for a device number that is no whole number.
 */
export function cuda({ device = 0 }: CudaOptions = {}): Backend {
  if (!Number.isInteger(device) || device < 0) {
    throw new PolybinError("ERR_INPUT", `expected the number of a device, 0 or more, but received ${device}`);
  }
  const find = (): { native: Native; found: NativeDevice } | string => {
    const native = load();
    if (typeof native === "string") return native;
    const devices = native.devices();
    if (typeof devices === "string") return `no CUDA device: ${devices}`;
    const found = devices[device];
    return found === undefined
      ? `no CUDA device ${device}: this machine has ${devices.length}`
      : { native, found };
  };
  return {
    id: "cuda",
    algorithms: KERNELS,
    probe: async () => {
      const found = find();
      return typeof found === "string"
        ? { available: false, reason: found }
        : { available: true, device: found.found.name };
    },
    open: async (): Promise<Device> => {
      const found = find();
      if (typeof found === "string") throw new PolybinError("ERR_UNAVAILABLE", found, { backend: "cuda" });
      return new CudaDevice(found.found.name, limitsOf(found.found), new found.native.Context(device));
    },
  };
}

/**
 * Bytes of page-locked host memory: samples in it are copied to the device at the full speed of the bus.
 * @throws ERR_UNAVAILABLE without the addon or a device; ERR_OUT_OF_MEMORY.
 */
export function pinned(bytes: number): Uint8Array {
  const native = load();
  if (typeof native === "string") throw new PolybinError("ERR_UNAVAILABLE", native, { backend: "cuda" });
  try {
    return new Uint8Array(native.pinned(bytes));
  } catch (error) {
    const { code, message } = error as { code: ErrorCode; message: string };
    throw new PolybinError(code, message, { backend: "cuda", cause: error });
  }
}

function limitsOf(of: NativeDevice): DeviceLimits {
  return {
    kind: "gpu",
    units: of.units,
    warp: of.warp,
    banks: limits.WARP_THREADS,
    sharedBytes: of.sharedBytes,
    blockThreads: of.blockThreads,
    unit: {
      threads: of.unitThreads,
      blocks: of.unitBlocks,
      sharedBytes: of.unitSharedBytes,
      reservedBytes: of.reservedBytes,
    },
    chunkSamples: limits.U32_MAX,
  };
}

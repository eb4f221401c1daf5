import type { Backend } from "@polybin/core";
import { cuda, pinned } from "@polybin/cuda";
import { piscina } from "@polybin/piscina";
import { webgpu } from "@polybin/webgpu";
import { readOnCuda } from "../ceilings/cuda.ts";
import { DAWN_FLAGS } from "../ceilings/dawn.ts";
import type { ReadRow } from "../ceilings/read-row.ts";
import { readOnWebgpu } from "../ceilings/webgpu.ts";

/** A backend on a GPU, as the suites use it. */
export interface Target {
  readonly id: "cuda" | "webgpu";
  /** Whether its device lowers its clock under low load. CUDA keeps it up. */
  readonly sleeps: boolean;
  /** Whether software imitates it on the CPU. */
  readonly software?: boolean;
  backend(): Backend;
  /** Makes the backend for an engine with the most exact kernel times. */
  timed(): Backend;
  /** Reads this number of bytes in every way that it knows. */
  readRows(bytes: number, rounds: number): Promise<readonly ReadRow[]>;
  /** Allocates host memory for uploads. */
  memory(bytes: number): Uint8Array;
}

const onCuda: Target = {
  ...{ id: "cuda", sleeps: false, memory: pinned, readRows: readOnCuda },
  backend: () => cuda(),
  timed: () => cuda({ exactTimings: true }),
};

const onWebgpu: Target = {
  ...{ id: "webgpu", sleeps: true, memory: (bytes) => new Uint8Array(bytes), readRows: readOnWebgpu },
  backend: () => webgpu(),
  timed: () => webgpu({ dawn: DAWN_FLAGS }),
};

export const TARGETS: Readonly<Record<string, Target>> = { cuda: onCuda, webgpu: onWebgpu };

/** Workers take the place of a missing GPU. */
export const WORKERS: Target = {
  ...{ ...onWebgpu, sleeps: false, software: true, backend: () => piscina(), timed: () => piscina() },
  readRows: async () => {
    throw new Error("expected a GPU, since workers have no kernels that only read");
  },
};

/** Devices of WebGPU that compute on the CPU. */
export const IMITATED: RegExp = /swiftshader|llvmpipe|lavapipe|basic render/i;

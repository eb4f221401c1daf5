import type { Backend } from "@polybin/core";
import { cuda, pinned } from "@polybin/cuda";
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
  id: "cuda",
  sleeps: false,
  backend: () => cuda(),
  timed: () => cuda({ exactTimings: true }),
  readRows: readOnCuda,
  memory: pinned,
};

const onWebgpu: Target = {
  id: "webgpu",
  sleeps: true,
  backend: () => webgpu(),
  timed: () => webgpu({ dawn: DAWN_FLAGS }),
  readRows: readOnWebgpu,
  memory: (bytes) => new Uint8Array(bytes),
};

export const TARGETS: Readonly<Record<string, Target>> = { cuda: onCuda, webgpu: onWebgpu };

import type { Backend } from "@polybin/core";
import { cuda, pinned, readCeiling as readCuda } from "@polybin/cuda";
import { readCeiling as readWebgpu, webgpu } from "@polybin/webgpu";

/** One way to read device memory without counting. */
export interface ReadRow {
  readonly variant: string;
  readonly blocks: number;
  readonly ms: readonly number[];
}

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

/** Flags for exact times. By default Dawn rounds times to 65.5 µs. */
export const DAWN_FLAGS: readonly string[] = ["disable-dawn-features=timestamp_quantization"];

const onCuda: Target = {
  id: "cuda",
  sleeps: false,
  backend: () => cuda(),
  timed: () => cuda({ exactTimings: true }),
  readRows: async (bytes, rounds) => (await readCuda({ bytes, rounds })).rows,
  memory: pinned,
};

const onWebgpu: Target = {
  id: "webgpu",
  sleeps: true,
  backend: () => webgpu(),
  timed: () => webgpu({ dawn: DAWN_FLAGS }),
  readRows: (bytes, rounds) => readWebgpu({ bytes, rounds, dawn: DAWN_FLAGS }),
  memory: (bytes) => new Uint8Array(bytes),
};

export const TARGETS: Readonly<Record<string, Target>> = { cuda: onCuda, webgpu: onWebgpu };

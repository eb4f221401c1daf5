import type { Backend } from "@polybin/core";
import { cuda, pinned, readCeiling as readCuda } from "@polybin/cuda";
import { readCeiling as readWebgpu, webgpu } from "@polybin/webgpu";

/** One way to only read device memory. */
export interface ReadRow {
  readonly variant: string;
  readonly blocks: number;
  readonly ms: readonly number[];
}

/** A backend on a GPU as the suites need it. */
export interface Target {
  readonly id: "cuda" | "webgpu";
  /** Does its device lower its clock when it has little to do? CUDA keeps it up. */
  readonly sleeps: boolean;
  /** Is it imitated on the CPU? */
  readonly software?: boolean;
  backend(): Backend;
  /** The same, for one engine that tells kernels' times as exactly as it can. */
  timed(): Backend;
  /** Reads so many bytes in every way that it knows. */
  readRows(bytes: number, rounds: number): Promise<readonly ReadRow[]>;
  /** Host memory that it uploads from. */
  memory(bytes: number): Uint8Array;
}

/** Dawn rounds times to 65.5 µs unless it is told otherwise. */
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

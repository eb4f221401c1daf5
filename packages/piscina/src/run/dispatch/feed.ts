import type { Answer, SharedSteps, Steps, Task } from "../../counting/index.ts";

/** A call's samples, and the work of threads on them. */
export interface Feed {
  readonly supply: Supply;
  /** Pixels of a launch: no 32-bit counter is too small for them. */
  readonly most: number;
  /** Returns the task of a thread. */
  task(steps: Steps, place: Place): Task;
  onAnswer(answer: Answer): void;
  /** Ends a launch, and takes its counts from tables that several threads share. */
  end?(): void;
}

/** A worker's number in the call, or the calling thread. */
export type Place = number | "here";

/** How the samples of a call reach threads. */
export interface Supply {
  /** Number of pixels. */
  readonly pixels: number;
  /** Pixels that a thread counts at a time. */
  readonly step: number;
  /** Bytes of a pixel. */
  readonly pixelBytes: number;
  /** Null: workers can read the samples. */
  readonly pieces: Pieces | null;
  /** Whether the calling thread counts, too. Otherwise it would wait for a file. */
  readonly isHere: boolean;
}

/** Samples that are copied to slots of shared memory, piece by piece. */
export interface Pieces {
  /** Pixels of a piece: whole steps. */
  readonly pixels: number;
  readonly slots: number;
  /** @throws ERR_INPUT if the samples' memory no longer exists */
  copy(first: number, end: number, slot: number): void;
}

/** The pixels [from, to). */
export type Launch = Pick<SharedSteps, "from" | "to">;

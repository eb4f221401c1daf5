import type { RunOptions } from "@polybin/core/backend";
import { type Answer, type Control, newControl } from "../task/index.ts";
import type { AnyTask, Pool } from "./pool.ts";

/** Memory that is not shared, cut into pieces. */
export interface Pieces {
  /** The numbers of the pieces: [from, to). */
  readonly from: number;
  readonly to: number;
  /** The size of the largest piece in bytes. */
  readonly bytes: number;
  /** The number of slots of shared memory to use. */
  readonly slots: number;
  /** The memory of a slot. Default: memory of the pool, which the slot returns at the end. */
  memoryOf?(slot: number): Uint8Array;
  /**
   * Copies a piece to a slot.
   * @returns its number of pixels
   * @throws ERR_INPUT if the samples' memory no longer exists
   */
  copy(piece: number, to: Uint8Array, slot: number): number;
  /** Returns a worker's task for a piece. */
  task(piece: number, memory: Uint8Array, pixels: number, control: Control, slot: number): AnyTask;
  onAnswer(answer: Exclude<Answer, { kind: "input-error" }>): void;
}

/**
 * Counts memory that is not shared piece by piece through a few slots of shared memory. While workers count some slots,
 * the next one is filled. The copies take bounded memory, whatever the number of samples.
 * @returns the milliseconds spent on copying
 */
export async function runSlots(
  pool: Pool,
  pieces: Pieces,
  { signal, onProgress }: RunOptions,
): Promise<number> {
  let next = pieces.from;
  let done = 0;
  let copyMs = 0;
  let failed = false;

  /** Takes pieces through one slot, one after the other, until there are none left. */
  const runSlot = async (slot: number): Promise<void> => {
    const own = pieces.memoryOf?.(slot);
    const memory = own ?? pool.slots.take(pieces.bytes);
    while (next < pieces.to && !failed) {
      try {
        const piece = next++;
        const start = performance.now();
        const pixels = pieces.copy(piece, memory, slot);
        copyMs += performance.now() - start;
        const control = newControl();
        const [answer] = await pool.run([pieces.task(piece, memory, pixels, control, slot)], control, {
          signal,
        });
        pieces.onAnswer(answer!);
        done += pixels;
      } catch (error) {
        failed = true;
        throw error;
      }
      onProgress?.(done);
    }
    if (own === undefined) pool.slots.give(memory);
  };

  const slots = await Promise.allSettled(Array.from({ length: pieces.slots }, (_, slot) => runSlot(slot)));
  for (const slot of slots) if (slot.status === "rejected") throw slot.reason;
  return copyMs;
}

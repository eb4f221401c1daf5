import type { RunOptions } from "@polybin/core/backend";
import { type Answer, type Control, newControl } from "../task/index.ts";
import type { AnyTask, Pool } from "./pool.ts";

/** Memory that is not shared, cut into pieces. */
export interface Pieces {
  /** Numbers of the pieces: [from, to). */
  readonly from: number;
  readonly to: number;
  /** Bytes of the largest. */
  readonly bytes: number;
  /** Slots of shared memory that go round. */
  readonly slots: number;
  /** Copies a piece. @returns its pixels @throws ERR_INPUT where the samples' memory is gone. */
  copy(piece: number, to: Uint8Array): number;
  /** What a worker does with it. */
  task(piece: number, memory: Uint8Array, pixels: number, control: Control, slot: number): AnyTask;
  onAnswer(answer: Exclude<Answer, { kind: "input-error" }>): void;
}

/**
 * Memory that is not shared, piece by piece: a few slots of shared memory go round; while workers count
 * some, the next is copied. The copy takes bounded memory, whatever the size of the samples.
 * @returns milliseconds spent on copying.
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

  /** Takes pieces as long as there are some, one after the other, through a slot of its own. */
  const runSlot = async (slot: number): Promise<void> => {
    const memory = new Uint8Array(new SharedArrayBuffer(pieces.bytes));
    while (next < pieces.to && !failed) {
      try {
        const piece = next++;
        const start = performance.now();
        const pixels = pieces.copy(piece, memory);
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
  };

  const slots = await Promise.allSettled(Array.from({ length: pieces.slots }, (_, slot) => runSlot(slot)));
  for (const slot of slots) if (slot.status === "rejected") throw slot.reason;
  return copyMs;
}

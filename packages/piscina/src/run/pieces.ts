import { bytesFrom, samplesOf } from "@polybin/core/backend";
import { poolLimits } from "../platform/index.ts";
import type { Chunks } from "../task/index.ts";
import { newControl } from "../task/index.ts";
import type { Part } from "./part.ts";

/**
 * Memory that is not shared, piece by piece: a few slots of shared memory go round; while workers count
 * some, the next is copied. The copy takes bounded memory, whatever the size of the samples.
 * @returns milliseconds spent on copying.
 */
export async function runPieces(
  { pool, input, shape, reached, range, launch, options }: Part,
  chunks: Chunks,
): Promise<number> {
  const { bytes } = samplesOf(input);
  const { rowPitch, pixelBytes } = reached.geometry;
  const count = Math.min(pool.threads * poolLimits.piecesPerThread, range.to - range.from);
  const largest = chunks.at(range.from);
  const slotBytes = largest.rows * largest.columns * pixelBytes;
  let next = range.from;
  let done = 0;
  let copyMs = 0;
  let failed = false;

  /** Takes pieces as long as there are some, one after the other, through a slot of its own. */
  const runSlot = async (slot: number): Promise<void> => {
    const memory = new Uint8Array(new SharedArrayBuffer(slotBytes));
    while (next < range.to && !failed) {
      try {
        const { row, rows, column, columns } = chunks.at(next++);
        const rowBytes = columns * pixelBytes;
        const start = performance.now();
        for (let i = 0; i < rows; i++) {
          const from = (row + i) * rowPitch + column * pixelBytes;
          memory.set(bytesFrom(bytes, from, rowBytes), i * rowBytes);
        }
        copyMs += performance.now() - start;
        const pixels = rows * columns;
        const geometry = { width: pixels, height: 1, rowPitch: rows * rowBytes, pixelBytes };
        const control = newControl();
        const task = {
          source: { kind: "memory" as const, geometry, bytes: memory },
          ...shape,
          interleaved: reached.interleaved,
          chunks: { from: 0, to: Number.MAX_SAFE_INTEGER },
          control,
          work: launch.workOf(slot % pool.threads),
        };
        const [answer] = await pool.run([task], control, { signal: options.signal });
        launch.onAnswer(answer!);
        done += pixels;
      } catch (error) {
        failed = true;
        throw error;
      }
      options.onProgress?.(done);
    }
  };

  const slots = await Promise.allSettled(Array.from({ length: count }, (_, slot) => runSlot(slot)));
  for (const slot of slots) if (slot.status === "rejected") throw slot.reason;
  return copyMs;
}

import { bytesFrom, samplesOf } from "@polybin/core/backend";
import { poolLimits, visibleOf } from "../platform/index.ts";
import type { Chunks } from "../task/index.ts";
import type { Part } from "./part.ts";
import { runSlots } from "./slots.ts";

/** Runs a launch over memory that is not shared. @returns the milliseconds spent on copying */
export function runPieces(
  { pool, input, shape, reached, range, launch, options }: Part,
  chunks: Chunks,
): Promise<number> {
  const { bytes } = samplesOf(input);
  const { rowPitch, pixelBytes } = reached.geometry;
  const largest = chunks.at(range.from);
  return runSlots(
    pool,
    {
      ...range,
      bytes: largest.rows * largest.columns * pixelBytes,
      slots: Math.min(pool.threads * poolLimits.piecesPerThread, range.to - range.from),
      copy(piece, to) {
        const { row, rows, column, columns } = chunks.at(piece);
        const rowBytes = columns * pixelBytes;
        for (let i = 0; i < rows; i++) {
          const from = (row + i) * rowPitch + column * pixelBytes;
          to.set(bytesFrom(bytes, from, rowBytes), i * rowBytes);
        }
        return rows * columns;
      },
      task: (_, memory, pixels, control, slot) => ({
        source: {
          kind: "memory",
          geometry: { width: pixels, height: 1, rowPitch: pixels * pixelBytes, pixelBytes },
          bytes: memory,
          visible: visibleOf(memory.buffer),
        },
        ...shape,
        interleaved: reached.interleaved,
        chunks: { from: 0, to: Number.MAX_SAFE_INTEGER },
        control,
        work: launch.workOf(slot % pool.threads),
      }),
      onAnswer: launch.onAnswer,
    },
    options,
  );
}

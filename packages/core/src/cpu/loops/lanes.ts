import { LANE_ROWS, LANE_SAMPLES, LANES } from "../limits.ts";

/**
 * Tables that neighbouring samples take turns with. Counting is synchronous on one thread, so all loops share them, and
 * compiled code embeds their address.
 *
 *   lanes[LANES * row + lane]      zero between two calls
 */
export const lanes: Int32Array = new Int32Array(LANES * LANE_ROWS);

/** Whether so many samples are counted faster by turns. */
export function usesLanes(rows: number, samples: number): boolean {
  return rows <= LANE_ROWS && samples >= LANE_SAMPLES * rows;
}

/** Moves the counts of the first rows to a table. */
export function bringLanes(table: Int32Array, rows: number): void {
  for (let row = 0; row < rows; row++) {
    const at = LANES * row;
    table[row]! += lanes[at]! + lanes[at + 1]! + lanes[at + 2]! + lanes[at + 3]!;
  }
  lanes.fill(0, 0, LANES * rows);
}

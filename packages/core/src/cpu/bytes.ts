import { BYTE_VALUES } from "../base/index.ts";
import { LANES_LEAST } from "./limits.ts";

// The tables are shared because counting is synchronous on one thread. Separate constants let compiled code embed
// their addresses.
const lane0 = new Int32Array(BYTE_VALUES);
const lane1 = new Int32Array(BYTE_VALUES);
const lane2 = new Int32Array(BYTE_VALUES);
const lane3 = new Int32Array(BYTE_VALUES);
const lanes: readonly Int32Array[] = [lane0, lane1, lane2, lane3];

/**
 * Counts the bytes of each channel, in rows of `stride` interleaved bytes.
 *
 *   stride 1      byte   0   1   2   3   4   5 …     four tables, so that equal neighbours do not wait for each other
 *                 table  0   1   2   3   0   1 …
 *   stride 2, 4   the same; a channel uses every `stride`-th table
 *   stride 3      table  0   1   2   0   1   2 …   also for the first three channels of four
 *
 * @param cells 256 counts for each of the channels.
 * @param bytes whole pixels, fewer than 2^31.
 * @param add whether to add to the counts in `cells`; otherwise they are overwritten, which is faster
 * @returns the sum of what was counted in all channels
 */
export function countBytes(
  cells: readonly Float64Array[],
  bytes: Uint8Array,
  channels: readonly number[],
  stride: number,
  add: boolean,
): number {
  let sum = 0;
  // For few channels or few samples, one table per channel is fast enough.
  if (bytes.length < LANES_LEAST || 2 * channels.length < stride) {
    for (let i = 0; i < channels.length; i++) {
      lane0.fill(0);
      if (stride === 1) fillOne(bytes);
      else fillEvery(bytes, channels[i]!, stride);
      sum += bring(lane0, cells[i]!, add);
    }
    return sum;
  }
  for (const lane of lanes) lane.fill(0);
  // A fourth channel that is not wanted is often the same everywhere, and would wait for itself.
  const tables = stride === 3 || (stride === 4 && !channels.includes(3)) ? 3 : 4;
  if (tables === 3) fillThree(bytes, stride);
  else fillFour(bytes);
  if (stride === 1) {
    // One pass over all tables takes half as long as one pass per table.
    for (let value = 0; value < BYTE_VALUES; value++) {
      lane0[value] = (lane0[value]! + lane1[value]! + lane2[value]! + lane3[value]!) | 0;
    }
    return bring(lane0, cells[0]!, add);
  }
  for (let i = 0; i < channels.length; i++) {
    const channel = channels[i]!;
    for (let table = channel; table < tables; table += stride) {
      sum += bring(lanes[table]!, cells[i]!, add || table > channel);
    }
  }
  return sum;
}

/** Moves the counts of a lane to the cells. @returns their sum */
function bring(lane: Int32Array, cells: Float64Array, add: boolean): number {
  let sum = 0;
  // Integers are added faster than doubles, and a loop without a choice is faster.
  if (add) {
    for (let value = 0; value < BYTE_VALUES; value++) {
      const count = lane[value]!;
      cells[value]! += count;
      sum = (sum + count) | 0;
    }
  } else {
    for (let value = 0; value < BYTE_VALUES; value++) {
      const count = lane[value]!;
      cells[value] = count;
      sum = (sum + count) | 0;
    }
  }
  return sum;
}

function fillOne(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) lane0[bytes[i]!]!++;
}

function fillEvery(bytes: Uint8Array, first: number, stride: number): void {
  for (let i = first; i < bytes.length; i += stride) lane0[bytes[i]!]!++;
}

function fillFour(bytes: Uint8Array): void {
  const end = bytes.length - (bytes.length % 4);
  for (let i = 0; i < end; i += 4) {
    lane0[bytes[i]!]!++;
    lane1[bytes[i + 1]!]!++;
    lane2[bytes[i + 2]!]!++;
    lane3[bytes[i + 3]!]!++;
  }
  for (let i = end; i < bytes.length; i++) lanes[i - end]![bytes[i]!]!++;
}

function fillThree(bytes: Uint8Array, stride: number): void {
  for (let i = 0; i < bytes.length; i += stride) {
    lane0[bytes[i]!]!++;
    lane1[bytes[i + 1]!]!++;
    lane2[bytes[i + 2]!]!++;
  }
}

import { BYTE_VALUES } from "../base/index.ts";
import { LANES_LEAST } from "./limits.ts";

// The tables are shared because counting is synchronous on one thread. Separate constants let compiled code embed
// their addresses.
const lane0 = new Uint32Array(BYTE_VALUES);
const lane1 = new Uint32Array(BYTE_VALUES);
const lane2 = new Uint32Array(BYTE_VALUES);
const lane3 = new Uint32Array(BYTE_VALUES);
const lanes: readonly Uint32Array[] = [lane0, lane1, lane2, lane3];

/**
 * Counts the bytes of each channel, in rows of `stride` interleaved bytes.
 *
 *   stride 1      byte   0   1   2   3   4   5 …     four tables, so that equal neighbours do not wait for each other
 *                 table  0   1   2   3   0   1 …
 *   stride 2, 4   the same; a channel uses every `stride`-th table
 *   stride 3      table  0   1   2   0   1   2 …   also for the first three channels of four
 *
 * @param cells 256 counts for each of the channels.
 * @param bytes whole pixels, fewer than 2^32.
 * @param add whether to add to the counts in `cells`; otherwise they are overwritten, which is faster
 */
export function countBytes(
  cells: readonly Float64Array[],
  bytes: Uint8Array,
  channels: readonly number[],
  stride: number,
  add: boolean,
): void {
  // For few channels or few samples, one table per channel is fast enough.
  if (bytes.length < LANES_LEAST || 2 * channels.length < stride) {
    for (let i = 0; i < channels.length; i++) {
      lane0.fill(0);
      if (stride === 1) fillOne(bytes);
      else fillEvery(bytes, channels[i]!, stride);
      bring(lane0, cells[i]!, add);
    }
    return;
  }
  for (const lane of lanes) lane.fill(0);
  // A fourth channel that is not wanted is often the same everywhere, and would wait for itself.
  const tables = stride === 3 || (stride === 4 && !channels.includes(3)) ? 3 : 4;
  if (tables === 3) fillThree(bytes, stride);
  else fillFour(bytes);
  if (stride === 1) {
    // One pass over all tables takes half as long as one pass per table.
    for (let value = 0; value < BYTE_VALUES; value++) {
      lane0[value]! += lane1[value]! + lane2[value]! + lane3[value]!;
    }
    bring(lane0, cells[0]!, add);
    return;
  }
  for (let i = 0; i < channels.length; i++) {
    const channel = channels[i]!;
    for (let table = channel; table < tables; table += stride) {
      bring(lanes[table]!, cells[i]!, add || table > channel);
    }
  }
}

function bring(lane: Uint32Array, cells: Float64Array, add: boolean): void {
  if (!add) cells.set(lane);
  else for (let value = 0; value < BYTE_VALUES; value++) cells[value]! += lane[value]!;
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

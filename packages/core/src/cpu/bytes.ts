import { BYTE_VALUES } from "../base/index.ts";
import { LANES_LEAST } from "./limits.ts";

/** One thread counts at a time, and nothing else runs meanwhile. */
const lanes = new Uint32Array(4 * BYTE_VALUES);

/**
 * Adds up how often each byte occurs, by channel, in rows of `stride` interleaved bytes.
 *
 *   stride 1      byte   0   1   2   3   4   5 …     four tables, so that equal neighbours do not wait for one another
 *                 table  0   1   2   3   0   1 …
 *   stride 2, 4   the same: a channel's tables are every `stride`-th
 *   stride 3      table  0   1   2   0   1   2 …
 *
 * @param cells 256 counts of each of the channels
 * @param bytes fewer than 2^32
 */
export function addBytes(
  cells: readonly Float64Array[],
  bytes: Uint8Array,
  channels: readonly number[],
  stride: number,
): void {
  // Where few channels are wanted, or few samples are there, each is counted by itself.
  if (bytes.length < LANES_LEAST || 2 * channels.length < stride) {
    for (let i = 0; i < channels.length; i++) addPlain(cells[i]!, bytes, channels[i]!, stride);
    return;
  }
  lanes.fill(0);
  const tables = stride === 3 ? 3 : 4;
  if (tables === 3) fillThree(bytes);
  else fillFour(bytes);
  for (let i = 0; i < channels.length; i++) {
    const to = cells[i]!;
    for (let table = channels[i]!; table < tables; table += stride) {
      const base = table * BYTE_VALUES;
      for (let value = 0; value < BYTE_VALUES; value++) to[value]! += lanes[base + value]!;
    }
  }
}

function addPlain(cells: Float64Array, bytes: Uint8Array, first: number, stride: number): void {
  for (let i = first; i < bytes.length; i += stride) cells[bytes[i]!]!++;
}

function fillFour(bytes: Uint8Array): void {
  const end = bytes.length - (bytes.length % 4);
  for (let i = 0; i < end; i += 4) {
    lanes[bytes[i]!]!++;
    lanes[BYTE_VALUES + bytes[i + 1]!]!++;
    lanes[2 * BYTE_VALUES + bytes[i + 2]!]!++;
    lanes[3 * BYTE_VALUES + bytes[i + 3]!]!++;
  }
  for (let i = end; i < bytes.length; i++) lanes[(i - end) * BYTE_VALUES + bytes[i]!]!++;
}

function fillThree(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i += 3) {
    lanes[bytes[i]!]!++;
    lanes[BYTE_VALUES + bytes[i + 1]!]!++;
    lanes[2 * BYTE_VALUES + bytes[i + 2]!]!++;
  }
}

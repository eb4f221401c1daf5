import { type DeviceLimits, divideCeiling, WORD_BYTES } from "../../base/index.ts";

/** Returns the number of tables of `bytes` bytes that fit into a block's shared memory, at most `most`. */
export function tablesThatFit(bytes: number, most: number, { sharedBytes }: DeviceLimits): number {
  return Math.min(most, Math.floor(sharedBytes / bytes));
}

/** Returns the number of cells that fit into a block's shared memory, and so the cells of a pass. */
export function cellsThatFit(cells: number, bytesPerCell: number, { sharedBytes }: DeviceLimits): number {
  return Math.min(cells, Math.floor(sharedBytes / bytesPerCell));
}

/**
 * Returns the number of blocks that fill the device: as many per multiprocessor as its threads and shared memory
 * allow, but at most one word of samples per thread. If a multiprocessor has more blocks than `multiple`, the number
 * is rounded down to a multiple of it.
 */
export function blocksThatFill(
  threads: number,
  sharedBytes: number,
  samples: number,
  limits: DeviceLimits,
  multiple = 1,
): number {
  const { kind, unit, units } = limits;
  if (kind !== "gpu") return units;
  const most =
    unit === undefined
      ? 1
      : Math.min(
          unit.blocks,
          Math.floor(unit.threads / threads),
          Math.floor(unit.sharedBytes / (sharedBytes + unit.reservedBytes)),
        );
  const perUnit = most > multiple ? most - (most % multiple) : Math.max(1, most);
  return Math.max(1, Math.min(units * perUnit, divideCeiling(samples, threads * WORD_BYTES)));
}

/** Returns the shared memory that a block may use if a multiprocessor is to have two of them. */
export function sharedForTwoBlocks({ sharedBytes, unit }: DeviceLimits): number {
  if (unit === undefined) return sharedBytes;
  return Math.min(sharedBytes, Math.floor(unit.sharedBytes / 2) - unit.reservedBytes);
}

/** States that an algorithm's smallest block is too large for the device. */
export function tooLittleShared(slug: string, needed: number, { sharedBytes }: DeviceLimits): string {
  return `${slug} needs ${needed} bytes of shared memory per block and this device has ${sharedBytes}`;
}

/** States that an algorithm only makes sense if threads share banked memory. */
export function notOnWorkers(slug: string, why: string): string {
  return `${slug} is a layout of a GPU block's shared memory: ${why}`;
}

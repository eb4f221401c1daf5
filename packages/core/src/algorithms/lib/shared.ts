import { type DeviceLimits, divideCeiling, WORD_BYTES } from "../../base/index.ts";

/** Tables of `bytes` each that fit into a block's shared memory, `most` at the most. */
export function tablesThatFit(bytes: number, most: number, { sharedBytes }: DeviceLimits): number {
  return Math.min(most, Math.floor(sharedBytes / bytes));
}

/** Cells of `bytesPerCell` that fit into a block's shared memory: a pass counts these. */
export function cellsThatFit(cells: number, bytesPerCell: number, { sharedBytes }: DeviceLimits): number {
  return Math.min(cells, Math.floor(sharedBytes / bytesPerCell));
}

/**
 * Blocks that fill the device: as many a multiprocessor as its threads and shared memory hold, and no more
 * than have a word of samples for every thread. `multiple`: of so many blocks a multiprocessor has a whole number,
 * if it has more.
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

/** The sentence of an algorithm whose smallest block is too large for the device. */
export function tooLittleShared(slug: string, needed: number, { sharedBytes }: DeviceLimits): string {
  return `${slug} needs ${needed} bytes of shared memory a block and this device has ${sharedBytes}`;
}

/** The sentence of an algorithm that only makes sense where threads share banked memory. */
export function notOnWorkers(slug: string, why: string): string {
  return `${slug} is a way to lay out a GPU block's shared memory: ${why}`;
}

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

/** States that an algorithm's smallest block is too large for the device. */
export function tooLittleShared(slug: string, needed: number, { sharedBytes }: DeviceLimits): string {
  return `${slug} needs ${needed} bytes of shared memory per block and this device has ${sharedBytes}`;
}

/** States that an algorithm only makes sense if threads share banked memory. */
export function notOnWorkers(slug: string, why: string): string {
  return `${slug} is a layout of a GPU block's shared memory: ${why}`;
}

/**
 * Yields the words of four codes that a thread reads, as the papers' kernels read 32-bit words. Thread t of block b
 * starts at word b * threads + t and advances by the number of all threads.
 */
export function* gridWords(
  codes: number,
  threads: number,
  blocks: number,
  block: number,
  thread: number,
): Generator<number> {
  const words = Math.ceil(codes / WORD_BYTES);
  for (let word = block * threads + thread; word < words; word += threads * blocks) yield word;
}

/** Calls `each` for the codes of a word that exist (the last word may be short) and are cells. */
export function eachCode(
  codes: Uint32Array,
  word: number,
  cells: number,
  each: (code: number) => void,
): void {
  const end = Math.min(codes.length, (word + 1) * WORD_BYTES);
  for (let i = word * WORD_BYTES; i < end; i++) if (codes[i]! < cells) each(codes[i]!);
}

/** Splits cells into windows of `perPass` and shifts each into 0 … perPass - 1, as a pass sees them. */
export function inPasses(
  codes: Uint32Array,
  cells: number,
  perPass: number,
  pass: (codes: Uint32Array, cells: number) => ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(cells);
  if (perPass >= cells) {
    out.set(pass(codes, cells));
    return out;
  }
  for (let first = 0; first < cells; first += perPass) {
    const count = Math.min(perPass, cells - first);
    // Codes below the window wrap around to large ones, so they are skipped too.
    const shifted = codes.map((code) => (code < cells ? (code - first) >>> 0 : code));
    out.set(pass(shifted, count), first);
  }
  return out;
}

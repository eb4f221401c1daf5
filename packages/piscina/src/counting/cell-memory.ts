import { limits } from "@polybin/core/backend";
import type { CellWork, Lookup } from "../kernels/index.ts";
import { copyTo, type Visible, WORKER_CELLS, WORKER_STARTS_AFTER } from "../platform/index.ts";

/**
 * Where everything lies in the memory of a joint count. All threads of the call see it through WebAssembly.
 *
 *   lookups   one per column             thresholds or rows, and starts
 *   tables    one per running thread     counters of 32 bits, once or several times
 *   locks     one word per table         1 while a thread counts in it
 *   slots     one per task               the samples of a chunk, a mask, and room for a block
 */
export interface CellLayout {
  /** The address of each column's lookup. */
  readonly lookups: readonly number[];
  readonly table: number;
  readonly tableBytes: number;
  /** Bytes between the tables of one thread. */
  readonly apart: number;
  /** Number of threads' tables. */
  readonly tables: number;
  readonly locks: number;
  readonly slot: number;
  readonly slotBytes: number;
  /** Pixels that a slot has room for: a multiple of 8, so that a chunk begins with a whole byte of a mask of bits. */
  readonly pixels: number;
  /** Addresses in a slot. Columns of the same input have the same address. */
  readonly inputs: readonly number[];
  readonly mask: number;
  readonly gathered: number;
  readonly spread: number;
  readonly cells: number;
  /** Size of the memory. */
  readonly bytes: number;
}

/** Samples whose cells are found before they are counted. With their cells they take half of a first-level cache. */
export const BLOCK_SAMPLES = 4096;
/** A block's loops read and write whole vectors, and up to four of them. */
const PADDING = 64;
/** No power of two, so that equal cells of two tables do not share a cache set. */
const TABLES_APART = 1088;

/** The numbers that decide a layout. */
export interface CellSizes {
  readonly work: CellWork;
  readonly lookups: readonly Lookup[];
  /** The input of each column, and bytes per pixel of each input. */
  readonly inputOf: readonly number[];
  readonly pixelBytes: readonly number[];
  readonly pixels: number;
  readonly tables: number;
  readonly slots: number;
}

export function cellLayout(sizes: CellSizes): CellLayout {
  const { work, lookups, inputOf, pixelBytes, pixels, tables, slots } = sizes;
  let end = 0;
  const take = (bytes: number): number => {
    const start = end;
    end += Math.ceil(bytes / PADDING) * PADDING + PADDING;
    return start;
  };
  const atLookups = lookups.map((lookup) => (lookup.lowering === null ? 0 : take(LOOKUP_BYTES)));
  const one = Math.ceil((work.cells * limits.WORD_BYTES) / PADDING) * PADDING;
  const apart = work.tables === 1 ? 0 : one + TABLES_APART;
  const tableBytes = apart * (work.tables - 1) + one + PADDING;
  const table = take(tables * tableBytes);
  const locks = take(tables * limits.WORD_BYTES);
  const slot = end;
  const inputs = pixelBytes.map((bytes) => take(pixels * bytes) - slot);
  const mask = take(work.mask === "none" ? 0 : pixels) - slot;
  const widest = Math.max(...work.columns.map(({ bytes }) => bytes));
  const gathered = take(BLOCK_SAMPLES * widest) - slot;
  const spread = take(BLOCK_SAMPLES) - slot;
  const cells = take(BLOCK_SAMPLES * limits.WORD_BYTES) - slot;
  const slotBytes = end - slot;
  return {
    lookups: atLookups,
    table,
    tableBytes,
    apart,
    tables,
    locks,
    slot,
    slotBytes,
    pixels,
    inputs: inputOf.map((input) => inputs[input]!),
    mask,
    gathered,
    spread,
    cells,
    bytes: slot + slots * slotBytes,
  };
}

const LOOKUP_BYTES = WORKER_STARTS_AFTER + WORKER_CELLS * limits.WORD_BYTES + PADDING;

/** Writes the lookups of all columns, and clears the tables. */
export function beginCells(memory: WebAssembly.Memory, layout: CellLayout, lookups: readonly Lookup[]): void {
  lookups.forEach(({ lowering, starts }, k) => {
    const at = layout.lookups[k]!;
    if (lowering !== null) copyTo(memory, at, lowering);
    if (starts !== null) copyTo(memory, at + WORKER_STARTS_AFTER, starts);
  });
  clearTables(memory, layout);
}

function clearTables({ buffer }: WebAssembly.Memory, { table, tables, tableBytes, locks }: CellLayout): void {
  new Uint8Array(buffer, table, tables * tableBytes).fill(0);
  new Int32Array(buffer, locks, tables).fill(0);
}

/** Adds the counts of all tables to totals in the kernel's order, and clears the tables. */
export function takeCells(
  memory: WebAssembly.Memory,
  layout: CellLayout,
  work: CellWork,
  totals: Float64Array,
): void {
  for (let of = 0; of < layout.tables; of++) {
    for (let copies = 0; copies < work.tables; copies++) {
      const at = layout.table + of * layout.tableBytes + copies * layout.apart;
      const counts = new Uint32Array(memory.buffer, at, work.cells);
      for (let cell = 0; cell < counts.length; cell++) totals[cell]! += counts[cell]!;
    }
  }
  clearTables(memory, layout);
}

/** Takes a free table. @returns its number */
export function takeTable({ memory }: Visible, { locks, tables }: CellLayout): number {
  const words = new Int32Array(memory.buffer, locks, tables);
  for (let table = 0; table < tables; table++) {
    if (Atomics.compareExchange(words, table, 0, 1) === 0) return table;
  }
  throw new Error(`${tables} tables are in use: more tasks run than the pool has threads`);
}

export function giveTable({ memory }: Visible, { locks, tables }: CellLayout, table: number): void {
  Atomics.store(new Int32Array(memory.buffer, locks, tables), table, 0);
}

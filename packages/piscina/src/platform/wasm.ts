import { limits } from "@polybin/core/backend";
import { WORKER_CHUNK_BYTES } from "./limits.ts";

/** The exports of kernels.wasm. kernels/lib/memory.as.ts describes them. */
export interface Wasm extends Readonly<Loops> {
  readonly memory: WebAssembly.Memory;
  /** Addresses: input bytes, codes, results, and the set-up of stage 1. */
  readonly chunk: number;
  /** The input bytes: WORKER_CHUNK_BYTES from `chunk` on. */
  readonly input: Uint8Array;
  readonly codes: number;
  readonly counts: number;
  readonly flow: number;
  readonly lowering: number;
  readonly starts: number;
  /** The counts of a job after it was finished or taken. */
  readonly sums: Float64Array;
  /** Copies the first cells of COUNTS to `sums` and clears them. */
  take_counts(cells: number): void;
  /** Number of the set-up in its memory. 0: none. */
  loaded: number;
  /** Clears cells of COUNTS (by default all) and everything that an unfinished job wrote to the tables. */
  reset(cells?: number): void;
  lower_bins(bins: number): void;
  lower_keys(count: number, last: bigint, nanBelow: bigint, nanAbove: bigint, wide: boolean): void;
  lower_linear(lo: number, scale: number): void;
  lower_cells(base: number, shift: number, cells: number): void;
  lower_gather_u8(address: number, pixels: number, stride: number): number;
  /** Addresses of weighted sums (kernels/lib/weighted.as.ts). They are in memory after a call of `room`. */
  readonly raw: number;
  readonly rawSquares: number;
  readonly indices: number;
  readonly values: number;
  /** Bytes from one feature's values to the next. */
  readonly valuesStep: number;
  readonly totals: number;
  /** Grows the memory to this number of bytes. Views of it must be created anew. */
  room(bytes: number): void;
  weigh_counted(count: number): void;
  weigh_paired(count: number): void;
  weigh_fast(count: number, squares: boolean): void;
  unpack_u4(count: number, out: number): void;
  add_four_u8(count: number): void;
  add_four_u16(count: number): void;
  fold_counted(bins: number, lanes: number, feature: number, out: number): void;
  fold_paired(bins: number, lanes: number, out: number): void;
  fold_fast(bins: number, lanes: number, out: number, squares: boolean): void;
}

/** The exports whose names end with a type. */
type Loops = Record<`lower_direct_${"u16" | "i16" | "u32" | "i32"}`, LowerDirect> &
  Record<"lower_table_u16" | `lower_keys_${"u32" | "i32" | "f32" | "f64"}`, LowerByTables> &
  Record<`gather_${"u4" | "u8" | "u16"}`, (count: number, out: number) => void> &
  Record<`add_${"counted" | "paired" | "fast"}_${"u8" | "u16"}`, AddWeights>;

type AddWeights = (address: number, count: number, lanes: number) => void;

type LowerDirect = (address: number, pixels: number, stride: number, start: number, wide: boolean) => number;
type LowerByTables = (address: number, pixels: number, stride: number, wide: boolean) => number;

/** Returns a new instance with a memory of its own. */
export function instantiate(module: WebAssembly.Module): Wasm {
  const { exports } = new WebAssembly.Instance(module, { env: { abort } });
  const at = (name: string) => (exports[name] as WebAssembly.Global).value as number;
  const memory = exports.memory as WebAssembly.Memory;
  return {
    ...(exports as unknown as Wasm),
    reset: (cells = limits.HALF_VALUES) => (exports.reset as (cells: number) => void)(cells),
    chunk: at("CHUNK"),
    input: new Uint8Array(memory.buffer, at("CHUNK"), WORKER_CHUNK_BYTES),
    codes: at("CODES"),
    counts: at("COUNTS"),
    flow: at("FLOW"),
    lowering: at("LOWERING"),
    starts: at("STARTS"),
    sums: new Float64Array(memory.buffer, at("SUMS"), limits.HALF_VALUES + limits.FLOW_ROWS),
    raw: at("RAW"),
    rawSquares: at("RAW_SQUARES"),
    indices: at("INDICES"),
    values: at("VALUES"),
    valuesStep: at("VALUES_STEP"),
    totals: at("TOTALS"),
    loaded: 0,
    room: (bytes) => {
      const more = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
      if (more > 0) memory.grow(more);
    },
  };
}

/** The size of a WebAssembly page. */
export const PAGE_BYTES = 65_536;

function abort(): never {
  throw new Error("a kernel aborted");
}

import { type BinSums, limits as core, type SumsPlan, type WeightedAlgorithm } from "@polybin/core/backend";
import { type Wasm, WORKER_SIDE_BY_SIDE } from "../../platform/index.ts";
import type { Codes } from "./kernel.ts";

/** Documents that one worker adds up at a time, in the memory of a WebAssembly instance. */
export interface Step {
  readonly wasm: Wasm;
  /** The number of documents. Their weights begin at RAW and their squares at RAW_SQUARES. */
  readonly count: number;
  /**
   * Copies a feature's values, one per document, to where they can be added up. `place` is its place among the features
   * side by side.
   */
  codes(feature: number, place?: number): Codes;
}

/**
 * A table of one feature in shared memory, which all workers add to: words [bin]. Sums have a lower and an upper word.
 */
export interface SharedSums {
  readonly counts: Int32Array;
  readonly sums: WordPairs;
  readonly squares: WordPairs | null;
}

export interface WordPairs {
  readonly lower: Int32Array;
  readonly upper: Int32Array;
}

/** Features with the same plan that a worker adds up together. */
export interface Block {
  readonly plan: SumsPlan;
  readonly features: readonly number[];
  readonly skip: readonly (number | null)[];
  /** One table per feature. Null: workers have their own tables. */
  readonly shared: readonly SharedSums[] | null;
  /** The worker's number. */
  readonly worker: number;
}

/** How a worker runs one weighted algorithm. */
export interface WeightedKernel {
  readonly algorithm: WeightedAlgorithm;
  /** Whether it adds only integers, independent of its tables. Default: false. */
  readonly integers?: boolean;
  /**
   * Words per bin of the table in shared memory, without squares and with them. Null: workers have their own tables.
   */
  readonly sharedWords: { readonly plain: number; readonly squares: number } | null;
  /**
   * Adds a block up, step by step, and calls `done` after each feature of a step. It returns the sums of its own
   * tables, one per feature. If the tables are shared, it returns none.
   */
  add(wasm: Wasm, block: Block, steps: () => Iterable<Step>, done: (documents: number) => void): BinSums[];
}

/** Adds to the worker's own tables, which are added to totals after each step. */
export const inOwnTables: Omit<WeightedKernel, "algorithm"> = {
  sharedWords: null,
  add(wasm, { plan, features, skip }, steps, done) {
    const { bins, replicas } = plan;
    const featureBytes = 3 * bins * Float64Array.BYTES_PER_ELEMENT;
    wasm.room(wasm.totals + features.length * featureBytes);
    new Uint8Array(wasm.memory.buffer, wasm.totals, features.length * featureBytes).fill(0);
    const layers = layersOf(plan);
    for (const [i, layer] of layers.entries()) {
      for (const step of steps()) {
        layer.weigh(wasm, step.count);
        for (let of = 0; of < features.length; ) {
          const atOnce =
            replicas === core.WORKER_WIDE_LANES && of + layer.most <= features.length ? layer.most : 1;
          const codes = features.slice(of, of + atOnce).map((feature, place) => step.codes(feature, place));
          layer.add(wasm, codes, replicas);
          for (let place = 0; place < atOnce; place++, of++) {
            layer.fold(wasm, bins, replicas, place, wasm.totals + of * featureBytes);
            if (i === layers.length - 1) done(step.count);
          }
        }
      }
    }
    return features.map((_, of) => {
      const at = (row: number) =>
        new Float64Array(wasm.memory.buffer, wasm.totals + of * featureBytes + row * bins * 8, bins).slice();
      const sums = { counts: at(0), sums: at(1), squares: plan.squares ? at(2) : null };
      // Skipping a value would cost time for every document. Clearing its cell is cheaper.
      const skipped = skip[of]!;
      if (skipped !== null) for (const row of Object.values(sums)) row?.fill(0, skipped, skipped + 1);
      return sums;
    });
  },
};

/** One run over the documents: its kernels, and the features it can add. */
interface Layer {
  /** Features that it can add side by side if the plan has tables for neighbouring documents. Otherwise it adds one. */
  readonly most: number;
  weigh(wasm: Wasm, count: number): void;
  add(wasm: Wasm, codes: readonly Codes[], lanes: number): void;
  fold(wasm: Wasm, bins: number, lanes: number, place: number, out: number): void;
}

function layersOf({ precision, squares }: SumsPlan): readonly Layer[] {
  if (precision === "fast") return squares ? [fast(false), fast(true)] : [fast(false)];
  return [squares ? PAIRED : COUNTED];
}

/** Adds one feature with the export of this name for its width. */
function addOne(name: "counted" | "paired" | "fast"): Layer["add"] {
  return (wasm, [codes], lanes) => {
    const { address, count, bytes } = codes!;
    wasm[`add_${name}_${bytes === 1 ? "u8" : "u16"}`](address, count, lanes);
  };
}

const addCounted = addOne("counted");

const COUNTED: Layer = {
  most: WORKER_SIDE_BY_SIDE,
  weigh: (wasm, count) => wasm.weigh_counted(count),
  add(wasm, codes, lanes) {
    const { count, bytes } = codes[0]!;
    if (codes.length > 1) wasm[bytes === 1 ? "add_four_u8" : "add_four_u16"](count);
    else addCounted(wasm, codes, lanes);
  },
  fold: (wasm, bins, lanes, place, out) => wasm.fold_counted(bins, lanes, place, out),
};

const PAIRED: Layer = {
  most: 1,
  weigh: (wasm, count) => wasm.weigh_paired(count),
  add: addOne("paired"),
  fold: (wasm, bins, lanes, _place, out) => wasm.fold_paired(bins, lanes, out),
};

const fast = (squares: boolean): Layer => ({
  most: 1,
  weigh: (wasm, count) => wasm.weigh_fast(count, squares),
  add: addOne("fast"),
  fold: (wasm, bins, lanes, _place, out) => wasm.fold_fast(bins, lanes, out, squares),
});

/** Returns the codes of a step as numbers. */
export function numbersOf({ memory }: Wasm, { address, count, bytes }: Codes): Uint8Array | Uint16Array {
  return bytes === 1
    ? new Uint8Array(memory.buffer, address, count)
    : new Uint16Array(memory.buffer, address, count);
}

/** Words per bin of a table in shared memory: a count, two for a sum, and two for a sum of squares. */
export const SHARED_WORDS = { plain: 3, squares: 5 } as const;

/** Returns the tables of a group's feature, in words[feature][row][bin]. SHARED_WORDS has the number of rows. */
export function sharedSumsAt(words: Int32Array, { bins, squares }: SumsPlan, feature: number): SharedSums {
  const rows = SHARED_WORDS[squares ? "squares" : "plain"];
  const at = (row: number) => {
    const first = (feature * rows + row) * bins;
    return words.subarray(first, first + bins);
  };
  return {
    counts: at(0),
    sums: { lower: at(1), upper: at(2) },
    squares: squares ? { lower: at(3), upper: at(4) } : null,
  };
}

/** Adds to a sum of two words. The lower word's previous value shows whether it wrapped. */
export function addAtomically({ lower, upper }: WordPairs, bin: number, amount: number): void {
  const before = Atomics.add(lower, bin, amount) >>> 0;
  if (amount >= 0) {
    if (before + amount >= WORD_VALUES) Atomics.add(upper, bin, 1);
  } else if (before < -amount) Atomics.add(upper, bin, -1);
}

/** Returns the sums that two words hold. */
export function sumOfPairs({ lower, upper }: WordPairs): Float64Array {
  return Float64Array.from(lower, (word, bin) => upper[bin]! * WORD_VALUES + (word >>> 0));
}

const WORD_VALUES = core.U32_MAX + 1;

import type { Engine, FeatureTableInit, TableSums, TableSumsOnly } from "@polybin/core";
import type { ValueType } from "@polybin/core/backend";
import { limits, rowBytes } from "@polybin/core/backend";
import { fill } from "./distributions.ts";
import { type FeatureRow, packed } from "./feature-rows.ts";

/** Bytes by which a feature's values are shifted from the previous feature's: whole documents of every type. */
export const SHIFT_BYTES = 8198;

/**
 * A table whose features hold the same values, each shifted to start at another document. A gigabyte is made at once, no
 * two features have the same sums, and each can be checked alone. With several rows, the features alternate between them.
 */
export class ShiftedTable {
  readonly row: FeatureRow;
  readonly type: ValueType;
  readonly features: number;
  readonly documents: number;
  /** Each row's bytes, repeated once. */
  readonly #twice: readonly Uint8Array[];

  /** @throws an Error if a row of half bytes would end within a byte */
  constructor(row: FeatureRow, type: ValueType, features: number, others: readonly FeatureRow[] = []) {
    this.row = row;
    this.type = type;
    this.features = features;
    this.documents = row.values.length;
    if (type === "u4" && this.documents % 2 === 1) throw new Error("expected an even number of documents");
    this.#twice = [row, ...others].map(({ values }) => {
      const once = packed(type, values);
      const twice = new Uint8Array(2 * once.length);
      twice.set(once);
      twice.set(once, once.length);
      return twice;
    });
  }

  get bytes(): number {
    return this.features * rowBytes(this.type, this.documents);
  }

  /** The part of a result file's row that describes the data. */
  get place(): {
    readonly type: string;
    readonly bins: number;
    readonly n: number;
    readonly distribution: string;
  } {
    const { type, features, documents, row } = this;
    return { type, bins: row.bins, n: features * documents, distribution: row.name };
  }

  /** Returns the features as an engine takes them, in given or new memory. */
  init(features: readonly number[] = this.all, memory?: Uint8Array): FeatureTableInit {
    const each = rowBytes(this.type, this.documents);
    const values = memory?.subarray(0, features.length * each) ?? new Uint8Array(features.length * each);
    for (const [place, feature] of features.entries()) {
      const from = (feature * SHIFT_BYTES) % each;
      values.set(this.#twice[feature % this.#twice.length]!.subarray(from, from + each), place * each);
    }
    const { type, documents, row } = this;
    return { values, type, features: features.length, documents, bins: row.bins, keepCounts: false };
  }

  get all(): readonly number[] {
    return Array.from({ length: this.features }, (_, feature) => feature);
  }
}

/** Bits of a weight, which the integers of tables of any length keep. */
const WEIGHT_BITS = 20;

/**
 * Makes one weight per document, of either sign, like gradients. They are multiples of 2^-20 between -1 and 1. Sums of them
 * are exact in doubles in any order, so every program can be compared bit by bit.
 */
export function weightsOf(documents: number): Float32Array {
  const [top, unit] = [2 ** WEIGHT_BITS - 1, 2 ** -WEIGHT_BITS];
  const weights = new Float32Array(documents);
  fill(weights, "uniform", 2);
  // From the last to the first, because uniform values use the same random numbers.
  return weights.reverse().map((x) => Math.max(-top, Math.floor((x - 1) * (top + 1))) * unit);
}

/** The exact sums for some features of a table. */
export interface SumsTruth {
  readonly weights: Float32Array;
  readonly features: readonly number[];
  readonly sums: TableSums;
  /** Sums of |weight|, for results that are not exact. */
  readonly sizes: TableSums;
}

/** Computes the oracle's sums for those features. */
export async function truthOf(
  oracle: Engine,
  table: ShiftedTable,
  weights: Float32Array,
): Promise<SumsTruth> {
  const last = table.features - 1;
  const features = [...new Set([0, Math.min(1, last), table.features >>> 1, last])];
  await using some = await oracle.table(table.init(features));
  return {
    weights,
    features,
    sums: await some.sums(weights, { squares: true }),
    sizes: await some.sums(weights.map(Math.abs)),
  };
}

/** The comparison of a result: a description of the first fault, and the error of floats. */
export interface Verdict {
  readonly wrong: string | null;
  /** The largest error, as a share of its bin's sum of |weight|; null if every bit is right. */
  readonly offBy: number | null;
}

/** Compares a result with the exact sums of some features: bit by bit, or within the tolerance of the precision "fast". */
export function judge(found: TableSums | TableSumsOnly, truth: SumsTruth): Verdict {
  let offBy: number | null = null;
  for (const [i, feature] of truth.features.entries()) {
    const wrong = (what: string, a: Float64Array | undefined, b: Float64Array): Verdict | null => {
      const bin = b.findIndex((value, at) => value !== a?.[at]);
      if (bin < 0) return null;
      return {
        wrong: `${what} of feature ${feature}, bin ${bin}: expected ${b[bin]} but received ${a?.[bin]}`,
        offBy: null,
      };
    };
    const counts = found.counts && wrong("count", found.counts[feature], truth.sums.counts[i]!);
    if (counts) return counts;
    if (found.quantum === null) {
      const off = furthest(found.sums[feature]!, truth.sums.sums[i]!, truth.sizes.sums[i]!);
      offBy = Math.max(offBy ?? 0, off);
      continue;
    }
    const sums = wrong("sum", found.sums[feature], truth.sums.sums[i]!);
    const squares =
      found.sumsOfSquares && wrong("squares", found.sumsOfSquares[feature], truth.sums.sumsOfSquares![i]!);
    if (sums || squares) return sums ?? squares!;
  }
  if (offBy === null || offBy <= limits.FAST_TOLERANCE) return { wrong: null, offBy };
  return {
    wrong: `expected errors of at most ${limits.FAST_TOLERANCE} of a bin's sum of |weight| but received ${offBy}`,
    offBy,
  };
}

function furthest(found: Float64Array, right: Float64Array, sizes: Float64Array): number {
  let most = 0;
  for (let bin = 0; bin < right.length; bin++) {
    const off = Math.abs(found[bin]! - right[bin]!);
    // NaN, and a sum in an empty bin, count as infinite errors.
    if (off !== 0) most = Math.max(most, off / sizes[bin]! || Number.POSITIVE_INFINITY);
  }
  return most;
}

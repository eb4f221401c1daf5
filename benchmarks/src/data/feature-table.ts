import type { Engine, FeatureTableInit, TableSums, TableSumsOnly } from "@polybin/core";
import type { ValueType } from "@polybin/core/backend";
import { limits, rowBytes } from "@polybin/core/backend";
import { fill } from "./distributions.ts";
import { type FeatureRow, packed } from "./feature-rows.ts";

/** Bytes by which a feature's values are shifted from the one before: whole documents of every type. */
export const SHIFT_BYTES = 8198;

/**
 * A table all of whose features hold the same values, each from another document on: a gigabyte is there at once, no two
 * features get the same sums, and any of them can be checked by itself. With other rows features take turns with them.
 */
export class ShiftedTable {
  readonly row: FeatureRow;
  readonly type: ValueType;
  readonly features: number;
  readonly documents: number;
  /** Each row's bytes, twice. */
  readonly #twice: readonly Uint8Array[];

  /** @throws where a row of half bytes would end within a byte */
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

  /** Those features as an engine takes them, in memory that is there or new. Every call counts anew. */
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

/** Bits of a weight, which integers of tables of all lengths keep. */
const WEIGHT_BITS = 20;

/**
 * Weights of either sign, as gradients have, one a document: whole multiples of 2^-20 between -1 and 1, so that sums of
 * them are exact in doubles, too, in any order, and every program can be compared bit by bit.
 */
export function weightsOf(documents: number): Float32Array {
  const [top, unit] = [2 ** WEIGHT_BITS - 1, 2 ** -WEIGHT_BITS];
  const weights = new Float32Array(documents);
  fill(weights, "uniform", 2);
  // From the last to the first: uniform values come from the same numbers.
  return weights.reverse().map((x) => Math.max(-top, Math.floor((x - 1) * (top + 1))) * unit);
}

/** What is right for some features of a table. */
export interface SumsTruth {
  readonly features: readonly number[];
  readonly sums: TableSums;
  /** Of |weight|, for what is not exact. */
  readonly sizes: TableSums;
}

/** The features that are compared. */
function checkedFeatures({ features }: Pick<ShiftedTable, "features">): readonly number[] {
  return [...new Set([0, Math.min(1, features - 1), features >>> 1, features - 1])];
}

/** What the oracle finds for those. */
export async function truthOf(
  oracle: Engine,
  table: ShiftedTable,
  weights: Float32Array,
): Promise<SumsTruth> {
  const features = checkedFeatures(table);
  await using some = await oracle.table(table.init(features));
  return {
    features,
    sums: await some.sums(weights, { squares: true }),
    sizes: await some.sums(weights.map(Math.abs)),
  };
}

/** How a result compares: what is wrong with it, and of floats how far off they are. */
export interface Verdict {
  readonly wrong: string | null;
  /** The worst bin's share of its sum of |weight|; null where every bit is right. */
  readonly offBy: number | null;
}

/** Compares sums of all features with the truth about some: every bit, but of the precision "fast" within its tolerance. */
export function judge(found: TableSums | TableSumsOnly, truth: SumsTruth): Verdict {
  let offBy: number | null = null;
  for (const [i, feature] of truth.features.entries()) {
    const wrong = (what: string, a: Float64Array | undefined, b: Float64Array): Verdict | null => {
      const bin = b.findIndex((value, at) => value !== a?.[at]);
      if (bin < 0) return null;
      return {
        wrong: `${what} of feature ${feature}, bin ${bin}: ${a?.[bin]}, expected ${b[bin]}`,
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
    wrong: `a sum is off by ${offBy} of its bin's |weight|, more than ${limits.FAST_TOLERANCE}`,
    offBy,
  };
}

function furthest(found: Float64Array, right: Float64Array, sizes: Float64Array): number {
  let most = 0;
  for (let bin = 0; bin < right.length; bin++) {
    const off = Math.abs(found[bin]! - right[bin]!);
    // NaN, and a weight where there is none, are infinitely far off.
    if (off !== 0) most = Math.max(most, off / sizes[bin]! || Number.POSITIVE_INFINITY);
  }
  return most;
}

import { type CountsBatch, sampleTypeOf, type ValueArray } from "../../table/index.ts";
import { Moments } from "../exact/moments.ts";
import { namesWithRows, type PassPlan } from "../partial/plan.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import type { Counted } from "../values/values.ts";
import type { Keep, PassCounting } from "./counting.ts";
import type { DenseValues } from "./dense.ts";

/**
 * The values of columns whose range is unknown, kept in memory so that they need not be decoded again. If they take more
 * than the limit, the largest columns are dropped.
 */
export class KeptColumns {
  readonly #limit: number;
  readonly #names: readonly string[];
  readonly #kept = new Map<number, DenseValues[]>();
  readonly #bytes = new Map<number, number>();
  #total = 0;

  constructor({ columns }: PassPlan, limit: number) {
    this.#limit = limit;
    this.#names = columns.map(({ name }) => name);
    for (const [i, { axis, logical }] of columns.entries()) {
      if (axis === null && sampleTypeOf(logical) !== null) this.#kept.set(i, []);
    }
  }

  /** Keeps values of a column of the first pass. */
  readonly keep: Keep = (column, kept) => {
    const arrays = this.#kept.get(column);
    if (arrays === undefined) return;
    arrays.push(kept);
    const bytes = kept.values.byteLength + kept.counts.byteLength;
    this.#bytes.set(column, (this.#bytes.get(column) ?? 0) + bytes);
    this.#total += bytes;
    while (this.#total > this.#limit) this.#dropLargest();
  };

  /** The columns of a batch whose values are not kept. */
  without(batch: CountsBatch): CountsBatch {
    const columns = batch.columns.filter(({ name }) => !this.#kept.has(this.#names.indexOf(name)));
    return { ...batch, columns } as CountsBatch;
  }

  /** Replaces the values of a column by its different values, if the first pass counted all of them. They are few. */
  keepCounts({ columns }: ProfilePartial): void {
    for (const [i, { plan, moments, values }] of columns.entries()) {
      if (plan.axis !== null || !(moments instanceof Moments)) continue;
      const counted = values?.sorted() ?? null;
      const dense = counted === null ? null : denseOf(counted, moments.nan);
      if (dense !== null) this.#kept.set(i, [dense]);
    }
  }

  /** Returns true if a pass need not read this column. Columns whose rows belong together are read. */
  serves(name: string, plan: PassPlan): boolean {
    return this.#kept.has(this.#names.indexOf(name)) && !namesWithRows(plan).has(name);
  }

  /** Counts the kept columns of a plan that are not read again. They are released. */
  async addTo(
    counting: PassCounting,
    { columns }: PassPlan,
    again: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (const [i, { name }] of columns.entries()) {
      if (again.has(name)) continue;
      for (const values of this.#kept.get(this.#names.indexOf(name)) ?? []) {
        signal?.throwIfAborted();
        await counting.addKept(i, values, { signal });
      }
    }
    this.#kept.clear();
  }

  #dropLargest(): void {
    const [column, bytes] = [...this.#bytes].reduce((most, one) => (one[1] > most[1] ? one : most));
    this.#kept.delete(column);
    this.#bytes.delete(column);
    this.#total -= bytes;
  }
}

const MOST_COUNT = 2 ** 32 - 1;

/** Returns different numbers with their counts, or null if a count is too large. @param nan how often NaN occurs */
function denseOf(counted: readonly Counted[], nan: number): DenseValues | null {
  const all = nan === 0 ? counted : [...counted, { value: Number.NaN, count: nan }];
  if (all.some(({ count }) => count > MOST_COUNT)) return null;
  const values = all.map(({ value }) => value);
  return { values: arrayOf(values), counts: Uint32Array.from(all, ({ count }) => count) };
}

function arrayOf(values: readonly Counted["value"][]): ValueArray {
  if (typeof values[0] !== "bigint") return Float64Array.from(values as number[]);
  const all = values as bigint[];
  return all.some((value) => value < 0n) ? BigInt64Array.from(all) : BigUint64Array.from(all);
}

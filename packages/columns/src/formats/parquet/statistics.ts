import type { Statistics } from "hyparquet";
import type { ColumnStatistics, StatisticValue } from "../../table/index.ts";
import type { Leaf } from "./schema.ts";

/** Unscaled decimals below it return from a double exactly. */
const EXACT_DECIMAL = 2 ** 48;

/**
 * Returns a row group's statistics of a column, as far as they can be trusted:
 *
 * - `min_value` and `max_value` hold in the order of the type. The older `min` and `max` hold in the order of signed
 *   integers, so they count only for types with that order.
 * - A NaN among them makes both worthless. Files leave NaN out otherwise.
 * - Strings may be truncated, so they count only if the file says that they are exact.
 * - Writers disagree on whether the nulls of a structure are nulls of its fields, so those have no count of them.
 * - A column that cannot be read has no extent here, only counts.
 */
export function statisticsOf(leaf: Leaf, stated: Statistics | undefined): ColumnStatistics | null {
  if (stated === undefined || leaf.hasManyValues) return null;
  const [min, max] = leaf.store === null ? UNKNOWN : extentOf(leaf, stated);
  const nulls = leaf.path.length > 1 ? null : counted(stated.null_count);
  const distinct = counted(stated.distinct_count);
  if (min === null && nulls === null && distinct === null) return null;
  return { min, max, nulls, distinct };
}

function counted(count: bigint | undefined): number | null {
  return count === undefined || count < 0n || count > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(count);
}

type Pair = readonly [StatisticValue, StatisticValue] | readonly [null, null];
const UNKNOWN = [null, null] as const;

function extentOf(leaf: Leaf, stated: Statistics): Pair {
  const { store, type } = leaf;
  let low: unknown = stated.min_value;
  let high: unknown = stated.max_value;
  if (low === undefined || high === undefined) {
    // The order of the older fields is the one of signed integers.
    if (
      store === "string" ||
      store === "decimal" ||
      store === "half" ||
      store === "int96" ||
      /^u/.test(store!)
    )
      return UNKNOWN;
    [low, high] = [stated.min, stated.max];
  }
  if (store === "string") return texts(low, high, stated);
  if (store === "int96") return UNKNOWN;
  if (type.kind === "decimal") return decimals(low, high, leaf.isScaled ? type.scale : 0);
  if (low === undefined || high === undefined || typeof low !== typeof high) return UNKNOWN;
  if (store === "boolean") return typeof low === "boolean" ? [low, high as boolean] : UNKNOWN;
  if (store === "i64" || store === "u64")
    return typeof low === "bigint" && low <= (high as bigint) ? [low, high as bigint] : UNKNOWN;
  // A comparison with NaN is false.
  return typeof low === "number" && low <= (high as number) ? [low, high as number] : UNKNOWN;
}

/** hyparquet turns most decimals into doubles and scales them. Small ones come back exactly. */
function decimals(low: unknown, high: unknown, scale: number): Pair {
  if (typeof low === "bigint" && typeof high === "bigint") return low <= high ? [low, high] : UNKNOWN;
  if (typeof low !== "number" || typeof high !== "number") return UNKNOWN;
  const [min, max] = [Math.round(low * 10 ** scale), Math.round(high * 10 ** scale)];
  if (!(Math.abs(min) < EXACT_DECIMAL && Math.abs(max) < EXACT_DECIMAL && min <= max)) return UNKNOWN;
  return [BigInt(min), BigInt(max)];
}

function texts(low: unknown, high: unknown, { is_min_value_exact, is_max_value_exact }: Statistics): Pair {
  if (
    !is_min_value_exact ||
    !is_max_value_exact ||
    !(low instanceof Uint8Array) ||
    !(high instanceof Uint8Array)
  )
    return UNKNOWN;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return [decoder.decode(low), decoder.decode(high)];
  } catch {
    return UNKNOWN;
  }
}

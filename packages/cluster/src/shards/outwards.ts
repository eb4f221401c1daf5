import type { ColumnExtent } from "./payload.ts";

/** Returns an extent in doubles: the nearest ones with `min` not above and `max` not below the exact end. */
export function roundedOutwards({ min, max }: ColumnExtent): { readonly min: number; readonly max: number } {
  const low = Number(min);
  const high = Number(max);
  return {
    min: typeof min === "bigint" && BigInt(low) > min ? neighbour(low, -1) : low,
    max: typeof max === "bigint" && BigInt(high) < max ? neighbour(high, 1) : high,
  };
}

/** The next double below or above. Doubles with the same sign ascend like their bits. */
function neighbour(value: number, by: 1 | -1): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const away = value > 0 ? by : -by;
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(away));
  return view.getFloat64(0);
}

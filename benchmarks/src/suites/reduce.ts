import { regular } from "@polybin/core";
import { algorithms as known, limits, type ParameterRule } from "@polybin/core/backend";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";

const DISTRIBUTIONS = ["uniform", "zeros"] as const;
/** From a launch that is mostly a merge to one that hides it. */
const EXPONENTS: readonly number[] = [16, 20, 22, 24, 26, 28, 30];

/** Every algorithm whose blocks add up in several ways, in each of them. */
export const REDUCED: readonly Cell[] = Object.values(known).flatMap(({ slug, maxBins, parameters }) => {
  const rule = (parameters as Readonly<Record<string, ParameterRule>>).reduce;
  const few = maxBins !== null && maxBins < limits.BYTE_VALUES;
  const axis = few ? { axis: regular(maxBins, 0, limits.BYTE_VALUES) } : {};
  const ways = rule !== undefined && "of" in rule ? rule.of : [];
  return ways.map((way): Cell => ({ algorithm: slug, ...axis, reduce: way as Cell["reduce"] }));
});

/** Measures the merge of the blocks' tables next to global atomics, with and without empty bins, by size. */
export async function reduce(bench: Bench): Promise<void> {
  const most = Math.log2(bench.options.bytes);
  for (const exponent of EXPONENTS.filter((one) => one <= most)) {
    for (const distribution of DISTRIBUTIONS) {
      const tile = Tile.of({ type: "u8", top: limits.BYTE_VALUES, channels: 1 }, distribution);
      await using data = await bench.load(tile, 2 ** exponent);
      for (const cell of REDUCED) await bench.measure(data, cell);
    }
  }
}

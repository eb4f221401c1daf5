import { limits, searchFinder } from "../../lowering/index.ts";
import { type Loop, tableOfCodes } from "./loop.ts";

/** The rows of samples. Counting is synchronous on one thread, so all loops share them. */
const rows = new Uint32Array(limits.DOUBLES_AT_ONCE);

/** Counts samples of any type over any edges: a search finds the rows first (lowering/thresholds.ts). */
export function searchLoop(thresholds: Float64Array, bins: number): Loop {
  const { flow } = tableOfCodes(bins);
  const [underflow, overflow, nan] = flow;
  const parts = Uint32Array.of(
    nan,
    underflow,
    ...Uint32Array.from({ length: bins }, (_, bin) => bin),
    overflow,
  );
  const find = searchFinder({ thresholds, parts });
  return {
    ...tableOfCodes(bins),
    add(table, run, first, stride) {
      const most = rows.length * stride;
      for (let from = 0; from < run.length; from += most) {
        const some = run.length <= most ? run : run.subarray(from, from + most);
        rows.fill(0);
        const count = find(some, first, stride, rows);
        for (let i = 0; i < count; i++) {
          const row = rows[i]!;
          table[row] = (table[row]! + 1) | 0;
        }
      }
    },
  };
}

import type { Axis } from "../../axis/index.ts";
import type { Flow } from "../binned.ts";
import { codeOf, type FlowName } from "./grid.ts";

/** Splits the codes of one axis into bins and flow. Flow that the axis does not have is 0. */
export function oneAxis(
  { bins }: Axis,
  cells: Float64Array,
): { readonly bins: Float64Array; readonly flow: Flow } {
  const flow = (name: FlowName): number => {
    const code = codeOf(bins, cells.length, name, name);
    return code === null ? 0 : cells[code]!;
  };
  return {
    bins: cells.slice(0, bins),
    flow: { underflow: flow("underflow"), overflow: flow("overflow"), nan: flow("nan") },
  };
}

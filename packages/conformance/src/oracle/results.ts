import type { Axis } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import type { Numbers } from "./cells.ts";
import { FLOW } from "./codes.ts";

/** A result of any class. */
// biome-ignore lint/suspicious/noExplicitAny: the fields of all classes of results
export type AnyResult = any;

/** Returns the numbers of a result of any class, in the order of the definition's. */
export function numbersOf(found: AnyResult): Numbers {
  if (found.joint !== undefined) return cellsOf(found.joint, true);
  if (found.segments !== undefined) return rowsOf(found);
  if (found.axis === undefined) return cellsOf(found, false);
  const { counts, sums, sumsOfSquares, masked = 0 } = found;
  return {
    ...{ counts: flat(counts, found), masked: [masked] },
    ...(sums === undefined ? {} : { sums: flat(sums, found.flowSums) }),
    ...(sumsOfSquares ? { squares: flat(sumsOfSquares, found.flowSumsOfSquares) } : {}),
  };
}

/** The axes of a result of any class, without that of its rows. */
export function axesOf(found: AnyResult): readonly Axis[] {
  if (found.joint !== undefined) return found.joint.axes.slice(1);
  return found.axis === undefined ? found.axes : [found.axis];
}

interface Flow {
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
}

function flat(bins: Float64Array, { underflow, overflow, nan }: Flow): Float64Array {
  return Float64Array.of(...bins, underflow, overflow, nan);
}

/** The rows of segments, each with its flow. */
function rowsOf({ segments, axis, counts, masked, underflow, overflow, nan }: AnyResult): Numbers {
  const { bins } = axis as Axis;
  const out = new Float64Array(segments * (bins + FLOW));
  for (let row = 0; row < segments; row++) {
    const at = row * (bins + FLOW);
    out.set(counts.subarray(row * bins, (row + 1) * bins), at);
    out.set([underflow[row], overflow[row], nan[row]], at + bins);
  }
  return { counts: out, masked: [masked] };
}

/** The cells of several axes, with three cells of flow on every axis and none on that of groups. */
function cellsOf({ extents, axes, masked, cells }: AnyResult, isGrouped: boolean): Numbers {
  const widths = (axes as readonly Axis[]).map(({ bins }, k) => (isGrouped && k === 0 ? bins : bins + FLOW));
  const widened = (row: Float64Array): Float64Array => {
    const out = new Float64Array(widths.reduce((product, width) => product * width, 1));
    for (let cell = 0; cell < row.length; cell++) {
      let rest = cell;
      let to = 0;
      let stride = 1;
      for (let k = extents.length - 1; k >= 0; k--) {
        const place = rest % extents[k];
        rest = Math.floor(rest / extents[k]);
        // A single cell of flow holds what an axis does not list.
        to += (extents[k] === axes[k].bins + 1 && place === axes[k].bins ? place + 1 : place) * stride;
        stride *= widths[k]!;
      }
      out[to]! += row[cell]!;
    }
    return out;
  };
  if (cells instanceof Float64Array) return { counts: widened(cells), masked: [masked] };
  const { counts, sums, sumsOfSquares } = cells;
  return {
    ...{ counts: widened(counts), sums: widened(sums), masked: [masked] },
    ...(sumsOfSquares === null ? {} : { squares: widened(sumsOfSquares) }),
  };
}

/** Returns the first difference of a result from the definition, or null. With `sizes`, sums may differ by the tolerance. */
export function differenceOf(found: Numbers, expected: Numbers): string | null {
  for (const [name, want] of Object.entries(expected)) {
    if (name === "sizes") continue;
    const got = found[name];
    if (got === undefined) return `${name} is missing`;
    if (got.length !== want.length) return `${name}: ${got.length} numbers, expected ${want.length}`;
    const sizes = expected.sizes && { sums: expected.sizes, squares: expected.squares }[name];
    for (let i = 0; i < want.length; i++) {
      // Sums of nothing may be a zero of either sign.
      if (got[i] === want[i] || (Number.isNaN(got[i]) && Number.isNaN(want[i]))) continue;
      if (sizes && isNear(got[i]!, want[i]!, sizes[i]!, expected.counts![i]!)) continue;
      return `${name}: [${i}] is ${got[i]}, expected ${want[i]}`;
    }
  }
  return null;
}

/** Whether a float sum is within the tolerance of docs/internals/weighted-sums.md. */
function isNear(found: number, sum: number, size: number, count: number): boolean {
  return Math.abs(found - sum) <= size * limits.FAST_TOLERANCE + count * 2 ** -149;
}

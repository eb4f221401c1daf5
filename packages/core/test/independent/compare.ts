import type { Case } from "./cases.ts";
import type { Expected, Part } from "./expected.ts";
import type { Got } from "./perform.ts";
import { nearest } from "./reference.ts";

/** Returns the first difference, or null. */
export function differenceOf(
  of: Case,
  { parts, largestWeight }: Expected,
  got: readonly Got[],
): string | null {
  if (parts.length !== got.length) return `${got.length} histograms in place of ${parts.length}`;
  for (const [i, part] of parts.entries()) {
    const difference = differs(of, part, got[i]!, largestWeight);
    if (difference !== null) return parts.length === 1 ? difference : `histogram ${i}: ${difference}`;
  }
  return null;
}

function differs(of: Case, part: Part, got: Got, largestWeight: number): string | null {
  const edges = differentEdges(part, got);
  if (edges !== null) return edges;
  const { cells, masked } = part.counted;
  if (masked !== got.masked) return `masked is ${got.masked}, not ${masked}`;
  const at = (index: number) => describe(index, part.extents);
  for (const index of new Set([...cells.keys(), ...got.counts.keys(), ...(got.sums?.keys() ?? [])])) {
    const cell = cells.get(index) ?? { count: 0, sum: 0n, squares: 0n, size: 0n };
    const count = got.counts.get(index) ?? 0;
    if (count !== cell.count) return `${at(index)} has ${count} samples, not ${cell.count}`;
    if (of.weights === undefined) continue;
    const exact = nearest(cell.sum);
    const sum = got.sums!.get(index) ?? 0;
    const most = of.weights.precision === "fast" ? tolerance(cell, largestWeight) : 0;
    if (!(Math.abs(sum - exact) <= most)) return `${at(index)} has the sum ${sum}, not ${exact}`;
    if (!of.weights.squares) continue;
    const squares = got.squares!.get(index) ?? 0;
    if (squares !== nearest(cell.squares))
      return `${at(index)} has the squares ${squares}, not ${nearest(cell.squares)}`;
  }
  return null;
}

/** The bound that the documents give for sums of 32-bit floats. */
function tolerance(
  { size, count }: { readonly size: bigint; readonly count: number },
  largestWeight: number,
): number {
  return 2 ** -9 * nearest(size) + count * 2 ** -126 * largestWeight;
}

function differentEdges(part: Part, got: Got): string | null {
  for (const [k, edges] of part.edges.entries()) {
    const own = got.edges[k];
    if (own?.length !== edges.length) return `axis ${k} has ${own?.length} edges, not ${edges.length}`;
    const i = edges.findIndex((edge, at) => edge !== own[at]);
    if (i >= 0) return `edge ${i} of axis ${k} is ${own[i]}, not ${edges[i]}`;
  }
  return null;
}

function describe(index: number, extents: readonly number[]): string {
  const names: string[] = [];
  let rest = index;
  for (const extent of [...extents].reverse()) {
    const code = rest % extent;
    rest = (rest - code) / extent;
    names.unshift(code < extent - 3 ? `bin ${code}` : ["underflow", "overflow", "nan"][code - extent + 3]!);
  }
  return names.join(", ");
}

import { FLOW } from "./codes.ts";
import { exactSums } from "./exact.ts";
import type { Rows } from "./segments.ts";

/** The numbers of a result, by name. Cells are row-major, and every axis has its bins and three cells of flow. */
export type Numbers = Readonly<Record<string, ArrayLike<number>>>;

/** One column: the code of every pixel (codes.ts), and the bins of its axis. */
export interface CodedColumn {
  readonly codes: Uint32Array;
  readonly bins: number;
}

/** A request in four parts: columns, selection, rows and storage. */
export interface Question {
  readonly columns: readonly CodedColumn[];
  /** The pixels that a list selects, in its order; null: all. */
  readonly where: Uint32Array | null;
  /** A number per pixel that is 0 if the pixel is left out; null: no mask. */
  readonly mask: ArrayLike<number> | null;
  /** Null: one row. */
  readonly rows: Rows | null;
  /** Null: only counts. */
  readonly weights: ArrayLike<number> | null;
  readonly squares: boolean;
  /** Whether the weights are added up as floats. */
  readonly isFast: boolean;
}

/**
 * Answers by the definition, in a plain loop: a sample finds its cell, and the cell adds up. Sums are exact and rounded
 * once. `sizes` are the sums of the weights' magnitudes, to which the tolerance of float sums is relative.
 */
export function answer({ columns, where, mask, rows, weights, squares, isFast }: Question): Numbers {
  const n = columns[0]!.codes.length;
  const all = where ?? Uint32Array.from({ length: n }, (_, i) => i);
  const kept = mask === null ? all : all.filter((pixel) => mask[pixel] !== 0);
  const size = columns.reduce((product, { bins }) => product * (bins + FLOW), rows?.count ?? 1);
  const cells: number[] = [];
  const own: number[] = [];
  const counts = new Float64Array(size);
  for (const pixel of kept) {
    let cell = rows?.at(pixel) ?? 0;
    if (cell < 0) continue;
    for (const { codes, bins } of columns) cell = cell * (bins + FLOW) + codes[pixel]!;
    counts[cell]!++;
    if (weights === null) continue;
    cells.push(cell);
    own.push(weights[pixel]!);
  }
  const masked = [all.length - kept.length];
  if (weights === null) return { counts, masked };
  const squared = own.map((weight) => weight * weight);
  return {
    ...{ counts, masked, sums: exactSums(cells, size, own) },
    ...(isFast ? { sizes: exactSums(cells, size, own.map(Math.abs)) } : {}),
    ...(squares ? { squares: exactSums(cells, size, squared) } : {}),
  };
}

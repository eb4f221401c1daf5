/** Counts of two axes, row-major: the second axis is the fastest. */
export interface Joint {
  readonly counts: ArrayLike<number>;
  readonly shape: readonly number[];
}

/** Counts of two axes, added up over rectangles of bins so that they fit a drawing. */
export interface Heat {
  /** One sum per cell of the drawing, row-major: the second axis is the fastest. */
  readonly sums: Float64Array;
  /** Cells along each axis. */
  readonly size: readonly [number, number];
  /** Bins per cell along each axis. The last cell of an axis may have fewer. */
  readonly binsEach: readonly [number, number];
}

/** Adds up the bins so that at most `most` cells are drawn along each axis. */
export function heatOf({ counts, shape }: Joint, most: readonly [number, number]): Heat {
  const [rows, columns] = shape as [number, number];
  const binsEach = [binsPerCell(rows, most[0]), binsPerCell(columns, most[1])] as const;
  const size = [Math.ceil(rows / binsEach[0]), Math.ceil(columns / binsEach[1])] as const;
  const sums = new Float64Array(size[0] * size[1]);
  for (let row = 0; row < rows; row++) {
    const first = Math.floor(row / binsEach[0]) * size[1];
    for (let column = 0; column < columns; column++) {
      const cell = first + Math.floor(column / binsEach[1]);
      sums[cell] = sums[cell]! + counts[row * columns + column]!;
    }
  }
  return { sums, size, binsEach };
}

/** A divisor of the bins makes all cells equal. It is taken unless it would halve the resolution. */
function binsPerCell(bins: number, most: number): number {
  const least = Math.ceil(bins / most);
  for (let each = least; each < 2 * least; each++) if (bins % each === 0) return each;
  return least;
}

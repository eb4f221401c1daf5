import { PolybinError } from "../base/index.ts";
import type { CellsPlan } from "../plan/index.ts";

/** How the places of one column become cells of the result. */
export interface PlaceMap {
  /** The result's index along its axis for each place. */
  readonly codes: Uint32Array;
  /** Number of indices along the axis of the result. */
  readonly extent: number;
}

/** A device's counts of cells. */
interface Counted {
  readonly cells: Float64Array | Uint32Array;
  readonly masked: number;
}

/**
 * Converts a device's cells into those of the result, which are ordered by codes.
 * @param samples number of samples that were counted or masked.
 * @throws ERR_MISCOUNT if samples were lost or counted twice. No result is better than a wrong one.
 */
export function mergeJoint(
  { cells, masked }: Counted,
  plan: CellsPlan,
  columns: readonly PlaceMap[],
  samples: number,
): Float64Array {
  if (cells.length !== plan.cells) throw miscounted(plan, `${plan.cells} cells`, cells.length);
  const seen = sumOf(cells) + (masked >= 0 ? masked : Number.NaN);
  if (seen !== samples) throw miscounted(plan, `counts of ${samples} samples`, seen);
  if (
    columns.every(isSame) &&
    cells instanceof Float64Array &&
    cells.buffer.byteLength === cells.byteLength
  ) {
    return cells;
  }
  const out = new Float64Array(columns.reduce((product, { extent }) => product * extent, 1));
  eachRow(columns, (from, to, places) => {
    for (let place = 0; place < places.length; place++) {
      const amount = cells[from + place]!;
      if (amount > 0) out[to + places[place]!]! += amount;
    }
  });
  return out;
}

/** Returns the cell of the result for each cell of a device. */
export function resultCells(columns: readonly PlaceMap[]): Uint32Array {
  const out = new Uint32Array(columns.reduce((product, { codes }) => product * codes.length, 1));
  eachRow(columns, (from, to, places) => {
    for (let place = 0; place < places.length; place++) out[from + place] = to + places[place]!;
  });
  return out;
}

/** Visits the rows of the last column, with the first cell of each in a device's order and in that of the result. */
function eachRow(
  columns: readonly PlaceMap[],
  row: (from: number, to: number, places: Uint32Array) => void,
): void {
  const strides: number[] = [];
  let stride = 1;
  let cells = 1;
  for (const { extent, codes } of columns.toReversed()) {
    strides.unshift(stride);
    stride *= extent;
    cells *= codes.length;
  }
  const { codes: last } = columns.at(-1)!;
  const index = columns.slice(0, -1).map(() => 0);
  for (let from = 0; from < cells; from += last.length) {
    row(
      from,
      index.reduce((at, place, k) => at + columns[k]!.codes[place]! * strides[k]!, 0),
      last,
    );
    for (let k = index.length - 1; k >= 0; k--) {
      index[k]!++;
      if (index[k]! < columns[k]!.codes.length) break;
      index[k] = 0;
    }
  }
}

function isSame({ codes, extent }: PlaceMap): boolean {
  return codes.length === extent && codes.every((code, place) => code === place);
}

/** Adds counts; NaN if one is negative. */
function sumOf(cells: Float64Array | Uint32Array): number {
  let sum = 0;
  for (let cell = 0; cell < cells.length; cell++) sum += cells[cell]! < 0 ? Number.NaN : cells[cell]!;
  return sum;
}

function miscounted({ algorithm }: CellsPlan, what: string, received: number): PolybinError {
  return new PolybinError(
    "ERR_MISCOUNT",
    `expected ${what} but the device returned ${received}; the result was discarded`,
    { algorithm },
  );
}

import { PolybinError } from "../base/index.ts";
import type { JointPlan } from "../plan/index.ts";

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
  plan: JointPlan,
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
  const strides: number[] = [];
  let stride = 1;
  for (const { extent } of columns.toReversed()) {
    strides.unshift(stride);
    stride *= extent;
  }
  const { codes: last } = columns.at(-1)!;
  const index = columns.slice(0, -1).map(() => 0);
  for (let from = 0; from < cells.length; from += last.length) {
    const row = index.reduce((at, place, k) => at + columns[k]!.codes[place]! * strides[k]!, 0);
    for (let place = 0; place < last.length; place++) {
      const amount = cells[from + place]!;
      if (amount > 0) out[row + last[place]!]! += amount;
    }
    for (let k = index.length - 1; k >= 0; k--) {
      index[k]!++;
      if (index[k]! < columns[k]!.codes.length) break;
      index[k] = 0;
    }
  }
  return out;
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

function miscounted({ algorithm }: JointPlan, what: string, received: number): PolybinError {
  return new PolybinError(
    "ERR_MISCOUNT",
    `expected ${what} but the device returned ${received}; the result was discarded`,
    { algorithm },
  );
}

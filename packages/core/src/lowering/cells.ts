import { BYTE_VALUES, type DeviceLimits, FLOW_ROWS } from "../base/index.ts";
import { bitsOf, SAMPLE_TRAITS, type SampleArray } from "../input/index.ts";
import { type Lowering, lowerInto, NAN, OVERFLOW, UNDERFLOW } from "./lowering.ts";

/**
 * The rule by which a sample of several columns finds its cell. It is written here once, for kernels and for merging.
 *
 *   cell = Σ place_k * stride_k - offset          row-major: the last column has stride 1
 *
 * A sample's *place* along a column is a number below the column's *extent*:
 *
 *   raw    the bits of a byte, shifted to the right           extent 256 >> shift
 *   code   the code of the lowering                           extent bins + flow codes
 *   rank   the rank of ranks.ts (0 underflow, 1 … bins, …)    extent bins + flow codes
 *
 * Flow codes: none if no sample of the type can fall outside the bins, two for integers, which have no NaN, and three
 * for floats. A column without flow has only the ranks 1 … bins. Its first rank is then subtracted with `offset`.
 */
export interface CellColumn {
  /** The kind of place that a kernel finds for a sample: the bits of a byte, a code, or a rank. */
  readonly by: "raw" | "code" | "rank";
  /** How far a raw byte is shifted to the right; null unless `by` is "raw". */
  readonly shift: number | null;
  /** Number of places. */
  readonly extent: number;
  /** Cells from one place to the next. */
  readonly stride: number;
}

/** How the samples of several columns find their cells. */
export interface Cells {
  readonly columns: readonly CellColumn[];
  /** Subtracted from the sum of places and strides: the strides of the columns by rank without flow. */
  readonly offset: number;
  /** Number of cells, the product of the extents. */
  readonly cells: number;
}

/** The properties of a lowering that decide how its column is mixed into cells. */
export type Placed = Pick<Lowering, "kind" | "type" | "bins" | "flow"> & { readonly table?: Uint32Array };

type Place = Omit<CellColumn, "stride">;

/**
 * Returns how the samples of columns find their cells on a kind of device.
 * @param rawCells the largest number of cells for which bytes are counted by all of their 256 values. With more cells,
 * bytes whose values cannot be merged by a shift are counted by code.
 */
export function cellsOf(lowerings: readonly Placed[], kind: DeviceLimits["kind"], rawCells: number): Cells {
  const raw = lowerings.map((lowering) => placeOf(lowering, kind, true));
  const places = product(raw) <= rawCells ? raw : lowerings.map((lowering) => placeOf(lowering, kind, false));
  const columns: CellColumn[] = [];
  let stride = 1;
  for (const place of places.toReversed()) {
    columns.unshift(Object.freeze({ ...place, stride }));
    stride *= place.extent;
  }
  const isShifted = ({ by }: Place, k: number) => by === "rank" && !lowerings[k]!.flow;
  const offset = columns.reduce((sum, column, k) => (isShifted(column, k) ? sum + column.stride : sum), 0);
  return { columns: Object.freeze(columns), offset, cells: stride };
}

function product(of: readonly Place[]): number {
  return of.reduce((cells, { extent }) => cells * extent, 1);
}

/** @param whole whether a device other than a CPU counts all values of bytes that no shift can merge */
function placeOf(lowering: Placed, kind: DeviceLimits["kind"], whole: boolean): Place {
  const { type, bins, flow, table } = lowering;
  const { bytes, integer } = SAMPLE_TRAITS[type];
  const extent = bins + (flow ? (integer ? 2 : FLOW_ROWS) : 0);
  if (bytes === 1 && table !== undefined) {
    const shift = shiftOf(table);
    if (BYTE_VALUES >> shift <= extent || (kind === "gpu" && whole)) {
      return { by: "raw", shift, extent: BYTE_VALUES >> shift };
    }
    return { by: "code", shift: null, extent };
  }
  const isRanked = kind === "gpu" && lowering.kind !== "direct" && lowering.kind !== "constant";
  return { by: isRanked ? "rank" : "code", shift: null, extent };
}

/** Returns the largest shift after which bytes still find their codes. */
function shiftOf(table: Uint32Array): number {
  let shift = 0;
  const fits = (next: number) => table.every((code, value) => code === table[(value >> next) << next]);
  while (shift < 7 && fits(shift + 1)) shift++;
  return shift;
}

/**
 * Returns the code of every place of a column, which is how counts of places become counts of codes.
 * @param constant the code that all samples have, for a column whose lowering is constant
 */
export function codesOfPlaces({ by, shift, extent }: CellColumn, lowering: Lowering): Uint32Array {
  const codes = new Uint32Array(extent);
  if (lowering.kind === "constant") return codes.fill(lowering.code);
  const { bins, flow } = lowering;
  for (let place = 0; place < extent; place++) {
    if (by === "raw" && lowering.kind === "table") codes[place] = lowering.table[place << shift!]!;
    else codes[place] = by === "rank" && flow ? codeOfRank(place, bins) : place;
  }
  return codes;
}

/** Returns the code of a rank of a column with flow. */
function codeOfRank(rank: number, bins: number): number {
  if (rank === 0) return bins + UNDERFLOW;
  if (rank <= bins) return rank - 1;
  return bins + (rank === bins + 1 ? OVERFLOW : NAN);
}

/**
 * Adds a column's part to the cells of samples: place * stride for every `step`-th sample, starting at `first`.
 * @returns the number of samples
 */
export type CellFinder = (array: SampleArray, first: number, step: number, cells: Uint32Array) => number;

/** Returns the executable specification of a kernel that finds cells. */
export function plainCellFinder({ by, shift, stride, extent }: CellColumn, lowering: Lowering): CellFinder {
  if (by === "raw") {
    return (array, first, step, cells) => {
      const bits = bitsOf(array);
      let count = 0;
      for (let i = first; i < bits.length; i += step) cells[count++]! += (bits[i]! >> shift!) * stride;
      return count;
    };
  }
  const rankOf = by === "rank" ? ranksOfCodes(lowering, extent) : null;
  let codes = new Uint32Array(0);
  return (array, first, step, cells) => {
    if (codes.length < cells.length) codes = new Uint32Array(cells.length);
    const count = lowerInto(lowering, array, first, step, codes);
    for (let i = 0; i < count; i++) {
      const code = codes[i]!;
      cells[i]! += (rankOf === null ? code : rankOf[code]!) * stride;
    }
    return count;
  };
}

/** Returns the place of every code, with the first rank of a column without flow already subtracted. */
function ranksOfCodes({ bins, flow }: Lowering, extent: number): Uint32Array {
  const places = new Uint32Array(bins + FLOW_ROWS);
  for (let place = 0; place < extent; place++) places[flow ? codeOfRank(place, bins) : place] = place;
  return places;
}

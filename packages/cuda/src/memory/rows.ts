import { limits, type SegmentRange } from "@polybin/core/backend";

/** Counts of some segments, row by row, and their flow. It is null if there can be none. */
export interface RowsHome {
  readonly counts: Uint32Array | Float64Array;
  readonly flow: Uint32Array | Float64Array | null;
}

export interface RowShape {
  readonly bins: number;
  readonly flow: boolean;
  /** A segment may have 2^32 samples or more. */
  readonly wide: boolean;
}

/** Rows of one device on their way to the host. */
export interface RowsCopy<P> {
  readonly device: number;
  readonly part: P;
  readonly range: SegmentRange;
  readonly to: RowsHome;
}

/** Creates rows for some segments. `into` is the memory for the counts of the bins. */
export function rowsFor(
  segments: number,
  { bins, flow, wide }: RowShape,
  into?: Uint32Array | undefined,
): RowsHome {
  const of = (length: number) => (wide ? new Float64Array(length) : new Uint32Array(length));
  return { counts: into ?? of(segments * bins), flow: flow ? of(segments * FLOW) : null };
}

const FLOW = limits.FLOW_ROWS;

/**
 * Copies rows from several devices to the host, each to its place. If a segment is cut, the counts of the devices after
 * the first are added.
 * @param wanted the segments to copy
 * @param parts the segments that each device has, in order
 * @param bring fills the rows of all copies
 */
export async function gatherRows<P extends SegmentRange & { readonly device: number }, T>(
  wanted: SegmentRange,
  parts: readonly P[],
  shape: RowShape,
  home: RowsHome,
  bring: (copies: readonly RowsCopy<P>[]) => Promise<T>,
): Promise<T> {
  const placeOf = ({ first, end }: SegmentRange): RowsHome => {
    const some = <A extends RowsHome["counts"]>(of: A, width: number) =>
      of.subarray((first - wanted.first) * width, (end - wanted.first) * width);
    return { counts: some(home.counts, shape.bins), flow: home.flow && some(home.flow, FLOW) };
  };
  const own: RowsCopy<P>[] = [];
  const more: RowsCopy<P>[] = [];
  let done = wanted.first;
  for (const part of parts) {
    const first = Math.max(wanted.first, part.first);
    const end = Math.min(wanted.end, part.end);
    const range = { first: Math.max(done, first), end };
    const cut = { first, end: Math.min(done, end) };
    done = Math.max(done, end);
    const { device } = part;
    if (range.first < range.end) own.push({ device, part, range, to: placeOf(range) });
    if (cut.first < cut.end) more.push({ device, part, range: cut, to: rowsFor(cut.end - cut.first, shape) });
  }
  const brought = await bring([...own, ...more]);
  for (const { range, to } of more) {
    const place = placeOf(range);
    addTo(place.counts, to.counts);
    if (place.flow !== null && to.flow !== null) addTo(place.flow, to.flow);
  }
  return brought;
}

/** Adds numbers to others, one by one. */
export function addTo(to: Uint32Array | Float64Array, from: Uint32Array | Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = to[i]! + from[i]!;
}

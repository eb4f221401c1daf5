import { limits, type SegmentRange, type Segments, segmentsIn } from "@polybin/core/backend";

/**
 * Returns, for each of some consecutive parts of the pixels, the segments that have pixels in it. Together they are all
 * segments.
 */
export function segmentsOfParts(of: Segments, parts: readonly number[]): readonly SegmentRange[] {
  let at = 0;
  return parts.map((pixels) => {
    const first = at;
    at += pixels;
    return segmentsIn(of, first, at);
  });
}

/** Counts of some segments, row by row, and their flow. It is null if there can be none. */
export interface RowsHome {
  readonly counts: Uint32Array | Float64Array;
  readonly flow: Uint32Array | Float64Array | null;
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

export interface RowShape {
  readonly bins: number;
  readonly flow: boolean;
  /** A segment may have 2^32 samples or more. */
  readonly wide: boolean;
}

const FLOW = limits.FLOW_ROWS;

function part({ counts, flow }: RowsHome, { bins }: RowShape, from: number, end: number): RowsHome {
  return {
    counts: counts.subarray(from * bins, end * bins),
    flow: flow === null ? null : flow.subarray(from * FLOW, end * FLOW),
  };
}

/**
 * Copies rows from several devices to the host, each to its place. If a segment is cut, the counts of the devices after
 * the first are added.
 * @param wanted the segments to copy
 * @param of the segments that each device has
 * @param bring fills the rows of some segments of a device
 */
export async function gatherRows(
  wanted: SegmentRange,
  of: readonly SegmentRange[],
  shape: RowShape,
  home: RowsHome,
  bring: (device: number, range: SegmentRange, to: RowsHome) => Promise<void>,
): Promise<void> {
  let done = wanted.first;
  const added: { readonly range: SegmentRange; readonly rows: RowsHome }[] = [];
  const all = of.flatMap((has, device) => {
    const first = Math.max(wanted.first, has.first);
    const end = Math.min(wanted.end, has.end);
    const cut = { first, end: Math.min(done, end) };
    const own = { first: Math.max(done, first), end };
    done = Math.max(done, end);
    const calls: Promise<void>[] = [];
    if (own.first < own.end) {
      const to = part(home, shape, own.first - wanted.first, own.end - wanted.first);
      calls.push(bring(device, own, to));
    }
    if (cut.first < cut.end) {
      const rows = rowsFor(cut.end - cut.first, shape);
      added.push({ range: cut, rows });
      calls.push(bring(device, cut, rows));
    }
    return calls;
  });
  // If one fails, all others have ended, so none writes later.
  const ended = await Promise.allSettled(all);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  for (const { range, rows } of added) {
    const to = part(home, shape, range.first - wanted.first, range.end - wanted.first);
    addTo(to.counts, rows.counts);
    if (to.flow !== null && rows.flow !== null) addTo(to.flow, rows.flow);
  }
}

function addTo(to: Uint32Array | Float64Array, from: Uint32Array | Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = to[i]! + from[i]!;
}

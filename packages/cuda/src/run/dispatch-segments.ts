import {
  limits,
  type Prepared,
  type ReadOptions,
  type ResidentCounts,
  type RunOptions,
  type SegmentCounts,
  type SegmentRange,
  type Segments,
  type SegmentsInputs,
  type SegmentsJob,
  segmentsIn,
} from "@polybin/core/backend";
import { CUTS, type NativeSegmentsJob } from "../border/index.ts";
import {
  CudaRows,
  gatherRows,
  type ResidentRowsPart,
  type RowShape,
  rowsFor,
  type Share,
  withShares,
} from "../memory/index.ts";
import { longest } from "./deliver.ts";
import type { Lanes } from "./lanes.ts";
import { type PreparedSegments, prepareSegments } from "./prepare-segments.ts";

/** Prepares a count of segments, whose rows are copied to the host or stay on the devices. */
export function segments(lanes: Lanes, job: SegmentsJob): Prepared<SegmentsInputs, SegmentCounts> {
  const prepared = prepareSegments(job, lanes.count);
  return {
    launch: prepared.launch,
    count: (inputs, options) => count(lanes, prepared, inputs, options),
    leave: (inputs, options) => leave(lanes, prepared, inputs, options),
  };
}

/** A share of the samples and the segments that it has. */
interface Part extends Share, SegmentRange {
  /** Number of its first pixel among those of all samples. */
  readonly at: number;
}

async function count(
  lanes: Lanes,
  prepared: PreparedSegments,
  { input, segments: of, into }: SegmentsInputs,
  options: RunOptions,
): Promise<SegmentCounts> {
  const shape = shapeOf(prepared, of);
  const home = rowsFor(of.count, shape, into);
  const timed = lanes.isTimed(options);
  const wanted = { first: 0, end: of.count };
  const found = await withShares(input, lanes.count, (shares) => {
    // Without a pixel there is no share, and every row is 0.
    if (shares.length === 0) into?.fill(0);
    return gatherRows(wanted, partsOf(shares, of), shape, home, (copies) =>
      lanes.each(copies, options, (context, { part, range, to }, control) => {
        const job = jobOf(prepared, of, { ...part, ...range });
        return context.segments({ ...job, into: to.counts, flowInto: to.flow, timed, control });
      }),
    );
  });
  return { ...home, timings: longest(found) };
}

async function leave(
  lanes: Lanes,
  prepared: PreparedSegments,
  { input, segments: of }: SegmentsInputs,
  options: RunOptions,
): Promise<ResidentCounts> {
  const timed = lanes.isTimed(options);
  const parts = await withShares(input, lanes.count, (shares) =>
    lanes.bring(partsOf(shares, of), options, async (context, part, control) => {
      const { device, first, end } = part;
      const found = await context.segments({ ...jobOf(prepared, of, part), timed, control });
      return { device, first, end, ...found };
    }),
  );
  const shape = shapeOf(prepared, of);
  return new CudaRows(lanes, parts, longest(parts), (of, range, how) => read(lanes, of, shape, range, how));
}

/** Copies rows that stayed on the devices to the host. */
async function read(
  lanes: Lanes,
  parts: readonly ResidentRowsPart[],
  shape: RowShape,
  wanted: SegmentRange,
  options: ReadOptions,
): Promise<SegmentCounts> {
  const home = rowsFor(wanted.end - wanted.first, shape, options.into);
  if (parts.length === 0) options.into?.fill(0);
  await gatherRows(wanted, parts, shape, home, (copies) =>
    lanes.each(copies, options, (context, { part, range, to }, control) =>
      context.readRows({
        id: part.id,
        first: range.first - part.first,
        segments: range.end - range.first,
        into: to.counts,
        flowInto: to.flow,
        control,
      }),
    ),
  );
  return { ...home, timings: longest([]) };
}

function shapeOf({ bins, flow }: PreparedSegments, { longest: most }: Segments): RowShape {
  return { bins, flow, wide: most > limits.U32_MAX };
}

/** Returns the segments that have pixels in each share. Together they are all segments. */
function partsOf(shares: readonly Share[], of: Segments): Part[] {
  let end = 0;
  return shares.map((share) => {
    const at = end;
    end += share.source.pixels;
    return { ...share, ...segmentsIn(of, at, end), at };
  });
}

type Cut = Pick<
  NativeSegmentsJob,
  "cut" | "every" | "offsets" | "width" | "height" | "columns" | "imageWidth" | "imageHeight"
>;

/** Returns the job of some segments, without what differs between calls. */
function jobOf(
  prepared: PreparedSegments,
  of: Segments,
  { source, at, first, end }: Part,
): Omit<NativeSegmentsJob, "timed" | "control"> {
  const { launch, shape } = prepared;
  return {
    shape,
    source,
    at,
    partSamples: launch.partSamples,
    first,
    segments: end - first,
    pixels: of.pixels,
    longest: of.longest,
    ...shapeOf(prepared, of),
    range: launch.rangeSegments,
    ...cutOf(of, first, end),
  };
}

function cutOf(of: Segments, first: number, end: number): Cut {
  const cut = CUTS.indexOf(of.kind);
  if (of.kind === "every") return { cut, every: of.every };
  if (of.kind === "offsets") return { cut, offsets: of.offsets.subarray(first, end + 1) };
  const { width, height, columns, imageWidth, imageHeight } = of;
  return { cut, width, height, columns, imageWidth, imageHeight };
}

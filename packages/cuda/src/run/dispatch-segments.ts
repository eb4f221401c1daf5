import {
  limits,
  type ReadOptions,
  type RunOptions,
  type SegmentCounts,
  type SegmentRange,
  type Segments,
  type SegmentsInputs,
} from "@polybin/core/backend";
import { CUTS, type NativeControl, type NativeSegments, type NativeSegmentsJob } from "../border/index.ts";
import {
  gatherRows,
  type ResidentRowsPart,
  type RowShape,
  type RowsHome,
  rowsFor,
  type Share,
  segmentsOfParts,
  withShares,
} from "../memory/index.ts";
import type { Lanes } from "./dispatch.ts";
import type { PreparedSegments } from "./prepare-segments.ts";
import { talk } from "./talk.ts";

/** The segments that a share of the samples counts. */
interface Part {
  readonly share: Share;
  /** Number of its first pixel among those of all samples. */
  readonly at: number;
  readonly range: SegmentRange;
}

/** Counts an input's segments and copies their rows to the host. */
export async function dispatchSegments(
  lanes: Lanes,
  prepared: PreparedSegments,
  { input, segments, into }: SegmentsInputs,
  options: RunOptions,
  timed: boolean,
): Promise<SegmentCounts> {
  const shape = shapeOf(prepared, segments);
  const home = rowsFor(segments.count, shape, into);
  const isTimed = timed || options.timed === true;
  const found: NativeSegments[] = [];
  await withShares(input, lanes.length, async (shares) => {
    const parts = partsOf(shares, segments);
    // Without a pixel there is no share, and every row is 0.
    if (parts.length === 0) return clear(home);
    const ranges = parts.map(({ range }) => range);
    await talk(options, [
      (control) =>
        gatherRows({ first: 0, end: segments.count }, ranges, shape, home, async (i, range, to) => {
          const part = parts[i]!;
          const job = {
            ...jobOf(prepared, segments, part, range, control, isTimed),
            into: to.counts,
            flowInto: to.flow,
          };
          found.push(await lanes[part.share.device]!.run((context) => context.segments(job), options.signal));
        }),
    ]);
  });
  return { ...home, timings: timingsOf(found) };
}

/** Does the same, but the rows stay on the devices. */
export async function leaveSegments(
  lanes: Lanes,
  prepared: PreparedSegments,
  { input, segments }: SegmentsInputs,
  options: RunOptions,
  timed: boolean,
  kept: (part: ResidentRowsPart) => void,
): Promise<SegmentCounts["timings"]> {
  const isTimed = timed || options.timed === true;
  const found: NativeSegments[] = [];
  await withShares(input, lanes.length, (shares) =>
    talk(
      options,
      partsOf(shares, segments).map((part) => async (control) => {
        const job = jobOf(prepared, segments, part, part.range, control, isTimed);
        const { device } = part.share;
        const counted = await lanes[device]!.run((context) => context.segments(job), options.signal);
        kept({ device, id: counted.id, ...part.range });
        found.push(counted);
      }),
    ),
  );
  return timingsOf(found);
}

/** Copies rows that stayed on the devices to the host. */
export async function readRows(
  lanes: Lanes,
  parts: readonly ResidentRowsPart[],
  shape: RowShape,
  { first, end }: SegmentRange,
  options: ReadOptions,
): Promise<SegmentCounts> {
  const home = rowsFor(end - first, shape, options.into);
  if (parts.length === 0) clear(home);
  await talk(options, [
    (control) =>
      gatherRows({ first, end }, parts, shape, home, (i, range, to) => {
        const part = parts[i]!;
        const job = {
          id: part.id,
          first: range.first - part.first,
          segments: range.end - range.first,
          into: to.counts,
          flowInto: to.flow,
          control,
        };
        return lanes[part.device]!.run((context) => context.readRows(job), options.signal);
      }),
  ]);
  return { ...home, timings: timingsOf([]) };
}

export function shapeOf({ bins, flow }: PreparedSegments, { longest }: Segments): RowShape {
  return { bins, flow, wide: longest > limits.U32_MAX };
}

function partsOf(shares: readonly Share[], segments: Segments): Part[] {
  const ranges = segmentsOfParts(
    segments,
    shares.map(({ source }) => source.pixels),
  );
  let at = 0;
  return shares.map((share, i) => {
    const part = { share, at, range: ranges[i]! };
    at += share.source.pixels;
    return part;
  });
}

function jobOf(
  prepared: PreparedSegments,
  segments: Segments,
  { share, at }: Part,
  { first, end }: SegmentRange,
  control: NativeControl,
  timed: boolean,
): NativeSegmentsJob {
  const { launch, shape } = prepared;
  const { bins, flow, wide } = shapeOf(prepared, segments);
  return {
    shape,
    source: share.source,
    timed,
    control,
    at,
    partSamples: launch.partSamples,
    first,
    segments: end - first,
    pixels: segments.pixels,
    longest: segments.longest,
    bins,
    flow,
    wide,
    range: launch.rangeSegments,
    ...cutOf(segments, first, end),
  };
}

function cutOf(
  of: Segments,
  first: number,
  end: number,
): Pick<
  NativeSegmentsJob,
  "cut" | "every" | "offsets" | "width" | "height" | "columns" | "imageWidth" | "imageHeight"
> {
  const cut = CUTS.indexOf(of.kind);
  if (of.kind === "every") return { cut, every: of.every };
  if (of.kind === "offsets") return { cut, offsets: of.offsets.subarray(first, end + 1) };
  const { width, height, columns, imageWidth, imageHeight } = of;
  return { cut, width, height, columns, imageWidth, imageHeight };
}

function clear({ counts, flow }: RowsHome): void {
  counts.fill(0);
  flow?.fill(0);
}

/** All devices work at the same time, so the longest time counts. */
function timingsOf(all: readonly NativeSegments[]): SegmentCounts["timings"] {
  return {
    readMs: 0,
    uploadMs: Math.max(0, ...all.map(({ uploadMs }) => uploadMs)),
    kernelMs: Math.max(0, ...all.map(({ kernelMs }) => kernelMs)),
  };
}

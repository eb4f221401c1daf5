import {
  type Axis,
  checkedAxis,
  codeOfValue,
  edgesOf,
  type Intervals,
  intervalsOf,
  isClosed,
  nextUp,
  type OrderedAxis,
  variable,
} from "../../axis/index.ts";
import { expected, PolybinError } from "../../base/index.ts";
import {
  type ByteStream,
  type Countable,
  isBlob,
  isByteStream,
  type SampleType,
  typedStream,
} from "../../input/index.ts";
import { CountedHistogram, type Histogram, regrouped } from "../../result/index.ts";
import { sourceIn } from "../opened/open-backend.ts";
import type { AlgorithmOptions, CallOptions, HistogramOptions } from "../options/options.ts";
import type { EngineParts } from "./parts.ts";

/** Options of `histograms` with an axis for each channel. */
export type ChannelAxesOptions = AlgorithmOptions &
  CallOptions & {
    readonly channels?: readonly number[] | undefined;
    /** One axis per channel that is counted, in the order of `channels`. */
    readonly axes: readonly Axis[];
  };

/** The axis over which a device counts all channels in one pass, and the codes of each channel's own axis. */
export interface CommonAxis {
  readonly axis: OrderedAxis;
  /** The code on a channel's axis of each code on `axis`. */
  readonly codes: readonly Uint32Array[];
}

/**
 * Counts channels in one pass, each over its own axis.
 * @param count counts all of them over one axis.
 * @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED, ERR_LIMIT
 */
export async function countOverAxes(
  { opened, lifecycle }: Pick<EngineParts, "opened" | "lifecycle">,
  input: Countable,
  options: ChannelAxesOptions,
  count: (
    input: Countable,
    options: HistogramOptions & Pick<ChannelAxesOptions, "channels">,
  ) => Promise<Histogram[]>,
): Promise<Histogram[]> {
  const { axes: _, ...rest } = options;
  const source = isByteStream(input) ? null : sourceIn(opened, input, options.type);
  const axes = checkAxes(options, source?.channels ?? options.interleaved ?? 1);
  const over = async (of: Countable, type: SampleType): Promise<Histogram[]> => {
    const common = commonAxis(axes, type);
    return ownHistograms(await count(of, { ...rest, type, axis: common.axis }), axes, common);
  };
  const type = source?.type ?? options.type ?? (isBlob(input) ? "u8" : undefined);
  if (type !== undefined) return over(input, type);
  // The type of a stream's first piece decides the edges.
  return lifecycle.run({ signal: options.signal }, ({ signal }) =>
    lifecycle.onStream(signal, async (ending) => {
      const typed = await typedStream(input as ByteStream, undefined, ending);
      try {
        return await over(typed.bytes, typed.type);
      } finally {
        await typed.end();
      }
    }),
  );
}

/** @throws ERR_INPUT unless there is one axis for each channel, and no other option for the axis */
function checkAxes(
  { axes, ...options }: ChannelAxesOptions & Pick<HistogramOptions, "axis" | "bins" | "range" | "nice">,
  channels: number,
): readonly Axis[] {
  for (const name of ["axis", "bins", "range", "nice"] as const) {
    if (options[name] !== undefined) {
      throw new PolybinError("ERR_INPUT", `expected either axes or ${name} but received both`);
    }
  }
  const wanted = options.channels?.length ?? channels;
  if (!Array.isArray(axes) || axes.length !== wanted) {
    const received = Array.isArray(axes) ? axes.length : axes;
    throw expected("ERR_INPUT", "axes", `an array of ${wanted}, one per channel,`, received);
  }
  return axes.map(checkedAxis);
}

/**
 * Returns the axis with the edges of all axes. Each of its bins lies in one bin, or outside, of every axis.
 *
 *   axis 0    |     0     |     1     |
 *   axis 1       |  0  |       1         |
 *   common    | 0|  1  | 2|  3  |  4  | 5|      a closed end gets a bin of its own
 *
 * @throws ERR_UNSUPPORTED if samples would be converted for one of the axes.
 * @throws ERR_LIMIT if there are too many edges.
 */
export function commonAxis(axes: readonly Axis[], type: SampleType): CommonAxis {
  const all = axes.map((axis) => intervalsOf(axis, type));
  if (type === "i64" || type === "u64" || all.some(({ period }) => period !== null)) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `an axis for each channel needs samples that devices count as they are, and ${type} samples over these axes are ` +
        "converted first: count each channel in its own call",
    );
  }
  const edges = all.map(({ axis }) => edgesOf(axis, type));
  const after = all.flatMap(({ axis }, k) => (isClosed(axis) ? [nextUp(edges[k]!.at(-1)!)] : []));
  const starts = [...new Set([...edges.flatMap((one) => [...one]), ...after])].sort((a, b) => a - b);
  const axis = variable(starts, { closed: false });
  return { axis, codes: all.map((of, k) => codesOn(of, edges[k]!, starts)) };
}

/**
 * The code of every bin of the common axis, then of its underflow, overflow and NaN. Samples that overflow it overflow
 * every axis. If its last edge is Infinity, they are Infinity, which an axis with a closed infinite end counts.
 */
function codesOn({ axis, codes }: Intervals, edges: Float64Array, starts: readonly number[]): Uint32Array {
  const values = [...starts.slice(0, -1), -Infinity, Infinity, Number.NaN];
  return Uint32Array.from(values, (value) => {
    const code = codeOfValue(axis, edges, value);
    return codes === null ? code : codes[code]!;
  });
}

/** Converts the histograms over the common axis into those of each channel's own axis. */
function ownHistograms(
  found: readonly Histogram[],
  axes: readonly Axis[],
  { codes }: CommonAxis,
): Histogram[] {
  return found.map((of, k) => {
    const { counts, underflow, overflow, nan, backend, device, algorithm, plan, timings } = of;
    const provenance = { backend: backend!, device: device!, algorithm, plan, timings };
    return new CountedHistogram(
      axes[k]!,
      of.type,
      regrouped({ counts, underflow, overflow, nan }, codes[k]!, axes[k]!.bins),
      provenance,
    );
  });
}

import {
  type Axis,
  type AxisOptions,
  type BinRange,
  type BinRule,
  binsByRule,
  binsOf,
  dataRange,
  nice,
  regular,
} from "../axis/index.ts";
import type { RunOptions } from "../backend/index.ts";
import { HALF_VALUES, Turns } from "../base/index.ts";
import {
  arrayOver,
  extentOfRun,
  NO_EXTENT,
  runs,
  SAMPLE_TRAITS,
  type SampleArray,
  type Source,
  STREAM_CHUNK,
} from "../input/index.ts";
import { type Host, readable } from "./host.ts";
import { hostSamples } from "./host-samples.ts";

type Options = AxisOptions & Pick<RunOptions, "signal">;

/**
 * Returns the axis of data whose number of bins a rule picks, or whose range is extended to round numbers.
 * @throws ERR_UNSUPPORTED if a rule cannot read the samples.
 * @throws ERR_AXIS, ERR_LIMIT, ERR_INPUT for an axis that cannot be made.
 */
export async function estimatedAxis(
  host: Host,
  source: Source,
  channels: readonly number[],
  options: Options,
): Promise<Axis> {
  const { bins } = options;
  const given = givenRange(source, options);
  const rule = typeof bins === "string" ? bins : null;
  const axis =
    rule === null
      ? await overRange(host, source, channels, binsOf(options), given, options)
      : await byRule(host, source, channels, rule, given, options);
  return options.nice === true ? regular(axis.bins, ...nice(axis.lo, axis.hi, axis.bins)) : axis;
}

/** Returns the ends of the range, or null if the data decide. */
function givenRange({ type }: Source, { bins, range }: Options): readonly [number, number] | null {
  if (typeof range === "object") return range;
  const { min, max, integer } = SAMPLE_TRAITS[type];
  const isWhole: BinRange =
    range ?? (typeof bins !== "string" && integer && max - min < HALF_VALUES ? "type" : "data");
  return isWhole === "type" ? [min, max + 1] : null;
}

async function overRange(
  host: Host,
  source: Source,
  channels: readonly number[],
  bins: number,
  given: readonly [number, number] | null,
  { signal }: Options,
): Promise<ReturnType<typeof regular>> {
  if (given !== null) return regular(bins, ...given);
  const { min, max } =
    source.pixels === 0 ? NO_EXTENT : await host.device.extent(readable(host, source), channels, { signal });
  return dataRange(bins, source.type, min, max);
}

async function byRule(
  host: Host,
  source: Source,
  channels: readonly number[],
  rule: BinRule,
  given: readonly [number, number] | null,
  { signal }: Options,
): Promise<ReturnType<typeof regular>> {
  const all = await finite(host, source, channels, given, signal);
  if (given !== null) return regular(binsByRule(rule, all, given[1] - given[0], true), ...given);
  const { min, max } = extentOfRun(all, 1, [0]);
  const { lo, hi } = dataRange(1, source.type, min, max);
  const width = source.type === "f32" ? Math.fround(hi - lo) : hi - lo;
  return dataRange(binsByRule(rule, all, width, false), source.type, min, max);
}

/** Returns a copy of the finite samples of all channels that lie in the range. */
async function finite(
  host: Host,
  source: Source,
  channels: readonly number[],
  given: readonly [number, number] | null,
  signal: AbortSignal | undefined,
): Promise<SampleArray> {
  const samples = hostSamples(host, source, "a rule for the number of bins");
  const { type } = samples;
  const size = SAMPLE_TRAITS[type].bytes;
  const [lo, hi] = given ?? [-Number.MAX_VALUE, Number.MAX_VALUE];
  const found = arrayOver(type, new Uint8Array(samples.pixels * channels.length * size));
  const turns = new Turns(signal);
  let count = 0;
  for (const run of runs(samples, Math.floor(STREAM_CHUNK / size / samples.channels))) {
    for (const channel of channels) {
      for (let i = channel; i < run.length; i += samples.channels) {
        const value = run[i]!;
        if (value >= lo && value <= hi) found[count++] = value;
      }
    }
    await turns.next();
  }
  return found.subarray(0, count);
}

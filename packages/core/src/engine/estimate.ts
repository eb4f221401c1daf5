import {
  type Axis,
  type AxisParts,
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
  runs,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type SampleType,
  type Source,
  STREAM_CHUNK,
} from "../input/index.ts";
import { reduced } from "../lowering/index.ts";
import { extentIn } from "./extent-in.ts";
import type { Host } from "./host.ts";
import { hostSamples } from "./host-samples.ts";

type Options = AxisParts & Pick<RunOptions, "signal">;

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
  const { min, max } = await extentIn(host, source, channels, { signal });
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
  const isWhole = SAMPLE_TRAITS[source.type].integer;
  if (given !== null)
    return regular(binsByRule(rule, all, given[1] - given[0], { isGiven: true, isWhole }), ...given);
  const { min, max } = extentOfRun(all, 1, [0]);
  const { lo, hi } = dataRange(1, source.type, min, max);
  const width = all instanceof Float32Array ? Math.fround(hi - lo) : hi - lo;
  return dataRange(binsByRule(rule, all, width, { isGiven: false, isWhole }), source.type, min, max);
}

/** Returns a copy of the finite samples of all channels that lie in the range. */
async function finite(
  host: Host,
  source: Source,
  channels: readonly number[],
  given: readonly [number, number] | null,
  signal: AbortSignal | undefined,
): Promise<SampleArray> {
  const own = hostSamples(host, source, "a rule for the number of bins");
  const type = source.type === "f16" ? source.type : own.type;
  const samples = { ...own, type };
  const size = SAMPLE_TRAITS[type].bytes;
  const [lo, hi] = given ?? [-Number.MAX_VALUE, Number.MAX_VALUE];
  const found = numbers(type, samples.pixels * channels.length);
  const turns = new Turns(signal);
  let count = 0;
  for (const raw of runs(samples, Math.floor(STREAM_CHUNK / size / samples.channels))) {
    const run = size === 8 ? reduced(raw, AS_THEY_ARE) : raw;
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

/** 64-bit integers have no numbers of their own here; they are rounded down. */
const AS_THEY_ARE = { period: null, end: null };

/** Creates memory for numbers of a type. NumPy's rules compute in it, except for f16, whose rules compute in f32 here. */
function numbers(type: SampleType, count: number): SampleArray {
  if (type === "f16") return new Float32Array(count);
  const known = SAMPLE_TYPES.includes(type) ? type : "f64";
  return arrayOver(known, new Uint8Array(count * SAMPLE_TRAITS[known].bytes));
}

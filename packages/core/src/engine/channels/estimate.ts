import {
  type Axis,
  type AxisParts,
  binsByRule,
  binsOf,
  coversType,
  nice,
  type RegularAxis,
  regular,
  regularSpaced,
} from "../../axis/index.ts";
import type { RunOptions } from "../../backend/index.ts";
import { Turns } from "../../base/index.ts";
import {
  arrayOver,
  runs,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type Samples,
  type SampleType,
  type Source,
  STREAM_CHUNK,
} from "../../input/index.ts";
import { reduced } from "../../lowering/index.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { samplesIn } from "../samples/in-memory.ts";
import { axisOfData } from "./extent-in.ts";

type Options = AxisParts & Pick<RunOptions, "signal">;

/**
 * Returns the axis of data whose number of bins a rule picks, or whose range is extended to round numbers.
 * @throws ERR_UNSUPPORTED if a rule cannot read the samples.
 * @throws ERR_AXIS, ERR_LIMIT, ERR_INPUT for an axis that cannot be made.
 */
export async function estimatedAxis(
  opened: OpenBackend,
  source: Source,
  channels: readonly number[],
  options: Options,
): Promise<Axis> {
  const { bins, range } = options;
  const { min, max } = SAMPLE_TRAITS[source.type];
  const ofType = coversType(source.type, options) ? ([min, max + 1] as const) : null;
  const given = typeof range === "object" ? range : ofType;
  const overRange = (count: number): Promise<RegularAxis> | RegularAxis =>
    given === null
      ? axisOfData(opened, source, channels, count, { signal: options.signal })
      : regular(count, ...given);
  if (typeof bins !== "string") return extended(await overRange(binsOf(options)), options);
  // Samples that this thread cannot read are refused before a device looks for their range.
  const samples = samplesIn(opened, source, "a rule for the number of bins");
  const one = await overRange(1);
  const all = await finiteIn(one, samples, source.type, channels, options);
  const width = one.hi - one.lo;
  const count = binsByRule(
    bins,
    all,
    given === null && all instanceof Float32Array ? Math.fround(width) : width,
    { isGiven: given !== null, isWhole: SAMPLE_TRAITS[source.type].integer },
  );
  return extended(regularSpaced(count, one.lo, one.hi, one.spacing), options);
}

function extended(axis: RegularAxis, options: Options): Axis {
  return options.nice === true ? regular(axis.bins, ...nice(axis.lo, axis.hi, axis.bins)) : axis;
}

/** Returns a copy of the finite samples of all channels that lie in the range. */
async function finiteIn(
  { lo, hi }: RegularAxis,
  own: Samples,
  of: SampleType,
  channels: readonly number[],
  { signal }: Options,
): Promise<SampleArray> {
  const type = SAMPLE_TRAITS[of].valueOfBits === undefined ? own.type : of;
  const samples = { ...own, type };
  const size = SAMPLE_TRAITS[type].bytes;
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

/** Creates memory for numbers of a type. NumPy's rules compute in it, but for f16 in f32 here. */
function numbers(type: SampleType, count: number): SampleArray {
  if (SAMPLE_TRAITS[type].valueOfBits !== undefined) return new Float32Array(count);
  const known = SAMPLE_TYPES.includes(type) ? type : "f64";
  return arrayOver(known, new Uint8Array(count * SAMPLE_TRAITS[known].bytes));
}

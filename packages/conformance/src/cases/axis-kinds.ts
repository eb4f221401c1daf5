import { type Axis, log, power, type SampleType } from "@polybin/core";
import { limits, SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import { otherAxesFor } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis, samplesOfType } from "../generators.ts";
import { countByDefinition } from "../oracle/counts.ts";
import axes from "../vectors/axes.json" with { type: "json" };
import { inputOf, type Source } from "../vectors/input.ts";

/** Counts by NumPy, Boost.Histogram or exact fractions over one axis. */
interface Vector {
  readonly name: string;
  readonly type: SampleType;
  readonly source: Source;
  /** An axis as JSON, or the arguments of the function that creates it. */
  readonly axis: object;
  /** JSON has no infinity: null at the ends. */
  readonly edges: readonly (number | null)[];
  readonly counts: readonly number[];
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
}

const TITLE = `axes of numpy ${axes.numpy} and boost ${axes.boost}`;

/** Cases of axes that are spaced, open, infinite, circular, or of categories. */
export const axisKinds: Topic = ({ slugs }) => [
  ...(axes.vectors as readonly Vector[]).map(
    (vector): Case => ({ topic: TITLE, name: vector.name, run: (context) => everyNumber(vector, context) }),
  ),
  {
    topic: "kinds of axes",
    name: "every type: open, infinite, circular, and of categories",
    run: (context) => around("auto", SAMPLE_TYPES, (i, k) => (i + k) % 2 === 0, context),
  },
  { topic: "kinds of axes", name: "an axis of its own for each channel", run: eachChannel },
  ...slugs.map(
    (slug): Case => ({
      topic: "kinds of axes",
      name: `${slug}: open, infinite, circular, and of categories`,
      run: (context) => around(slug, ["f32"], (i) => i % 4 === 0, context),
    }),
  ),
];

async function everyNumber(vector: Vector, { engine, check }: Context): Promise<void> {
  const axis = axisOf(vector.axis);
  const result = await engine.histogram(samplesOf(vector), { axis });
  const edges = vector.edges.map((edge, i) => edge ?? (i === 0 ? -Infinity : Infinity));
  check.sameNumbers("edges", result.edges, edges);
  check.sameNumbers("counts", result.counts, vector.counts);
  for (const name of ["underflow", "overflow", "nan"] as const) check.same(name, result[name], vector[name]);
}

function axisOf(given: object): Axis {
  if ("log" in given) return log(...(given.log as Parameters<typeof log>));
  if ("power" in given) return power(...(given.power as Parameters<typeof power>));
  return given as Axis;
}

/** Generates the samples of `vectors/axes.py`: floats begin with special values. */
function samplesOf({ type, source }: Vector): SampleArray {
  const values = inputOf(type, source);
  if (SAMPLE_TRAITS[type].integer) return values;
  const specials = [Number.NaN, Infinity, -Infinity, 0, -0];
  const out = samplesOfType(type, specials.length + values.length);
  out.set(specials);
  out.set(values as Float64Array, specials.length);
  return out;
}

/** Counts channels in one pass, and compares each with the definition over its own axis. */
async function eachChannel({ engine, check }: Context): Promise<void> {
  for (const type of ["u8", "i16", "u32", "f32", "f64"] as const) {
    const all = otherAxesFor(type).filter((axis) => axis.type !== "circular");
    const axes = [all[0]!, all[1]!, all[2]!, all[4]!];
    const samples = samplesOfType(type, 4 * 300);
    for (const [channel, axis] of axes.entries()) {
      const own = aroundAxis(axis, type, 300);
      for (let i = 0; i < 300; i++) samples[4 * i + channel] = own[i]!;
    }
    const found = await engine.histograms({ data: samples, channels: 4 }, { axes });
    for (const [channel, axis] of axes.entries()) {
      const expected = countByDefinition(axis, type, samples, channel, 4);
      check.histogram(`${type}, channel ${channel}`, found[channel]!, expected);
    }
  }
}

async function around(
  algorithm: string,
  types: readonly SampleType[],
  wanted: (axis: number, type: number) => boolean,
  { engine, check }: Context,
): Promise<void> {
  for (const [k, type] of types.entries()) {
    for (const axis of otherAxesFor(type).filter((_, i) => wanted(i, k))) {
      const samples = aroundAxis(axis, type, limits.BYTE_VALUES + 3);
      await check.counts(engine, samples, type, axis, { algorithm }, { name: "around its edges" });
    }
  }
}

import { type Axis, log, power, type SampleType } from "@polybin/core";
import { SAMPLE_TRAITS, type SampleArray } from "@polybin/core/backend";
import type { Case, Context, Topic } from "../case.ts";
import { samplesOfType } from "../generators.ts";
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

/** Known counts over axes that are spaced, open, infinite, circular, or of categories. */
export const axisKinds: Topic = () =>
  (axes.vectors as readonly Vector[]).map(
    (vector): Case => ({ topic: TITLE, name: vector.name, run: (context) => everyNumber(vector, context) }),
  );

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

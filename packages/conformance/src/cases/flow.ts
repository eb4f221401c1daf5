import type { Axis } from "@polybin/core";
import { integer, regular, type SampleType, variable } from "@polybin/core";
import { limits, SAMPLE_TRAITS, SAMPLE_TYPES } from "@polybin/core/backend";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis, extremesOf, samplesOfType } from "../generators.ts";
import { type FloatType, neighbour } from "../oracle/floats.ts";

const FLOATS: readonly FloatType[] = ["f32", "f64"];
/** Largest finite numbers. */
const F32_MAX: number = neighbour("f32", Infinity, -1);
const F64_MAX = Number.MAX_VALUE;
const F64_LEAST = Number.MIN_VALUE;
const F32_LEAST: number = neighbour("f32", 0, 1);

/**
 * Cases of samples that are hard to place: NaN, infinities, zeros, denormals, exact edges, and types outside the
 * axis.
 */
export const flow: Topic = ({ slugs }) =>
  slugs.flatMap((slug): Case[] => [
    {
      topic: "flow",
      name: `${slug}: NaN of every kind, infinities, zeros, denormals`,
      run: (context) => specials(slug, context),
    },
    {
      topic: "flow",
      name: `${slug}: every edge, its neighbours, the closed last bin`,
      run: (context) => everyEdge(slug, context),
    },
    {
      topic: "flow",
      name: `${slug}: axes outside the type's range, and at its ends`,
      run: (context) => outside(slug, context),
    },
  ]);

/** Axes whose edges are at or between the special values of a float type. */
function specialAxes(type: FloatType): readonly Axis[] {
  const [least, most] = type === "f32" ? [F32_LEAST, F32_MAX] : [F64_LEAST, F64_MAX];
  return [
    regular(10, -1, 1),
    regular(3, 0, 1),
    regular(limits.PER_THREAD_64_BINS, -most / 2, most / 2),
    regular(4, 0, 4 * least),
    regular(limits.PER_THREAD_64_BINS, -20 * least, 44 * least),
    regular(limits.PER_THREAD_64_BINS, 0, 2 ** 20 * least),
    integer(-2, 3),
    integer(0, 1),
    variable([-most, -1, -least, 0, least, 1, most]),
    variable([-0, 1]),
    variable([-1, 0]),
    // These edges are between or outside all f32 values.
    variable([-1e300, 1e300]),
    variable([-1e39, -0.1, 1e-46, 0.1, 0.30000000000000004, 1e39]),
    variable([1, 1 + 2 ** -52, 1 + 2 ** -23, 2]),
  ];
}

async function specials(algorithm: string, { engine, check }: Context): Promise<void> {
  for (const type of FLOATS) {
    const once = extremesOf(type);
    // The samples repeat, so that every lane of a word meets every value.
    const samples = samplesOfType(type, 5 * once.length - 2);
    for (let at = 0; at < samples.length; at += once.length) {
      (samples as Float64Array).set((once as Float64Array).subarray(0, samples.length - at), at);
    }
    for (const axis of specialAxes(type)) {
      await check.counts(engine, samples, type, axis, { algorithm, name: "specials" });
    }
    const nan = samplesOfType(type, 77).fill(Number.NaN);
    await check.counts(engine, nan, type, regular(10, -1, 1), { algorithm, name: "NaN only" });
    for (const value of [Infinity, -Infinity, -0]) {
      const samples = samplesOfType(type, 77).fill(value);
      await check.counts(engine, samples, type, regular(10, 0, 1), { algorithm, name: `${value} only` });
    }
  }
}

function edgeAxes(type: SampleType): readonly Axis[] {
  const { integer: isInteger } = SAMPLE_TRAITS[type];
  const bins = limits.PER_THREAD_64_BINS;
  const unit = isInteger ? 100 : 1;
  return [
    regular(10, 0, unit),
    regular(bins - 1, -0.1 * unit, 0.7 * unit),
    regular(3, 0.1 * unit, unit),
    regular(1, 0, unit),
    integer(0, 10),
    integer(-5, 5),
    variable([0, 0.1, 0.2, 0.30000000000000004, 0.7, 1].map((edge) => edge * unit)),
    variable(Array.from({ length: bins + 1 }, (_, i) => (i * i) / 41 - 10)),
    ...(isInteger
      ? []
      : [regular(7, 1, neighbour(type as FloatType, 1, 1) + 2 ** -20), regular(2, 1e6, 1e6 + 1)]),
  ];
}

async function everyEdge(algorithm: string, { engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    for (const axis of edgeAxes(type)) {
      // This is long enough that every edge and each of its neighbours occurs.
      const samples = aroundAxis(axis, type, 24 * axis.bins + 99);
      await check.counts(engine, samples, type, axis, { algorithm, name: "edges" });
    }
  }
}

/** Axes below, above and across each end of an integer type. */
function outsideAxes(type: SampleType): readonly Axis[] {
  const { min, max } = SAMPLE_TRAITS[type];
  return [
    integer(max + 1, max + 11),
    integer(min - 10, min),
    integer(min - 10, min + 1),
    integer(max, max + 10),
    integer(min, min + 10),
    integer(max - 9, max + 1),
    regular(10, max + 1, max + 100),
    regular(10, min - 100, min - 1),
    regular(10, max, max + 100),
    regular(10, min - 100, min),
    regular(10, max + 0.5, max + 1),
    regular(10, max - 9.5, max + 0.5),
    variable([max + 0.5, max + 1.5]),
    variable([min - 1.5, min - 0.5]),
    variable([min - 1, min, min + 1, max - 1, max, max + 1]),
    variable([min, max]),
    variable([-1e300, 1e300]),
    variable([0.25, 0.5, 0.75]),
  ];
}

async function outside(algorithm: string, { engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES.filter((one) => SAMPLE_TRAITS[one].integer)) {
    for (const axis of outsideAxes(type)) {
      const samples = aroundAxis(axis, type, 203);
      await check.counts(engine, samples, type, axis, { algorithm, name: "extremes" });
    }
  }
}

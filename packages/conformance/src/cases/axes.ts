import type { Axis } from "@polybin/core";
import { limits, SAMPLE_TYPES, type SampleArray, type SampleType, type Slug } from "@polybin/core";
import { axesFor, describeAxis, fewAxesFor } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis } from "../generators.ts";
import { countByDefinition, type Expected } from "../oracle.ts";

const BINS: readonly number[] = [1, 2, limits.PER_THREAD_64_BINS, limits.BYTE_VALUES, 1000, limits.MAX_BINS];

/** Bins from which on each kind of axis is tried once. */
const MANY_BINS = 4096;

/** Every slug x sample type x kind of axis, samples flowing off both sides. */
export const axes: Topic = ({ slugs }) =>
  slugs.flatMap((slug) =>
    BINS.map(
      (bins): Case => ({
        topic: "axes",
        name: `${slug}: ${bins} bins of every type and kind of axis`,
        run: (context) => everyAxis(slug, bins, context),
      }),
    ),
  );

async function everyAxis(algorithm: Slug, bins: number, { engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    for (const axis of bins < MANY_BINS ? axesFor(type, bins) : fewAxesFor(type, bins)) {
      const { samples, expected } = around(axis, type);
      await check.counts(engine, samples, type, axis, { algorithm }, { name: "around its edges", expected });
    }
  }
}

interface Workload {
  readonly samples: SampleArray;
  readonly expected: Expected;
}

/** An odd number, so that words of any width have a tail. */
const SAMPLES = 999;
const known = new Map<string, Workload>();

/** The same samples for every slug. */
function around(axis: Axis, type: SampleType): Workload {
  const key = `${type} ${describeAxis(axis)}`;
  let found = known.get(key);
  if (found === undefined) {
    const samples = aroundAxis(axis, type, SAMPLES);
    found = { samples, expected: countByDefinition(axis, type, samples) };
    known.set(key, found);
  }
  return found;
}

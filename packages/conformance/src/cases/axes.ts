import { limits, SAMPLE_TYPES } from "@polybin/core/backend";
import { axesFor, fewAxesFor } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis } from "../generators.ts";
import { workload } from "../workload.ts";

const BINS: readonly number[] = [1, 2, limits.PER_THREAD_64_BINS, limits.BYTE_VALUES, 1000, limits.MAX_BINS];

const EDGES = "around its edges";

/** Number of bins from which each kind of axis is tested only once. */
const MANY_BINS = 4096;

/** Cases of every slug, sample type and kind of axis, with samples outside both ends. */
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

async function everyAxis(algorithm: string, bins: number, { engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    for (const axis of bins < MANY_BINS ? axesFor(type, bins) : fewAxesFor(type, bins)) {
      const { samples, expected } = workload(axis, type, EDGES, () => aroundAxis(axis, type, SAMPLES));
      await check.counts(engine, samples, type, axis, { algorithm, name: EDGES, expected });
    }
  }
}

/** An odd number, so that words of any width have a tail. */
const SAMPLES = 999;

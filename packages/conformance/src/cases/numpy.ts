import {
  type Axis,
  type Histogram,
  type HistogramOptions,
  regular,
  type SampleType,
  variable,
} from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Case, Topic } from "../case.ts";
import { inputOf, type Source } from "../vectors/input.ts";
import numpy from "../vectors/numpy.json" with { type: "json" };

/** The result of numpy.histogram for one input. */
interface Vector {
  readonly name: string;
  readonly type: SampleType;
  readonly source: Source;
  /** The kind of axis: a given range, given edges, or the range of the data. */
  readonly axis: "range" | "edges" | "data";
  readonly range?: readonly number[];
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly underflow: number;
  readonly overflow: number;
}

/** Cases of NumPy's edges and counts, which every slug must reproduce bit for bit. */
export const numpyVectors: Topic = ({ slugs }) =>
  (numpy.vectors as readonly Vector[]).map(
    (vector): Case => ({
      topic: `numpy ${numpy.numpy}`,
      name: vector.name,
      async run({ engine, check }) {
        const samples = inputOf(vector.type, vector.source);
        const given = optionsOf(vector);
        const compare = (what: string, result: Histogram): void => {
          check.sameNumbers(`${what}: edges`, result.edges, vector.edges);
          check.sameNumbers(`${what}: counts`, result.counts, vector.counts);
          check.same(`${what}: underflow`, result.underflow, vector.underflow);
          check.same(`${what}: overflow`, result.overflow, vector.overflow);
          check.same(`${what}: nan`, result.nan, 0);
        };
        for (const algorithm of ["auto", ...slugs] as const) {
          await check.unlessRefused(algorithm, async () =>
            compare(algorithm, await engine.histogram(samples, { ...given, algorithm })),
          );
        }
      },
    }),
  );

function optionsOf({ type, axis, range, edges, counts }: Vector): HistogramOptions {
  // All types except those of 8 and 16 bits use the data's range by default.
  const own = SAMPLE_TRAITS[type].bytes <= 2 ? { range: "data" as const } : {};
  if (axis === "data") return { bins: counts.length, ...own };
  const found: Axis = axis === "edges" ? variable(edges) : regular(counts.length, range![0]!, range![1]!);
  return { axis: found };
}

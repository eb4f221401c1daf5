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

/** What numpy.histogram says of one input. */
interface Vector {
  readonly name: string;
  readonly type: SampleType;
  readonly source: Source;
  /** A given range, given edges, or the range of the data. */
  readonly axis: "range" | "edges" | "data";
  readonly range?: readonly number[];
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly underflow: number;
  readonly overflow: number;
}

/** Edges and counts are NumPy's, bit for bit, with every slug. */
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
  // The default of all types but those of 8 and 16 bits.
  const own = SAMPLE_TRAITS[type].bytes <= 2 ? { range: "data" as const } : {};
  if (axis === "data") return { bins: counts.length, ...own };
  const found: Axis = axis === "edges" ? variable(edges) : regular(counts.length, range![0]!, range![1]!);
  return { axis: found };
}

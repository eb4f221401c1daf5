import { type Axis, histogramSync, regular, variable } from "@polybin/core/sync";
import { inputOf, type Source } from "../../src/vectors/input.ts";
import numpy from "../../src/vectors/numpy.json" with { type: "json" };

/** What `numpy.histogram` returned, and for which samples. */
interface Vector {
  readonly name: string;
  readonly type: "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64";
  readonly source: Source;
  readonly axis: "range" | "edges" | "data";
  readonly range?: readonly [number, number];
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly underflow: number;
  readonly overflow: number;
}

function optionsOf({ axis, range, edges, counts }: Vector): { axis: Axis } | { bins: number; range: "data" } {
  const bins = counts.length;
  if (axis === "data") return { bins, range: "data" };
  return { axis: axis === "edges" ? variable(edges) : regular(bins, ...range!) };
}

const isSame = (found: ArrayLike<number>, wanted: readonly number[]): boolean =>
  found.length === wanted.length && wanted.every((value, i) => found[i] === value);

/** The names of the vectors that `histogramSync` counts, and of those that it does not count as NumPy does. */
export function compare(): { names: string[]; wrong: string[] } {
  const vectors = numpy.vectors as readonly Vector[];
  const wrong = vectors.filter((vector) => {
    const found = histogramSync(inputOf(vector.type, vector.source), optionsOf(vector));
    return !(
      isSame(found.edges, vector.edges) &&
      isSame(found.counts, vector.counts) &&
      isSame([found.underflow, found.overflow, found.nan], [vector.underflow, vector.overflow, 0])
    );
  });
  const namesOf = (some: readonly Vector[]) => some.map(({ name, type }) => `${type} ${name}`);
  return { names: namesOf(vectors), wrong: namesOf(wrong) };
}

Object.assign(globalThis, { outcome: compare() });

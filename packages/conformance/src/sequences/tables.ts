import type { FeatureTableInit } from "@polybin/core";
import type { Numbers } from "../oracle/cells.ts";
import { maskData, weightsData } from "../request/expected.ts";
import { numbersOf } from "../request/samples.ts";
import { featureValues, packedValues, sumByDefinition } from "../weighting.ts";
import type { StepOf, TableOf } from "./step.ts";

type Sums = StepOf<"sums">;

/** The values of each feature of a table. */
const rowsOf = ({ documents, bins, seed }: TableOf): readonly Uint16Array[] =>
  bins.map((of, feature) => featureValues(of, documents, { kind: "zeros", share: 0.3 }, 8 * seed + feature));

export function tableInit(of: TableOf): FeatureTableInit {
  const { type, documents, bins } = of;
  return { values: packedValues(type, rowsOf(of)), type, features: bins.length, documents, bins };
}

/** Weights whose sums, and those of their squares, are exact in doubles and in a table's integers. */
export function tableWeights({
  table,
  weights: seed,
}: Pick<Sums, "table" | "weights">): Float32Array<ArrayBuffer> {
  const of = { seed, type: "f32", of: "eighths", form: "array", channels: 1 } as const;
  const [data] = weightsData({ ...of, squares: false, precision: "reproducible" }, table.documents);
  return Float32Array.from(numbersOf(data, 0));
}

/** A list of ascending documents; undefined: all. */
export function tableDocuments({
  table,
  documents,
}: Pick<Sums, "table" | "documents">): Uint32Array<ArrayBuffer> | undefined {
  if (documents === null) return undefined;
  const mask = numbersOf(maskData({ seed: documents, form: "array" }, table.documents), 0);
  return Uint32Array.from(mask.keys()).filter((i) => mask[i] !== 0);
}

/** Adds up by the definition. */
export function expectedSums(step: Sums): Numbers {
  const { table, counts, squares } = step;
  const weights = tableWeights(step);
  const chosen = Uint32Array.from(tableDocuments(step) ?? weights.keys());
  return Object.fromEntries(
    rowsOf(table).flatMap((row, feature) => {
      const found = sumByDefinition(row, table.bins[feature]!, weights, chosen);
      return [
        ...(counts ? [[`counts ${feature}`, found.counts]] : []),
        [`sums ${feature}`, found.sums],
        ...(squares ? [[`squares ${feature}`, found.squares]] : []),
      ];
    }),
  );
}

import type { FeatureTableInit } from "@polybin/core";
import type { Numbers } from "../oracle/cells.ts";
import { Random } from "../random.ts";
import { maskData, weightsData } from "../request/expected.ts";
import { numbersOf } from "../request/samples.ts";
import type { StepOf, TableOf } from "./step.ts";

type Sums = StepOf<"sums">;

/** The values of a table, feature by feature. */
export function tableInit({ type, documents, bins, seed }: TableOf): FeatureTableInit {
  const random = new Random(seed);
  const values = new (type === "u8" ? Uint8Array : Uint16Array)(bins.length * documents);
  for (const [feature, most] of bins.entries()) {
    for (let i = 0; i < documents; i++) {
      values[feature * documents + i] = random.below(3) === 0 ? 0 : random.below(most);
    }
  }
  return { values, type, features: bins.length, documents, bins };
}

/** Weights whose sums, and those of their squares, are exact in doubles and in a table's integers. */
export function tableWeights({
  table,
  weights: seed,
}: Pick<Sums, "table" | "weights">): Float32Array<ArrayBuffer> {
  const of = { seed, type: "f32", of: "eighths", form: "array", channels: 1 } as const;
  const data = weightsData({ ...of, squares: false, precision: "reproducible" }, table.documents);
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
  const { values } = tableInit(table);
  const weights = tableWeights(step);
  const all = table.bins.map(
    (bins) => [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)] as const,
  );
  for (const i of tableDocuments(step) ?? weights.keys()) {
    for (const [feature, [counted, sums, squared]] of all.entries()) {
      const bin = (values as Uint8Array)[feature * table.documents + i]!;
      counted[bin]!++;
      sums[bin]! += weights[i]!;
      squared[bin]! += weights[i]! ** 2;
    }
  }
  return Object.fromEntries(
    all.flatMap(([counted, sums, squared], feature) => [
      ...(counts ? [[`counts ${feature}`, counted]] : []),
      [`sums ${feature}`, sums],
      ...(squares ? [[`squares ${feature}`, squared]] : []),
    ]),
  );
}

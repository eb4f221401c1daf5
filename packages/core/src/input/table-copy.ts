import { fixedBytes, nameOfArray } from "./bytes.ts";
import type { FeatureTableInit } from "./table.ts";

/**
 * Copies the values and the bins of a description, which is checked later. A description without an array of values stays
 * as it is.
 * @throws ERR_INPUT for memory that is gone.
 */
export function copiedTable(init: FeatureTableInit): FeatureTableInit {
  const { values, bins, features } = init ?? {};
  if (!ArrayBuffer.isView(values) || nameOfArray(values) === undefined) return init;
  fixedBytes(values, "values");
  const isList = typeof bins === "object" && bins !== null && bins.length === features;
  return { ...init, values: values.slice(), bins: isList ? Array.from(bins) : bins };
}

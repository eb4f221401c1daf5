import type { Axis } from "@polybin/core";
import { edge, inputsName, plural } from "../base/index.ts";
import type { ColumnInput } from "./result.ts";

/** The input and its bins in one line. @param input `samples` is null if their number is unknown */
export function titleOf(
  input: Omit<ColumnInput, "samples" | "kind"> & { readonly samples: number | null },
  axis: Axis,
  edges: Float64Array,
  text: (value: number) => string = edge,
): string {
  const spread = `[${text(edges[0]!)}, ${text(edges[axis.bins]!)}${axis.type === "integer" ? ")" : "]"}`;
  return `${inputsName(input.name, input.files)}  ${size(input)} of ${input.type}, ${plural(axis.bins, "bin")} over ${spread}`;
}

function size({ samples, width, height }: Parameters<typeof titleOf>[0]): string {
  if (width !== null) return `${width} x ${height} pixels`;
  return samples === null ? "a stream" : plural(samples, "value");
}

import type { Axis } from "@polybin/core";
import type { InputDescription } from "../result.ts";
import { edge, inputName, plural } from "./words.ts";

/** The input and its bins in one line. @param input `samples` is null if their number is unknown */
export function titleOf(
  input: Omit<InputDescription, "samples"> & { readonly samples: number | null },
  axis: Axis,
  edges: Float64Array,
): string {
  const spread = `[${edge(edges[0]!)}, ${edge(edges[axis.bins]!)}${axis.type === "integer" ? ")" : "]"}`;
  return `${inputName(input.name)}  ${size(input)} of ${input.type}, ${plural(axis.bins, "bin")} over ${spread}`;
}

function size({ samples, width, height }: Parameters<typeof titleOf>[0]): string {
  if (width !== null) return `${width} x ${height} pixels`;
  return samples === null ? "a stream" : plural(samples, "value");
}

import { PolybinError } from "@polybin/core";
import { printable } from "../../base/index.ts";
import type { Source } from "../../input/index.ts";
import type { Watch } from "../../terminal/index.ts";
import { Chunks } from "./chunks.ts";
import { weight } from "./fields.ts";
import type { Documents } from "./libsvm.ts";
import { eachLine } from "./lines.ts";

/** One weight per document. */
export interface NamedWeights {
  /** The name of their file. Null if they are the labels. */
  readonly name: string | null;
  /** As 32-bit floats. */
  readonly values: Float32Array;
}

/**
 * Reads weights, one per line, in the order of the documents. `#` begins a comment.
 * @throws ERR_INPUT, with file and line, for text that is not a finite 32-bit float
 */
export async function readWeights(source: Source, signal: AbortSignal, watch: Watch): Promise<NamedWeights> {
  const weights = new Chunks(Float32Array);
  await eachLine(source, signal, watch, (text, place) => weights.push(weight(text, "a weight", place)));
  return { name: source.name, values: weights.gathered() };
}

/** Checks that each document has a weight. @throws ERR_INPUT */
export function checkCount({ name, values }: NamedWeights, { labels }: Documents): void {
  if (values.length === labels.length) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected ${labels.length} weights, one per document, in ${printable(name ?? "")} but received ${values.length}`,
  );
}

import { PolybinError } from "@polybin/core";
import { printable } from "../output/words.ts";
import type { Watch } from "../progress.ts";
import { weight } from "./fields.ts";
import { Growing } from "./growing.ts";
import { eachLine } from "./lines.ts";
import type { Source } from "./source.ts";

/**
 * Reads weights, one a line, in the order of the documents. `#` begins a comment.
 * @throws ERR_INPUT, with file and line, for what is no finite 32-bit float; for a wrong number of weights.
 */
export async function readWeights(
  source: Source,
  documents: number,
  signal: AbortSignal,
  watch: Watch,
): Promise<Float32Array> {
  const weights = new Growing(Float32Array);
  await eachLine(source, signal, watch, (text, place) => weights.push(weight(text, "a weight", place)));
  if (weights.length === documents) return weights.values;
  throw new PolybinError(
    "ERR_INPUT",
    `expected ${documents} weights, one a document, in ${printable(source.name)} but received ${weights.length}`,
  );
}

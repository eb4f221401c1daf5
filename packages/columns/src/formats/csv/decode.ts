import type { Decoded } from "../../pool/index.ts";
import { decodedBy, HERE, pooledReaders, type TextAnswer } from "../lib/text/index.ts";
import { compiledOf } from "./compiled.ts";
import { type CsvTask, decodePlain } from "./plain.ts";

/** Decodes a piece of a CSV file, in WebAssembly if that is wanted and reads the piece, else in JavaScript. */
export async function decode(task: CsvTask): Promise<Decoded<TextAnswer>> {
  const compiled = task.isCompiled ? await compiledOf(task, HERE, pooledReaders) : null;
  return (await decodedBy(compiled, task.bytes)) ?? decodePlain(task);
}

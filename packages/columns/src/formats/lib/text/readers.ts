import type { CsvRequest, JsonlRequest, TextPartReader, TextReader } from "@polybin/native/readers";
import { readers } from "../bytes/index.ts";

/** Compiled readers of text. */
export interface CompiledReaders {
  readonly csv: TextReader<CsvRequest> | TextPartReader<CsvRequest>;
  readonly jsonl: TextReader<JsonlRequest> | TextPartReader<JsonlRequest>;
}

/**
 * Returns the readers of this process: those of the addon, with threads of its own, or without an addon those in
 * WebAssembly, which each thread of a pool has. Null: JavaScript reads.
 */
export async function compiledReaders(): Promise<CompiledReaders | null> {
  const { csvReader, jsonlReader } = await readers();
  const [csv, jsonl] = [csvReader(), jsonlReader()];
  return csv === null || jsonl === null ? pooledReaders() : { csv, jsonl };
}

/** Returns those in WebAssembly. */
export async function pooledReaders(): Promise<CompiledReaders | null> {
  const { textInWebAssembly } = await readers();
  return textInWebAssembly();
}

/** Says what reads CSV and JSON lines in this process. The values and errors are the same. */
export async function textReader(): Promise<"addon" | "WebAssembly" | "JavaScript"> {
  const found = await compiledReaders();
  if (found === null) return "JavaScript";
  return "readPart" in found.csv ? "addon" : "WebAssembly";
}

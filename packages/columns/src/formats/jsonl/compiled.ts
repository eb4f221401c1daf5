import type { TextColumn } from "@polybin/native/readers";
import { readers } from "../lib/bytes/index.ts";
import {
  type Compiled,
  compiledBy,
  compiledReaders,
  type Read,
  type Sharing,
  storedOf,
} from "../lib/text/index.ts";
import type { Builder } from "../lib/values/index.ts";
import { parseValue } from "./lines.ts";
import { addValue, type JsonlTask } from "./plain.ts";

const LINE_FEED = 0x0a;

type Columns = Omit<JsonlTask, "bytes" | "isCompiled">;

/**
 * Returns the compiled decoder of some columns. It leaves values that it does not read exactly to the builders of columns,
 * and pieces with anything that is rare or wrong to `decodePlain`.
 * @param from returns the readers. Default: those of this process
 * @returns null if the reader is missing, or does not read these columns
 */
export async function compiledOf(
  { fields, newline, columns }: Columns,
  sharing: Sharing,
  from: typeof compiledReaders = compiledReaders,
): Promise<Compiled | null> {
  const stored = columns.map(storedOf);
  // A lone surrogate would become another character.
  if (newline !== LINE_FEED || stored.includes(null) || !fields.every(({ key }) => key.isWellFormed()))
    return null;
  const [{ TEXT_MOST_BYTES }, found] = await Promise.all([readers(), from()]);
  if (found === null || sharing.partBytes > TEXT_MOST_BYTES) return null;
  const request = { fields, columns: stored as TextColumn[], threads: sharing.threads };
  return compiledBy(found.jsonl, request, { encoding: "utf-8", columns, add: addText }, sharing);
}

/** Adds the text of a value that the reader left. It leaves no nulls. */
const addText = ({ type }: Read, text: string, builder: Builder): boolean =>
  addValue(builder, type, parseValue(text)!);

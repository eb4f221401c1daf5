/** Compiled readers of files of text. */
export { type CsvRequest, csvReader } from "./csv.ts";
export { type JsonlRequest, jsonlReader } from "./jsonl.ts";
export {
  type Stored,
  TEXT_MOST_BYTES,
  type TextColumn,
  type TextFound,
  type TextPart,
  type TextPlace,
  type TextReader,
  type TextValues,
} from "./text.ts";

/** Requests for columns of text, and the columns that compiled code returns. */
export {
  packedColumns,
  type Stored,
  type TextColumn,
  type TextPartReader,
  type TextPlace,
  type TextReader,
} from "./columns.ts";
export { type CsvRequest, packedCsv } from "./csv.ts";
export { type JsonlRequest, packedFields } from "./jsonl.ts";

/** Compiled readers of files. */
export { type CsvRequest, csvReader } from "./csv.ts";
export { type JsonlRequest, jsonlReader } from "./jsonl.ts";
export {
  type Layout,
  type PageCodec,
  type PageEncoding,
  type PageKind,
  type PagesFound,
  type PagesRequest,
  type PagesTo,
  type ParquetPage,
  type ParquetReader,
  parquetReader,
} from "./parquet.ts";
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

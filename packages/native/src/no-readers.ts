import type { CsvRequest } from "./csv.ts";
import type { JsonlRequest } from "./jsonl.ts";
import type { ParquetReader } from "./parquet.ts";
import type { TextReader } from "./text.ts";

/** Return null: a page has no addon. */
export const csvReader = (): TextReader<CsvRequest> | null => null;
export const jsonlReader = (): TextReader<JsonlRequest> | null => null;
export const parquetReader = (): ParquetReader | null => null;

export { TEXT_MOST_BYTES } from "./platform/limits.ts";

import type { ParquetReader } from "./parquet.ts";
import type { CsvRequest, JsonlRequest, TextPartReader } from "./text/index.ts";
import type { TextReaders } from "./webassembly/index.ts";

/** Return null: a page has no addon. */
export const csvReader = (): TextPartReader<CsvRequest> | null => null;
export const jsonlReader = (): TextPartReader<JsonlRequest> | null => null;
export const parquetReader = (): ParquetReader | null => null;

export { TEXT_MOST_BYTES } from "./platform/limits.ts";

/** As in Node. */
export const textInWebAssembly = async (): Promise<TextReaders | null> =>
  (await import("./webassembly/index.ts")).openedText();

/** Compiled readers of files. */
import type { TextReaders } from "./webassembly/index.ts";

export { csvReader, jsonlReader } from "./addon-readers.ts";
export type { TextFound, TextPart, TextValues } from "./border/index.ts";
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
/** The largest part of a file that `readPart` takes. */
export { TEXT_MOST_BYTES } from "./platform/index.ts";
export type {
  CsvRequest,
  JsonlRequest,
  Stored,
  TextColumn,
  TextPartReader,
  TextPlace,
  TextReader,
} from "./text/index.ts";
export type { TextReaders };

/**
 * Returns the readers of text in WebAssembly, which read on the calling thread, or null where there is none: the build had no
 * compiler for it, or this machine refuses its code.
 */
export const textInWebAssembly = async (): Promise<TextReaders | null> =>
  (await import("./webassembly/index.ts")).openedText();

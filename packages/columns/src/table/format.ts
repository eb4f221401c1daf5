import type { ByteSource } from "../source/index.ts";
import type { Table } from "./types.ts";

/** Options that every format takes, checked. */
export interface CommonOptions {
  /** Threads that decode. 0: the calling thread decodes. Default: the number of processors. */
  readonly threads?: number | undefined;
  /** Bytes of text or rows per part, for formats whose files have no parts of their own. Default: 8 MiB. */
  readonly partBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file format: one folder of `formats`, one object. */
export interface Format<O extends CommonOptions = CommonOptions> {
  readonly name: string;
  /** Endings of names, in lower case and with the point. */
  readonly extensions: readonly string[];
  /** Names of the options that this format takes in addition to the common ones. */
  readonly options: readonly Exclude<keyof O, keyof CommonOptions>[];
  /** Whether the first bytes of a file are those of this format. `head` holds at least 512 bytes, or the whole file. */
  detect(head: Uint8Array, name: string): boolean;
  /** Opens a table. The table owns the source from then on and closes it. If opening fails, the caller closes it. */
  open(source: ByteSource, options: O): Promise<Table>;
}

import type { ValueArray } from "../../../table/index.ts";

/** The values of a column in a batch, as a thread returns them. Strings have codes and a dictionary, others values. */
export interface Values {
  readonly nulls: number;
  readonly bits: Uint8Array<ArrayBuffer> | null;
  readonly values: ValueArray | null;
  readonly codes: Uint32Array<ArrayBuffer> | null;
  readonly dictionary: readonly string[] | null;
}

/** The values of a column in a batch without their rows, as CountsChunk describes them. */
export interface Counted {
  readonly nulls: number;
  readonly values: ValueArray | readonly string[];
  readonly counts: Uint32Array<ArrayBuffer>;
}

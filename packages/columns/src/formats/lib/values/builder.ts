import type { Chunk } from "../../../table/index.ts";

/** Collects the values of one column of a batch. */
export interface Builder {
  /** Adds a text that is not null. Returns false, and adds nothing, if the text does not fit the type. */
  add(text: string): boolean;
  /** Adds a number. Returns false, and adds nothing, if the number does not fit the type. */
  addNumber(value: number | bigint): boolean;
  addNull(): void;
  finish(): Chunk;
}

import type { TextColumn } from "./columns.ts";

/** Columns to read from lines with an object of JSON each. */
export interface JsonlRequest {
  /** The names of all fields, without lone surrogates. */
  readonly names: readonly string[];
  /** Each with its place among the names. */
  readonly columns: readonly TextColumn[];
  /** Threads that read pieces at the same time. 0: the calling thread reads. */
  readonly threads: number;
}

import type { Axis, SampleType, SegmentsInit } from "@polybin/core";
import type { Given } from "../rules.ts";
import type { Data, Form } from "./samples.ts";

/** How a request names its axis: an axis, one of `AXES` by its index, anew or shared with other requests; or bins and a range. */
export type Over =
  | { readonly axis: number | Axis; readonly anew: boolean }
  | { readonly bins: number; readonly range: readonly [number, number] | "data" | "type" };

/** A column: one channel of samples, and its axis. Columns of one and the same `data` are channels of one input. */
export interface Column {
  readonly data: Data;
  readonly channel: number;
  readonly over: Over;
}

/** Which pixels are counted. Numbers are seeds. */
export interface Select {
  readonly mask: { readonly seed: number; readonly form: Form | "bits" } | null;
  readonly where: { readonly seed: number; readonly length: number } | null;
}

/** The groups of pixels. */
export interface By {
  readonly seed: number;
  readonly groups: number;
  readonly type: SampleType;
  readonly form: Form;
}

/** Weights of pixels. */
export interface Weighing {
  readonly seed: number;
  readonly type: SampleType;
  /** Eighths, whose sums doubles hold, or weights of all sizes. */
  readonly of: "eighths" | "all sizes";
  readonly form: Form;
  /** Interleaved samples per pixel. The last of them are the weights. */
  readonly channels: number;
  readonly squares: boolean;
  readonly precision: "reproducible" | "fast";
  /** Further columns of weights, of both types of floats in turn: the call has a list, even of one. Absent: no list. */
  readonly more?: number;
}

/** The number of results for each selection of columns: one for each column of weights. */
export const columnsOfWeights = ({ weights }: Pick<Request, "weights">): number => 1 + (weights?.more ?? 0);

/** The algorithm of a call and its parameters. */
export interface How {
  readonly algorithm: string;
  readonly parameters: Given;
}

/** The rows of a result: one, one per group, or one per segment, which stay on the device with `leave`. */
export type RowsOf = null | { readonly by: By } | { readonly cut: SegmentsInit; readonly leave: boolean };

/**
 * How columns are given, and what is asked of them.
 *
 *   list       one column, or a list of columns that are counted together
 *   channels   the channels of one input, counted together
 *   each       a result for each channel of one input, over one axis
 *   each own   the same, with an axis for each
 */
export type As = "list" | "channels" | "each" | "each own";

/** The call of a request. It is an engine's, a counter's, or one into memory of the device. */
export type Way = "call" | "count" | "countSync" | "countAll" | "accumulate" | "encode";

/** A request in plain data: columns, selection, rows and storage, and how it is asked. */
export interface Request {
  readonly columns: readonly Column[];
  readonly as: As;
  readonly select: Select;
  readonly rows: RowsOf;
  /** Null: only counts. */
  readonly weights: Weighing | null;
  readonly how: How | null;
  readonly way: Way;
}

/** Whether each column has a result of its own. */
export const isEach = ({ as }: Pick<Request, "as">): boolean => as === "each" || as === "each own";

/** A column without selection, rows or weights, which is counted by a call. */
export const PLAIN: Omit<Request, "columns"> = {
  as: "list",
  select: { mask: null, where: null },
  rows: null,
  weights: null,
  how: null,
  way: "call",
};

import type { SampleType, SegmentsInit } from "@polybin/core";
import type { Given } from "../rules.ts";
import type { Data } from "./samples.ts";

/** How a request names its axis: one of `AXES`, as an object that others share or as one of its own; or bins and a range. */
export type Over =
  | { readonly axis: number; readonly anew: boolean }
  | { readonly bins: number; readonly range: readonly [number, number] | "data" | "type" };

/** Which pixels are counted, and how they are grouped. Numbers are seeds. */
export interface Select {
  readonly mask: { readonly seed: number; readonly as: "bytes" | "bits" } | null;
  readonly where: { readonly seed: number; readonly length: number } | null;
  readonly by: { readonly seed: number; readonly groups: number; readonly type: "u8" | "u16" | "i32" } | null;
}

/** Weights of pixels. */
export interface Weighing {
  readonly seed: number;
  readonly bits: 32 | 64;
  readonly squares: boolean;
}

/** The algorithm of a call and its parameters. */
export interface How {
  readonly algorithm: string;
  readonly parameters: Given;
}

/** One column of a joint request. */
export interface ColumnOf {
  readonly data: Data;
  readonly channel: number;
  readonly over: Over;
}

/** Everything that a counter is prepared with. */
export interface CounterOf {
  readonly type: SampleType;
  readonly interleaved: number;
  readonly channels: readonly number[];
  readonly over: Over;
  readonly how: How | null;
}

/** A feature table. */
export interface TableOf {
  readonly type: "u8" | "u16";
  readonly documents: number;
  readonly bins: readonly number[];
  readonly seed: number;
}

/**
 * A request in plain data. A step names everything that it needs: counters, tables and residents are made when the first
 * step names them. So any step can be left out of a sequence, and the rest still means the same.
 */
export type Step =
  | (ColumnOf & {
      readonly kind: "histogram";
      readonly select: Select | null;
      readonly weights: Weighing | null;
      readonly how: How | null;
      /** Whether the call is aborted at once. It then rejects with the reason, or returns what it returns otherwise. */
      readonly aborted: boolean;
    })
  | {
      readonly kind: "histograms";
      readonly data: Data;
      readonly channels: readonly number[];
      /** One axis, or one for each channel. */
      readonly over: Over | readonly Over[];
      readonly how: How | null;
    }
  | (ColumnOf & { readonly kind: "segments"; readonly cut: SegmentsInit; readonly leave: boolean })
  | {
      readonly kind: "joint";
      readonly columns: readonly ColumnOf[];
      readonly select: Select | null;
      readonly weights: Weighing | null;
      readonly prepared: boolean;
    }
  | {
      readonly kind: "counter";
      readonly of: CounterOf;
      readonly way: "count" | "countSync" | "countAll" | "accumulate";
      readonly inputs: readonly Data[];
    }
  | { readonly kind: "take" | "free"; readonly of: CounterOf }
  | (ColumnOf & { readonly kind: "stream"; readonly piece: number })
  | {
      readonly kind: "sums";
      readonly table: TableOf;
      readonly weights: number;
      readonly documents: number | null;
      readonly counts: boolean;
      readonly squares: boolean;
      readonly skip: boolean;
      readonly algorithm: string;
    }
  | { readonly kind: "extent"; readonly data: Data }
  | { readonly kind: "release"; readonly data: Data }
  | (ColumnOf & { readonly kind: "explain"; readonly how: How | null })
  | (ColumnOf & { readonly kind: "wrong" })
  | { readonly kind: "together"; readonly steps: readonly Step[] }
  | { readonly kind: "reopen" };

/** The numbers of a result, by name. */
export type Numbers = Readonly<Record<string, ArrayLike<number>>>;

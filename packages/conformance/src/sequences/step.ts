import type { How, Request } from "../request/request.ts";
import type { Data } from "../request/samples.ts";

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
  | {
      readonly kind: "ask";
      readonly request: Request;
      /** Whether the call is aborted at once. It then rejects with the reason, or returns what it returns otherwise. */
      readonly aborted: boolean;
    }
  | {
      /** Requests with which one counter is prepared. Only `countAll` has several. */
      readonly kind: "counter";
      readonly way: "count" | "countSync" | "countAll" | "accumulate";
      readonly requests: readonly Request[];
    }
  | { readonly kind: "take"; readonly of: Request }
  | { readonly kind: "free"; readonly of: Request }
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
  /** It counts nothing: `explain`, or a call that is refused. */
  | { readonly kind: "explain"; readonly request: Request; readonly how: How | null }
  | { readonly kind: "wrong"; readonly request: Request; readonly how: How | null }
  | { readonly kind: "together"; readonly steps: readonly Step[] }
  | { readonly kind: "reopen" };

export type StepOf<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>;

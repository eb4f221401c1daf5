/** A measured task, or why it was not. */
export type Measured =
  | { readonly task: string; readonly why: string }
  | {
      readonly task: string;
      /** Milliseconds of the median call of polybin's fastest backend here. */
      readonly best: number;
      readonly where: string;
      /** Every way that was measured. */
      readonly all: string;
      /** Milliseconds of a plain JavaScript loop over the same samples; null if it cannot do the task. */
      readonly loopMs: number | null;
    };

/** A message of the worker: its present task, or a result. */
export type Step = { readonly about: string } | Measured;

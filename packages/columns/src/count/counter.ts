import type { Axis, Engine, JointCounter, JointPrepareOptions, SampleType } from "@polybin/core";
import { samples } from "@polybin/core/backend";
import { type Batch, sampleTypeOf } from "../table/index.ts";
import type { Keys } from "./keys.ts";
import type { Choice } from "./options.ts";
import type { Picked } from "./pick.ts";
import { inputOf, namesOf, type Rows, rowsOf } from "./rows.ts";

/** A planned count. */
interface Plan {
  readonly picked: Picked;
  /** One per counted column. */
  readonly axes: readonly Axis[];
  readonly keys: Keys | null;
  /** Whether the columns of weights are a list. */
  readonly isList: boolean;
  readonly choice: Choice;
}

/** Adds up the rows of batches. While the engine counts a batch, the next one is decoded. */
export class Counter {
  readonly #engine: Engine;
  readonly #plan: Plan;
  #counter: JointCounter<unknown> | null = null;

  constructor(engine: Engine, plan: Plan) {
    this.#engine = engine;
    this.#plan = plan;
  }

  /**
   * Adds batches of the columns of `namesOf`.
   * @param counted receives each batch that is not needed any more
   */
  async add(
    batches: AsyncIterable<Batch> | Iterable<Batch>,
    signal: AbortSignal | undefined,
    counted: (batch: Batch) => void,
  ): Promise<void> {
    const { picked, keys, isList } = this.#plan;
    const columns = namesOf(picked);
    let running: Promise<void> = Promise.resolve();
    try {
      for await (const batch of batches) {
        const rows = rowsOf(batch, columns, picked);
        const input = inputOf(rows, keys, isList);
        this.#counter ??= await this.#prepared(rows);
        await running;
        running = this.#counter.accumulate(input, { signal }).then(() => counted(batch));
        // The error is thrown where the promise is awaited.
        running.catch(() => {});
      }
      await running;
      signal?.throwIfAborted();
    } finally {
      await running.catch(() => {});
    }
  }

  async take(signal: AbortSignal | undefined): Promise<unknown> {
    this.#counter ??= await this.#prepared(null);
    return this.#counter.take({ signal });
  }

  async free(): Promise<void> {
    await this.#counter?.free();
  }

  /** @param rows the first rows, whose arrays show the types: dates may have 32 bits. Null: there are none */
  async #prepared(rows: Rows | null): Promise<JointCounter<unknown>> {
    const { picked, axes, keys, isList, choice } = this.#plan;
    const typeOf = (i: number): SampleType =>
      rows === null ? sampleTypeOf(picked.counted[i]!.type)! : samples(rows.counted[i]!.values).type;
    const weights = picked.weights.map(({ type }) =>
      type.kind === "number" && type.type === "f32" ? "f32" : "f64",
    );
    const options: JointPrepareOptions = {
      ...choice,
      columns: axes.map((axis, i) => ({ type: typeOf(i), axis })),
      ...(keys !== null && { by: { type: "u32", groups: keys.size } }),
      ...(weights.length > 0 && { weights: isList ? weights : weights[0]! }),
    };
    return (await this.#engine.prepare(options)) as JointCounter<unknown>;
  }
}

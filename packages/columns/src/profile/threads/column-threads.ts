import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { PolybinError } from "@polybin/core";
import { sampleTypeOf } from "../../table/index.ts";
import { ByteReader } from "../bytes.ts";
import { MOST_COLUMN_THREADS } from "../limits.ts";
import { ColumnPartial } from "../partial/column-partial.ts";
import type { ColumnPlan } from "../partial/plan.ts";
import { hasSums } from "../pass/adding.ts";
import type { DenseValues } from "../pass/dense.ts";
import type { ColumnValues, FromThread, Start, ToThread } from "./message.ts";
import { fillSlot, SLOT_VALUES, SLOTS, slotsMemory } from "./slots.ts";

/** The thread's module. It is TypeScript if this one is, which Node runs as it is. */
const ADDER = new URL(
  import.meta.url.endsWith(".ts") ? "../adder.ts" : "../profile/adder.js",
  import.meta.url,
);

/** How much slower a point in time is than a number: it is counted by the calendar, too. */
const TIME_WEIGHT = 2;

/** Threads that add up columns. Each column has one, so that nothing merges and memory does not grow with their number. */
export class ColumnThreads {
  readonly #threads: readonly ColumnThread[];
  /** The thread of each column. Null: the column has nothing to add up. */
  readonly #of: readonly (ColumnThread | null)[];

  /**
   * @param partials the columns of a pass
   * @param most threads to start, up to MOST_COLUMN_THREADS. Default: the number of processors
   */
  constructor(partials: readonly ColumnPartial[], most: number = availableParallelism()) {
    const isAdded = partials.map(
      (partial) => sampleTypeOf(partial.plan.logical) !== null && hasSums(partial),
    );
    const columns = isAdded.filter((is) => is).length;
    const plans = partials.map(({ plan }) => plan);
    const count = Math.min(most, MOST_COLUMN_THREADS, columns);
    this.#threads = Array.from({ length: count }, () => new ColumnThread(plans));
    const loads = this.#threads.map((thread) => ({ thread, weight: 0 }));
    this.#of = plans.map((plan, i) => {
      if (!isAdded[i]) return null;
      const least = loads.reduce((a, b) => (b.weight < a.weight ? b : a));
      least.weight += weightOf(plan);
      return least.thread;
    });
  }

  /** Whether a thread adds up a column. */
  has(column: number): boolean {
    return this.#of[column] !== null;
  }

  /**
   * Adds values of a column, and those with counts to its bins. Resolves when they have been copied, and may change.
   * @throws ERR_WORKER if the thread died.
   */
  async add(column: number, values: DenseValues): Promise<void> {
    await this.#of[column]?.add(column, values);
  }

  /** Adds the sums of all threads to the columns. @throws ERR_WORKER if a thread died. */
  async addTo(partials: readonly ColumnPartial[]): Promise<void> {
    for (const sums of await Promise.all(this.#threads.map((thread) => thread.sums()))) {
      for (const [column, bytes] of sums) {
        const partial = partials[column]!;
        partial.merge(ColumnPartial.read(new ByteReader(bytes), partial.plan));
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

const weightOf = ({ logical }: ColumnPlan): number =>
  logical.kind === "timestamp" || logical.kind === "date" ? TIME_WEIGHT : 1;

type Sums = Extract<FromThread, { kind: "sums" }>["columns"];

class ColumnThread {
  readonly #worker: Worker;
  readonly #memory = slotsMemory();
  readonly #free = Array.from({ length: SLOTS }, (_, slot) => slot);
  readonly #posted: ColumnValues[] = [];
  /** Those that wait for a slot. */
  readonly #waiting: PromiseWithResolvers<number>[] = [];
  readonly #started = Promise.withResolvers<void>();
  #asked: PromiseWithResolvers<Sums> | null = null;
  #failure: PolybinError | null = null;

  constructor(plans: readonly ColumnPlan[]) {
    const workerData: Start = { plans, memory: this.#memory };
    this.#worker = new Worker(ADDER, { workerData });
    this.#worker.on("message", (message: FromThread) => this.#hear(message));
    this.#worker.on("error", (error: unknown) =>
      this.#fail(error instanceof Error ? error.message : String(error), error),
    );
    this.#worker.on("exit", () => this.#fail("it ended"));
  }

  async add(column: number, values: DenseValues): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    for (let from = 0; from < values.values.length; from += SLOT_VALUES) {
      const slot = this.#free.pop() ?? (await this.#slot());
      this.#post({ column, filled: fillSlot(this.#memory, slot, values, from) });
    }
  }

  async sums(): Promise<Sums> {
    if (this.#failure !== null) throw this.#failure;
    this.#asked ??= Promise.withResolvers();
    this.#send();
    this.#say(null);
    return await this.#asked.promise;
  }

  /** Ends the thread. Ending one while it loads its modules may crash the process (Node 26). */
  async close(): Promise<void> {
    await this.#started.promise;
    this.#failure ??= new PolybinError("ERR_INPUT", "expected open threads but they are closed");
    await this.#worker.terminate();
  }

  /** Waits for a slot. */
  async #slot(): Promise<number> {
    this.#send();
    if (this.#failure !== null) throw this.#failure;
    const waiting = Promise.withResolvers<number>();
    this.#waiting.push(waiting);
    return await waiting.promise;
  }

  /** Lets the thread add values, with what else is posted at once: a message costs much. */
  #post(values: ColumnValues): void {
    if (this.#posted.push(values) === 1) queueMicrotask(() => this.#send());
  }

  #send(): void {
    if (this.#posted.length > 0) this.#say(this.#posted.splice(0));
  }

  #say(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    if (message.kind === "started") this.#started.resolve();
    else if (message.kind === "sums") this.#asked?.resolve(message.columns);
    else if (message.kind === "failed") this.#fail(message.message);
    else {
      for (const slot of message.slots) {
        const next = this.#waiting.shift();
        if (next === undefined) this.#free.push(slot);
        else next.resolve(slot);
      }
    }
  }

  #fail(what: string, cause?: unknown): void {
    this.#started.resolve();
    this.#failure ??= new PolybinError(
      "ERR_WORKER",
      `a thread that adds up columns failed (${what}): you can repeat the call`,
      { cause },
    );
    this.#asked?.reject(this.#failure);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

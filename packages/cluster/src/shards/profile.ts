import type { Chunk, CountsBatch, CountsChunk, ReadOptions, Table } from "@polybin/columns";
import { batchesFor, PassCounting, type PassPlan, ProfilePartial } from "@polybin/columns/profile";
import { checkPlan } from "./check-plan.ts";
import type { FileRows, Payload } from "./payload.ts";
import type { Counting, Rows, ShardCounter } from "./run/counter.ts";
import type { Task } from "./task.ts";

/** Counts one pass of a profile, whose plan is the options of the task. */
class ProfileCounter implements ShardCounter {
  readonly #plan: PassPlan;
  readonly #counting: PassCounting;
  readonly #signal: AbortSignal | undefined;
  readonly #files = new Map<number, number>();

  constructor(plan: PassPlan, counting: PassCounting, signal: AbortSignal | undefined) {
    this.#plan = plan;
    this.#counting = counting;
    this.#signal = signal;
  }

  read(table: Table, options: ReadOptions, file: number): AsyncIterable<CountsBatch> {
    return batchesFor(table, this.#plan, options, { file, see: (rows) => this.#counting.see(rows) });
  }

  async add({ rows, file, columns }: Rows<Chunk | CountsChunk>): Promise<void> {
    this.#files.set(file, (this.#files.get(file) ?? 0) + rows);
    await this.#counting.add({ rows, part: null, columns }, { signal: this.#signal });
  }

  async take(): Promise<Payload> {
    const partial = await this.#counting.take();
    const files: FileRows[] = [...this.#files].sort(([a], [b]) => a - b);
    return { count: "profile", rows: partial.rows, files, bytes: partial.toBytes() };
  }

  close(): Promise<void> {
    return this.#counting.close();
  }
}

/** @throws ERR_INPUT, ERR_LIMIT for options that are no plan */
export async function profileCounter(task: Task, { engine, signal }: Counting): Promise<ShardCounter> {
  const plan = checkPlan(task);
  return new ProfileCounter(plan, await PassCounting.open(engine, plan), signal);
}

/** Adds up two partial profiles of a task. @throws ERR_INPUT if one is damaged */
export function mergeProfiles(a: Uint8Array, b: Uint8Array, task: Task): Uint8Array {
  const plan = checkPlan(task);
  return ProfilePartial.fromBytes(a, plan).merge(ProfilePartial.fromBytes(b, plan)).toBytes();
}

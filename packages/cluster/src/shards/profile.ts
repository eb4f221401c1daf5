import { PassCounting, ProfilePartial } from "@polybin/columns/profile";
import { checkPlan } from "./check-plan.ts";
import type { FileRows, Payload } from "./payload.ts";
import type { Counting, Rows, ShardCounter } from "./run/counter.ts";
import type { Task } from "./task.ts";

/** Counts one pass of a profile, whose plan is the options of the task. */
class ProfileCounter implements ShardCounter {
  readonly #counting: PassCounting;
  readonly #signal: AbortSignal | undefined;
  readonly #files = new Map<number, number>();

  constructor(counting: PassCounting, signal: AbortSignal | undefined) {
    this.#counting = counting;
    this.#signal = signal;
  }

  async add({ rows, file, columns }: Rows): Promise<void> {
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
  return new ProfileCounter(await PassCounting.open(engine, checkPlan(task)), signal);
}

/** Adds up two partial profiles of a task. @throws ERR_INPUT if one is damaged */
export function mergeProfiles(a: Uint8Array, b: Uint8Array, task: Task): Uint8Array {
  const plan = checkPlan(task);
  return ProfilePartial.fromBytes(a, plan).merge(ProfilePartial.fromBytes(b, plan)).toBytes();
}

import type { Payload } from "./payload.ts";
import { sha256 } from "./task.ts";

/** The first and the last shard of a run of shards. */
export type Run = readonly [first: number, last: number];

/** The result of some shards of a task. */
export interface PartialResult {
  /** SHA-256 of the task, in hexadecimal digits. */
  readonly task: string;
  /** The job of its shards: see `Shard`. */
  readonly job: string;
  /** Number of shards of the task. */
  readonly of: number;
  /** The shards that are in it: ascending runs with gaps between them. */
  readonly covered: readonly Run[];
  readonly payload: Payload;
}

/** Returns the key under which a partial is kept: it names the task and the shards, and nothing of what was counted. */
export function partialKey({ task, job, of, covered }: Omit<PartialResult, "payload">): string {
  return sha256(JSON.stringify([task, job, of, covered]));
}

/** Returns the runs of shards that are not in a partial. */
export function missingShards({ of, covered }: Pick<PartialResult, "of" | "covered">): Run[] {
  const missing: Run[] = [];
  let next = 0;
  for (const [first, last] of [...covered, [of, of] as Run]) {
    if (first > next) missing.push([next, first - 1]);
    next = last + 1;
  }
  return missing;
}

/** The most runs that a text names. */
const NAMED_RUNS = 10;

/** Names shards, such as "0, 3 to 7 and 12 more runs". */
export function shardNames(runs: readonly Run[]): string {
  const named = runs
    .slice(0, NAMED_RUNS)
    .map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const more = runs.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more runs` : ""}`;
}

import type { ShardRange } from "./tree.ts";

/**
 * The work that workers do. The queue moves tasks, shards and bytes, and knows nothing of what they mean. Equal arguments
 * must give equal bytes on every machine.
 */
export interface Computation<Task = unknown, Shard = unknown> {
  /** Checks a task from Redis. Nothing is opened. @throws ERR_INPUT, ERR_LIMIT */
  checkTask(given: unknown): Task;
  /** Checks a shard from the queue, which must have this place in its task. Nothing is opened. @throws ERR_INPUT */
  checkShard(given: unknown, task: Task, place: { readonly index: number; readonly of: number }): Shard;
  /** Counts one shard of a task. */
  count(task: Task, shard: Shard, signal: AbortSignal): Promise<Uint8Array>;
  /** Checks a partial result from Redis. @throws ERR_INPUT unless it is whole, and has the counts of exactly these shards */
  checkPartial(bytes: Uint8Array, task: Task, shards: ShardRange): void;
  /** Merges partial results, in their order. They have been checked. */
  merge(task: Task, parts: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array>;
  /** Releases what the computation keeps between shards. */
  close?(): Promise<void>;
}

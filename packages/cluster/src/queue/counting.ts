import { type Engine, PolybinError } from "@polybin/core";
import {
  checkShard,
  checkTask,
  checkVersions,
  decodePartial,
  encodePartial,
  mergePartials,
  type PartialResult,
  partialHead,
  runShard,
  type Shard,
  type Task,
  taskId,
} from "../shards/index.ts";
import type { Computation } from "./computation.ts";
import { OpenTables } from "./open-tables.ts";

/** Bytes of partial results that a merge reads before it adds them up. */
const MERGE_BYTES = 67_108_864;

/** Files of a shard that are open at the same time. */
const MAX_OPEN = 16;

/** Places that a worker may open, and the threads with which it decodes. */
export interface CountingOptions {
  readonly allow: readonly string[];
  readonly threads?: number | undefined;
  /** Bytes of a partial result that a merge accepts. Default: those that its format allows. */
  readonly maxPartialBytes?: number | undefined;
}

/** The computation of a cluster: the shards of a task, counted by an engine. */
export function countingOf(engine: Engine, options: CountingOptions): Computation<Task, Shard> {
  const { allow, threads, maxPartialBytes: maxBytes } = options;
  const limits = maxBytes === undefined ? {} : { maxBytes };
  const tables = new OpenTables({ allow, threads });
  return {
    checkTask(given) {
      const task = checkTask(given);
      // Whatever a client sent, no worker reads a stream of its own in place of the client's.
      checkVersions(task.files);
      return task;
    },
    checkShard(given, task, { index, of }) {
      const shard = checkShard(given, task);
      if (shard.index === index && shard.of === of) return shard;
      throw new PolybinError(
        "ERR_INPUT",
        `expected shard ${index} of ${of} but received shard ${shard.index} of ${shard.of}`,
      );
    },
    async count(task, shard, signal) {
      // A shard of a large number of files opens one after the other.
      const files = shard.reads.length <= MAX_OPEN ? shard.reads.map(({ file }) => file) : [];
      return tables.use(task, files, signal, async (open) =>
        encodePartial(await runShard(engine, task, shard, { allow, threads, signal, tables: open })),
      );
    },
    checkPartial(bytes, task, { first, end, of }) {
      const head = partialHead(bytes, limits);
      const isOfTask = head.task === taskId(task) && head.of === of;
      if (isOfTask && head.covered.join(";") === `${first},${end - 1}`) return;
      throw new PolybinError("ERR_INPUT", "the partial result has the counts of other shards");
    },
    async merge(task, parts, signal) {
      let some: PartialResult[] = [];
      let bytes = 0;
      for await (const part of parts) {
        signal.throwIfAborted();
        some.push(decodePartial(part, limits));
        bytes += part.byteLength;
        if (bytes <= MERGE_BYTES) continue;
        some = [await mergePartials(some, task)];
        bytes = 0;
      }
      return encodePartial(await mergePartials(some, task));
    },
    close: () => tables.close(),
  };
}

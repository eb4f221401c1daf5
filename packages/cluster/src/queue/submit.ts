import { setTimeout as sleep } from "node:timers/promises";
import { isPolybinError, PolybinError, type Progress } from "@polybin/core";
import type { Client } from "./client.ts";
import { countedBits, flowOf } from "./flow.ts";
import { queueId } from "./keys.ts";
import { KEEP_SECONDS, POLL_MS, RETRY_MS, RUNS } from "./limits.ts";
import { isLost } from "./lost.ts";
import { failureOf } from "./missing.ts";
import { LostPartial } from "./spill.ts";
import { rootOf, type Tree } from "./tree.ts";

/** One pass over the data: a task cut into shards. */
export interface JobRequest {
  /** 64 hexadecimal digits that stand for the task and its cut: equal ids have equal results. */
  readonly id: string;
  readonly name: string;
  /** The task as JSON. */
  readonly task: string;
  readonly shards: readonly unknown[];
  readonly width: number;
  /** Checks the result, which Redis may have lost or changed. @throws PolybinError if it is not that of all shards */
  readonly check?: ((bytes: Uint8Array) => void) | undefined;
  /** Describes what a shard reads, for errors. */
  readonly describe?: ((shard: number) => string) | undefined;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of counted shards and of all shards. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Runs whose flow may be lost or broken before something must be wrong with Redis. Default: 20. */
  readonly runs?: number | undefined;
}

/** Looks at a running job between two looks at its flow. */
const LOOKS = 10;

/**
 * Has a job counted by the workers of a queue and waits for its result. A job that runs already is only waited for, a
 * finished one answers from what is kept, and one that ended early goes on with its missing shards.
 *
 * An abort ends the wait. The job goes on.
 * @throws ERR_INPUT if the name belongs to another request.
 * @throws the code of the shard's error if a shard failed three times.
 * @throws ERR_UNAVAILABLE if the job was cancelled, Redis is lost, or it loses the flow of 20 runs.
 */
export async function runJob(
  client: Client,
  request: JobRequest,
  options: WaitOptions = {},
): Promise<Buffer> {
  const { id, name, task, shards, width } = request;
  const { store } = client;
  const tree: Tree = { shards: shards.length, width };
  const { runs = RUNS } = options;
  let stale: number | null = null;
  let reason = "";
  for (let i = 0; i < runs; i++) {
    options.signal?.throwIfAborted();
    const { state, run } = await store.begin({ id, name, task, tree, keep: KEEP_SECONDS }, stale);
    if (state === "taken") {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a new name for another request but received ${name}, which is taken; ` +
          `choose another name, or remove the old job: polybin cluster gc ${name}`,
      );
    }
    const ended =
      state === "begun" && !(await added(client, request, tree, run))
        ? { bytes: null, run, reason: "the connection to Redis was lost" }
        : await watch(client, request, tree, options);
    if (ended.bytes !== null) return ended.bytes;
    ({ run: stale, reason } = ended);
  }
  throw new PolybinError(
    "ERR_UNAVAILABLE",
    `job ${name} lost its flow ${runs} times, the last time because ${reason}; ` +
      "is something else changing its keys in Redis? Counted shards are kept: ask again when Redis works",
  );
}

/**
 * Adds the missing nodes. Returns false if the connection was lost, so that nobody knows whether Redis has them: a new run
 * ignores those of the old one.
 */
async function added(client: Client, request: JobRequest, tree: Tree, run: number): Promise<boolean> {
  try {
    await addMissing(client, request, tree, run);
    return true;
  } catch (error) {
    if (!isLost(error)) throw error;
    await sleep(RETRY_MS);
    return false;
  }
}

/** Adds a flow of the nodes that have no result yet. */
async function addMissing(
  { store, flows }: Client,
  request: JobRequest,
  tree: Tree,
  run: number,
): Promise<void> {
  const { id, shards } = request;
  const kept = await store.kept(id, tree);
  await store.forgetFailures(id);
  await store.setCounted(id, countedBits(tree, kept), KEEP_SECONDS);
  const flow = flowOf({ id, run, tree, shards, kept });
  if (flow !== null) {
    await flows.add(flow);
    return;
  }
  const { bytes } = await totalOf({ store }, request, tree, run);
  // Keeping it once more marks the job as done. Without the bytes, the next look finds the job without its flow.
  if (bytes !== null) await store.keep(id, tree, rootOf(tree), bytes);
}

type Ended =
  | { readonly bytes: Buffer }
  | { readonly bytes: null; readonly run: number; readonly reason: string };

/** Waits until a job has ended. No bytes: its flow or its result is lost, so it must be started again. */
async function watch(
  client: Client,
  request: JobRequest,
  tree: Tree,
  { signal, onProgress }: WaitOptions,
): Promise<Ended> {
  const { id, name } = request;
  const { store } = client;
  const lost = { at: 0 };
  for (let look = 1; ; look++) {
    signal?.throwIfAborted();
    const { state, run, done } = await store.standing(id);
    onProgress?.({ done, total: tree.shards });
    if (state === "done") {
      return totalOf(client, request, tree, run);
    }
    if (state === "failed") throw await failure(client, request, tree);
    if (state === "cancelled") {
      throw new PolybinError(
        "ERR_UNAVAILABLE",
        `job ${name} was cancelled after ${done} of ${tree.shards} shards`,
      );
    }
    // A Redis that is killed can lose its last second, in which the job began. Running jobs are never removed.
    if (state === null) return { bytes: null, run, reason: "its record was not in Redis any more" };
    if (look % LOOKS === 0) {
      const root = await client.queue.getJob(queueId(id, run, rootOf(tree)));
      const inQueue = root === undefined ? "unknown" : await root.getState();
      // A shard that fails ends its job first. So if the job still runs, its flow has failed for want of a result or an entry
      // that Redis lost, and both can be made again.
      if (inQueue === "failed" && (await store.standing(id)).state === "running") {
        return { bytes: null, run, reason: `its flow failed (${root?.failedReason})` };
      }
      // A job that was just begun by another client has no flow yet, so one look is not enough.
      if (inQueue !== "unknown") lost.at = 0;
      else if (lost.at === run)
        return { bytes: null, run, reason: "its entries were not in the queue any more" };
      else lost.at = run;
    }
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

/** Reads the result of a job that is done. */
async function totalOf(
  { store }: Pick<Client, "store">,
  { id, check }: JobRequest,
  tree: Tree,
  run: number,
): Promise<Ended> {
  let bytes: Buffer | null;
  try {
    bytes = await store.total(id, tree);
  } catch (error) {
    if (error instanceof LostPartial) return { bytes: null, run, reason: error.message };
    throw error;
  }
  if (bytes === null) return { bytes, run, reason: "its result was not in Redis any more" };
  try {
    check?.(bytes);
    return { bytes };
  } catch (error) {
    if (!isPolybinError(error)) throw error;
    await store.drop(id, rootOf(tree));
    return { bytes: null, run, reason: `its result in Redis was damaged (${error.message})` };
  }
}

async function failure({ store }: Client, request: JobRequest, tree: Tree): Promise<PolybinError> {
  const { id, name, describe = () => "" } = request;
  const [bits, failures] = await Promise.all([store.counted(id), store.failures(id)]);
  return failureOf({ name, shards: tree.shards, bits, failures, describe });
}

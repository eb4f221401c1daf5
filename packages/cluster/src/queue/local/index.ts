import { checkNames, expected } from "@polybin/core/backend";
import { Cluster } from "../cluster.ts";
import { PASSWORD_VARIABLE } from "../connect.ts";
import { ownRedis } from "./redis.ts";
import { WorkerProcesses } from "./workers.ts";

export { endWithParent } from "./workers.ts";

/** Processes on one machine at most. */
const MAX_WORKERS = 256;

/** Options of a cluster on this machine. */
export interface LocalOptions {
  /** Number of worker processes, 1 to 256. */
  readonly workers: number;
  /**
   * The program of a worker and its arguments. It reads POLYBIN_REDIS_URL and POLYBIN_REDIS_PASSWORD from its
   * environment, opens a worker and calls `endWithParent`.
   */
  readonly command: readonly [string, ...string[]];
  /** As for `Cluster.open`. The command must name it, too. */
  readonly spill?: string | undefined;
}

/** A cluster on this machine: worker processes and a Redis of their own. */
export interface LocalCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  /** Rejects with ERR_WORKER if the worker processes end again and again. */
  readonly lost: Promise<never>;
  /** Ends the workers and Redis, and removes its files. */
  close(): Promise<void>;
}

/**
 * Starts a Redis and worker processes on this machine. They end with this process, however it ends, and leave nothing.
 * @throws ERR_UNAVAILABLE if there is no redis-server on the path.
 */
export async function openLocal(options: LocalOptions): Promise<LocalCluster> {
  checkNames(options, ["workers", "command", "spill"]);
  const { workers: count, command, spill } = options;
  if (!Number.isInteger(count) || count < 1 || count > MAX_WORKERS) {
    throw expected("ERR_INPUT", "workers", `a whole number from 1 to ${MAX_WORKERS}`, count);
  }
  const redis = await ownRedis();
  const workers = new WorkerProcesses({ count, command, url: redis.url, password: redis.password });
  let cluster: Cluster | null = null;
  const close = async () => {
    await cluster?.close();
    await workers.close();
    await redis.close();
  };
  try {
    cluster = await Cluster.open(
      { redis: redis.url, spill },
      { ...process.env, [PASSWORD_VARIABLE]: redis.password },
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { cluster, lost: workers.lost, close, [Symbol.asyncDispose]: close };
}

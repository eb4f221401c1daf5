import type { Cluster, ClusterProgress } from "@polybin/cluster";
import { progressBar, warn } from "../terminal/index.ts";

/** Milliseconds without a counted shard after which a command looks for the reason. */
const IDLE_MS = 5_000;

/**
 * Shows the counted shards of each pass while the work goes on, on a terminal. If nothing is counted for some seconds
 * because the queue is paused or no worker is connected, it says so once, since the command would wait for ever.
 */
export async function withProgress<T>(
  cluster: Pick<Cluster, "workers" | "paused">,
  work: (watch: (progress: ClusterProgress) => void) => Promise<T>,
  idleMs: number = IDLE_MS,
): Promise<T> {
  let bar: Awaited<ReturnType<typeof progressBar>> | null = null;
  let shown = "";
  let moved = performance.now();
  let counted = 0;
  let said = "";
  const look = async () => {
    moved = performance.now();
    // A lost Redis has no reason to state; the work itself fails with it.
    const reason = await reasonOf(cluster).catch(() => null);
    if (reason === null || reason === said) return;
    said = reason;
    warn(reason);
  };
  try {
    return await work((progress) => {
      if (progress.done !== counted) [counted, moved] = [progress.done, performance.now()];
      if (performance.now() - moved > idleMs) void look();
      const title = `${progress.name}/${progress.pass}`;
      if (title !== shown) {
        bar?.clear();
        bar = null;
        shown = title;
        void progressBar(title, "shard").then((opened) => {
          bar = opened;
        });
      }
      bar?.watch(progress);
    });
  } finally {
    (bar as { clear(): void } | null)?.clear();
  }
}

/** Why nothing is counted. Null if nothing is in the way. */
async function reasonOf(cluster: Pick<Cluster, "workers" | "paused">): Promise<string | null> {
  if (await cluster.paused()) {
    return "the queue is paused, so workers take no shards; resume it with the tool that paused it (BullMQ: queue.resume())";
  }
  if ((await cluster.workers()) > 0) return null;
  return "no worker is connected; start one on a machine that has the files: polybin cluster work --allow DIR";
}

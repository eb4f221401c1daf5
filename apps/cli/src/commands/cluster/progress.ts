import type { Cluster, ClusterProgress } from "@polybin/cluster";
import { warn } from "../../output/notes.ts";
import { progressBar } from "../../progress.ts";

/** Milliseconds without a counted shard after which a command looks for workers. */
const IDLE_MS = 5_000;

/**
 * Shows the counted shards of each pass while the work goes on, on a terminal. If nothing is counted for some seconds and
 * no worker is connected, it says so once, since the command would wait for ever.
 */
export async function withProgress<T>(
  cluster: Pick<Cluster, "workers">,
  work: (watch: (progress: ClusterProgress) => void) => Promise<T>,
  idleMs: number = IDLE_MS,
): Promise<T> {
  let bar: Awaited<ReturnType<typeof progressBar>> | null = null;
  let shown = "";
  let moved = performance.now();
  let counted = 0;
  let looked = false;
  const look = async () => {
    looked = true;
    const workers = await cluster.workers().catch(() => null);
    if (workers !== 0) return;
    warn(
      "no worker is connected; start one on a machine that has the files: polybin cluster work --allow DIR",
    );
  };
  try {
    return await work((progress) => {
      if (progress.done !== counted) [counted, moved] = [progress.done, performance.now()];
      if (!looked && performance.now() - moved > idleMs) void look();
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

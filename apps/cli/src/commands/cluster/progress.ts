import type { ClusterProgress } from "@polybin/cluster";
import { progressBar } from "../../progress.ts";

/** Shows the counted shards of each pass while the work goes on, on a terminal. */
export async function withProgress<T>(
  work: (watch: (progress: ClusterProgress) => void) => Promise<T>,
): Promise<T> {
  let bar: Awaited<ReturnType<typeof progressBar>> | null = null;
  let shown = "";
  try {
    return await work((progress) => {
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

import { expect, it } from "vitest";
import { Cluster } from "../../src/queue/index.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { program, Thousand } from "./thousand.ts";
import { Workers } from "./workers.ts";

it("counts 1,000 shards on 1, 2 and 4 processes to the same bits as one process", async ({ skip }) => {
  if (noRedis) skip(noRedis);
  await using table = await Thousand.make();
  await using redis = await TestRedis.start();
  await using workers = new Workers(program, [table.folder, "30000", "0"], { POLYBIN_REDIS_URL: redis.url });
  await using cluster = await Cluster.open({ redis: redis.url });
  for (const processes of [1, 2, 4]) {
    while (workers.running.length < processes) await workers.start();
    expect(workers.running).toHaveLength(processes);
    await table.check(cluster, 10 + processes);
  }
});

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openEngine, regular } from "@polybin/core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { Cluster, openWorker, type WorkerEvent } from "../../src/queue/index.ts";
import { resultKey } from "../../src/queue/keys.ts";
import { rootOf } from "../../src/queue/tree.ts";
import { finish, Inputs, planTask, runShard, shardsOf } from "../../src/shards/index.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { csvOf, rowsOf } from "../rows.ts";

let redis: TestRedis;
let engine: Engine;
let folder: string;
let spill: string;
let inputs: Inputs;
beforeAll(async () => {
  if (noRedis) return;
  redis = await TestRedis.start();
  engine = await openEngine();
  folder = mkdtempSync(join(tmpdir(), "polybin-spill-"));
  spill = join(folder, "large");
  mkdirSync(spill);
  const path = join(folder, "rows.csv");
  writeFileSync(path, csvOf(rowsOf(2000)));
  inputs = await Inputs.open([path], { read: { partBytes: 2048 }, threads: 0 });
});
afterAll(async () => {
  await inputs?.[Symbol.asyncDispose]();
  await engine?.close();
  await redis?.[Symbol.asyncDispose]();
  if (folder) rmSync(folder, { recursive: true });
});
beforeEach(({ skip }) => {
  if (noRedis) skip(noRedis);
});

const columns = [
  { name: "price", axis: { axis: regular(50, -20, 80) } },
  { name: "id", axis: { bins: 40 } },
] as const;
const request = () => ({ inputs, columns, name: "pairs", cut: { shards: 20 }, width: 4 });

/** A worker that puts only small results into Redis. */
const worker = (events: WorkerEvent[] = [], more: object = { spill }) =>
  openWorker({
    redis: redis.url,
    engine,
    allow: [folder],
    threads: 0,
    maxPartialBytes: 600,
    onEvent: (event) => events.push(event),
    ...more,
  });

/** The counts of one process and one shard. */
async function alone() {
  const count = async (extents?: ReadonlyMap<string, { min: number; max: number }>) => {
    const task = planTask(inputs, { count: "joint", columns, extents: extents as never });
    const [shard] = shardsOf(task, inputs.tables, { shards: 1 });
    return finish(task, await runShard(engine, task, shard!, { threads: 0 }));
  };
  const first = await count();
  return first.count === "extent" ? count(first.extents as never) : first;
}

/** The job of the counts and the key of its result. */
async function kept() {
  await using client = await Client.open(addressOf(redis.url));
  for (const id of await client.store.ids()) {
    const record = await client.store.record(id);
    if (record?.name === "pairs/joint") return { id, record, key: resultKey(id, rootOf(record.tree)) };
  }
  throw new Error("there is no job pairs/joint");
}

it("puts partial results above the limit into files, to the same bits as one process", async () => {
  await using cluster = await Cluster.open({ redis: redis.url, spill });
  {
    await using _worker = await worker();
    const { result, shards } = await cluster.joint(request());
    expect(shards).toBe(20);
    expect(JSON.stringify(result)).toBe(JSON.stringify(await alone()));
  }
  // Merges drop the files that they have merged.
  expect(readdirSync(spill)).toEqual([expect.stringMatching(/^[0-9a-f]{64}-3\.0-[0-9a-f]{64}\.part$/)]);
  const { key } = await kept();
  expect(Number(redis.cli("strlen", key))).toBeLessThan(256);

  // Without the folder, the answer says what helps.
  await using blind = await Cluster.open({ redis: redis.url });
  await expect(blind.joint(request())).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("expected the folder of large partial results (--spill DIR)"),
  });
});

it.for<[string, (path: string, key: string) => void]>([
  ["damaged", (path) => writeFileSync(path, "something else")],
  ["gone", (path) => rmSync(path)],
  [
    "a link",
    (path) => {
      rmSync(path);
      symlinkSync(join(folder, "rows.csv"), path);
    },
  ],
  [
    "of the same size and has other bytes",
    (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
    },
  ],
  ["named by a path that leads elsewhere", (_, key) => redis.cli("set", key, "PBFILE 1 ../rows.csv")],
])("counts again what a file had that is %s", async ([, hurt]) => {
  await using cluster = await Cluster.open({ redis: redis.url, spill });
  await using _worker = await worker();
  await cluster.joint(request());
  const before = await kept();
  const [file] = readdirSync(spill).filter((name) => name.startsWith(before.id));
  hurt(join(spill, file!), before.key);
  const { result } = await cluster.joint(request());
  expect(JSON.stringify(result)).toBe(JSON.stringify(await alone()));
  expect((await kept()).record.runs).toBe(before.record.runs + 1);
});

it("removes the files of a job with the job, and no others", async () => {
  await using cluster = await Cluster.open({ redis: redis.url, spill });
  writeFileSync(join(spill, "mine.txt"), "");
  const unfinished = `.${(await kept()).id}-0.1-${"a".repeat(64)}.part.x.tmp`;
  writeFileSync(join(spill, unfinished), "");
  const folderOfName = unfinished.slice(1).replace(".x.tmp", "");
  mkdirSync(join(spill, folderOfName));
  await cluster.gc({ name: "pairs" });
  expect(readdirSync(spill).sort()).toEqual([folderOfName, "mine.txt"].sort());
  rmdirSync(join(spill, folderOfName));
});

it("refuses large results without a folder, and a folder outside of allow", async () => {
  await using cluster = await Cluster.open({ redis: redis.url });
  await using _worker = await worker([], {});
  await expect(cluster.joint({ ...request(), name: "refused" })).rejects.toMatchObject({
    code: "ERR_LIMIT",
    message: expect.stringMatching(/at most 600 bytes .* start all workers and the command with --spill DIR/),
  });
  for (const wrong of [tmpdir(), join(folder, "nothing"), join(folder, "rows.csv")]) {
    await expect(worker([], { spill: wrong })).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("spill"),
    });
  }
});

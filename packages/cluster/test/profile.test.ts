import { openTable } from "@polybin/columns";
import { profile } from "@polybin/columns/profile";
import { openEngine, regular } from "@polybin/core";
import { expect, test } from "vitest";
import {
  type CountTask,
  checkTask,
  decodePart,
  decodePartial,
  encodePart,
  encodePartial,
  Inputs,
  mergePartials,
  type PartialResult,
  partText,
  profileInShards,
  profilePasses,
  runShard,
  type Task,
} from "../src/shards/index.ts";
import { csvOf, file, rowsOf } from "./rows.ts";

const READ = { partBytes: 2048 };

test.each([
  ["ranges that a second pass needs", { distinctLimit: 1000 }],
  [
    "few different values, a pair and a range",
    { distinctLimit: 50, joint: [["price", "id"]], ranges: { price: [-20, 80] } },
  ],
  ["a sample", { distinctLimit: 50, sample: { share: 0.3, seed: 7 }, over: "id" }],
  ["means over a column", { distinctLimit: 50, over: "id" }],
  ["means over a column with a range", { distinctLimit: 50, over: "price", ranges: { price: [-20, 60] } }],
  ["correlations and duplicates", { distinctLimit: 50, correlations: true, duplicates: true }],
] as const)("a profile of two files in 7 shards equals one in this process: %s", async (_, options) => {
  await using engine = await openEngine();
  const rows = rowsOf(2000);
  const paths = [file("a.csv", csvOf(rows.slice(0, 700))), file("b.csv", csvOf(rows.slice(700)))];
  const seen: { task: Task; partial: PartialResult }[] = [];
  const count: CountTask = async (task, shards) => {
    const partials: PartialResult[] = [];
    for (const shard of shards) {
      const partial = await runShard(engine, checkTask(JSON.parse(JSON.stringify(task))), shard, {
        threads: 0,
      });
      partials.push(decodePartial(encodePartial(partial)));
    }
    seen.push({ task, partial: partials[3]! });
    return mergePartials(
      [await mergePartials(partials.slice(3), task), ...partials.slice(0, 3).reverse()],
      task,
    );
  };
  await using inputs = await Inputs.open(paths, { read: READ });
  const given = { ...options, joint: [...("joint" in options ? options.joint : [])], top: 5 };
  const sharded = await profileInShards(
    inputs,
    await profilePasses(inputs, given),
    { shards: 7 },
    count,
    () => engine,
  );
  const tables = await Promise.all(paths.map((path) => openTable(path, { ...READ, threads: 0 })));
  // Without kept values, it reads twice, as shards do.
  const whole = await profile(engine, tables, { ...given, keepBytes: 0 });
  await Promise.all(tables.map((table) => table.close()));
  expect({ ...sharded, timings: null }).toEqual({ ...whole, timings: null });
  expect(sharded.sample?.of ?? sharded.rows).toBe(2000);
  expect(seen.length).toBe("correlations" in options ? 3 : 2);
  expect(sharded.correlations !== undefined).toBe("correlations" in options);
  for (const part of seen) {
    expect(decodePart(encodePart(part))).toEqual(part);
    expect(decodePart(Buffer.from(partText(part)))).toEqual(part);
  }
});

test("a plan from outside is checked", async () => {
  await using inputs = await Inputs.open([file("a.csv", csvOf(rowsOf(10)))]);
  const engine = { backend: "none", device: "none" };
  let task: Task | null = null;
  const refused = profileInShards(
    inputs,
    await profilePasses(inputs, {}),
    { shards: 1 },
    async (given) => {
      task = given;
      throw new Error("seen");
    },
    () => engine,
  );
  await expect(refused).rejects.toThrow("seen");
  const { options, ...rest } = task as unknown as Task;
  const plan = options as unknown as { columns: object[] };
  for (const wrong of [
    {},
    { ...plan, columns: [] },
    { ...plan, columns: plan.columns.slice(1) },
    { ...plan, columns: plan.columns.map((column) => ({ ...column, distinctLimit: 1e12 })) },
    {
      ...plan,
      columns: plan.columns.map((column) => ({
        ...column,
        axis: { type: "regular", bins: 1e9, lo: 0, hi: 1 },
      })),
    },
    { ...plan, joint: [{ columns: ["price", "nothing"], axes: [null, null] }] },
    { ...plan, heavy: 1 },
    { ...plan, rowLimit: 1e12 },
    { ...plan, sample: { seed: 0, below: 2 } },
    { ...plan, sample: { seed: -1, below: 0.5 } },
    {
      ...plan,
      over: { column: "country", axis: regular(2, 0, 1), step: { every: 1, unit: null }, columns: [] },
    },
    {
      ...plan,
      over: { column: "price", axis: regular(101, 0, 1), step: { every: 1, unit: null }, columns: [] },
    },
    {
      ...plan,
      over: { column: "price", axis: regular(2, 0, 1), step: { every: 0, unit: null }, columns: [] },
    },
    {
      ...plan,
      over: { column: "price", axis: regular(2, 0, 1), step: { every: 1, unit: "age" }, columns: [] },
    },
    { ...plan, pairs: { columns: [], nullable: ["nothing"] } },
    {
      ...plan,
      pairs: {
        columns: [{ name: "price", axis: { type: "regular", bins: 1e4, lo: 0, hi: 1 } }],
        nullable: [],
      },
    },
  ]) {
    expect(() => checkTask({ ...rest, options: wrong }), JSON.stringify(wrong).slice(0, 80)).toThrow(
      /expected/,
    );
  }
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine, regular } from "@polybin/core";
import { expect, onTestFinished, test } from "vitest";
import {
  type CountTask,
  checkShared,
  checkVersions,
  Inputs,
  planTask,
  profileInShards,
  profilePasses,
  runShard,
  shardsOf,
  type Task,
} from "../src/shards/index.ts";
import { csvOf, file, rowsOf } from "./rows.ts";

const REFUSED = { code: "ERR_INPUT", message: expect.stringContaining("save it as a file first") };

test("standard input, pipes and devices cannot be shared, and files and addresses can", async () => {
  const folder = mkdtempSync(join(tmpdir(), "polybin-shared-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // Nobody writes into the pipe, so opening it would never end.
  for (const place of ["-", pipe, `file://${pipe}`, "/dev/zero"])
    await expect(checkShared([place]), place).rejects.toMatchObject(REFUSED);
  const table = file("table.csv", csvOf(rowsOf(3)));
  await checkShared([table, `file://${table}`, "https://data.example.org/t.csv", join(folder, "none")]);
});

test("a file without a version cannot be shared, and no secret is repeated", () => {
  const state = { format: "csv", size: 9 };
  checkVersions([{ ...state, location: "https://data.example.org/t.csv", version: '"1"' }]);
  const given = { ...state, location: "https://me:secret@data.example.org/t.csv?sig=secret", version: null };
  expect(() => checkVersions([given])).toThrow(/received https:\/\/data\.example\.org\/t\.csv, which has no/);
});

test("a file of another kind, or without a column of its profile, fails its shard", async () => {
  await using engine = await openEngine();
  await using inputs = await Inputs.open([file("table.csv", csvOf(rowsOf(30)))]);
  const axis = { axis: regular(9, -20, 80) };
  const hist = planTask(inputs, { count: "hist", columns: [{ name: "price", axis }] });
  const other: Task = { ...hist, files: [{ ...hist.files[0]!, format: "parquet" }] };
  const [shard] = shardsOf(hist, inputs.tables, { shards: 1 });
  await expect(runShard(engine, other, shard!, { tables: inputs.tables })).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("to be parquet as in the task but it is csv"),
  });
  const fewer = inputs.tables.map((table) => ({
    ...table,
    name: table.name,
    format: table.format,
    parts: table.parts,
    columns: table.columns.slice(1),
  }));
  const count: CountTask = (task, [one]) => runShard(engine, task, one!, { tables: fewer as never });
  const passes = await profilePasses(inputs, {});
  await expect(profileInShards(inputs, passes, { shards: 1 }, count, () => engine)).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("expected one of the columns"),
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openEngine, regular } from "@polybin/core";
import { expect } from "vitest";
import type { Cluster } from "../../src/queue/index.ts";
import { finish, Inputs, planTask, runShard, shardsOf, type TaskResult } from "../../src/shards/index.ts";
import { csvOf, rowsOf } from "../rows.ts";

const SHARDS = 1000;
const ROWS = 20_000;

/** The program of a worker process. */
export const program: URL = new URL("table-worker.mjs", import.meta.url);

/** A table of 1,000 shards, and its counts by one process. */
export class Thousand implements AsyncDisposable {
  readonly folder: string;
  readonly #inputs: Inputs;
  readonly #engine: Engine;

  private constructor(folder: string, inputs: Inputs, engine: Engine) {
    this.folder = folder;
    this.#inputs = inputs;
    this.#engine = engine;
  }

  static async make(): Promise<Thousand> {
    const folder = mkdtempSync(join(tmpdir(), "polybin-chaos-"));
    const path = join(folder, "rows.csv");
    writeFileSync(path, csvOf(rowsOf(ROWS)));
    const inputs = await Inputs.open([path], { read: { partBytes: 512 }, threads: 0 });
    return new Thousand(folder, inputs, await openEngine());
  }

  /** Has the table counted by workers. A request of its own for each number of bins, so that nothing is kept of another. */
  async check(cluster: Cluster, bins: number): Promise<void> {
    const columns = [{ name: "price", axis: { axis: regular(bins, -20, 80) } }];
    const request = { inputs: this.#inputs, columns, by: "country", cut: { shards: SHARDS }, width: 8 };
    const { shards, result } = await cluster.hist(request);
    const expected = await this.#alone(columns);
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
    expect({ rows: expected.rows, shards }).toEqual({ rows: ROWS, shards: SHARDS });
  }

  /** The counts of one process and one shard. */
  async #alone(columns: Parameters<Cluster["hist"]>[0]["columns"]): Promise<TaskResult> {
    const { tables } = this.#inputs;
    const task = planTask(this.#inputs, { count: "hist", columns, by: "country" });
    const [shard] = shardsOf(task, tables, { shards: 1 });
    return finish(task, await runShard(this.#engine, task, shard!, { threads: 0, tables }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inputs[Symbol.asyncDispose]();
    await this.#engine.close();
    rmSync(this.folder, { recursive: true });
  }
}

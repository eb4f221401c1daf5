// A program of Node's.
import { createReadStream, openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  Inputs,
  planTask,
  runShard,
  type PartialResult as ShardResult,
  shardsOf,
  type Task,
} from "@polybin/cluster/shards";
import {
  type Chunk,
  histogram as histogramOf,
  type OpenTableOptions,
  openTable,
  type Table,
} from "@polybin/columns";
import { describeBackend, runConformance } from "@polybin/conformance";
import { openEngine } from "@polybin/core";
import { type Dashboard, serveDashboard } from "@polybin/dashboard";
import { decode, type Picture, PictureError } from "@polybin/pictures";
import { pictureFormat } from "@polybin/pictures/formats";
import { piscina } from "@polybin/piscina";
import { histogram } from "polybin";

await using engine = await openEngine({ backend: piscina() });
const signal = AbortSignal.timeout(1000);
const bytes = await readFile("x");
await engine.histogram(bytes, { signal });
await engine.histogram({ data: bytes, type: "f32", width: 1 });
await engine.histogram(createReadStream("x"), { type: "u16", signal });
await engine.histogram(await openAsBlob("x"));
await runConformance(piscina, { kernels: new URL("./kernels/", import.meta.url) });
export const register: typeof describeBackend = describeBackend;

const picture: Picture = await decode(new URL("x.png", import.meta.url), { lenient: true, signal });
const names: readonly string[] = picture.names;
await engine.histograms(picture, { channels: [names.indexOf("a")] });
export const known = (error: unknown): boolean => error instanceof PictureError && error.lenientHelps;
export const format: string | undefined = pictureFormat(bytes)?.name;
const options: OpenTableOptions = { types: { price: "f32" }, allow: ["/data"], signal };
await using table: Table = await openTable(new URL("x.csv", import.meta.url), options);
for await (const { columns } of table.read({ columns: ["price"], parts: [0], signal })) {
  const [price]: readonly Chunk[] = columns;
  if (price !== undefined && "values" in price && price.values instanceof Float32Array) {
    await engine.histogram(price.values, price.validity === null ? {} : { mask: price.validity });
  }
}
export const prices: Float64Array = (await histogramOf(engine, table, { column: "price", weights: "tax" }))
  .sums;
export const page = await histogram(new URL("x.csv", import.meta.url), { column: "price", signal });
export const file: number = (await histogram(new File([bytes], "x.csv"))).bins;
await using inputs = await Inputs.open(["x.csv"], { read: { separator: ";" }, signal });
const task: Task = planTask(inputs, {
  count: "hist",
  columns: [{ name: "price", axis: { bins: 10 } }],
  by: "city",
});
const [shard] = shardsOf(task, inputs.tables, { shards: 2 });
export const counted: ShardResult = await runShard(engine, task, shard!, { allow: ["/data"], signal });
// @ts-expect-error no such kind of counting
planTask(inputs, { count: "histogram", columns: [] });
await using dashboard: Dashboard = await serveDashboard({
  port: 0,
  backends: { ids: ["piscina"], load: async () => piscina(), list: async () => [] },
});
export const origin: string = dashboard.origin;

// @ts-expect-error a slip of the pen
await decode(bytes, { lenent: true });
// @ts-expect-error no such type
await openTable("x.csv", { types: { price: "float" } });
// @ts-expect-error read it first
await engine.histogram(readFile("x"));
// @ts-expect-error no signal
await engine.histogram(bytes, { signal: 5 });

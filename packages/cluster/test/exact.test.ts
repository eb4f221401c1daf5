import { writeFileSync } from "node:fs";
import { type Engine, openEngine, regular, variable } from "@polybin/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  decodePartial,
  encodePartial,
  finish,
  Inputs,
  mergePartials,
  OpenTables,
  type PartialResult,
  type Plan,
  planTask,
  runShard,
  shardsOf,
  type Task,
  type TaskResult,
} from "../src/shards/index.ts";
import { csvOf, file, type Row, rowsOf } from "./rows.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

/** Small parts, so that a small file has many. */
const READ = { partBytes: 2048 };

/** Counts a task in a number of shards, each of which goes through its bytes, and merges them in a shuffled order. */
async function counted(
  task: Task,
  inputs: Inputs,
  shards: number,
): Promise<{ partial: PartialResult; result: TaskResult }> {
  const partials: PartialResult[] = [];
  for (const shard of shardsOf(task, inputs.tables, { shards })) {
    partials.push(decodePartial(encodePartial(await runShard(engine, task, shard, { threads: 0 }))));
  }
  const half = Math.ceil(partials.length / 2);
  const later = partials.slice(half).reverse();
  const parts = later.length === 0 ? [] : [await mergePartials(later, task)];
  const partial = await mergePartials([...parts, ...partials.slice(0, half)], task);
  return { partial, result: finish(task, partial) };
}

/** Plans, with a first pass if the data decide a range, and counts. */
async function whole(
  inputs: Inputs,
  plan: Plan,
  shards: number,
): Promise<{ task: Task; partial: PartialResult; result: TaskResult }> {
  let task = planTask(inputs, plan);
  if (task.count === "extent") {
    const { result } = await counted(task, inputs, shards);
    if (result.count !== "extent") throw new Error("expected extents");
    task = planTask(inputs, { ...plan, extents: result.extents });
  }
  return { task, ...(await counted(task, inputs, shards)) };
}

/** Bins of plain JavaScript: bin i holds edges[i] <= x < edges[i + 1], and the last one its right edge, too. */
function binned(values: readonly (number | bigint | null)[], edges: Float64Array) {
  const bins = edges.length - 1;
  const found = { counts: new Array<number>(bins).fill(0), underflow: 0, overflow: 0, nan: 0, masked: 0 };
  for (const value of values) {
    if (value === null) found.masked += 1;
    else if (Number.isNaN(value)) found.nan += 1;
    else if (value < edges[0]!) found.underflow += 1;
    else if (value > edges[bins]!) found.overflow += 1;
    else {
      let bin = bins - 1;
      while (edges[bin]! > value) bin -= 1;
      found.counts[bin]! += 1;
    }
  }
  return found;
}

const numbersOf = ({ counts, underflow, overflow, nan, masked }: ReturnType<typeof binned> | Histogram) => ({
  counts: [...counts],
  underflow,
  overflow,
  nan,
  masked,
});
type Histogram = Extract<TaskResult, { count: "hist" }>["columns"][number]["groups"][number]["histogram"];

const tally = (texts: readonly (string | null)[]): Map<string | null, number> => {
  const counts = new Map<string | null, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

/** A range of one large integer cannot be divided, so one row needs edges. */
const columnsOf = (count: number): Plan["columns"] => [
  { name: "price" },
  { name: "id", axis: count === 1 ? { axis: variable([0, 2 ** 62, 2 ** 63]) } : { bins: 50 } },
  { name: "country" },
  { name: "paid" },
];

describe.each([0, 1, 3000])("a CSV of %i rows in 7 shards", (count) => {
  const rows = rowsOf(count);
  const all = (name: keyof Row, group?: string | null) =>
    rows.filter(({ country }) => group === undefined || country === group).map((row) => row[name]);
  const read = { ...READ, types: { price: "f64", id: "i64", country: "string", paid: "boolean" } };

  test.each([null, "country"])("equals one run and plain JavaScript, by %s", async (by) => {
    const path = file("table.csv", csvOf(rows));
    await using inputs = await Inputs.open([path], { read });
    const plan: Plan = { count: "hist", columns: columnsOf(count), by };
    const seven = await whole(inputs, plan, 7);
    const one = await whole(inputs, plan, 1);
    expect(seven.task).toEqual(one.task);
    expect(seven.partial.payload).toEqual(one.partial.payload);
    const { result } = seven;
    if (result.count !== "hist") throw new Error("expected counts");
    expect(result.rows).toBe(count);
    for (const { column, groups, nulls, axis } of result.columns) {
      const name = column.name as keyof Row;
      expect(nulls).toBe(all(name).filter((value) => value === null).length);
      for (const { group, histogram } of groups) {
        const own = by === null ? all(name) : all(name, group);
        if (name === "country") {
          const counts = tally(own as string[]);
          expect(
            axis?.type === "category" && axis.values.map((text) => counts.get(text as string) ?? 0),
          ).toEqual([...histogram.counts]);
          expect(histogram.masked).toBe(counts.get(null) ?? 0);
        } else if (name === "paid") {
          expect([...histogram.counts, histogram.masked]).toEqual(
            [false, true, null].map((value) => own.filter((one) => one === value).length),
          );
        } else {
          expect(numbersOf(histogram)).toEqual(
            numbersOf(binned(own as (number | bigint)[], histogram.edges)),
          );
        }
      }
      if (count > 1 && by !== null)
        expect(new Set(groups.map(({ group }) => group))).toEqual(new Set(all("country")));
    }
  });

  test("counts two columns together", async () => {
    const path = file("table.csv", csvOf(rows));
    await using inputs = await Inputs.open([path], { read });
    const axes = [regular(5, -10, 50), variable([0, 2 ** 53, 2 ** 62, 2 ** 63])];
    const plan: Plan = {
      count: "joint",
      columns: [
        { name: "price", axis: { axis: axes[0] } },
        { name: "id", axis: { axis: axes[1] } },
      ],
    };
    const seven = await whole(inputs, plan, 7);
    const one = await whole(inputs, plan, 1);
    expect(seven.partial.payload).toEqual(one.partial.payload);
    if (seven.result.count !== "joint") throw new Error("expected a joint histogram");
    const { joint } = seven.result;
    const both = rows.filter(({ price, id }) => price !== null && id !== null);
    expect(joint.masked).toBe(count - both.length);
    expect(joint.sum({ flow: true })).toBe(both.length);
    const edges = joint.edges as [Float64Array, Float64Array];
    expect(numbersOf(joint.project(0))).toEqual(
      numbersOf({
        ...binned(
          both.map(({ price }) => price),
          edges[0],
        ),
        masked: joint.masked,
      }),
    );
    expect(numbersOf(joint.project(1))).toEqual(
      numbersOf({
        ...binned(
          both.map(({ id }) => id),
          edges[1],
        ),
        masked: joint.masked,
      }),
    );
    const inCell = both.filter(
      ({ price, id }) => price! >= edges[0][1]! && price! < edges[0][2]! && id! >= 2n ** 62n,
    );
    expect(joint.at(1, 2)).toBe(inCell.length);
  });
});

describe.each([0, 5000])("an NPY of %i rows in 7 shards", (count) => {
  const ids = BigInt64Array.from(rowsOf(count), ({ id }) => id ?? -(2n ** 63n));
  const prices = Float32Array.from(rowsOf(count), ({ price }) => price ?? Number.NaN);

  test.each([
    ["<i8", ids],
    ["<f4", prices],
  ] as const)("equals one run and plain JavaScript, %s", async (descr, values) => {
    const path = file("values.npy", npy(descr, values));
    await using inputs = await Inputs.open([path], { read: READ });
    const plan: Plan = { count: "hist", columns: inputs.names.map((name) => ({ name, axis: { bins: 31 } })) };
    const seven = await whole(inputs, plan, 7);
    const one = await whole(inputs, plan, 1);
    expect(seven.partial.payload).toEqual(one.partial.payload);
    if (seven.result.count !== "hist") throw new Error("expected counts");
    const { histogram } = seven.result.columns[0]!.groups[0]!;
    expect(numbersOf(histogram)).toEqual(numbersOf(binned([...values], histogram.edges)));
  });
});

test("a file of plain values in 7 shards equals one run and the engine", async () => {
  const values = Float32Array.from(rowsOf(2000), ({ price }) => price ?? 7);
  const path = file("values.f32", new Uint8Array(values.buffer));
  await using inputs = await Inputs.open([path], { format: "values", read: { type: "f32" } });
  const plan: Plan = { count: "hist", columns: [{ name: "values" }] };
  const seven = await whole(inputs, plan, 7);
  const one = await whole(inputs, plan, 1);
  expect(seven.partial.payload).toEqual(one.partial.payload);
  if (seven.result.count !== "hist") throw new Error("expected counts");
  const own = await engine.histogram(values);
  const { histogram } = seven.result.columns[0]!.groups[0]!;
  expect(numbersOf(histogram)).toEqual(numbersOf(own));
  expect([...histogram.edges]).toEqual([...own.edges]);
});

test("several files are one table, and a changed file is refused", async () => {
  const rows = rowsOf(300);
  const paths = [file("a.csv", csvOf(rows.slice(0, 100))), file("b.csv", csvOf(rows.slice(100)))];
  const plan: Plan = { count: "hist", columns: [{ name: "price", axis: { axis: regular(9, -20, 80) } }] };
  await using inputs = await Inputs.open(paths, { read: READ });
  const { result, task } = await whole(inputs, plan, 5);
  if (result.count !== "hist") throw new Error("expected counts");
  const { histogram } = result.columns[0]!.groups[0]!;
  expect(numbersOf(histogram)).toEqual(
    numbersOf(
      binned(
        rows.map(({ price }) => price),
        histogram.edges,
      ),
    ),
  );
  writeFileSync(paths[1]!, csvOf(rows.slice(101)));
  const last = shardsOf(task, inputs.tables, { shards: 5 }).at(-1)!;
  await expect(runShard(engine, task, last)).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("number of bytes changed"),
  });
});

test("tables that stay open serve many shards at once, and an aborted one does not close them for the others", async () => {
  const rows = rowsOf(600);
  const path = file("a.csv", csvOf(rows));
  await using inputs = await Inputs.open([path], { read: READ });
  const axis = { axis: regular(9, -20, 80) };
  const task = planTask(inputs, { count: "hist", columns: [{ name: "price", axis }] });
  const shards = shardsOf(task, inputs.tables, { shards: 12 });
  await using openTables = new OpenTables(1);
  const stop = new AbortController();
  const aborted = runShard(engine, task, shards[0]!, { openTables, threads: 0, signal: stop.signal });
  stop.abort();
  await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
  const partials = await Promise.all(
    shards.map((shard) => runShard(engine, task, shard, { openTables, threads: 0 })),
  );
  const result = finish(task, await mergePartials(partials));
  expect(result.rows).toBe(600);
  writeFileSync(path, csvOf(rows.slice(1)));
  await expect(runShard(engine, task, shards[3]!, { openTables, threads: 0 })).rejects.toMatchObject({
    code: "ERR_INPUT",
  });
});

test("an abort stops a shard, and nothing is opened outside allow", async () => {
  const path = file("a.csv", csvOf(rowsOf(500)));
  await using inputs = await Inputs.open([path], { read: READ });
  const task = planTask(inputs, {
    count: "hist",
    columns: [{ name: "price", axis: { axis: regular(9, -20, 80) } }],
  });
  const [shard] = shardsOf(task, inputs.tables, { shards: 1 });
  await expect(runShard(engine, task, shard!, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  const stop = new AbortController();
  const onProgress = () => stop.abort();
  await expect(runShard(engine, task, shard!, { signal: stop.signal, onProgress })).rejects.toMatchObject({
    name: "AbortError",
  });
  await expect(
    runShard(engine, task, shard!, { allow: [file("other", "").replace(/other$/, "")] }),
  ).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("allow"),
  });
});

/** A file of NumPy's format, version 1. */
function npy(descr: string, values: Float32Array | BigInt64Array): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${values.length},), }`;
  const header = `${text.padEnd(117)}\n`;
  const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}`, "latin1");
  return new Uint8Array(Buffer.concat([head, Buffer.from(values.buffer)]));
}

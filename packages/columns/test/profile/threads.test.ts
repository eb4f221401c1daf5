import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { integer, openEngine, regular } from "@polybin/core";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { type ColumnPlan, PassCounting, type PassPlan } from "../../src/profile/index.ts";
import { ColumnPartial } from "../../src/profile/partial/column-partial.ts";
import { ColumnThreads } from "../../src/profile/threads/column-threads.ts";
import type { CountsBatch, CountsChunk, LogicalType, ValueArray } from "../../src/table/index.ts";

const engine = await openEngine();
afterAll(() => engine.close());

const started: Worker[] = [];
let running = 0;
const note = (worker: Worker): void => {
  started.push(worker);
  running++;
  worker.once("exit", () => running--);
};
beforeEach(() => void process.on("worker", note));
afterEach(() => {
  process.off("worker", note);
  started.length = 0;
  expect(running).toBe(0);
});

const ROWS = 19_001;
const BATCHES = 2;
const number = (type: "f32" | "f64" | "i32" | "i64" | "u8"): LogicalType => ({ kind: "number", type });
const ODD = [Number.NaN, Infinity, -Infinity, -0, 5e-324, -1.5];

interface Given {
  readonly logical: LogicalType;
  readonly values: (i: number) => number | bigint;
  readonly array: new (length: number) => ValueArray;
  readonly axis?: ColumnPlan["axis"];
  /** Values that have counts. */
  readonly counted?: number;
}

const GIVEN: Readonly<Record<string, Given>> = {
  odd: { logical: number("f64"), array: Float64Array, values: (i) => ODD[i % 7] ?? Math.sin(i) * 1e6 },
  single: { logical: number("f32"), array: Float32Array, values: (i) => (i % 101) / 8 },
  wide: { logical: number("i64"), array: BigInt64Array, values: (i) => 2n ** 62n - BigInt(i) },
  few: { logical: number("i32"), array: Int32Array, values: (i) => i % 17, axis: integer(0, 17) },
  byte: { logical: number("u8"), array: Uint8Array, values: (i) => (i * i) % 251, axis: regular(16, 0, 256) },
  when: {
    logical: { kind: "timestamp", unit: "us", timezone: "UTC" },
    array: BigInt64Array,
    values: (i) => 1_700_000_000_000_000n + BigInt(i) * 977_777_777n,
  },
  day: { logical: { kind: "date", unit: "day" }, array: Int32Array, values: (i) => 19_000 + (i % 400) },
  known: {
    logical: number("f64"),
    array: Float64Array,
    values: (i) => i / 3,
    axis: regular(9, 0, 1e5),
    counted: 18_001,
  },
};

const PLAN: PassPlan = {
  columns: Object.entries(GIVEN).map(([name, { logical, axis = null }]) => ({
    ...{ name, logical, moments: true, distinctLimit: 1000, axis, joined: 1, whole: false, heavy: null },
  })),
  joint: [],
  pairs: null,
  over: null,
  sample: null,
  rowLimit: null,
};

function batchOf(part: number): CountsBatch {
  const columns = Object.entries(GIVEN).map(([name, { array, values, counted = 0 }]) => {
    const all = new array(ROWS);
    for (let i = 0; i < ROWS; i++) all[i] = values(i + part * ROWS) as never;
    const chunk = { name, rows: ROWS, nulls: 0, validity: null, values: all };
    if (counted === 0) return chunk;
    const counts = Uint32Array.from({ length: counted }, (_, i) => 1 + (i % 3));
    return {
      name,
      rows: ROWS + counts.reduce((sum, count) => sum + count - 1, 0),
      nulls: 0,
      values: all,
      counts,
    };
  });
  return { rows: ROWS, part, columns: columns as CountsChunk[] };
}

async function counted(threads: number | undefined): Promise<Uint8Array> {
  const counting = await PassCounting.open(engine, PLAN, { threads });
  for (let part = 0; part < BATCHES; part++) await counting.add(batchOf(part));
  return (await counting.take()).toBytes();
}

test("threads add up columns to the bits of one thread", async () => {
  const alone = await counted(0);
  expect(started).toHaveLength(0);
  for (const [threads, most] of [
    [1, 1],
    [50, 8],
  ] as const) {
    expect(Buffer.compare(await counted(threads), alone)).toBe(0);
    expect(started.splice(0)).toHaveLength(most);
  }
});

test("without a number of threads, they start when there is much to add", async () => {
  const logical = number("u8");
  const column = {
    name: "x",
    logical,
    moments: true,
    distinctLimit: null,
    axis: null,
    joined: 1,
    whole: false,
    heavy: null,
  };
  const counting = await PassCounting.open(engine, { ...PLAN, columns: [column] });
  // More than the slots of a thread hold.
  const rows = 2 ** 20 + 5;
  const columns = [{ name: "x", rows, nulls: 0, validity: null, values: new Uint8Array(rows).fill(3) }];
  for (const threads of [0, 0, 1]) {
    await counting.add({ rows, part: 0, columns });
    await setImmediate();
    expect(started).toHaveLength(threads);
  }
  const { moments } = (await counting.take()).columns[0]!;
  expect(moments).toMatchObject({ count: 3 * rows, sum: BigInt(9 * rows) });
});

test.each(["a thread that dies", "an abort"])("%s ends the pass, and the next one is right", async (what) => {
  const abort = new AbortController();
  const counting = await PassCounting.open(engine, PLAN, { threads: 2 });
  const all = async () => {
    for (let part = 0; part < BATCHES; part++) {
      // Node tells of a thread when nothing else is due.
      await setImmediate();
      if (part === BATCHES - 1) {
        if (what === "an abort") abort.abort(new Error("enough"));
        else void started[0]!.terminate();
      }
      await counting.add(batchOf(part), { signal: abort.signal });
    }
    return await counting.take();
  };
  if (what === "an abort") await expect(all()).rejects.toThrow("enough");
  else
    await expect(all()).rejects.toMatchObject({
      code: "ERR_WORKER",
      message: /thread that adds up columns failed/,
    });
  await counting.close();
  expect(started).toHaveLength(2);
  expect(Buffer.compare(await counted(2), await counted(0))).toBe(0);
});

test("a thread that fails says why", async () => {
  const partials = PLAN.columns.map((plan) => new ColumnPartial(plan));
  const wrong = partials.map((partial) => ({
    ...partial,
    plan: { ...partial.plan, axis: { ...regular(1, 0, 1), bins: -1 } },
  })) as unknown as ColumnPartial[];
  const threads = new ColumnThreads(wrong, 1);
  await threads.add(0, { values: new Float64Array(8), counts: new Uint32Array(0) });
  await expect(threads.addTo(partials)).rejects.toMatchObject({
    code: "ERR_WORKER",
    message: /Invalid typed array length/,
  });
  await expect(threads.add(0, { values: new Float64Array(8), counts: new Uint32Array(0) })).rejects.toThrow(
    /failed/,
  );
  await threads.close();
});

test("threads that are closed before they started end", async () => {
  const threads = new ColumnThreads(
    PLAN.columns.map((plan) => new ColumnPartial(plan)),
    2,
  );
  await threads.close();
  await threads.close();
});

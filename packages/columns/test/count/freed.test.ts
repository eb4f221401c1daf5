import { openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { Memory } from "../../src/formats/parquet/memory.ts";
import { type Batch, freeing, histogram, openTable, type ReadOptions } from "../../src/index.ts";

const data = Array.from({ length: 1000 }, (_, i) => i);
const file = new Uint8Array(
  parquetWriteBuffer({ columnData: [{ name: "x", data, type: "DOUBLE" }], rowGroupSize: 250 }),
);
const options = { column: "x", bins: 4, range: [0, 1000] } as const;

/** Fields may be empty, so that rows are null. */
const text = Buffer.from(`x,y\n${data.map((i) => `${i},${i % 2 || ""}`).join("\n")}\n`);

it.each([
  ["Parquet", file, undefined],
  ["CSV", text, "csv"],
] as const)("counts a table again after its batches were freed, %s", async (_, place, format) => {
  await using engine = await openEngine();
  await using table = await openTable(place, { format });
  for (let i = 0; i < 2; i++)
    expect([...(await histogram(engine, table, options)).counts]).toEqual([250, 250, 250, 250]);
});

it("leaves batches that a table keeps of another one", async () => {
  await using engine = await openEngine();
  await using table = await openTable(file);
  const kept: Batch[] = [];
  // It passes batches on, and has them still.
  const keeping = Object.assign(Object.create(table) as typeof table, {
    ...{ name: table.name, format: table.format, rows: table.rows },
    ...{ columns: table.columns, parts: table.parts },
    async *read(of: ReadOptions) {
      for await (const batch of table.read(of)) {
        kept.push(batch);
        yield batch;
      }
    },
  });
  await histogram(engine, keeping, options);
  expect(kept.map(({ columns: [x] }) => "values" in x! && x.values.length)).toEqual([250, 250, 250, 250]);
});

it.each([0, 2])("frees the values, the nulls and the counts of text, with %i threads", async (threads) => {
  await using table = await openTable(text, { format: "csv", threads });
  const free = freeing(table);
  for await (const batch of table.read()) {
    expect(batch.columns).toMatchObject([{ nulls: 0 }, { nulls: 500 }]);
    free(batch);
    for (const chunk of batch.columns) expect("values" in chunk && chunk.values).toHaveLength(0);
    expect(batch.columns[1]!.validity!.bits).toHaveLength(0);
  }
  let counted = 0;
  for await (const batch of table.readCounts!()) {
    free(batch);
    for (const chunk of batch.columns) {
      if (!("counts" in chunk)) continue;
      counted++;
      expect([chunk.values, chunk.counts].map(({ length }) => length)).toEqual([0, 0]);
    }
  }
  expect(counted).toBeGreaterThan(0);
});

it("frees the spare memory that was not used for the longest time", () => {
  const memory = new Memory();
  const [old, recent] = [memory.take(2 ** 25 + 1), memory.take(2 ** 25)];
  const empty = memory.take(0);
  for (const each of [empty, old, recent]) memory.give(each);
  expect([old.byteLength, recent.byteLength]).toEqual([0, 2 ** 25]);
  expect(memory.take(2 ** 24)).toBe(recent);
  expect(memory.take(2 ** 24)).not.toBe(recent);
});

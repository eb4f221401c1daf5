import { openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { type Batch, histogram, openTable, type ReadOptions } from "../../src/index.ts";

const data = Array.from({ length: 1000 }, (_, i) => i);
const file = new Uint8Array(
  parquetWriteBuffer({ columnData: [{ name: "x", data, type: "DOUBLE" }], rowGroupSize: 250 }),
);
const options = { column: "x", bins: 4, range: [0, 1000] } as const;

it("counts a table again after its batches were freed", async () => {
  await using engine = await openEngine();
  await using table = await openTable(file);
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

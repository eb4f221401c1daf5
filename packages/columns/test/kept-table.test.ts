import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { freeing, keptTables, openTable, type Table } from "../src/index.ts";

const text = `a,b,c\n${Array.from({ length: 200 }, (_, i) => `${i},${i / 2},${i % 7 === 0 ? "" : i}`).join("\n")}\n`;
const open = () => openTable(Buffer.from(text), { format: "csv", partBytes: 256, threads: 0 });

/** A table that remembers which parts were read. */
function watched(table: Table, reads: (readonly number[] | undefined)[]): Table {
  return new Proxy(table, {
    get: (of, name) => {
      if (name === "read") {
        return (options: { parts?: readonly number[] }) => {
          reads.push(options.parts);
          return of.read(options);
        };
      }
      return Reflect.get(of, name, of);
    },
  });
}

const all = async (table: Table, columns: string[], parts?: number[]) => {
  const batches = [];
  const progress: number[] = [];
  const options = { columns, parts, onProgress: ({ bytes }: { bytes: number }) => void progress.push(bytes) };
  for await (const batch of table.read(options)) batches.push(batch);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  return batches;
};

it.each([0, 500, 1000, 1e6])("reads again what did not fit into %i bytes", async (bytes) => {
  await using table = await open();
  const reads: (readonly number[] | undefined)[] = [];
  const [kept] = keptTables([watched(table, reads)], bytes);
  const expected = await all(table, ["a", "c"]);
  expect(await all(kept!, ["a", "c"])).toEqual(expected);
  expect(await all(kept!, ["a", "c"])).toEqual(expected);
  expect(await all(kept!, ["c"])).toEqual(await all(table, ["c"]));
  expect(await all(kept!, ["a"], [1, 3, 5])).toEqual(await all(table, ["a"], [1, 3, 5]));
  expect(await all(kept!, ["b"])).toEqual(await all(table, ["b"]));
  const [, second] = reads;
  const parts = table.parts!.map(({ index }) => index);
  if (bytes === 0) expect(second).toEqual(parts);
  else if (bytes < 1e6) expect([second![0]! > 0, second!.at(-1)]).toEqual([true, parts.at(-1)]);
  // Only the column that was not kept.
  else expect(reads).toHaveLength(2);
});

it("keeps nothing of a read that ended early", async () => {
  await using table = await openTable(Buffer.from("a\nx\ny\n"), { format: "csv", header: true, threads: 0 });
  const reads: (readonly number[] | undefined)[] = [];
  const [kept] = keptTables([watched(table, reads)], 1e6);
  for await (const _ of kept!.read({ columns: ["a"] })) break;
  const expected = await all(table, ["a"]);
  for (const _ of [1, 2, 3]) expect(await all(kept!, ["a"])).toEqual(expected);
  expect(reads).toHaveLength(2);
});

it.each([0, 20, 1e6])("reads a table without parts once or twice, with %i bytes", async (bytes) => {
  await using table = await open();
  const reads: (readonly number[] | undefined)[] = [];
  const stream: Table["read"] = async function* (options) {
    for await (const batch of table.read(options)) yield { ...batch, part: null };
  };
  const whole: Table = { ...table, columns: table.columns, parts: null, rereadable: true, read: stream };
  const [kept] = keptTables([watched(whole, reads)], bytes);
  const expected = await all(whole, ["a", "c"]);
  expect(await all(kept!, ["a", "c"])).toEqual(expected);
  expect(await all(kept!, ["c"])).toEqual(await all(whole, ["c"]));
  expect(reads).toEqual(bytes === 1e6 ? [undefined] : [undefined, undefined]);
  expect(kept!.fits).toBe(bytes === 1e6);
});

it("frees only batches that it does not keep", async () => {
  const data = Array.from({ length: 4000 }, (_, i) => i);
  const file = parquetWriteBuffer({ columnData: [{ name: "a", data, type: "DOUBLE" }], rowGroupSize: 1000 });
  await using table = await openTable(file, { threads: 0 });
  const left = async (of: Table): Promise<number> => {
    let bytes = 0;
    const free = freeing(of);
    for await (const batch of of.read({ columns: ["a"] })) {
      free(batch);
      for (const chunk of batch.columns) if ("values" in chunk) bytes += chunk.values.byteLength;
    }
    return bytes;
  };
  const [kept] = keptTables([table], 20_000);
  expect([await left(table), await left(kept!), await left(kept!)]).toEqual([0, 16_000, 16_000]);
});

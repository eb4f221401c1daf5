import { openTable, type Table } from "@polybin/columns";
import { expect, it } from "vitest";
import { keptTables } from "../src/shards/index.ts";

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
  const [kept] = keptTables([watched(table, reads)], bytes) as [Table];
  const expected = await all(table, ["a", "c"]);
  expect(await all(kept, ["a", "c"])).toEqual(expected);
  expect(await all(kept, ["a", "c"])).toEqual(expected);
  expect(await all(kept, ["c"])).toEqual(await all(table, ["c"]));
  expect(await all(kept, ["a"], [1, 3, 5])).toEqual(await all(table, ["a"], [1, 3, 5]));
  expect(await all(kept, ["b"])).toEqual(await all(table, ["b"]));
  const [, second] = reads;
  const parts = table.parts!.map(({ index }) => index);
  if (bytes === 0) expect(second).toEqual(parts);
  else if (bytes < 1e6) expect([second![0]! > 0, second!.at(-1)]).toEqual([true, parts.at(-1)]);
  // Only the column that was not kept.
  else expect(reads).toHaveLength(2);
});

it("keeps nothing of a read that ended early, and no strings", async () => {
  await using table = await openTable(Buffer.from("a\nx\ny\n"), { format: "csv", header: true, threads: 0 });
  const reads: (readonly number[] | undefined)[] = [];
  const [kept] = keptTables([watched(table, reads)]) as [Table];
  for await (const _ of kept.read({ columns: ["a"] })) break;
  const expected = await all(table, ["a"]);
  for (const _ of [1, 2, 3]) expect(await all(kept, ["a"])).toEqual(expected);
  expect(reads).toHaveLength(4);
});

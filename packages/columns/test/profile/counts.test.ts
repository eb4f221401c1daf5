import { openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { openTable, type Table } from "../../src/index.ts";
import {
  columnsOf,
  firstPass,
  knownExtents,
  PassCounting,
  type ProfileOptions,
  profile,
} from "../../src/profile/index.ts";

const ROWS = 3000;
const rows = <T>(value: (i: number) => T): T[] => Array.from({ length: ROWS }, (_, i) => value(i));
const SPECIAL = [Number.NaN, Infinity, -Infinity, -0, 0, Number.MAX_VALUE, Number.MIN_VALUE];
const file = parquetWriteBuffer({
  rowGroupSize: [1100, 700, 1200],
  columnData: [
    { name: "price", data: rows((i) => (i % 11 === 0 ? null : ((i * i) % 90) / 10)), type: "DOUBLE" },
    { name: "special", data: rows((i) => SPECIAL[(i * i) % 7]!), type: "DOUBLE" },
    { name: "score", data: rows((i) => Math.fround(Math.sin(i % 40))), type: "FLOAT" },
    { name: "unlike", data: rows((i) => Math.sin(i) * 1e6), type: "DOUBLE" },
    { name: "id", data: rows((i) => 2n ** 62n + BigInt((i * i) % 60)), type: "INT64" },
    { name: "time", data: rows((i) => 1_704_067_200_000_000n + BigInt((i % 70) * 1e6)), type: "INT64" },
    { name: "zone", data: rows((i) => (i % 13 === 0 ? null : (i * 7) % 50)), type: "INT32" },
    { name: "flag", data: rows((i) => (i % 17 === 0 ? null : i % 3 === 0)), type: "BOOLEAN" },
    { name: "city", data: rows((i) => (i % 19 === 0 ? null : `city ${(i * i) % 30}`)), type: "STRING" },
  ],
});

/** The table without what takes less work, and without statistics if `isUnstated`. */
function plain(table: Table, isUnstated: boolean, hasCounts: boolean): Table {
  const parts = table.parts!.map((part) => ({
    ...part,
    rows: part.rows,
    statistics: (name: string) => (isUnstated ? null : part.statistics(name)),
  }));
  const { format, name, rows, columns } = table;
  return {
    ...{ format, name, rows, columns, parts },
    read: (options) => table.read(options),
    ...(hasCounts ? { readCounts: (options) => table.readCounts!(options) } : {}),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

const CASES: [string, ProfileOptions][] = [
  ["statistics and one pass", {}],
  ["different values beyond the limit", { distinctLimit: 20 }],
  ["no different values, two passes over the file", { distinctLimit: 0, keepBytes: 0 }],
  ["no different values, values kept in memory", { distinctLimit: 0 }],
  ["pairs and a range", { joint: [["price", "zone"]], ranges: { price: [2, 7], id: [0, 10] } }],
];

test.each(CASES)("values without their rows have the profile of the rows: %s", async (_, options) => {
  await using engine = await openEngine();
  await using table = await openTable(file);
  for (const isUnstated of [false, true]) {
    const [counted, byRows] = await Promise.all(
      [true, false].map(async (hasCounts) => {
        const found = await profile(engine, [plain(table, isUnstated, hasCounts)], options);
        const { columns, joint, passes } = found;
        return { columns, joint, passes };
      }),
    );
    expect(counted).toEqual(byRows);
    expect(counted!.columns.map(({ nulls }) => nulls)).toEqual([273, 0, 0, 0, 0, 0, 231, 177, 158]);
  }
});

test("values without their rows are refused for pairs", async () => {
  await using engine = await openEngine();
  await using table = await openTable(file);
  const request = { bins: 10, distinctLimit: 0, ranges: {}, joint: [["price", "zone"]] as const };
  const columns = columnsOf([table], ["price", "zone"], request);
  const plan = firstPass(columns, knownExtents([table], columns), request);
  const counting = await PassCounting.open(engine, plan);
  const names = ["price", "zone"];
  for await (const batch of table.readCounts!({ columns: names, rows: ["price"], parts: [0] })) {
    await expect(counting.add(batch)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining('the rows of column "zone"'),
    });
  }
  await counting.close();
});

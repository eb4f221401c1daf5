import { expect, it, vi } from "vitest";
import { expected, fileOf, open, textsIn } from "../tables/values.ts";
import { read } from "../tables.ts";

vi.mock("@polybin/native/readers", async (original) => ({
  ...(await original<typeof import("@polybin/native/readers")>()),
  csvReader: () => null,
  jsonlReader: () => null,
  parquetReader: () => null,
  textInWebAssembly: async () => null,
}));

it.each(["pyarrow-plain-snappy-v2.parquet", "pyarrow-dictionary-zstd-v2.parquet"])(
  "reads %s without an addon",
  async (name) => {
    await using table = await open(fileOf(name), { threads: 0 });
    const texts = await textsIn(table);
    for (const [column, { values }] of Object.entries(expected.columns))
      if (texts.has(column)) expect(texts.get(column), column).toEqual(values);
  },
);

it("reads text without compiled code", async () => {
  expect(await read('a,b\n1,"x, y"\n,NA\n2.5,\n', { format: "csv" })).toEqual({
    a: [1, null, 2.5],
    b: ["x, y", "NA", null],
  });
  expect(await read('{"a":1}\n{"b":"x"}\n', { format: "jsonl" })).toEqual({ a: [1, null], b: [null, "x"] });
});

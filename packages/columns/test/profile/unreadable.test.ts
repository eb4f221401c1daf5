import { readFileSync } from "node:fs";
import { openEngine, PolybinError } from "@polybin/core";
import { afterAll, expect, test } from "vitest";
import { openTable } from "../../src/index.ts";
import { type ColumnJson, type ProfileOptions, profile } from "../../src/profile/index.ts";
import { renderReport } from "../../src/report/index.ts";
import type { LogicalType, Table } from "../../src/table/index.ts";
import { fileOf } from "../tables/values.ts";
import { stated, tableOf } from "./tables.ts";

const engine = await openEngine();
afterAll(() => engine.close());

const F64: LogicalType = { kind: "number", type: "f64" };
const VALUES = [1, null, 2.5, 4, null, 8, 9, 10];

/** A table whose reader does not support the values of some columns from a part on. */
function failing(bad: readonly string[], options: { stream?: boolean; code?: "ERR_INPUT" } = {}): Table {
  const columns = ["a", "b", "c", "d"].map((name) => {
    return { name, type: F64, values: VALUES, ...(name === "b" && { statistics: stated(VALUES, 2) }) };
  });
  const table = tableOf(columns, 2, { stream: options.stream ?? false });
  async function* read(asked: Parameters<Table["read"]>[0] = {}) {
    for await (const batch of table.read(asked)) {
      const found = asked.columns?.find((name) => bad.includes(name));
      if (batch.part === 2 && found !== undefined)
        throw new PolybinError(options.code ?? "ERR_UNSUPPORTED", `memory: column "${found}" has odd pages`);
      yield batch;
    }
  }
  return { ...table, read };
}

const refused = (name: string) => ({ kind: "refused", reason: `column "${name}" has odd pages` });

const named = (columns: readonly ColumnJson[], name: string): ColumnJson =>
  columns.find((column) => column.name === name)!;

test.for([["b"], ["c"], ["b", "c"], ["a", "b", "c", "d"]])(
  "%s cannot be read, and the others can",
  async (bad) => {
    const options: ProfileOptions = { distinctLimit: 3 };
    const whole = await profile(engine, [failing([])], options);
    const { columns, rows } = await profile(engine, [failing(bad)], options);
    expect(rows).toBe(bad.length === 4 ? rows : 8);
    for (const column of columns) {
      const { name } = column;
      if (!bad.includes(name)) expect(column).toEqual(named(whole.columns, name));
      // Only the statistics of b state nulls.
      else expect(column).toMatchObject({ logical: refused(name), nulls: name === "b" ? 2 : null, top: [] });
    }
  },
);

test("a pair of a column that cannot be read is refused with the reason", async () => {
  await expect(profile(engine, [failing(["b"])], { joint: [["a", "b"]] })).rejects.toMatchObject({
    code: "ERR_UNSUPPORTED",
    message: expect.stringContaining('"b" has odd pages'),
  });
});

test("a stream cannot be read again, and damage is no want of support", async () => {
  const message = 'memory: column "b" has odd pages';
  for (const [options, code] of [
    [{ stream: true }, "ERR_UNSUPPORTED"],
    [{ code: "ERR_INPUT" }, "ERR_INPUT"],
  ] as const)
    await expect(profile(engine, [failing(["b"], options)])).rejects.toMatchObject({ code, message });
});

test("a Parquet file with an unknown codec in one column: profile and report have the reason", async () => {
  const bytes = readFileSync(fileOf("pyarrow-plain-snappy-v2.parquet"));
  const whole = await profiled(bytes);
  const name = "f64?";
  const codec = bytes.indexOf(
    Buffer.from(`\x19\x18${String.fromCharCode(name.length)}${name}\x15`, "latin1"),
  );
  expect(codec).toBeGreaterThan(0);
  // LZO, after the path in the metadata of the chunk.
  bytes[codec + 3 + name.length + 1] = 6;
  const found = await profiled(bytes);
  const column = named(found.columns, name);
  expect(column.logical).toMatchObject({ kind: "refused", reason: expect.stringContaining("LZO") });
  expect(column.nulls).toBe(named(whole.columns, name).nulls);
  expect(column.nulls).toBeGreaterThan(0);
  const others = (columns: readonly ColumnJson[]) => columns.filter((one) => one.name !== name);
  expect(others(found.columns)).toEqual(others(whole.columns));
  expect(await renderReport(found, { date: new Date(0) })).toMatch(/The values are not counted: [^<]*LZO/);
});

async function profiled(bytes: Uint8Array) {
  await using table = await openTable(bytes);
  return await profile(engine, [table]);
}

import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { openTable } from "../../src/index.ts";
import { bitsOf, textsIn } from "./values.ts";

const ROWS = 3000;

interface Trip {
  readonly fare: number | null;
  readonly stop: { readonly name: string | null; readonly at: { readonly x: number } } | null;
}

const trips = Array.from({ length: ROWS }, (_, i): Trip | null =>
  i % 7 === 0
    ? null
    : {
        fare: i % 5 === 0 ? null : i / 4,
        stop: i % 3 === 0 ? null : { name: i % 11 === 0 ? null : `stop ${i % 40}`, at: { x: i } },
      },
);
const group = (name: string, repetition_type: "OPTIONAL" | "REQUIRED", fields: number): SchemaElement => ({
  name,
  repetition_type,
  num_children: fields,
});
const SCHEMA: SchemaElement[] = [
  { name: "root", num_children: 2 },
  group("trip", "OPTIONAL", 2),
  { name: "fare", repetition_type: "OPTIONAL", type: "DOUBLE" },
  group("stop", "OPTIONAL", 2),
  { name: "name", repetition_type: "OPTIONAL", type: "BYTE_ARRAY", converted_type: "UTF8" },
  group("at", "REQUIRED", 1),
  { name: "x", repetition_type: "REQUIRED", type: "INT32" },
  { name: "trip.fare", repetition_type: "REQUIRED", type: "INT32" },
];
const file = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: "trip", data: trips },
      { name: "trip.fare", data: trips.map((_, i) => i) },
    ],
    schema: SCHEMA,
    pageSize: 4000,
    rowGroupSize: 2000,
  }),
);

it.each([0, 2])("fields of structures are columns, with %i threads", async (threads) => {
  await using table = await openTable(file, { threads });
  expect(table.columns.map(({ name, type, nullable }) => [name, type.kind, nullable])).toEqual([
    ["trip", "refused", true],
    // A column has its own name before a field has it.
    ["trip.fare 2", "number", true],
    ["trip.stop", "refused", true],
    ["trip.stop.name", "string", true],
    ["trip.stop.at", "refused", true],
    ["trip.stop.at.x", "number", true],
    ["trip.fare", "number", false],
  ]);
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  const columns = ["trip.fare 2", "trip.stop.name", "trip.stop.at.x", "trip.fare"];
  const found = await textsIn(table, { columns });
  const fares = trips.map((trip) => trip?.fare ?? null);
  expect(found.get("trip.fare 2")).toEqual(fares.map((fare) => (fare === null ? null : bitsOf(fare))));
  expect(found.get("trip.stop.name")).toEqual(trips.map((trip) => text(trip?.stop?.name)));
  expect(found.get("trip.stop.at.x")).toEqual(trips.map((trip) => text(trip?.stop?.at.x)));
  expect(found.get("trip.fare")).toEqual(trips.map((_, i) => String(i)));
  expect(table.parts!.map((part) => part.statistics("trip.stop.at.x")?.nulls ?? null)).toEqual([null, null]);
  let nulls = 0;
  for await (const batch of table.readCounts!({ columns: ["trip.stop.name"] }))
    nulls += batch.columns[0]!.nulls;
  expect(nulls).toBe(trips.filter((trip) => (trip?.stop?.name ?? null) === null).length);
});

it("refuses a structure by its name", async () => {
  await using table = await openTable(file);
  const error = {
    code: "ERR_UNSUPPORTED",
    message: expect.stringContaining("only their fields are columns"),
  };
  await expect(textsIn(table, { columns: ["trip"] })).rejects.toMatchObject(error);
});

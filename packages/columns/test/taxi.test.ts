import { openEngine, regular } from "@polybin/core";
import { expect, it } from "vitest";
import { openTable, type ValuesChunk } from "../src/index.ts";
import { cells } from "./tables.ts";

/** Trips in the schema that New York publishes, with nulls, negative fares and far dates as in the real ones. */
function trips(count: number) {
  let seed = 11;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const time = (seconds: number) =>
    new Date(Date.UTC(2025, 0, 1) + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
  return Array.from({ length: count }, () => {
    const start = Math.floor(random() * 2_678_400) - (random() < 0.01 ? 1e9 : 0);
    const unknown = random() < 0.05;
    const distance = Math.round(random() ** 3 * 3000) / 100;
    const fare = Math.round((3 + distance * 2.5) * 100 * (random() < 0.01 ? -1 : 1)) / 100;
    return {
      VendorID: 1 + Math.floor(random() * 2),
      tpep_pickup_datetime: time(start),
      tpep_dropoff_datetime: time(start + Math.floor(random() * 3600)),
      passenger_count: unknown ? null : Math.floor(random() * 7),
      trip_distance: distance,
      RatecodeID: unknown ? null : random() < 0.01 ? 99 : 1,
      store_and_fwd_flag: unknown ? null : random() < 0.01 ? "Y" : "N",
      PULocationID: 1 + Math.floor(random() * 263),
      DOLocationID: 1 + Math.floor(random() * 263),
      payment_type: Math.floor(random() * 5),
      fare_amount: fare,
      extra: [0, 1, 2.5][Math.floor(random() * 3)]!,
      mta_tax: 0.5,
      tip_amount: Math.round(random() * 1000) / 100,
      tolls_amount: random() < 0.1 ? 6.94 : 0,
      improvement_surcharge: 1,
      total_amount: Math.round(fare * 130) / 100,
      congestion_surcharge: unknown ? null : 2.5,
      Airport_fee: unknown ? null : 0,
    };
  });
}

const rows = trips(3000);
const names = Object.keys(rows[0]!) as (keyof (typeof rows)[0])[];
const csv = `${names.join(",")}\n${rows.map((row) => names.map((name) => row[name] ?? "").join(",")).join("\n")}\n`;
const jsonl = rows.map((row) => `${JSON.stringify(row)}\n`).join("");

it.each([
  ["csv", csv],
  ["jsonl", jsonl],
])("taxi trips as %s have the rows' values and counts", async (format, text) => {
  await using engine = await openEngine();
  await using table = await openTable(Buffer.from(text), { format, partBytes: 16_384 });
  const types = Object.fromEntries(
    table.columns.map(({ name, type }) => [name, type.kind === "number" ? type.type : type.kind]),
  );
  expect(types).toMatchObject({
    VendorID: "i32",
    tpep_pickup_datetime: "timestamp",
    passenger_count: "i32",
    trip_distance: "f64",
    store_and_fwd_flag: "string",
    fare_amount: "f64",
    Airport_fee: "i32",
  });
  const found = await cells(table);
  for (const name of names) {
    const isTime = name.endsWith("datetime");
    const values = rows.map((row) => (isTime ? BigInt(Date.parse(`${row[name]}Z`)) : row[name]));
    expect(found[name]).toEqual(values);
  }
  const axis = regular(40, -20, 100);
  const counts = new Array<number>(40).fill(0);
  for (const { fare_amount: fare } of rows) {
    const bin = Math.floor((fare + 20) / 3);
    if (bin >= 0 && bin < 40) counts[bin]!++;
  }
  const sums = new Array<number>(40).fill(0);
  for await (const batch of table.read({ columns: ["fare_amount"] })) {
    const { values } = batch.columns[0] as ValuesChunk;
    const histogram = await engine.histogram(values as Float64Array, { axis });
    for (const [i, count] of histogram.counts.entries()) sums[i]! += count;
  }
  expect(sums).toEqual(counts);
});

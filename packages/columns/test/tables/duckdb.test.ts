import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine, regular } from "@polybin/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Duck, openDuck } from "./duckdb.ts";
import { bitsOf, difference, open, textsIn } from "./values.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-duckdb-"));
let duck: Duck;
beforeAll(async () => {
  duck = await openDuck();
  await duck.run("set timezone = 'UTC'");
  // The schema of the records of New York's yellow taxis, with rows of our own.
  await duck.run(`create table trips as select
    (1 + i % 2)::bigint as VendorID,
    timestamp '2024-01-01' + to_microseconds(i * 7919000000 % 2678400000000) as tpep_pickup_datetime,
    timestamp '2024-01-01' + to_microseconds(i * 7919000000 % 2678400000000 + i % 5000 * 1000000) as tpep_dropoff_datetime,
    case when i % 20 = 3 then null else i % 7 end::double as passenger_count,
    (i * 37 % 3000) / 100.0::double as trip_distance,
    case when i % 20 = 3 then null else 1 + i % 6 end::double as RatecodeID,
    case when i % 20 = 3 then null when i % 97 = 0 then 'Y' else 'N' end as store_and_fwd_flag,
    (1 + i * 31 % 265)::bigint as PULocationID,
    (1 + i * 17 % 265)::bigint as DOLocationID,
    (i % 5)::bigint as payment_type,
    (i * 131 % 20000 - 300) / 100.0::double as fare_amount,
    (i % 4) / 2.0::double as extra,
    0.5::double as mta_tax,
    (i * 7 % 1500) / 100.0::double as tip_amount,
    case when i % 50 = 0 then 6.94 else 0 end::double as tolls_amount,
    1.0::double as improvement_surcharge,
    (i * 131 % 20000) / 100.0::double as total_amount,
    case when i % 20 = 3 then null else 2.5 end::double as congestion_surcharge,
    case when i % 20 = 3 then null when i % 9 = 0 then 1.75 else 0 end::double as Airport_fee
  from range(6000) t(i)`);
});
afterAll(async () => {
  await duck[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe.each(["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"])(
  "taxi trips by DuckDB, %s",
  (codec) => {
    const path = join(folder, `${codec}.parquet`);
    beforeAll(async () => {
      const version = codec === "zstd" || codec === "lz4_raw" ? "V2" : "V1";
      await duck.run(
        `copy trips to '${path}' (format parquet, compression ${codec}, parquet_version ${version}, row_group_size 2048)`,
      );
    });

    it("has DuckDB's values", async () => {
      await using table = await open(path);
      expect(table.rows).toBe(6000);
      expect(table.columns).toHaveLength(19);
      const names =
        codec === "snappy"
          ? table.columns.map(({ name }) => name)
          : ["tpep_dropoff_datetime", "passenger_count", "store_and_fwd_flag", "PULocationID", "fare_amount"];
      const found = await textsIn(table, { columns: names });
      for (const name of names) {
        const { type } = table.columns.find((column) => column.name === name)!;
        const known = await duck.column(
          `select ${type.kind === "timestamp" ? `epoch_us(${name})` : name} from '${path}'`,
        );
        const isDouble = type.kind === "number" && type.type === "f64";
        const texts = isDouble ? known.map((text) => (text === null ? null : bitsOf(Number(text)))) : known;
        expect(difference(found.get(name)!, texts), name).toBeNull();
      }
    });

    it("has DuckDB's statistics", async () => {
      await using table = await open(path);
      for (const name of [
        "VendorID",
        "tpep_pickup_datetime",
        "passenger_count",
        "fare_amount",
        "store_and_fwd_flag",
      ]) {
        const { type } = table.columns.find((column) => column.name === name)!;
        const sql = type.kind === "timestamp" ? `epoch_us(${name})` : name;
        const part = table.parts![1]!;
        const { min, max, nulls } = part.statistics(name)!;
        const rows = `(select * from trips limit ${part.rows} offset 2048)`;
        const [low, high, none] = await Promise.all(
          [`min(${sql})`, `max(${sql})`, `count(*) - count(${name})`].map((what) =>
            duck.column(`select ${what} from ${rows}`),
          ),
        );
        expect([String(min), String(max), String(nulls)], name).toEqual([low![0], high![0], none![0]]);
      }
    });
  },
);

describe("counts", () => {
  it("equal DuckDB's", async () => {
    const path = join(folder, "counts.parquet");
    await duck.run(`copy trips to '${path}' (format parquet, row_group_size 2048)`);
    await using engine = await openEngine({ backends: [] });
    await using table = await open(path);
    for (const name of ["fare_amount", "passenger_count", "DOLocationID"]) {
      const counts = new Float64Array(10);
      let masked = 0;
      for await (const { columns } of table.read({ columns: [name] })) {
        const chunk = columns[0]!;
        if (!("values" in chunk)) throw new Error("expected numbers");
        const histogram = await engine.histogram(chunk.values as Float64Array, {
          axis: regular(10, 0, 320),
          mask: chunk.validity ?? undefined,
        });
        histogram.counts.forEach((count, i) => {
          counts[i]! += count;
        });
        masked += chunk.nulls;
      }
      const sql = `select count(*) from range(10) b(b) left join trips on floor(${name} / 32) = b and ${name} >= 0 and ${name} < 320 and ${name} is not null group by b order by b`;
      const known = await duck.column(sql.replace("count(*)", `count(${name})`));
      expect([...counts].map(String), name).toEqual(known);
      expect(String(masked)).toBe((await duck.column(`select count(*) - count(${name}) from trips`))[0]);
    }
  });
});

describe("large row groups", () => {
  it("are read as several batches, in order, from several threads", async () => {
    const path = join(folder, "large.parquet");
    const rows = 8_000_000;
    await duck.run(`copy (select (i % 100)::tinyint as small, case when i % 7 = 0 then null else (i % 100)::tinyint end as maybe from range(${rows}) t(i))
      to '${path}' (format parquet, row_group_size ${rows})`);
    await using table = await open(path, { threads: 2 });
    const part = table.parts!.findIndex((one) => one.rows! > 7_500_000);
    expect(part).toBe(0);
    let at = 0;
    let batches = 0;
    for await (const { rows: own, columns } of table.read()) {
      const [small, maybe] = columns;
      if (!("values" in small! && "values" in maybe!)) throw new Error("expected values");
      batches++;
      for (let row = 0; row < own; row++, at++) {
        const isValue = ((maybe.validity!.bits[row >> 3]! >> (row & 7)) & 1) === 1;
        if (
          small.values[row] === at % 100 &&
          isValue === at % 7 > 0 &&
          (!isValue || maybe.values[row] === at % 100)
        )
          continue;
        throw new Error(`row ${at} is wrong`);
      }
    }
    expect(at).toBe(rows);
    expect(batches).toBeGreaterThan(1);
  }, 60_000);
});

import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boolean, openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { histogram, joint, openTable, profile } from "../../src/index.ts";
import { stated, tableOf } from "../profile/tables.ts";
import { plain } from "./plain.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-calls-"));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = await openEngine();
afterAll(() => engine.close());

const f64 = { kind: "number", type: "f64" } as const;
const csv = (text: string) => new TextEncoder().encode(text);
const TRIPS = csv(
  "city,fare,n,paid,day\nRome,2.5,1,true,2026-01-01\nOslo,,2,false,2026-01-03\nRome,4,3,true,\n,9,4,,2026-01-02\n",
);
const trips = { format: "csv" } as const;

async function failure(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "no error",
    ({ code, message }) => `${code} ${message}`,
  );
}

describe("nulls", () => {
  it("are masked, and the range is that of the values", async () => {
    const found = await histogram(engine, TRIPS, { ...trips, column: "fare", bins: 2 });
    expect([...found.counts, ...found.edges, found.masked]).toEqual([2, 1, 2.5, 5.75, 9, 1]);
    const both = await joint(engine, TRIPS, {
      ...trips,
      columns: ["fare", "day"],
      axes: [{ bins: 1 }, { bins: 1 }],
    });
    expect([...both.counts, both.masked]).toEqual([2, 2]);
  });

  it("of weights and of a mask leave rows out", async () => {
    const weighted = await histogram(engine, TRIPS, {
      ...trips,
      column: "n",
      range: [0, 5],
      bins: 1,
      weights: "fare",
    });
    expect([...weighted.sums, ...weighted.counts, weighted.masked]).toEqual([15.5, 3, 1]);
    const masked = await histogram(engine, TRIPS, {
      ...trips,
      column: "n",
      range: [0, 5],
      bins: 1,
      mask: "paid",
    });
    expect([...masked.counts, masked.masked]).toEqual([2, 2]);
  });

  it("of groups are a group, the last one", async () => {
    const found = await histogram(engine, TRIPS, {
      ...trips,
      column: "n",
      range: [0, 5],
      bins: 1,
      by: "city",
    });
    expect(found.keys).toEqual(["Oslo", "Rome", null]);
    expect([...found.counts]).toEqual([1, 2, 1]);
    expect(found.of("Rome").sum()).toBe(2);
    expect(found.of(null).sum()).toBe(1);
    expect(() => found.of("Bern")).toThrow(/one of Oslo, Rome, null for a group but received "Bern"/);
    const paid = await histogram(engine, TRIPS, { ...trips, column: "n", bins: 1, by: "paid" });
    expect(paid.keys).toEqual([false, true, null]);
    const day = await histogram(engine, TRIPS, { ...trips, column: "n", bins: 1, by: "day" });
    expect(day.keys).toEqual([20454, 20455, 20456, null]);
    expect(() => paid.merge(day as never)).toThrow("groups of the same values");
    expect([...paid.merge(paid).counts]).toEqual([2, 4, 2]);
  });

  it("alone have the range of no data", async () => {
    const table = tableOf([{ name: "x", type: f64, values: [null, null, null] }], 2);
    const found = await histogram(engine, table);
    expect([found.masked, found.sum(), found.edges[0], found.edges[256]]).toEqual([3, 0, 0, 1]);
  });
});

describe("types", () => {
  it("booleans have two bins, and dates those of their days", async () => {
    const paid = await histogram(engine, TRIPS, { ...trips, column: "paid" });
    expect([paid.axis, ...paid.counts, paid.masked]).toEqual([boolean(), 1, 2, 1]);
    const day = await histogram(engine, TRIPS, { ...trips, column: "day", bins: 2 });
    expect([...day.edges, ...day.counts]).toEqual([20454, 20455, 20456, 1, 2]);
  });

  it.each(["i64", "u64"] as const)("%s are as exact as in memory", async (type) => {
    const large = 2n ** 63n - 3n;
    const values =
      type === "u64" ? [0n, 2n ** 64n - 1n, large, 5n] : [-(2n ** 63n), 2n ** 63n - 1n, large, 5n];
    const array = type === "u64" ? BigUint64Array.from(values) : BigInt64Array.from(values);
    for (const statistics of [undefined, stated(values, 2)]) {
      const given = {
        name: "x",
        type: { kind: "number", type } as const,
        values,
        ...(statistics && { statistics }),
      };
      for (const options of [
        { bins: 3 },
        { bins: 4, range: [0, 1e18] as const },
        { bins: "sqrt" as const },
      ]) {
        const table = tableOf([given], 2);
        expect(plain(await histogram(engine, table, options))).toEqual(
          plain(await engine.histogram(array, options)),
        );
        expect(table.reads).toBe(1);
        const again = { ...options, keepBytes: 0 };
        expect(plain(await histogram(engine, table, again))).toEqual(
          plain(await engine.histogram(array, options)),
        );
        expect(table.reads).toBe(options.range !== undefined || (statistics && options.bins === 3) ? 2 : 3);
      }
    }
    const weights = tableOf([{ name: "x", type: { kind: "number", type }, values }], 2);
    expect(await failure(histogram(engine, weights, { column: "x", weights: "x" }))).toBe(
      `ERR_INPUT expected weights that are doubles in "x" but found ${values[1]}`,
    );
  });

  it("statistics spare a pass, and NaN is no end", async () => {
    const values = [1, Number.NaN, 3, -0, 7, 2, 8];
    const table = tableOf([{ name: "x", type: f64, values, statistics: stated(values, 3) }], 3);
    const found = await histogram(engine, table, { bins: 4 });
    expect(plain(found)).toEqual(plain(await engine.histogram(values, { bins: 4 })));
    expect([table.reads, found.nan]).toEqual([1, 1]);
  });
});

describe("columns", () => {
  it("are found if there is one choice", async () => {
    const one = csv("city,fare\nRome,1\nOslo,2\n");
    expect([...(await histogram(engine, one, { ...trips, bins: 2 })).counts]).toEqual([1, 1]);
    const two = csv("city,fare,w\nRome,1,5\nOslo,2,6\n");
    expect([...(await histogram(engine, two, { ...trips, bins: 2, weights: "w" })).sums]).toEqual([5, 6]);
    expect([...(await joint(engine, two, trips)).shape]).toEqual([256, 256]);
  });

  it.each([
    [{}, /^ERR_INPUT bytes: expected column, .* one of "fare", "n", "paid", "day"$/],
    [{ column: "fares" }, /^ERR_INPUT .*columns of bytes.* received "fares" .*; did you mean fare\?$/],
    [{ column: 5 }, /^ERR_INPUT expected the name of a column for column/],
    [{ column: "city" }, /^ERR_INPUT bytes: .*"city" has text; profile lists/],
    [{ column: "n", by: "fare" }, /^ERR_UNSUPPORTED bytes: .*"fare" has floats/],
    [{ column: "n", by: "citty" }, /did you mean city\?$/],
    [{ column: "n", mask: "fare" }, /^ERR_INPUT bytes: .*booleans or integers for mask/],
    [{ column: "n", weights: "city" }, /^ERR_INPUT bytes: .*numbers for weights but "city" has strings/],
    [{ column: "n", weights: ["fare", "nn"] }, /one of "city", "fare"/],
    [{ column: "n", weights: [1, 2] }, /^ERR_INPUT expected the name of a column for weights/],
    [{ column: "n", weights: "fare", bins: "fd" }, /^ERR_UNSUPPORTED .*rule fd/],
    [{ colum: "n" }, /^ERR_INPUT did you mean column\?/],
    [{ column: "n", separater: ";" }, /^ERR_INPUT did you mean separator\?/],
    [{ column: "n", k: 3 }, /^ERR_INPUT expected no k/],
    [{ column: "n", bins: 0 }, /^ERR_AXIS/],
    [{ column: "n", bins: 3, axis: boolean() }, /^ERR_INPUT expected either axis or bins/],
    [{ column: "n", keepBytes: -1 }, /^ERR_INPUT expected a whole number of at least 0 for keepBytes/],
    [{ column: "n", onProgress: 5 }, /^ERR_INPUT expected a function/],
    [null, /^ERR_INPUT expected an object for options/],
  ])("%o is refused", async (options, message) => {
    const given = options === null ? null : { ...trips, ...options };
    expect(await failure(histogram(engine, TRIPS, given as never))).toMatch(message);
  });

  it.each([
    [{}, /^ERR_INPUT bytes: expected columns, .* from "fare", "n", "paid", "day"$/],
    [{ columns: ["n"] }, /two to six columns/],
    [{ columns: "n" }, /two to six columns/],
    [{ columns: ["n", "n"] }, /every column once/],
    [{ columns: ["n", "city"] }, /"city" has text/],
    [{ columns: ["n", "fare"], axes: [{}] }, /an array of 2, one per column/],
    [{ columns: ["n", "fare"], axes: [{}, null] }, /an axis, or its bins and range/],
    [{ columns: ["n", "fare", "paid", "day", "x", "y", "z"] }, /one of "city"/],
  ])("%o of joint is refused", async (options, message) => {
    expect(await failure(joint(engine, TRIPS, { ...trips, ...options } as never))).toMatch(message);
  });
});

describe("places", () => {
  it("that are no table are refused with what to do", async () => {
    const raw = join(folder, "values.raw");
    writeFileSync(raw, new Uint8Array(100));
    const message =
      /^ERR_INPUT .*values.raw: expected a table but .*pass format: .*as a stream with their type$/;
    for (const call of [histogram, joint, profile]) expect(await failure(call(engine, raw))).toMatch(message);
    expect(await failure(openTable(raw))).toMatch(/^ERR_UNSUPPORTED/);
    expect(await failure(histogram(engine, join(folder, "none.csv")))).toMatch(/^ERR_INPUT .*there is none$/);
    expect(await failure(histogram(engine, [1, 2] as never))).toMatch(/^ERR_INPUT expected a path, a URL/);
  });

  it("that change or are cut meanwhile are refused, and counted afterwards", async () => {
    const path = join(folder, "changing.csv");
    const rows = Array.from({ length: 4000 }, (_, i) => i % 100).join("\n");
    const options = { column: "x", bins: 4, partBytes: 500, threads: 0, keepBytes: 0 };
    for (const change of [() => truncateSync(path, 3000), () => writeFileSync(path, `x\n${rows}\n7\n`)]) {
      writeFileSync(path, `x\n${rows}\n`);
      let changed = 0;
      const onProgress = ({ pass }: { pass: number }) => {
        // The second pass reads the file again.
        if (pass !== 1 || changed++ > 0) return;
        change();
        utimesSync(path, 1, 1);
      };
      expect(await failure(histogram(engine, path, { ...options, onProgress }))).toMatch(
        /^ERR_INPUT .*(same content in every read|bytes)/,
      );
      expect(changed).toBeGreaterThan(0);
      expect((await histogram(engine, path, options)).sum()).toBeGreaterThan(0);
    }
  });

  it("that can be read once need memory, or a range and no groups", async () => {
    const stream = async function* () {
      yield TRIPS;
    };
    const given = { ...trips, column: "n", bins: 2, keepBytes: 0 };
    const kept = await histogram(engine, stream(), { ...trips, column: "n", bins: 2, by: "city" });
    expect([...kept.counts]).toEqual([1, 0, 1, 1, 0, 1]);
    const found = await histogram(engine, stream(), { ...given, range: [0, 4] });
    expect([...found.counts]).toEqual([1, 3]);
    expect(await failure(histogram(engine, stream(), given))).toMatch(
      /^ERR_LIMIT stream: .*larger keepBytes, .*range of "n" is found first; pass range/,
    );
    expect(await failure(histogram(engine, stream(), { ...given, range: [0, 4], by: "city" }))).toMatch(
      /^ERR_LIMIT stream: .*groups of "city" are found first/,
    );
  });

  it("of an open table take no options that open it", async () => {
    await using table = await openTable(TRIPS, trips);
    expect(await failure(histogram(engine, table, { column: "n", separator: ";" }))).toMatch(
      /separator .*in the options of an open table/,
    );
  });
});

describe("an abort", () => {
  const rows = csv(`x,g\n${Array.from({ length: 20_000 }, (_, i) => `${i},${i % 3}`).join("\n")}\n`);

  it.each([1, 2])("in pass %i rejects with its reason, and the next call counts", async (wanted) => {
    const options = { ...trips, column: "x", bins: 2, partBytes: 1000, threads: 0, keepBytes: 0 } as const;
    const controller = new AbortController();
    const reason = new Error("stop");
    const onProgress = ({ pass, passes }: { pass: number; passes: number }) => {
      expect(passes).toBe(2);
      if (pass === wanted) controller.abort(reason);
    };
    const call = histogram(engine, rows, { ...options, by: "g", signal: controller.signal, onProgress });
    await expect(call).rejects.toBe(reason);
    expect((await histogram(engine, rows, options)).sum()).toBe(20_000);
  });

  it("before the call reads nothing", async () => {
    const table = tableOf([{ name: "x", type: f64, values: [1] }]);
    const signal = AbortSignal.abort();
    await expect(histogram(engine, table, { signal })).rejects.toBe(signal.reason);
    await expect(histogram(engine, TRIPS, { ...trips, column: "n", signal })).rejects.toBe(signal.reason);
    await expect(profile(engine, TRIPS, { ...trips, signal })).rejects.toBe(signal.reason);
  });
});

describe("empty tables", () => {
  const none = Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: "x", data: new Float64Array(0), type: "DOUBLE" },
        { name: "y", data: new Int32Array(0), type: "INT32" },
      ],
    }),
  );

  it("count nothing, as empty arrays do", async () => {
    const x = new Float64Array(0);
    expect(plain(await histogram(engine, none, { column: "x", bins: 3 }))).toEqual(
      plain(await engine.histogram(x, { bins: 3 })),
    );
    expect(plain(await joint(engine, none))).toEqual(plain(await engine.joint([x, new Int32Array(0)])));
    const weighted = await histogram(engine, none, { column: "x", bins: 1, weights: ["y", "x"] });
    expect(weighted.map((one) => [...one.sums])).toEqual([[0], [0]]);
    expect((await profile(engine, none)).rows).toBe(0);
  });

  it("have no groups, and may have no numbers", async () => {
    expect(await failure(histogram(engine, none, { column: "x", by: "y" }))).toMatch(
      /^ERR_INPUT bytes: expected rows, whose values of "y" are the groups/,
    );
    expect(await failure(histogram(engine, csv("a,b\n"), trips))).toMatch(
      /^ERR_INPUT bytes: expected a column of numbers but it has none$/,
    );
  });
});

describe("groups", () => {
  it("of strings in codes and in texts, of more values than one part has", async () => {
    const names = Array.from({ length: 300 }, (_, i) => `city ${(i * 37) % 101}`);
    const values = names.map((_, i) => i % 7);
    for (const coded of [true, false]) {
      const table = tableOf(
        [
          { name: "x", type: f64, values },
          { name: "city", type: { kind: "string" }, values: names, coded },
        ],
        64,
      );
      const found = await histogram(engine, table, { column: "x", bins: 7, range: [0, 7], by: "city" });
      const keys = [...new Set(names)].sort();
      expect(found.keys).toEqual(keys);
      const codes = Uint32Array.from(names, (name) => keys.indexOf(name));
      const by = { codes, groups: keys.length };
      expect(plain(found)).toEqual(plain(await engine.histogram(values, { bins: 7, range: [0, 7], by })));
    }
  });

  it("have a limit", async () => {
    const values = Array.from({ length: 65_537 }, (_, i) => i);
    const integers = { name: "g", type: { kind: "number", type: "i32" } as const, values };
    const table = tableOf([{ name: "x", type: f64, values }, integers], 20_000);
    expect(await failure(histogram(engine, table, { column: "x", by: "g" }))).toMatch(
      /^ERR_LIMIT memory: expected at most 65536 different values in "g" for by/,
    );
  });
});

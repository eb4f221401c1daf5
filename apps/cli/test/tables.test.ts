import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTable } from "@polybin/columns";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { file, here, polybin, refused, scratch } from "./command.ts";

/** Rows with nulls, NaN, infinities, strings and times. */
const ROWS: readonly (readonly [time: string, fare: string, city: string, paid: string, id: string])[] =
  Array.from({ length: 400 }, (_, i) => [
    `2024-01-${String(1 + (i % 28)).padStart(2, "0")} 08:30:00`,
    i % 13 === 0 ? "" : i % 17 === 0 ? "NaN" : i % 19 === 0 ? "inf" : String(((i * 37) % 500) / 10),
    ["Rome", "Köln", '"a, ""b"""', ""][i % 4]!,
    i % 5 === 0 ? "true" : "false",
    String(2n ** 62n + BigInt(i % 10)),
  ]);
const CSV = `time,fare,city,paid,id\n${ROWS.map((row) => `${row.join(",")}\n`).join("")}`;

/** A file in a folder that exists, which a refused command does not write. */
const NEVER: string = join(tmpdir(), "polybin-never.json");

const trips = (): string => file("trips.csv", CSV);

/** Runs a command that must succeed, on one thread. */
async function run(...args: readonly string[]): Promise<string> {
  const backend = args[0] === "merge" ? [] : ["--backend", "cpu"];
  const outcome = await here([...args, ...backend]);
  expect(outcome, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
  return outcome.stdout;
}

interface Printed {
  readonly input: object;
  readonly axis: object;
  readonly plan: object | null;
  readonly channels: readonly Channel[];
}

interface Channel {
  readonly name: string;
  readonly group?: unknown;
  readonly axis: {
    readonly type: string;
    readonly edges: readonly number[];
    readonly values?: readonly string[];
  };
  readonly counts: readonly number[];
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
  readonly nulls: number;
}

const json = async (...args: readonly string[]): Promise<Printed> => JSON.parse(await run(...args, "--json"));

/** What two results must share: everything but how they were counted. */
const content = (text: string): object => {
  const {
    backend: _,
    device: __,
    algorithm: ___,
    plan: ____,
    timings: _____,
    merged: ______,
    ...rest
  } = JSON.parse(text);
  return rest;
};

describe("hist --column", () => {
  test("counts numbers, and reports nulls, NaN and what lies outside", async () => {
    const found = await json("hist", trips(), "--column", "fare", "--bins", "5", "--range", "0,50");
    const values = ROWS.map(([, fare]) => fare);
    const numbers = values.filter((text) => /\d/.test(text)).map(Number);
    const counts = [0, 10, 20, 30, 40].map(
      (lo) => numbers.filter((x) => x >= lo && (x < lo + 10 || (lo === 40 && x === 50))).length,
    );
    expect(found.input).toEqual({
      name: "trips.csv",
      kind: "table",
      format: "csv",
      type: "f64",
      samples: 400,
      width: null,
      height: null,
    });
    expect(found.axis).toEqual({ type: "regular", bins: 5, edges: [0, 10, 20, 30, 40, 50] });
    expect(found.channels).toEqual([
      {
        name: "fare",
        type: { kind: "number", type: "f64" },
        axis: found.axis,
        counts,
        underflow: 0,
        overflow: values.filter((text) => text === "inf").length,
        nan: values.filter((text) => text === "NaN").length,
        nulls: values.filter((text) => text === "").length,
      },
    ]);
    expect(found.plan).toMatchObject({ samples: 400 });
  });

  test("counts several columns: strings one by one, booleans in two bins, 64-bit integers exactly", async () => {
    const path = trips();
    const columns = ["city", "paid", "id"].flatMap((name) => ["--column", name]);
    const { channels, input } = await json(
      "hist",
      path,
      ...columns,
      "--edges",
      `0,${2n ** 62n},${2n ** 63n}`,
    );
    expect(input).toMatchObject({ type: null });
    expect(channels.map(({ name }) => name)).toEqual(["city", "paid", "id"]);
    const [city, paid, id] = channels as readonly [Channel, Channel, Channel];
    expect(city.axis).toMatchObject({ type: "category", values: ["Köln", "Rome", 'a, "b"'] });
    expect(city).toMatchObject({ counts: [100, 100, 100], nulls: 100 });
    expect(paid).toMatchObject({ axis: { type: "boolean" }, counts: [320, 80], nulls: 0 });
    expect(id).toMatchObject({ counts: [0, 400], underflow: 0, overflow: 0 });
  });

  test("counts groups of another column", async () => {
    const { channels } = await json(
      "hist",
      trips(),
      "--column",
      "fare",
      "--by",
      "city",
      "--bins",
      "5",
      "--range",
      "0,50",
    );
    expect(channels.map(({ group }) => group)).toEqual(["Köln", "Rome", 'a, "b"', null]);
    const all = await json("hist", trips(), "--column", "fare", "--bins", "5", "--range", "0,50");
    const sums = all.channels[0]!.counts.map((_, bin) =>
      channels.reduce((sum, { counts }) => sum + counts[bin]!, 0),
    );
    expect(sums).toEqual(all.channels[0]!.counts);
    const byFlag = await json("hist", trips(), "--column", "city", "--by", "paid");
    expect(
      byFlag.channels.map(({ group, counts, nulls }) => [group, counts.reduce((a, b) => a + b) + nulls]),
    ).toEqual([
      [false, 320],
      [true, 80],
    ]);
  });

  test("finds the range of the data, and takes dates as its ends", async () => {
    const { channels } = await json("hist", trips(), "--column", "fare", "--bins", "2");
    expect(channels[0]!.axis.edges).toEqual([0.4, 25.15, 49.9]);
    const dated = await json(
      "hist",
      trips(),
      "--column",
      "time",
      "--bins",
      "2",
      "--range",
      "2024-01-01,2024-01-15",
    );
    const days = ROWS.map(([time]) => Number(time.slice(8, 10)));
    expect(dated.channels[0]).toMatchObject({
      counts: [days.filter((day) => day < 8).length, days.filter((day) => day >= 8 && day < 15).length],
      overflow: days.filter((day) => day >= 15).length,
    });
    // The reader chose the unit.
    expect([1, 1e3, 1e6].map((each) => (Date.UTC(2024, 0, 1) / 1e3) * each)).toContain(
      dated.channels[0]!.axis.edges[0],
    );
  });

  test("draws one chart per column, with units and nulls", async () => {
    const text = await run(
      "hist",
      trips(),
      "--column",
      "time",
      "--column",
      "fare",
      "--column",
      "city",
      "--bins",
      "40",
    );
    expect(text).toMatch(/^trips\.csv {2}400 rows of csv\n/);
    expect(text).toMatch(/time: timestamp \(UTC\), 40 bins over \[2024-01-01 08:30, 2024-01-28\s08:30\]/);
    expect(text).toMatch(/2024-01-07/);
    expect(text).toContain("fare: f64, 40 bins over [0.4, 49.9], 31 nulls");
    expect(text).toContain("city: string, 3 different values, 100 nulls");
    expect(text).toMatch(/"Köln" +100 █/);
  });

  test("prints CSV and draws plots", async () => {
    const svg = join(scratch(), "plot.svg");
    const text = await run(
      "hist",
      trips(),
      "--column",
      "fare",
      "--column",
      "city",
      "--range",
      "0,50",
      "--bins",
      "2",
      "--csv",
      "--svg",
      svg,
    );
    const lines = text.trimEnd().split("\n");
    expect(lines[0]).toBe("column,group,bin,lo,hi,count");
    expect(lines).toContain('city,,2,"a, ""b""",,100');
    expect(lines).toContain("city,,nulls,,,100");
    expect(lines.filter((line) => line.startsWith("fare,,"))).toHaveLength(5);
    const drawn = readFileSync(svg, "utf8");
    expect(drawn).toContain("fare: ");
    expect(drawn).toContain("Köln");
  });

  test("names of columns are no colours, and none is special", async () => {
    const path = file("names.csv", "b,__proto__,constructor\n1,2,3\n4,5,6\n");
    const svg = join(scratch(), "plot.svg");
    const columns = ["b", "__proto__", "constructor"].flatMap((name) => ["--column", name]);
    const text = await run("hist", path, ...columns, "--bins", "3", "--svg", svg);
    for (const name of ["b", "__proto__", "constructor"]) expect(text).toMatch(`\n${name} 2 counted`);
    expect(readFileSync(svg, "utf8")).toContain(">b: 2 counted");
    expect(await run("joint", path, "--columns", "b,__proto__", "--bins", "2")).toMatch(
      /^x: b of names\.csv .*\n(.*\n)?y: __proto__ of/,
    );
  });

  test("0 rows, and only nulls", async () => {
    const empty = file("empty.csv", "a,b\n");
    const outcome = await here(["hist", empty, "--column", "a", "--json"]);
    expect(outcome).toMatchObject({
      code: 0,
      stderr: "warning: empty.csv is empty: there are no values to count\n",
    });
    expect(JSON.parse(outcome.stdout).input.samples).toBe(0);
    const nulls = file("nulls.csv", "a,b\n,1\n,2\n");
    const { channels } = await json("hist", nulls, "--column", "a");
    expect(channels[0]).toMatchObject({ nulls: 2 });
    expect(channels[0]!.counts.reduce((a, b) => a + b, 0)).toBe(0);
  });

  test("--types states the types of columns, in shards too", async () => {
    const path = file("codes.csv", "code,n\n1,2\n3,4\n");
    const args = ["hist", path, "--column", "code", "--types", "code=string,n=f64"];
    const { channels } = await json(...args);
    expect(channels[0]!.axis).toMatchObject({ type: "category", values: ["1", "3"] });
    const part = join(scratch(), "part.bin");
    await run(...args, "--out", part);
    expect(JSON.parse(await run("merge", part, "--json")).channels).toEqual(channels);
    const profile = JSON.parse(await run("profile", path, "--types", "code=string", "--json"));
    expect(profile.columns.map(({ type }: { readonly type: string }) => type)).toEqual(["string", "i32"]);
    await refused(
      ["hist", path, "--column", "n", "--types", "n=f65"],
      "ERR_INPUT",
      /one of .*f64.* for types\.n/,
    );
    await refused(
      ["hist", path, "--column", "n", "--types", "n"],
      "ERR_INPUT",
      /NAME=TYPE for each column once/,
    );
    const all = await json("hist", path, "--types", "n=f64");
    expect(all.channels.map(({ name }) => name)).toEqual(["code", "n"]);
    await refused(["joint", path, path, "--types", "n=f64"], "ERR_INPUT", /--columns with --types/);
  });

  test("an integer that no double equals is no edge", async () => {
    const path = file("big.csv", "v,f\n9007199254740992,1.5\n9007199254740993,2.5\n");
    const bins = (of: string, name: string, edges: string) => ["hist", path, "--column", of, name, edges];
    const edge =
      /is a double for --(edges|range) but received 9007199254740993; the nearest is 9007199254740992/;
    await refused(bins("v", "--edges", "0,9007199254740993,9007199254740996"), "ERR_INPUT", edge);
    await refused(bins("v", "--range", "0,9007199254740993"), "ERR_INPUT", edge);
    const found = await json(...bins("v", "--edges", "9007199254740992,9007199254740994"));
    expect(found.channels[0]!.counts).toEqual([2]);
    const floats = await json(...bins("f", "--edges", "0,9007199254740993"));
    expect(floats.channels[0]!.counts).toEqual([2]);
  });

  test("standard input is read to its end: without a range it is kept in a file, which goes", async () => {
    const stdin = Buffer.from(CSV);
    const args = ["--column", "fare", "--backend", "cpu", "--json"];
    const path = file("trips.csv", CSV);
    const kept = scratch();
    vi.stubEnv("TMPDIR", kept);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const range of [[], ["--range", "0,50"]]) {
      const wanted = JSON.parse((await polybin(["hist", path, ...args, ...range])).stdout);
      for (const given of [["hist", "-"], ["hist"], [], ["hist", "-", "--format", "csv"]]) {
        const { code, stdout, stderr } = await polybin([...given, ...args, ...range], stdin);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        const found = JSON.parse(stdout);
        expect(found).toMatchObject({ input: { name: "-", samples: 400 } });
        expect([found.axis, found.channels]).toEqual([wanted.axis, wanted.channels]);
      }
    }
    await refused(
      ["hist", "-", "--column", "fares"],
      "ERR_INPUT",
      /: did you mean fare\? .* of standard input but received "fares"/,
      stdin,
    );
    expect(readdirSync(kept)).toEqual([]);
  });

  test("a Parquet file of every type: its statistics give the ranges, so its shards need none", async () => {
    const path = fileURLToPath(
      new URL(
        "../../../packages/columns/test/tables/vectors/pyarrow-plain-snappy-v2.parquet",
        import.meta.url,
      ),
    );
    await using table = await openTable(path);
    const names = table.columns.filter(({ type }) => type.kind !== "refused").map(({ name }) => name);
    const columns = names.flatMap((name) => ["--column", name]);
    const one = await run("hist", path, ...columns, "--bins", "9", "--json");
    for (const { counts, underflow, overflow, nan, nulls } of (JSON.parse(one) as Printed).channels) {
      expect(counts.reduce((a, b) => a + b, underflow + overflow + nan + nulls)).toBe(table.rows);
    }
    const stated = ["--column", "i64?", "--column", "stamp us?", "--column", "text?"];
    const folder = scratch();
    const parts = [0, 1].map((i) => join(folder, `${i}.bin`));
    for (const [i, out] of parts.entries())
      await run("hist", path, ...stated, "--shard", `${i}/2`, "--out", out);
    expect(content(await run("merge", ...parts, "--json"))).toEqual(
      content(await run("hist", path, ...stated, "--json")),
    );
    await refused(["hist", path, "--column", "list"], "ERR_UNSUPPORTED", /column "list" cannot be counted/);
  });

  test.each([
    [
      ["--column", "nothing"],
      "ERR_INPUT",
      /expected one of the columns "time", "fare", "city", "paid", "id" of .*trips.csv/,
    ],
    [["--column", "fare", "--column", "fare"], "ERR_INPUT", /each column once/],
    [["--column", "city", "--range", "0,1"], "ERR_INPUT", /columns without numbers \(city\)/],
    [["--column", "city", "--stats"], "ERR_INPUT", /--stats but city has the type string/],
    [["--column", "fare", "--by", "fare"], "ERR_UNSUPPORTED", /strings, integers or booleans for the groups/],
    [["--column", "fare", "--mask", "m"], "ERR_INPUT", /either --column or --mask/],
    [["--column", "fare", "--type", "u8"], "ERR_INPUT", /either --column or --type/],
    [["--column", "fare", "--channel", "r"], "ERR_INPUT", /either --column or --channel/],
    [["--column", "fare", "--json", "--csv"], "ERR_INPUT", /either --json or --csv/],
    [["--column", "fare", "--range", "2024-01-01,5"], "ERR_INPUT", /expected a number for --range/],
    [["--column", "fare", "--shard", "0/2"], "ERR_INPUT", /expected --out FILE with --shard/],
    [["--column", "fare", "--shard", "2/2", "--out", "x"], "ERR_INPUT", /numbered from 0/],
    [["--column", "fare", "--shard", "2", "--out", "x"], "ERR_INPUT", /expected I\/N, such as 3\/64/],
    [["--column", "fare", "--out", "x", "--json"], "ERR_INPUT", /either --out or --json/],
    [
      ["--column", "fare", "--extent", "--range", "0,1", "--out", "x"],
      "ERR_INPUT",
      /either --extent or --range/,
    ],
    [
      ["--column", "fare", "--shard", "0/2", "--out", NEVER],
      "ERR_AXIS",
      /give --range LO,HI, or find it first.*--extent-from extent.json/,
    ],
    [["--column", "city", "--extent", "--out", NEVER], "ERR_INPUT", /columns of numbers with --extent/],
  ] as const)("%j is refused", async (args, code, says) => {
    await refused(["hist", trips(), ...args], code, says);
  });
});

describe("shards", () => {
  test.each([
    ["hist", "--column", "fare", "--range", "0,50"],
    ["hist", "--column", "fare", "--extent"],
    ["joint", "--columns", "fare,fare2", "--range", "0,50"],
  ])("of standard input are refused: %s %s %s %s", async (command, ...args) => {
    const shard = ["--format", "csv", "--shard", "0/2", "--out", NEVER];
    const input = Buffer.from("fare,fare2\n1,2\n");
    for (const place of ["-", "/dev/stdin"])
      await refused([command, place, ...args, ...shard], "ERR_INPUT", /save it as a file first/, input);
  });

  /** Counts every shard into files of its own. */
  async function shards(
    folder: string,
    ending: string,
    of: number,
    ...args: readonly string[]
  ): Promise<string[]> {
    const paths: string[] = [];
    for (let i = 0; i < of; i++) {
      const out = join(folder, `part${i}.${ending}`);
      expect(await run(...args, "--shard", `${i}/${of}`, "--out", out)).toBe("");
      paths.push(out);
    }
    return paths;
  }

  test("of an empty file: merge warns in its JSON as one run does", async () => {
    const empty = file("empty.bin", "");
    const part = join(scratch(), "part.json");
    await run("hist", empty, "--shard", "0/1", "--out", part);
    for (const args of [
      ["hist", empty],
      ["merge", part],
    ]) {
      const { code, stderr } = await here([...args, "--json"]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: "warning: empty.bin is empty: there are no values to count\n",
      });
    }
  });

  test.each(["json", "bin"])("of a table, merged in any order, equal one run (.%s)", async (ending) => {
    const path = trips();
    const folder = scratch();
    const columns = ["--column", "fare", "--column", "city", "--column", "time", "--by", "paid"];
    const extents = await shards(folder, "extent.json", 3, "hist", path, ...columns.slice(0, -2), "--extent");
    const extent = join(folder, "extent.json");
    expect(await run("merge", ...extents, "--out", extent)).toBe("");
    expect(await run("merge", extent)).toBe(
      "fare: 0.4 to 49.9\ntime: 2024-01-01T08:30:00 to 2024-01-28T08:30:00\n",
    );
    const parts = await shards(
      folder,
      ending,
      3,
      "hist",
      path,
      ...columns,
      "--bins",
      "20",
      "--extent-from",
      extent,
    );
    const one = await run("hist", path, ...columns, "--bins", "20", "--json");
    expect(content(await run("merge", ...parts.toReversed(), "--json"))).toEqual(content(one));
    const some = join(folder, `some.${ending}`);
    await run("merge", parts[2]!, parts[0]!, "--out", some);
    expect(content(await run("merge", parts[1]!, some, "--json"))).toEqual(content(one));
    expect(await run("merge", ...parts, "--csv")).toBe(
      await run("hist", path, ...columns, "--bins", "20", "--csv"),
    );
    expect(await run("merge", ...parts)).toContain("merged from 3 shards");
    await refused(["merge", parts[0]!, parts[2]!], "ERR_INPUT", /some are missing: 1;/);
    await refused(["merge", ...parts, parts[1]!], "ERR_INPUT", /every shard once but received some twice: 1/);
    await refused(
      ["merge", parts[0]!, extents[1]!],
      "ERR_INPUT",
      /of one task but received those of two tasks/,
    );
    const bytes = readFileSync(some);
    writeFileSync(some, bytes.subarray(0, Math.floor(bytes.length / 2)));
    await refused(
      ["merge", some, parts[1]!],
      "ERR_INPUT",
      /some\.\w+: expected a partial result but it is damaged/,
    );
  });

  test("of an NPY file in three parts equal one run and plain JavaScript", async () => {
    const values = Float64Array.from({ length: 2_200_000 }, (_, i) => ((i * 7919) % 1_000_003) / 1000);
    const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${values.length},), }`.padEnd(117);
    const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}\n`, "latin1");
    const path = file("values.npy", Buffer.concat([head, Buffer.from(values.buffer)]));
    await using table = await openTable(path);
    const args = ["hist", path, "--column", table.columns[0]!.name, "--bins", "10", "--range", "0,1000"];
    const parts = await shards(scratch(), "bin", 7, ...args);
    const merged = await run("merge", ...parts, "--json");
    expect(content(merged)).toEqual(content(await run(...args, "--json")));
    const counts = new Array<number>(10).fill(0);
    let overflow = 0;
    for (const value of values) {
      if (value > 1000) overflow += 1;
      else counts[Math.min(9, Math.floor(value / 100))]! += 1;
    }
    expect(JSON.parse(merged).channels[0]).toMatchObject({ counts, overflow, underflow: 0 });
  });

  test("of a file of plain values print what one run prints", async () => {
    const values = Float32Array.from({ length: 5000 }, (_, i) => (i % 100) - 20);
    const path = file("values.f32", new Uint8Array(values.buffer));
    const args = ["hist", path, "--type", "f32", "--range", "0,50", "--bins", "10"];
    const parts = await shards(scratch(), "json", 4, ...args);
    expect(content(await run("merge", ...parts, "--json"))).toEqual(content(await run(...args, "--json")));
    expect(await run("merge", ...parts, "--csv")).toBe(await run(...args, "--csv"));
    expect(await run("merge", ...parts, "--percentiles", "50")).toContain("percentiles: 50% in [25, 30)");
  });

  test("of a picture or an archive are refused, because their bytes are not their values", async () => {
    const picture = file(
      "x.bin",
      readFileSync(fileURLToPath(new URL("../sample/evening.png", import.meta.url))),
    );
    await refused(["hist", picture, "--shard", "0/2", "--out", NEVER], "ERR_UNSUPPORTED", /is a PNG picture/);
    const archive = file("x.bin", Buffer.from("PAR1"));
    await refused(["hist", archive, "--shard", "0/2", "--out", NEVER], "ERR_INPUT", /is Parquet/);
  });

  test("extents of large integers are exact", async () => {
    const path = file("big.csv", `v,f\n${2n ** 53n + 1n},0.5\n7,${2 ** 60}\n`);
    const extent = join(scratch(), "extent.json");
    await run("hist", path, "--column", "v", "--column", "f", "--extent", "--out", extent);
    expect(await run("merge", extent)).toBe(`v: 7 to ${2n ** 53n + 1n}\nf: 0.5 to ${2 ** 60}\n`);
    expect(JSON.parse(await run("merge", extent, "--json")).columns).toEqual([
      { name: "v", range: [7, String(2n ** 53n + 1n)] },
      { name: "f", range: [0.5, 2 ** 60] },
    ]);
  });

  test("a part never overwrites an input, and extents of other files are refused", async () => {
    const path = trips();
    await refused(
      ["hist", path, "--column", "fare", "--range", "0,1", "--out", path],
      "ERR_INPUT",
      /is the input itself/,
    );
    const other = file("other.csv", CSV.split("\n").slice(0, 9).join("\n"));
    const extent = join(scratch(), "extent.json");
    await run("hist", other, "--column", "fare", "--extent", "--out", extent);
    await refused(
      ["hist", path, "--column", "fare", "--extent-from", extent, "--out", `${extent}.part`],
      "ERR_INPUT",
      /extents of the same files/,
    );
    await refused(
      ["merge", path],
      "ERR_INPUT",
      /trips\.csv: expected a partial result but it is damaged: it is neither bytes nor JSON/,
    );
  });
});

describe("joint --columns", () => {
  test("counts two columns, and its shards equal one run", async () => {
    const path = trips();
    const args = [
      "joint",
      path,
      "--columns",
      "time,fare",
      "--bins",
      "4,5",
      "--range",
      "2024-01-01,2024-01-29,0,50",
    ];
    const one = await run(...args, "--json");
    const { input, shape, counts, flow, masked } = JSON.parse(one);
    expect(
      input.map(({ name, kind, type, channel }: Record<string, string>) => [name, kind, type, channel]),
    ).toEqual([
      ["trips.csv", "table", "timestamp", "time"],
      ["trips.csv", "table", "f64", "fare"],
    ]);
    expect(shape).toEqual([4, 5]);
    const valid = ROWS.filter(([, fare]) => fare !== "");
    const inside = valid.filter(([, fare]) => /\d/.test(fare));
    expect([counts.reduce((a: number, b: number) => a + b), flow, masked]).toEqual([
      inside.length,
      valid.length - inside.length,
      400 - valid.length,
    ]);
    const first = inside.filter(([time, fare]) => Number(time.slice(8, 10)) < 8 && Number(fare) < 10);
    expect(counts[0]).toBe(first.length);
    const folder = scratch();
    const parts = [0, 1].map((i) => join(folder, `${i}.bin`));
    for (const [i, out] of parts.entries()) await run(...args, "--shard", `${i}/2`, "--out", out);
    expect(content(await run("merge", ...parts, "--json"))).toEqual(content(one));
    expect(await run("merge", ...parts)).toContain("null in one of both: 31");
  });

  test("finds both ranges, and draws a heat map with dates", async () => {
    const svg = join(scratch(), "plot.svg");
    const text = await run("joint", trips(), "--columns", "time,fare", "--bins", "8", "--svg", svg);
    expect(text).toContain("2024-01-");
    expect(readFileSync(svg, "utf8")).toMatch(/>time \(UTC\)<[\s\S]*>fare</);
  });

  test("a label with a time, between two days, leaves the axis straight", async () => {
    const file = join(scratch(), "days.csv");
    writeFileSync(file, "price,day\n1.5,2024-01-01\n2,2024-01-02\n3.25,2024-01-05\n");
    const text = await run("joint", file, "--columns", "price,day");
    const axis = text.split("\n").filter((line) => /[┤│]/.test(line));
    expect(text).toContain("12:00 ┤");
    expect(new Set(axis.map((line) => line.search(/[┤│]/))).size).toBe(1);
  });

  test.each([
    [["--columns", "fare,city"], "ERR_UNSUPPORTED", /"city" has strings; polybin hist --by/],
    [["--columns", "fare"], "ERR_INPUT", /two names of columns/],
    [["--columns", "fare,id", "--mask", "m"], "ERR_INPUT", /either --columns or --mask/],
    [["--columns", "fare,id", "--range", "0,1,2"], "ERR_INPUT", /LO,HI,LO,HI/],
    [["--channels", "r,g", "--shard", "0/2"], "ERR_INPUT", /expected --columns with --shard/],
  ] as const)("%j is refused", async (args, code, says) => {
    await refused(["joint", trips(), ...args], code, says);
  });
});

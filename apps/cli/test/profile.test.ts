import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProfileJson } from "@polybin/columns/profile";
import { describe, expect, test } from "vitest";
import { file, here, polybin, refused, scratch } from "./command.ts";

const CPU = ["--backend", "cpu"];
const ROWS = 500;
const CITIES = ["Oslo", "Rome", "Lima"];
const TRIPS = [
  "id,price,city,when,paid",
  ...Array.from({ length: ROWS }, (_, i) =>
    [
      i,
      i % 10 === 0 ? "" : ((i * 37) % 100) / 4,
      CITIES[(i * i) % 3],
      `2024-01-0${1 + (i % 9)}T00:00:00Z`,
      i % 4 === 0,
    ].join(","),
  ),
].join("\n");

async function profiled(args: readonly string[]): Promise<ProfileJson> {
  const { code, stdout, stderr } = await here(["profile", ...args, ...CPU, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as ProfileJson;
}

test("--json has every column of a file", async () => {
  const path = file("trips.csv", TRIPS);
  const { files, rows, columns, joint } = await profiled([
    path,
    "--joint",
    "price,id",
    "--bins",
    "5",
    "--top",
    "2",
  ]);
  expect([files, rows]).toEqual([
    [{ name: path, format: "csv", rows: ROWS, bytes: expect.any(Number) }],
    ROWS,
  ]);
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ["id", "i32"],
    ["price", "f64"],
    ["city", "string"],
    ["when", "timestamp[ms, UTC]"],
    ["paid", "boolean"],
  ]);
  const [id, price, city] = columns;
  expect(id).toMatchObject({
    nulls: 0,
    distinct: { value: ROWS, exact: true },
    min: 0,
    max: 499,
    mean: 249.5,
  });
  expect(id!.histogram!.counts).toEqual([100, 100, 100, 100, 100]);
  expect(price).toMatchObject({ nulls: 50, min: 0.25, max: 24.75 });
  expect(city!.top).toEqual([
    { value: "Rome", count: 333 },
    { value: "Oslo", count: 167 },
  ]);
  expect(joint[0]).toMatchObject({ columns: ["price", "id"], nulls: 50, outside: 0 });
});

test("several files are one table, and ranges and columns are chosen", async () => {
  const lines = TRIPS.split("\n");
  const halves = [lines.slice(1, 251), lines.slice(251)].map((part, i) =>
    file(`half-${i}.csv`, [lines[0], ...part].join("\n")),
  );
  const whole = await profiled([
    file("trips.csv", TRIPS),
    "--columns",
    "price,city",
    "--range",
    "price=0,10",
  ]);
  const both = await profiled([...halves, "--columns", "price,city", "--range", "price=0,10"]);
  expect(both.columns).toEqual(whole.columns);
  expect(both.columns.map(({ name }) => name)).toEqual(["price", "city"]);
  const { edges, counts, overflow } = both.columns[0]!.histogram!;
  expect([edges[0], edges.at(-1)]).toEqual([0, 10]);
  expect(counts.reduce((sum, count) => sum + count, overflow)).toBe(450);
});

test("the table shows more on a wide terminal", async () => {
  const path = file("trips.csv", TRIPS);
  const at = async (columns: number) => (await here(["profile", path, ...CPU], undefined, columns)).stdout;
  const [narrow, middle, wide] = [await at(40), await at(80), await at(200)];
  expect(narrow).toMatch(/^price {2}f64\n {2}nulls 10\.0% · distinct \d+ · min 0\.25/m);
  expect(narrow).toMatch(/^ {2}Rome 66\.6%, Oslo 33\.4%$/m);
  expect(middle).toMatch(/^column +type +nulls +distinct +median +max +distribution$/m);
  expect(wide).toMatch(/^column +type +nulls +distinct +min +median +max +mean +stddev +distribution$/m);
  expect(wide).toMatch(/^price +f64 +10\.0% +\d+ +0\.25 +[\d.]+ +24\.75 +[\d.]+ +[\d.]+ {2}[▁▂▃▄▅▆▇█]+$/m);
  expect(wide).toMatch(/^paid +boolean +0 +2 +false +false +true +0\.25 /m);
  expect(wide).toContain("2024-01-05");
});

test("--over prints means over a time", async () => {
  const path = file("trips.csv", TRIPS);
  const { over } = await profiled([path, "--over", "when", "--columns", "id,paid"]);
  expect(over).toMatchObject({ column: "when", step: { every: 3, unit: "hour" }, outside: 0, nulls: 0 });
  expect(over!.rows.reduce((sum, count) => sum + count)).toBe(ROWS);
  expect(over!.columns.map(({ name }) => name)).toEqual(["id", "paid"]);
  const { stdout } = await here(["profile", path, "--over", "when", ...CPU], undefined, 200);
  expect(stdout).toMatch(
    /^means over when by 3 hours: 65 bins from 2024-01-01 to before 2024-01-09T03:00:00Z\n {2}id .* to /m,
  );
  await refused(["profile", path, "--over", "city", ...CPU], "ERR_INPUT", /received "city" of type string/);
});

test("--sample profiles some rows, and says so", async () => {
  const path = file("trips.csv", TRIPS);
  const { rows, sample, columns } = await profiled([path, "--sample", "100"]);
  expect([rows, sample, columns[0]!.rows]).toEqual([100, { of: ROWS, seed: 0 }, 100]);
  const shares = await profiled([path, "--sample", "50%", "--seed", "3"]);
  expect(shares.sample).toEqual({ of: ROWS, seed: 3 });
  expect(Math.abs(shares.rows - ROWS / 2)).toBeLessThan(60);
  const { stdout } = await here(["profile", path, "--sample", "100", ...CPU], undefined, 200);
  expect(stdout).toContain("100 rows (a sample of 500), 5 columns (csv)");
  expect(stdout).toContain("sample: 100 of 500 rows, chosen at random (seed 0). Shares, means,");
  await refused(
    ["profile", path, "--sample", "0%", ...CPU],
    "ERR_INPUT",
    /a percentage above 0% and up to 100%/,
  );
  await refused(["profile", path, "--sample", "x", ...CPU], "ERR_INPUT", /expected a number for --sample/);
  await refused(["profile", path, "--seed", "3", ...CPU], "ERR_INPUT", /expected --sample with --seed/);
});

test("standard input shows its format, and a file without an ending does", async () => {
  const of = async (path: string, input?: string) =>
    (await here(["profile", path, ...CPU], input === undefined ? input : Buffer.from(input))).stdout.split(
      "\n",
    )[0];
  expect(await of("-", TRIPS)).toBe("standard input  500 rows, 5 columns (csv)");
  expect(await of("-", '{"a":1}\n{"a":2}\n')).toBe("standard input  2 rows, 1 column (jsonl)");
  expect(await of(file("trips", TRIPS))).toContain("500 rows, 5 columns (csv)");
  await refused(
    ["profile", "-", ...CPU],
    "ERR_INPUT",
    /expected a table but standard input is text and no table that polybin knows; try --format csv or/,
    Buffer.from("Dear reader,\nhello\n"),
  );
});

test("--correlations lists the strongest pairs", async () => {
  const lines = Array.from({ length: 200 }, (_, i) =>
    [i, i % 4 === 0 ? "" : -i * i, (i * 37) % 101].join(","),
  );
  const path = file("pairs.csv", ["x,y,z", ...lines].join("\n"));
  const { correlations } = await profiled([path, "--correlations"]);
  expect(correlations!.columns).toEqual(["x", "y", "z"]);
  expect(correlations!.rows[0]![1]).toBe(150);
  expect(correlations!.spearman[0]![1]).toBeLessThan(-0.99);
  const { stdout } = await here(["profile", path, "--correlations", ...CPU], undefined, 200);
  expect(stdout).toMatch(/^correlations: x and y -0\.97 \(ranks -1\.00\); --html draws/m);
  expect((await profiled([path])).correlations).toBeUndefined();
});

test("the table rounds no whole number", async () => {
  const path = file("whole.csv", "n,big\n1234567,9007199254740990\n12345678,9007199254740993\n");
  const { stdout } = await here(["profile", path, ...CPU], undefined, 200);
  expect(stdout).toMatch(/^n +i\w+ +0 +2 +1234567 +1234567 +12345678 +6790123 /m);
  expect(stdout).toMatch(
    /^big +i64 +0 +2 +9007199254740990 +9007199254740990 +9007199254740993 +90071992547409\d\d /m,
  );
});

test("--html writes a page, and no file is overwritten", async () => {
  const path = file("trips.csv", TRIPS);
  const html = join(scratch(), "report.html");
  const { code } = await here(["profile", path, ...CPU, "--html", html]);
  expect(code).toBe(0);
  const page = readFileSync(html, "utf8");
  expect(page).toMatch(/^<!doctype html>/i);
  expect(page).toContain("price");
  await refused(["profile", path, "--html", path], "ERR_INPUT", /is the input itself/);
});

test("standard input is read once", async () => {
  const { code, stdout } = await polybin(
    ["profile", "-", "--format", "csv", "--json", ...CPU],
    Buffer.from(TRIPS),
  );
  expect(code).toBe(0);
  const { columns, passes } = JSON.parse(stdout) as ProfileJson;
  expect([columns[0]!.max, passes]).toEqual([499, 1]);
});

test("wrong use is one line", async () => {
  const path = file("trips.csv", TRIPS);
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[path, "--columns", "prise"], /expected one of "id", "price"/],
    [[path, "--range", "0,1"], /expected NAME=LO,HI for each column once for --range/],
    [[path, "--range", "price=0"], /expected NAME=LO,HI/],
    [[path, "--range", "price=5,1"], /expected two finite numbers \[lo, hi\] with lo below hi/],
    [[path, "--range", "city=0,1"], /expected a column of numbers/],
    [[path, "--joint", "price"], /expected pairs of columns for --joint/],
    [[path, "--columns", "price,,id"], /expected names of columns for --columns/],
    [[path, "--top", "1.5"], /expected a whole number from 0 to 1000 for --top/],
    [[path, "--distinct-limit", "x"], /expected a number for --distinct-limit/],
    [["-", "-"], /expected - for one input at most/],
    [[join(scratch(), "absent.csv")], /absent\.csv/],
  ];
  for (const [args, message] of cases) await refused(["profile", ...args], "ERR_INPUT", message);
});

test("a column that cannot be read does not stop the others", async () => {
  const from = "../../../packages/columns/test/tables/vectors/pyarrow-plain-snappy-v2.parquet";
  const bytes = readFileSync(new URL(from, import.meta.url));
  const name = "f64?";
  const path = Buffer.from(`\x19\x18${String.fromCharCode(name.length)}${name}\x15`, "latin1");
  // The codec LZO, which follows the path in the metadata of the chunk.
  bytes[bytes.indexOf(path) + path.length] = 6;
  const table = file("odd.parquet", bytes);
  const { columns } = await profiled([table]);
  const column = columns.find((one) => one.name === name)!;
  expect(column).toMatchObject({ logical: { kind: "refused", reason: expect.stringContaining("LZO") } });
  expect(column.nulls).toBeGreaterThan(0);
  const counted = columns.filter(({ logical }) => logical.kind !== "refused");
  expect(counted.length).toBeGreaterThan(10);
  const { code, stdout, stderr } = await here(["profile", table, ...CPU]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.replaceAll("\n", " ")).toMatch(/f64\?.*its codec is LZO/);
});

describe("shards", () => {
  const READ = ["--distinct-limit", "100", "--joint", "price,id"];

  /** The parts of the next pass, merged. */
  async function pass(path: string, name: string, of: number, ...after: readonly string[]): Promise<string> {
    const folder = scratch();
    const parts: string[] = [];
    for (let i = 0; i < of; i++) {
      const part = join(folder, `${name}-${i}.${i % 2 === 0 ? "bin" : "json"}`);
      const args = ["profile", path, ...READ, ...after, "--shard", `${i}/${of}`, "--out", part];
      expect(await here(args)).toEqual({ code: 0, stdout: "", stderr: "" });
      parts.push(part);
    }
    const whole = join(folder, `${name}.bin`);
    expect((await here(["merge", ...parts.reverse(), "--out", whole])).code).toBe(0);
    return whole;
  }

  /** A profile without how it was counted. */
  const content = ({ timings, backend, device, passes, ...found }: ProfileJson): object => found;

  test("of every pass, merged, equal one run", async () => {
    const path = file("trips.csv", TRIPS);
    const first = await pass(path, "first", 3);
    const second = await pass(path, "second", 2, "--after", first);
    const one = await profiled([path, ...READ]);
    const merged = await profiled([path, ...READ, "--after", first, "--after", second]);
    expect(content(merged)).toEqual(content(one));
    expect(merged).toMatchObject({ backend: "shards", passes: 2, timings: { passMs: [] } });
    // What is left is counted by this run.
    const rest = await profiled([path, ...READ, "--after", first]);
    expect(content(rest)).toEqual(content(one));
    expect(rest).toMatchObject({ backend: "cpu", passes: 2 });
    const both = ["--after", first, "--after", second];
    const { stdout } = await here(["profile", path, ...READ, ...both]);
    expect(stdout).toContain("500 rows, 2 passes, merged from shards\n");
    const report = join(scratch(), "report.html");
    await here(["profile", path, ...READ, ...both, "--html", report]);
    expect(readFileSync(report, "utf8")).toContain("<html");
  });

  test("of a file without an ending have the format that its content shows", async () => {
    const path = file("trips", TRIPS);
    const part = join(scratch(), "part.json");
    for (const args of [
      ["profile", path],
      ["compare", path, path],
    ]) {
      expect((await here([...args, "--shard", "0/1", "--out", part])).code).toBe(0);
      expect(readFileSync(part, "utf8")).toContain('"format":"csv"');
    }
    const refusing = ["profile", file("text", "no table\n"), "--shard", "0/1", "--out", part];
    await refused(refusing, "ERR_INPUT", /--format csv/);
  });

  test("of another profile, or not all of them, are refused, and so is a pass too many", async () => {
    const path = file("trips.csv", TRIPS);
    const first = await pass(path, "first", 2);
    const second = await pass(path, "second", 1, "--after", first);
    const part = join(scratch(), "part.bin");
    await here(["profile", path, ...READ, "--shard", "0/2", "--out", part]);
    const never = join(scratch(), "never.bin");
    for (const [args, message] of [
      [[...READ, "--after", part], /part\.bin, as pass 1 of this profile: .*some are missing: 1;/],
      [
        ["--distinct-limit", "100", "--bins", "7", "--after", first, "--after", second],
        /second\.bin, as pass 2 .*of another/,
      ],
      [[...READ, "--after", second], /second\.bin, as pass 1 .*of another/],
      [[...READ, "--after", first, "--after", second, "--out", never], /--after have them all/],
      [[...READ, "--after", first, "--after", second, "--after", second], /after the last pass/],
      [[...READ, "--shard", "0/2"], /expected --out FILE with --shard/],
      [[...READ, "--shard", "0/2", "--out", never, "--html", never], /either --out or --html/],
    ] as const) {
      await refused(["profile", path, ...args], "ERR_INPUT", message);
    }
    await refused(
      ["profile", "-", "--shard", "0/2", "--out", never],
      "ERR_INPUT",
      /save it as a file/,
      Buffer.from("a\n1\n"),
    );
    expect(existsSync(never)).toBe(false);
  });
});

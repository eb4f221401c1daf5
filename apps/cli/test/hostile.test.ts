import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { file, here, refused, scratch } from "./command.ts";

const CPU = ["--backend", "cpu"];
const table = (): string => file("t.csv", "a,b\n1,2\n3,4\n");

async function csv(...args: readonly string[]): Promise<string[]> {
  const outcome = await here(["hist", ...args, "--bins", "1", "--csv", ...CPU]);
  expect(outcome, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
  return outcome.stdout.trimEnd().split("\n").slice(1);
}

describe("headers", () => {
  test("a byte order mark and carriage returns are no part of a name or a value", async () => {
    const path = file("bom.csv", "\ufeffa,b\r\n1,2\r\n3,4\r\n");
    expect(await csv(path, "--column", "a", "--column", "b")).toEqual(["a,,0,1,3,2", "b,,0,2,4,2"]);
  });

  test("names that are empty or occur twice get their own", async () => {
    const path = file("names.csv", "a,,a,\n1,2,3,4\n");
    const { stdout } = await here(["profile", path, "--json", ...CPU]);
    expect(JSON.parse(stdout).columns.map(({ name }: { readonly name: string }) => name)).toEqual([
      "a",
      "column 2",
      "a 2",
      "column 4",
    ]);
    expect(await csv(path, "--column", "a 2")).toEqual(["a 2,,0,2.5,3.5,1"]);
  });

  test("a column without a name has one on the screen", async () => {
    const path = file("empty.jsonl", '{"":1}\n{"":2}\n');
    expect(await csv(path, "--column", "")).toEqual([",,0,1,2,2"]);
    expect((await here(["hist", path, "--column", "", ...CPU])).stdout).toMatch(
      /^"": i32, 2 values from 1 to 2/m,
    );
    expect((await here(["profile", path, ...CPU])).stdout).toMatch(/^"" +i32/m);
  });
});

describe("numbers that would be rounded", () => {
  const big = (): string =>
    file(
      "big.csv",
      `u,t,d\n${2n ** 64n - 1n},2024-01-31T00:00:00.000000001,0.5\n${2n ** 64n - 5000n},2024-01-31T00:00:00,1\n`,
    );
  const hist = (...args: readonly string[]): string[] => ["hist", big(), ...args, ...CPU];

  test("edges of 64-bit integers are printed with all digits, which --edges takes", async () => {
    const { stdout } = await here(hist("--column", "u", "--bins", "3", "--json"));
    expect(stdout).toContain(
      '"edges":[18446744073709545472,18446744073709547520,18446744073709549568,18446744073709551616]',
    );
    expect(await csv(big(), "--column", "u", "--range", "18446744073709545472,18446744073709551616")).toEqual(
      ["u,,0,18446744073709545472,18446744073709551616,2"],
    );
    const profile = await here(["profile", big(), "--columns", "u", "--json", ...CPU]);
    expect(profile.stdout).toContain("18446744073709551616");
    expect(profile.stdout).not.toContain("18446744073709552000");
  });

  test("bins that no doubles have are refused with a number of bins that is possible", async () => {
    await refused(hist("--column", "u"), "ERR_AXIS", /use a wider range, or bins up to 3/);
  });

  test.each([
    ["u", "0,18446744073709552000", "18446744073709552000; the nearest is 18446744073709551616"],
    ["u", "0,1.8446744073709551617e19", "1.8446744073709551617e19; the nearest is 18446744073709551616"],
    ["u", "9007199254740992.5,18446744073709551616", "9007199254740992.5; the nearest is 9007199254740992"],
    ["t", "2024-01-31,2024-01-31T00:00:00.000000001", "000000001; the nearest is 1706659200000000000"],
    [
      "t",
      "1706659200000000001,1706659200000001024",
      "1706659200000000001; the nearest is 1706659200000000000",
    ],
  ] as const)("--range of %s: %s", async (column, range, says) => {
    const message = new RegExp(`expected a number that is a double for --range but received .*${says}`);
    await refused(hist("--column", column, "--range", range), "ERR_INPUT", message);
    await refused(["profile", big(), "--range", `${column}=${range}`, ...CPU], "ERR_INPUT", message);
  });

  test("times of nanoseconds, integers with an exponent and fractions that divide as they should are taken", async () => {
    const ticks = await csv(
      big(),
      "--column",
      "t",
      "--range",
      "2024-01-31T00:00:00,2024-01-31T00:00:00.000000512",
    );
    expect(ticks).toEqual(["t,,0,2024-01-31,2024-01-31 00:00:00.000000512,2"]);
    const edges = "2024-01-31,2024-01-31 00:00:00.000000512";
    const again = await here(["hist", big(), "--column", "t", "--edges", edges, "--csv", ...CPU]);
    expect(again.stdout.split("\n")[1]).toBe(ticks[0]);
    expect(await csv(big(), "--column", "u", "--range", "1e19,18446744073709551616")).toEqual([
      "u,,0,10000000000000000000,18446744073709551616,2",
    ]);
    expect(await csv(table(), "--column", "a", "--range", "0.5,25e-1")).toEqual([
      "a,,0,0.5,2.5,1",
      "a,,overflow,,,1",
    ]);
    expect(await csv(big(), "--column", "d", "--range", "0,9007199254740993")).toHaveLength(1);
  });

  test("profile --range takes dates, too", async () => {
    const { stdout } = await here([
      "profile",
      big(),
      "--columns",
      "t",
      "--range",
      "t=2024-01-31,2024-02-01",
      "--bins",
      "2",
      "--json",
      ...CPU,
    ]);
    expect(stdout).toContain('"edges":[1706659200000000000,1706702400000000000,1706745600000000000]');
  });
});

test.each([
  [
    ["hist", "T", "--column", "a", "--column", "a"],
    "ERR_INPUT",
    /each column once for --column but received "a" twice/,
  ],
  [["joint", "T", "--columns", "a,a"], "ERR_INPUT", /each column once for --columns/],
  [["profile", "T", "--columns", "a,a"], "ERR_INPUT", /each column once for --columns/],
  [["hist", "T", "--column", "a", "--bins", "0"], "ERR_AXIS", /at least 1 for bins/],
  [["hist", "T", "--column", "a", "--range", "1,0"], "ERR_AXIS", /above lo \(1\) for hi/],
  [["hist", "T", "--column", "a", "--edges", "3,1,2"], "ERR_AXIS", /above the edge before it \(3\)/],
  [["hist", "T", "--column", "a", "--edges", "1"], "ERR_AXIS", /at least two ascending numbers for --edges/],
  [["hist", "T", "--edges", "1"], "ERR_AXIS", /at least two ascending numbers for --edges/],
  [["profile", "no-*.csv"], "ERR_INPUT", /no-\*\.csv: expected files of this pattern but found none/],
  [["profile", "-", "-"], "ERR_INPUT", /- for one input at most/],
] as const)("%j is refused", async (args, code, says) => {
  const path = table();
  await refused(
    args.map((arg) => (arg === "T" ? path : arg)),
    code,
    says,
  );
});

test("an empty folder, a packed file that was cut, UTF-16 and an empty file are refused with what helps", async () => {
  const folder = join(scratch(), "d");
  mkdirSync(folder);
  const of = (path: string): string[] => ["hist", path, "--column", "a"];
  for (const args of [of(folder), ["profile", folder]])
    await refused(args, "ERR_INPUT", /expected a folder with files that end in .*\.csv.* but found none/);
  const packed = file("a.csv.gz", Buffer.from("1f8b080000000000", "hex"));
  await refused(of(packed), "ERR_INPUT", /whole gzip data but it ends after 8 bytes/);
  await refused(of(file("u.csv", Buffer.from("a\n1\n", "utf16le"))), "ERR_UNSUPPORTED", /iconv -f utf-16le/);
  await refused(of(file("none.csv", "")), "ERR_INPUT", /a column "a" but .*none\.csv has no columns/);
});

test("more groups than there may be are refused by their number, whatever the bins", async () => {
  const rows = Array.from({ length: 70_000 }, (_, i) => `1,k${i}\n`).join("");
  const path = file("groups.csv", `v,k\n${rows}`);
  const args = ["hist", path, "--column", "v", "--by", "k", "--range", "0,9", "--json", ...CPU];
  await refused(args, "ERR_LIMIT", /at most 65536 groups/);
});

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { openTable } from "@polybin/columns";
import { describe, expect, test } from "vitest";
import { BAD_ROWS, ENCODINGS, TABLE_FORMATS } from "../src/options/reading.ts";
import { file, here, MAIN, refused, scratch } from "./command.ts";

/** Runs a command that must succeed, on one thread. */
async function run(...args: readonly string[]): Promise<string> {
  const outcome = await here([...args, ...(args[0] === "merge" ? [] : ["--backend", "cpu"])]);
  expect(outcome, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
  return outcome.stdout;
}

/** The lines of --csv: column, group, bin, edges and count. */
async function lines(...args: readonly string[]): Promise<string[]> {
  return (await run(...args, "--csv")).trimEnd().split("\n").slice(1);
}

describe("options of readers", () => {
  const odd = (): string =>
    file("odd.csv", Buffer.from("'K\xf6ln'\t1\t2\n'it''s'\t-\t3\n'a\tb'\t3\t4\n", "latin1"));
  const DIALECT = ["--separator", "tab", "--quote", "'", "--header", "city,n,m", "--encoding", "latin1"];
  const ODD = [...DIALECT, "--nulls", "-,?", "--quoted-newlines"];

  test("hist, joint and profile take the same ones", async () => {
    const path = odd();
    expect(await lines("hist", path, "--column", "city", "--column", "n", "--bins", "1", ...ODD)).toEqual([
      "city,,0,Köln,,1",
      "city,,1,a\tb,,1",
      "city,,2,it's,,1",
      "n,,0,1,3,2",
      "n,,nulls,,,1",
    ]);
    const joint = JSON.parse(await run("joint", path, "--columns", "n,m", "--bins", "1", ...ODD, "--json"));
    expect([joint.counts, joint.masked]).toEqual([[2], 1]);
    const profile = JSON.parse(await run("profile", path, ...ODD, "--types", "n=f64", "--json"));
    expect(
      profile.columns.map(({ name, type, nulls }: Record<string, unknown>) => [name, type, nulls]),
    ).toEqual([
      ["city", "string", 0],
      ["n", "f64", 1],
      ["m", "i32", 0],
    ]);
  });

  test("a part and its merge keep them", async () => {
    const path = odd();
    const args = ["hist", path, "--column", "n", "--range", "0,4", "--bins", "2", ...ODD];
    const part = join(scratch(), "part.json");
    await run(...args, "--shard", "0/1", "--out", part);
    expect(await lines("merge", part)).toEqual(await lines(...args));
  });

  test("--quote none, --separator of one character, --header yes and no", async () => {
    const path = file("plain.txt", '"a;"b\n1;2\n');
    const given = ["--format", "csv", "--quote", "none", "--separator", ";"];
    expect(await lines("hist", path, "--column", '"a', "--bins", "1", ...given)).toEqual([
      '"""a",,0,0.5,1.5,1',
    ]);
    const no = ["--column", "column 1", "--header", "no", ...given];
    expect(await lines("hist", path, ...no)).toHaveLength(2);
    const numbers = file("numbers.csv", "1,2\n3,4\n");
    expect(await lines("hist", numbers, "--column", "2", "--header", "yes", "--bins", "1")).toEqual([
      "2,,0,3.5,4.5,1",
    ]);
  });

  test("CSV as people have it, with what is guessed and what is left out", async () => {
    const text = "some notes\nx;y;d\n1,5;yes;31.01.2024\n2,5;no;1.2.2024\nbad\n3;no;2.2.2024\n# end\n";
    const path = file("people.csv", text);
    const given = ["--decimal", ",", "--date-format", "%d.%m.%Y", "--bad-rows", "skip", "--comment", "#"];
    const warning = `warning: ${path}: 1 row left out by --bad-rows skip; line 5: expected 3 fields but found 1\n`;
    const counted = ["hist", path, "--bins", "1", "--csv", ...given];
    const options = "--separator ';' --skip 1";
    const guess = `warning: ${path}: read with ${options}, by which the first rows are alike\n`;
    for (const more of [[], ["--skip", "1", "--separator", ";"]]) {
      const found = await here([...counted, ...more, "--backend", "cpu"]);
      expect(found).toMatchObject({ code: 0, stderr: (more.length === 0 ? guess : "") + warning });
      expect(found.stdout.split("\n").slice(1, -1)).toEqual([
        "x,,0,1.5,3,3",
        "y,,0,0,1,2",
        "y,,1,1,2,1",
        "d,,0,2024-01-31,2024-02-02,3",
      ]);
    }
    const part = join(scratch(), "part.json");
    const shard = ["hist", path, "-c", "x", ...given, "--range", "0,5", "--shard", "0/1", "--out", part];
    expect(await here(shard)).toMatchObject({ code: 0, stderr: guess + warning });
    expect(await here(["profile", path, "--json", ...given])).toMatchObject({
      ...{ code: 0, stderr: guess + warning },
    });
    const bad = ["cluster", "hist", path, "--column", "x", "--bad-rows", "skip"];
    await refused(bad, "ERR_INPUT", /workers would not say what they leave out/);
    await refused(["hist", path, "-c", "x", "--skip", "-1"], "ERR_INPUT", /--skip/);
    await refused(["hist", path, "-c", "x", "--decimal", "x"], "ERR_INPUT", /a point or a comma for decimal/);
    await refused(["hist", path, "-c", "x", "--date-format", "%d"], "ERR_INPUT", /a year, a month and a day/);
  });

  test("--array and --flatten", async () => {
    const npy = (name: string): string =>
      join(import.meta.dirname, "../../../packages/columns/test/npy", name);
    const one = JSON.parse(await run("profile", npy("unequal.npz"), "--array", "b", "--json"));
    expect([one.rows, one.columns.length]).toEqual([4, 1]);
    await refused(["profile", npy("unequal.npz")], "ERR_INPUT", /pass --array/);
    const flat = JSON.parse(await run("profile", npy("matrix.npy"), "--flatten", "--json"));
    expect(flat.columns.map(({ name }: { readonly name: string }) => name)).toEqual(["value"]);
  });

  test("their names are those of the library", async () => {
    const other = (options: object): Promise<string> =>
      openTable(file("x.csv", "a\n1\n"), options).then(
        () => "",
        ({ message }: Error) => message,
      );
    expect(await other({ format: "none" })).toContain(`one of ${TABLE_FORMATS.join(", ")}`);
    expect(await other({ badRows: "none" })).toContain(`one of ${BAD_ROWS.join(", ")} for badRows`);
    expect(await other({ encoding: "none" })).toContain(`one of ${ENCODINGS.join(", ")} for encoding`);
  });

  test.each([
    [["hist", "x", "--separator", ";"], /expected --column with --separator, which is for tables/],
    [["hist", "x", "--quoted-newlines"], /expected --column with --quoted-newlines/],
    [["joint", "x", "y", "--array", "a"], /expected --columns with --array/],
  ] as const)("%j is refused", async (args, says) => {
    await refused(args, "ERR_INPUT", says);
  });

  test("an option of another format, or a value that no reader takes, is refused", async () => {
    const path = file("x.csv", "a,b\n1,2\n");
    await refused(["profile", path, "--flatten"], "ERR_INPUT", /options of csv but received flatten/);
    await refused(["profile", path, "--separator", "ab"], "ERR_INPUT", /one ASCII character for separator/);
    await refused(["profile", path, "--quote", "ab"], "ERR_INPUT", /not the separator/);
    await refused(
      ["profile", path, "--header", "x"],
      "ERR_INPUT",
      /expected 2 names in header but received 1/,
    );
  });

  test("errors of readers name the options of the command", async () => {
    const late = file("late.csv", "id\n1\nx\n");
    const typed = ["hist", late, "--column", "id", "--types", "id=i32"];
    await refused(typed, "ERR_INPUT", /line 3: .*; pass --types id=string$/m);
    const open = file("open.csv", 'a,b\n1,"2\n');
    await refused(["profile", open], "ERR_INPUT", /pass --quote none if quotation marks have no meaning/);
    const windows = file("windows.csv", Buffer.from("city\nK\xf6ln\n", "latin1"));
    await refused(["profile", windows], "ERR_INPUT", /pass --encoding latin1/);
    await refused(["profile", file("table", "a,b\n")], "ERR_INPUT", /try --format csv or --format jsonl/);
  });
});

test("folders, patterns and headers of requests", async () => {
  const place = join(scratch(), "by year");
  for (const [year, text] of [
    ["2023", "x,s\n1,a\n2,b\n"],
    ["2024", "x,s\n3,a\n"],
  ] as const) {
    mkdirSync(join(place, `year=${year}`), { recursive: true });
    writeFileSync(join(place, `year=${year}`, "t.csv"), text);
  }
  const expected = ["x,2023,0,1,3,2", "x,2024,0,1,3,1"];
  const by = ["-c", "x", "--by", "year", "--bins", "1"];
  expect(await lines("hist", place, ...by)).toEqual(expected);
  expect(await lines("hist", join(place, "*", "*.csv"), ...by)).toEqual(expected);
  const profile = JSON.parse(await run("profile", place, "--json"));
  expect([profile.rows, profile.columns.map(({ name }: { name: string }) => name)]).toEqual([
    3,
    ["x", "s", "year"],
  ]);
  const joint = JSON.parse(await run("joint", place, "-c", "x,year", "--bins", "1", "--json"));
  expect(joint.counts).toEqual([3]);
  await refused(["hist", join(place, "*.csv")], "ERR_INPUT", /expected files of this pattern but found none/);

  const text = "x\n1\n2\n";
  const server = createServer(({ headers }, response) => {
    if (headers.authorization !== "Bearer it: is") response.writeHead(401).end();
    else response.writeHead(200, { "content-length": text.length }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/t.csv`;
  const header = ["--http-header", "Authorization: Bearer it: is"];
  expect(await lines("hist", url, "-c", "x", "--range", "0,4", "--bins", "1", ...header)).toEqual([
    "x,,0,0,4,2",
  ]);
  await refused(["hist", url, "-c", "x"], "ERR_INPUT", /401/);
  await refused(
    ["hist", url, "-c", "x", "--http-header", "secret"],
    "ERR_INPUT",
    /NAME: VALUE for --http-header$/m,
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("several files", () => {
  const files = (): string[] =>
    ["a,b,c\n1,2,x\n3,4,y\n5,,x\n", "c,b,a\nz,2,10\n", "a,b,c\n7,1,x\n"].map((text, i) =>
      file(`${i}.csv`, text),
    );

  test("hist and joint count them as one table", async () => {
    const paths = files();
    expect(await lines("hist", ...paths, "--column", "a", "--column", "c", "--bins", "3")).toEqual([
      "a,,0,1,4,2",
      "a,,1,4,7,1",
      "a,,2,7,10,2",
      "c,,0,x,,3",
      "c,,1,y,,1",
      "c,,2,z,,1",
    ]);
    expect(await run("hist", ...paths, "--column", "a")).toMatch(
      /^0\.csv and 2 more files {2}5 rows of csv\n/,
    );
    const joint = ["joint", ...paths, "--columns", "a,b", "--bins", "2"];
    const { counts, masked, input } = JSON.parse(await run(...joint, "--json"));
    expect([counts, masked, input[0].files]).toEqual([[1, 1, 2, 0], 1, 3]);
    expect(await run(...joint)).toMatch(/^x: a of 0\.csv and 2 more files/);
  });

  test("their shards merge to the same counts", async () => {
    const paths = files();
    const args = ["hist", ...paths, "--column", "a", "--range", "0,10", "--bins", "2"];
    const folder = scratch();
    const parts = [0, 1, 2].map((i) => join(folder, `${i}.bin`));
    for (const [i, out] of parts.entries()) await run(...args, "--shard", `${i}/3`, "--out", out);
    expect(await lines("merge", ...parts)).toEqual(await lines(...args));
    await refused([...args, "--out", paths[1]!], "ERR_INPUT", /1\.csv is an input/);
  });

  test("a column that is wider in one of them is read with its type there, in shards, too", async () => {
    const paths = [file("0.csv", "a\n1\n"), file("1.csv", "a\n0.5\n"), file("2.csv", "a\n3\n")];
    const more = Array.from({ length: 17 }, (_, i) => file("more.csv", `a\n${i % 2 === 0 ? 1 : 1.5}\n`));
    for (const given of [paths, [...paths, ...more]]) {
      const args = ["hist", ...given, "--column", "a", "--bins", "2", "--range", "0,4"];
      const { code, stdout } = await here([...args, "--csv", "--backend", "cpu"]);
      const rows = stdout.split("\n").slice(1, -1);
      expect([code, rows]).toEqual([0, [`a,,0,0,2,${given.length - 1}`, "a,,1,2,4,1"]]);
      const folder = scratch();
      const parts = [0, 1].map((i) => join(folder, `${i}.bin`));
      for (const [i, out] of parts.entries()) await run(...args, "--shard", `${i}/2`, "--out", out);
      expect(await lines("merge", ...parts)).toEqual(rows);
      const profile = await here(["profile", ...given, "--json", "--backend", "cpu"]);
      expect(JSON.parse(profile.stdout).columns[0]).toMatchObject({ type: "f64", min: 0.5, max: 3 });
    }
  });

  test("more of them than stay open", async () => {
    const paths = Array.from({ length: 20 }, (_, i) => file("x.csv", `a\n${i}\n`));
    expect(await lines("hist", ...paths, "--column", "a", "--bins", "1")).toEqual(["a,,0,0,19,20"]);
    await refused(
      ["hist", ...paths, "-", "--column", "a", "--range", "0,9", "--format", "csv"],
      "ERR_INPUT",
      /at most 16 files if one of them can be read only once, as standard input, but received 21/,
      Buffer.from("a\n1\n"),
    );
  });

  test("a file without the column, of another type, twice standard input, and files without columns are refused", async () => {
    const [first] = files() as [string];
    const other = file("other.csv", "a\nx\n");
    await refused(
      ["hist", first, other, "--column", "b"],
      "ERR_INPUT",
      /one of the columns "a" of .*other\.csv but/,
    );
    await refused(
      ["hist", first, other, "--column", "a"],
      "ERR_INPUT",
      /"a" in all files but it is i32 in .*string in/,
    );
    await refused(["hist", "-", "-", "--column", "a"], "ERR_INPUT", /- for one input at most/);
    await refused(["hist", first, other], "ERR_INPUT", /"a" in all files but it is i32 in .*string in/);
    await refused(["joint", first, other, first], "ERR_INPUT", /two files at most, or --columns with tables/);
  });
});

describe("pipes", () => {
  /** Runs a line of bash, in which pb is the command. */
  async function bash(
    line: string,
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    const script = `pb() { "${process.execPath}" "${MAIN}" "$@" --backend cpu; }; ${line}`;
    return promisify(execFile)("bash", ["-c", script], { cwd: scratch() }).then(
      (done) => ({ code: 0, ...done }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  test("plain values of a pipe are read once, and make a part", async () => {
    const values = file(
      "values.f32",
      new Uint8Array(Float32Array.from({ length: 50_000 }, (_, i) => i).buffer),
    );
    const args = "--type f32 --range 0,50000 --bins 5 --out part.json";
    const merged = `"${process.execPath}" "${MAIN}" merge part.json --csv`;
    for (const input of [
      `<(cat ${values})`,
      `/dev/stdin ${args} < <(cat ${values})`,
      `- ${args} < ${values}`,
    ]) {
      const found = await bash(
        `pb hist ${input.includes("--out") ? input : `${input} ${args}`} && ${merged}`,
      );
      expect(found, input).toEqual({
        code: 0,
        stderr: "",
        stdout: `bin,lo,hi,count\n${[0, 1, 2, 3, 4].map((i) => `${i},${i * 10_000},${(i + 1) * 10_000},10000\n`).join("")}`,
      });
    }
  });

  test("a picture, a cut value and a missing range in a pipe are refused", async () => {
    const picture = join(import.meta.dirname, "../sample/evening.png");
    expect((await bash(`pb hist <(cat ${picture}) --out part.json`)).stderr).toMatch(/is a PNG picture/);
    const cut = file("cut.f32", readFileSync(picture).subarray(1, 1002));
    expect((await bash(`pb hist - --type f32 --range 0,1 --out part.json < <(cat ${cut})`)).stderr).toMatch(
      /whole number of f32 samples, 4 bytes each, but standard input has 1001 bytes/,
    );
    const table = file("a.csv", "a\n1\n2\n");
    const { code, stderr } = await bash(`pb hist <(cat ${table}) --column a --format csv`);
    expect(stderr).toMatch(
      /expected a range for a, since \/dev\/fd\/\d+ can be read once; give --range LO,HI/,
    );
    expect(code).toBe(2);
  });
});

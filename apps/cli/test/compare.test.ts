import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ComparisonJson } from "@polybin/columns/compare";
import { describe, expect, test } from "vitest";
import { file, here, refused, scratch } from "./command.ts";

const CPU = ["--backend", "cpu"];

function month(cities: readonly string[], factor: number, extra: string): string {
  const lines = Array.from({ length: 300 }, (_, i) =>
    [((i * 37) % 100) * factor, cities[i % cities.length], i % 3 === 0 ? "" : i].join(","),
  );
  return [`fare,city,${extra}`, ...lines].join("\n");
}

const may = () => file("may.csv", month(["Oslo", "Rome"], 0.25, "old"));
const june = () => file("june.csv", month(["Rome", "Kyoto", "Rome"], 0.5, "fresh"));

test("a table has a line per column, those that changed most first", async () => {
  const { code, stdout } = await here(["compare", may(), june(), ...CPU], undefined, 200);
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines[0]).toMatch(/may\.csv → .*june\.csv {2}300 → 300 rows, 4 columns/);
  expect(lines[2]).toMatch(/^column +type +distance +nulls +distinct +min +median +max +mean$/);
  expect(lines.slice(3, 7).map((line) => line.split(/ +/).slice(0, 3))).toEqual([
    ["old", "i32", "gone"],
    ["fresh", "i32", "new"],
    ["fare", "f64", "0.500"],
    ["city", "string", "0.500"],
  ]);
  expect(stdout).toContain("city: 1 new value in 100 rows (Kyoto); 1 lost value in 150 rows (Oslo)");
});

test("a narrow terminal shows fewer cells", async () => {
  const { stdout } = await here(["compare", may(), june(), ...CPU], undefined, 40);
  expect(stdout).toMatch(/^column +type +distance/m);
  const cells = stdout.split("\n").filter((line) => /^(?:old|fare|city) /.test(line));
  expect(cells.map((line) => line.length <= 40)).toEqual([true, true, true]);
});

test("--json has both profiles, and profiles give the same", async () => {
  const compared = async (...files: string[]): Promise<ComparisonJson> => {
    const { code, stdout } = await here(["compare", ...files, "--json", ...CPU]);
    expect(code).toBe(0);
    return JSON.parse(stdout) as ComparisonJson;
  };
  const found = await compared(may(), june());
  expect(found.columns.find(({ name }) => name === "city")).toMatchObject({
    distance: { method: "total-variation", over: "values", value: 0.5 },
    gained: { distinct: 1, rows: 100 },
  });
  const profiles = [found.a, found.b].map((profile, i) => file(`${i}.json`, JSON.stringify(profile)));
  const again = await compared(...profiles);
  const city = ({ columns }: ComparisonJson) => columns.find(({ name }) => name === "city");
  expect(city(again)).toEqual(city(found));
});

test("--html writes a page", async () => {
  const html = join(scratch(), "drift.html");
  expect((await here(["compare", may(), june(), "--html", html, ...CPU])).code).toBe(0);
  expect(readFileSync(html, "utf8")).toContain("<title>may.csv to june.csv: comparison</title>");
  const first = may();
  await refused(["compare", first, june(), "--html", first], "ERR_INPUT", /is an input/);
});

test("wrong input has one line", async () => {
  const profile = file("may.json", (await here(["profile", may(), "--json", ...CPU])).stdout);
  const cut = file("cut.json", readFileSync(profile, "utf8").slice(0, 200));
  for (const [args, message] of [
    [[may()], /missing required argument|expected/],
    [[may(), profile], /expected two tables or two profiles but .*may\.json is a profile/],
    [[profile, profile, "--bins", "3"], /expected either two profiles or --bins, which is for tables/],
    [[profile, cut], /cut\.json: expected a whole profile/],
    [[may(), june(), "--columns", "nowhere"], /"nowhere"/],
    [[may(), june(), "--top", "x"], /expected a number for --top/],
    [[may(), "absent.csv"], /absent\.csv/],
    [["-", "-"], /-/],
  ] as const) {
    await refused(["compare", ...args], "ERR_INPUT", message);
  }
  expect((await here(["compare", "--help"])).stdout).toContain("Kolmogorov-Smirnov");
});

describe("shards", () => {
  const FLAGS = ["--backend", "cpu", "--distinct-limit", "20"];

  /** The parts of the next pass, merged. */
  async function pass(
    files: readonly string[],
    name: string,
    of: number,
    ...after: readonly string[]
  ): Promise<string> {
    const folder = scratch();
    const parts: string[] = [];
    for (let i = 0; i < of; i++) {
      const part = join(folder, `${name}-${i}.${i % 2 === 0 ? "bin" : "json"}`);
      const args = ["compare", ...files, ...FLAGS, ...after, "--shard", `${i}/${of}`, "--out", part];
      expect(await here(args)).toEqual({ code: 0, stdout: "", stderr: "" });
      parts.push(part);
    }
    const whole = join(folder, `${name}.${of % 2 === 0 ? "bin" : "json"}`);
    expect(await here(["merge", ...parts.reverse(), "--out", whole])).toMatchObject({ code: 0, stdout: "" });
    return whole;
  }

  test("of every pass, merged, print the bytes of one run", async () => {
    const files = [may(), june()];
    const first = await pass(files, "first", 3);
    const second = await pass(files, "second", 2, "--after", first);
    const one = await here(["compare", ...files, ...FLAGS]);
    expect(one.stdout).toMatch(/fare +f64 +0\.5/);
    const after = ["--after", first, "--after", second];
    expect(await here(["compare", ...files, ...FLAGS, ...after])).toEqual(one);
    // What is left is counted by this run.
    expect(await here(["compare", ...files, ...FLAGS, "--after", first])).toEqual(one);
    const json = async (...more: string[]): Promise<ComparisonJson> =>
      JSON.parse((await here(["compare", ...files, ...FLAGS, "--json", ...more])).stdout);
    const { columns, a } = await json(...after);
    expect(columns).toEqual((await json()).columns);
    expect(a).toMatchObject({ backend: "shards", passes: 2 });
    const html = join(scratch(), "drift.html");
    expect((await here(["compare", ...files, ...FLAGS, ...after, "--html", html])).code).toBe(0);
    expect(readFileSync(html, "utf8")).toContain("comparison</title>");
  });

  test("of one table that needs a second pass", async () => {
    const few = file("few.csv", "fare\n1\n2\n");
    const files = [may(), few];
    const first = await pass(files, "first", 2);
    const second = await pass(files, "second", 3, "--after", first);
    const { stdout } = await here(["compare", ...files, ...FLAGS, "--after", first, "--after", second]);
    expect(stdout).toBe((await here(["compare", ...files, ...FLAGS])).stdout);
  });

  test("that do not fit are refused", async () => {
    const files = [may(), june()];
    const first = await pass(files, "first", 2);
    const second = await pass(files, "second", 1, "--after", first);
    const never = join(scratch(), "never.bin");
    const part = join(scratch(), "part.bin");
    const json = join(scratch(), "part.json");
    for (const out of [part, json])
      await here(["compare", ...files, ...FLAGS, "--shard", "0/2", "--out", out]);
    const profile = join(scratch(), "profile.bin");
    await here(["profile", files[0]!, "--out", profile]);
    const both = ["--after", first, "--after", second];
    const printed = file("may.json", (await here(["profile", files[0]!, "--json"])).stdout);
    for (const [args, message] of [
      [[...files, "--after", part], /part\.bin, as pass 1 of this comparison: .*some are missing: 1;/],
      [[...files, "--after", second], /second\.json, as pass 1 of this comparison: .*of another/],
      [[...files.toReversed(), "--after", first], /as pass 1 of this comparison: .*of another/],
      [[...files, "--after", profile], /profile\.bin: .*it is not of polybin compare/],
      [[...files, ...both, "--out", never], /prints the comparison/],
      [[...files, ...both, "--after", second], /after the last pass/],
      [[...files, "--shard", "0/2"], /expected --out FILE with --shard/],
      [[...files, "--shard", "0/2", "--out", never, "--json"], /either --out or --json/],
      [["-", files[1]!, "--shard", "0/2", "--out", never], /save it as a file/],
    ] as const) {
      await refused(["compare", ...args, ...FLAGS], "ERR_INPUT", message);
    }
    const two = ["compare", printed, printed, "--shard", "0/2", "--out", never];
    await refused(two, "ERR_INPUT", /either two profiles or --shard/);
    await refused(["merge", part, json, "--out", never], "ERR_INPUT", /part\.json: .*some twice: 0/);
    await refused(["merge", part, first, "--out", never], "ERR_INPUT", /cuts into shards|some twice/);
    await refused(["merge", part, second, "--out", never], "ERR_INPUT", /tasks/);
    await refused(["merge", part], "ERR_UNSUPPORTED", /which polybin compare takes with --after/);
    await refused(["merge", part, profile, "--out", never], "ERR_INPUT", /profile\.bin: /);
    await refused(["merge", part, "--out", never, "--json"], "ERR_INPUT", /--json/);
    expect(existsSync(never)).toBe(false);
  });
});

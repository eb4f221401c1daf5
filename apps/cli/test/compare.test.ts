import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ComparisonJson } from "@polybin/columns/compare";
import { expect, test } from "vitest";
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

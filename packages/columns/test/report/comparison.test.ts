import { openEngine } from "@polybin/core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { compare } from "../../src/compare/index.ts";
import { renderComparison } from "../../src/report/index.ts";
import type { LogicalType } from "../../src/table/index.ts";
import { type Given, tableOf } from "../profile/tables.ts";
import { type Desk, LAY_OUT, names, openDesk, opened, PATIENCE, WIDTH } from "./opened.ts";
import { random } from "./sample.ts";

vi.setConfig({ testTimeout: PATIENCE, hookTimeout: PATIENCE });

const F64: LogicalType = { kind: "number", type: "f64" };
const TIME: LogicalType = { kind: "timestamp", unit: "ms", timezone: null };
const HOSTILE = `</script><img src=x onerror="document.title='hit'">\u202e`;

function side(seed: number, cities: readonly string[], extra: Given): Given[] {
  const next = random(seed);
  const of = <T>(make: () => T): T[] => Array.from({ length: 400 }, make);
  return [
    { name: "fare", type: F64, values: of(() => next() ** 2 * 40 * seed) },
    { name: "city", type: { kind: "string" }, values: of(() => cities[Math.floor(next() * cities.length)]!) },
    { name: "when", type: TIME, values: of(() => BigInt(Math.floor(1.7e12 + seed * 1e9 * next()))) },
    { name: "paid", type: { kind: "boolean" }, values: of(() => Number(next() < 0.4 * seed)) },
    { name: "same", type: F64, values: of(() => 7) },
    { name: "none", type: F64, values: of(() => null) },
    { name: HOSTILE, type: { kind: "string" }, values: of(() => HOSTILE) },
    extra,
  ];
}

const engine = await openEngine();
const a = side(1, ["Oslo", "Rome"], { name: "typed", type: F64, values: [1] });
const b = side(2, ["Rome", "Kyoto"], { name: "typed", type: { kind: "string" }, values: ["1"] });
const found = await compare(
  engine,
  [tableOf(a, 400, { name: "may.csv" })],
  [tableOf(b, 400, { name: "june.csv" })],
);
let desk: Desk;
let address: string;

beforeAll(async () => {
  desk = await openDesk();
  address = await desk.saved(await renderComparison(found));
});
afterAll(() => desk[Symbol.asyncDispose]());

test.for([390, 1280])(
  "the page opens from disk, asks for nothing, and fits %i pixels",
  async (width, ctx) => {
    if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
    await using visit = await opened(desk.chromium, address, { width });
    const { page, problems, requests } = visit;
    await page.evaluate(LAY_OUT);
    expect(requests.filter((url) => url !== address && !url.startsWith("data:"))).toEqual([]);
    expect(await page.evaluate(WIDTH)).toBe(width);
    expect(await page.title()).toBe("may.csv to june.csv: comparison");
    const shown = await names(page);
    expect(shown[0]).toBe("typed");
    expect(shown.at(-1)).toBe("none");
    expect(await page.locator("svg.plot").count()).toBe(3);
    await page.getByRole("searchbox").fill("other type");
    expect(await names(page)).toEqual(["typed"]);
    expect(problems).toEqual([]);
  },
);

test("equal comparisons have equal pages, with the numbers of both sides", async () => {
  const [once, again] = await Promise.all([renderComparison(found), renderComparison(found)]);
  expect(once === again).toBe(true);
  expect(once).toContain("1 new value in");
  expect(once).toContain("Kyoto");
  expect(once).not.toContain("<img");
  await expect(renderComparison({ version: 2 } as never)).rejects.toThrow("comparison.version");
  await expect(renderComparison(found, { name: "x" } as never)).rejects.toThrow("name");
});

import { fileURLToPath } from "node:url";
import { openEngine } from "@polybin/core";
import { findingsOf } from "@polybin/testbed/axe";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTable } from "../../src/index.ts";
import { profile } from "../../src/profile/index.ts";
import { type Desk, LAY_OUT, names, OPEN_ALL, openDesk, opened, PATIENCE, WIDTH } from "./opened.ts";
import { profileOf, trips } from "./sample.ts";
import { taxiCsv } from "./taxi-csv.ts";

vi.setConfig({ testTimeout: PATIENCE, hookTimeout: PATIENCE });

/** One column of each kind. axe takes seconds for more. */
const SEEN = ["pickup", "passengers", "distance", "zone", "stored", "fare", "day", "note"];

let desk: Desk;
let taxi: string;

beforeAll(async () => {
  desk = await openDesk();
  const all = trips(2000);
  const columns = all.columns.filter(({ name }) => SEEN.includes(name));
  taxi = await desk.written({ ...all, columns, joint: all.joint.slice(0, 1) });
});
afterAll(() => desk[Symbol.asyncDispose]());

const LOOKS = [{ width: 1280 }, { width: 390, colorScheme: "dark" }] as const;

test.for(LOOKS)("axe finds nothing, and the page is not too wide: %o", async (look, ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  await using visit = await opened(desk.chromium, taxi, look);
  const { page, problems } = visit;
  await page.evaluate(LAY_OUT);
  await page.getByText("Counts of the bins").first().click();
  expect(await findingsOf(page)).toEqual([]);
  await page.evaluate(OPEN_ALL);
  expect(await page.evaluate(WIDTH)).toBe(look.width);
  expect(problems).toEqual([]);
});

test("axe would find what is wrong", async (ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  await using visit = await opened(desk.chromium, await desk.written(profileOf([])));
  await visit.page.evaluate(
    "document.querySelector('h1').style.color = '#bbb'; document.querySelector('p').innerHTML += '<a href=#></a>'",
  );
  expect((await findingsOf(visit.page)).map(([id]) => id)).toEqual(
    expect.arrayContaining(["color-contrast", "link-name"]),
  );
});

test("a thousand columns stay usable", async (ctx) => {
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  const { columns } = trips(500);
  const [plotted, listed] = ["distance", "payment"].map(
    (name) => columns.find((column) => column.name === name)!,
  );
  const many = Array.from({ length: 1100 }, (_, i) => ({
    ...(i % 100 === 99 ? plotted! : listed!),
    name: `column ${i}`,
  }));
  await using visit = await opened(desk.chromium, await desk.written(profileOf(many)));
  const { page, problems } = visit;
  expect((await names(page)).length).toBe(1100);
  expect(await page.locator("article[id]").count()).toBe(1000);
  expect(await page.locator("#list a.name").count()).toBe(1000);
  await page.getByText("details of the first 1,000 of 1,100 columns").waitFor();
  await page.getByLabel("Search names, types and notes").fill("column 999");
  expect(await names(page)).toEqual(["column 999"]);
  await page.locator("#list").getByRole("link", { name: "column 999" }).click();
  await page.locator("#c999:target svg.plot").first().waitFor({ state: "visible" });
  expect(problems).toEqual([]);
});

/** What docs/guides/profile.md shows: where the page is scrolled to, and how it looks there. */
const PICTURES = [
  { name: "overview-1280-light", at: "h1", width: 1280 },
  { name: "details-1280-dark", at: "#c4", width: 1280, colorScheme: "dark" },
] as const;

test("pictures for the documentation", async (ctx) => {
  if (process.env.POLYBIN_SCREENSHOTS === undefined)
    return ctx.skip("set POLYBIN_SCREENSHOTS to take the committed pictures again");
  if (typeof desk.chromium === "string") return ctx.skip(desk.chromium);
  await using engine = await openEngine();
  await using table = await openTable(taxiCsv(100_000), { format: "csv", name: "trips.csv" });
  const profiled = await profile(engine, [table], { joint: [["trip_distance", "fare_amount"]] });
  const address = await desk.written(profiled);
  for (const { name, at, ...look } of PICTURES) {
    await using visit = await opened(desk.chromium, address, look);
    await visit.page.setViewportSize({ width: look.width, height: 1200 });
    await visit.page.locator(at).evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
    const path = fileURLToPath(new URL(`../../../../docs/guides/report/${name}.png`, import.meta.url));
    await visit.page.screenshot({ path });
  }
});

import { fileURLToPath } from "node:url";
import { openEngine } from "@polybin/core";
import { decode } from "@polybin/pictures";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Dashboard } from "../../server/server.ts";
import { browser, openPage, shown } from "../browser.ts";
import { opened as isOpened, SAMPLE, savedColumns, upload } from "../playground.ts";
import { servePage } from "./backends.ts";

const VECTORS: URL = new URL("../../../../packages/columns/test/tables/vectors/", import.meta.url);
const PICTURES: URL = new URL("../../../../docs/internals/dashboard/", import.meta.url);

let chromium: Browser | string;
let dashboard: Dashboard;

beforeAll(async () => {
  chromium = await browser();
});
afterAll(async () => {
  if (typeof chromium !== "string") await chromium.close();
});
beforeEach(async () => {
  dashboard = await servePage();
});
afterEach(() => dashboard[Symbol.asyncDispose]());

/** The rows of the table of backends, cell by cell. */
const tableOf = (page: Page): Promise<string[][]> =>
  page.evaluate<string[][]>(
    "[...document.querySelector('#backends table').tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))",
  );

/** Asks the other backends to count, and waits until all have. */
async function compared(page: Page): Promise<void> {
  await page.locator("#backends > summary").click();
  await page.locator("#backends > summary", { hasText: /^\d+ backends?, .*counts/ }).waitFor();
}

/** What core's CPU counts in the sample file itself. */
async function countsOfSample(): Promise<Record<"red" | "green" | "blue", number[]>> {
  await using engine = await openEngine();
  const found = await engine.histograms(await decode(SAMPLE));
  const [red, green, blue] = found.map(({ counts }) => [...counts]);
  return { red: red!, green: green!, blue: blue! };
}

/** Shortens the path of the checkout in every text of the page. */
const WITHOUT_PATHS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replaceAll(${JSON.stringify(fileURLToPath(new URL("../../../../", import.meta.url)))}, "polybin/");
})()`;

/** Set it to take the committed pictures again. */
async function portrait(page: Page, view: string): Promise<void> {
  if (process.env.POLYBIN_SCREENSHOTS === undefined) return;
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.waitForTimeout(300);
      // Reasons name files of the checkout. The pictures are the same wherever it is.
      await page.evaluate(WITHOUT_PATHS);
      const path = fileURLToPath(new URL(`${view}-${width}-${colorScheme}.png`, PICTURES));
      await page.screenshot({ path, fullPage: true });
    }
  }
}

test("a compressed Parquet file is read below the server's policy", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${dashboard.origin}/#try/picture`);
  const { page, problems } = opened;
  await shown(page, "try/picture");
  await page.setInputFiles("#file", fileURLToPath(new URL("pyarrow-dictionary-gzip-v1.parquet", VECTORS)));
  await page.locator('[data-part="column"]').waitFor();
  expect(problems).toEqual([]);
});

test("a picture has the CPU's exact counts on every backend, in the page and on the server", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${dashboard.origin}/#try/picture`);
  const { page, problems } = opened;
  await shown(page, "try/picture");
  await page.setInputFiles("#file", fileURLToPath(SAMPLE));
  await isOpened(page, "evening.png");
  await compared(page);
  const rows = await tableOf(page);
  const verdicts = new Map(rows.map(([backend, verdict]) => [backend, verdict]));
  expect(verdicts.get("cpu (page)")).toBe("the reference");
  const equal = ["workers (page)", "webgpu (page)", "cpu (server)", "piscina (server)"];
  for (const name of equal) expect(verdicts.get(name), name).toBe("equal");
  // What has no result says why; nothing that has one differs.
  for (const [backend, verdict, , , , device] of rows) {
    expect(verdict, backend).toMatch(/^(the reference|equal|–)$/);
    expect(device, backend).not.toBe("");
  }
  const counted = rows.filter(([, verdict]) => verdict !== "–").length;
  expect(await page.locator("#backends summary").textContent()).toBe(
    `${counted} backends, 1,024 counts equal`,
  );
  expect(await savedColumns(page)).toMatchObject(await countsOfSample());
  // A drawing has the size that it states.
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4" fill="#c86432"/></svg>`;
  await page.setInputFiles("#file", { ...upload("drawn.svg", text), mimeType: "image/svg+xml" });
  await isOpened(page, "drawn.svg");
  const { red, green, blue } = await savedColumns(page);
  expect([red![200], green![100], blue![50]]).toEqual([32, 32, 32]);
  // The picture stays when the reader comes back.
  await page.getByRole("link", { name: "Papers" }).click();
  await shown(page, "papers");
  await page.getByRole("link", { name: "Try it" }).click();
  await page.locator(".facts", { hasText: "drawn.svg" }).waitFor();
  expect(problems).toEqual([]);
});

test("runs are kept and two are compared, with the true number of rounds; a run stops when it is told to", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  const address = `${dashboard.origin}/#try/compare`;
  await using opened = await openPage(chromium, `${address}?power=16&rounds=20`);
  const { page, problems } = opened;
  // Only TRISH has a k.
  expect(await page.getByRole("combobox", { name: "k", exact: true }).count()).toBe(0);
  const finish = async () => {
    await page.click("#run");
    await page.locator("#status", { hasText: "done, and every round was exact" }).waitFor();
  };
  await page.locator("#run").waitFor();
  await finish();
  expect(await page.locator("#runs tbody tr").count()).toBe(1);
  await page.goto(`${address}?power=16&rounds=20&algorithm=trish`);
  await page.getByRole("combobox", { name: "k", exact: true }).selectOption("4");
  await expect.poll(() => page.url()).toContain("k=4");
  await finish();
  const cards = await page.locator(".cards li").allTextContents();
  expect(cards).toHaveLength(2);
  for (const card of cards) {
    expect(card).toMatch(/median of 20 rounds, quartiles [\d.]+ to [\d.]+ GB\/s/);
    // The ceiling of the host's memory is measured, and said to be invalid if the run is faster.
    expect(card).toMatch(/% of the ceiling: a plain copy|Ceiling: invalid/);
    expect(card).toMatch(/Recorded: /);
  }
  expect(await page.locator("#verdict").textContent()).toMatch(
    /^[AB] is [\d.]+ times as fast as [AB] by their medians/,
  );
  await portrait(page, "compare");

  await page.goto(`${address}?power=26&rounds=200`);
  await page.click("#run");
  await page
    .locator("#count", { hasText: /^[1-9]\d* of 200 rounds measured, after 2 to warm up$/ })
    .waitFor();
  // By keyboard: the button keeps the focus when it changes what it does.
  await page.keyboard.press("Enter");
  await page.locator("#status", { hasText: /^Stopped after \d+ rounds/ }).waitFor();
  // The server has heard of it, too.
  const busy = async () =>
    ((await (await fetch(`${dashboard.origin}/api/status`)).json()) as { busy: boolean }).busy;
  await expect.poll(busy, { timeout: 30_000 }).toBe(false);
  await page.locator("#run").waitFor();
  expect(await page.evaluate("document.activeElement.id")).toBe("run");
  // A reload keeps the runs.
  await page.reload();
  await page.locator("#runs tbody tr").nth(2).waitFor();
  expect(problems).toEqual([]);
});

/** Waits until what works without the server is in the page: the live views and their workers. */
async function loadedAhead(page: Page): Promise<void> {
  await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBeGreaterThan(1);
  await Promise.all(page.workers().map((worker) => worker.evaluate("0")));
  await page.waitForLoadState("networkidle");
}

/** Problems other than a browser's own report of what cannot be reached. */
const otherwise = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !problem.includes("ERR_CONNECTION_REFUSED"));

test("the page outlives the server, says that it is gone, and finds it again", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, dashboard.origin);
  const { page, problems } = opened;
  await shown(page, "overview");
  await loadedAhead(page);
  const port = Number(new URL(dashboard.origin).port);
  await dashboard[Symbol.asyncDispose]();
  await page.getByRole("link", { name: "Try it" }).click();
  // The page draws its sample itself, and counts it.
  await isOpened(page, "evening.png");
  await page.locator("#server", { hasText: "does not answer" }).waitFor();
  await compared(page);
  await page.locator("#backends > summary", { hasText: "3 backends, 1,024 counts equal" }).waitFor();
  expect(await savedColumns(page)).toMatchObject(await countsOfSample());
  await page.getByRole("link", { name: "Compare" }).click();
  await page.locator("#server", { hasText: "does not answer" }).waitFor();
  dashboard = await servePage(port);
  await page.locator("#run").waitFor();
  expect(otherwise(problems)).toEqual([]);
});

test("if its worker cannot be had, the picture says so", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, "about:blank");
  const { page } = opened;
  await page.route("**/worker-*", (route) => route.abort());
  await page.goto(`${dashboard.origin}/#try/picture`);
  await page
    .locator("#problem", { hasText: "evening.png was not opened: the worker could not be started" })
    .waitFor();
});

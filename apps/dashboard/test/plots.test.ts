// What a reader does with a plot: points at it, reads it by keyboard, switches series, saves and links it.
import { readFile } from "node:fs/promises";
import { decode } from "fast-png";
import type { Download, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, shown, siteInBrowser } from "./browser.ts";

/** A busy machine draws a view in seconds. */
const BUSY = { timeout: 30_000 };

const at = siteInBrowser();

const VIEWPORT = { width: 1280, height: 900 };
const legend = (page: Page) => page.locator(".legend button");
const lines = (page: Page) => page.locator('svg.plot g[data-mark="line"] path');

test("a pointer shows the values of all series at its place", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/k-sweep`, {
    viewport: VIEWPORT,
  });
  const { page, problems } = opened;
  await shown(page, "explore/k-sweep");
  const names = await legend(page).allInnerTexts();
  expect(names.length).toBeGreaterThan(3);
  await page
    .locator("svg.plot")
    .first()
    .hover({ position: { x: 500, y: 200 } });
  const readout = page.locator(".readout").first();
  expect(await readout.locator(".heading").textContent()).toMatch(/^\d+ k$/);
  const values = await readout.locator("p:not(.heading) span:first-child").allTextContents();
  expect(values.toSorted()).toEqual(names.map((name) => name.trim()).toSorted());
  for (const value of await readout.locator("p:not(.heading) span:last-child").allTextContents())
    expect(value).toMatch(/^[\d,.]+ GB\/s$/);
  await page.mouse.move(5, 5);
  expect(await readout.isVisible()).toBe(false);
  expect(problems).toEqual([]);
});

test("arrow keys read a plot, value by value, and say what they read", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#overview`, { viewport: VIEWPORT });
  const { page, problems } = opened;
  await shown(page, "overview");
  const plot = page.locator(".reading-box").first();
  await plot.focus();
  const told = plot.locator("[aria-live]");
  await page.keyboard.press("ArrowDown");
  const [first] = await page.locator('svg.plot g[data-mark="y-axis tick label"] text').allTextContents();
  expect(await told.textContent()).toContain(`${first}: `);
  expect((await told.textContent())!.split(";").length).toBeGreaterThan(1);
  await page.keyboard.press("ArrowRight");
  expect(await told.textContent()).toMatch(/^\w+, .+: [\d,.]+ GB\/s$/);
  await page.keyboard.press("End");
  expect(await told.textContent()).not.toContain(`${first}: `);
  await page.keyboard.press("Escape");
  expect(await plot.locator(".readout").isVisible()).toBe(false);
  expect(problems).toEqual([]);
});

test("a legend switches series off, and a copied link keeps it, on the papers' plots, too", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  const permissions = ["clipboard-read", "clipboard-write"];
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/k-sweep`, {
    viewport: VIEWPORT,
    permissions,
  });
  const { page, problems } = opened;
  await shown(page, "explore/k-sweep");
  const before = await lines(page).count();
  await legend(page).first().click();
  await expect.poll(() => lines(page).count(), BUSY).toBe(before - 1);
  expect(await legend(page).first().getAttribute("aria-pressed")).toBe("false");
  await page
    .getByRole("button", { name: /^Copy link/ })
    .first()
    .click();
  await page
    .getByRole("button", { name: /^Copy link/ })
    .first()
    .filter({ hasText: "Link copied" })
    .waitFor();
  const link = await page.evaluate<string>("navigator.clipboard.readText()");
  await page.goto("about:blank");
  await page.goto(link);
  await shown(page, "explore/k-sweep");
  expect(await lines(page).count()).toBe(before - 1);

  await page.goto(`${at.site.origin}#papers?figure=nvidia-h200/brown-snoeyink-figure-6`);
  await page.locator("h2", { hasText: "Figure 6" }).waitFor();
  const all = await lines(page).count();
  await legend(page).first().click();
  await expect.poll(() => lines(page).count(), BUSY).toBeLessThan(all);
  expect(problems).toEqual([]);
});

test("a plot shows eight series, and all when asked", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/throughput`, {
    viewport: VIEWPORT,
  });
  const { page } = opened;
  await shown(page, "explore/throughput");
  expect(await legend(page).count()).toBe(8);
  const button = page.getByRole("button", { name: /^Show all \d+$/ });
  const total = Number((await button.textContent())!.replace(/\D/g, ""));
  expect(total).toBeGreaterThan(8);
  await button.click();
  await expect.poll(() => legend(page).count(), BUSY).toBe(total);
  await page.getByRole("button", { name: "Show fewer" }).click();
  await expect.poll(() => legend(page).count(), BUSY).toBe(8);
});

async function saved(page: Page, kind: string): Promise<Buffer> {
  const coming: Promise<Download> = page.waitForEvent("download");
  await page
    .getByRole("button", { name: new RegExp(`^${kind}: `) })
    .first()
    .click();
  return readFile(await (await coming).path());
}

test("a plot is saved as CSV, SVG and PNG", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#overview`, { viewport: VIEWPORT });
  const { page, problems } = opened;
  await shown(page, "overview");
  const csv = (await saved(page, "CSV")).toString("utf8").trimEnd().split("\r\n");
  const table = page.locator("figure table").first();
  expect(csv).toHaveLength(1 + (await table.locator("tbody tr").count()));
  expect(csv[0]).toBe('"contestant","distribution","GB/s","% of ceiling","ceiling of","basis"');
  const firstRow = await table.locator("tbody tr").first().locator("th, td").allTextContents();
  expect(csv[1]).toBe(
    firstRow
      .slice(0, 6)
      .map((cell) => `"${cell}"`)
      .join(","),
  );

  const svg = (await saved(page, "SVG")).toString("utf8");
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  // A file of its own has no style sheet of the page.
  expect(svg.replace(/<style>.*?<\/style>/s, "")).not.toMatch(/(fill|stroke)="var\(/);

  const png = decode(await saved(page, "PNG"));
  const width = await page
    .locator("svg.plot")
    .first()
    .evaluate((plot) => (plot as SVGSVGElement).viewBox.baseVal.width);
  expect(png.width).toBe(2 * width);
  expect(new Set(png.data.subarray(0, 400_000)).size).toBeGreaterThan(2);
  expect(problems).toEqual([]);
});

test("the overview's numbers are those of its run, and a beaten polybin is shown", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#overview`, { viewport: VIEWPORT });
  const { page, problems } = opened;
  await shown(page, "overview");
  const rows = await page.evaluate<string[][]>(
    "[...document.querySelector('figure table').tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))",
  );
  const [contestant] = (await page.locator("#what").textContent())!.split(", u8");
  const speeds = rows
    .filter(([name]) => name === contestant)
    .map(([, , gbps]) => Number(gbps!.replace(",", "")));
  const [gbps, , ratio] = await page.locator(".cards.four strong").allTextContents();
  expect(Number(gbps!.replace(/[^\d.]/g, ""))).toBe(Math.min(...speeds));
  expect(Number(ratio)).toBeCloseTo(Math.min(...speeds) / Math.max(...speeds), 2);
  expect(await page.locator("#losses").textContent()).toMatch(/In \d+ of \d+ measured cells of this machine/);
  // On this machine, OpenCV on 16 threads beats polybin's workers on several distributions.
  await page
    .getByRole("combobox", { name: /^Run/ })
    .selectOption({ label: "u8, 256 bins, 2²² samples, host memory (axes-quick)" });
  await page.locator(".cards", { hasText: "polybin is slower on 7 of 9 distributions" }).waitFor();
  expect(problems).toEqual([]);
});

test("software adapters are shown when a reader asks", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(
    at.chromium,
    `${at.site.origin}#explore/throughput?machine=amd-epyc-2`,
    {
      viewport: VIEWPORT,
    },
  );
  const { page } = opened;
  await shown(page, "explore/throughput");
  const machines = () => page.getByLabel("Machine").locator("option").allTextContents();
  const values = () => page.locator("figure table").textContent();
  expect(await machines()).not.toContain("swiftshader");
  expect(await values()).not.toMatch(/swiftshader/i);
  await page.getByLabel("Software adapters").check();
  await expect.poll(machines, BUSY).toContain("swiftshader");
  expect(await values()).toMatch(/swiftshader/i);
});

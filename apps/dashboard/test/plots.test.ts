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
  expect(names.length).toBe(3);
  await page
    .locator("svg.plot")
    .first()
    .hover({ position: { x: 500, y: 200 } });
  const readout = page.locator(".readout").first();
  expect(await readout.locator(".heading").textContent()).toMatch(/^\d+ k$/);
  // A key shows which line a value belongs to.
  const keys = await readout
    .locator("i")
    .evaluateAll((all) => all.map((key) => getComputedStyle(key).backgroundColor));
  expect(new Set(keys).size).toBe(names.length);
  const values = await readout.locator("p:not(.heading) span:nth-child(2)").allTextContents();
  expect(values.toSorted()).toEqual(names.map((name) => name.trim()).toSorted());
  for (const value of await readout.locator("p:not(.heading) span:last-child").allTextContents())
    expect(value).toMatch(/^[\d,.]+ GB\/s$/);
  await page.mouse.move(5, 5);
  expect(await readout.isVisible()).toBe(false);
  expect(problems).toEqual([]);
});

test("arrow keys read a plot, value by value, and say what they read", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/distributions`, {
    viewport: VIEWPORT,
  });
  const { page, problems } = opened;
  await shown(page, "explore/distributions");
  const plot = page.locator(".reading-box").first();
  await plot.focus();
  const told = plot.locator("[aria-live]");
  await page.keyboard.press("ArrowDown");
  // Behind the name stands its tooltip.
  const first = await page
    .locator('svg.plot g[data-mark="y-axis tick label"] text')
    .first()
    .evaluate((text) => text.firstChild!.textContent);
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
  await using opened = await openPage(
    at.chromium,
    `${at.site.origin}#explore/throughput?machine=nvidia-h100&from=cpu`,
    {
      viewport: VIEWPORT,
    },
  );
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
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/distributions`, {
    viewport: VIEWPORT,
  });
  const { page, problems } = opened;
  await shown(page, "explore/distributions");
  const csv = (await saved(page, "CSV")).toString("utf8").trimEnd().split("\r\n");
  const table = page.locator("figure table").first();
  expect(csv).toHaveLength(1 + (await table.locator("tbody tr").count()));
  expect(csv[0]).toBe('"program","distribution","GB/s","worst / best","ceiling of","basis"');
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

test("the overview is one sentence and one table, whose numbers are those of the files", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#overview`, { viewport: VIEWPORT });
  const { page, problems } = opened;
  await shown(page, "overview");
  const table = page.locator("table");
  expect(await table.count()).toBe(1);
  expect(await page.locator("#verdict").textContent()).toMatch(/^On .+ \(\d{4}-\d\d-\d\d\), polybin .+\.$/);
  expect(await table.locator("tbody tr").count()).toBe(5);
  const median = async (link: string | null) => {
    const query = new URLSearchParams(link!.split("?")[1]);
    const file = await fetch(`${at.site.origin}data/${query.get("file")}.json`);
    const { ms, threads } = ((await file.json()) as { rows: { ms: number[]; threads?: number }[] }).rows[
      Number(query.get("row"))
    ]!;
    const sorted = ms.toSorted((a, b) => a - b);
    return { ms: (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2, threads };
  };
  let lost = 0;
  for (const row of await table.locator("tbody tr").all()) {
    for (const cell of (await row.locator("td:has(a)").all()).slice(1)) {
      const [times, told] = await cell.evaluate((td) => [
        td.querySelector("span")!.textContent,
        td.querySelector("span")!.title,
      ]);
      const theirs = await median(await cell.locator("a").getAttribute("href"));
      // The tooltip names both programs, their threads and their times.
      const [peer, ours] = told!.split("; ") as [string, string];
      const msOf = (text: string) => {
        const [, value, unit] = /: ([\d,.]+) ([µm]?s)$/.exec(text)!;
        return Number(value!.replaceAll(",", "")) * { µs: 0.001, ms: 1, s: 1000 }[unit as "µs"];
      };
      // Numbers have three digits. A quotient of two of them has the error of both.
      const near = (a: number, b: number, error = 0.006) =>
        expect(Math.abs(a / b - 1), told).toBeLessThan(error);
      near(msOf(peer), theirs.ms);
      // A GPU has none.
      if (theirs.threads !== undefined) expect(ours).toContain(`${theirs.threads} thread`);
      near(Number(times!.replace("×", "")), msOf(ours) === 0 ? Number.NaN : theirs.ms / msOf(ours), 0.011);
      const isLost = Number(times!.replace("×", "")) < 1;
      expect(await cell.locator("span.bad").count()).toBe(isLost ? 1 : 0);
      lost += Number(isLost);
    }
  }
  const [, told] = /slower in (\d+)/.exec((await page.locator("#verdict").textContent())!) ?? [null, "0"];
  expect(Number(told)).toBe(lost);
  expect(problems).toEqual([]);
});

test("software adapters are shown when a reader asks", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(
    at.chromium,
    `${at.site.origin}#explore/throughput?machine=amd-epyc-2&from=axes`,
    {
      viewport: VIEWPORT,
    },
  );
  const { page } = opened;
  await shown(page, "explore/throughput");
  const machines = () => page.getByLabel("Machine").locator("option").allTextContents();
  const values = () => page.locator("figure table").textContent();
  expect(await machines()).not.toContain("SwiftShader, 2 cores");
  expect(await values()).not.toMatch(/swiftshader/i);
  await page.getByLabel("Software adapters").check();
  await expect.poll(machines, BUSY).toContain("SwiftShader, 2 cores");
  await expect.poll(values, BUSY).toMatch(/swiftshader/i);
});

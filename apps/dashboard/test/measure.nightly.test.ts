import { expect, test } from "vitest";
import { openPage, shown, siteInBrowser } from "./browser.ts";

const at = siteInBrowser();

test("a button measures the reader's browser and adds its column", { timeout: 180_000 }, async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#overview`);
  const { page, problems } = opened;
  await shown(page, "overview");
  const heads = page.locator("thead th");
  const before = await heads.count();
  await page.click("#measure");
  await page.locator("#measuring").waitFor();
  await page.locator("#measure").waitFor({ timeout: 120_000 });
  expect(await heads.count()).toBe(before + 1);
  const cells = await page.locator("tbody tr td:nth-child(3)").allTextContents();
  // Chromium here has no GPU, and a page has no file of 10 GB.
  expect(cells.map((cell) => / ms/.test(cell))).toEqual([true, true, false, false, true]);
  expect(cells[2]).toBe("no GPU through WebGPU here");
  expect(problems).toEqual([]);
});

import { fileURLToPath } from "node:url";
import { openPage } from "@polybin/testbed/page";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generated } from "../src/columns.ts";
import { openSite, type Site } from "./site.ts";

const ROWS = 50_000;
const { brushed } = generated(ROWS);

/** Notes the buffers that the page hands to workers, by their length before and after. */
const NOTE_TRANSFERS = `
  window.transfers = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, transfer = []) {
    const buffers = transfer.filter((one) => one instanceof ArrayBuffer);
    const before = buffers.map((one) => one.byteLength);
    post.call(this, message, transfer);
    window.transfers.push(...buffers.map((one, i) => [before[i], one.byteLength]));
  };`;

let site: Site | string;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  if (typeof site !== "string") await site[Symbol.asyncDispose]();
});

/** What the page says about the brush, once the worker has answered. */
async function selection(page: Page) {
  const output = page.locator("output[data-lo]");
  await output.waitFor();
  const [lo, hi] = await Promise.all(
    ["data-lo", "data-hi"].map(async (name) => Number(await output.getAttribute(name))),
  );
  return { lo: lo!, hi: hi!, text: (await output.textContent())! };
}

const rowsWithin = (lo: number, hi: number): number =>
  brushed.values.reduce((rows, x) => rows + Number(x >= lo && (x < hi || (hi === 24 && x === hi))), 0);
const told = (rows: number) => `${rows.toLocaleString("en")} of 50,000 rows`;

test("the brush works by keyboard, by pointer and without the page's own thread", async (ctx) => {
  if (typeof site === "string") return ctx.skip(site);
  await using opened = await openPage(site.browser, `${site.address}?rows=${ROWS}`, {
    before: NOTE_TRANSFERS,
  });
  const { page, problems } = opened;
  expect((await selection(page)).text).toContain(told(ROWS));
  expect(await page.evaluate("window.transfers")).toEqual([
    [4 * ROWS, 0],
    [4 * ROWS, 0],
  ]);

  await page.keyboard.press("Tab");
  for (const key of ["PageUp", "PageUp", "ArrowRight", "ArrowUp", "ArrowLeft"])
    await page.keyboard.press(key);
  await page.keyboard.press("Tab");
  for (const key of ["Home", "PageUp", "PageDown", "PageUp", "ArrowRight"]) await page.keyboard.press(key);
  // 21 bins of a quarter of an hour, and 11 more.
  await expect.poll(async () => (await selection(page)).hi).toBe(8);
  const keyed = await selection(page);
  expect(keyed.lo).toBe(5.25);
  expect(keyed.text).toContain(told(rowsWithin(5.25, 8)));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // select all
  await expect.poll(async () => (await selection(page)).lo).toBe(0);

  const box = (await page.locator(".brush").boundingBox())!;
  const at = (hour: number): readonly [number, number] => [box.x + (hour / 24) * box.width, box.y + 20];
  // The brush spans the chart, so the first drag draws one wherever it begins.
  await page.mouse.move(...at(9));
  await page.mouse.down();
  await page.mouse.move(...at(15), { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await selection(page)).lo).toBeCloseTo(9, 1);
  expect((await selection(page)).hi).toBeCloseTo(15, 1);
  await page.getByRole("button", { name: "Select all" }).click();
  await expect.poll(async () => (await selection(page)).lo).toBe(0);
  // Then its end, and its middle.
  await page.mouse.move(...at(24));
  await page.mouse.down();
  await page.mouse.move(...at(6), { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await selection(page)).hi).toBeCloseTo(6, 1);
  await page.mouse.move(...at(3));
  await page.mouse.down();
  await page.mouse.move(...at(13.0137), { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await selection(page)).lo).toBeCloseTo(10, 1);
  await page.getByRole("radio").nth(1).check();
  await expect.poll(async () => (await selection(page)).lo).not.toBe(Math.fround((await selection(page)).lo));
  const { lo, hi, text } = await selection(page);
  expect(text).toContain(told(rowsWithin(lo, hi)));
  // Outside the brush, a drag draws a new one.
  await page.mouse.move(...at(20));
  await page.mouse.down();
  await page.mouse.move(...at(18), { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => (await selection(page)).lo).toBeCloseTo(18, 1);
  expect((await selection(page)).hi).toBeCloseTo(20, 1);
  expect(problems).toEqual([]);
});

test.for([
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const)("axe finds nothing, $width pixels wide, $colorScheme", async ({ width, colorScheme }, ctx) => {
  if (typeof site === "string") return ctx.skip(site);
  const screenshots = process.env.POLYBIN_SCREENSHOTS !== undefined;
  const viewport = { width, height: 900 };
  const address = `${site.address}?rows=${screenshots ? 10_000_000 : ROWS}`;
  await using opened = await openPage(site.browser, address, { viewport, colorScheme });
  const { page, problems } = opened;
  await selection(page);
  await page.getByRole("slider").first().focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press("PageUp");
  await expect.poll(async () => (await selection(page)).lo).toBe(15);
  await page.evaluate(axe.source);
  const violations = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as {
    id: string;
    nodes: { html: string }[];
  }[];
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(problems).toEqual([]);
  // Set it to take the pictures of the README again.
  if (!screenshots) return;
  const path = fileURLToPath(new URL(`../screenshot-${width}.png`, import.meta.url));
  await page.screenshot({ path, fullPage: true });
});

/** The page cannot reach its workers once `window.broken` is set, as if they were gone. */
const BREAK = `
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...all) {
    if (window.broken) throw new Error("the worker is gone");
    post.apply(this, all);
  };`;

test("errors stand on the page", async (ctx) => {
  if (typeof site === "string") return ctx.skip(site);
  const alert = (page: Page) => page.getByRole("alert").textContent();
  await using wrong = await openPage(site.browser, `${site.address}?rows=-1`);
  expect(await alert(wrong.page)).toContain("for rows but received -1");
  await using opened = await openPage(site.browser, `${site.address}?rows=1000`, { before: BREAK });
  const { page } = opened;
  await selection(page);
  await page.evaluate("window.broken = true");
  await page.getByRole("slider").first().press("PageUp");
  expect(await alert(page)).toBe("the worker is gone");
  // The next brush is counted again.
  await page.evaluate("window.broken = false");
  await page.getByRole("slider").first().press("PageUp");
  await expect.poll(async () => (await selection(page)).lo).toBe(5);
  expect(await page.getByRole("alert").count()).toBe(0);
});

import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browser, openPage, shown } from "./browser.ts";
import { type StaticSite, staticSite } from "./static-site.ts";

/** Every view, and what must be on it: plots, or sentences where there is nothing to plot. */
const VIEWS: readonly (readonly [view: string, holds: string])[] = [
  ["overview", "main p"],
  ["explore/throughput", "svg.plot"],
  ["explore/distributions", "svg.plot"],
  ["explore/ceiling", "svg.plot"],
  ["explore/peers", "svg.plot"],
  ["explore/calls", "svg.plot"],
  ["explore/k-sweep", "svg.plot"],
  ["explore/weighted", "svg.plot"],
  ["papers", "svg.plot"],
  ["explore/cell", "svg.plot"],
  ["explore/files", "table"],
  ["try/picture", "#sample"],
  ["try/compare", "p.absent"],
];

const NAV = "nav[aria-label=Views] a";

/** Views that docs/dashboard has pictures of, and how much of their height. */
const PICTURED: readonly string[] = ["explore/throughput", "distributions", "peers", "papers"];
const HEIGHTS = { 1280: 1200, 390: 1700 } as const;

const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

let site: StaticSite;
let chromium: Browser | string;

beforeAll(async () => {
  [site, chromium] = await Promise.all([staticSite(), browser()]);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  if (typeof chromium !== "string") await chromium.close();
});

test.for(LOOKS)(
  "every view is drawn from the committed results, $width pixels wide, $colorScheme",
  async ({ width, colorScheme }, ctx) => {
    if (typeof chromium === "string") return ctx.skip(chromium);
    const viewport = { width, height: 900 };
    await using opened = await openPage(chromium, site.origin, { viewport, colorScheme });
    const { page, problems } = opened;
    for (const [view, holds] of VIEWS) {
      await page.goto(`${site.origin}#${view}`);
      await shown(page, view);
      await page.locator(holds).first().waitFor();
      expect(await page.locator(`${NAV}:not([aria-current="false"])`).count(), view).toBe(1);
      expect(await page.evaluate("document.documentElement.scrollWidth"), `width of ${view}`).toBe(width);
      expect(await page.locator("svg.plot text", { hasText: "…" }).count(), `cut names in ${view}`).toBe(0);
      expect(problems, view).toEqual([]);
      // Set it to take the committed pictures again. Those of the live views are taken where there is a server.
      if (process.env.POLYBIN_SCREENSHOTS === undefined || !PICTURED.includes(view)) continue;
      const file = new URL(`../../../docs/dashboard/${view}-${width}-${colorScheme}.png`, import.meta.url);
      await page.screenshot({
        path: fileURLToPath(file),
        clip: { x: 0, y: 0, width, height: HEIGHTS[width] },
        fullPage: true,
      });
    }
  },
);

test("selections stand in the address, and an address brings them back", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${site.origin}#explore/throughput`);
  const { page, problems } = opened;
  await shown(page, "explore/throughput");
  await page.getByLabel("Machine").selectOption("nvidia-h200");
  await page.getByLabel("Distribution").selectOption("zeros");
  await expect.poll(() => page.url()).toContain("machine=nvidia-h200&distribution=zeros");
  const title = () => page.locator("figcaption").first().textContent();
  await expect.poll(title).toContain("zeros");
  await page.reload();
  await shown(page, "explore/throughput");
  expect(await title()).toContain("zeros");
  expect(await page.getByLabel("Machine").inputValue()).toBe("nvidia-h200");
  // The machine goes along to the next view; what only this view knows does not.
  await page.getByRole("link", { name: "Peers" }).click();
  await shown(page, "explore/peers");
  expect(new URL(page.url()).hash).toBe("#explore/peers?machine=nvidia-h200");
  expect(problems).toEqual([]);
});

test("one basis governs plots and tables, and goes along to the next view", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${site.origin}#explore/peers?machine=nvidia-h200`);
  const { page, problems } = opened;
  await shown(page, "explore/peers");
  const basis = () => page.getByLabel("Timing");
  expect(await basis().inputValue()).toBe("call");
  const cards = () => page.locator(".cards li").allTextContents();
  // CUB's whole calls win on some distributions; its kernels on none.
  expect((await cards()).find((card) => card.includes("cub's"))).toMatch(/^0\.\d+ to /);
  await basis().selectOption("kernel");
  await expect
    .poll(async () => (await cards()).find((card) => card.includes("cub's")))
    .toMatch(/^1\.\d+ to /);
  // PyTorch tells whole calls alone.
  expect((await cards()).some((card) => card.startsWith("pytorch's"))).toBe(false);
  await page.getByRole("link", { name: "Throughput" }).click();
  await shown(page, "explore/throughput");
  expect(await basis().inputValue()).toBe("kernel");
  await page.locator("#crossover", { hasText: "A CPU has no kernel times" }).waitFor();
  expect(problems).toEqual([]);
});

test("a row of a table leads to its cell's runs, by keyboard alone", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${site.origin}#explore/peers?machine=nvidia-h200`);
  const { page, problems } = opened;
  await shown(page, "explore/peers");
  await page.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("link", { name: /^The runs of cub/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await shown(page, "explore/cell");
  await page.locator("figcaption", { hasText: "Every run of cub" }).waitFor();
  expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  expect(problems).toEqual([]);
});

test("a row of a file is shown as it stands there", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  const file = "nvidia-h200/cuda-headline";
  await using opened = await openPage(chromium, `${site.origin}#explore/cell?file=${file}&row=1`);
  const { page } = opened;
  await shown(page, "explore/cell");
  const { rows } = (await (await fetch(`${site.origin}data/${file}.json`)).json()) as { rows: unknown[] };
  const text = await page.locator("pre").textContent();
  expect(JSON.parse(text!)).toEqual(rows[1]);
});

test("what is missing in the files is there to be opened", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  const viewport = { width: 390, height: 900 };
  await using opened = await openPage(chromium, `${site.origin}#explore/files`, { viewport });
  const { page } = opened;
  await shown(page, "explore/files");
  const sentences = page.locator(".sentences").first();
  expect(await sentences.isVisible()).toBe(false);
  await page.locator("summary").first().click();
  await sentences.waitFor({ state: "visible" });
});

test("papers show the page of the report, and lead from a number to its figure, one plot per backend", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  const viewport = { width: 390, height: 900 };
  await using opened = await openPage(chromium, `${site.origin}#papers`, { viewport });
  const { page, problems } = opened;
  await shown(page, "papers");
  const report = await fetch(`${site.origin}data/nvidia-h200/papers.json`);
  const { page: story, papers } = (await report.json()) as {
    page: { sections: { title: string; text: string[] }[] };
    papers: { id: string; sides: { label: string }[]; panels: object[] }[];
  };
  const text = await page.locator("main").textContent();
  for (const { title, text: sentences } of story.sections)
    for (const line of [title, ...sentences]) expect(text).toContain(line.replaceAll("`", ""));
  await page.getByRole("link", { name: "The fastest k" }).click();
  await page.locator("h2", { hasText: "Figure 4" }).waitFor();
  const { sides } = papers.find(({ id }) => id === "brown-snoeyink-figure-4")!;
  const titles = await page.locator("figcaption").allTextContents();
  expect(sides.length).toBeGreaterThan(1);
  for (const { label } of sides)
    expect(titles.some((title) => title.startsWith(`${label}: 1 is`))).toBe(true);
  // The paper's symbols are hollow, ours are filled.
  const fills = await page
    .locator("svg.plot")
    .first()
    .locator('g[aria-label="dot"]')
    .evaluateAll((groups) =>
      groups.map(
        (group) => group.querySelector("[fill]")?.getAttribute("fill") ?? group.getAttribute("fill"),
      ),
    );
  expect(fills).toContain("none");
  expect(new Set(fills).size).toBe(2);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(problems).toEqual([]);
});

test("papers say where a machine's figures are, if it has no report of its own", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${site.origin}#papers?machine=amd-epyc-2`);
  const { page } = opened;
  await shown(page, "papers");
  await page.locator("p.absent", { hasText: "amd-epyc-2 has no report" }).waitFor();
  const report = page.locator(".sentences li", { hasText: "The report of nvidia-h200" });
  expect(await report.textContent()).toMatch(/\d+ measured on .+, \d+ cores/);
  await report.getByRole("link").click();
  await page.locator("svg.plot").first().waitFor();
});

test("the colours can be chosen, and stay chosen", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, site.origin, { colorScheme: "light" });
  const { page, problems } = opened;
  const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const light = await background();
  await page.getByLabel("Colours").selectOption("dark");
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await shown(page, "overview");
  expect(await background()).toBe(dark);
  expect(problems).toEqual([]);
});

test("an address with nonsense shows a view, and says what it does not have", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${site.origin}#nowhere?machine=none&commit=%00&n=x`);
  const { page, problems } = opened;
  await shown(page, "overview");
  await page.locator("p.absent").waitFor();
  expect(await page.getByLabel("Machine").inputValue()).toBe("none");
  expect(await page.getByLabel("Commit").inputValue()).toBe("\0");
  expect(problems).toEqual([]);
});

test("a view whose files cannot be had says so below its links, and is drawn once they can", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, site.origin);
  const { page } = opened;
  await shown(page, "overview");
  await page.route("**/papers.json", (route) => route.abort());
  await page.getByRole("link", { name: "Papers" }).click();
  await page.getByRole("alert").filter({ hasText: "papers.json cannot be read" }).waitFor();
  expect(await page.locator(`${NAV}[aria-current="page"]`).textContent()).toBe("Papers");
  await page.unroute("**/papers.json");
  await page.click("#again");
  await page.locator("svg.plot").first().waitFor();
});

/** Controls without a name, as a screen reader would meet them. */
const NAMELESS = `[...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0'], svg.plot")]
  .filter((element) => !(element.getAttribute("aria-label") || element.labels?.length || element.textContent.trim()))
  .map((element) => element.outerHTML.slice(0, 120))`;

test("every control and plot has a name, every view one heading and its landmarks", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, site.origin);
  const { page } = opened;
  for (const [view] of VIEWS) {
    await page.goto(`${site.origin}#${view}`);
    await shown(page, view);
    expect(await page.evaluate(NAMELESS), view).toEqual([]);
    for (const landmark of ["h1", "main", "header", "nav[aria-label=Views]"])
      expect(await page.locator(landmark).count()).toBe(1);
  }
});

test("the first Tab leads past the links", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, site.origin);
  const { page } = opened;
  await shown(page, "overview");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.labels[0].innerText")).toContain("Machine");
});

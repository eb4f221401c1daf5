import { fileURLToPath } from "node:url";
import { findingsOf } from "@polybin/testbed/axe";
import { expect, test } from "vitest";
import { raised } from "../src/data/words.ts";
import { openPage, shown, siteInBrowser } from "./browser.ts";
import { script } from "./plot-checks.ts";
import { LOOKS as ALL_LOOKS, VIEWS } from "./visits.ts";

const NAV = "nav[aria-label=Views] a";

const PICTURING = process.env.POLYBIN_SCREENSHOTS !== undefined;

/** Views that docs/dashboard has pictures of, their files, and how much of their height. */
const PICTURED: Readonly<Record<string, string>> = {
  overview: "overview",
  "explore/throughput": "throughput",
  papers: "papers",
};
const HEIGHTS = { 1280: 1200, 390: 1700 } as const;

/** The nightly test visits the other two. */
const LOOKS = ALL_LOOKS.filter(
  ({ width, colorScheme }) => PICTURING || (width === 1280) === (colorScheme === "light"),
);

/** Texts of a plot that lie over another one, or outside of the page. Rotated texts have boxes larger than their letters. */
const COLLISIONS = `[...document.querySelectorAll("svg.plot")].flatMap((plot) => {
  const texts = [...plot.querySelectorAll("text")]
    .filter((text) => text.textContent.trim() !== "" && !/rotate/.test(text.getAttribute("transform") ?? ""))
    .flatMap((text, of) => {
      const lines = [...text.querySelectorAll("tspan")];
      return (lines.length === 0 ? [text] : lines).map((line) => ({ of, said: line.textContent, at: line.getBoundingClientRect() }));
    });
  const cut = texts.filter(({ at }) => at.left < 0 || at.right > document.documentElement.clientWidth + 1);
  const over = texts.flatMap((a, i) =>
    texts.slice(i + 1)
      .filter((b) => a.of !== b.of)
      .filter((b) => Math.min(a.at.right, b.at.right) - Math.max(a.at.left, b.at.left) > 2)
      .filter((b) => Math.min(a.at.bottom, b.at.bottom) - Math.max(a.at.top, b.at.top) > 4)
      .map((b) => a.said + " over " + b.said),
  );
  return [...cut.map(({ said }) => said + " is cut"), ...over];
})`;

/** A busy machine draws a view in seconds. */
const BUSY = { timeout: 30_000 };

const at = siteInBrowser();

test.for(LOOKS)(
  "every view is drawn from the committed results, $width pixels wide, $colorScheme",
  async ({ width, colorScheme }, ctx) => {
    if (typeof at.chromium === "string") return ctx.skip(at.chromium);
    const viewport = { width, height: 900 };
    await using opened = await openPage(at.chromium, at.site.origin, { viewport, colorScheme });
    const { page, problems } = opened;
    for (const [view, holds] of VIEWS) {
      await page.goto(`${at.site.origin}#${view}`);
      await shown(page, view);
      await page.locator(holds).first().waitFor();
      expect(await page.locator(`${NAV}:not([aria-current="false"])`).count(), view).toBe(1);
      expect(await page.evaluate("document.documentElement.scrollWidth"), `width of ${view}`).toBe(width);
      expect(await page.locator("svg.plot text", { hasText: "…" }).count(), `cut names in ${view}`).toBe(0);
      expect(await page.evaluate(COLLISIONS), `texts of ${view} that overlap or leave the page`).toEqual([]);
      const faults = await page.evaluate<string[]>(script("faultsIn(document)"));
      expect(
        faults.filter((fault) => /a line crosses|several ticks are/.test(fault)),
        view,
      ).toEqual([]);
      for (const legend of await page.locator(".legend").all())
        expect(await legend.locator("button").count(), `series of ${view}`).toBeLessThanOrEqual(8);
      expect(problems, view).toEqual([]);
      // Set it to take the committed pictures again. Those of the live views are taken where there is a server.
      if (!PICTURING || PICTURED[view] === undefined) continue;
      const file = new URL(
        `../../../docs/internals/dashboard/${PICTURED[view]}-${width}-${colorScheme}.png`,
        import.meta.url,
      );
      await page.screenshot({
        path: fileURLToPath(file),
        clip: { x: 0, y: 0, width, height: HEIGHTS[width] },
        fullPage: true,
      });
    }
  },
);

test("selections stand in the address, and an address brings them back", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/throughput`);
  const { page, problems } = opened;
  await shown(page, "explore/throughput");
  await page.getByLabel("Machine").selectOption("nvidia-h200");
  await page.getByRole("combobox", { name: /^Run/ }).selectOption("cuda-calls");
  await page.getByLabel("Distribution").selectOption("zeros");
  await expect
    .poll(() => page.url(), BUSY)
    .toContain("machine=nvidia-h200&from=cuda-calls&distribution=zeros");
  const title = () => page.locator("figcaption").first().textContent();
  await expect.poll(title, BUSY).toContain("zeros");
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

test("one switch governs plots, tables, cards and crossover, and goes along to the next view", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(
    at.chromium,
    `${at.site.origin}#explore/peers?machine=nvidia-h200&peer=CUB&from=cuda-calls`,
  );
  const { page, problems } = opened;
  await shown(page, "explore/peers");
  const call = page.getByRole("radio", { name: "Whole call" });
  const kernel = page.getByRole("radio", { name: "Kernel" });
  expect(await call.isChecked()).toBe(true);
  const bases = () =>
    page.evaluate(
      "[...new Set([...document.querySelectorAll('tbody tr')].map((row) => row.cells[6].textContent))]",
    );
  expect(await bases()).toEqual(["whole call"]);
  const verdict = await page.locator("#verdict").textContent();
  await kernel.check();
  await expect.poll(bases, BUSY).toEqual(["kernel"]);
  expect(await page.locator("#verdict").textContent()).not.toBe(verdict);
  expect(await page.locator("figcaption").first().textContent()).toContain("kernel");
  await page.getByRole("link", { name: "Throughput" }).click();
  await shown(page, "explore/throughput");
  expect(await kernel.isChecked()).toBe(true);
  // A view to which the switch does not apply says so.
  await page.getByRole("link", { name: "Papers" }).click();
  await page.locator(".timing", { hasText: "does not apply" }).waitFor();
  expect(problems).toEqual([]);
});

test("a row of a table leads to its cell's runs, by keyboard alone", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(
    at.chromium,
    `${at.site.origin}#explore/peers?machine=nvidia-h200&from=cuda-calls`,
  );
  const { page, problems } = opened;
  await shown(page, "explore/peers");
  await page.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("link", { name: /^The runs of CUB/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await shown(page, "explore/cell");
  await page.locator("figcaption", { hasText: "Every run of CUB" }).waitFor();
  expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  expect(problems).toEqual([]);
});

test("a row of a file is shown as it stands there", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  const file = "nvidia-h200/cuda-headline";
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/cell?file=${file}&row=1`);
  const { page } = opened;
  await shown(page, "explore/cell");
  const { rows } = (await (await fetch(`${at.site.origin}data/${file}.json`)).json()) as { rows: unknown[] };
  const text = await page.locator("pre").textContent();
  expect(JSON.parse(text!)).toEqual(rows[1]);
});

test("what is missing in the files is there to be opened", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  const viewport = { width: 390, height: 900 };
  await using opened = await openPage(at.chromium, `${at.site.origin}#explore/files`, { viewport });
  const { page } = opened;
  await shown(page, "explore/files");
  const sentences = page.locator(".sentences").first();
  expect(await sentences.isVisible()).toBe(false);
  await page
    .locator("summary", { hasText: /\(\d+\)/ })
    .first()
    .click();
  await sentences.waitFor({ state: "visible" });
});

test("papers show the page of the report, and lead from a number to its figure, one plot per backend", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  const viewport = { width: 390, height: 900 };
  await using opened = await openPage(at.chromium, `${at.site.origin}#papers`, { viewport });
  const { page, problems } = opened;
  await shown(page, "papers");
  const report = await fetch(`${at.site.origin}data/nvidia-h200/papers.json`);
  const { page: story, papers } = (await report.json()) as {
    page: { sections: { title: string; text: string[] }[] };
    papers: { id: string; panels: { sides: { label: string }[] }[] }[];
  };
  const text = await page.locator("main").textContent();
  // The cards count as the sentences do.
  const cards = await page.locator(".cards strong").allTextContents();
  const [, measured, of] = /measured for (\d+) of (\d+) statements/.exec(text!)!;
  const [agree, differ, reversed, missing] = cards.map(Number) as [number, number, number, number];
  expect([agree + differ + reversed, agree + differ + reversed + missing]).toEqual([
    Number(measured),
    Number(of),
  ]);
  for (const { title, text: sentences } of story.sections)
    for (const line of [title, ...sentences]) expect(text).toContain(raised(line.replaceAll("`", "")));
  await page.getByRole("link", { name: "The fastest k" }).click();
  await page.locator("h2", { hasText: "Figure 4" }).waitFor();
  const [{ sides }] = papers.find(({ id }) => id === "brown-snoeyink-figure-4")!.panels as [
    { sides: { label: string }[] },
  ];
  const titles = await page.locator("figcaption").allTextContents();
  expect(sides.length).toBeGreaterThan(1);
  for (const { label } of sides)
    expect(titles.some((title) => title.startsWith(`${label}: 1 is`))).toBe(true);
  // The paper's symbols are hollow, ours are filled.
  const fills = await page
    .locator("svg.plot")
    .first()
    .locator('g[data-mark="dot"]')
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
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#papers?machine=amd-epyc-2`);
  const { page } = opened;
  await shown(page, "papers");
  await page.locator("p.absent", { hasText: "amd-epyc-2 has no report" }).waitFor();
  const report = page.locator(".sentences li", { hasText: "The report of nvidia-h200" });
  expect(await report.textContent()).toMatch(/\d+ measured on .+, \d+ cores/);
  await report.getByRole("link").click();
  await page.locator("svg.plot").first().waitFor();
});

test("the colours can be chosen, and stay chosen", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin, { colorScheme: "light" });
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
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, `${at.site.origin}#nowhere?machine=none&commit=%00&n=x`);
  const { page, problems } = opened;
  await shown(page, "overview");
  await page.locator("table").waitFor();
  await page.goto(`${at.site.origin}#explore/calls?machine=none&from=%00&n=x`);
  await shown(page, "explore/calls");
  await page.locator("p.absent").waitFor();
  expect(await page.getByLabel("Machine").inputValue()).toBe("none");
  expect(problems).toEqual([]);
});

test("a view whose files cannot be had says so below its links, and is drawn once they can", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin);
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
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin);
  const { page } = opened;
  for (const [view] of VIEWS) {
    await page.goto(`${at.site.origin}#${view}`);
    await shown(page, view);
    expect(await page.evaluate(NAMELESS), view).toEqual([]);
    for (const landmark of ["h1", "main", "header", "nav[aria-label=Views]"])
      expect(await page.locator(landmark).count()).toBe(1);
  }
});

test("the first Tab leads past the links", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin);
  const { page } = opened;
  await shown(page, "overview");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
});

test("axe finds nothing on the overview, which also fits at 200% zoom", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  // At 200% zoom, a window of 1280 pixels has 640 CSS pixels.
  const viewport = { width: 640, height: 450 };
  await using opened = await openPage(at.chromium, at.site.origin, { viewport });
  const { page } = opened;
  await shown(page, "overview");
  expect(await findingsOf(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(640);
});

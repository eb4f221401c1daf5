// The whole site in a browser: axe, other hosts, the keyboard and narrow screens.
import { fileURLToPath } from "node:url";
import { findingsOf } from "@polybin/testbed/axe";
import { launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ServedSite, servedSite } from "./served.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** One page of each kind. */
const PAGES = {
  landing: "/",
  guide: "/start/",
  algorithm: "/internals/algorithms/trish.html",
  reference: "/api/webgpu.html",
  papers: "/papers.html",
  benchmarks: "/compare/speed.html",
  playground: "/playground.html",
};
const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

let site: ServedSite;
let browser: Browser | string;
beforeAll(async () => {
  [site, browser] = await Promise.all([servedSite({ reference: true }), launchChromium()]);
});
afterAll(async () => {
  if (typeof browser !== "string") await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

/** Opens a page and waits until its scripts run. */
async function visit(opened: Browser, path: string, look: (typeof LOOKS)[number] = LOOKS[0]) {
  const { width, colorScheme } = look;
  const found = await openPage(opened, site.origin + path, { viewport: { width, height: 900 }, colorScheme });
  await found.page.waitForLoadState("networkidle");
  return found;
}

test.for(LOOKS.flatMap((look) => Object.keys(PAGES).map((name) => ({ name, ...look }))))(
  "$name, $width pixels, $colorScheme: axe finds nothing, it fits, and it needs no other host",
  async ({ name, ...look }, ctx) => {
    if (typeof browser === "string") return ctx.skip(browser);
    await using opened = await visit(browser, PAGES[name as keyof typeof PAGES], look);
    const { page, problems } = opened;
    expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(
      look.colorScheme === "dark",
    );
    expect(await findingsOf(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(look.width);
    expect(problems).toEqual([]);
  },
);

test("axe would find a drawing without a name", async (ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  await using opened = await visit(browser, PAGES.algorithm);
  await opened.page.evaluate("document.querySelector('svg.memory').removeAttribute('aria-labelledby')");
  await opened.page.evaluate(
    "document.querySelectorAll('svg.memory title').forEach((title) => title.remove())",
  );
  expect((await findingsOf(opened.page)).map(([rule]) => rule)).toContain("svg-img-alt");
});

/** What has the focus: the text, the label or the name of the element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    "(() => { const at = document.activeElement; return at.textContent.trim() || at.ariaLabel || at.tagName; })()",
  );

/** Presses a key until an element with this text has the focus. @throws if none gets it */
async function reach(page: Page, text: string, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focused(page)) === text) return;
    await page.keyboard.press(key);
  }
  throw new Error(`expected ${key} to reach "${text}" but "${await focused(page)}" has the focus`);
}

test("the keyboard alone: skip link, navigation, sidebar and search", async (ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  await using opened = await visit(browser, PAGES.guide);
  const { page, problems } = opened;
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("VPContent");

  await page.reload();
  await reach(page, "Papers");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/papers.html");
  await reach(page, "Joint histograms");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/guides/joint.html");

  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.waitFor();
  await page.keyboard.type("median");
  await dialog.getByRole("link").first().waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("mutual information");
  await dialog.getByRole("link").first().waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.waitForURL((url) => !url.pathname.endsWith("/joint.html"));
  expect(problems).toEqual([]);
});

test("the search finds entries of the reference", async (ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  await using opened = await visit(browser, PAGES.landing);
  const { page, problems } = opened;
  await page.keyboard.press("Control+k");
  await page.keyboard.type("bufferSamples");
  await page.getByRole("dialog").getByRole("link", { name: "@polybin/webgpu" }).first().waitFor();
  expect(problems).toEqual([]);
});

test("the playground counts the sample picture, and leaves with its page", async (ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  await using opened = await visit(browser, PAGES.playground);
  const { page, problems } = opened;
  await page.getByText("evening.png is shown.").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Papers" }).first().click();
  await page.locator(".polybin-playground").waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

/** What README.md shows. */
const PICTURES = [
  { name: "landing-1280-light", path: PAGES.landing, look: LOOKS[0] },
  { name: "landing-1280-dark", path: PAGES.landing, look: LOOKS[1] },
  { name: "algorithm-390-light", path: PAGES.algorithm, look: LOOKS[2] },
] as const;

test("pictures for the documentation", async (ctx) => {
  if (process.env.POLYBIN_SCREENSHOTS === undefined)
    return ctx.skip("set POLYBIN_SCREENSHOTS to take the committed pictures again");
  if (typeof browser === "string") return ctx.skip(browser);
  for (const { name, path, look } of PICTURES) {
    await using opened = await visit(browser, path, look);
    await opened.page.screenshot({
      path: fileURLToPath(new URL(`../pictures/${name}.png`, import.meta.url)),
    });
  }
});

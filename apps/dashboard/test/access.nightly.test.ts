// Every view with axe, in both schemes and widths, at 200% zoom, and by keyboard alone.
import { findingsOf } from "@polybin/testbed/axe";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, shown, siteInBrowser } from "./browser.ts";
import { LOOKS, VIEWS } from "./visits.ts";

const at = siteInBrowser();

async function visit(page: Page, view: string, holds: string): Promise<void> {
  await page.goto(`${at.site.origin}#${view}`);
  await shown(page, view);
  await page.locator(holds).first().waitFor();
}

test.for(LOOKS)(
  "axe finds nothing on any view, $width pixels wide, $colorScheme",
  async ({ width, colorScheme }, ctx) => {
    if (typeof at.chromium === "string") return ctx.skip(at.chromium);
    await using opened = await openPage(at.chromium, at.site.origin, {
      viewport: { width, height: 900 },
      colorScheme,
    });
    const { page } = opened;
    for (const [view, holds] of VIEWS) {
      await visit(page, view, holds);
      expect(await findingsOf(page), view).toEqual([]);
    }
  },
);

test("no view scrolls sideways at 200% zoom", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin, { viewport: { width: 640, height: 450 } });
  const { page } = opened;
  for (const [view, holds] of VIEWS) {
    await visit(page, view, holds);
    expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBe(640);
  }
});

/** Controls that the Tab key has to reach. Of a group of radio buttons it reaches the selected one. */
const CONTROLS = `[...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")]
  .filter((element) => element.checkVisibility({ contentVisibilityAuto: true }) && !element.disabled)
  .filter((element) => element.type !== "radio" || element.checked)`;

test("the Tab key reaches every control of every view, each focus is visible, and every plot is read by arrow keys", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin, {
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
  });
  const { page, problems } = opened;
  for (const [view, holds] of VIEWS) {
    await visit(page, view, holds);
    const wanted = await page.evaluate<number>(`${CONTROLS}.length`);
    await page.evaluate("document.activeElement.blur()");
    for (let press = 0; press < wanted + 2; press++) {
      await page.keyboard.press("Tab");
      await page.evaluate("document.activeElement.dataset.reached = ''");
      const isMarked = await page.evaluate(
        "document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement.matches('.switch input, .choose input')",
      );
      expect(isMarked, `${view}: focus after ${press + 1} tabs`).toBe(true);
    }
    const missed = await page.evaluate(
      `${CONTROLS}.filter((element) => element.dataset.reached === undefined).map((element) => element.outerHTML.slice(0, 120))`,
    );
    expect(missed, view).toEqual([]);
    for (const plot of await page.locator(".reading-box").all()) {
      await plot.focus();
      await page.keyboard.press("Home");
      expect(await plot.locator("[aria-live]").textContent(), view).toMatch(/: ./);
    }
  }
  expect(problems).toEqual([]);
});

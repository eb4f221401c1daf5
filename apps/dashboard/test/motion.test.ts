// For readers who want less motion nothing moves on its own: no view, and not the playground while it is used.
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, shown, siteInBrowser } from "./browser.ts";
import { opened, SAMPLE } from "./playground.ts";
import { VIEWS } from "./visits.ts";

const at = siteInBrowser();

/** Notes every animation and transition that begins. It runs before the page's own scripts. */
const NOTE = `globalThis.moved = [];
for (const kind of ["animationstart", "transitionrun"])
  addEventListener(kind, ({ target }) => moved.push(kind + " of " + target.outerHTML.slice(0, 80)), true);
for (const owner of [Element, globalThis.Document].map((one) => one.prototype)) {
  const { animate } = owner;
  if (animate) owner.animate = function (...all) { moved.push("animate"); return animate.apply(this, all); };
}
const { scrollTo } = globalThis;
globalThis.scrollTo = (...all) => { if (all[0]?.behavior === "smooth") moved.push("scrollTo"); scrollTo(...all); };`;

const movedOn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>("[...moved, ...document.getAnimations().map(() => 'an animation')]");

const calm = { before: NOTE, reducedMotion: "reduce", viewport: { width: 1280, height: 900 } } as const;

test("no view animates anything", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using visit = await openPage(at.chromium, at.site.origin, calm);
  const { page } = visit;
  for (const [view] of VIEWS) {
    await page.goto(`${at.site.origin}#${view}`);
    await shown(page, view);
    for (const one of (await page.locator("button:visible, summary:visible, select:visible").all()).slice(
      0,
      8,
    ))
      await one.hover();
    expect(await movedOn(page), view).toEqual([]);
  }
});

test("the playground animates nothing while a picture is opened, pointed at and a region dragged", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using visit = await openPage(at.chromium, `${at.site.origin}#try/picture`, calm);
  const { page } = visit;
  await opened(page, "evening.png");
  await page.setInputFiles("#file", fileURLToPath(SAMPLE));
  await opened(page, "evening.png");
  const box = (await page.locator(".frame").boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.locator(".reading", { hasText: /^Pixel/ }).waitFor();
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + 80, { steps: 3 });
  await page.mouse.up();
  await page.locator(".facts", { hasText: "Region of" }).waitFor();
  await page.locator("#values summary").click();
  expect(await movedOn(page)).toEqual([]);
});

test("the note of movements finds a transition and an animation", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using visit = await openPage(at.chromium, `${at.site.origin}#overview`, calm);
  const { page } = visit;
  await shown(page, "overview");
  await page.evaluate(`new Promise((done) => {
    const heading = document.querySelector("h1");
    heading.style.cssText = "transition: color 1s !important; color: rgb(0, 0, 0)";
    getComputedStyle(heading).color;
    heading.style.color = "rgb(200, 0, 0)";
    heading.animate([{ opacity: 1 }, { opacity: 0 }], 1000);
    requestAnimationFrame(() => requestAnimationFrame(done));
  })`);
  await expect
    .poll(async () => (await movedOn(page)).map((one) => one.slice(0, 20)))
    .toEqual(expect.arrayContaining(["animate", "transitionrun of <h1"]));
});

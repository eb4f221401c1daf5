// The views below "Try it" in all their states: without a finding of axe, at every width and in both colours.

import { fileURLToPath } from "node:url";
import { findingsOf } from "@polybin/testbed/axe";
import { CAMERA, launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import { encode } from "fast-png";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { opened, SAMPLE, upload } from "./playground.ts";
import { PLAYGROUND, type StaticSite, staticSite } from "./static-site.ts";

const PICTURES: URL = new URL("../../../docs/internals/dashboard/", import.meta.url);
const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

let site: StaticSite;
let playground: StaticSite;
let chromium: Browser | string;

beforeAll(async () => {
  [site, playground, chromium] = await Promise.all([
    staticSite(),
    staticSite(PLAYGROUND),
    launchChromium(CAMERA),
  ]);
});
afterAll(async () => {
  await Promise.all([site[Symbol.asyncDispose](), playground[Symbol.asyncDispose]()]);
  if (typeof chromium !== "string") await chromium.close();
});

const prices = (): string => {
  const rows = Array.from({ length: 4000 }, (_, i) => {
    // Two humps, and a few values far away.
    const spread = Math.sin(12.9898 * i) + Math.sin(78.233 * i) + Math.sin(39.425 * i);
    return `${i % 2 === 0 ? "Rome" : "Oslo"},${((i % 3 === 0 ? 24 : 12) + 2.2 * spread).toFixed(2)}`;
  });
  return `city,price\n${rows.join("\n")}\n`;
};

/** Each state, and how a reader gets there. */
const STATES: readonly (readonly [name: string, reach: (page: Page) => Promise<void>])[] = [
  ["sample", (page) => opened(page, "evening.png")],
  [
    "picture",
    async (page) => {
      await page.setInputFiles("#file", fileURLToPath(SAMPLE));
      await opened(page, "evening.png");
      await page.click('[data-end="high"]');
      await page.locator('canvas.marks[data-marks="high"]').waitFor();
    },
  ],
  [
    "details",
    async (page) => {
      for (const id of ["backends", "values", "region", "percentiles", "explore"])
        await page.locator(`#${id} > summary`).click();
      await page.locator("#preview[data-tone]").waitFor();
      await page.locator("#backends > summary", { hasText: "counts equal" }).waitFor();
    },
  ],
  [
    "error",
    async (page) => {
      await page.setInputFiles(
        "#file",
        upload("broken.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0)),
      );
      await page.locator("#problem").waitFor();
    },
  ],
  [
    "column",
    async (page) => {
      await page.setInputFiles("#file", upload("prices.csv", prices()));
      await opened(page, "prices.csv");
      await page.selectOption("#bins", "50");
      await page.locator("#values summary", { hasText: "(50)" }).waitFor();
    },
  ],
  [
    "strings",
    async (page) => {
      await page.selectOption("#column", "city");
      await page.locator(".bars").waitFor();
    },
  ],
  [
    "video",
    async (page) => {
      await page.click("#camera");
      await page.locator('[data-part="camera"] .histogram').waitFor();
    },
  ],
];

/** States that docs/dashboard has pictures of. */
const PICTURED: readonly string[] = ["picture", "column", "video"];

test.for(LOOKS)(
  "no state of the playground has a finding of axe, $width pixels wide, $colorScheme",
  async ({ width, colorScheme }, ctx) => {
    if (typeof chromium === "string") return ctx.skip(chromium);
    const viewport = { width, height: 900 };
    await using visit = await openPage(chromium, `${site.origin}#try/picture`, { viewport, colorScheme });
    const { page, problems } = visit;
    await page.locator("#sample").waitFor();
    for (const [name, reach] of STATES) {
      await reach(page);
      if (process.env.POLYBIN_SCREENSHOTS !== undefined && PICTURED.includes(name)) {
        await page.waitForTimeout(500);
        const path = fileURLToPath(new URL(`${name}-${width}-${colorScheme}.png`, PICTURES));
        await page.screenshot({ path, fullPage: true });
      }
      expect(await findingsOf(page), name).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBe(width);
    }
    expect(problems).toEqual([]);
  },
);

test("the playground's own page has no finding of axe, and at 200% zoom nothing is cut off", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  // A page of 1280 pixels at 200% has 640 pixels of layout.
  const viewport = { width: 640, height: 450 };
  await using visit = await openPage(chromium, playground.origin, { viewport, deviceScaleFactor: 2 });
  const { page, problems } = visit;
  await page.click("#sample");
  await opened(page, "evening.png");
  expect(await findingsOf(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(640);
  expect(problems).toEqual([]);
});

test("by keyboard alone: a sample is opened, a value read, a badge pressed, the backends listed", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, playground.origin);
  const { page } = visit;
  await page.locator("#sample").waitFor();
  const tabTo = async (selector: string): Promise<void> => {
    for (let steps = 0; steps < 40; steps++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    }
    throw new Error(`expected ${selector} within 40 steps of Tab`);
  };
  await tabTo("#sample");
  await page.keyboard.press("Enter");
  await opened(page, "evening.png");
  await tabTo(".pointer");
  await page.keyboard.press("ArrowRight");
  await page.locator(".reading", { hasText: "Value 129" }).waitFor();
  await tabTo('[data-end="high"]');
  await page.keyboard.press("Space");
  await page.locator('canvas.marks[data-marks="high"]').waitFor();
  await tabTo("#backends > summary");
  await page.keyboard.press("Enter");
  await page.locator("#backends table").waitFor();
});

test("frames are counted on the device, and the camera ends when the reader leaves the view", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, `${site.origin}#try/picture`);
  const { page, problems } = visit;
  await page.click("#camera");
  await page.locator("#where").selectOption("gpu");
  await page.locator("#rate", { hasText: "counted by WebGPU" }).waitFor();
  const counted = async () => Number(await page.locator('[data-part="camera"]').getAttribute("data-counted"));
  await expect.poll(counted, { timeout: 90_000 }).toBeGreaterThan(1);
  await page.evaluate("window.kept = document.querySelector('video').srcObject");
  await page.getByRole("link", { name: "Papers" }).click();
  await expect.poll(() => page.evaluate("kept.active"), { timeout: 30_000 }).toBe(false);
  expect(problems).toEqual([]);
});

test("a reader who wants less motion sees at most one new plot per second", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, playground.origin, { reducedMotion: "reduce" });
  const { page } = visit;
  await page.click("#camera");
  await page.locator('[data-part="camera"] .histogram').waitFor();
  const plots = await page.evaluate<number>(`new Promise((resolve) => {
    let changes = 0;
    const path = document.querySelector(".histogram .line");
    new MutationObserver(() => { changes += 1; }).observe(path, { attributes: true });
    setTimeout(() => resolve(changes), 3000);
  })`);
  expect(plots).toBeLessThanOrEqual(4);
});

test("a picture of 16 bits has the same counts on every backend of the page", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, playground.origin);
  const { page, problems } = visit;
  const data = Uint16Array.from({ length: 3 * 60 * 40 }, (_, i) => (i * 40_503) % 65_536);
  await page.setInputFiles(
    "#file",
    upload("deep.png", encode({ width: 60, height: 40, channels: 3, depth: 16, data })),
  );
  await opened(page, "deep.png");
  await page.locator("#backends > summary").click();
  await page.locator("#backends > summary", { hasText: "3 backends, 196,608 counts equal" }).waitFor();
  expect(problems).toEqual([]);
});

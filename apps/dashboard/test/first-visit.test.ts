// The first visit: few bytes until the histogram of the sample is on the screen, and no network needed from then on.
import { gzipSync } from "node:zlib";
import { launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { opened, upload } from "./playground.ts";
import { PLAYGROUND, type StaticSite, staticSite } from "./static-site.ts";

const MOST_BYTES = 250_000;

let site: StaticSite;
let chromium: Browser | string;

beforeAll(async () => {
  [site, chromium] = await Promise.all([staticSite(PLAYGROUND), launchChromium()]);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  if (typeof chromium !== "string") await chromium.close();
});

test("a part that cannot be loaded is named, and the page goes on", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, "about:blank");
  const { page } = visit;
  await page.route("**/assets/read-*.js", (route) => route.abort());
  await page.goto(site.origin);
  await page
    .locator("#problem", {
      hasText: "evening.png was not opened: the reader of pictures could not be loaded: ",
    })
    .waitFor();
  await page.click("#sample-numbers");
  await opened(page, "dice.txt");
  await page.locator(".reading", { hasText: /6,000 values in \d+ bins, one for each value/ }).waitFor();
});

test("the histogram of the sample takes at most 250 KB gzipped; offline, the page still opens and counts a table", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, "about:blank");
  const { page } = visit;
  const loaded: Promise<number>[] = [];
  const context = page.context();
  // Without this, the requests of the service worker that come after the histogram would count, too.
  let isShown = false;
  context.on("response", (response) => {
    if (!isShown) loaded.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(site.origin);
  await page.locator(".histogram .line").first().waitFor();
  isShown = true;
  // The browser's own clock, from the first byte on.
  const ms = await page.evaluate(
    "performance.now() - performance.getEntriesByType('navigation')[0].responseStart",
  );
  const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
  console.log(
    `first histogram: ${bytes} bytes gzipped in ${loaded.length} files, ${Math.round(ms as number)} ms`,
  );
  expect(bytes).toBeLessThan(MOST_BYTES);

  const isKept = () =>
    page.evaluate(
      "caches.match(location.href).then((kept) => kept !== undefined && navigator.serviceWorker.controller !== null)",
    );
  await expect.poll(isKept, { timeout: 30_000 }).toBe(true);
  await context.setOffline(true);
  await site[Symbol.asyncDispose]();
  await page.reload();
  await opened(page, "evening.png");
  await page.setInputFiles("#file", upload("a.csv", "n\n1\n2\n2\n"));
  await opened(page, "a.csv");
  await page.locator(".reading", { hasText: "n of a.csv: 3 values" }).waitFor();
});

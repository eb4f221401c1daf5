// The page that the server has at "/": a picture, then a file that it refuses.
import { fileURLToPath } from "node:url";
import { launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import { expect, test } from "vitest";
import { started } from "./started.ts";

const SAMPLE = fileURLToPath(new URL("../../../../apps/cli/sample/evening.png", import.meta.url));

test("the page draws the histograms of an upload, and says why one is refused", async (context) => {
  const browser = await launchChromium();
  if (typeof browser === "string") return context.skip(browser);
  const { child, url } = await started();
  try {
    await using opened = await openPage(browser, url, { voices: [] });
    const { page } = opened;
    await page.setInputFiles("#file", SAMPLE);
    await page.locator("#status", { hasText: "evening.png: 640 × 480 pixels, 8 bits per sample" }).waitFor();
    expect(await page.locator("figure").count()).toBe(3);
    // Set this variable to record the committed picture again.
    if (process.env.POLYBIN_SCREENSHOTS !== undefined) {
      const path = fileURLToPath(new URL("../screenshot.png", import.meta.url));
      await page.setViewportSize({ width: 960, height: 800 });
      await page.screenshot({ path, fullPage: true });
    }
    await page.setInputFiles("#file", fileURLToPath(import.meta.url));
    await page.locator("#status", { hasText: "page.nightly.test.ts: 415, " }).waitFor();
    expect(opened.problems).toEqual([]);
  } finally {
    child.kill("SIGTERM");
    await browser.close();
  }
});

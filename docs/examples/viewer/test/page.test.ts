// The page in Chromium: it stretches what it shows, and reads nothing back.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundleForBrowser } from "@polybin/testbed/bundle";
import { openSite } from "@polybin/testbed/site";
import { expect, test } from "vitest";

const EXAMPLE = new URL("../", import.meta.url);
/** Set this variable to record the page's committed pictures again. */
const record = process.env.POLYBIN_SCREENSHOTS !== undefined;

/**
 * Notes what would bring pixels or counts to the page, and calls `onSubmit` while the canvases still hold what was drawn. It
 * runs before the page's own scripts.
 */
const SPY = `globalThis.readbacks = [];
for (const [owner, name] of [[GPUBuffer, "mapAsync"], [GPUCommandEncoder, "copyTextureToBuffer"], [CanvasRenderingContext2D, "getImageData"]]) {
  const method = owner.prototype[name];
  owner.prototype[name] = function (...all) { readbacks.push(name); return method.apply(this, all); };
}
const { submit } = GPUQueue.prototype;
GPUQueue.prototype.submit = function (commands) { submit.call(this, commands); globalThis.onSubmit?.(); };`;

/** The span of green in the left and the right half of the canvas, of one frame. */
const SPANS = `new Promise((resolve) => {
  globalThis.onSubmit = () => {
    globalThis.onSubmit = undefined;
    const copy = Object.assign(document.createElement("canvas"), { width: 64, height: 36 });
    const context = copy.getContext("2d");
    context.drawImage(document.getElementById("view"), 0, 0, 64, 36);
    const { data } = context.getImageData(0, 0, 64, 36);
    const span = (from) => {
      const green = Array.from({ length: 32 * 36 }, (_, i) => data[4 * ((i >> 5) * 64 + from + (i & 31)) + 1]);
      return Math.max(...green) - Math.min(...green);
    };
    resolve([span(0), span(32)]);
  };
})`;

/** The page and its script. */
async function built() {
  const { code } = await bundleForBrowser(new URL("page.js", EXAMPLE));
  const html = await readFile(new URL("index.html", EXAMPLE), "utf8");
  return {
    "/": { type: "text/html", body: html },
    "/page.js": { type: "text/javascript", body: code },
  } as const;
}

test("the page widens the contrast of every frame and reads nothing back", async (context) => {
  const files = await built();
  const opened = await openSite(files, { before: SPY, search: record ? "?gpu" : "?gpu&size=320x180" });
  if (typeof opened === "string") return context.skip(opened);
  await using site = opened;
  const { page } = site;
  await page.locator("#rate", { hasText: /^the GPU, frames per second: [1-9]/ }).waitFor();
  expect(await page.evaluate("readbacks")).toEqual([]);
  const [left, right] = await page.evaluate<[number, number]>(SPANS);
  expect(left).toBeGreaterThan(20);
  expect(right).toBeGreaterThan(1.5 * left);
  // A machine without a camera: the page says so and goes on.
  await page.getByRole("button", { name: "Camera" }).click();
  await page.locator("#status", { hasText: /\w/ }).waitFor();
  await page.getByRole("button", { name: "Hills in fog" }).click();
  await page.waitForFunction('document.getElementById("status").textContent === ""');
  if (record) {
    for (const [width, colorScheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(3000);
      const path = fileURLToPath(new URL(`screenshot-${width}.jpg`, EXAMPLE));
      await page.screenshot({ path, fullPage: true, type: "jpeg", quality: 85 });
    }
  }
  expect(site.problems).toEqual([]);
});

test("without a GPU the page says so, and the CPU widens the contrast", async (context) => {
  // It watches the frames of the canvas in place of submissions.
  const before = `const { putImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.putImageData = function (...all) { putImageData.apply(this, all); globalThis.onSubmit?.(); };`;
  const opened = await openSite(await built(), { before, search: "?size=320x180" });
  if (typeof opened === "string") return context.skip(opened);
  await using site = opened;
  const { page } = site;
  await page
    .locator("#missing", { hasText: /^No GPU: .*The CPU counts and stretches every frame/ })
    .waitFor();
  await page.locator("#rate", { hasText: /^the CPU, frames per second: [1-9]/ }).waitFor();
  const [left, right] = await page.evaluate<[number, number]>(SPANS);
  expect(left).toBeGreaterThan(20);
  expect(right).toBeGreaterThan(1.5 * left);
  expect(await page.locator("#measure").isVisible()).toBe(false);
  expect(site.problems).toEqual([]);
});

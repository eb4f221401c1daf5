// Measures how many frames of a camera the playground counts per second, on one worker and through WebGPU.
//
//     node scripts/video.ts [SECONDS]
//
// Chromium's own camera gives 30 frames per second. Its WebGPU is SwiftShader, which computes on the CPU.
import { argv } from "node:process";
import { CAMERA, launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import { PLAYGROUND, staticSite } from "../test/static-site.ts";

/** Milliseconds and frames before the measurement, in which kernels are compiled. */
const WARM_UP_MS = 3000;
const WARM_UP_FRAMES = 3;
const seconds = Number(argv[2] ?? 10);

const browser = await launchChromium(CAMERA);
if (typeof browser === "string") throw new Error(browser);
await using site = await staticSite(PLAYGROUND);
await using opened = await openPage(browser, site.origin, { viewport: { width: 1280, height: 900 } });
const { page } = opened;

/** What the page says since the camera was started: frames counted and dropped, and milliseconds of the fastest count. */
const frames = async (): Promise<[counted: number, dropped: number, fastestMs: number]> => {
  const part = page.locator('[data-part="camera"]');
  const told = ["counted", "dropped", "fastest"].map((name) => part.getAttribute(`data-${name}`));
  return (await Promise.all(told)).map(Number) as [number, number, number];
};

console.log("counted by | size | frames per second counted | dropped per second | fastest count, ms");
await page.click("#camera");
for (const where of ["worker", "gpu"]) {
  for (const size of ["0", "1"]) {
    await page.locator("#where").selectOption(where);
    await page.locator("#size").selectOption(size);
    await page.locator("#rate", { hasText: "counted by" }).waitFor();
    await page.waitForTimeout(WARM_UP_MS);
    while ((await frames())[0] < WARM_UP_FRAMES) await page.waitForTimeout(500);
    const [counted, dropped] = await frames();
    const start = performance.now();
    await page.waitForTimeout(1000 * seconds);
    const [countedThen, droppedThen, fastestMs] = await frames();
    const passed = (performance.now() - start) / 1000;
    const name = (await page.locator("#size option:checked").textContent())!;
    const rate = (from: number, to: number) => ((to - from) / passed).toFixed(1);
    console.log([where, name, rate(counted, countedThen), rate(dropped, droppedThen), fastestMs].join(" | "));
  }
}
await browser.close();

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Histogram, openEngine, type UhiHistogram } from "@polybin/core";
import { openSite } from "@polybin/testbed/site";
import { decode } from "fast-png";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { EXAMPLE, exampleSite, SAMPLE } from "./example-site.ts";

/** The content of the file that the page's "Save the counts as JSON" writes. */
interface Saved {
  readonly backend: string;
  readonly channels: readonly { readonly name: string; readonly histogram: UhiHistogram }[];
}

/** Returns that content once the page has counted a picture with this name. */
async function saved(page: Page, name: string): Promise<Saved> {
  await page.locator("#facts", { hasText: name }).waitFor();
  return page.evaluate<Saved>("fetch(document.querySelector('#save a').href).then((file) => file.json())");
}

const countsOf = ({ channels }: Saved): number[][] =>
  channels.map(({ histogram }) => [...Histogram.fromJSON(histogram).counts]);

/** The counts of the sample file by core's CPU backend: red, green, blue. */
async function countsOfSample(): Promise<number[][]> {
  const { data, width, height, channels } = decode(await readFile(SAMPLE));
  const engine = await openEngine();
  try {
    const found = await engine.histograms({ data: data as Uint8Array, width, height, channels });
    return found.map(({ counts }) => [...counts]);
  } finally {
    await engine.close();
  }
}

/** The counts of the pixels that the page shows, by the page's own core: red, green, blue, alpha. */
const COUNTS_OF_CANVAS = `(async () => {
  const { openEngine } = await import("@polybin/core");
  const canvas = document.getElementById("picture");
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = await (await openEngine()).histograms(pixels);
  return found.map(({ counts }) => [...counts]);
})()`;

/** The page accepts a software GPU only on request. */
const ON_SWIFTSHADER = { search: "?fallback" };

const choose = (page: Page): Promise<void> => page.setInputFiles("#file", fileURLToPath(SAMPLE));

/** Drops the sample under another name. */
const DROPPED = `(async () => {
  const picture = await (await fetch("/evening.png")).blob();
  const transfer = new DataTransfer();
  transfer.items.add(new File([picture], "dropped.png", { type: "image/png" }));
  return transfer;
})()`;

it("the example counts a picture exactly, on the GPU, chosen or dropped", async (ctx) => {
  const opened = await openSite(await exampleSite(), ON_SWIFTSHADER);
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  await choose(site.page);
  const result = await saved(site.page, "evening.png");
  expect(result.backend).toBe("webgpu");
  expect(countsOf(result)).toEqual(await site.page.evaluate(COUNTS_OF_CANVAS));
  // The browser must not have changed any pixel of the file.
  expect(countsOf(result).slice(0, 3)).toEqual(await countsOfSample());
  await site.page.dispatchEvent("#drop", "drop", { dataTransfer: await site.page.evaluateHandle(DROPPED) });
  expect(countsOf(await saved(site.page, "dropped.png"))).toEqual(countsOf(result));
  expect(site.problems).toEqual([]);
});

it("the example reports what is wrong with a file that is not a picture", async (ctx) => {
  const opened = await openSite(await exampleSite(), ON_SWIFTSHADER);
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  await site.page.setInputFiles("#file", fileURLToPath(import.meta.url));
  await site.page.locator("#status").filter({ hasText: "example.test.ts could not be counted" }).waitFor();
  expect(site.problems).toEqual([]);
});

it("the example works by keyboard alone", async (ctx) => {
  const opened = await openSite(await exampleSite(), ON_SWIFTSHADER);
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  const { keyboard } = site.page;
  const redBars = (): Promise<string | null> => site.page.locator("path").first().getAttribute("d");

  await keyboard.press("Tab");
  expect(await site.page.evaluate("document.activeElement.id")).toBe("file");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await saved(site.page, "the sample");
  const linear = await redBars();
  await keyboard.press("Tab"); // Skips the link that saves.
  await keyboard.press("Tab");
  await keyboard.press("Space");
  expect(await redBars()).not.toBe(linear);
  await keyboard.press("Tab");
  await keyboard.press("Home");
  await keyboard.press("ArrowRight");
  const [red] = await countsOfSample();
  const caption = site.page.locator("figcaption").first();
  expect(await caption.textContent()).toContain(`${red?.[1]?.toLocaleString("en")} pixels at 1,`);
  expect(site.problems).toEqual([]);
});

it("without WebGPU the example counts on the CPU and says why", async (ctx) => {
  const opened = await openSite(await exampleSite(), { before: "delete Navigator.prototype.gpu" });
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  await choose(site.page);
  const result = await saved(site.page, "evening.png");
  expect(result.backend).toBe("cpu");
  expect(countsOf(result).slice(0, 3)).toEqual(await countsOfSample());
  expect(await site.page.locator("#status").textContent()).toContain("Not on the GPU: ");
  expect(site.problems).toEqual([]);
});

it("on a software GPU, the example counts on the CPU backend and says why", async (ctx) => {
  const opened = await openSite(await exampleSite());
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  await choose(site.page);
  expect((await saved(site.page, "evening.png")).backend).toBe("cpu");
  expect(await site.page.locator("#status").textContent()).toBe(
    "Not on the GPU: google swiftshader is a GPU that the CPU emulates, far slower than the CPU itself; openEngine({ fallback: true }) accepts it",
  );
  expect(site.problems).toEqual([]);
});

const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

it("the example has no overflowing elements, wide or narrow, light or dark", async (ctx) => {
  const opened = await openSite(await exampleSite(), ON_SWIFTSHADER);
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  await site.page.click("#sample");
  await saved(site.page, "the sample");
  // Counts again, so that the time shown does not include compiling the shaders.
  await choose(site.page);
  await saved(site.page, "evening.png");
  await site.page.getByLabel("Logarithmic heights").check();
  for (const { width, colorScheme } of LOOKS) {
    await site.page.setViewportSize({ width, height: 800 });
    await site.page.emulateMedia({ colorScheme });
    expect(await site.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    // Set this variable to record the page's committed pictures again.
    if (process.env.POLYBIN_SCREENSHOTS === undefined) continue;
    const path = fileURLToPath(new URL(`screenshot-${width}.png`, EXAMPLE));
    await site.page.screenshot({ path, fullPage: true });
  }
  expect(site.problems).toEqual([]);
});

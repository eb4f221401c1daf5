// What takes longer: a column of ten million rows, and WebGPU on a GPU that the CPU imitates.
import { openPage } from "@polybin/testbed/page";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSite, type Site } from "./site.ts";

let site: Site | string;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  if (typeof site !== "string") await site[Symbol.asyncDispose]();
});

/** The page's sentence about the brush from 6 to 12, counted by both methods. */
async function morning(page: Page): Promise<string[]> {
  await page.locator("output[data-lo]").waitFor();
  const [from, to] = [page.getByRole("slider").first(), page.getByRole("slider").last()];
  await from.press("PageUp");
  await from.press("PageUp");
  for (let i = 0; i < 4; i++) await from.press("ArrowRight");
  await to.press("Home");
  for (let i = 0; i < 24; i++) await to.press("ArrowRight");
  const sentences: string[] = [];
  for (const radio of await page.getByRole("radio").all()) {
    await radio.check();
    await page.locator("output", { hasText: "from 6.00 to 12.00" }).waitFor();
    sentences.push((await page.locator("output").textContent())!);
  }
  return sentences;
}

test("the page draws frames while the worker counts ten million rows", async (ctx) => {
  if (typeof site === "string") return ctx.skip(site);
  await using opened = await openPage(site.browser, site.address);
  const { page, problems } = opened;
  await page.locator("output[data-lo]").waitFor();
  await page.getByRole("radio").nth(1).check();
  await expect.poll(() => page.locator(".note").textContent()).not.toContain("0.0 ms");
  // Frames from the key to the worker's answer.
  const frames = page.evaluate(`new Promise((resolve) => {
    let frames = 0;
    const frame = () => { frames++; requestAnimationFrame(frame); };
    new MutationObserver(() => resolve(frames))
      .observe(document.querySelector("output"), { attributes: true, attributeFilter: ["data-lo"] });
    addEventListener("keydown", frame, { once: true });
  })`);
  await page.getByRole("slider").first().press("PageUp");
  expect(await frames).toBeGreaterThan(2);
  expect(problems).toEqual([]);
});

test("WebGPU counts the same rows as the CPU", async (ctx) => {
  if (typeof site === "string") return ctx.skip(site);
  const found: string[][] = [];
  for (const query of ["?rows=300000", "?rows=300000&fallback"]) {
    await using opened = await openPage(site.browser, site.address + query);
    found.push(await morning(opened.page));
    const backend = query.endsWith("fallback") ? /^webgpu counted/ : /^cpu counted/;
    expect(await opened.page.locator(".note").textContent()).toMatch(backend);
  }
  const [cpu, webgpu] = found;
  expect(cpu![0]).toMatch(/^[1-9]/);
  expect(cpu![0]).toBe(cpu![1]);
  expect(webgpu).toEqual(cpu);
});

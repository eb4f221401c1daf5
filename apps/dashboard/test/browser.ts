import { launchChromium } from "@polybin/testbed/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type StaticSite, staticSite } from "./static-site.ts";

export { openPage } from "@polybin/testbed/page";

/** A headless Chromium with WebGPU, or the reason why it cannot be had here. */
export const browser = (): Promise<Browser | string> => launchChromium();

/** What the tests of a file visit. */
export interface Visited {
  readonly site: StaticSite;
  readonly chromium: Browser | string;
}

/** Serves the built site and starts a browser before the tests of a file, and ends both after them. */
export function siteInBrowser(): Visited {
  const visited = {} as { site: StaticSite; chromium: Browser | string };
  beforeAll(async () => {
    [visited.site, visited.chromium] = await Promise.all([staticSite(), browser()]);
  });
  afterAll(async () => {
    await visited.site[Symbol.asyncDispose]();
    if (typeof visited.chromium !== "string") await visited.chromium.close();
  });
  return visited;
}

/** Waits until a view is drawn. */
export async function shown(page: Page, view: string): Promise<void> {
  await page.locator(`#page[data-view="${view}"] h1`).waitFor();
}

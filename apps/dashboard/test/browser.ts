import { launchChromium } from "@polybin/testbed/chromium";
import type { Browser, Page } from "playwright-core";

export { openPage } from "@polybin/testbed/page";

/** A headless Chromium with WebGPU, or the reason why it cannot be had here. */
export const browser = (): Promise<Browser | string> => launchChromium();

/** Waits until a view is drawn. */
export async function shown(page: Page, view: string): Promise<void> {
  await page.locator(`#page[data-view="${view}"] h1`).waitFor();
}

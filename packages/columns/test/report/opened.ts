import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchChromium } from "@polybin/testbed/chromium";
import { type OpenPage, openPage } from "@polybin/testbed/page";
import type { Browser, Page } from "playwright-core";
import type { ProfileJson } from "../../src/profile/index.ts";
import { renderReport } from "../../src/report/index.ts";

/** Milliseconds. A browser whose GPU is computed on the CPU takes seconds for what takes a person's machine milliseconds. */
export const PATIENCE = 120_000;

/** A browser, and a folder for the pages that it opens. */
export interface Desk extends AsyncDisposable {
  /** The browser, or the reason why there is none here. */
  readonly chromium: Browser | string;
  /** Writes a report to the disk, and returns its address. */
  written(profile: ProfileJson, change?: (report: string) => string): Promise<string>;
  /** Writes a page to the disk, and returns its address. */
  saved(page: string): Promise<string>;
}

export async function openDesk(): Promise<Desk> {
  const [folder, chromium] = await Promise.all([mkdtemp(join(tmpdir(), "report-")), launchChromium()]);
  const saved = async (page: string): Promise<string> => {
    const file = join(folder, `${crypto.randomUUID()}.html`);
    await writeFile(file, page);
    return pathToFileURL(file).href;
  };
  return {
    chromium,
    saved,
    written: async (profile, change = (report) => report) => saved(change(await renderReport(profile))),
    async [Symbol.asyncDispose]() {
      if (typeof chromium !== "string") await chromium.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Opens a report. `requests` are those of the page itself, when it is opened again. */
export async function opened(
  browser: Browser,
  address: string,
  { width = 1280, ...rest }: { width?: number; colorScheme?: "dark" } = {},
): Promise<OpenPage & { readonly requests: readonly string[] }> {
  const visit = await openPage(browser, address, { viewport: { width, height: 900 }, ...rest });
  const requests: string[] = [];
  visit.page.on("request", (request) => requests.push(request.url()));
  await visit.page.reload();
  return { ...visit, requests };
}

/** The names in the list, in its order, without those that the search has hidden. */
export const names = (page: Page): Promise<string[]> =>
  page
    .locator("#list tbody tr:visible .name")
    .evaluateAll((links) => links.map(({ textContent }) => textContent!));

export const WIDTH = "document.documentElement.scrollWidth";
/** Parts that are not on the screen are not laid out, so neither axe nor the width would see them. */
export const LAY_OUT =
  "for (const part of document.querySelectorAll('.card')) part.style.contentVisibility = 'visible'";
export const OPEN_ALL = "for (const summary of document.querySelectorAll('summary')) summary.click()";

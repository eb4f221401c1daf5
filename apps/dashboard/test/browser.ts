import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "../../../packages/webgpu/test/browser/chromium.ts";

/** Milliseconds for anything that is waited for: SwiftShader compiles for seconds, on a busy machine for many. */
const TIMEOUT = 100_000;

/** A page in a browser, and what went wrong in it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Uncaught errors, what the console reported as errors or warnings, and requests that left the origin. */
  readonly problems: string[];
}

/** A headless Chromium with WebGPU, or the reason why it cannot be had here. */
export const browser = (): Promise<Browser | string> => launchChromium();

/** Opens an address in a window of its own. */
export async function openPage(
  chromium: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await chromium.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const problems: string[] = [];
  const { origin } = new URL(address);
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("request", (request) => {
    const target = new URL(request.url());
    if (target.protocol.startsWith("http") && target.origin !== origin) {
      problems.push(`a request to ${request.url()}`);
    }
  });
  await page.goto(address);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** Waits until a view is drawn. */
export async function shown(page: Page, view: string): Promise<void> {
  await page.locator(`#page[data-view="${view}"] h1`).waitFor();
}

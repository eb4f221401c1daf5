import type { Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { type SiteFiles, serve } from "./server.ts";

/** A page in a browser, and what went wrong in it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Uncaught errors, what the console reported as errors, and requests that left the machine. */
  readonly problems: readonly string[];
}

/** Serves a site and opens its "/" in a browser, or says why no browser can be had here. */
export async function openSite(
  files: SiteFiles,
  viewport: { width: number; height: number } = { width: 1280, height: 800 },
): Promise<OpenPage | string> {
  const browser = await launchChromium();
  if (typeof browser === "string") return browser;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => browser.close());
  const { origin } = opened.use(await serve(files));
  const problems: string[] = [];
  const page = await browser.newPage({ viewport });
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol.startsWith("http") && target !== origin) problems.push(`a request to ${request.url()}`);
  });
  await page.goto(origin);
  const disposables = opened.move();
  return { page, problems, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}

/** A page that only runs a module. The empty icon keeps the browser from asking for one. */
export function moduleSite(code: string): SiteFiles {
  const html = `<!doctype html><title>polybin</title><link rel="icon" href="data:,">
<script type="module" src="/page.js"></script>`;
  return {
    "/": { type: "text/html", body: html },
    "/page.js": { type: "text/javascript", body: code },
  };
}

import type { Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { type SiteFiles, serve } from "./server.ts";

/** Milliseconds for anything that is waited for: SwiftShader compiles for seconds, on a busy machine for many. */
const TIMEOUT = 100_000;

/** A page in a browser, and what went wrong in it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Of the browser. */
  readonly version: string;
  /** Uncaught errors, what the console reported as errors, and requests that left the machine. */
  readonly problems: readonly string[];
}

/** How a site is opened. */
interface Visit {
  /** Runs in the page before any of its own scripts. */
  readonly before?: string;
  /** What the address ends in: "?x". */
  readonly search?: string;
}

/** Serves a site and opens its "/" in a browser, or says why no browser can be had here. */
export async function openSite(
  files: SiteFiles,
  { before = "", search = "" }: Visit = {},
): Promise<OpenPage | string> {
  const browser = await launchChromium();
  if (typeof browser === "string") return browser;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => browser.close());
  const { origin } = opened.use(await serve(files));
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol.startsWith("http") && target !== origin) problems.push(`a request to ${request.url()}`);
  });
  await page.addInitScript(before);
  await page.goto(`${origin}/${search}`);
  const disposables = opened.move();
  return {
    page,
    version: browser.version(),
    problems,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
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

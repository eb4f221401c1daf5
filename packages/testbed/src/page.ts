import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Milliseconds for anything that is waited for: SwiftShader compiles for seconds, on a busy machine for many. */
const TIMEOUT = 100_000;

/** A page in a browser, and what went wrong in it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Uncaught errors, what the console reported, and requests that left the page's origin. */
  readonly problems: readonly string[];
}

/** How an address is opened. */
interface Visit extends BrowserContextOptions {
  /** Runs in the page before any of its own scripts. */
  readonly before?: string;
  /** What the console says in these voices is a problem. Default: errors and warnings. */
  readonly voices?: readonly string[];
}

/** Opens an address in a window of its own. */
export async function openPage(
  browser: Browser,
  address: string,
  { before = "", voices = ["error", "warning"], ...options }: Visit = {},
): Promise<OpenPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const problems: string[] = [];
  const { origin } = new URL(address);
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (voices.includes(message.type())) problems.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol.startsWith("http") && target !== origin) problems.push(`a request to ${request.url()}`);
  });
  await page.addInitScript(before);
  await page.goto(address);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

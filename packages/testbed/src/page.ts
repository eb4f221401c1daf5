import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Timeout in milliseconds for any wait. SwiftShader compiles for seconds, and for longer on a busy machine. */
const TIMEOUT = 100_000;

/** A page in a browser, and its problems. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Uncaught errors, console messages, and requests to other origins. */
  readonly problems: readonly string[];
}

/** How to open an address. */
interface Visit extends BrowserContextOptions {
  /** A script that runs in the page before its own scripts. */
  readonly before?: string;
  /** Types of console messages that are problems. Default: errors and warnings. */
  readonly voices?: readonly string[];
}

/** Opens an address in a new browser context. */
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
